/* The tasks of an AMALTHEA model: what is on cores becomes host segments, what is on a GPU kernels and copies.
 *
 * A task on a core that triggers a task on the GPU is one task with it: a job's thread issues the work and waits for it. A runnable on the
 * GPU that has ticks is a kernel; one without, which writes labels, is a copy of these. */
#include "import/amalthea.h"
#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

#define MOST 1024 /* tasks, and allocations of each kind */
#define TICKS "AMALTHEA, upper bound of ticks at the clock of the core"
#define LABELS "AMALTHEA, sizes of labels"

struct placed_task {
	const struct named_node *named;
	const char *const *stimuli;
	int stimulus_count;
	int *cores, core_count, core_capacity;
	bool gpu;
	const char *priority; /* a higher number is a higher one; NULL: the model does not say */
	struct amalthea_server server;
};

struct shaping {
	struct amalthea *model;
	struct arena *arena;
	struct placed_task *tasks;
	struct output no_core; /* names */
	/* of the task that is being made */
	int lane;
	const struct placed_task *task;
	bool issued;       /* GPU work is under way that nothing has waited for */
	bool passive;      /* it has left its core to wait for some */
	bool active;       /* it has waited for some in another way */
	int kernels;       /* so far in this piece of GPU work */
	struct work *host; /* since the last GPU work, for each of the task's cores */
	const char *first; /* the name of what is in it; NULL: nothing is */
	int parts;         /* how many are in it */
	struct output names;
};

static void complain(const struct shaping *shaping, const struct xml_node *node, const char *expected)
{
	diagnose(shaping->model->build->diagnostics, DIAGNOSTIC_IMPORT_UNSUPPORTED, node->path, node->line, "task '%s': expected %s",
		value_shorten(shaping->arena, shaping->task->named->name, VALUE_SHORT), expected);
}

/* ---- where tasks run */

static void add_core(struct shaping *shaping, struct placed_task *task, const struct xml_node *node, const char *name)
{
	const struct named_node *core = amalthea_find(&shaping->model->cores, name);
	if (core == NULL) {
		diagnose(shaping->model->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, node->path, node->line,
			"expected a core of the model; there is no '%s'", value_shorten(shaping->arena, name, VALUE_SHORT));
		return;
	}
	for (int i = 0; i < task->core_count; i++)
		if (task->cores[i] == core - shaping->model->cores.items)
			return;
	task->cores = arena_grow(shaping->arena, task->cores, &task->core_capacity, task->core_count + 1, sizeof *task->cores);
	task->cores[task->core_count++] = (int)(core - shaping->model->cores.items);
}

static int add_cores(struct shaping *shaping, struct placed_task *task, const struct xml_node *node, const char *attribute)
{
	int count;
	const char *const *names = amalthea_references(shaping->model, node, attribute, &count);
	for (int i = 0; i < count; i++)
		add_core(shaping, task, node, names[i]);
	return count;
}

/* The cores that a scheduler is given: those on which it runs what it schedules, before 0.9.0 those that it is responsible for. */
static void add_scheduler(struct shaping *shaping, struct placed_task *task, const char *scheduler)
{
	const struct named_list *list = &shaping->model->scheduler_allocations;
	for (int i = 0; i < list->count; i++) {
		const struct xml_node *node = list->items[i].node;
		const char *name = amalthea_reference(shaping->model, node, "scheduler");
		if (name == NULL || scheduler == NULL || strcmp(name, scheduler) != 0)
			continue;
		if (add_cores(shaping, task, node, "responsibility") == 0)
			add_cores(shaping, task, node, "executingPU");
	}
}

/* <schedulingParameters priority="5"/>; since 1.0.0 <schedulingParameters key="priority"> with a value. */
static const char *priority_of(const struct xml_node *allocation)
{
	for (const struct xml_node *child = allocation->first; child != NULL; child = child->next) {
		const char *key = node_get(child, "key"), *priority = node_get(child, "priority");
		bool parameter = node_is(child, "schedulingParameters") || node_is(child, "taskSchedulingParameters");
		if (parameter && key != NULL && strcmp(key, "priority") == 0)
			priority = node_get(node_child(child, "value"), "value");
		if (parameter && priority != NULL)
			return priority;
	}
	return NULL;
}

static void allocate(struct shaping *shaping, const struct xml_node *node)
{
	const char *name = amalthea_reference(shaping->model, node, "task");
	const struct named_node *named = amalthea_find(&shaping->model->tasks, name);
	if (named == NULL) {
		diagnose(shaping->model->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, node->path, node->line,
			"expected a task of the model; there is no '%s'",
			value_shorten(shaping->arena, name != NULL ? name : "", VALUE_SHORT));
		return;
	}
	struct placed_task *task = &shaping->tasks[named - shaping->model->tasks.items];
	task->priority = priority_of(node);
	task->server = amalthea_server_of(shaping->model, node);
	if (add_cores(shaping, task, node, "affinity") == 0)
		add_scheduler(shaping, task, amalthea_reference(shaping->model, node, "scheduler"));
	if (task->core_count == 0 && task->server.parent != NULL)
		add_scheduler(shaping, task, task->server.parent);
}

static void find_places(struct shaping *shaping)
{
	struct amalthea *model = shaping->model;
	for (int i = 0; i < model->tasks.count; i++) {
		struct placed_task *task = &shaping->tasks[i];
		task->named = &model->tasks.items[i];
		task->stimuli = amalthea_references(model, task->named->node, "stimuli", &task->stimulus_count);
	}
	for (int i = 0; i < model->task_allocations.count; i++)
		allocate(shaping, model->task_allocations.items[i].node);
	for (int i = 0; i < model->tasks.count; i++) {
		struct placed_task *task = &shaping->tasks[i];
		int gpus = 0;
		for (int k = 0; k < task->core_count; k++)
			gpus += model->core[task->cores[k]].gpu;
		task->gpu = gpus > 0;
		shaping->task = task;
		if (gpus > 0 && gpus < task->core_count)
			complain(shaping, task->named->node, "a place on the GPU or on cores; it may run on both");
		if (task->core_count == 0)
			output_print(&shaping->no_core, "%s%s", shaping->no_core.length > 0 ? ", " : "", task->named->name);
	}
}

/* ---- operations */

static void add_item(struct shaping *shaping, struct import_item *item, const char *source, const char *row)
{
	item->measured = item->enlarge = false;
	item->single = true;
	item->source = source;
	item->file = shaping->task->named->node->path;
	item->row = row;
	import_launch(shaping->model->build, shaping->lane, item);
}

/* The greatest of all cores on which it may run; NONE: one of them has no bound. */
static int64_t greatest(const struct shaping *shaping, const struct placed_task *task, const struct work *work)
{
	int64_t greatest_time = task->core_count > 0 ? 0 : NONE;
	for (int i = 0; i < task->core_count; i++)
		greatest_time = checked_max(greatest_time, amalthea_time(shaping->model, &work[i], task->cores[i]));
	return greatest_time;
}

static const char *name_of(struct shaping *shaping, const struct xml_node *node)
{
	const char *name = amalthea_reference(shaping->model, node, "runnable");
	return name != NULL ? name : shaping->task->named->name;
}

/* Ends the host segment, if there is one. */
static void end_host(struct shaping *shaping)
{
	if (shaping->first == NULL)
		return;
	const char *task = shaping->task->named->name, *unbounded = shaping->task->core_count > 0 ? shaping->host[0].unbounded : NULL;
	struct import_item item = import_blank(OPERATION_HOST, shaping->parts == 1 ? shaping->first : task);
	item.longest = greatest(shaping, shaping->task, shaping->host);
	add_item(shaping, &item, TICKS,
		arena_format(shaping->arena, "task %s: %s%s%s", task, value_shorten(shaping->arena, shaping->names.text, VALUE_SHORT),
			item.longest == NONE && unbounded != NULL ? "; no upper bound of " : "",
			item.longest == NONE && unbounded != NULL ? unbounded : ""));
	memset(shaping->host, 0, (size_t)shaping->model->cores.count * sizeof *shaping->host);
	output_finish(&shaping->names);
	shaping->first = NULL;
	shaping->parts = 0;
}

static void add_host(struct shaping *shaping, const struct xml_node *node)
{
	const char *name = name_of(shaping, node);
	if (shaping->issued) {
		complain(shaping, node,
			"a WaitEvent between the InterProcessTrigger of GPU work and what is behind it; a thread that goes on beside its "
			"GPU work "
			"has no place in a task set: make what is behind it a task of its own");
		shaping->issued = false;
	}
	for (int i = 0; i < shaping->task->core_count; i++) {
		struct work work = amalthea_work(shaping->model, node, shaping->task->cores[i]), *sum = &shaping->host[i];
		sum->cycles = shaping->first == NULL ? work.cycles : rational_add(sum->cycles, work.cycles);
		sum->unbounded = sum->unbounded != NULL ? sum->unbounded : work.unbounded;
	}
	output_print(&shaping->names, "%s%s", shaping->parts > 0 ? ", " : "", shaping->names.length < VALUE_SHORT ? name : "");
	shaping->first = shaping->first != NULL ? shaping->first : name;
	shaping->parts++;
}

/* Bytes of the labels that a runnable writes; 0: it writes none. */
static int64_t bytes_written(struct shaping *shaping, const struct xml_node *node)
{
	int64_t sum = 0;
	for (const struct xml_node *child = node->first; child != NULL; child = child->next) {
		const char *access = node_get(child, "access");
		if (strcmp(amalthea_type(child), "LabelAccess") == 0 && access != NULL && strcmp(access, "write") == 0) {
			const struct named_node *label =
				amalthea_find(&shaping->model->labels, amalthea_reference(shaping->model, child, "data"));
			const struct xml_node *size = label != NULL ? node_child(label->node, "size") : NULL;
			sum = checked_add(sum, size != NULL ? rational_ceil(amalthea_quantity(shaping->model, size, UNIT_BYTES)) : NONE);
		}
		sum = checked_add(sum, bytes_written(shaping, child));
	}
	return sum;
}

static void add_copy(struct shaping *shaping, const struct xml_node *node, const char *name)
{
	const struct named_node *runnable = amalthea_find(&shaping->model->runnables, amalthea_reference(shaping->model, node, "runnable"));
	struct import_item item = import_blank(OPERATION_COPY, name);
	item.bytes = runnable != NULL ? bytes_written(shaping, runnable->node) : 0;
	item.direction = shaping->kernels == 0 ? DIRECTION_H2D : DIRECTION_D2H;
	if (item.bytes == 0)
		amalthea_leave(
			shaping->model, arena_format(shaping->arena, "GPU runnable %s without ticks and without written labels", name));
	else
		add_item(shaping, &item, LABELS, arena_format(shaping->arena, "runnable %s: labels that it writes", name));
}

static void add_gpu(struct shaping *shaping, const struct placed_task *task, const struct xml_node *node)
{
	const char *name = name_of(shaping, node);
	struct work *work = arena_allocate(shaping->arena, (size_t)task->core_count, sizeof *work);
	for (int i = 0; i < task->core_count; i++)
		work[i] = amalthea_work(shaping->model, node, task->cores[i]);
	if (!work[0].timed) {
		add_copy(shaping, node, name);
		return;
	}
	struct import_item item = import_blank(OPERATION_KERNEL, name);
	item.scope = SCOPE_GRID;
	item.access = ACCESS_ANY;
	item.longest = greatest(shaping, task, work);
	add_item(shaping, &item, TICKS, arena_format(shaping->arena, "runnable %s", name));
	shaping->kernels++;
}

/* ---- call graphs */

enum step { STEP_NONE, STEP_INSIDE, STEP_WORK, STEP_TRIGGER, STEP_WAIT };

static enum step step_of(const struct xml_node *node)
{
	static const struct {
		const char *type;
		enum step step;
	} types[] = {{"Group", STEP_INSIDE}, {"CallSequence", STEP_INSIDE}, {"InterProcessTrigger", STEP_TRIGGER},
		{"InterProcessActivation", STEP_TRIGGER}, {"WaitEvent", STEP_WAIT}, {"RunnableCall", STEP_WORK},
		{"TaskRunnableCall", STEP_WORK}, {"Ticks", STEP_WORK}, {"ExecutionNeed", STEP_WORK}, {"RunnableInstructions", STEP_WORK},
		{"ModeSwitch", STEP_WORK}, {"ProbabilitySwitch", STEP_WORK}, {"Switch", STEP_WORK}, {"RunnableModeSwitch", STEP_WORK},
		{"RunnableProbabilitySwitch", STEP_WORK}, {"SynchronousServerCall", STEP_WORK}, {"WhileLoop", STEP_WORK},
		{"SemaphoreAccess", STEP_WORK}, {"EnforcedMigration", STEP_WORK}};
	const char *type = amalthea_type(node);
	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strcmp(types[i].type, type) == 0)
			return types[i].step;
	bool graph = node_is(node, "callGraph") || node_is(node, "activityGraph") || node_is(node, "graphEntries");
	return *type == '\0' && graph ? STEP_INSIDE : STEP_NONE;
}

static void walk_gpu(struct shaping *shaping, const struct placed_task *task, const struct xml_node *node)
{
	for (const struct xml_node *child = node->first; child != NULL; child = child->next) {
		enum step step = step_of(child);
		if (step == STEP_INSIDE)
			walk_gpu(shaping, task, child);
		else if (step == STEP_WORK)
			add_gpu(shaping, task, child);
		else if (step == STEP_TRIGGER)
			amalthea_leave(shaping->model, "triggers from the GPU");
	}
}

static bool is_triggered_by(const struct placed_task *task, const char *stimulus)
{
	for (int i = 0; i < task->stimulus_count; i++)
		if (strcmp(task->stimuli[i], stimulus) == 0)
			return true;
	return false;
}

static void trigger(struct shaping *shaping, const struct xml_node *node)
{
	const char *stimulus = amalthea_reference(shaping->model, node, "stimulus");
	for (int i = 0; stimulus != NULL && i < shaping->model->tasks.count; i++) {
		const struct placed_task *task = &shaping->tasks[i];
		if (!is_triggered_by(task, stimulus))
			continue;
		if (!task->gpu) {
			amalthea_leave(shaping->model,
				arena_format(shaping->arena, "trigger of '%s', which has no period of its own by it", task->named->name));
			continue;
		}
		end_host(shaping);
		shaping->kernels = 0;
		walk_gpu(shaping, task, task->named->node);
		shaping->issued = true;
	}
}

static bool has_trigger(const struct xml_node *node)
{
	bool any = step_of(node) == STEP_TRIGGER;
	for (const struct xml_node *child = node->first; child != NULL && !any; child = child->next)
		any = has_trigger(child);
	return any;
}

static void wait_for(struct shaping *shaping, const struct xml_node *node)
{
	const char *behaviour = node_get(node, "waitingBehaviour");
	bool passive = behaviour != NULL && strcmp(behaviour, "passive") == 0;
	shaping->passive |= passive;
	shaping->active |= !passive;
	shaping->issued = false;
}

static void walk_host(struct shaping *shaping, const struct xml_node *node)
{
	for (const struct xml_node *child = node->first; child != NULL; child = child->next) {
		enum step step = step_of(child);
		if (step == STEP_INSIDE)
			walk_host(shaping, child);
		else if (step == STEP_TRIGGER)
			trigger(shaping, child);
		else if (step == STEP_WAIT)
			wait_for(shaping, child);
		else if (step == STEP_WORK && has_trigger(child))
			complain(shaping, child, "triggers of GPU work in every job; one stands in a branch");
		else if (step == STEP_WORK)
			add_host(shaping, child);
	}
}

/* ---- arrivals */

static const char *time_text(struct shaping *shaping, struct rational value)
{
	return arena_format(shaping->arena, "%sns", units_literal(shaping->arena, value));
}

static bool positive(struct rational value)
{
	return !rational_is_none(value) && value.num > 0;
}

/* How far a release may be from its nominal time, both ways; no value: there is no bound. */
static struct rational jitter_of(struct shaping *shaping, const struct xml_node *stimulus)
{
	const struct xml_node *deviation = node_child(stimulus, "jitter");
	deviation = deviation != NULL ? deviation : node_child(stimulus, "stimulusDeviation");
	if (deviation == NULL)
		return rational_of(0);
	struct rational upper = amalthea_upper(shaping->model, deviation, UNIT_TIME),
			lower = amalthea_lower(shaping->model, deviation, UNIT_TIME);
	if (rational_is_none(upper) || rational_is_none(lower))
		return RATIONAL_NONE;
	return rational_sub(rational_max(upper, rational_of(0)), rational_min(lower, rational_of(0)));
}

static bool set_periodic(struct shaping *shaping, struct import_lane *lane, const struct xml_node *stimulus)
{
	struct rational period = amalthea_quantity(shaping->model, node_child(stimulus, "recurrence"), UNIT_TIME);
	struct rational jitter = jitter_of(shaping, stimulus);
	struct rational distance = amalthea_quantity(shaping->model, node_child(stimulus, "minDistance"), UNIT_TIME);
	struct rational offset = amalthea_quantity(shaping->model, node_child(stimulus, "offset"), UNIT_TIME);
	if (!positive(period) || rational_is_none(jitter))
		return false;
	if (positive(offset))
		amalthea_leave(shaping->model, "offsets of stimuli: phases count as unknown");
	lane->period = time_text(shaping, period);
	lane->jitter = positive(jitter) ? time_text(shaping, jitter) : NULL;
	lane->min_distance = positive(jitter) && positive(distance) ? time_text(shaping, distance) : NULL;
	return true;
}

/* At least the lower bound lies between two releases. */
static bool set_sporadic(struct shaping *shaping, struct import_lane *lane, const struct xml_node *stimulus, const char *child)
{
	const struct xml_node *between = node_child(stimulus, child);
	between = between != NULL ? between : node_child(stimulus, "stimulusDeviation");
	struct rational least = amalthea_lower(shaping->model, between, UNIT_TIME);
	if (!positive(least))
		return false;
	lane->arrival = "sporadic";
	lane->period = time_text(shaping, least);
	return true;
}

/* A task that several stimuli release, or one without a least distance, has no period here: it is asked for. */
static void set_arrival(struct shaping *shaping, struct import_lane *lane)
{
	const struct placed_task *task = shaping->task;
	const struct named_node *stimulus = task->stimulus_count == 1 ? amalthea_find(&shaping->model->stimuli, task->stimuli[0]) : NULL;
	const char *type = stimulus != NULL ? amalthea_type(stimulus->node) : "";
	bool done = strcmp(type, "PeriodicStimulus") == 0           ? set_periodic(shaping, lane, stimulus->node)
		    : strcmp(type, "SporadicStimulus") == 0         ? set_sporadic(shaping, lane, stimulus->node, "occurrence")
		    : strcmp(type, "RelativePeriodicStimulus") == 0 ? set_sporadic(shaping, lane, stimulus->node, "nextOccurrence")
								    : false;
	if (!done)
		amalthea_leave(shaping->model, arena_format(shaping->arena, "arrivals of '%s' (%s)", task->named->name,
						       task->stimulus_count > 1 ? "several stimuli"
						       : *type != '\0'          ? type
										: "no stimulus"));
}

/* Of all requirements only an upper limit of a task's response time is a deadline. */
static void set_deadline(struct shaping *shaping, struct import_lane *lane)
{
	const struct named_list *list = &shaping->model->requirements;
	for (int i = 0; i < list->count; i++) {
		const struct xml_node *node = list->items[i].node, *limit = node_child(node, "limit");
		const char *process = amalthea_reference(shaping->model, node, "process"), *type = node_get(limit, "limitType");
		const char *metric = node_get(limit, "metric");
		struct rational value = amalthea_quantity(shaping->model, node_child(limit, "limitValue"), UNIT_TIME);
		bool response = metric != NULL && strcmp(metric, "ResponseTime") == 0 && type != NULL && strcmp(type, "UpperLimit") == 0;
		if (process == NULL || strcmp(process, shaping->task->named->name) != 0)
			continue;
		if (response && positive(value) && lane->deadline == NULL)
			lane->deadline = time_text(shaping, value);
		else
			amalthea_leave(shaping->model, "requirements of tasks that are no upper limits of a response time");
	}
}

/* ---- tasks */

/* Where it runs, for a reader. */
static const char *note_of(struct shaping *shaping)
{
	const struct placed_task *task = shaping->task;
	const char *preemption = node_get(task->named->node, "preemption");
	struct output text = {0};
	output_print(&text, "%s of the model, on", task->named->name);
	for (int i = 0; i < task->core_count; i++)
		output_print(&text, "%s %s", i > 0 ? "," : "", shaping->model->core[task->cores[i]].name);
	output_add(&text, task->core_count == 0 ? " no core" : "");
	if (task->priority != NULL)
		output_print(&text, ", priority %s", task->priority);
	if (task->server.algorithm != NULL)
		output_print(&text, ", %s", task->server.algorithm);
	if (preemption != NULL)
		output_print(&text, ", %s", preemption);
	const char *note = arena_copy(shaping->arena, value_shorten(shaping->arena, text.text, VALUE_SHORT));
	output_finish(&text);
	return note;
}

/* A task on the GPU that only others trigger stands in their jobs. */
static bool stands_elsewhere(struct shaping *shaping, const struct placed_task *task)
{
	for (int i = 0; task->gpu && i < task->stimulus_count; i++) {
		const struct named_node *stimulus = amalthea_find(&shaping->model->stimuli, task->stimuli[i]);
		if (stimulus == NULL || strcmp(amalthea_type(stimulus->node), "InterProcessStimulus") != 0)
			return false;
	}
	return task->gpu && task->stimulus_count > 0;
}

/* A task that may move between cores has none here, and then its time on them counts as all that it takes: that is said. */
static void set_thread(struct shaping *shaping, struct import_lane *lane)
{
	const struct placed_task *task = shaping->task;
	struct rational priority = RATIONAL_NONE;
	if (task->gpu)
		return;
	if (task->server.algorithm != NULL && (task->server.budget == 0 || task->core_count > 1))
		complain(shaping, task->named->node,
			arena_format(shaping->arena,
				"no %s but one that is a reservation of SCHED_DEADLINE: a ConstantBandwidthServer of this task alone, on "
				"one "
				"core, below an EarliestDeadlineFirst, with maxBudget and replenishment and no other minBudget",
				value_shorten(shaping->arena, task->server.algorithm, VALUE_SHORT)));
	if (task->core_count > 1)
		amalthea_leave(shaping->model,
			arena_format(shaping->arena,
				"cores of '%s', which may move: its times are those of the slowest, without what runs beside it",
				task->named->name));
	if (task->core_count != 1)
		return;
	lane->core = name_id(shaping->arena, shaping->model->core[task->cores[0]].name);
	if (task->server.budget > 0) {
		lane->runtime = time_text(shaping, rational_of(task->server.budget));
		lane->replenishment = time_text(shaping, rational_of(task->server.period));
		return;
	}
	bool number = task->priority != NULL && units_parse(task->priority, UNIT_COUNT, RATIONAL_NONE, &priority) == UNITS_OK;
	if (number && priority.num >= 1 && priority.num <= 99)
		lane->fifo = arena_format(shaping->arena, "%d", (int)priority.num);
}

static void make_task(struct shaping *shaping, const struct placed_task *task)
{
	struct import_build *build = shaping->model->build;
	shaping->task = task;
	shaping->issued = false;
	shaping->passive = shaping->active = false;
	shaping->kernels = 0;
	shaping->lane = import_lane(build, name_id(shaping->arena, task->named->name), "0");
	build->lanes[shaping->lane].task = name_id(shaping->arena, task->named->name);
	build->lanes[shaping->lane].one_job = true;
	build->lanes[shaping->lane].note = note_of(shaping);
	set_thread(shaping, &build->lanes[shaping->lane]);
	set_arrival(shaping, &build->lanes[shaping->lane]);
	set_deadline(shaping, &build->lanes[shaping->lane]);
	if (task->gpu)
		walk_gpu(shaping, task, task->named->node);
	else
		walk_host(shaping, task->named->node);
	build->lanes[shaping->lane].suspends = build->lanes[shaping->lane].core != NULL && shaping->passive && !shaping->active;
	end_host(shaping);
	output_finish(&shaping->names);
}

/* Elements of call graphs that are neither time nor structure. */
static void count_left(struct shaping *shaping, const struct xml_node *node)
{
	for (const struct xml_node *child = node->first; child != NULL; child = child->next) {
		const char *type = amalthea_type(child);
		bool item = node_is(child, "items") || node_is(child, "runnableItems") || node_is(child, "calls") ||
			    node_is(child, "graphEntries");
		if (item && *type != '\0' && step_of(child) == STEP_NONE)
			amalthea_leave(shaping->model, type);
		count_left(shaping, child);
	}
}

static bool is_small(const struct amalthea *model, const struct named_list *list, const char *what)
{
	if (list->count <= MOST)
		return true;
	diagnose(model->build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, model->path, 0, "expected at most %d %s", MOST, what);
	return false;
}

static bool uses_gpu(const struct import_build *build)
{
	for (int i = 0; i < build->item_count; i++)
		if (build->items[i]->kind != OPERATION_HOST)
			return true;
	return false;
}

static void tell(struct shaping *shaping)
{
	struct import_build *build = shaping->model->build;
	if (!uses_gpu(build))
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, shaping->model->path, 0,
			"expected GPU work: a task that is allocated to a processing unit whose definition has puType=\"GPU\", with a "
			"stimulus, or "
			"with a task that triggers it");
	else
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_STREAMS, shaping->model->path, 0,
			"the model does not say which tasks share a process: each task with GPU work has an application and a stream of "
			"its own");
	if (shaping->no_core.length > 0)
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_MISSING, shaping->model->path, 0,
			"tasks that the model allocates to no core, so that their ticks are no time: %s",
			value_shorten(shaping->arena, shaping->no_core.text, 5 * VALUE_SHORT));
}

void amalthea_make_tasks(struct amalthea *model)
{
	struct shaping shaping = {.model = model, .arena = model->build->arena};
	if (!is_small(model, &model->tasks, "tasks") || !is_small(model, &model->task_allocations, "allocations of tasks") ||
		!is_small(model, &model->scheduler_allocations, "allocations of schedulers") ||
		!is_small(model, &model->requirements, "requirements") || !is_small(model, &model->cores, "cores"))
		return;
	shaping.tasks = arena_allocate(shaping.arena, (size_t)model->tasks.count + 1, sizeof *shaping.tasks);
	shaping.host = arena_allocate(shaping.arena, (size_t)model->cores.count + 1, sizeof *shaping.host);
	find_places(&shaping);
	for (int i = 0; i < model->tasks.count && model->build->diagnostics->errors == 0; i++)
		if (!stands_elsewhere(&shaping, &shaping.tasks[i]))
			make_task(&shaping, &shaping.tasks[i]);
	for (int i = 0; i < model->tasks.count; i++)
		count_left(&shaping, model->tasks.items[i].node);
	for (int i = 0; i < model->runnables.count; i++)
		count_left(&shaping, model->runnables.items[i].node);
	if (model->build->diagnostics->errors == 0)
		tell(&shaping);
	output_finish(&shaping.names);
	output_finish(&shaping.no_core);
}
