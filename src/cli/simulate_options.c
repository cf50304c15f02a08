/* The options of gpubound simulate: words are those of the enumerations, in their order. */
#include "cli/simulate_options.h"
#include "base/units.h"

#include <string.h>

#define ALLOCATIONS "fungible|first-fit|best-fit|worst-fit|adversarial-fit"

const struct option options_simulate[] = {
	{"seed", 's', "N", "whatever is drawn comes from this; default 1", false},
	{"runs", 'n', "N", "as many runs, with seeds from the given one on; default 1", false},
	{"jobs", 0, "N", "jobs of each task", false},
	{"horizon", 0, "TIME", "releases before this time; default: two of the longest period", false},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the task set's", false},
	{"format", 'f', "text|csv", "a table (default), or CSV with a row for each job", true},
	{"operations", 0, NULL, "print a table of the operations as well", true},
	{"trace", 0, "FILE", "write the blocks of the first run in the form that validate reads", true},
	{"chrome", 0, "FILE", "write the first run for Perfetto and chrome://tracing", true},
	{"svg", 0, "FILE", "draw the first run as a timeline", true},
	{"from", 0, "TIME", "begin the timeline here; default 0ns", true},
	{"to", 0, "TIME", "end the timeline here; default: the end of the run", true},
	{"durations", 0, "worst|best|uniform|two-point|few-short|curve", "how long things take; default worst", false},
	{"interference", 0, "off|full|drawn", "slow things by the platform's factors; default off", false},
	{"phases", 0, "aligned|drawn", "first releases all at once (default), or anywhere in the period", false},
	{"jitter", 0, "none|burst|uniform|extreme", "release jitter; burst: only the first job is late; default none", false},
	{"slack", 0, NULL, "sporadic tasks are released later than they might be", false},
	{"turns", 0, NULL, "a job is issued when the one before is complete", false},
	{"dispatcher", 0, "strict|bypass|lazy", "who is served: the head, whoever fits, as few as may be", false},
	{"priorities", 0, "kept|ignored|redrawn|any", "what stream priorities do; default kept", false},
	{"placement", 0, "platform|most-room|round-robin|first|last|tightest|random", "which SM a block gets", false},
	{"shared-allocation", 0, ALLOCATIONS, "how shared memory is allocated; default fungible", false},
	{"register-allocation", 0, ALLOCATIONS "|partitions", "how registers are allocated", false},
	{"launch", 0, "ready|head", "when overhead.launch begins; default ready", false},
	{"cache-drain", 0, NULL, "another cache configuration waits for an idle chip", false},
	{"queues", 0, "dispatched|ready|complete", "how long work holds a hardware queue that streams share", false},
	{"copies", 0, "in-order|unordered", "whether copy engines serve first come, first served", false},
	{"preemption", 0, "platform|block|instruction|kernel", "what a context leaves with at the end of its slice", false},
	{"shared-runlist", 0, NULL, "copies take turns with kernels where the platform does not say", false},
	{"stops", 0, "none|whole|half|mixed", "stops of the chip or of its halves; default none", false},
	{"stops-drawn", 0, NULL, "stops are shorter and further apart than they might be", false},
	{"lateness", 0, "TIME", "blocks begin late by up to this", false},
	{"delay", 0, "TIME",
		"the strict dispatcher leaves room unused, and lower levels go on, for up to this (A-ORDER); the lazy one idles so long",
		false},
	{"stall", 0, "TIME", "blocks placed beside others begin late by up to this (A-ORDER)", false},
	{"in-order", 0, NULL, "ties go in order of cause; else they are drawn", false},
	{"limit", 0, "EVENTS", "end a run after so many events, with status 4 (default: see the manual)", false},
	OPTIONS_END,
};

bool simulate_options_time(const struct arguments *arguments, const char *name, int64_t *value)
{
	const char *given = arguments_value(arguments, name, NULL);
	struct rational exact;
	if (given == NULL)
		return true;
	if (units_parse(given, UNIT_TIME, RATIONAL_NONE, &exact) != UNITS_OK) {
		usage_error(arguments->command, "--%s wants %s, not '%s'", name, units_expected(UNIT_TIME), given);
		return false;
	}
	*value = rational_floor(exact);
	return true;
}

/* Some seconds of work, and memory for what is kept of each event: nothing, a row of text, all of it. */
#define EVENTS_OF_A_TABLE 20000000
#define EVENTS_OF_ROWS 10000000
#define EVENTS_OF_FILES 1000000
#define EVENTS_OF_A_PICTURE 50000
#define JOBS_WAITING 100000

static int64_t default_limit(const struct arguments *arguments)
{
	if (arguments_has(arguments, "svg"))
		return EVENTS_OF_A_PICTURE;
	if (arguments_has(arguments, "trace") || arguments_has(arguments, "chrome"))
		return EVENTS_OF_FILES;
	return strcmp(arguments_value(arguments, "format", "text"), "csv") == 0 ? EVENTS_OF_ROWS : EVENTS_OF_A_TABLE;
}

static bool read_numbers(const struct arguments *arguments, const struct taskset *set, struct simulate_options *options)
{
	int64_t seed = 1;
	options->most_events = default_limit(arguments);
	options->most_jobs = arguments_has(arguments, "limit") ? 0 : JOBS_WAITING;
	if (!arguments_integer(arguments, "seed", 0, INT64_MAX, &seed) ||
		!arguments_integer(arguments, "jobs", 1, INT64_MAX / 4, &options->releases.jobs) ||
		!arguments_integer(arguments, "limit", 1, INT64_MAX, &options->most_events) ||
		!simulate_options_time(arguments, "horizon", &options->releases.horizon) ||
		!simulate_options_time(arguments, "lateness", &options->switches.lateness) ||
		!simulate_options_time(arguments, "delay", &options->switches.delay) ||
		!simulate_options_time(arguments, "stall", &options->switches.stall))
		return false;
	options->seed = (uint64_t)seed;
	for (int t = 0; t < set->task_count && !arguments_has(arguments, "jobs") && !arguments_has(arguments, "horizon"); t++)
		options->releases.horizon = checked_max(options->releases.horizon, checked_mul(set->tasks[t].arrival.period, 2));
	if (options->releases.jobs == 0 && options->releases.horizon <= 0) {
		usage_error(arguments->command, "--horizon wants a time above zero");
		return false;
	}
	return true;
}

static enum allocation allocation_named(const struct arguments *arguments, const char *option, enum allocation otherwise)
{
	const char *given = arguments_value(arguments, option, NULL);
	for (int i = 0; given != NULL && allocation_names[i] != NULL; i++)
		if (strcmp(allocation_names[i], given) == 0)
			return (enum allocation)i;
	return otherwise;
}

static const struct allocation_options *read_allocation(const struct arguments *arguments, const struct platform *platform)
{
	struct allocation_options *allocation = arena_allocate(arguments->arena, 1, sizeof *allocation);
	int64_t parts = platform_value(platform, PARAMETER_SM_SUBPARTITIONS);
	enum allocation registers = parts != NONE && parts > 1 ? ALLOCATION_PARTITIONS : ALLOCATION_FUNGIBLE;
	allocation->registers_by = allocation_named(arguments, "register-allocation", registers);
	allocation->shared_by = allocation_named(arguments, "shared-allocation", ALLOCATION_FUNGIBLE);
	return allocation;
}

static void read_switches(const struct arguments *arguments, const struct platform *platform, struct switches *switches)
{
	switches->dispatcher = (enum dispatcher)arguments_choice(arguments, "dispatcher");
	switches->priorities = (enum priorities)arguments_choice(arguments, "priorities");
	switches->chooser = (enum chooser)arguments_choice(arguments, "placement");
	switches->allocation = read_allocation(arguments, platform);
	switches->launch_at_head = arguments_choice(arguments, "launch") == 1;
	switches->cache_drain = arguments_has(arguments, "cache-drain");
	switches->hold = (enum alias_hold)arguments_choice(arguments, "queues");
	switches->copies_unordered = arguments_choice(arguments, "copies") == 1;
	switches->shared_runlist = arguments_has(arguments, "shared-runlist");
	switches->granularity = (enum granularity)arguments_choice(arguments, "preemption");
	switches->stops = (enum stop_mode)arguments_choice(arguments, "stops");
	switches->stops_drawn = arguments_has(arguments, "stops-drawn");
	switches->in_order = arguments_has(arguments, "in-order");
}

bool simulate_options_read(
	const struct arguments *arguments, const struct platform *platform, const struct taskset *set, struct simulate_options *options)
{
	*options = (struct simulate_options){.durations.mode = (enum duration_mode)arguments_choice(arguments, "durations"),
		.interference = (enum interference_mode)arguments_choice(arguments, "interference"),
		.jobs_in_turn = arguments_has(arguments, "turns")};
	options->releases.phases = (enum phase_mode)arguments_choice(arguments, "phases");
	options->releases.jitter = (enum jitter_mode)arguments_choice(arguments, "jitter");
	options->releases.slack = arguments_has(arguments, "slack");
	read_switches(arguments, platform, &options->switches);
	return read_numbers(arguments, set, options);
}
