/* An event simulation: whatever can begin at an instant begins, then time goes on to the next warp that ends. */
#include "g80/machine/fragments.h"

#include "base/assert.h"

struct slot {
	int warp; /* NO_ID: idle */
	int64_t end;
};

struct multiprocessor {
	struct slot slots[OVERLAPPING_WARPS];
	int next; /* the warp of the batch that it takes next */
};

struct texture_processor {
	int *warps; /* its warps in their order */
	int count, emitted, written;
	int first;    /* of the batch that it works on, in `warps` */
	int in_batch; /* how many warps that batch has here */
	int finished; /* of that batch */
	struct multiprocessor multiprocessors[FRAME_MULTIPROCESSORS];
};

struct machine {
	struct arena *arena;
	const struct frame *frame;
	const struct raster_part *part;
	struct raster_run *run;
	struct texture_processor *processors;
	bool *finished; /* of each warp */
	bool *waits;    /* after each batch: for all that is in work */
	int64_t now;
	int next;   /* the warp that the rasteriser emits next */
	int inside; /* warps emitted and not written */
};

/* ---- what is drawn by lot: xorshift64*, Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled", 2016 */

static uint64_t draw(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(2685821657736338717);
}

static int64_t draw_below(uint64_t *state, int64_t limit)
{
	return (int64_t)(draw(state) >> 1) % limit;
}

static int64_t draw_cost(uint64_t *state, int64_t wcet, bool shorter)
{
	return shorter && wcet > 0 && draw(state) >> 63 ? draw_below(state, wcet) : wcet;
}

/* The fragments that are anywhere: in warps of the batch. */
static void place_slow(struct machine *machine, int batch, int first, int count, uint64_t *state)
{
	const struct batch *drawn = &machine->frame->batches[batch];
	for (int i = 0; i < drawn->slow_count && count > 0; i++)
		for (int64_t left = drawn->slows[i].count == NONE ? 0 : drawn->slows[i].count; left > 0; left--)
			machine->run->warps->items[first + draw_below(state, count)].branches |= UINT32_C(1) << drawn->slows[i].branch;
}

/* Branches of one warp run one after another (E1.3, E1.4). */
static int64_t cost_of(const struct machine *machine, const struct warp *warp, const struct raster_choices *choices, uint64_t *state)
{
	const struct shader *shader = &machine->frame->shaders[machine->frame->batches[warp->batch].shader];
	int64_t cost = draw_cost(state, shader->wcet, choices->shorter);
	for (int i = 0; i < shader->branch_count; i++)
		if (warp->branches >> i & 1)
			cost = checked_add(cost, draw_cost(state, shader->branches[i].wcet, choices->shorter));
	return cost;
}

static void settle(struct machine *machine, const struct raster_choices *choices)
{
	struct warps *warps = machine->run->warps;
	uint64_t state = choices->seed * UINT64_C(2862933555777941757) + UINT64_C(3037000493);
	state += state == 0;
	for (int first = 0, end; first < warps->count; first = end) {
		int batch = warps->items[first].batch;
		for (end = first; end < warps->count && warps->items[end].batch == batch;)
			end++;
		place_slow(machine, batch, first, end - first, &state);
	}
	for (int i = 0; i < warps->count; i++)
		warps->items[i].cost = cost_of(machine, &warps->items[i], choices, &state);
	for (int i = 0; i < machine->frame->batch_count; i++)
		machine->waits[i] = !choices->partial || draw(&state) >> 63;
}

/* ---- texture processors */

static int batch_at(const struct machine *machine, const struct texture_processor *tp, int position)
{
	return machine->run->warps->items[tp->warps[position]].batch;
}

static void open_batch(const struct machine *machine, struct texture_processor *tp)
{
	tp->first += tp->in_batch;
	tp->in_batch = tp->finished = 0;
	while (tp->first + tp->in_batch < tp->count && batch_at(machine, tp, tp->first + tp->in_batch) == batch_at(machine, tp, tp->first))
		tp->in_batch++;
	for (int i = 0; i < machine->part->multiprocessors; i++)
		tp->multiprocessors[i].next = i;
}

static struct texture_processor *build_processors(const struct machine *machine)
{
	const struct warps *warps = machine->run->warps;
	int count = machine->part->processors;
	struct texture_processor *all = arena_allocate(machine->arena, (size_t)count, sizeof *all);
	for (int i = 0; i < warps->count; i++)
		all[warps->items[i].processor].count++;
	for (int i = 0; i < count; i++) {
		all[i].warps = arena_allocate(machine->arena, (size_t)all[i].count + 1, sizeof *all[i].warps);
		all[i].count = 0;
		for (int j = 0; j < FRAME_MULTIPROCESSORS; j++)
			for (int k = 0; k < OVERLAPPING_WARPS; k++)
				all[i].multiprocessors[j].slots[k].warp = NO_ID;
	}
	for (int i = 0; i < warps->count; i++) {
		struct texture_processor *tp = &all[warps->items[i].processor];
		tp->warps[tp->count++] = i;
	}
	for (int i = 0; i < count; i++)
		open_batch(machine, &all[i]);
	return all;
}

/* An idle slot, or NULL. Without wait states there is nothing that a second warp could use. beside: another warp goes on running. */
static struct slot *find_slot(struct multiprocessor *mp, bool waits, int64_t now, bool *beside)
{
	struct slot *idle = NULL;
	int busy = 0;
	*beside = false;
	for (int i = 0; i < OVERLAPPING_WARPS; i++) {
		struct slot *slot = &mp->slots[i];
		busy += slot->warp != NO_ID;
		*beside |= slot->warp != NO_ID && slot->end > now;
		if (slot->warp == NO_ID && idle == NULL)
			idle = slot;
	}
	return busy > 0 && !waits ? NULL : idle;
}

/* May the multiprocessor's next warp begin: is it there, and of those that the texture processor works on? */
static bool is_ready(const struct texture_processor *tp, const struct multiprocessor *mp)
{
	return mp->next < tp->in_batch && tp->first + mp->next < tp->emitted && mp->next / TILE_WARPS == tp->finished / TILE_WARPS;
}

static bool begin_one(struct machine *machine, struct texture_processor *tp, struct multiprocessor *mp)
{
	if (!is_ready(tp, mp))
		return false;
	int number = tp->warps[tp->first + mp->next];
	struct warp *warp = &machine->run->warps->items[number];
	bool beside, waits = machine->frame->shaders[machine->frame->batches[warp->batch].shader].waits;
	struct slot *slot = find_slot(mp, waits, machine->now, &beside);
	if (slot == NULL)
		return false;
	int64_t surcharge = beside ? checked_div_ceil(checked_mul(warp->cost, OVERLAP_PERCENT), 100) : 0,
		cost = checked_add(warp->cost, surcharge);
	struct raster_processor *result = &machine->run->processors[warp->processor];
	*slot = (struct slot){number, checked_add(machine->now, cost)};
	result->busy = checked_add(result->busy, cost);
	warp->begun = machine->now;
	mp->next += machine->part->multiprocessors;
	return true;
}

static bool begin_all(struct machine *machine)
{
	bool any = false;
	for (int i = 0; i < machine->part->processors; i++) {
		struct texture_processor *tp = &machine->processors[i];
		for (int j = 0; j < machine->part->multiprocessors; j++)
			while (begin_one(machine, tp, &tp->multiprocessors[j]))
				any = true;
	}
	return any;
}

static void write_finished(struct machine *machine, struct texture_processor *tp)
{
	for (; tp->written < tp->emitted && machine->finished[tp->warps[tp->written]]; tp->written++) {
		machine->run->warps->items[tp->warps[tp->written]].written = machine->now;
		machine->inside--;
	}
}

static void end_slot(struct machine *machine, struct texture_processor *tp, struct slot *slot)
{
	machine->finished[slot->warp] = true;
	slot->warp = NO_ID;
	tp->finished++;
	write_finished(machine, tp);
	if (tp->finished == tp->in_batch)
		open_batch(machine, tp);
}

typedef bool slot_visitor(struct machine *machine, struct texture_processor *tp, struct slot *slot, int64_t *least);

static bool for_each_busy(struct machine *machine, slot_visitor *visit, int64_t *least)
{
	bool any = false;
	for (int i = 0; i < machine->part->processors; i++)
		for (int j = 0; j < machine->part->multiprocessors; j++)
			for (int k = 0; k < OVERLAPPING_WARPS; k++) {
				struct slot *slot = &machine->processors[i].multiprocessors[j].slots[k];
				any |= slot->warp != NO_ID && visit(machine, &machine->processors[i], slot, least);
			}
	return any;
}

static bool find_least(struct machine *machine, struct texture_processor *tp, struct slot *slot, int64_t *least)
{
	(void)machine;
	(void)tp;
	*least = checked_min(*least, slot->end);
	return true;
}

static bool end_due(struct machine *machine, struct texture_processor *tp, struct slot *slot, int64_t *least)
{
	if (slot->end != *least)
		return false;
	end_slot(machine, tp, slot);
	return true;
}

/* ---- the rasteriser */

/* NULL: nothing holds it but a batch's end, or there is nothing left. */
static struct texture_processor *emit_all(struct machine *machine)
{
	const struct warps *warps = machine->run->warps;
	for (; machine->next < warps->count; machine->next++) {
		struct warp *warp = &warps->items[machine->next];
		struct texture_processor *tp = &machine->processors[warp->processor];
		bool begins = machine->next > 0 && warps->items[machine->next - 1].batch != warp->batch;
		if (begins && machine->waits[warps->items[machine->next - 1].batch] && machine->inside > 0)
			return NULL;
		if (tp->emitted - tp->written >= machine->part->fifo)
			return tp;
		tp->emitted++;
		machine->inside++;
		warp->emitted = machine->now;
	}
	return NULL;
}

static void simulate(struct machine *machine)
{
	for (;;) {
		struct texture_processor *full = emit_all(machine);
		if (begin_all(machine))
			continue;
		int64_t least = NONE;
		if (!for_each_busy(machine, find_least, &least))
			return;
		if (full != NULL)
			machine->run->processors[full - machine->processors].stalled += least - machine->now;
		machine->now = least;
		if (least == NONE)
			return;
		for_each_busy(machine, end_due, &least);
	}
}

/* ---- results */

static void add_touches(struct raster_run *run, const struct warp *warp)
{
	for (int i = 0; i < warp->touch_count; i++) {
		struct raster_tile *tile = &run->tiles[run->warps->touches[warp->first_touch + i]];
		tile->warps++;
		tile->begun = checked_min(tile->begun, warp->begun);
		tile->done = checked_max(tile->done, warp->written);
	}
}

static void collect(const struct machine *machine)
{
	struct raster_run *run = machine->run;
	const struct warps *warps = run->warps;
	run->tiles = arena_allocate(machine->arena, (size_t)(warps->columns * warps->rows), sizeof *run->tiles);
	for (int i = 0; i < warps->columns * warps->rows; i++)
		run->tiles[i] = (struct raster_tile){
			.processor = machine_processor(machine->frame, machine->part->processors, warps->first_column + i % warps->columns,
				warps->first_row + i / warps->columns),
			.begun = NONE,
		};
	for (int i = 0; i < warps->count; i++) {
		struct raster_processor *processor = &run->processors[warps->items[i].processor];
		add_touches(run, &warps->items[i]);
		processor->warps++;
		processor->done = checked_max(processor->done, warps->items[i].written);
	}
	run->time = machine->now;
}

struct raster_run *machine_run(
	struct arena *arena, const struct frame *frame, const struct raster_part *part, const struct raster_choices *choices)
{
	struct raster_run *run = arena_allocate(arena, 1, sizeof *run);
	struct machine machine = {.arena = arena, .frame = frame, .part = part, .run = run};
	assert(part->multiprocessors <= FRAME_MULTIPROCESSORS && part->fifo > 0);
	run->warps = machine_rasterise(arena, frame, part->processors);
	run->processor_count = part->processors;
	run->processors = arena_allocate(arena, (size_t)part->processors, sizeof *run->processors);
	machine.finished = arena_allocate(arena, (size_t)run->warps->count + 1, sizeof *machine.finished);
	machine.waits = arena_allocate(arena, (size_t)frame->batch_count + 1, sizeof *machine.waits);
	settle(&machine, choices);
	machine.processors = build_processors(&machine);
	simulate(&machine);
	collect(&machine);
	return run;
}
