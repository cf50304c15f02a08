#include "verify/turns.h"

#include "model/limits.h"

struct finder {
	struct work *work;
	struct check *check;
	bool volume;
	struct turns *turns;
	const struct claims **by;      /* [context]: the bound that says how long its jobs stay, of its segments */
	struct fact *stay;             /* [context]: the bound that says how long its jobs stay */
	struct fact *order;            /* [context]: one that its order gives; NONE: none */
	const struct claims *segments; /* H's; NULL: they do not count */
	uint64_t granted;              /* conditions that they may have */
};

/* ---- which claims */

static void choose(struct finder *f, const struct claims *claims)
{
	static const enum claimed kinds[] = {CLAIMED_VOL_P, CLAIMED_P, CLAIMED_P_GPU};
	for (int i = 0; i < f->work->owner_count; i++) {
		f->stay[i] = f->order[i] = FACT_UNKNOWN;
		for (int k = 2; k >= 0; k--) {
			struct fact claimed = claims[kinds[k]].of_owner[kinds[k] == CLAIMED_P_GPU ? 0 : i];
			if (checked_is_none(claimed.value) || claimed.node == NULL || (f->volume && kinds[k] != CLAIMED_VOL_P))
				continue;
			if (kinds[k] != CLAIMED_VOL_P)
				f->order[i] = claimed;
			if (claimed.value > f->stay[i].value) /* none is the greatest number */
				continue;
			f->stay[i] = claimed;
			f->by[i] = &claims[kinds[k]];
		}
	}
}

/* May H's claim of the segment count? Not where it asks for a condition that nothing else asks for. */
static bool may_count(const struct finder *f, int index)
{
	if (f->segments == NULL || checked_is_none(f->segments->of_part[index].value))
		return false;
	return (platform_conditions(f->check->platform, f->segments->of_part[index].assumptions) & ~f->granted) == 0;
}

/* How long a segment's jobs are there, and how late they come: the claims whose sum is less. */
struct presence {
	struct fact stay, jitter;
	bool by_segment;
};

static struct presence presence_of(struct finder *f, int index)
{
	const struct claims *by = f->by[f->work->parts[index].context];
	struct presence serial = {FACT_UNKNOWN, FACT_UNKNOWN, false};
	if (by != NULL)
		serial = (struct presence){by->of_part[index], bounds_jitter(f->work, index, by->of_part), false};
	if (!may_count(f, index))
		return serial;
	struct presence own = {f->segments->of_part[index], f->segments->jitters[index], true};
	return checked_add(own.stay.value, own.jitter.value) < checked_add(serial.stay.value, serial.jitter.value) ? own : serial;
}

static bool all_by_segment(struct finder *f, int context)
{
	struct listed parts = lists_of(&f->work->parts_of_context, context);
	int count = 0;
	for (int i = 0; i < parts.count && f->segments != NULL; i++)
		count += presence_of(f, parts.items[i]).by_segment;
	return f->segments != NULL && count == parts.count;
}

/* ---- what a segment's jobs want */

static struct want want_of(struct finder *f, int index)
{
	const struct part *part = &f->work->parts[index];
	struct presence presence = presence_of(f, index);
	struct want want = {.context = part->context, .engine = NO_ID, .work = NONE, .stays = presence.stay.value};
	want.arrivals = (struct arrivals_at){
		&f->check->set->tasks[part->task].arrival, presence.jitter.value, part->number == 0 && part->host_most == 0};
	return want;
}

static void list(struct finder *f, int index, const char *role, struct fact work)
{
	const struct part *part = &f->work->parts[index];
	const struct task *task = &f->check->set->tasks[part->task];
	struct presence presence = presence_of(f, index);
	struct fact *fact = &f->turns->fact;
	fact_from(f->check, fact, "T", fact_given(f->check, task->arrival.period, "task:%s@period", task->id));
	fact_from(f->check, fact, "J", presence.jitter);
	fact_from(f->check, fact, "A", presence.stay);
	fact_from(f->check, fact, role, work);
}

static void add_want(struct finder *f, struct turn *turn, int index)
{
	const struct part *part = &f->work->parts[index];
	struct want *want = &turn->wants[turn->want_count];
	enum runs runs = turn->copies ? RUNS_ON_COPY_ENGINE : RUNS_ON_SMS;
	int64_t operations = bounds_operations(f->work, part, runs);
	if (operations == 0)
		return;
	struct fact work = bounds_cost(f->work, part, turn->copies ? BOUNDS_TRANSFERS : f->volume ? BOUNDS_DISPATCHED : BOUNDS_KERNELS);
	*want = want_of(f, index);
	want->operations = operations;
	want->work = work.value;
	list(f, index, "x", work);
	if (f->volume && !turn->copies) {
		struct fact volume = bounds_cost(f->work, part, BOUNDS_VOLUMES);
		want->volume = volume.value;
		fact_from(f->check, &f->turns->fact, "v", volume);
	}
	turn->want_count++;
}

static struct turn *add_turn(struct finder *f, int context, bool copies, struct fact slice)
{
	struct turn *turn = &f->turns->items[f->turns->count++];
	*turn = (struct turn){.context = context, .copies = copies, .slice = slice.value, .share = 1, .longest = slice.value};
	turn->level = f->work->owners[context].interleave;
	turn->anything = checked_is_none(f->stay[context].value) && !all_by_segment(f, context);
	fact_from(f->check, &f->turns->fact, "L", slice);
	return turn;
}

static void add_wants(struct finder *f, struct turn *turn)
{
	struct listed parts = lists_of(&f->work->parts_of_context, turn->context);
	turn->wants = arena_allocate(f->check->arena, (size_t)parts.count + 1, sizeof *turn->wants);
	for (int i = 0; i < parts.count && !turn->anything; i++)
		add_want(f, turn, parts.items[i]);
}

/* A turn that is under way: has it refilled all caches for what has begun? It has where everything is on one stream, unless a stop came. */
static void add_cold(struct finder *f, struct turn *turn, const struct owner *owner)
{
	struct fact refill = f->work->parameters[PARAMETER_SWITCH_REFILL];
	bool stops = !checked_is_none(platform_value(f->check->platform, PARAMETER_STOPS_LENGTH));
	turn->longest = owner->turn.value;
	if (owner->turn.node != owner->slice.node)
		fact_from(f->check, &f->turns->fact, "L", owner->turn);
	if (refill.node == NULL || (owner->kernel_streams == 1 && !stops))
		return;
	turn->cold = refill.value;
	fact_from(f->check, &f->turns->fact, "refill", refill);
}

/* Nothing of the context ever waits elsewhere than at the execution engine, and nothing breaks the order of turns or makes them shorter. */
static bool is_awake(const struct finder *f, const struct turn *turn)
{
	const struct work *work = f->work;
	struct listed parts = lists_of(&work->parts_of_context, turn->context);
	bool awake = !work->between.levels && !work->ranked && checked_is_none(platform_value(f->check->platform, PARAMETER_STOPS_LENGTH));
	for (int k = 0; k < parts.count; k++) {
		const struct part *part = &work->parts[parts.items[k]];
		for (int i = part->first; i < part->first + part->count; i++) {
			const struct piece *piece = &work->pieces[i];
			bool at_engine = piece->runs == RUNS_ON_SMS && piece->turns == 1 && piece->dependency.value == 0;
			awake = awake && at_engine && f->check->set->operations[i].hold == 0;
		}
	}
	return awake && turn->longest == turn->slice;
}

static void add_kernels(struct finder *f, int context)
{
	const struct owner *owner = &f->work->owners[context];
	struct turn *turn = add_turn(f, context, false, owner->slice);
	turn->overrun = owner->overrun.value;
	add_cold(f, turn, owner);
	turn->awake = is_awake(f, turn);
	fact_from(f->check, &f->turns->fact, "Omega", owner->overrun);
	if (!f->volume && checked_is_none(f->order[context].value) && !all_by_segment(f, context))
		turn->anything = true;
	if (!turn->anything && f->volume) {
		struct fact g = bounds_nonempty(f->work, context);
		turn->share = g.value;
		turn->grids = owner->grids;
		fact_from(f->check, &f->turns->fact, "g", g);
	}
	if (!turn->anything && !f->volume && !checked_is_none(f->order[context].value))
		f->turns->fact.assumptions |= f->order[context].assumptions;
	add_wants(f, turn);
}

/* ---- copies where contexts share engines */

static void add_copies_of(struct finder *f, int index, int engine)
{
	const struct part *part = &f->work->parts[index];
	struct want *want = &f->turns->copies[f->turns->copy_count];
	struct fact *transfers = arena_allocate(f->check->arena, (size_t)part->count + 1, sizeof *transfers);
	int count = 0;
	for (int i = part->first; i < part->first + part->count; i++)
		if (f->work->pieces[i].runs == RUNS_ON_COPY_ENGINE && f->work->pieces[i].engine == engine)
			transfers[count++] = f->work->pieces[i].transfer;
	if (count == 0)
		return;
	*want = want_of(f, index);
	want->engine = engine;
	f->turns->copy_count++;
	if (checked_is_none(want->stays))
		return;
	struct fact work = fact_sum(f->check, part->about, transfers, count);
	want->work = work.value;
	list(f, index, "e", work);
}

static void add_copies(struct finder *f)
{
	int most = -1;
	for (int i = 0; i < f->check->set->operation_count; i++)
		if (f->work->pieces[i].runs == RUNS_ON_COPY_ENGINE && f->work->pieces[i].engine > most)
			most = f->work->pieces[i].engine;
	for (int engine = 0; engine <= most; engine++)
		for (int i = 0; i < f->work->part_count; i++)
			add_copies_of(f, i, engine);
}

static struct finder begin(struct work *work, bool volume, const struct claims *claims)
{
	struct arena *arena = work->check->arena;
	size_t contexts = (size_t)work->owner_count + 1;
	struct finder f = {.work = work,
		.check = work->check,
		.volume = volume,
		.turns = arena_allocate(arena, 1, sizeof *f.turns),
		.stay = arena_allocate(arena, contexts, sizeof *f.stay),
		.by = arena_allocate(arena, contexts, sizeof *f.by),
		.order = arena_allocate(arena, contexts, sizeof *f.order)};
	choose(&f, claims);
	return f;
}

static const struct turns *find(struct finder f)
{
	struct work *work = f.work;
	struct check *check = work->check;
	struct turns *turns = f.turns;
	size_t contexts = (size_t)work->owner_count + 1;
	bool shares = work->owner_count > 1 && work->copies_shared;
	if (!work->sliced && !shares)
		return turns;
	turns->items = arena_allocate(check->arena, 2 * contexts, sizeof *turns->items);
	turns->copies = arena_allocate(check->arena, (size_t)check->set->operation_count + 1, sizeof *turns->copies);
	turns->fact = fact_make(check, RULE_TURNS, "gpu", 0);
	turns->theta = work->theta.value;
	turns->between = &work->between;
	if (work->sliced)
		fact_from(check, &turns->fact, "theta", work->theta);
	for (int i = 0; i < work->owner_count && work->sliced; i++) {
		if (work->owners[i].kernels)
			add_kernels(&f, i);
		if (work->owners[i].copies && work->copies_sliced)
			add_wants(&f, add_turn(&f, i, true, work->parameters[PARAMETER_RUNLIST_COPY_TIMESLICE]));
	}
	if (shares)
		add_copies(&f);
	turns->fact.value = turns->count; /* an unknown slice is refused where it matters */
	fact_settle(&turns->fact);
	return turns;
}

const struct turns *turns_find(struct work *work, bool volume, const struct claims *claims)
{
	return find(begin(work, volume, claims));
}

const struct turns *turns_find_shorter(struct work *work, const struct turns *serial, const struct claims *claims)
{
	struct finder f = begin(work, false, claims);
	bool any = false;
	f.segments = &claims[CLAIMED_H];
	f.granted = serial->fact.assumptions;
	if (platform_grants(work->check->platform, ASSUMPTION_CE))
		f.granted |= ASSUMED(CE); /* what takes these turns has it anyway */
	for (int i = 0; i < work->part_count && serial->fact.node != NULL; i++)
		any = any || presence_of(&f, i).by_segment;
	return any ? find(f) : serial;
}

/* ---- one context */

static const struct turn *turn_of(const struct turns *turns, int context, bool copies)
{
	for (int i = 0; i < turns->count; i++)
		if (turns->items[i].copies == copies && turns->items[i].context == context)
			return &turns->items[i];
	return NULL;
}

bool service_make(const struct work *work, const struct turns *turns, int context, bool of_copies, struct service *service)
{
	const struct owner *owner = &work->owners[context];
	int64_t length = work->parameters[PARAMETER_STOPS_LENGTH].value, distance = work->parameters[PARAMETER_STOPS_DISTANCE].value;
	*service = (struct service){.turns = turns, .context = context, .stop = work->stop.value, .distance = distance};
	service->stops = !checked_is_none(length) && !checked_is_none(distance);
	service->own = turn_of(turns, context, of_copies);
	if (owner->streams == 1) /* its kernels and its copies are never there together */
		service->never = turn_of(turns, context, !of_copies);
	if (service->own != NULL && checked_is_none(of_copies ? owner->copy_gap.value : owner->kernel_gap.value))
		return false;
	return true;
}

int64_t service_stopped(const struct service *service, int64_t window)
{
	return service->stops ? checked_mul(checked_div_ceil(window, service->distance), service->stop) : 0;
}

static int64_t there(const struct want *want, int64_t window)
{
	return bounds_arrivals(&want->arrivals, checked_add(window, want->stays));
}

/* What all jobs of an entry that are there in the window want, and in how many operations. */
static int64_t wanted(const struct turn *turn, int64_t window, int64_t *operations)
{
	int64_t work = 0, volume = 0;
	*operations = 0;
	for (const struct want *want = turn->wants; want < turn->wants + turn->want_count; want++) {
		int64_t jobs = there(want, window);
		work = checked_add(work, checked_mul(jobs, want->work));
		volume = checked_add(volume, checked_mul(jobs, want->volume));
		*operations = checked_add(*operations, checked_mul(jobs, want->operations));
	}
	return checked_add(work, work_spread(volume, turn->share, turn->grids));
}

/* A piece waits at its beginning, and behind each slice that it fills. */
static int64_t waits(const struct piece_of_service *pieces, int64_t stopped)
{
	const struct turn *own = pieces->service->own;
	if (own == NULL || pieces->count == 0)
		return 0;
	int64_t slices = checked_div_ceil(checked_add(pieces->served, stopped), own->slice);
	return checked_add(pieces->count - 1, checked_max(1, slices));
}

/* What comes in the window, and a slice of what came before it. */
static int64_t newly_wanted(const struct turn *turn, int64_t window)
{
	int64_t work = turn->slice, volume = 0;
	for (int i = 0; i < turn->want_count; i++) {
		int64_t jobs = bounds_arrivals(&turn->wants[i].arrivals, window);
		work = checked_add(work, checked_mul(turn->wants[i].work, jobs));
		volume = checked_add(volume, checked_mul(turn->wants[i].volume, jobs));
	}
	return checked_add(work, work_spread(volume, turn->share, turn->grids));
}

/* What an entry takes that may have so many turns; *begun grows by those that begin. unparted: what is served has one piece, in whole
 * slices. */
static int64_t taken(const struct turn *turn, int64_t turns, int64_t stopped, int64_t window, bool unparted, int64_t theta, int64_t *begun)
{
	int64_t operations = 0, most = checked_mul(turns, turn->longest), begin = turns, drained = turns;
	if (!turn->anything) {
		int64_t work = wanted(turn, window, &operations);
		if (unparted && turn->awake)
			work = checked_min(work, newly_wanted(turn, window));
		int64_t full = checked_div_floor(checked_add(work, stopped), turn->slice);
		if (operations == 0)
			return 0;
		most = checked_min(most, work);
		begin = checked_min(begin, checked_add(full, operations));
		drained = checked_min(drained, checked_add(full, 1));
	}
	*begun = checked_add(*begun, begin);
	most = checked_add(most, checked_mul(begin, theta));
	most = checked_add(most, begin < turns ? turn->cold : 0);
	return checked_add(most, checked_mul(drained, turn->overrun));
}

/* In how many of the waits, of kernels and of copies, the entry may have a turn. */
static int64_t may_have(const struct turn *turn, const struct piece_of_service *kernels, const struct piece_of_service *copies,
	int64_t of_kernels, int64_t of_copies)
{
	int64_t most = 0;
	if (turn != kernels->service->own && turn != kernels->service->never)
		most = of_kernels;
	if (turn != copies->service->own && turn != copies->service->never)
		most = checked_add(most, of_copies);
	return most;
}

/* What entries have, those below the own one first: of these one has one turn in each wait, whatever each of them wants. */
static int64_t taken_by_all(const struct piece_of_service *kernels, const struct piece_of_service *copies, const int64_t waits[2],
	int64_t stopped, int64_t window, int64_t *begun)
{
	const struct turns *turns = kernels->service->turns;
	int own = (kernels->service->own != NULL ? kernels : copies)->service->own->level;
	const struct turn *waiting = (waits[0] > 0 ? kernels : copies)->service->own;
	bool unparted = waiting->longest == waiting->slice && (waits[0] > 0 ? kernels : copies)->service->never == NULL &&
			(waits[0] > 0 ? kernels->count : 0) + (waits[1] > 0 ? copies->count : 0) == 1;
	int64_t below = 0, below_begun = 0, longest = 0, sum = 0, all = checked_add(waits[0], waits[1]);
	for (const struct turn *turn = turns->items; turn < turns->items + turns->count; turn++) {
		bool is_below = turns->between->levels && (int)turn->level < own;
		int64_t most = may_have(turn, kernels, copies, waits[0], waits[1]), one = 0;
		if (turns->between->levels && !is_below)
			most = checked_mul(most, turns->between->turns[own][turn->level]);
		one = taken(turn, most, stopped, window, unparted, turns->theta, is_below ? &below_begun : begun);
		if (is_below && one > 0)
			longest = checked_max(longest, checked_add(checked_add(turn->longest, turn->overrun), turns->theta));
		below = checked_add(below, is_below ? one : 0);
		sum = checked_add(sum, is_below ? 0 : one);
	}
	*begun = checked_add(*begun, checked_min(below_begun, all));
	return checked_add(sum, checked_min(below, checked_mul(all, longest)));
}

int64_t service_others(struct piece_of_service kernels, struct piece_of_service copies, int64_t stopped, int64_t window)
{
	const struct turns *turns = kernels.service->turns;
	int64_t of_kernels = waits(&kernels, stopped), of_copies = waits(&copies, stopped), all = checked_add(of_kernels, of_copies);
	int64_t begun = 0, pieces = (of_kernels > 0 ? kernels.count : 0) + (of_copies > 0 ? copies.count : 0);
	if (all == 0)
		return 0;
	int64_t sum = taken_by_all(&kernels, &copies, (const int64_t[]){of_kernels, of_copies}, stopped, window, &begun);
	sum = checked_add(sum, checked_mul(checked_min(all, checked_add(begun, pieces)), turns->theta));
	if (of_kernels > 0 && checked_add(begun, pieces) > all)
		sum = checked_add(sum,
			checked_mul(checked_min(kernels.count, checked_sub(checked_add(begun, pieces), all)), kernels.service->own->cold));
	if (of_kernels > 0)
		sum = checked_add(sum, checked_mul(checked_min(of_kernels, begun), kernels.service->own->overrun));
	return sum;
}

/* One piece of kernels or of copies. */
static int64_t others_alone(const struct service *service, int64_t served, int64_t stopped, int64_t window)
{
	const struct piece_of_service nothing = {service, 0, 0}, one = {service, served, 1};
	return service->own != NULL && service->own->copies ? service_others(nothing, one, stopped, window)
							    : service_others(one, nothing, stopped, window);
}

int64_t service_foreign(const struct service *service, int engine, int64_t window)
{
	int64_t sum = 0;
	for (const struct want *want = service->turns->copies; want < service->turns->copies + service->turns->copy_count; want++)
		if (want->context != service->context && want->engine == engine)
			sum = checked_add(sum, checked_mul(there(want, window), want->work));
	return sum;
}

int64_t service_end(const struct service *service, int engine, int64_t work, int64_t window)
{
	int64_t stopped = service_stopped(service, window), foreign = 0;
	if (engine >= 0)
		foreign = service_foreign(service, engine, window);
	int64_t others = others_alone(service, work, stopped, window);
	return checked_add(checked_add(work, foreign), checked_add(stopped, others));
}

/* What begins then has a turn that is not yet over, and windows are closed. */
int64_t service_start(const struct service *service, int64_t work, int64_t window)
{
	int64_t length = checked_add(window, 1), stopped = service_stopped(service, length);
	int64_t others = others_alone(service, checked_add(work, 1), stopped, length);
	return checked_add(work, checked_add(stopped, others));
}

int64_t service_least_end(const struct service *service, int engine, int64_t work, int64_t horizon)
{
	int64_t window = work;
	for (int i = 0; i < LIMIT_ITERATIONS && window <= horizon; i++) {
		int64_t next = service_end(service, engine, work, window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}
