/* The checks of the stages before the response. */
#include "falsify/oracle.h"

#include "response/applicable.h"
#include "response/start_delays.h"

const char *const stage_names[] = {"none", "machine", "map", "interference", "serial", "volume", "response", "chain"};

static void complain(
	struct oracle *oracle, enum stage stage, const struct event *event, const char *what, int64_t observed, int64_t allowed)
{
	if (oracle->stage != STAGE_NONE)
		return;
	oracle->stage = stage;
	oracle->what = what;
	oracle->operation = event->operation;
	oracle->time = event->time;
	oracle->observed = observed;
	oracle->allowed = allowed;
}

/* ---- what an SM holds */

static void hold(struct oracle *oracle, enum stage stage, const struct event *event, const char *what, int64_t observed, int64_t allowed)
{
	if (observed > allowed)
		complain(oracle, stage, event, what, observed, allowed);
}

/* Blocks of a kernel of scope grid are the machine's own invention. */
static bool has_shape(const struct subject *subject, int operation)
{
	return subject->map->kernels[operation].sized && !subject->costs->operations[operation].grid;
}

static void hold_company(struct oracle *oracle, const struct event *event)
{
	const struct subject *subject = oracle->subject;
	const int *here = oracle->of_kernel + (int64_t)event->sm * subject->set->operation_count;
	const struct kernel_map *own = &subject->map->kernels[event->operation];
	for (int i = 0; i < subject->set->operation_count && own->is_kernel && !own->foreign_sm; i++)
		if (i != event->operation && here[i] > 0)
			complain(oracle, STAGE_MAP, event, "a block beside a foreign one on its SM", 1, 0);
	if (has_shape(subject, event->operation) && (oracle->partitions || platform_grants(subject->platform, ASSUMPTION_FRAG)))
		hold(oracle, STAGE_MAP, event, "blocks of one kernel on an SM", here[event->operation], own->occupancy.greatest);
}

/* Of its warps, that are there until a block has ended. */
static int64_t staying(const struct subject *subject, int operation)
{
	int64_t warps = subject->map->kernels[operation].occupancy.demand.warps;
	return subject->set->operations[operation].kernel.warps_stay ? warps : checked_min(warps, 1);
}

static void move_block(struct oracle *oracle, const struct event *event, int sign)
{
	const struct subject *subject = oracle->subject;
	const struct demand *demand = &subject->map->kernels[event->operation].occupancy.demand;
	oracle->of_kernel[(int64_t)event->sm * subject->set->operation_count + event->operation] += sign;
	if (!has_shape(subject, event->operation))
		return;
	oracle->blocks[event->sm] += sign;
	oracle->warps[event->sm] += sign * staying(subject, event->operation);
	oracle->shared[event->sm] += sign * demand->shared;
}

static void begin_block(struct oracle *oracle, const struct event *event)
{
	move_block(oracle, event, 1);
	int64_t leave = 0; /* nobody has left the new one yet */
	if (has_shape(oracle->subject, event->operation))
		leave = oracle->subject->map->kernels[event->operation].occupancy.demand.warps - staying(oracle->subject, event->operation);
	hold(oracle, STAGE_MACHINE, event, "warps on an SM", oracle->warps[event->sm] + leave, oracle->warps_most);
	hold(oracle, STAGE_MACHINE, event, "blocks on an SM", oracle->blocks[event->sm], oracle->blocks_most);
	hold(oracle, STAGE_MACHINE, event, "bytes of shared memory on an SM", oracle->shared[event->sm], oracle->shared_most);
	hold_company(oracle, event);
}

/* ---- kernels outstanding */

static void ready(struct oracle *oracle, const struct event *event)
{
	const struct operation_cost *cost = &oracle->subject->costs->operations[event->operation];
	if (oracle->outstanding++ == 0) {
		oracle->start = event->time;
		oracle->serial_sum = oracle->volume_sum = oracle->rest_sum = 0;
	}
	oracle->serial_sum = checked_add(oracle->serial_sum, checked_add(cost->makespan.value, cost->waste.value));
	oracle->volume_sum = checked_add(oracle->volume_sum, cost->volume.value);
	oracle->rest_sum = checked_add(oracle->rest_sum, checked_add(cost->dispatch.value, cost->tail.value));
}

static void ended(struct oracle *oracle, const struct event *event)
{
	int64_t passed = event->time - oracle->start;
	int64_t shared = checked_add(checked_div_floor(oracle->volume_sum, oracle->g), oracle->rest_sum);
	if (oracle->serial)
		hold(oracle, STAGE_SERIAL, event, "time while kernels are outstanding, against their makespans and drain waste", passed,
			oracle->serial_sum);
	if (oracle->volume)
		hold(oracle, STAGE_VOLUME, event, "time while kernels are outstanding, against their volume", passed, shared);
	oracle->outstanding--;
}

void oracle_see(void *context, const struct event *event)
{
	struct oracle *oracle = context;
	if (event->operation == NO_ID)
		return;
	bool kernel = oracle->subject->costs->operations[event->operation].place == PLACE_EXECUTION;
	if (event->kind == EVENT_BLOCK_BEGIN && oracle->sms)
		begin_block(oracle, event);
	else if (event->kind == EVENT_BLOCK_END && oracle->sms)
		move_block(oracle, event, -1);
	else if (event->kind == EVENT_READY && kernel)
		ready(oracle, event);
	else if (event->kind == EVENT_END && kernel)
		ended(oracle, event);
}

/* ---- which checks a run is within */

static uint64_t serial_assumptions(const struct subject *subject)
{
	uint64_t order = UINT64_C(1) << ASSUMPTION_HOL | UINT64_C(1) << ASSUMPTION_PRIO | UINT64_C(1) << ASSUMPTION_WC;
	uint64_t all = BROKEN_MAKESPANS | ATTACK_NEIGHBOURS |
		       (start_delays_replace_order(subject->platform) ? UINT64_C(1) << ASSUMPTION_ORDER : order);
	for (int i = 0; i < subject->set->operation_count; i++)
		all |= subject->costs->operations[i].makespan.assumptions;
	return all;
}

/* Of work whose span alone is known nothing is said where kernels of other streams mix with it ([SPAN]). */
static bool spans_mix(const struct subject *subject)
{
	bool spans = false;
	for (int i = 0; i < subject->set->operation_count; i++)
		spans |= operation_is_span(&subject->set->operations[i]);
	return spans && applicable_kernel_streams(subject->set, subject->costs, 0) > 1;
}

void oracle_init(struct oracle *oracle, struct arena *arena, const struct subject *subject, const struct attack *attack)
{
	int64_t sms = platform_value(subject->platform, PARAMETER_SM_COUNT);
	uint64_t assumptions = UINT64_C(1) << ASSUMPTION_WC_G | ATTACK_NEIGHBOURS | subject_breaks_volumes(subject);
	bool stops = attack->options.switches.stops != STOPS_NONE,
	     single = subject->costs->context_count == 1 && !attack->options.switches.turns_alone;
	const struct domain *domain = &subject->costs->domains->items[0];
	bool in_order = single && !spans_mix(subject) && !domain->beside && !(domain->several && domain->crowded);
	*oracle = (struct oracle){.subject = subject, .sm_count = sms == NONE ? 0 : sms, .operation = NO_ID};
	oracle->warps_most = platform_value(subject->platform, PARAMETER_SM_WARPS);
	oracle->blocks_most = platform_value(subject->platform, PARAMETER_SM_BLOCKS);
	oracle->shared_most = platform_value(subject->platform, PARAMETER_SM_SHARED);
	oracle->warps = arena_allocate(arena, (size_t)oracle->sm_count + 1, sizeof *oracle->warps);
	oracle->blocks = arena_allocate(arena, (size_t)oracle->sm_count + 1, sizeof *oracle->blocks);
	oracle->shared = arena_allocate(arena, (size_t)oracle->sm_count + 1, sizeof *oracle->shared);
	oracle->of_kernel =
		arena_allocate(arena, (size_t)(oracle->sm_count * subject->set->operation_count) + 1, sizeof *oracle->of_kernel);
	oracle->g = subject->set->stream_count == 0 /* threads alone */
			    ? NONE
			    : applicable_nonempty_sms(subject->platform, subject->set, subject->costs, 0, &assumptions);
	oracle->sms = single && !domain->beside && (attack_broken(attack, subject) & ATTACK_NEIGHBOURS) == 0;
	oracle->partitions = attack->allocation.registers_by == ALLOCATION_PARTITIONS;
	oracle->serial = in_order && !stops && (serial_assumptions(subject) & attack_broken(attack, subject)) == 0;
	oracle->volume = in_order && !stops && oracle->g != NONE && (assumptions & attack_broken(attack, subject)) == 0;
}
