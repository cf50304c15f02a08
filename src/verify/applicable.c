/* When a bound may be used, and how many jobs a window holds. */
#include "verify/claimed_bounds.h"
#include "verify/thread_claims.h"
#include "verify/sized_times.h"
#include "verify/usable_sms.h"

#include <string.h>

const struct claimed_kind claimed_kinds[CLAIMED_COUNT] = {
	[CLAIMED_VOL_P] = {"VOL-P", RULE_VOL_P, true, true, false, claimed_vol_p_needs, claimed_vol_p_hold},
	[CLAIMED_P] = {"P", RULE_P, false, true, false, claimed_p_needs, claimed_p_hold},
	[CLAIMED_P_GPU] = {"P-GPU", RULE_P_GPU, false, true, false, claimed_p_gpu_needs, claimed_p_gpu_hold},
	[CLAIMED_P_PRIO] = {"P-PRIO", RULE_P_PRIO, false, true, false, claimed_p_prio_needs, claimed_p_prio_hold},
	[CLAIMED_VOL_C] = {"VOL-C", RULE_VOL_C, true, false, false, claimed_vol_c_needs, claimed_vol_c_hold},
	[CLAIMED_H] = {"H", RULE_H, false, false, false, claimed_h_needs, claimed_h_hold},
	[CLAIMED_CHAIN] = {"CHAIN", RULE_CHAIN, false, false, true, claimed_chain_needs, claimed_chain_hold},
	[CLAIMED_FP] = {"FP", RULE_FP, false, false, false, claimed_fp_needs, claimed_fp_hold},
	[CLAIMED_TT] = {"TT", RULE_TT, false, false, false, claimed_tt_needs, claimed_tt_hold},
	[CLAIMED_LOCK] = {"LOCK", RULE_LOCK, false, false, false, claimed_lock_needs, claimed_lock_hold},
};

void bounds_compare_list(struct check *check, const struct xml_element *result, const char *where)
{
	const struct xml_element *bound = check_next(result->first, "bound");
	for (int i = 0; i < CLAIMED_COUNT; i++) {
		if (bound == NULL) {
			check_differs(check, result, where, arena_format(check->arena, "bound %s", claimed_kinds[i].name), "nothing");
			return;
		}
		check_text(check, bound, where, "name", claimed_kinds[i].name);
		if (element_get(bound, "value") == NULL && element_get(bound, "reason") == NULL)
			check_differs(check, bound, where, "a value, or the reason why there is none", "neither");
		bound = check_next(bound->next, "bound");
	}
	if (bound != NULL)
		check_differs(check, bound, where, "no further bound", element_get(bound, "name"));
}

int claimed_find(const char *name)
{
	for (int i = 0; i < CLAIMED_COUNT; i++)
		if (strcmp(claimed_kinds[i].name, name) == 0)
			return i;
	return -1;
}

/* ---- the applicability matrix, [APPLICABLE], [V4], [V12] */

static bool has_blocks(const struct work *work, int context)
{
	struct listed list = lists_of(&work->of_context, context);
	for (int i = 0; i < list.count; i++)
		if (work->pieces[list.items[i]].runs == RUNS_ON_SMS && !work->pieces[list.items[i]].grid)
			return true;
	return false;
}

/* Blocks of one kernel that are dispatched before and after an interruption that does not freeze the whole of it, or while something slows
 * some of them: not as they were measured. */
static bool deviates(const struct work *work, int context)
{
	const struct check *check = work->check;
	bool stopped = !checked_is_none(platform_value(check->platform, PARAMETER_STOPS_LENGTH)) &&
		       !checked_is_none(platform_value(check->platform, PARAMETER_STOPS_DISTANCE));
	bool resumed = stopped || (work->sliced && check->platform->preemption != PREEMPTION_INSTRUCTION);
	struct listed list = lists_of(&work->of_context, context);
	for (int k = 0; k < list.count; k++) {
		int i = list.items[k];
		const struct operation *operation = &check->set->operations[i];
		if (work->pieces[i].runs != RUNS_ON_SMS || operation->kind == OPERATION_FRAGMENT)
			continue;
		bool slowed = work->inflated[i].inflated.value != work->inflated[i].isolated.value && !taskset_has_company(check->set, i);
		if ((resumed || slowed) && (operation->kind != OPERATION_KERNEL || operation->kernel.blocks != 1))
			return true;
	}
	return false;
}

static bool draws(const struct work *work, int context)
{
	struct listed list = lists_of(&work->of_context, context);
	for (int i = 0; i < list.count; i++)
		if (work->check->set->operations[list.items[i]].kind == OPERATION_FRAGMENT)
			return true;
	return false;
}

/* A kernel that prefers something, beside a transfer on the SMs, of whose kernel no preference is known. */
static bool prefers_beside_transfers(const struct work *work, int context)
{
	int transfers = 0, preferring = 0;
	struct listed list = lists_of(&work->of_context, context);
	for (int i = 0; i < list.count; i++) {
		const struct operation *operation = &work->check->set->operations[list.items[i]];
		if (work->pieces[list.items[i]].runs != RUNS_ON_SMS)
			continue;
		if (operation->kind == OPERATION_KERNEL)
			preferring += !checked_is_none(operation->kernel.carveout) || operation->kernel.cache != CACHE_NONE ||
				      resident_divides_by_needs(work->check->platform);
		else
			transfers += operation->kind != OPERATION_FRAGMENT;
	}
	return transfers > 0 && preferring > 0;
}

/* A-ORDER says nothing of kernels that want an SM configured differently. */
bool bounds_ordered(const struct work *work, int context)
{
	bool one = work->owners[context].kernel_streams < 2;
	return work_delayed(work->check) && (one || (bounds_one_configuration(work, context) && !prefers_beside_transfers(work, context)));
}

/* Graphs of the context: their nodes stand together and are numbered upwards. Nobody says that they hold no queues ([QUEUES]). */
static int64_t graphs_of(const struct work *work, int context)
{
	struct listed list = lists_of(&work->of_context, context);
	int64_t count = 0;
	for (int i = 0, last = 0; i < list.count; i++) {
		const struct operation *operation = &work->check->set->operations[list.items[i]];
		int graph = operation->graph;
		count += operation->span.operations > 0 ? operation->span.branches : 0;
		count += graph > last;
		last = graph > last ? graph : last;
	}
	return count;
}

/* Streams of all owners of the context's process: with work, with kernels; graphs. */
struct in_process {
	int streams, kernel_streams;
	int64_t graphs;
};

static struct in_process process_of(const struct work *work, int context)
{
	struct in_process all = {0, 0, 0};
	for (int i = 0; i < work->owner_count; i++) {
		if (work->sharing->owners[i].process != work->sharing->owners[context].process)
			continue;
		all.streams += work->owners[i].streams;
		all.kernel_streams += work->owners[i].kernel_streams;
		all.graphs += graphs_of(work, i);
	}
	return all;
}

int bounds_kernel_streams(const struct work *work, int context)
{
	return process_of(work, context).kernel_streams;
}

/* What makes a context's kernels a serial server of makespans. With priority levels a stopped kernel keeps its grid slot. */
uint64_t bounds_needs_of_order(const struct work *work, int context, bool *applies)
{
	const struct owner *owner = &work->owners[context];
	int64_t grids = platform_value(work->check->platform, PARAMETER_QUEUES_GRIDS);
	if (owner->levels && (checked_is_none(grids) || grids < process_of(work, context).kernel_streams))
		*applies = false;
	uint64_t drawn = owner->kernel_streams > 1 && draws(work, context) ? ASSUMED(DRAW) : 0;
	drawn |= owner->clients ? ASSUMED(MPS_ORDER) : 0;
	if (work_delayed(work->check)) {
		*applies = *applies && bounds_ordered(work, context);
		return drawn | (owner->kernel_streams > 0 ? ASSUMED(ORDER) : 0);
	}
	return drawn | (owner->kernel_streams > 1 ? ASSUMED(HOL) : 0) | (owner->levels ? ASSUMED(PRIO) : 0) |
	       (owner->kernel_streams > 1 || has_blocks(work, context) || deviates(work, context) ? ASSUMED(WC) : 0);
}

bool bounds_passing(const struct work *work, int context)
{
	bool serial = true;
	if (work->owner_count != 1 || work->sharing->owners[context].several || work_late(work->check) ||
		!platform_grants(work->check->platform, ASSUMPTION_FIT))
		return false;
	uint64_t needs = bounds_needs_of_order(work, context, &serial);
	return !serial || !platform_grants_all(work->check->platform, needs);
}

/* Not of a lock: when that is granted is no matter of a host segment. */
static bool waits_for_host(const struct operation *operation)
{
	return operation->kind == OPERATION_HOST || operation->copy.synchronous;
}

/* Releases of what comes behind a host segment are spread by it, for all that share an engine with them. */
uint64_t bounds_needs_of_hosts(const struct work *work, int context)
{
	bool whole = context == NO_ID;
	uint64_t needs = 0;
	struct listed list = whole ? (struct listed){NULL, work->part_count} : lists_of(&work->parts_of_context, context);
	for (int i = 0; i < list.count; i++) {
		const struct part *part = &work->parts[whole ? i : list.items[i]];
		for (int k = work->check->set->tasks[part->task].first_operation; k < part->first; k++)
			if (waits_for_host(&work->check->set->operations[k]))
				needs |= threads_needs(work->check->set, part->task);
	}
	return needs;
}

/* There is a hardware queue to spare for each stream that works, but none for each that is declared. */
uint64_t bounds_needs_of_idle(const struct work *work, int context)
{
	const struct taskset *set = work->check->set;
	int64_t queues = platform_value(work->check->platform, PARAMETER_QUEUES_HARDWARE);
	struct in_process process = process_of(work, context);
	int64_t working = process.streams, all = taskset_clients(set, work->sharing->owners[context].process) - 1; /* NULL streams */
	for (int s = 0; s < set->stream_count; s++)
		all += taskset_context_of(set, s) == work->sharing->owners[context].process;
	int64_t graphs = process.graphs;
	return working >= 2 && !checked_is_none(queues) && working + graphs < queues && queues <= all + graphs ? ASSUMED(QUEUE) : 0;
}

struct claims claims_none(const struct work *work)
{
	struct arena *arena = work->check->arena;
	struct claims claims = {arena_allocate(arena, (size_t)work->part_count + 1, sizeof(struct fact)),
		arena_allocate(arena, (size_t)work->owner_count + 1, sizeof(struct fact)),
		arena_allocate(arena, (size_t)work->part_count + 1, sizeof(struct fact))};
	for (int i = 0; i < work->part_count; i++)
		claims.of_part[i] = claims.jitters[i] = FACT_UNKNOWN;
	return claims;
}

/* ---- [SPAN]: of what only the span is known nothing mixes with it, and it is interrupted all at once or has single blocks alone */

static bool keeps_span(const struct work *work, int index, bool sliced, bool interrupted)
{
	const struct operation *operation = &work->check->set->operations[index];
	bool beside = taskset_has_company(work->check->set, index);
	bool slowed = !beside && work->inflated[index].inflated.value != work->inflated[index].isolated.value;
	bool parted = work->sharing->owners[work->pieces[index].context].parted;
	return !((sliced || parted) && operation_overlaps(operation)) && !(interrupted && beside) &&
	       (!(interrupted || slowed) || !(operation_is_gang(operation) || work_late(work->check)));
}

/* Has its unit work, or work on the SMs, on another stream? */
static bool shares_unit(const struct work *work, int index, bool on_sms)
{
	const struct operation *operations = work->check->set->operations;
	for (int i = 0; i < work->check->set->operation_count; i++)
		if (operations[i].hold != 0 && operations[i].hold == operations[index].hold &&
			operations[i].stream != operations[index].stream && (!on_sms || work->pieces[i].runs == RUNS_ON_SMS))
			return true;
	return false;
}

static uint64_t needs_of_spans(const struct work *work, enum claimed kind, int context, bool *applies)
{
	const struct platform *platform = work->check->platform;
	bool stops = !checked_is_none(platform_value(platform, PARAMETER_STOPS_LENGTH)) &&
		     !checked_is_none(platform_value(platform, PARAMETER_STOPS_DISTANCE));
	struct listed list = lists_of(&work->of_context, context);
	uint64_t needs = 0;
	for (int i = 0; i < list.count; i++) {
		const struct operation *operation = &work->check->set->operations[list.items[i]];
		if (!operation_is_span(operation))
			continue;
		bool counted = kind != CLAIMED_VOL_P && kind != CLAIMED_VOL_C && kind != CLAIMED_TT;
		bool whole = kind != CLAIMED_H || !work->sliced || work->pieces[list.items[i]].turns == 1;
		bool locked = kind == CLAIMED_LOCK,
		     lone = locked ? !shares_unit(work, list.items[i], true) : work->owners[context].kernel_streams == 1;
		bool sliced = work->sliced && !(locked && !shares_unit(work, list.items[i], false));
		bool interrupted = stops || (sliced && platform->preemption != PREEMPTION_INSTRUCTION);
		*applies = *applies && lone && counted && whole && keeps_span(work, list.items[i], sliced, interrupted);
		/* a branch alone, in a queue that it shares */
		bool held = operation_overlaps(operation) && (!locked || shares_unit(work, list.items[i], false));
		*applies = *applies && !(held && bounds_queues_shared(work, context));
		needs |= held ? bounds_needs_of_idle(work, context) : 0;
		needs |= operation->span.single ? ASSUMED(FED) : 0;
		bool kept = sliced && operation->span.operations > 1 && work->pieces[list.items[i]].turns == 1;
		needs |= kept ? ASSUMED(PENDING) : 0;
	}
	return needs;
}

/* Of contexts whose blocks run out behind slices: what they take beside kernels of other clients, and other partitions'. */
static uint64_t needs_of_neighbours(const struct work *work, int context)
{
	bool anywhere = work->sliced && work->check->platform->preemption != PREEMPTION_INSTRUCTION;
	uint64_t needs = 0;
	for (int i = 0; i < work->owner_count; i++) {
		if (!anywhere && i != context)
			continue;
		needs |= work->owners[i].clients ? ASSUMED(MPS_ORDER) : 0;
		needs |= anywhere && work->sharing->owners[i].parted ? ASSUMED(PARTITION) : 0;
	}
	return needs;
}

uint64_t bounds_needs(const struct work *work, enum claimed kind, int context, bool *applies)
{
	const struct share_of_process *of = &work->sharing->owners[context];
	uint64_t needs = ASSUMED(WCET) | ASSUMED(ONE) | ASSUMED(CLOCK) | ASSUMED(ISO) | threads_issue(work->check->set);
	needs |= sized_any_smaller(work->check) ? ASSUMED(MORE_SMS) : 0;
	needs |= work->check->set->served ? ASSUMED(MPS) : 0;
	needs |= needs_of_neighbours(work, context);
	needs |= work->sharing->process_count > 1 ? ASSUMED(EXCL) : 0;
	needs |= work->ranked ? ASSUMED(PREEMPT) : work->between.levels ? ASSUMED(INTERLEAVE) : work->sliced ? ASSUMED(RUNLIST) : 0;
	*applies = !of->beside && !(of->parted && of->several && of->crowded);
	*applies = *applies && work->ranked == (kind == CLAIMED_P_PRIO);
	*applies = *applies && (work->check->set->hold_count == 0 || kind == CLAIMED_LOCK); /* else work does not come when its job does */
	needs |= of->parted || (kind == CLAIMED_P_GPU && work->sharing->parted) ? ASSUMED(PARTITION) : 0;
	for (int i = 0; i < work->owner_count && kind == CLAIMED_P_GPU; i++)
		*applies = *applies && !work->sharing->owners[i].beside;
	needs |= of->parted && work->sharing->split ? bounds_needs_of_idle(work, context) : 0;
	needs |= claimed_kinds[kind].needs(work, context, applies);
	for (int i = 0; i < work->owner_count; i++)
		needs |= i == context || kind == CLAIMED_P_GPU || kind == CLAIMED_P_PRIO || kind == CLAIMED_LOCK
				 ? needs_of_spans(work, kind, i, applies)
				 : 0;
	return needs;
}

void bounds_require(struct check *check, uint64_t assumptions, int step)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if ((assumptions >> i & 1) && !platform_grants(check->platform, (enum assumption)i))
			check_differs(check, check->graph.steps[step].element, arena_format(check->arena, "step s%d", step + 1),
				arena_format(check->arena, "no bound, as nobody grants %s", assumption_kinds[i].id), "one");
}

void bounds_refuse(struct check *check, enum claimed kind, int step)
{
	check_differs(check, check->graph.steps[step].element, claimed_kinds[kind].name, "no bound, as it does not apply here", "one");
}

int bounds_begin(const struct work *work, enum claimed kind, uint64_t *needs)
{
	int first = graph_find(work->check, 0, claimed_kinds[kind].rule, NULL);
	bool applies = false;
	if (first < 0 || work->owner_count == 0)
		return -1;
	*needs = bounds_needs(work, kind, 0, &applies);
	if (!applies)
		bounds_refuse(work->check, kind, first);
	return applies ? first : -1;
}

int bounds_step(const struct work *work, enum claimed kind, int part, const int *steps)
{
	const struct part *of = &work->parts[part];
	if (of->number > 0 && steps[part - 1] < 0)
		return -1;
	return graph_find(work->check, of->number == 0 ? 0 : steps[part - 1] + 1, claimed_kinds[kind].rule, of->about);
}

struct fact bounds_claim(struct check *check, int rule, const char *about, int step)
{
	struct fact fact = fact_make(check, rule, about, graph_integer(check, step));
	fact_bind(&fact, step);
	return fact;
}

void bounds_bear(struct check *check, int step, const char *what, int64_t right)
{
	const struct graph_step *of = &check->graph.steps[step];
	const char *about = of->about == NULL ? "" : of->about;
	int64_t claim = graph_integer(check, step);
	if (!checked_is_none(right) && !checked_is_none(claim) && right <= claim)
		return;
	check_differs(check, of->element, arena_format(check->arena, "step s%d (%s, %s)", step + 1, rule_kinds[of->rule].name, about),
		checked_is_none(right) ? arena_format(check->arena, "no value, as there is none for %s", what)
				       : arena_format(check->arena, "%s, at least %lld", what, (long long)right),
		arena_format(check->arena, "%lld", (long long)claim));
}

/* ---- g; [A-WC-G] */

/* Of two kernels of one preference. Who prefers all of the shared memory, or nothing, gets no more by his blocks' needs; but what is there
 * may be too little for one that prefers nothing. Who prefers a part gets what all his blocks on an SM need, if that is more. */
static bool gets_another(const struct platform *platform, const struct kernel *a, const struct kernel *b)
{
	bool nothing = checked_is_none(a->carveout) && a->cache == CACHE_NONE;
	if (nothing && !resident_divides_by_needs(platform))
		return false;
	if (!nothing && (checked_is_none(a->carveout) ? a->cache == CACHE_PREFER_SHARED : a->carveout == 100))
		return false;
	return !resident_same_shared(a, b) || (!nothing && (a->threads != b->threads || a->registers != b->registers));
}

bool bounds_one_configuration(const struct work *work, int context)
{
	const struct kernel *first = NULL;
	struct listed list = lists_of(&work->of_context, context);
	for (int i = 0; i < list.count; i++) {
		const struct operation *operation = &work->check->set->operations[list.items[i]];
		if (operation->kind != OPERATION_KERNEL)
			continue;
		if (first == NULL)
			first = &operation->kernel;
		if (first->cache != operation->kernel.cache || first->carveout != operation->kernel.carveout)
			return false;
		if (first != &operation->kernel && gets_another(work->check->platform, first, &operation->kernel))
			return false;
	}
	return true;
}

/* [GRID-SLOTS]: a kernel without a grid slot waits whatever the SMs hold. Where nobody states how many there are, the
 * least of any GPU of the compute capability. */
static bool grids_run_out(const struct work *work, int context)
{
	int64_t grids = platform_value(work->check->platform, PARAMETER_QUEUES_GRIDS);
	int capability = work->check->platform->compute_capability, streams = process_of(work, context).kernel_streams;
	if (checked_is_none(grids))
		grids = capability < 20 ? 1 : capability == 32 ? 4 : 16;
	return streams > 1 && grids < streams;
}

struct fact bounds_nonempty(const struct work *work, int context)
{
	const struct platform *platform = work->check->platform;
	struct fact m = sms_fact_of_context(work, context), g = work->parameters[PARAMETER_DISPATCH_NONEMPTY];
	bool other = !bounds_one_configuration(work, context) || prefers_beside_transfers(work, context);
	bool waits_for_all = (other && platform->per_sm_carveout != TERNARY_YES) || grids_run_out(work, context);
	bool head = platform_grants(platform, ASSUMPTION_WC);
	bool late = bounds_ordered(work, context),
	     conserving = !waits_for_all && (late || head || platform_grants(platform, ASSUMPTION_FIT));
	bool unknown = checked_is_none(g.value) || sms_are_partitions(work, context); /* it is stated of the whole chip */
	int64_t value = conserving ? m.value : waits_for_all || unknown ? 1 : g.value;
	struct fact fact = fact_make(work->check, RULE_NONEMPTY, work->owners[context].about, value);
	if (m.node != NULL)
		fact_from(work->check, &fact, "m", m);
	if (g.node != NULL)
		fact_from(work->check, &fact, "g", g);
	fact.assumptions = conserving ? (late ? ASSUMED(ORDER) : head ? ASSUMED(WC) : ASSUMED(FIT)) | ASSUMED(SM) : 0;
	return fact;
}

/* ---- eta */

/* Beyond its horizon a curve repeats: eta(kH + r) <= k eta(H) + eta(r). */
static int64_t by_curve(const struct arrival *model, int64_t window)
{
	int64_t whole = window / model->period, rest = window % model->period, count = 0;
	for (int i = model->step_count - 1; i >= 0 && rest > 0; i--)
		if (i == model->step_count - 1 || model->steps[i].window >= rest)
			count = model->steps[i].count;
	return checked_add(checked_mul(whole, model->steps[model->step_count - 1].count), count);
}

int64_t bounds_arrivals(const struct arrivals_at *at, int64_t window)
{
	const struct arrival *model = at->model;
	int64_t reach = checked_add(window, at->jitter);
	if (window <= 0 || checked_is_none(reach))
		return window <= 0 ? 0 : NONE;
	if (model->kind == ARRIVAL_CURVE)
		return by_curve(model, reach);
	int64_t count = checked_div_ceil(reach, model->period);
	if (at->at_release && !checked_is_none(model->min_distance) && model->min_distance > 0)
		count = checked_min(count, checked_div_ceil(window, model->min_distance));
	return count;
}

int64_t bounds_next_arrival(const struct arrivals_at *at, int64_t length)
{
	const struct arrival *model = at->model;
	int64_t reach = checked_add(length, at->jitter), least = NONE;
	if (checked_is_none(reach))
		return NONE;
	int64_t whole = reach - reach % model->period, next = checked_add(whole, model->period);
	for (int i = 0; model->kind == ARRIVAL_CURVE && i + 1 < model->step_count; i++)
		if (checked_add(whole, model->steps[i].window) > reach)
			next = checked_min(next, checked_add(whole, model->steps[i].window));
	next = checked_sub(next, at->jitter);
	if (model->kind != ARRIVAL_CURVE && at->at_release && !checked_is_none(model->min_distance) && model->min_distance > 0)
		least = checked_add(length - length % model->min_distance, model->min_distance);
	return checked_min(next, least);
}

/* ---- what streams share besides the engines, [QUEUES], [NULL-STREAM] */

bool bounds_queues_shared(const struct work *work, int context)
{
	const struct taskset *set = work->check->set;
	int64_t queues = platform_value(work->check->platform, PARAMETER_QUEUES_HARDWARE);
	struct in_process process = process_of(work, context);
	for (int i = 0; i < set->operation_count && process.streams > 1; i++) {
		int stream = set->operations[i].stream;
		if (stream != NO_ID && set->streams[stream].kind == STREAM_NULL &&
			taskset_context_of(set, stream) == work->sharing->owners[context].process)
			return true;
	}
	return process.streams > 1 && (checked_is_none(queues) || queues <= process.streams + process.graphs);
}
