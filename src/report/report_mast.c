/* The task set as a model of MAST, with the bounds of GPU segments as execution times: a GPU segment is an operation on a processor of its
 * own, as all that it waits for is in its bound; a host segment is an operation on its task's processor; the way of what it issues to the
 * GPU is one behind it, so that results say when that is there.
 *
 * Source: "MAST Description" and the schemas Mast_Model.xsd of MAST 1.4 and mast2_model.xsd of MAST 2, Universidad de Cantabria. Times are
 * in nanoseconds. */
#include "report/report.h"

#include "base/hash.h"
#include "model/rules.h"
#include "response/segment.h"
#include "write/mast_name.h"
#include "write/xml_write.h"

#include <string.h>

#define LEAST_PRIORITY 1
#define GREATEST_PRIORITY 32766
#define INTERRUPT_PRIORITY 32767

/* What the versions of MAST call the same things. */
struct names {
	const char *space, *scheduler, *server, *parameters, *priority, *average, *sporadic, *periodic, *event, *event_name, *flow, *step,
		*operation, *on;
};

static const struct names mast_1 = {"http://mast.unican.es/xmlmast/xmlmast_1_4/Mast_Model", "Fixed_Priority_Scheduler",
	"Regular_Scheduling_Server", "Fixed_Priority_Policy", "The_Priority", "Average_Case_Execution_Time", "Sporadic_External_Event",
	"Periodic_External_Event", "Regular_Event", "Event", "Regular_Transaction", "Activity", "Activity_Operation", "Activity_Server"};
static const struct names mast_2 = {"http://mast.unican.es/xmlmast/model", "Fixed_Priority_Policy", "Thread", "Fixed_Priority_Params",
	"Priority", "Avg_Case_Execution_Time", "Sporadic_Event", "Periodic_Event", "Internal_Event", "Name", "Regular_End_To_End_Flow",
	"Step", "Step_Operation", "Step_Schedulable_Resource"};

enum kind { KIND_GPU, KIND_HOST, KIND_WAY, KINDS };

static const char *const kind_names[KINDS] = {"gpu", "cpu", "way"};

struct model {
	const struct names *names;
	struct arena *arena;
	struct diagnostics *diagnostics;
	const struct report *report;
	struct xml xml;
	int stage_count;
	struct stage *stages; /* of all tasks, in order */
	int thread;           /* operations of the task set of --threads that were taken, and those before */
	bool seen[KINDS];     /* of the task whose stages are being added */
};

/* One operation of MAST: a host segment, the way of what it issues to the GPU, or all GPU segments between two host segments. */
struct stage {
	int task;
	enum kind kind;
	bool first; /* of this kind in its task */
	const char *name;
	int64_t worst, best; /* ns */
};

/* What its thread runs on stands in the task set of --threads, where there is one. */
static const struct taskset *threads_of(const struct model *model)
{
	return model->report->threads != NULL ? model->report->threads : model->report->set;
}

/* ---- stages */

/* The bound whose segments are known one by one, and which is the least of these; NULL: there is none. */
static const struct step *segments_of(const struct model *model, int task)
{
	const struct response_of *result = &model->report->response->tasks[task];
	const struct step *least = NULL;
	int64_t value = NONE;
	for (int i = 0; i < BOUND_COUNT; i++) {
		const struct bound_value *bound = &result->bounds[i];
		if (bound->value == NONE || (least != NULL && bound->value >= value))
			continue;
		const struct step *step = derivation_get(model->report->derivation, bound->step);
		if (step->rule != RULE_RESPONSE)
			continue;
		least = step;
		value = bound->value;
	}
	return least;
}

/* What a host segment takes on its core alone, where another task set says it: one with the same host segments in the same order. */
static const struct operation *executed(struct model *model, const struct operation *operation)
{
	const struct taskset *threads = model->report->threads;
	while (threads != NULL && model->thread < threads->operation_count && threads->operations[model->thread].kind != OPERATION_HOST)
		model->thread++;
	if (threads == NULL)
		return operation;
	if (model->thread < threads->operation_count && strcmp(threads->operations[model->thread].id, operation->id) == 0)
		return &threads->operations[model->thread++];
	if (model->diagnostics->errors == 0)
		diagnose(model->diagnostics, DIAGNOSTIC_MAST_MISSING, threads->path, 0,
			"expected the host segments of %s; '%s' is not there", model->report->set->path, operation->id);
	return operation;
}

/* What results said that a host segment takes is no execution time: what kept the thread from its core, and the way to the GPU, are in
 * it. */
static void refuse_response(struct model *model, const struct operation *host)
{
	const struct taskset *set = threads_of(model);
	if (model->diagnostics->errors > 0 || host->origin == NO_ID || strcmp(set->origins[host->origin].source, MAST_SOURCE) != 0)
		return;
	diagnose(model->diagnostics, DIAGNOSTIC_MAST_MISSING, set->path, host->line,
		"expected --threads with the task set that had no results of MAST in it; what '%s' takes is such a result", host->id);
}

static void add_stage(struct model *model, int task, enum kind kind, const char *name, int64_t worst, int64_t best)
{
	struct stage *last = model->stage_count > 0 ? &model->stages[model->stage_count - 1] : NULL;
	if (kind == KIND_GPU && last != NULL && last->task == task &&
		last->kind == KIND_GPU) { /* a synchronous call lies between the two segments */
		last->worst = checked_add(last->worst, worst);
		last->best = checked_add(last->best, best);
		return;
	}
	bool same = last != NULL && last->task == task;
	for (int i = 0; i < KINDS; i++)
		model->seen[i] = model->seen[i] && same;
	model->stages[model->stage_count++] = (struct stage){task, kind, !model->seen[kind], name, worst, best};
	model->seen[kind] = true;
}

/* No segment is done earlier than its operations take alone, one behind the other in a stream: their BCETs, where these are given. */
static int64_t best_of(const struct taskset *set, const struct segment *segment)
{
	int64_t longest = 0;
	for (int i = segment->first; i < segment->first + segment->count; i++)
		if (set->operations[i].bcet != NONE)
			longest = checked_max(longest, set->operations[i].bcet);
	return longest;
}

static bool add_task_stages(struct model *model, int index, int *hosts)
{
	const struct taskset *set = model->report->set;
	const struct task *task = &set->tasks[index];
	const struct segments *segments = model->report->response->basis.segments;
	const struct step *step = segments_of(model, index);
	int segment = 0, used = 0, next = 0, gpus = 0;
	const char *host = "";
	while (segment < segments->count && segments->items[segment].task != index)
		segment++;
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(set, task, i);
		bool first = segment + used < segments->count && segments->items[segment + used].task == index &&
			     segments->items[segment + used].first == task->first_operation + i;
		if (operation->kind == OPERATION_HOST) {
			const struct task *thread = &threads_of(model)->tasks[index];
			int64_t blocking = thread->core > 0 ? threads_of(model)->cores[thread->core - 1].blocking : 0;
			operation = executed(model, operation);
			refuse_response(model, operation);
			host = operation->id;
			add_stage(model, index, KIND_HOST, mast_name(model->arena, "host", ++*hosts, host),
				checked_add(operation->wcet, blocking), operation->bcet);
		}
		if (!first)
			continue;
		while (step != NULL && next < step->input_count && strcmp(step->inputs[next].role, "P") != 0)
			next++;
		if (step == NULL || next == step->input_count) {
			diagnose(model->diagnostics, DIAGNOSTIC_MAST_NO_BOUND, set->path, task->line,
				"task '%s' has no bound of each of its GPU segments, which would be execution times in the model of MAST",
				task->id);
			return false;
		}
		int64_t worst = rational_ceil(derivation_get(model->report->derivation, step->inputs[next++].step)->value);
		int core = threads_of(model)->tasks[index].core;
		int64_t submission = core > 0 ? threads_of(model)->cores[core - 1].submission : NONE;
		if (submission != NONE)
			add_stage(model, index, KIND_WAY, mast_name(model->arena, "way", *hosts, host), submission, 0);
		add_stage(model, index, KIND_GPU, mast_name(model->arena, "gpu", index + 1, arena_format(model->arena, "%d", ++gpus)),
			worst, best_of(set, &segments->items[segment + used]));
		used++;
	}
	return true;
}

static bool find_stages(struct model *model)
{
	const struct taskset *set = model->report->set;
	int hosts = 0;
	bool all = true;
	if (threads_of(model)->task_count != set->task_count) {
		diagnose(model->diagnostics, DIAGNOSTIC_MAST_MISSING, threads_of(model)->path, 0, "expected as many tasks as %s has",
			set->path);
		return false;
	}
	model->stages = arena_allocate(model->arena, 2 * (size_t)set->operation_count + 1, sizeof *model->stages); /* a way before each */
	for (int i = 0; i < set->task_count; i++) {
		all &= add_task_stages(model, i, &hosts);
		if (task_reserves(&threads_of(model)->tasks[i])) {
			diagnose(model->diagnostics, DIAGNOSTIC_MAST_RESERVATION, threads_of(model)->path, threads_of(model)->tasks[i].line,
				"the thread of task '%s' has a reservation; expected a fifo-priority for a model of MAST",
				set->tasks[i].id);
			all = false;
		}
		if (set->tasks[i].arrival.kind != ARRIVAL_CURVE)
			continue;
		diagnose(model->diagnostics, DIAGNOSTIC_MAST_ARRIVAL, set->path, set->tasks[i].line,
			"task '%s' has an arrival curve; expected a period for a model of MAST", set->tasks[i].id);
		all = false;
	}
	return all && model->diagnostics->errors == 0;
}

/* ---- the model */

static const char *task_name(struct model *model, int task)
{
	return mast_name(model->arena, "task", task + 1, model->report->set->tasks[task].id);
}

/* Its core; 0: its thread has none, or this is on the GPU, or on its way, while the thread leaves its core. One that spins is taken to
 * execute there. */
static int core_of(const struct model *model, const struct stage *stage)
{
	const struct task *task = &threads_of(model)->tasks[stage->task];
	return stage->kind == KIND_HOST || task_spins(task) ? task->core : 0;
}

static const char *processor_of(struct model *model, const struct stage *stage)
{
	int core = core_of(model, stage);
	if (core > 0)
		return mast_name(model->arena, "core", core, threads_of(model)->cores[core - 1].id);
	return arena_format(model->arena, "%s_%s", kind_names[stage->kind], task_name(model, stage->task));
}

static int64_t priority_of(const struct model *model, const struct stage *stage)
{
	return core_of(model, stage) > 0 ? threads_of(model)->tasks[stage->task].fifo : LEAST_PRIORITY;
}

static void begin(struct model *model, const char *name)
{
	xml_begin(&model->xml, arena_format(model->arena, "mast_mdl:%s", name));
}

static void write_processor(struct model *model, const char *name)
{
	begin(model, "Regular_Processor");
	xml_attribute(&model->xml, "Name", name);
	xml_integer(&model->xml, "Max_Interrupt_Priority", INTERRUPT_PRIORITY);
	xml_integer(&model->xml, "Min_Interrupt_Priority", INTERRUPT_PRIORITY);
	xml_end(&model->xml);
}

static void write_scheduler(struct model *model, const char *name)
{
	begin(model, "Primary_Scheduler");
	xml_attribute(&model->xml, "Name", name);
	xml_attribute(&model->xml, "Host", name);
	begin(model, model->names->scheduler);
	xml_integer(&model->xml, "Max_Priority", GREATEST_PRIORITY);
	xml_integer(&model->xml, "Min_Priority", LEAST_PRIORITY);
	xml_end(&model->xml);
	xml_end(&model->xml);
}

/* One for each kind, on one core, too: MAST takes activities of one server that follow one another for one, and has no results inside. */
static const char *server_of(struct model *model, const struct stage *stage)
{
	return arena_format(
		model->arena, "%s_%s_on_%s", task_name(model, stage->task), kind_names[stage->kind], processor_of(model, stage));
}

static void write_server(struct model *model, const struct stage *stage)
{
	begin(model, model->names->server);
	xml_attribute(&model->xml, "Name", server_of(model, stage));
	xml_attribute(&model->xml, "Scheduler", processor_of(model, stage));
	begin(model, model->names->parameters);
	xml_integer(&model->xml, model->names->priority, priority_of(model, stage));
	xml_attribute(&model->xml, "Preassigned", "YES");
	xml_end(&model->xml);
	xml_end(&model->xml);
}

/* Of a core that was met before no processor is written again. */
static bool is_new(const struct model *model, const struct stage *stage, bool *met)
{
	int core = core_of(model, stage);
	bool new = stage->first && !met[core];
	met[core] |= core > 0;
	return new;
}

static void write_all(struct model *model, void (*write)(struct model *model, const char *name))
{
	bool *met = arena_allocate(model->arena, (size_t)threads_of(model)->core_count + 1, sizeof *met);
	for (int i = 0; i < model->stage_count; i++)
		if (is_new(model, &model->stages[i], met))
			write(model, processor_of(model, &model->stages[i]));
}

static void write_resources(struct model *model)
{
	write_all(model, write_processor);
	write_all(model, write_scheduler);
	for (int i = 0; i < model->stage_count; i++)
		if (model->stages[i].first)
			write_server(model, &model->stages[i]);
}

static void write_operations(struct model *model)
{
	for (int i = 0; i < model->stage_count; i++) {
		const struct stage *stage = &model->stages[i];
		begin(model, "Simple_Operation");
		xml_attribute(&model->xml, "Name", stage->name);
		xml_integer(&model->xml, "Worst_Case_Execution_Time", stage->worst);
		xml_integer(&model->xml, model->names->average, stage->worst);
		xml_integer(&model->xml, "Best_Case_Execution_Time", stage->best);
		xml_end(&model->xml);
	}
}

/* Sporadic releases with jitter are bounded by periodic ones with it. */
static void write_release(struct model *model, const struct task *task, const char *event)
{
	bool sporadic = task->arrival.kind == ARRIVAL_SPORADIC && task->arrival.jitter == 0;
	begin(model, sporadic ? model->names->sporadic : model->names->periodic);
	xml_attribute(&model->xml, "Name", event);
	if (sporadic) {
		xml_integer(&model->xml, "Avg_Interarrival", task->arrival.period);
		xml_attribute(&model->xml, "Distribution", "UNIFORM");
		xml_integer(&model->xml, "Min_Interarrival", task->arrival.period);
	} else {
		xml_integer(&model->xml, "Period", task->arrival.period);
		xml_integer(&model->xml, "Max_Jitter", task->arrival.jitter);
		xml_integer(&model->xml, "Phase", 0);
	}
	xml_end(&model->xml);
}

static const char *done(struct model *model, const struct stage *stage)
{
	return arena_format(model->arena, "%s_done", stage->name);
}

static void write_done(struct model *model, const struct stage *stage, bool last, const char *release)
{
	int64_t deadline = model->report->set->tasks[stage->task].deadline;
	begin(model, model->names->event);
	xml_attribute(&model->xml, model->names->event_name, done(model, stage));
	if (last && deadline != NONE) {
		begin(model, "Hard_Global_Deadline");
		xml_integer(&model->xml, "Deadline", deadline);
		xml_attribute(&model->xml, "Referenced_Event", release);
		xml_end(&model->xml);
	}
	xml_end(&model->xml);
}

static void write_transaction(struct model *model, int task, int from, int to)
{
	const char *release = arena_format(model->arena, "%s_released", task_name(model, task)), *before = release;
	begin(model, model->names->flow);
	xml_attribute(&model->xml, "Name", task_name(model, task));
	write_release(model, &model->report->set->tasks[task], release);
	for (int i = from; i < to; i++)
		write_done(model, &model->stages[i], i + 1 == to, release);
	for (int i = from; i < to; i++) {
		begin(model, model->names->step);
		xml_attribute(&model->xml, "Input_Event", before);
		before = done(model, &model->stages[i]);
		xml_attribute(&model->xml, "Output_Event", before);
		xml_attribute(&model->xml, model->names->operation, model->stages[i].name);
		xml_attribute(&model->xml, model->names->on, server_of(model, &model->stages[i]));
		xml_end(&model->xml);
	}
	xml_end(&model->xml);
}

static void write_model(struct model *model)
{
	char hash[HASH_TEXT];
	hash_bytes(model->report->set->text, (size_t)model->report->set->bytes, hash);
	begin(model, "MAST_MODEL");
	xml_attribute(&model->xml, "xmlns:mast_mdl", model->names->space);
	xml_attribute(&model->xml, "Model_Name", mast_model_name(model->arena, hash));
	xml_attribute(&model->xml, "Model_Date", "2000-01-01T00:00:00");
	write_resources(model);
	write_operations(model);
	for (int from = 0, to; from < model->stage_count; from = to) {
		for (to = from; to < model->stage_count && model->stages[to].task == model->stages[from].task;)
			to++;
		write_transaction(model, model->stages[from].task, from, to);
	}
	xml_end(&model->xml);
}

bool report_mast(struct diagnostics *diagnostics, struct output *output, const struct report *report, bool second)
{
	struct arena *arena = arena_create();
	struct model model = {.names = second ? &mast_2 : &mast_1, .arena = arena, .diagnostics = diagnostics, .report = report};
	bool found = find_stages(&model);
	if (found) {
		xml_start(&model.xml, output);
		xml_comment(&model.xml,
			"Written by gpubound. Times are in ns. Execution times on a processor gpu_... are response-time bounds of GPU "
			"work, in which "
			"all waiting there is contained; they hold only if no host segment takes longer than the task set says.");
		write_model(&model);
		output_add(output, "\n");
	}
	arena_destroy(arena);
	return found;
}
