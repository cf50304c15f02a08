#include "response/applicable.h"

#include "base/plant.h"
#include "map/cache_configuration.h"
#include "response/bounds/bound.h"
#include "response/kept_spans.h"
#include "response/start_delays.h"

/* The ids of those that are known to be broken, or of those that are not, each between the two texts. NULL: none. */
static const char *list(
	struct arena *arena, const struct platform *platform, uint64_t missing, bool broken, const char *before, const char *between)
{
	const char *ids = NULL;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if ((missing >> i & 1) && (platform->assumptions[i].status == STATUS_BROKEN) == broken)
			ids = arena_format(
				arena, "%s%s%s%s", ids != NULL ? ids : "", ids != NULL ? between : "", before, assumption_kinds[i].id);
	return ids;
}

static const char *refuse(struct arena *arena, const struct platform *platform, uint64_t missing)
{
	const char *broken = list(arena, platform, missing, true, "", ", "), *unknown = list(arena, platform, missing, false, "", ", ");
	const char *first = broken == NULL ? ""
					   : arena_format(arena, "needs %s, known to be broken on this platform (%s: as a condition)",
						     broken, list(arena, platform, missing, true, "--assume ", " "));
	if (unknown == NULL)
		return first;
	return arena_format(arena, "%s%sneeds %s, for which nobody vouches on this platform (%s, or %s as a condition)", first,
		broken != NULL ? "; " : "", unknown,
		arena_format(arena, "<assume id=\"%s\" .../>", list(arena, platform, missing, false, "", "\" .../>, <assume id=\"")),
		list(arena, platform, missing, false, "--assume ", " "));
}

/* Relies on an assumption, or says why it can not: a reason of another kind stays the only one. */
static void need(struct arena *arena, const struct platform *platform, enum assumption assumption, struct applicable *result)
{
	result->assumptions |= assumption_bit(assumption);
	if (platform_grants(platform, assumption) || (result->reason != NULL && result->missing == 0))
		return;
	result->missing |= assumption_bit(assumption);
	result->reason = refuse(arena, platform, result->missing);
}

static void need_all(struct arena *arena, const struct platform *platform, uint64_t assumptions, struct applicable *result)
{
	if (platform_grants_all(platform, assumptions)) {
		result->assumptions |= assumptions;
		return;
	}
	while (assumptions != 0)
		need(arena, platform, assumption_take(&assumptions), result);
}

const char *applicable_refuse(struct arena *arena, const struct platform *platform, uint64_t assumptions)
{
	struct applicable result = {NULL, 0, 0};
	need_all(arena, platform, assumptions, &result);
	return result.reason;
}

/* A number of the platform that is too small, or that somebody could declare. */
static const char *say_number(struct arena *arena, enum parameter which, int64_t value)
{
	const char *name = parameter_kinds[which].name;
	if (value == NONE)
		return arena_format(arena, "%s is not known, <declare name=\"%s\" .../> says it", name, name);
	return arena_format(arena, "%s is %lld, too small", name, (long long)value);
}

static bool has_block_kernel(const struct taskset *set, const struct costs *costs, int context)
{
	for (int i = 0; i < set->operation_count; i++)
		if (costs->operations[i].place == PLACE_EXECUTION && costs->operations[i].context == context && !costs->operations[i].grid)
			return true;
	return false;
}

static bool has_fragments(const struct taskset *set, const struct costs *costs, int context)
{
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].kind == OPERATION_FRAGMENT && costs->operations[i].context == context)
			return true;
	return false;
}

/* Copies and memsets that run as kernels are the driver's: nobody states what they prefer. */
static bool differs_from_drivers(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	bool drivers = false, differs = false;
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		if (costs->operations[i].place != PLACE_EXECUTION || costs->operations[i].context != context)
			continue;
		drivers |= operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
		differs |= operation->kind == OPERATION_KERNEL && cache_configuration_differs_from_drivers(platform, &operation->kernel);
	}
	return drivers && differs;
}

bool applicable_parts_kernels(const struct platform *platform, bool sliced)
{
	bool stops = platform->parameters[PARAMETER_STOPS_LENGTH].present && platform->parameters[PARAMETER_STOPS_DISTANCE].present;
	return stops || (sliced && platform->preemption != PREEMPTION_INSTRUCTION);
}

/* Do blocks nobody knows, or more than one of a kernel, run in another way than in the measurement? They do in parts, or if others slow
 * some. */
static bool is_disturbed(const struct taskset *set, const struct costs *costs, int context, bool parted)
{
	for (int i = 0; i < set->operation_count; i++) {
		const struct operation *operation = &set->operations[i];
		const struct operation_cost *cost = &costs->operations[i];
		bool one = operation->kind == OPERATION_FRAGMENT || (operation->kind == OPERATION_KERNEL && operation->kernel.blocks == 1);
		bool slowed = cost->block.value > operation->wcet && !taskset_has_company(set, i);
		if (cost->place == PLACE_EXECUTION && cost->context == context && !one && (parted || slowed))
			return true;
	}
	return false;
}

static bool is_alike(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	return applicable_one_configuration(platform, set, costs, context) &&
	       (planted(PLANT_DRIVERS) || !differs_from_drivers(platform, set, costs, context));
}

/* [SER], [DRAIN]: order, priority gate and work conservation make a context's kernels a serial server of makespans. With a single
 * stream of kernels there is never a second one to order (A-ONE), and one whose makespan was measured needs no more, undisturbed. */
static void need_order(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct runlist *runlist, int index, struct applicable *result)
{
	const struct context *context = &runlist->contexts[index];
	bool delayed = start_delays_replace_order(platform);
	if (delayed && context->kernel_streams > 0)
		need(arena, platform, ASSUMPTION_ORDER, result);
	if (context->clients)
		need(arena, platform, ASSUMPTION_MPS_ORDER, result);
	if (delayed && context->kernel_streams > 1 && result->reason == NULL && !is_alike(platform, set, costs, index))
		result->reason = "A-ORDER is about kernels of one cache configuration and carveout preference, and these differ";
	if (!delayed && context->kernel_streams > 1)
		need(arena, platform, ASSUMPTION_HOL, result);
	if (!delayed && context->levels)
		need(arena, platform, ASSUMPTION_PRIO, result);
	if (!delayed && (context->kernel_streams > 1 || has_block_kernel(set, costs, index) ||
				is_disturbed(set, costs, index, applicable_parts_kernels(platform, runlist->sliced))))
		need(arena, platform, ASSUMPTION_WC, result);
	if (context->kernel_streams > 1 && has_fragments(set, costs, index))
		need(arena, platform, ASSUMPTION_DRAW, result);
	int64_t grids = platform_value(platform, PARAMETER_QUEUES_GRIDS);
	int streams = runlist->processes[context->process].kernel_streams;
	if (context->levels && (grids == NONE || grids < streams) && result->reason == NULL)
		result->reason = arena_format(arena,
			"with priority levels the resident grids must not run out (%s): a stopped kernel keeps its grid slot",
			say_number(arena, PARAMETER_QUEUES_GRIDS, grids));
}

/* What kernels of several clients of an MPS server do to one another, and what those of several partitions do not, counts where they may
 * meet, and for who waits behind a slice for them to run out ([MPS], [PARTITIONS]). */
static void need_neighbours(struct arena *arena, const struct platform *platform, const struct costs *costs, const struct runlist *runlist,
	int context, struct applicable *result)
{
	bool run_out = runlist->sliced && platform->preemption != PREEMPTION_INSTRUCTION, meet = runlist->contexts[context].clients,
	     parted = false;
	for (int i = 0; i < runlist->context_count && run_out; i++) {
		meet |= runlist->contexts[i].clients && !planted(PLANT_CLIENTS_RUN_OUT);
		parted |= costs->domains->items[i].parted && !planted(PLANT_PARTITIONS_RUN_OUT);
	}
	if (meet)
		need(arena, platform, ASSUMPTION_MPS_ORDER, result);
	if (parted)
		need(arena, platform, ASSUMPTION_PARTITION, result);
}

static void need_slices(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct runlist *runlist, int context, struct applicable *result)
{
	if (set->served)
		need(arena, platform, ASSUMPTION_MPS, result);
	need_neighbours(arena, platform, costs, runlist, context, result);
	if (runlist->process_count > 1)
		need(arena, platform, ASSUMPTION_EXCL, result);
	if (runlist->sliced && !planted(PLANT_UNSAID_TURNS))
		need(arena, platform,
			runlist->ranked         ? ASSUMPTION_PREEMPT
			: runlist->round.levels ? ASSUMPTION_INTERLEAVE
						: ASSUMPTION_RUNLIST,
			result);
}

bool applicable_has_host(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(set, task, i)->kind == OPERATION_HOST || task_returns(set, task, i))
			return true;
	return false;
}

uint64_t applicable_hosts(const struct taskset *set, const struct task *task)
{
	if (!applicable_has_host(set, task))
		return 0;
	if (task->core == 0)
		return assumption_bit(ASSUMPTION_HOST_WCRT);
	uint64_t thread = planted(PLANT_UNSAID_CORE) ? 0 : assumption_bit(ASSUMPTION_CORE);
	thread |= set->core_times != NULL ? set->core_times->assumptions : 0; /* NULL: as it was read */
	if (task_submits(set, task) && !planted(PLANT_UNSAID_SUBMISSION))
		thread |= assumption_bit(ASSUMPTION_SUBMIT);
	return thread;
}

/* Is some of the task's work in the context issued behind a host segment, or behind a synchronous call? anywhere: or before one. */
static bool follows_host(const struct taskset *set, const struct costs *costs, const struct task *task, int context, bool anywhere)
{
	bool host = anywhere && applicable_has_host(set, task);
	for (int k = task->first_operation; k < task->first_operation + task->operation_count; k++) {
		if (host && set->operations[k].stream != NO_ID && (context == NO_ID || costs->operations[k].context == context))
			return true;
		host |= set->operations[k].kind == OPERATION_HOST || task_returns(set, task, k - task->first_operation);
	}
	return false;
}

bool applicable_by_fit(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct costs *costs,
	const struct runlist *runlist, int context)
{
	struct applicable ordered = {NULL, 0, 0};
	if (!platform_grants(platform, ASSUMPTION_FIT) || start_delays_exist(platform) || runlist->context_count != 1 ||
		costs->domains->items[context].several)
		return false;
	need_order(arena, platform, set, costs, runlist, context, &ordered);
	return ordered.reason != NULL;
}

/* Each stream with work has a queue to itself if there are more queues than streams, whenever they are given out; or more than streams with
 * work, where these alone have one ([QUEUES]). Are there only so many? */
static bool idle_streams_count(const struct platform *platform, const struct context *context)
{
	int64_t queues = platform_value(platform, PARAMETER_QUEUES_HARDWARE);
	int64_t holders = context->streams + context->graphs, all = context->declared + context->graphs;
	return context->streams > 1 && queues != NONE && queues > holders && queues <= all && !planted(PLANT_IDLE);
}

void applicable_need(struct applicability *a, enum assumption assumption)
{
	need(a->arena, a->platform, assumption, &a->found);
}

void applicable_need_thread(struct applicability *a, const struct task *task)
{
	need_all(a->arena, a->platform, applicable_hosts(a->set, task), &a->found);
}

/* How often work comes that is issued behind a host segment, and how late, is known by what bounds that one; whoever meets it rests on
 * that. Where nobody may rest on it the task's responses are no claims, either. */
void applicable_need_hosts(struct applicability *a, int context)
{
	for (int i = 0; i < a->set->task_count && a->costs->hosts; i++) {
		uint64_t hosts = applicable_hosts(a->set, &a->set->tasks[i]);
		if (planted(PLANT_UNSAID_HOSTS) || hosts == 0 ||
			!follows_host(a->set, a->costs, &a->set->tasks[i], context, !platform_grants_all(a->platform, hosts)))
			continue;
		applicable_need_thread(a, &a->set->tasks[i]);
	}
}

void applicable_need_queues(struct applicability *a, int context)
{
	if (idle_streams_count(a->platform, &a->runlist->processes[a->runlist->contexts[context].process]))
		applicable_need(a, ASSUMPTION_QUEUE);
}

void applicable_need_order(struct applicability *a, int context)
{
	need_order(a->arena, a->platform, a->set, a->costs, a->runlist, context, &a->found);
}

/* [PARTITIONS]. Where contexts are partitions of one process their streams have no hardware queue in common ([DOMAINS]). */
void applicable_need_partitions(struct applicability *a, int context)
{
	const struct domain *domain = &a->costs->domains->items[context];
	if (!domain->parted)
		return;
	applicable_need(a, ASSUMPTION_PARTITION);
	if (a->costs->domains->parted)
		applicable_need_queues(a, a->context);
	if (domain->several && domain->crowded && a->found.reason == NULL)
		a->found.reason =
			"kernels of one partition may wait for later ones of another: for a grid slot (queues.resident-grids), or for a "
			"cache configuration of the whole GPU (per-sm-carveout)";
	if (domain->beside && a->found.reason == NULL)
		a->found.reason = "kernels of the primary context, or memsets and copies that run as kernels there, are beside kernels of "
				  "partitions: they head every queue while they wait, and their blocks are on the partitions' SMs";
}

/* When work comes to the GPU: threads on cores rest on one another ([SUBMISSION]), or somebody vouches for it. */
static uint64_t issuers(const struct taskset *set)
{
	uint64_t threads = assumption_bit(ASSUMPTION_SUBMIT) | assumption_bit(ASSUMPTION_CORE);
	if (!set->submits)
		return assumption_bit(ASSUMPTION_HOST);
	return threads | (set->core_times != NULL ? set->core_times->assumptions : 0); /* NULL: as it was read */
}

uint64_t applicable_always(const struct taskset *set)
{
	return assumption_bit(ASSUMPTION_WCET) | assumption_bit(ASSUMPTION_ONE) | assumption_bit(ASSUMPTION_CLOCK) |
	       assumption_bit(ASSUMPTION_ISO) | issuers(set);
}

struct applicable applicable_find(struct arena *arena, const struct platform *platform, const struct taskset *set,
	const struct costs *costs, const struct runlist *runlist, enum bound bound, int context)
{
	struct applicability a = {arena, platform, set, costs, runlist, context, {NULL, 0, 0}};
	need_all(arena, platform, applicable_always(set), &a.found);
	need_slices(arena, platform, set, costs, runlist, context, &a.found);
	if (taskset_has_smaller(set) && !planted(PLANT_UNSAID_SIZES))
		applicable_need(&a, ASSUMPTION_MORE_SMS);
	if (set->hold_count > 0 && bound != BOUND_LOCK)
		a.found.reason = "work under a lock comes when the lock is granted, not when its job is released";
	if (runlist->ranked && bound != BOUND_P_PRIO)
		a.found.reason = "contexts have priorities: who has none, or a lower one, may wait for as long as others have work";
	for (int i = 0; i < set->task_count && set->core_times != NULL && bound == BOUND_TT && a.found.reason == NULL; i++)
		a.found.reason = set->core_times->reasons[i] == NULL ? NULL : set->core_times->reasons[i][bound];
	applicable_need_partitions(&a, context);
	bound_rows[bound].applies(&a);
	spans_need(&a, bound);
	bool turns = runlist->process_count == 1 && platform->copy_runlist == COPY_RUNLIST_UNKNOWN;
	if (turns && (a.found.missing & assumption_bit(ASSUMPTION_RUNLIST)) != 0)
		a.found.reason = arena_format(arena,
			"%s; <declare name=\"copy-runlist\" value=\"own\" .../> where copies take no turns with kernels", a.found.reason);
	return a.found;
}

/* A device-wide wait for another cache configuration leaves SMs empty ([A-WC-G]). */
bool applicable_one_configuration(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	const struct kernel *first = NULL;
	for (int i = 0; i < set->operation_count; i++) {
		if (costs->operations[i].context != context || set->operations[i].kind != OPERATION_KERNEL)
			continue;
		const struct kernel *kernel = &set->operations[i].kernel;
		if (first != NULL && !cache_configuration_is_same(platform, first, kernel))
			return false;
		first = kernel;
	}
	return true;
}

int applicable_kernel_streams(const struct taskset *set, const struct costs *costs, int context)
{
	int streams = 0;
	for (int s = 0; s < set->stream_count; s++) {
		int i = costs->domains->of_stream[s] == context ? 0 : set->operation_count;
		while (i < set->operation_count && (set->operations[i].stream != s || costs->operations[i].place != PLACE_EXECUTION))
			i++;
		streams += i < set->operation_count;
	}
	return streams;
}

/* A kernel without a grid slot waits whatever the SMs hold: [GRID-SLOTS]. Slots are the process's. */
static bool grids_run_out(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	int64_t streams = 0;
	for (int i = 0; i < costs->context_count; i++)
		if (costs->domains->items[i].process == costs->domains->items[context].process)
			streams += applicable_kernel_streams(set, costs, i);
	return streams > 1 && domains_resident_grids(platform) < streams && !planted(PLANT_GRIDS);
}

bool applicable_is_ordered(const struct platform *platform, const struct taskset *set, const struct costs *costs, int context)
{
	return start_delays_replace_order(platform) &&
	       (applicable_kernel_streams(set, costs, context) <= 1 || is_alike(platform, set, costs, context));
}

int64_t applicable_nonempty_sms(
	const struct platform *platform, const struct taskset *set, const struct costs *costs, int context, uint64_t *assumptions)
{
	const struct domain *domain = &costs->domains->items[context];
	int64_t all = planted(PLANT_PARTITION_CHIP) ? sm_set_of_chip(platform).size : domain_sms(platform, set, domain);
	if (planted(PLANT_SMS))
		return all;
	bool whole_chip_waits = platform->per_sm_carveout != TERNARY_YES && !is_alike(platform, set, costs, context);
	if (whole_chip_waits || grids_run_out(platform, set, costs, context))
		return 1;
	bool ordered = applicable_is_ordered(platform, set, costs, context); /* [VOLUME-LATE] */
	bool conserving = platform_grants(platform, ASSUMPTION_WC);
	if (ordered || conserving || platform_grants(platform, ASSUMPTION_FIT)) {
		*assumptions |= assumption_bit(ordered ? ASSUMPTION_ORDER : conserving ? ASSUMPTION_WC : ASSUMPTION_FIT);
		*assumptions |= assumption_bit(ASSUMPTION_SM);
		return all;
	}
	int64_t stated = platform_value(platform, PARAMETER_DISPATCH_NONEMPTY);
	bool chip = domain->smallest == NO_ID || set->streams[domain->smallest].partition == 0; /* of which the number speaks */
	return stated == NONE || !chip ? 1 : stated;
}

int64_t applicable_rest(const struct taskset *set, const struct costs *costs, int context, int64_t g)
{
	for (int i = 0; i < set->operation_count; i++)
		if (costs->operations[i].place == PLACE_EXECUTION && costs->operations[i].context == context && costs->operations[i].grid)
			return checked_sub(g, 1);
	return 0;
}

static const char *null_stream(const struct taskset *set, const struct runlist *runlist, int context)
{
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].stream != NO_ID && set->streams[set->operations[i].stream].kind == STREAM_NULL &&
			taskset_context_of(set, set->operations[i].stream) == runlist->contexts[context].process &&
			runlist->processes[runlist->contexts[context].process].streams > 1)
			return "the NULL stream waits for the other streams and they for it: responses would depend on one another without "
			       "end";
	return NULL;
}

const char *applicable_shared_queues(
	struct arena *arena, const struct platform *platform, const struct taskset *set, const struct runlist *runlist, int context)
{
	const char *reason = null_stream(set, runlist, context);
	const struct context *of = &runlist->processes[runlist->contexts[context].process];
	int64_t queues = platform_value(platform, PARAMETER_QUEUES_HARDWARE);
	if (reason != NULL || of->streams <= 1 || (queues != NONE && queues > of->streams + of->graphs))
		return reason;
	if (queues != NONE && queues > of->streams)
		return arena_format(arena,
			"streams may share a hardware queue: nobody says that a graph takes none besides its stream's, and %s",
			say_number(arena, PARAMETER_QUEUES_HARDWARE, queues));
	return arena_format(arena, "streams may share a hardware queue: %s", say_number(arena, PARAMETER_QUEUES_HARDWARE, queues));
}
