/* Sequences and gangs: kernels become work of which only the span is known, as a rule all of a context in one stream, as nothing else has a
 * bound. */
#include "falsify/generate_parts.h"
#include "model/draft.h"
#include "model/sm_set.h"

static bool is_kernel_on(const struct taskset *set, const struct operation *operation, int context)
{
	return operation->kind == OPERATION_KERNEL && taskset_context_of(set, operation->stream) == context;
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
		if (operation->stream != NO_ID && taskset_context_of(set, operation->stream) == context &&
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

/* ---- companies: of each sequence all others that may be beside it, each alone, all together, and some in between */

static bool is_beside(const struct taskset *set, const struct operation *sequence, int task)
{
	for (int i = 0; i < set->tasks[task].operation_count; i++) {
		int stream = task_operation(set, &set->tasks[task], i)->stream;
		if (stream != NO_ID && stream != sequence->stream &&
			taskset_context_of(set, stream) == taskset_context_of(set, sequence->stream))
			return true;
	}
	return false;
}

static void add_company(struct arena *arena, struct draw *draw, const struct falsify_case *of, int operation, const int *tasks, int count)
{
	struct taskset *set = of->set;
	struct measured_company *company = &DRAFT(set->companies)[set->company_count++];
	*company = (struct measured_company){.operation = operation,
		.sms = sm_set_of_stream(of->platform, set, set->operations[operation].stream).size,
		.factor = rational_make(draw_range(draw, 2, 6), 2),
		.tasks = arena_allocate(arena, (size_t)count, sizeof *company->tasks),
		.task_count = count,
		.origin = set->operations[operation].origin};
	for (int k = 0; k < count; k++)
		DRAFT(company->tasks)[k] = (struct companion){tasks[k], sm_set_size_of_task(of->platform, set, &set->tasks[tasks[k]])};
}

static void add_companies(struct arena *arena, struct draw *draw, const struct falsify_case *of, int operation, int *others)
{
	const struct taskset *set = of->set;
	int count = 0;
	for (int t = 0; t < set->task_count; t++) {
		const struct task *task = &set->tasks[t];
		bool own = operation >= task->first_operation && operation < task->first_operation + task->operation_count;
		if (!own && is_beside(set, &set->operations[operation], t))
			others[count++] = t;
	}
	for (int k = 0; k < count; k++)
		add_company(arena, draw, of, operation, &others[k], 1);
	for (int k = 2; k <= count; k++)
		if (k == count || draw_percent(draw, 50))
			add_company(arena, draw, of, operation, others, k);
}

static void generate_companies(struct arena *arena, struct draw *draw, const struct falsify_case *of)
{
	struct taskset *set = of->set;
	int *others = arena_allocate(arena, (size_t)set->task_count, sizeof *others);
	size_t most = (size_t)set->operation_count * (size_t)set->task_count * 2;
	set->companies = arena_allocate(arena, most, sizeof *set->companies);
	for (int i = 0; i < set->operation_count; i++)
		if (set->operations[i].span.operations > 0 && draw_percent(draw, 70))
			add_companies(arena, draw, of, i, others);
}

void generate_sequences(struct arena *arena, struct draw *draw, struct falsify_case *of)
{
	struct taskset *set = of->set;
	int contexts = taskset_contexts(set);
	for (int context = 0; context < contexts; context++) {
		if (context > 0 && draw_percent(draw, 40))
			continue;
		if (draw_percent(draw, set->partition_count > 0 ? 20 : 85))
			gather(set, context);
		make_spans(draw, set, context);
	}
	if (draw_percent(draw, 45))
		of->platform->assumptions[ASSUMPTION_PENDING].status = STATUS_ASSUMED;
	if (draw_percent(draw, 40))
		generate_set(of->platform, PARAMETER_SWITCH_REFILL, draw_range(draw, 0, 4));
	if (draw_percent(draw, 50))
		of->platform->preemption = PREEMPTION_INSTRUCTION;
	if (draw_percent(draw, 40))
		generate_companies(arena, draw, of);
}
