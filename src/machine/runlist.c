/* The runlist: contexts take turns on the execution engine, and copies with them where they share it (D13, D14). */
#include "machine/machine_parts.h"

static bool copies_pending(const struct machine *machine, int process)
{
	const struct copies *copies = &machine->copies[process];
	return machine->runlist.copies && copies->waiting + copies->underway > 0;
}

/* Who holds the GPU keeps others from it, not its own copies. */
static bool pending(const struct machine *machine, int slot)
{
	int who = machine->runlist.slots[slot];
	if (who < 0)
		return copies_pending(machine, copies_slot(who));
	return engine_pending(&machine->processes[who]) || (machine->held[who] > 0 && !copies_pending(machine, who));
}

static int64_t level_of(const struct machine *machine, int slot)
{
	int who = machine->runlist.slots[slot];
	return machine->runlist.levels == NULL ? 0 : machine->runlist.levels[who < 0 ? copies_slot(who) : who];
}

/* The next slot in the round with work, of the highest level that has work; NO_ID: nobody has. The loaded one comes last. */
static int next_slot(struct machine *machine)
{
	const struct runlist *runlist = &machine->runlist;
	int best = NO_ID;
	for (int i = 1; i <= runlist->count; i++) {
		int slot = (runlist->at + i) % runlist->count;
		bool passes = best != NO_ID && machine->switches.turns_stray && random_chance(&machine->random, 50);
		if (pending(machine, slot) && (best == NO_ID || passes || level_of(machine, slot) < level_of(machine, best)))
			best = slot;
	}
	return best;
}

static void set_phase(struct machine *machine, enum runlist_phase phase)
{
	struct runlist *runlist = &machine->runlist;
	bool on = phase == RUNLIST_RUNNING || phase == RUNLIST_LEAVING;
	int who = runlist->slots[runlist->at];
	runlist->phase = phase;
	machine->active = on && who >= 0 ? &machine->processes[who] : NULL;
	clocks_set(machine);
}

static int application_at(const struct machine *machine)
{
	int who = machine->runlist.slots[machine->runlist.at];
	return who < 0 ? NO_ID : who;
}

/* While a chip stands its slices' timers may stand, too, those of slices that begin meanwhile included. */
static void set_slice(struct machine *machine, int64_t length)
{
	struct runlist *runlist = &machine->runlist;
	bool stands = machine->switches.slices_stand && machine->stopped_whole;
	runlist->left = stands ? length : NONE;
	runlist->slice_end = checked_add(machine->now, length);
	runlist->generation = (runlist->generation + 1) & 0xffffff;
	if (!stands)
		timer_set(machine, runlist->slice_end, TIMER_SLICE, runlist->generation);
}

/* How long whoever goes on with kernels or a sequence fills its caches: as if nothing ran meanwhile, at the beginning of its slice. */
static int64_t refilling(const struct machine *machine, int slot)
{
	int who = machine->runlist.slots[slot], begun = 0;
	for (int i = 0; who >= 0 && i < machine->processes[who].count; i++)
		begun += machine->processes[who].units[i].begun + machine->processes[who].units[i].partial;
	return machine->runlist.refills && begun > 0 ? machine->runlist.refill : 0;
}

static void begin_slice(struct machine *machine, int slot)
{
	struct runlist *runlist = &machine->runlist;
	runlist->at = slot;
	runlist->expired = false;
	int64_t times = machine->switches.turns_stray ? random_between(&machine->random, 1, 3) : 1;
	set_slice(machine, checked_max(1, checked_mul(runlist->slices[slot], times) - refilling(machine, slot)));
	set_phase(machine, RUNLIST_RUNNING);
	see(machine, SIGHT_SLICE_BEGIN, NULL, application_at(machine), NULL);
}

static void end_slice(struct machine *machine)
{
	see(machine, SIGHT_SLICE_END, NULL, application_at(machine), NULL);
	machine->runlist.generation = (machine->runlist.generation + 1) & 0xffffff;
	machine->runlist.expired = false;
	set_phase(machine, RUNLIST_IDLE);
}

#define STRAYS_MOST 1000000 /* ns: an entry without work has its turn for so long at most */

/* Whoever is loaded goes on without a switch. */
static void go_to(struct machine *machine, int slot)
{
	struct runlist *runlist = &machine->runlist;
	bool loaded = runlist->slots[slot] == runlist->slots[runlist->at];
	runlist->refills = !loaded;
	int64_t switching = loaded ? 0 : overhead_next(machine, runlist->switching) + refilling(machine, slot);
	if (machine->switches.turns_stray && random_chance(&machine->random, 50))
		switching += random_between(&machine->random, 0, checked_min(runlist->slices[slot], STRAYS_MOST));
	if (switching == 0) {
		begin_slice(machine, slot);
		return;
	}
	runlist->at = slot;
	set_phase(machine, RUNLIST_SWITCHING);
	timer_set(machine, machine->now + switching, TIMER_SWITCH, 0);
}

static bool has_left(const struct machine *machine)
{
	if (machine->active == NULL || machine->switches.granularity == GRANULARITY_INSTRUCTION)
		return true;
	if (machine->switches.granularity == GRANULARITY_KERNEL)
		return process_partial(machine->active) == 0;
	return process_residents(machine->active) == 0;
}

/* A slice is over, or somebody of a higher level has work: who is next? */
static void consider_leaving(struct machine *machine)
{
	struct runlist *runlist = &machine->runlist;
	if (!runlist->expired && runlist->levels == NULL)
		return;
	int next = next_slot(machine);
	bool other = runlist->slots[next] != runlist->slots[runlist->at];
	bool outranked = other && level_of(machine, next) < level_of(machine, runlist->at);
	if (!runlist->expired && !outranked)
		return;
	if (!other) {
		end_slice(machine);
		runlist->refills = false;
		begin_slice(machine, next);
	} else
		set_phase(machine, RUNLIST_LEAVING);
}

void runlist_settle(struct machine *machine)
{
	struct runlist *runlist = &machine->runlist;
	if (runlist->phase == RUNLIST_SWITCHING || machine->stopped_whole)
		return;
	if (runlist->phase == RUNLIST_RUNNING && pending(machine, runlist->at))
		consider_leaving(machine);
	if (runlist->phase == RUNLIST_LEAVING && pending(machine, runlist->at) && !has_left(machine))
		return;
	if (runlist->phase == RUNLIST_LEAVING || (runlist->phase == RUNLIST_RUNNING && !pending(machine, runlist->at)))
		end_slice(machine);
	if (runlist->phase == RUNLIST_IDLE) {
		int next = next_slot(machine);
		if (next != NO_ID)
			go_to(machine, next);
	}
}

void runlist_timer(struct machine *machine, enum timer timer, uint32_t generation)
{
	struct runlist *runlist = &machine->runlist;
	if (timer == TIMER_SWITCH)
		begin_slice(machine, runlist->at);
	else if (generation == runlist->generation)
		runlist->expired = true;
}

void runlist_stopped(struct machine *machine, bool stopped)
{
	struct runlist *runlist = &machine->runlist;
	if (!runlist->used || !machine->switches.slices_stand || runlist->phase != RUNLIST_RUNNING)
		return;
	if (stopped && !runlist->expired)
		set_slice(machine, runlist->slice_end - machine->now);
	else if (!stopped && runlist->left != NONE)
		set_slice(machine, runlist->left);
}

/* ---- at the start */
static bool copies_share(const struct machine *machine)
{
	enum copy_runlist kind = machine->platform->copy_runlist;
	bool shared = kind == COPY_RUNLIST_SHARED || (kind == COPY_RUNLIST_UNKNOWN && machine->switches.shared_runlist);
	return shared && machine->engine_count > 0;
}

#define LONG_SLICE INT64_C(1000000000000000) /* of a context that is alone at its priority: when it ends nothing changes */

static int64_t slice_of(const struct machine *machine, int who)
{
	int64_t common = platform_value(machine->platform, PARAMETER_RUNLIST_TIMESLICE), own = NONE;
	if (who < 0)
		own = platform_value(machine->platform, PARAMETER_RUNLIST_COPY_TIMESLICE);
	else
		own = machine->set->applications[who].timeslice;
	int64_t slice = own == NONE ? common : own;
	return slice == NONE && who >= 0 && !taskset_lacks_slice(machine->set, who) ? LONG_SLICE : slice;
}

void machine_hold(struct machine *machine, int operation, int more)
{
	for (int t = 0; t < machine->set->task_count && machine->set->operations[operation].held; t++) {
		const struct task *task = &machine->set->tasks[t];
		bool of = operation >= task->first_operation && operation < task->first_operation + task->operation_count;
		int context = of && task->application != NO_ID ? taskset_context(machine->set, task->application) : NO_ID;
		if (context != NO_ID && machine->set->applications[context].priority != NONE)
			machine->held[context] += more;
	}
}

/* Best-effort contexts come behind all that have a priority: NONE is the greatest number. */
static const int64_t *levels_of(const struct machine *machine)
{
	int64_t *levels = arena_allocate(machine->arena, (size_t)machine->process_count + 1, sizeof *levels);
	for (int i = 0; i < machine->process_count && machine->set->ranked; i++)
		levels[i] = machine->set->applications[i].priority;
	return machine->set->ranked ? levels : NULL;
}

static bool has_work(const struct machine *machine, int context, enum work_kind kind)
{
	for (int i = 0; i < machine->set->operation_count; i++)
		if (machine->works[i].context == context && machine->works[i].kind == kind)
			return true;
	return false;
}

static void add_slots(struct runlist *runlist, const int *entries, int count, const int *levels, int level)
{
	for (int i = 0; i < count; i++)
		if (levels[i] == level)
			runlist->slots[runlist->count++] = entries[i];
}

static void add_medium(struct runlist *runlist, const int *entries, int count, const int *levels)
{
	for (int i = 0; i < count; i++)
		if (levels[i] == INTERLEAVE_MEDIUM) {
			add_slots(runlist, entries, count, levels, INTERLEAVE_HIGH);
			runlist->slots[runlist->count++] = entries[i];
		}
}

/* A-INTERLEAVE: the round with levels of those that are in it once. */
static void interleave(struct machine *machine)
{
	struct runlist *runlist = &machine->runlist;
	const int *entries = runlist->slots;
	int count = runlist->count, *levels = arena_allocate(machine->arena, (size_t)count + 1, sizeof *levels);
	size_t of[INTERLEAVE_COUNT] = {0};
	for (int i = 0; i < count; i++) {
		levels[i] = (int)machine->set->applications[entries[i] < 0 ? copies_slot(entries[i]) : entries[i]].interleave;
		of[levels[i]]++;
	}
	size_t low = of[INTERLEAVE_LOW], medium = of[INTERLEAVE_MEDIUM] * (of[INTERLEAVE_HIGH] + 1);
	runlist->slots = arena_allocate(machine->arena, medium + low * (medium + of[INTERLEAVE_HIGH] + 1), sizeof *runlist->slots);
	runlist->count = 0;
	for (int i = 0; i < count; i++)
		if (levels[i] == INTERLEAVE_LOW) {
			add_medium(runlist, entries, count, levels);
			add_slots(runlist, entries, count, levels, INTERLEAVE_HIGH);
			runlist->slots[runlist->count++] = entries[i];
		}
	if (low == 0)
		add_medium(runlist, entries, count, levels);
}

static void list_slots(struct machine *machine, bool copies)
{
	struct runlist *runlist = &machine->runlist;
	const struct switches *switches = &machine->switches;
	int contexts = switches->slots == NULL ? machine->process_count : switches->slot_count;
	runlist->slots = arena_allocate(machine->arena, (size_t)contexts + (size_t)machine->process_count, sizeof *runlist->slots);
	for (int i = 0; i < contexts; i++)
		if (switches->slots != NULL || taskset_clients(machine->set, i) > 0)
			runlist->slots[runlist->count++] = switches->slots == NULL ? i : switches->slots[i];
	runlist->copies = copies;
	for (int i = 0; i < machine->process_count && copies; i++)
		if (has_work(machine, i, WORK_COPY))
			runlist->slots[runlist->count++] = copies_slot(i);
	if (machine->set->interleaved && switches->slots == NULL)
		interleave(machine);
}

static int contexts_at_work(const struct machine *machine)
{
	int count = 0;
	for (int c = 0; c < machine->process_count; c++)
		count += has_work(machine, c, WORK_KERNEL) || has_work(machine, c, WORK_COPY);
	return count;
}

/* Who may want the execution engine: contexts with kernels, those with copies where these share its runlist, and those whose threads hold
 * it. */
static int entries(const struct machine *machine)
{
	int count = 0;
	for (int c = 0; c < machine->process_count; c++) {
		bool copies = copies_share(machine) && has_work(machine, c, WORK_COPY), kernels = has_work(machine, c, WORK_KERNEL);
		count += kernels + copies + (!kernels && !copies && machine->set->ranked && taskset_holds(machine->set, c));
	}
	return count;
}

static int streams_at_work(const struct machine *machine)
{
	int count = 0;
	for (int s = 0; s < machine->set->stream_count; s++)
		for (int i = 0; i < machine->set->operation_count; i++)
			if (machine->works[i].stream == s && machine->works[i].kind <= WORK_COPY) {
				count++;
				break;
			}
	return count;
}

static struct process *the_only_process(const struct machine *machine)
{
	for (int c = 0; c < machine->process_count; c++)
		if (has_work(machine, c, WORK_KERNEL))
			return &machine->processes[c];
	return &machine->processes[0];
}

static bool has_slot(const struct machine *machine, int context)
{
	for (int i = 0; i < machine->runlist.count; i++)
		if (machine->runlist.slots[i] == context)
			return true;
	return false;
}

static const char *fault(const struct machine *machine)
{
	const struct runlist *runlist = &machine->runlist;
	for (int i = 0; i < runlist->count; i++)
		if (runlist->slices[i] == NONE || runlist->slices[i] < 1)
			return "several applications share the GPU, and nothing says how long a slice is (runlist.timeslice)";
	for (int c = 0; c < machine->process_count; c++)
		if (taskset_clients(machine->set, c) > 0 && !has_slot(machine, c))
			return "an application has no slot in the runlist";
	return NULL;
}

bool runlist_init(struct machine *machine, struct refusal *refusal)
{
	struct runlist *runlist = &machine->runlist;
	int64_t switching = platform_value(machine->platform, PARAMETER_RUNLIST_SWITCH);
	bool alone = machine->switches.turns_alone && streams_at_work(machine) > 1;
	machine->held = arena_allocate(machine->arena, (size_t)machine->process_count + 1, sizeof *machine->held);
	runlist->used = (contexts_at_work(machine) > 1 || alone) && entries(machine) > 1;
	machine->active = runlist->used ? NULL : the_only_process(machine);
	clocks_set(machine);
	if (!runlist->used)
		return true;
	list_slots(machine, copies_share(machine));
	runlist->levels = machine->switches.turns_stray ? NULL : levels_of(machine);
	int64_t refill = platform_value(machine->platform, PARAMETER_SWITCH_REFILL);
	runlist->switching = switching == NONE ? 0 : switching;
	runlist->refill = refill == NONE ? 0 : refill;
	runlist->slices = arena_allocate(machine->arena, (size_t)runlist->count, sizeof *runlist->slices);
	for (int i = 0; i < runlist->count; i++)
		runlist->slices[i] = slice_of(machine, runlist->slots[i]);
	*refusal = (struct refusal){fault(machine), NO_ID};
	if (refusal->text != NULL)
		return false;
	runlist->at = machine->switches.in_order ? 0 : (int)random_below(&machine->random, (uint64_t)runlist->count);
	clocks_set(machine);
	return true;
}
