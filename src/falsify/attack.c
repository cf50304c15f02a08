/* Drawing what a run leaves open. */
#include "falsify/attack.h"

#include "response/start_delays.h"

#define BIT(assumption) (UINT64_C(1) << ASSUMPTION_##assumption)
#define EVENTS_MOST 20000

static int64_t greatest_period(const struct taskset *set)
{
	int64_t greatest = 1;
	for (int i = 0; i < set->task_count; i++)
		greatest = checked_max(greatest, set->tasks[i].arrival.period);
	return greatest;
}

/* ---- the machine */

/* A dispatcher that passes kernels over but leaves no room: where that is granted, and order is not. */
static bool draw_passing(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct switches *switches = &attack->options.switches;
	const struct platform *platform = subject->platform;
	bool ordered = platform_grants(platform, ASSUMPTION_HOL) && platform_grants(platform, ASSUMPTION_PRIO);
	if (!platform_grants(platform, ASSUMPTION_FIT) || ordered || !draw_percent(draw, 80))
		return false;
	bool grids = platform_value(platform, PARAMETER_QUEUES_GRIDS) < subject->set->stream_count;
	switches->dispatcher = DISPATCHER_BYPASS;
	switches->priorities = grids || draw_percent(draw, 30) ? PRIORITIES_IGNORED : PRIORITIES_ANY;
	if (draw_percent(draw, 75))
		switches->starved_task = (int)draw_range(draw, 0, subject->set->task_count);
	attack->broken |= BIT(HOL) | BIT(PRIO) | BIT(ORDER);
	return true;
}

static void draw_dispatcher(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct switches *switches = &attack->options.switches;
	if (draw_passing(attack, draw, subject))
		return;
	bool granted = platform_grants(subject->platform, ASSUMPTION_HOL) || platform_grants(subject->platform, ASSUMPTION_ORDER);
	bool faithful = granted ? draw_percent(draw, 80) : draw_percent(draw, 25);
	switches->dispatcher = faithful ? DISPATCHER_STRICT : (enum dispatcher)DRAW_AMONG(draw, DISPATCHER_BYPASS, DISPATCHER_LAZY);
	if (switches->dispatcher == DISPATCHER_BYPASS)
		attack->broken |= BIT(HOL) | BIT(ORDER);
	if (switches->dispatcher == DISPATCHER_LAZY)
		attack->broken |= BIT(HOL) | BIT(PRIO) | BIT(WC) | BIT(ORDER) | BROKEN_IDLING;
	if (!faithful && draw_percent(draw, 60))
		switches->starved_task = (int)draw_range(draw, 0, subject->set->task_count);
	switches->lazy_percent = (int)DRAW_AMONG(draw, 50, 90, 100);
	/* Where a stopped kernel keeps its grid slot a gate stands still but for the strict machine, which lets begun kernels pass (V12).
	 */
	bool grids = platform_value(subject->platform, PARAMETER_QUEUES_GRIDS) < subject->set->stream_count;
	granted = platform_grants(subject->platform, ASSUMPTION_PRIO) || platform_grants(subject->platform, ASSUMPTION_ORDER);
	bool kept = granted ? draw_percent(draw, 90) : draw_percent(draw, 25);
	if (kept && (!grids || switches->dispatcher == DISPATCHER_STRICT))
		return;
	switches->priorities = (enum priorities)DRAW_AMONG(draw, PRIORITIES_IGNORED, PRIORITIES_REDRAWN, PRIORITIES_ANY);
	if (grids)
		switches->priorities = PRIORITIES_IGNORED;
	attack->broken |= BIT(ORDER) | (switches->priorities == PRIORITIES_IGNORED ? BIT(PRIO) : BIT(PRIO) | BIT(HOL));
}

/* As late as the platform's numbers are: all bounds have them in them. A dispatcher that passes kernels over, or takes any level, leaves no
 * room unused, but blocks begin late with it, too. */
static void draw_delays(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct switches *switches = &attack->options.switches;
	int64_t delay = platform_value(subject->platform, PARAMETER_DISPATCH_DELAY);
	int64_t stall = platform_value(subject->platform, PARAMETER_DISPATCH_STALL);
	if (!start_delays_exist(subject->platform) || delay == NONE || stall == NONE || draw_percent(draw, 15))
		return;
	switches->delay = draw_percent(draw, 85) ? delay : 0;
	switches->stall = draw_percent(draw, 85) ? stall : 0;
}

static void draw_allocation(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	bool fungible = platform_grants(subject->platform, ASSUMPTION_FRAG) ? draw_percent(draw, 80) : draw_percent(draw, 15);
	int64_t parts = platform_value(subject->platform, PARAMETER_SM_SUBPARTITIONS);
	/* registers of the whole SM where only sub-partitions' are promised */
	uint64_t whole = parts != NONE && !platform_grants(subject->platform, ASSUMPTION_FRAG) ? BROKEN_MACHINE : 0;
	attack->own_allocation = true;
	attack->allocation = (struct allocation_options){ALLOCATION_FUNGIBLE, ALLOCATION_FUNGIBLE};
	if (fungible) {
		attack->broken |= whole;
		return;
	}
	attack->broken |= BIT(FRAG);
	attack->allocation.shared_by = (enum allocation)DRAW_AMONG(draw, ALLOCATION_FUNGIBLE, ALLOCATION_FIRST_FIT, ALLOCATION_BEST_FIT,
		ALLOCATION_WORST_FIT, ALLOCATION_ADVERSARIAL_FIT, ALLOCATION_ADVERSARIAL_FIT);
	if (parts != NONE && draw_percent(draw, 75)) {
		attack->allocation.registers_by = ALLOCATION_PARTITIONS;
	} else if (draw_percent(draw, 50)) {
		attack->broken |= BIT(FRAG_REGISTERS);
		attack->allocation.registers_by =
			(enum allocation)DRAW_AMONG(draw, ALLOCATION_FIRST_FIT, ALLOCATION_BEST_FIT, ALLOCATION_WORST_FIT);
		attack->broken |= BROKEN_MACHINE;
	} else {
		attack->broken |= whole;
	}
}

static void draw_runlist(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct switches *switches = &attack->options.switches;
	const struct platform *platform = subject->platform;
	switches->copies_unordered = draw_percent(draw, platform_grants(platform, ASSUMPTION_CE) ? 20 : 60);
	if (switches->copies_unordered)
		attack->broken |= BIT(CE);
	switches->shared_runlist = platform->copy_runlist == COPY_RUNLIST_UNKNOWN && draw_percent(draw, 50);
	if (platform->preemption == PREEMPTION_UNKNOWN)
		switches->granularity = (enum granularity)DRAW_AMONG(draw, GRANULARITY_BLOCK, GRANULARITY_INSTRUCTION);
	switches->slices_stand = draw_percent(draw, 50);
	if (taskset_contexts(subject->set) > 1)
		switches->contexts_unordered = draw_percent(draw, 50);
}

static void draw_machine(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct switches *switches = &attack->options.switches;
	*switches = (struct switches){0};
	attack->broken = 0;
	draw_dispatcher(attack, draw, subject);
	draw_delays(attack, draw, subject);
	draw_allocation(attack, draw, subject);
	draw_runlist(attack, draw, subject);
	switches->chooser = (enum chooser)DRAW_AMONG(draw, CHOOSER_PLATFORM, CHOOSER_PLATFORM, CHOOSER_MOST_ROOM, CHOOSER_ROUND_ROBIN,
		CHOOSER_FIRST, CHOOSER_LAST, CHOOSER_TIGHTEST, CHOOSER_RANDOM, CHOOSER_RANDOM);
	bool heads = switches->dispatcher == DISPATCHER_STRICT && switches->priorities != PRIORITIES_ANY; /* else nobody is the head */
	switches->launch_at_head = heads && draw_percent(draw, 60);
	switches->cache_drain = subject->platform->per_sm_carveout != TERNARY_YES && draw_percent(draw, 70);
	switches->hold = (enum alias_hold)DRAW_AMONG(draw, HOLD_DISPATCHED, HOLD_READY, HOLD_COMPLETE);
	if (platform_value(subject->platform, PARAMETER_STOPS_LENGTH) != NONE && draw_percent(draw, 85)) {
		switches->stops = (enum stop_mode)DRAW_AMONG(draw, STOPS_WHOLE, STOPS_WHOLE, STOPS_WHOLE, STOPS_HALF, STOPS_MIXED);
		switches->stops_drawn = draw_percent(draw, 30);
	}
	switches->in_order = draw_percent(draw, 20);
}

/* ---- durations */

static int64_t draw_duration(struct draw *draw, const struct subject *subject)
{
	int operation = (int)draw_range(draw, 0, subject->set->operation_count - 1);
	return draw_percent(draw, 50) ? INT64_MAX : draw_percent(draw, 40) ? 0 : draw_range(draw, 0, subject->longest[operation]);
}

static void draw_durations(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	attack->options.durations.mode = (enum duration_mode)DRAW_AMONG(draw, DURATIONS_WORST, DURATIONS_WORST, DURATIONS_WORST,
		DURATIONS_WORST, DURATIONS_TWO_POINT, DURATIONS_UNIFORM, DURATIONS_FEW_SHORT, DURATIONS_CURVE, DURATIONS_EXPLICIT,
		DURATIONS_EXPLICIT);
	attack->inflated = draw_percent(draw, subject->apart ? 30 : 75);
	attack->options.interference =
		attack->inflated ? INTERFERENCE_OFF
				 : (enum interference_mode)DRAW_AMONG(draw, INTERFERENCE_FULL, INTERFERENCE_FULL, INTERFERENCE_DRAWN);
	for (int i = 0; i < ATTACK_DURATIONS; i++)
		attack->durations[i] = draw_duration(draw, subject);
}

/* ---- releases */

static int64_t draw_phase(struct draw *draw, int64_t greatest)
{
	return draw_percent(draw, 40)   ? 0
	       : draw_percent(draw, 50) ? draw_range(draw, 0, checked_max(1, greatest / 16))
					: draw_range(draw, 0, greatest);
}

static int64_t draw_jitter(struct draw *draw, const struct task *task)
{
	return draw_percent(draw, 35) ? 0 : draw_percent(draw, 50) ? task->arrival.jitter : draw_range(draw, 0, task->arrival.jitter);
}

static bool has_phases(const struct taskset *set)
{
	bool any = false;
	for (int t = 0; t < set->task_count; t++)
		any |= set->tasks[t].offset != NONE;
	return any;
}

static void draw_releases(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	struct release_options *releases = &attack->options.releases;
	const struct taskset *set = subject->set;
	int64_t greatest = greatest_period(set);
	releases->phases =
		(enum phase_mode)DRAW_AMONG(draw, PHASES_ALIGNED, PHASES_ALIGNED, PHASES_DRAWN, PHASES_EXPLICIT, PHASES_EXPLICIT);
	releases->jitter = (enum jitter_mode)DRAW_AMONG(draw, JITTER_NONE, JITTER_BURST, JITTER_BURST, JITTER_BURST, JITTER_UNIFORM,
		JITTER_EXTREME, JITTER_EXPLICIT, JITTER_EXPLICIT);
	releases->slack = draw_percent(draw, 15);
	releases->jobs = set->task_count > ATTACK_TASKS || draw_percent(draw, 30) ? draw_range(draw, 1, 4) : 0;
	releases->horizon = releases->jobs > 0 ? 0 : greatest * draw_range(draw, 1, 4);
	if (releases->jobs > 0 && has_phases(set)) { /* [TT]: every job comes, of the shortest period, too */
		releases->horizon = greatest * releases->jobs;
		releases->jobs = 0;
	}
	if (set->task_count > ATTACK_TASKS) {
		releases->phases = PHASES_DRAWN;
		releases->jitter = JITTER_BURST;
		return;
	}
	for (int i = 0; i < set->task_count; i++) {
		attack->phases[i] = draw_phase(draw, greatest);
		for (int j = 0; j < ATTACK_JOBS; j++)
			attack->jitters[i * ATTACK_JOBS + j] = draw_jitter(draw, &set->tasks[i]);
	}
}

/* ---- what follows from the run's seed alone, so that the other draws do not depend on it */

#define VARIETY UINT64_C(0x76617269657479)

static void vary(struct attack *attack)
{
	struct switches *switches = &attack->options.switches;
	struct draw draw = draw_start(attack->options.seed ^ VARIETY, 0);
	switches->overheads_drawn = draw_percent(&draw, 30);
	switches->turns_alone = draw_percent(&draw, 60);
	switches->queueing = draw_percent(&draw, 60) ? QUEUEING_AT_CREATION : QUEUEING_BY_WORK;
	switches->graphs = (enum graphs)DRAW_AMONG(&draw, GRAPHS_ISSUED, GRAPHS_QUICK, GRAPHS_WHOLE, GRAPHS_APART);
	switches->gaps = draw_percent(&draw, 80) ? GAPS_PLATFORM : draw_percent(&draw, 50) ? GAPS_KEEP : GAPS_LOSE;
	attack->options.one_by_one = draw_percent(&draw, 25);
	switches->clients_pass = draw_percent(&draw, 30);
	switches->partitions_leak = draw_percent(&draw, 15);
	attack->options.releases.adrift = draw_percent(&draw, 15);
	attack->options.late_hosts = draw_percent(&draw, 10);
	switches->leavers = draw_percent(&draw, 60) ? (int)draw_range(&draw, 20, 100) : 0;
	switches->turns_stray = draw_percent(&draw, 15);
	attack->longer = draw_percent(&draw, 10) ? BIT(MORE_SMS) : 0;
	switches->runs_dry = draw_percent(&draw, 15);
	attack->longer |= switches->runs_dry ? BIT(FED) : 0;
	attack->options.kept_off = draw_percent(&draw, 5);
	attack->options.late_launches = draw_percent(&draw, 5);
}

/* ---- all */

void attack_draw(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	*attack = (struct attack){.options = {.most_events = EVENTS_MOST}};
	attack->options.seed = draw_bits(draw);
	/* options.jobs_in_turn stays off: a job issued late is not within A-HOST, and in a shared stream it stands behind others. */
	draw_machine(attack, draw, subject);
	draw_durations(attack, draw, subject);
	draw_releases(attack, draw, subject);
	vary(attack);
}

void attack_change(struct attack *attack, struct draw *draw, const struct subject *subject)
{
	const struct taskset *set = subject->set;
	int task = (int)draw_range(draw, 0, checked_min(set->task_count, ATTACK_TASKS) - 1);
	switch (draw_range(draw, 0, 6)) {
	case 0: attack->options.seed = draw_bits(draw); break;
	case 1: draw_machine(attack, draw, subject); break;
	case 2: draw_durations(attack, draw, subject); break;
	case 3:
		attack->options.durations.mode = DURATIONS_EXPLICIT;
		for (int i = (int)draw_range(draw, 0, 3); i >= 0; i--)
			attack->durations[draw_range(draw, 0, ATTACK_DURATIONS - 1)] = draw_duration(draw, subject);
		break;
	case 4:
		attack->options.releases.jitter = JITTER_EXPLICIT;
		attack->jitters[task * ATTACK_JOBS + draw_range(draw, 0, ATTACK_JOBS - 1)] = draw_jitter(draw, &set->tasks[task]);
		break;
	default:
		if (set->task_count <= ATTACK_TASKS)
			attack->options.releases.phases = PHASES_EXPLICIT;
		attack->phases[task] = draw_phase(draw, greatest_period(set));
	}
	vary(attack);
}

/* Room that fits some waiting kernel is used only where any of them may be served. */
static bool leaves_room(const struct switches *switches)
{
	bool any = switches->priorities == PRIORITIES_IGNORED || switches->priorities == PRIORITIES_ANY;
	return switches->dispatcher != DISPATCHER_BYPASS || !any;
}

/* ---- operations that take longer than anybody said */

/* Is there no WCET of just the SMs that it may use? */
static bool is_of_fewer(const struct subject *subject, const struct operation *operation)
{
	bool exact = operation->size_count == 0;
	for (int i = 0; i < operation->size_count; i++)
		exact |= operation->sizes[i].sms == sm_set_of_stream(subject->platform, subject->set, operation->stream).size;
	return !exact;
}

/* What of these the time of the operation rests on. */
static uint64_t rests_on(const struct subject *subject, int number, uint64_t of)
{
	const struct operation *operation = &subject->set->operations[number];
	if (operation->kind != OPERATION_KERNEL)
		return 0;
	return of & ((is_of_fewer(subject, operation) ? BIT(MORE_SMS) : 0) | (operation->span.single ? BIT(FED) : 0));
}

static uint64_t longer_in(const struct subject *subject, uint64_t of)
{
	uint64_t found = 0;
	for (int i = 0; i < subject->set->operation_count && of != 0; i++)
		found |= rests_on(subject, i, of);
	return found;
}

static const int64_t *lengthen(const struct attack *attack, const struct subject *subject, const int64_t *longest)
{
	uint64_t of = attack->longer & ~BIT(FED); /* of which the gaps alone are longer */
	if (longer_in(subject, of) == 0)
		return longest;
	int64_t *longer = arena_allocate(subject->arena, (size_t)subject->set->operation_count, sizeof *longer);
	for (int i = 0; i < subject->set->operation_count; i++)
		longer[i] = rests_on(subject, i, of) != 0 ? checked_mul(3, longest[i]) : longest[i];
	return longer;
}

uint64_t attack_broken(const struct attack *attack, const struct subject *subject)
{
	bool idle_queues = attack->options.switches.queueing == QUEUEING_AT_CREATION;
	bool passes = attack->options.switches.clients_pass && subject->set->served;
	bool leaks = attack->options.switches.partitions_leak && subject->set->partition_count > 0;
	uint64_t times = (attack->options.releases.adrift ? BIT(PHASES) : 0) | (attack->options.late_hosts ? BIT(HOST_WCRT) : 0) |
			 (attack->options.kept_off ? BIT(CORE) : 0) | (attack->options.late_launches ? BIT(SUBMIT) : 0) |
			 longer_in(subject, attack->longer);
	uint64_t turns = !attack->options.switches.turns_stray ? 0
			 : subject->set->ranked                ? BIT(PREEMPT)
			 : subject->set->interleaved           ? BIT(INTERLEAVE)
							       : BIT(RUNLIST);
	return attack->broken | times | turns | (idle_queues ? BIT(QUEUE) : 0) | (passes ? BIT(MPS_ORDER) : 0) |
	       (leaks ? BIT(PARTITION) : 0) | (attack->options.switches.gaps == GAPS_LOSE ? BIT(PENDING) : 0) |
	       (leaves_room(&attack->options.switches) ? BIT(FIT) : 0) | (attack->inflated && subject->apart ? BROKEN_PACE : 0);
}

struct simulate_options attack_options(const struct attack *attack, const struct subject *subject)
{
	struct simulate_options options = attack->options;
	options.durations.longest = lengthen(attack, subject, attack->inflated ? subject->longest : subject->alone);
	options.durations.explicit_ns = attack->durations;
	options.durations.explicit_count = ATTACK_DURATIONS;
	options.releases.phases_ns = attack->phases;
	options.releases.jitters_ns = attack->jitters;
	options.releases.jitter_count = ATTACK_JOBS;
	options.switches.allocation = attack->own_allocation ? &attack->allocation : NULL;
	return options;
}

/* ---- in words */

static const char *const dispatcher_words[] = {"strict", "bypass", "lazy"};
static const char *const priority_words[] = {"kept", "ignored", "redrawn", "any"};
static const char *const chooser_words[] = {"platform", "most-room", "round-robin", "first", "last", "tightest", "random"};
static const char *const graph_words[] = {"", ", graphs prepared", ", graphs as one item", ", graphs with queues of their own"};
static const char *const stop_words[] = {"none", "whole", "half", "mixed"};
static const char *const duration_words[] = {"worst", "best", "uniform", "two-point", "few-short", "curve", "explicit"};
static const char *const phase_words[] = {"aligned", "drawn", "explicit"};
static const char *const jitter_words[] = {"none", "burst", "uniform", "extreme", "explicit"};

const char *attack_describe(const struct attack *attack, struct arena *arena)
{
	const struct switches *switches = &attack->options.switches;
	const char *machine =
		arena_format(arena, "dispatcher %s, priorities %s, placement %s, registers %s, shared memory %s, stops %s%s%s%s%s%s",
			dispatcher_words[switches->dispatcher], priority_words[switches->priorities], chooser_words[switches->chooser],
			allocation_names[attack->allocation.registers_by], allocation_names[attack->allocation.shared_by],
			stop_words[switches->stops], switches->launch_at_head ? ", launch at head" : "",
			switches->overheads_drawn ? ", overheads drawn" : "", switches->cache_drain ? ", drains for a configuration" : "",
			switches->copies_unordered     ? ", copies unordered"
			: switches->contexts_unordered ? ", contexts' copies unordered"
						       : "",
			graph_words[switches->graphs]);
	if (switches->delay > 0 || switches->stall > 0)
		machine = arena_format(arena, "%s, delays up to %lld ns, stalls up to %lld ns", machine, (long long)switches->delay,
			(long long)switches->stall);
	if (switches->leavers > 0)
		machine = arena_format(arena, "%s, warps leave %d %% of the blocks that may", machine, switches->leavers);
	machine = arena_format(arena, "%s%s%s%s%s", machine, switches->runs_dry ? ", launches one by one late" : "",
		(attack->longer & BIT(MORE_SMS)) != 0 ? ", longer on more SMs" : "",
		attack->options.kept_off ? ", threads kept off cores" : "", attack->options.late_launches ? ", launches late" : "");
	return arena_format(arena, "%s%s%s%s%s%s%s; durations %s%s; phases %s, jitter %s", machine,
		attack->options.one_by_one ? ", operations one by one" : "", switches->clients_pass ? ", clients of a server pass" : "",
		switches->partitions_leak ? ", partitions leak" : "", switches->turns_stray ? ", turns stray" : "",
		attack->options.releases.adrift ? ", offsets adrift" : "", attack->options.late_hosts ? ", host segments late" : "",
		duration_words[attack->options.durations.mode], attack->inflated ? "" : " with interference",
		phase_words[attack->options.releases.phases], jitter_words[attack->options.releases.jitter]);
}
