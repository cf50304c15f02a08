/* Sequences and gangs: kernels become work of which only the span is known, as a rule all of a context in one stream, as nothing else has a
 * bound. */
#include "falsify/generate_parts.h"
#include "model/draft.h"

static int context_of(const struct taskset *set, int stream)
{
	return set->merged_context ? 0 : set->streams[stream].application;
}

static bool is_kernel_on(const struct taskset *set, const struct operation *operation, int context)
{
	return operation->kind == OPERATION_KERNEL && context_of(set, operation->stream) == context;
}

/* All work of the context on the stream of its first kernel. */
static void gather(struct taskset *set, int context)
{
	int stream = NO_ID;
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (stream == NO_ID && is_kernel_on(set, operation, context))
			stream = operation->stream;
	}
	for (int i = 0; i < set->operation_count && stream != NO_ID; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (operation->stream != NO_ID && context_of(set, operation->stream) == context &&
			set->streams[operation->stream].application == set->streams[stream].application)
			operation->stream = stream;
	}
}

static void make_span(struct draw *draw, struct operation *operation, bool plain)
{
	int64_t times = draw_percent(draw, 50) ? 1 : draw_range(draw, 1, 5);
	operation->kernel = (struct kernel){.scope = SCOPE_GRID,
		.blocks = NONE,
		.threads = NONE,
		.registers = NONE,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE,
		.access = operation->kernel.access};
	operation->wcet *= times;
	operation->bcet *= times;
	operation->span = (struct measured_span){.longest = NONE, .branches = 1};
	if (draw_percent(draw, 8)) {
		operation->span.gang = true;
		return;
	}
	operation->span.operations = draw_percent(draw, 80) ? draw_range(draw, 2, 6) : draw_range(draw, 1, 40);
	operation->span.linear = !plain && draw_percent(draw, 80);
	operation->span.plain = plain;
	operation->span.branches = plain || operation->span.linear || draw_percent(draw, 70) ? 1 : draw_range(draw, 1, 3);
	operation->span.single = draw_percent(draw, 25);
	if (draw_percent(draw, 60))
		operation->span.longest = draw_range(draw, checked_div_ceil(operation->wcet, operation->span.operations), operation->wcet);
}

/* Of scope block as well: the makespans of others stay as they are. */
static void make_spans(struct draw *draw, struct taskset *set, int context)
{
	bool plain = draw_percent(draw, 70);
	for (int i = 0; i < set->operation_count; i++) {
		struct operation *operation = &DRAFT(set->operations)[i];
		if (is_kernel_on(set, operation, context) && draw_percent(draw, 75))
			make_span(draw, operation, plain);
	}
}

void generate_sequences(struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int contexts = set->merged_context ? 1 : set->application_count;
	for (int context = 0; context < contexts; context++) {
		if (context > 0 && draw_percent(draw, 40))
			continue;
		if (draw_percent(draw, 85))
			gather(set, context);
		make_spans(draw, set, context);
	}
	if (draw_percent(draw, 45))
		of->platform->assumptions[ASSUMPTION_PENDING].status = STATUS_ASSUMED;
	if (draw_percent(draw, 40))
		generate_set(of->platform, PARAMETER_SWITCH_REFILL, draw_range(draw, 0, 4));
	if (draw_percent(draw, 50))
		of->platform->preemption = PREEMPTION_INSTRUCTION;
}
