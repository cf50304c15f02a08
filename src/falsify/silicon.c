/* Traces against VOL and P. */
#include "falsify/silicon.h"

#include "response/applicable.h"
#include "simulate/trace_replay.h"
#include "model/draft.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Registers a thread by variant of the recording program, where a trace has no column of them: gpubound-validate(1), trace format. */
static const struct replay_registers recorded_registers = {{18, 64, 101}, 3};

/* ---- the configuration as a system */

static void grant(struct platform *platform)
{
	static const enum assumption granted[] = {ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC, ASSUMPTION_FRAG, ASSUMPTION_RUNLIST};
	for (size_t i = 0; i < sizeof granted / sizeof *granted; i++)
		platform->assumptions[granted[i]].status = STATUS_CONDITIONAL;
}

static void assume_overhead(struct platform *platform, enum parameter parameter, int64_t value)
{
	if (!platform->parameters[parameter].present)
		platform->parameters[parameter] = (struct quantity){true, value, rational_of(value), "assumed", NULL, NULL, 0};
}

static struct kernel kernel_of(const struct trace_kernel *traced)
{
	struct kernel kernel = trace_replay_kernel(traced, &recorded_registers, NONE);
	kernel.active_blocks = kernel.footprint = NONE;
	return kernel;
}

static int64_t longest_block(const struct trace_configuration *trace, const struct trace_kernel *kernel)
{
	int64_t longest = 1;
	for (int64_t i = 0; i < kernel->blocks; i++) {
		const struct trace_block *block = &trace->blocks[kernel->first_block + i];
		longest = checked_max(longest, block->end - block->begin);
	}
	return longest;
}

static struct taskset *build_set(struct arena *arena, const struct trace_configuration *trace)
{
	struct taskset *set = arena_allocate(arena, 1, sizeof *set);
	size_t count = (size_t)trace->kernel_count;
	*set = (struct taskset){.path = "trace", .id = "trace", .application_count = 1, .task_count = 1};
	set->applications = arena_allocate(arena, 1, sizeof *set->applications);
	DRAFT(set->applications)[0] = (struct application){.id = "trace", .timeslice = NONE, .priority = NONE};
	set->streams = arena_allocate(arena, count, sizeof *set->streams);
	set->operations = arena_allocate(arena, count, sizeof *set->operations);
	set->tasks = arena_allocate(arena, 1, sizeof *set->tasks);
	for (int k = 0; k < trace->kernel_count; k++) {
		const struct trace_kernel *kernel = &trace->kernels[k];
		DRAFT(set->streams)[set->stream_count++] = (struct stream){"s", 0, kernel->priority > 0 ? 0 : 1, STREAM_NON_BLOCKING, 0};
		DRAFT(set->operations)
		[set->operation_count++] = (struct operation){.id = "k",
			.kind = OPERATION_KERNEL,
			.stream = k,
			.event = NO_ID,
			.wcet = longest_block(trace, kernel),
			.kernel = kernel_of(kernel)};
	}
	DRAFT(set->tasks)
	[0] = (struct task){.id = "t",
		.arrival = {.period = NONE, .min_distance = NONE, .max_distance = NONE},
		.operation_count = set->operation_count};
	return set;
}

static struct costs *costs_of(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct derivation derivation;
	derivation_init_mute(&derivation);
	struct inflation inflation = {arena_allocate(arena, (size_t)set->operation_count, sizeof *inflation.operations)};
	for (int i = 0; i < set->operation_count; i++) {
		int step = derivation_integer(&derivation, 0, "trace", set->operations[i].wcet);
		inflation.operations[i] =
			(struct inflated){.wcet = set->operations[i].wcet, .factor = rational_of(1), .step = step, .isolated_step = step};
	}
	return costs_compute(arena, platform, set, map_build(arena, platform, set), &inflation, &derivation);
}

/* ---- what was observed: some block is resident */

static int by_begin(const void *a, const void *b)
{
	const struct trace_block *const *first = a, *const *second = b;
	return ((*first)->begin > (*second)->begin) - ((*first)->begin < (*second)->begin);
}

static int64_t active_time(struct arena *arena, const struct trace_configuration *trace)
{
	const struct trace_block **sorted = arena_allocate(arena, (size_t)trace->block_count + 1, sizeof *sorted);
	int64_t active = 0, until = INT64_MIN;
	for (int i = 0; i < trace->block_count; i++)
		sorted[i] = &trace->blocks[i];
	qsort(sorted, (size_t)trace->block_count, sizeof *sorted, by_begin);
	for (int i = 0; i < trace->block_count; i++) {
		int64_t begin = checked_max(sorted[i]->begin, until);
		active += checked_max(0, sorted[i]->end - begin);
		until = checked_max(until, sorted[i]->end);
	}
	return active;
}

/* ---- one configuration */

struct sums {
	int64_t volume, rest, serial;
};

static struct sums sum_up(const struct costs *costs, int count)
{
	struct sums sums = {0, 0, 0};
	for (int i = 0; i < count; i++) {
		const struct operation_cost *cost = &costs->operations[i];
		sums.volume = checked_add(sums.volume, cost->volume.value);
		sums.rest = checked_add(sums.rest, checked_add(cost->dispatch.value, cost->tail.value));
		sums.serial = checked_add(sums.serial, checked_add(cost->makespan.value, cost->waste.value));
	}
	return sums;
}

static bool hold(int64_t observed, int64_t allowed, int64_t *count, int64_t *best, int64_t *best_allowed)
{
	if (*best_allowed == 0 || (__int128)observed * *best_allowed > (__int128)*best * allowed) {
		*best = observed;
		*best_allowed = allowed;
	}
	*count += observed > allowed;
	return observed > allowed;
}

static void report(struct output *output, const struct trace_configuration *trace, const char *bound, int64_t observed, int64_t allowed)
{
	output_print(output, "%s %" PRId64 ": %" PRId64 " ns, above %s: %" PRId64 " ns\n", trace->experiment, trace->configuration,
		observed, bound, allowed);
}

/* False: a limit is not known. */
static bool check_one(
	struct silicon *silicon, struct output *output, const struct platform *stated, const struct trace_configuration *trace)
{
	struct arena *arena = arena_create();
	struct platform platform = *stated;
	uint64_t assumptions = 0;
	assume_overhead(&platform, PARAMETER_OVERHEAD_LAUNCH, SILICON_LAUNCH);
	assume_overhead(&platform, PARAMETER_OVERHEAD_BLOCK, 0);
	assume_overhead(&platform, PARAMETER_OVERHEAD_DEPENDENCY, 0);
	struct taskset *set = build_set(arena, trace);
	struct costs *costs = costs_of(arena, &platform, set);
	int64_t g = applicable_nonempty_sms(&platform, set, costs, 0, &assumptions), observed = active_time(arena, trace);
	struct sums volume = sum_up(costs, set->operation_count);
	grant(&platform);
	struct sums serial = sum_up(costs_of(arena, &platform, set), set->operation_count);
	int64_t most = checked_add(checked_div_floor(volume.volume, g), volume.rest);
	arena_destroy(arena);
	if (most == NONE || serial.serial == NONE)
		return false;
	silicon->configurations++;
	if (hold(observed, most, &silicon->above_volume, &silicon->volume_observed, &silicon->volume_allowed))
		report(output, trace, "VOL", observed, most);
	if (hold(observed, serial.serial, &silicon->above_serial, &silicon->serial_observed, &silicon->serial_allowed))
		report(output, trace, "P", observed, serial.serial);
	return true;
}

bool silicon_check(
	struct silicon *silicon, struct output *output, struct diagnostics *diagnostics, const char *path, const struct platform *platform)
{
	struct trace_configuration trace;
	enum trace_status status = TRACE_REFUSED;
	struct trace_reader *reader = trace_open(diagnostics, path);
	*silicon = (struct silicon){0};
	if (reader == NULL)
		return false;
	if (trace_is_json(reader)) {
		diagnose(diagnostics, DIAGNOSTIC_TRACE_COLUMN, path, 1, "a CSV was expected, with a line of column names");
		trace_close(reader);
		return false;
	}
	while ((status = trace_next(reader, &trace)) == TRACE_READ)
		if (!check_one(silicon, output, platform, &trace)) {
			diagnose(diagnostics, DIAGNOSTIC_KERNEL_LIMIT_UNKNOWN, path, trace.line,
				"the platform does not state all limits of an SM that these kernels need");
			break;
		}
	trace_close(reader);
	return status == TRACE_END;
}

static void add_ratio(struct output *output, const char *bound, int64_t above, int64_t observed, int64_t allowed)
{
	int64_t ratio = allowed == 0 ? 0 : checked_mul_div_floor(observed, 1000, allowed);
	output_print(output, "  %-4s %" PRId64 " above, greatest observed/bound %" PRId64 ".%03" PRId64 " (%" PRId64 "/%" PRId64 " ns)\n",
		bound, above, ratio / 1000, ratio % 1000, observed, allowed);
}

void silicon_summarise(struct output *output, const char *path, const struct silicon *silicon)
{
	output_print(output, "%s: %" PRId64 " configurations\n", path, silicon->configurations);
	add_ratio(output, "VOL", silicon->above_volume, silicon->volume_observed, silicon->volume_allowed);
	add_ratio(output, "P", silicon->above_serial, silicon->serial_observed, silicon->serial_allowed);
}
