/* The states of a small machine. */
#include "falsify/small_parts.h"

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
	small_tidy(steps->small, &step->state);
	for (int i = 0; i < steps->count; i++)
		if (steps->items[i].kind == step->kind && steps->items[i].task == step->task &&
			memcmp(&steps->items[i].state, &step->state, sizeof step->state) == 0)
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
	struct small_step step = step_from(steps, SMALL_RELEASE, NO_ID);
	for (int i = 0; i < steps->small->line_count; i++) {
		uint8_t *jobs = step.state.streams[steps->small->lines[i].stream].jobs;
		int length = length_of(jobs, SMALL_JOBS);
		if (steps->small->lines[i].task != task)
			continue;
		steps->full |= length == SMALL_JOBS;
		if (steps->full)
			return;
		jobs[length] = (uint8_t)(i + 1);
	}
	step.state.clocks[task] = (int8_t)(late - steps->small->tasks[task].period);
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
	const struct small_line *line = &steps->small->lines[of->jobs[0] - 1];
	int records = head_of(steps->small, &step->state, stream)->records;
	for (int i = 0; i < SMALL_HOLDS; i++)
		step->state.recorded[i] = (uint8_t)(step->state.recorded[i] + (records >> i & 1));
	of->phase = SMALL_NOTHING;
	of->timer = of->placed = of->ended = 0;
	of->operation++;
	step->task = line->task;
	if (of->operation < line->count)
		return;
	of->operation = 0;
	remove_at(of->jobs, SMALL_JOBS, 0);
	if (step->state.tags[stream] == 0)
		return;
	step->state.tags[stream]--;
	step->complete = !small_is_tagged(&step->state);
}

/* What left an SM less than a delay ago may still keep others from it. */
static void leave_ghost(struct steps *steps, struct small_step *step, int sm, int warps)
{
	uint8_t *ghosts = step->state.blocks[sm] + SMALL_SLOTS;
	int count = length_of(ghosts, SMALL_GHOSTS);
	steps->full |= count == SMALL_GHOSTS;
	if (!steps->full)
		ghosts[count] = (uint8_t)(1 + 4 * warps);
}

static void end_block(struct steps *steps, int sm, int slot)
{
	int stream = stream_of(steps->from->blocks[sm][slot]);
	struct small_step step = step_from(steps, SMALL_END, head_number(steps->small, steps->from, stream));
	remove_at(step.state.blocks[sm], SMALL_SLOTS, slot);
	if (steps->small->delay > 0)
		leave_ghost(steps, &step, sm, head_of(steps->small, steps->from, stream)->warps);
	if (++step.state.streams[stream].ended == head_of(steps->small, steps->from, stream)->blocks)
		complete(steps, &step, stream);
	add(steps, &step);
}

/* ---- progress */

/* The copies that run, of other streams. */
static int copies_beside(const struct steps *steps, int stream)
{
	int set = 0;
	for (int engine = 0; engine < SMALL_ENGINES; engine++) {
		int other = steps->from->copies[engine][0] - 1;
		if (other >= 0 && other != stream)
			set |= head_of(steps->small, steps->from, other)->source;
	}
	return set;
}

/* Units that a block of the stream on this SM progresses in 1 ns; one that has not begun comes a ns nearer to that. */
static int rate_of_block(const struct steps *steps, int sm, uint8_t block)
{
	const struct small *small = steps->small;
	int stream = stream_of(block), set = 0;
	if (small->units == 1 || units_of(block) < small->stall * small->units)
		return small->units;
	for (int other = 0; other < small->sm_count; other++)
		for (int slot = 0; slot < small->slots && steps->from->blocks[other][slot] != 0; slot++)
			if (stream_of(steps->from->blocks[other][slot]) != stream)
				set |= other == sm ? BESIDE_SM : BESIDE_ELSEWHERE;
	return head_of(small, steps->from, stream)->rates[set | copies_beside(steps, stream)];
}

static int rate_of_copy(const struct steps *steps, int stream)
{
	const struct small *small = steps->small;
	int set = 0;
	for (int sm = 0; sm < small->sm_count && small->units > 1; sm++)
		set |= steps->from->blocks[sm][0] != 0 ? BESIDE_SM : 0;
	return head_of(small, steps->from, stream)->rates[small->units > 1 ? set | copies_beside(steps, stream) : 0];
}

static bool block_ends(struct steps *steps, int sm, int slot)
{
	uint8_t block = steps->from->blocks[sm][slot];
	const struct small_operation *operation = head_of(steps->small, steps->from, stream_of(block));
	int work = units_of(block) - steps->small->stall * steps->small->units;
	if (work >= operation->least && (slot == 0 || steps->from->blocks[sm][slot - 1] != block))
		end_block(steps, sm, slot);
	return work >= 0 && work + rate_of_block(steps, sm, block) > operation->longest;
}

static bool copy_ends(struct steps *steps, int engine)
{
	int stream = steps->from->copies[engine][0] - 1, work = steps->from->streams[stream].timer;
	const struct small_operation *operation = head_of(steps->small, steps->from, stream);
	if (work >= operation->least) {
		struct small_step step = step_from(steps, SMALL_END, (int)(operation - steps->small->operations));
		remove_at(step.state.copies[engine], SMALL_STREAMS, 0);
		complete(steps, &step, stream);
		add(steps, &step);
	}
	return work + rate_of_copy(steps, stream) > operation->longest;
}

/* Must something end now, because in the next ns it would do more than its work? */
static bool ends(struct steps *steps)
{
	bool must = false;
	for (int sm = 0; sm < steps->small->sm_count; sm++)
		for (int slot = 0; slot < steps->small->slots && steps->from->blocks[sm][slot] != 0; slot++)
			must |= block_ends(steps, sm, slot);
	for (int engine = 0; engine < SMALL_ENGINES; engine++)
		if (steps->from->copies[engine][0] != 0)
			must |= copy_ends(steps, engine);
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

/* late: ns until its first instruction. */
static void place_late(struct steps *steps, int stream, int sm, int late)
{
	const struct small_operation *operation = head_of(steps->small, steps->from, stream);
	struct small_step step = step_from(steps, SMALL_PLACE, (int)(operation - steps->small->operations));
	uint8_t *blocks = step.state.blocks[sm];
	blocks[length_of(blocks, SMALL_SLOTS)] = (uint8_t)(1 + (steps->small->stall - late) * steps->small->units + 64 * stream);
	step.state.current = 0;
	if (++step.state.streams[stream].placed == operation->blocks) {
		step.state.streams[stream].phase = SMALL_RUNS;
		remove_at(step.state.kernels, SMALL_STREAMS, find(step.state.kernels, SMALL_STREAMS, (uint8_t)(stream + 1)));
	}
	add(steps, &step);
}

/* On any SM with room of the stream's partition; A-ORDER (c): late only beside another block. */
static bool place(struct steps *steps, int stream)
{
	const struct small *small = steps->small;
	int warps = head_of(small, steps->from, stream)->warps;
	bool any = false;
	for (int sm = 0; sm < small->sm_count; sm++) {
		if (small->sm_parts[sm] != small->parts[stream] || !small_fits(small, steps->from, sm, warps))
			continue;
		any = true;
		if (sm > 0 && small->sm_parts[sm] == small->sm_parts[sm - 1] &&
			memcmp(steps->from->blocks[sm], steps->from->blocks[sm - 1], SMALL_ROW) == 0)
			continue;
		for (int late = steps->from->blocks[sm][0] != 0 ? small->stall : 0; late >= 0; late--)
			place_late(steps, stream, sm, late);
	}
	return any;
}

/* D3 to D6: each head's next block. */
static bool dispatches(struct steps *steps)
{
	bool any = false;
	for (int i = 0; i < SMALL_STREAMS && steps->from->kernels[i] != 0 && steps->from->due == 0; i++) {
		int stream = steps->from->kernels[i] - 1;
		if (is_head(steps->small, steps->from, stream) && steps->from->streams[stream].timer == 0)
			any |= place(steps, stream);
	}
	return any;
}

/* ---- A-FIT */

static bool passes(struct steps *steps)
{
	bool any = false;
	for (int i = 0; i < SMALL_STREAMS && steps->from->kernels[i] != 0; i++)
		any |= place(steps, steps->from->kernels[i] - 1);
	return any;
}

/* ---- A-ORDER */

/* Whoever may be given a block is, or nobody, unless the head has waited for long enough with room. */
static bool dispatches_late(struct steps *steps)
{
	for (int i = 0; i < SMALL_STREAMS && steps->from->kernels[i] != 0; i++)
		if (small_may_pass(steps->small, steps->from, steps->from->kernels[i] - 1))
			place(steps, steps->from->kernels[i] - 1);
	return small_must_assign(steps->small, steps->from);
}

static void tick(struct steps *steps)
{
	const struct small *small = steps->small;
	struct small_step step = step_from(steps, SMALL_TICK, NO_ID);
	struct small_state *state = &step.state;
	for (int i = 0; i < small->task_count; i++)
		if (state->clocks[i] != SMALL_UNSTARTED && (state->clocks[i] < small->tasks[i].jitter || !small->tasks[i].sporadic))
			state->clocks[i]++;
	for (int s = 0; s < small->stream_count; s++)
		if (state->streams[s].phase == SMALL_DEPENDS || (state->streams[s].timer > 0 && is_head(small, state, s)))
			state->streams[s].timer--;
	for (int engine = 0; engine < SMALL_ENGINES; engine++)
		if (state->copies[engine][0] != 0) {
			uint8_t *work = &state->streams[state->copies[engine][0] - 1].timer;
			*work = (uint8_t)(*work + rate_of_copy(steps, state->copies[engine][0] - 1));
		}
	for (int sm = 0; sm < small->sm_count; sm++)
		for (int slot = 0; slot < small->slots && state->blocks[sm][slot] != 0; slot++)
			state->blocks[sm][slot] = (uint8_t)(state->blocks[sm][slot] + rate_of_block(steps, sm, state->blocks[sm][slot]));
	if (is_late(small))
		small_tick_order(small, state);
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
		must |= small->passing ? passes(&steps) : is_late(small) ? dispatches_late(&steps) : dispatches(&steps);
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

bool small_is_tagged(const struct small_state *state)
{
	bool any = false;
	for (int s = 0; s < SMALL_STREAMS; s++)
		any |= state->tags[s] != 0;
	return any;
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
	for (int i = 0; i < small->line_count; i++) {
		int stream = small->lines[i].stream;
		if (small->lines[i].task == task)
			state->tags[stream] = (uint8_t)length_of(state->streams[stream].jobs, SMALL_JOBS);
	}
}
