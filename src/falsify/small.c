/* The states of a small machine. */
#include "falsify/small.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(sizeof(struct small_state) == sizeof(uint8_t) * (SMALL_TASKS + 2 + SMALL_STREAMS * (SMALL_JOBS + 5) + SMALL_STREAMS +
								       SMALL_ENGINES * SMALL_STREAMS + 2 + SMALL_SMS * SMALL_SLOTS),
	"bytes only");

/* ---- what can be followed */

static const char *refuse_operation(const struct platform *platform, const struct operation *operation, int64_t longest)
{
	if (longest > SMALL_LONGEST)
		return "an operation takes too long";
	if (operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET)
		return platform->engine_of[operation->copy.direction] < 0 || platform->engine_of[operation->copy.direction] >= SMALL_ENGINES
			       ? "a copy that runs as a kernel"
			       : NULL;
	if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_BLOCK)
		return "only copies and kernels of known blocks are followed";
	const struct kernel *kernel = &operation->kernel;
	int64_t registers = platform_value(platform, PARAMETER_SM_REGISTERS);
	int64_t needed = checked_mul(checked_mul(kernel->registers == NONE ? 0 : checked_round_up(32 * kernel->registers, 256), 1),
		platform_value(platform, PARAMETER_SM_WARPS));
	if (kernel->shared_static + kernel->shared_dynamic > 0 || kernel->curve != NULL || kernel->cache != CACHE_NONE ||
		kernel->carveout != NONE || (registers != NONE && needed > registers))
		return "blocks are told apart by warps alone";
	return kernel->blocks > UINT8_MAX ? "a kernel has too many blocks" : NULL;
}

static const char *refuse_platform(const struct platform *platform, const struct taskset *set)
{
	int64_t grids = platform_value(platform, PARAMETER_QUEUES_GRIDS), queues = platform_value(platform, PARAMETER_QUEUES_HARDWARE);
	if (platform_value(platform, PARAMETER_SM_COUNT) > SMALL_SMS || platform_value(platform, PARAMETER_SM_BLOCKS) > SMALL_SLOTS)
		return "the chip has more than 3 SMs, or more than 4 blocks an SM";
	if (platform_value(platform, PARAMETER_STOPS_LENGTH) != NONE)
		return "stops";
	if (grids == NONE || grids < set->stream_count || queues == NONE || queues < set->stream_count)
		return "streams share queues or grid slots";
	return NULL;
}

static const char *refuse_set(const struct taskset *set)
{
	if (set->task_count > SMALL_TASKS || set->stream_count > SMALL_STREAMS || set->application_count != 1)
		return "more than 3 tasks, 3 streams or a context";
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].kind == STREAM_NULL && set->stream_count > 1)
			return "a NULL stream beside others";
	int offsets = 0;
	for (int i = 0; i < set->task_count; i++) {
		const struct arrival *arrival = &set->tasks[i].arrival;
		offsets += set->tasks[i].offset != NONE;
		if (arrival->kind == ARRIVAL_CURVE || arrival->min_distance != NONE || arrival->period > SMALL_PERIOD ||
			arrival->jitter > SMALL_PERIOD || (set->tasks[i].offset != NONE && set->tasks[i].offset > SMALL_PERIOD))
			return "a period or jitter above 100 ns, a curve or a least distance";
		for (int j = 0; j < set->tasks[i].operation_count; j++)
			if (task_operation(set, &set->tasks[i], j)->stream != task_operation(set, &set->tasks[i], 0)->stream)
				return "a task on several streams";
	}
	return offsets != 0 && offsets != set->task_count ? "some phases are known and some are not" : NULL;
}

static struct small_operation resolve(const struct platform *platform, const struct operation *operation, int64_t longest)
{
	struct small_operation resolved = {.copy = operation->kind != OPERATION_KERNEL, .longest = (uint8_t)checked_max(longest, 1)};
	resolved.least = (uint8_t)checked_max(1, checked_min(operation->bcet, longest));
	if (resolved.copy) {
		resolved.engine = (uint8_t)platform->engine_of[operation->copy.direction];
		return resolved;
	}
	resolved.warps = (uint8_t)kernel_warps(&operation->kernel);
	resolved.blocks = (uint8_t)operation->kernel.blocks;
	return resolved;
}

static int overhead(const struct platform *platform, enum parameter parameter)
{
	int64_t value = platform_value(platform, parameter);
	return value == NONE ? 0 : (int)checked_min(value, SMALL_LONGEST + 1);
}

static const char *set_up(
	struct small *small, struct arena *arena, const struct platform *platform, const struct taskset *set, const int64_t *longest)
{
	*small = (struct small){.task_count = set->task_count, .stream_count = set->stream_count};
	small->sm_count = (int)platform_value(platform, PARAMETER_SM_COUNT);
	small->warps = (int)platform_value(platform, PARAMETER_SM_WARPS);
	small->slots = (int)platform_value(platform, PARAMETER_SM_BLOCKS);
	small->launch = overhead(platform, PARAMETER_OVERHEAD_LAUNCH);
	small->block = overhead(platform, PARAMETER_OVERHEAD_BLOCK);
	small->dependency = overhead(platform, PARAMETER_OVERHEAD_DEPENDENCY);
	small->engine_count = SMALL_ENGINES;
	small->operations = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *small->operations);
	for (int i = 0; i < set->operation_count; i++)
		small->operations[i] = resolve(platform, &set->operations[i], longest[i]);
	for (int i = 0; i < set->stream_count; i++)
		small->levels[i] = set->streams[i].level;
	for (int i = 0; i < set->task_count; i++) {
		const struct task *task = &set->tasks[i];
		small->phased = task->offset != NONE;
		small->tasks[i] = (struct small_task){.stream = task_operation(set, task, 0)->stream,
			.first = task->first_operation,
			.count = task->operation_count,
			.period = (int)task->arrival.period,
			.jitter = (int)task->arrival.jitter,
			.offset = task->offset == NONE ? NO_ID : (int)task->offset,
			.sporadic = task->arrival.kind == ARRIVAL_SPORADIC};
	}
	return small->launch > SMALL_LONGEST || small->block > SMALL_LONGEST || small->dependency > SMALL_LONGEST
		       ? "an overhead is too long"
		       : NULL;
}

const char *small_init(
	struct small *small, struct arena *arena, const struct platform *platform, const struct taskset *set, const int64_t *longest)
{
	const char *reason = refuse_platform(platform, set);
	if (reason == NULL)
		reason = refuse_set(set);
	for (int i = 0; i < set->operation_count && reason == NULL; i++)
		reason = refuse_operation(platform, &set->operations[i], longest[i]);
	return reason != NULL ? reason : set_up(small, arena, platform, set, longest);
}

/* ---- queues of bytes, ended by 0 */

static int length_of(const uint8_t *queue, int room)
{
	int length = 0;
	while (length < room && queue[length] != 0)
		length++;
	return length;
}

static void remove_at(uint8_t *queue, int room, int index)
{
	memmove(queue + index, queue + index + 1, (size_t)(room - index - 1));
	queue[room - 1] = 0;
}

static int find(const uint8_t *queue, int room, uint8_t item)
{
	int index = 0;
	while (index < room && queue[index] != item)
		index++;
	return index;
}

static int compare_sms(const void *a, const void *b)
{
	return memcmp(b, a, SMALL_SLOTS);
}

/* ---- the state's parts */

static const struct small_operation *head_of(const struct small *small, const struct small_state *state, int stream)
{
	const struct small_stream *of = &state->streams[stream];
	return &small->operations[small->tasks[of->jobs[0] - 1].first + of->operation];
}

static int head_number(const struct small *small, const struct small_state *state, int stream)
{
	return (int)(head_of(small, state, stream) - small->operations);
}

/* D3: the oldest of the highest level that waits. NO_ID: none waits. */
static int waiting_head(const struct small *small, const struct small_state *state)
{
	int head = NO_ID;
	for (int i = 0; i < SMALL_STREAMS && state->kernels[i] != 0; i++)
		if (head == NO_ID || small->levels[state->kernels[i] - 1] < small->levels[head])
			head = state->kernels[i] - 1;
	return head;
}

static bool fits(const struct small *small, const struct small_state *state, int sm, int warps)
{
	int used = 0, blocks = 0;
	for (; blocks < small->slots && state->blocks[sm][blocks] != 0; blocks++)
		used += head_of(small, state, (state->blocks[sm][blocks] - 1) >> 4)->warps;
	return blocks < small->slots && used + warps <= small->warps;
}

static bool fits_anywhere(const struct small *small, const struct small_state *state, int warps)
{
	for (int sm = 0; sm < small->sm_count; sm++)
		if (fits(small, state, sm, warps))
			return true;
	return false;
}

/* The one form of a state: SMs and their blocks in order; the oldest job of each stream at its first operation that is not complete; the
 * dispatcher with its head. */
static void tidy(const struct small *small, struct small_state *state)
{
	for (int sm = 0; sm < small->sm_count; sm++)
		for (int i = 1; i < small->slots; i++)
			for (int j = i; j > 0 && state->blocks[sm][j] > state->blocks[sm][j - 1]; j--) {
				uint8_t moved = state->blocks[sm][j];
				state->blocks[sm][j] = state->blocks[sm][j - 1];
				state->blocks[sm][j - 1] = moved;
			}
	qsort(state->blocks, (size_t)small->sm_count, SMALL_SLOTS, compare_sms);
	for (int s = 0; s < small->stream_count; s++)
		if (state->streams[s].phase == SMALL_NOTHING && state->streams[s].jobs[0] != 0) {
			state->streams[s].phase = SMALL_DEPENDS;
			state->streams[s].timer = (uint8_t)small->dependency;
		}
	int head = waiting_head(small, state);
	bool prepares = head != NO_ID && small->block > 0 && state->streams[head].timer == 0 &&
			fits_anywhere(small, state, head_of(small, state, head)->warps);
	if (!prepares || state->current != head + 1)
		state->due = prepares ? (uint8_t)small->block : 0;
	state->current = prepares ? (uint8_t)(head + 1) : 0;
}

/* ---- steps */

struct steps {
	const struct small *small;
	const struct small_state *from;
	struct small_step *items;
	int count;
	bool full;
};

static void add(struct steps *steps, struct small_step *step)
{
	tidy(steps->small, &step->state);
	for (int i = 0; i < steps->count; i++)
		if (memcmp(&steps->items[i].state, &step->state, sizeof step->state) == 0 && steps->items[i].kind == step->kind &&
			steps->items[i].task == step->task)
			return;
	steps->full |= steps->count == SMALL_ROOM;
	if (!steps->full)
		steps->items[steps->count++] = *step;
}

static struct small_step step_from(const struct steps *steps, enum small_kind kind, int operation)
{
	return (struct small_step){.state = *steps->from, .kind = kind, .task = NO_ID, .operation = operation};
}

static void release(struct steps *steps, int task, int late)
{
	const struct small_task *of = &steps->small->tasks[task];
	struct small_step step = step_from(steps, SMALL_RELEASE, NO_ID);
	uint8_t *jobs = step.state.streams[of->stream].jobs;
	int length = length_of(jobs, SMALL_JOBS);
	steps->full |= length == SMALL_JOBS;
	if (steps->full)
		return;
	jobs[length] = (uint8_t)(task + 1);
	step.state.clocks[task] = (int8_t)(late - of->period);
	step.task = task;
	step.late = late;
	add(steps, &step);
}

/* Must there be a release now? A sporadic one can always be later; if it comes, its nominal release was as early as can be, since from then
 * on everything is possible that else would be. */
static bool releases(struct steps *steps)
{
	bool must = false;
	for (int i = 0; i < steps->small->task_count; i++) {
		const struct small_task *task = &steps->small->tasks[i];
		int clock = steps->from->clocks[i];
		if (clock == SMALL_UNSTARTED)
			for (int late = task->sporadic ? task->jitter : 0; late <= task->jitter; late++)
				release(steps, i, late);
		else if (clock >= 0)
			release(steps, i, clock);
		must |= clock >= task->jitter && !task->sporadic;
	}
	return must;
}

/* The stream's operation is complete. */
static void complete(struct steps *steps, struct small_step *step, int stream)
{
	struct small_stream *of = &step->state.streams[stream];
	const struct small_task *task = &steps->small->tasks[of->jobs[0] - 1];
	of->phase = SMALL_NOTHING;
	of->timer = of->placed = of->ended = 0;
	of->operation++;
	step->task = of->jobs[0] - 1;
	if (of->operation < task->count)
		return;
	of->operation = 0;
	remove_at(of->jobs, SMALL_JOBS, 0);
	if (step->state.tag == 0 || step->state.tagged != stream)
		return;
	step->complete = step->state.tag == 1;
	step->state.tag--;
	if (step->state.tag == 0)
		step->state.tagged = 0;
}

static void end_block(struct steps *steps, int sm, int slot)
{
	int stream = (steps->from->blocks[sm][slot] - 1) >> 4;
	struct small_step step = step_from(steps, SMALL_END, head_number(steps->small, steps->from, stream));
	remove_at(step.state.blocks[sm], SMALL_SLOTS, slot);
	if (++step.state.streams[stream].ended == head_of(steps->small, steps->from, stream)->blocks)
		complete(steps, &step, stream);
	add(steps, &step);
}

static bool ends(struct steps *steps)
{
	bool must = false;
	for (int sm = 0; sm < steps->small->sm_count; sm++)
		for (int slot = 0; slot < steps->small->slots && steps->from->blocks[sm][slot] != 0; slot++) {
			uint8_t block = steps->from->blocks[sm][slot];
			int age = (block - 1) & 15;
			const struct small_operation *operation = head_of(steps->small, steps->from, (block - 1) >> 4);
			if (age >= operation->least && (slot == 0 || steps->from->blocks[sm][slot - 1] != block))
				end_block(steps, sm, slot);
			must |= age >= operation->longest;
		}
	for (int engine = 0; engine < SMALL_ENGINES; engine++) {
		if (steps->from->copies[engine][0] == 0)
			continue;
		int stream = steps->from->copies[engine][0] - 1, age = steps->from->streams[stream].timer;
		const struct small_operation *operation = head_of(steps->small, steps->from, stream);
		must |= age >= operation->longest;
		if (age < operation->least)
			continue;
		struct small_step step = step_from(steps, SMALL_END, (int)(operation - steps->small->operations));
		remove_at(step.state.copies[engine], SMALL_STREAMS, 0);
		complete(steps, &step, stream);
		add(steps, &step);
	}
	return must;
}

/* An o_dep is over: the operation reaches its engine. */
static bool arrivals(struct steps *steps)
{
	bool must = false;
	for (int s = 0; s < steps->small->stream_count; s++) {
		const struct small_stream *of = &steps->from->streams[s];
		if (of->phase != SMALL_DEPENDS || of->timer > 0)
			continue;
		const struct small_operation *operation = head_of(steps->small, steps->from, s);
		struct small_step step = step_from(steps, SMALL_READY, (int)(operation - steps->small->operations));
		uint8_t *queue = operation->copy ? step.state.copies[operation->engine] : step.state.kernels;
		queue[length_of(queue, SMALL_STREAMS)] = (uint8_t)(s + 1);
		step.state.streams[s].phase = SMALL_WAITS;
		step.state.streams[s].timer = (uint8_t)(operation->copy ? 0 : steps->small->launch);
		add(steps, &step);
		must = true;
	}
	return must;
}

static void place(struct steps *steps, int stream, int sm)
{
	const struct small_operation *operation = head_of(steps->small, steps->from, stream);
	struct small_step step = step_from(steps, SMALL_PLACE, (int)(operation - steps->small->operations));
	uint8_t *blocks = step.state.blocks[sm];
	blocks[length_of(blocks, SMALL_SLOTS)] = (uint8_t)(1 + 16 * stream);
	step.state.current = 0;
	if (++step.state.streams[stream].placed == operation->blocks) {
		step.state.streams[stream].phase = SMALL_RUNS;
		remove_at(step.state.kernels, SMALL_STREAMS, find(step.state.kernels, SMALL_STREAMS, (uint8_t)(stream + 1)));
	}
	add(steps, &step);
}

/* D3 to D6: the head's next block, on any SM with room. */
static bool dispatches(struct steps *steps)
{
	const struct small *small = steps->small;
	int head = waiting_head(small, steps->from);
	if (head == NO_ID || steps->from->streams[head].timer > 0 || steps->from->due > 0)
		return false;
	int warps = head_of(small, steps->from, head)->warps;
	bool any = false;
	for (int sm = 0; sm < small->sm_count; sm++) {
		if (!fits(small, steps->from, sm, warps))
			continue;
		any = true;
		if (sm == 0 || memcmp(steps->from->blocks[sm], steps->from->blocks[sm - 1], SMALL_SLOTS) != 0)
			place(steps, head, sm);
	}
	return any;
}

static void tick(struct steps *steps)
{
	const struct small *small = steps->small;
	struct small_step step = step_from(steps, SMALL_TICK, NO_ID);
	struct small_state *state = &step.state;
	int head = waiting_head(small, state);
	for (int i = 0; i < small->task_count; i++)
		if (state->clocks[i] != SMALL_UNSTARTED && (state->clocks[i] < small->tasks[i].jitter || !small->tasks[i].sporadic))
			state->clocks[i]++;
	for (int s = 0; s < small->stream_count; s++)
		state->streams[s].timer = (uint8_t)(state->streams[s].timer - (state->streams[s].phase == SMALL_DEPENDS ||
										      (s == head && state->streams[s].timer > 0)));
	for (int engine = 0; engine < SMALL_ENGINES; engine++)
		if (state->copies[engine][0] != 0)
			state->streams[state->copies[engine][0] - 1].timer++;
	for (int sm = 0; sm < small->sm_count; sm++)
		for (int slot = 0; slot < small->slots && state->blocks[sm][slot] != 0; slot++)
			state->blocks[sm][slot]++;
	state->due = (uint8_t)(state->due - (state->current != 0));
	add(steps, &step);
}

bool small_next(const struct small *small, const struct small_state *state, struct small_step *items, int *count)
{
	struct steps steps = {.small = small, .from = state, .items = items};
	bool must = releases(&steps);
	must |= ends(&steps);
	bool arrive = arrivals(&steps);
	if (!arrive || small->dependency > 0) /* without o_dep an operation is at its engine as the one before it ends (D1) */
		must |= dispatches(&steps);
	must |= arrive;
	if (!must)
		tick(&steps);
	*count = steps.count;
	return !steps.full;
}

void small_begin(const struct small *small, struct small_state *state)
{
	memset(state, 0, sizeof *state);
	for (int i = 0; i < small->task_count; i++)
		state->clocks[i] = small->phased ? (int8_t)-small->tasks[i].offset : SMALL_UNSTARTED;
}

bool small_is_idle(const struct small *small, const struct small_state *state)
{
	for (int s = 0; s < small->stream_count; s++)
		if (state->streams[s].jobs[0] != 0)
			return false;
	return true;
}

void small_tag(const struct small *small, struct small_state *state, int task)
{
	int stream = small->tasks[task].stream;
	state->tagged = (uint8_t)stream;
	state->tag = (uint8_t)length_of(state->streams[stream].jobs, SMALL_JOBS);
}
