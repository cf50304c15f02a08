/* H, CHAIN and VOL-C: all claimed jitters and responses put into their equations once. */
#include "model/limits.h"
#include "verify/cover_weights.h"
#include "verify/engines.h"
#include "verify/usable_sms.h"

#include <stdlib.h>

struct shared { /* tables by what is of one context each: every context fills in its own */
	int *steps, *line_steps, *first_line, *class_of, *record_of, *position;
	struct order *orders;
	int64_t *parts_within;
	bool *alone;
	int **kernels, **copies;
	int64_t horizon;
};

struct iteration {
	struct work *work;
	struct check *check;
	const struct engines_claim *of;
	enum claimed kind;
	const struct shared *shared;
	struct listed parts;                                          /* of the context */
	int *steps;                                                   /* [segment]: of its response */
	int table;                                                    /* the step that lists all operations */
	int *jitter_steps, *response_steps, *line_steps, *first_line; /* [class], [class], [segment], [segment] */
	int context;
	const struct turns *turns;
	int next_jitter, next_response; /* inputs of the table that were taken */
	struct fact *weights;           /* [class]: that the report claims; without a node where it claims none */
	struct engines engines;
	uint64_t assumptions;
};

/* ---- claims */

/* The next input of the role, from `from` on, which moves behind it; -1: none. */
static int next_input(const struct check *check, int step, char role, int *from)
{
	const struct graph_step *of = &check->graph.steps[step];
	while (*from < of->input_count) {
		const struct graph_input *input = &of->inputs[(*from)++];
		if (input->role[0] == role && input->role[1] == '\0')
			return input->step;
	}
	return -1;
}

static int64_t take(struct iteration *h, struct fact fact)
{
	h->assumptions |= fact.assumptions;
	return fact.value;
}

static void fill(struct iteration *h, int index, int operation, int line)
{
	const struct piece *piece = &h->work->pieces[operation];
	const struct operation *of = &h->check->set->operations[operation];
	struct class *class = &h->engines.classes[index];
	*class = (struct class){.operation = operation,
		.part = h->engines.lines[line].part,
		.line = line,
		.stream = of->stream,
		.level = piece->level,
		.engine = piece->engine,
		.runs = piece->runs,
		.least = of->bcet,
		.blocks = of->kind == OPERATION_KERNEL ? of->kernel.blocks : NONE,
		.grid = piece->grid || piece->whole};
	class->dependency = take(h, piece->dependency);
	if (piece->runs == RUNS_ON_COPY_ENGINE)
		class->block = take(h, piece->transfer);
	if (piece->runs == RUNS_ON_SMS) {
		bool volume = claimed_kinds[h->kind].volume || h->engines.passing; /* either volumes or makespans are in the equation */
		class->block = take(h, volume ? piece->assigned : piece->residence);
		class->turns = piece->turns;
		h->engines.parted |= h->work->sliced && piece->turns > 1;
		class->makespan = volume ? piece->makespan.value : take(h, piece->makespan);
		class->high = checked_add(class->makespan, volume ? piece->waste.value : take(h, piece->waste));
		class->volume = volume ? take(h, piece->volume) : piece->volume.value;
		class->dispatch = volume ? take(h, piece->dispatch) : piece->dispatch.value;
	}
	h->shared->class_of[operation] = index;
	h->jitter_steps[index] = h->response_steps[index] = -1;
	if (h->steps[class->part] >= 0) {
		h->jitter_steps[index] = next_input(h->check, h->table, 'J', &h->next_jitter);
		h->response_steps[index] = next_input(h->check, h->table, 'R', &h->next_response);
	}
	class->arrivals = (struct arrivals_at){
		&h->check->set->tasks[h->work->parts[class->part].task].arrival, graph_integer(h->check, h->jitter_steps[index]), false};
	class->response = graph_integer(h->check, h->response_steps[index]);
}

/* What a segment has on the stream of its operation `head`. */
static void add_line(struct iteration *h, int index, int head)
{
	const struct part *part = &h->work->parts[index];
	const struct taskset *set = h->check->set;
	struct arena *arena = h->check->arena;
	int number = h->engines.line_count++;
	struct line_of_classes *line = &h->engines.lines[number];
	*line = (struct line_of_classes){.part = index,
		.first = h->engines.count,
		.stream = set->operations[head].stream,
		.arrivals = {&set->tasks[part->task].arrival, graph_integer(h->check, h->line_steps[index]),
			part->number == 0 && part->host_most == 0}};
	for (int i = head; i < part->first + part->count; i++)
		if (set->operations[i].stream == line->stream)
			fill(h, line->first + line->count++, i, number);
	h->engines.count += line->count;
	line->done = arena_allocate(arena, (size_t)line->count + 1, sizeof *line->done);
	line->after = arena_allocate(arena, (size_t)line->count + 1, sizeof *line->after);
	line->jobs = arena_allocate(arena, (size_t)line->count + 1, sizeof *line->jobs);
	for (int i = 0; i < line->count; i++)
		if (set->operations[h->engines.classes[line->first + i].operation].kind == OPERATION_WAIT)
			line->after[i] = arena_allocate(arena, (size_t)line->count + 1, sizeof *line->after[i]);
}

/* Its streams, in the order in which they come first. */
static void add_part(struct iteration *h, int index)
{
	const struct part *part = &h->work->parts[index];
	const struct operation *operations = h->check->set->operations;
	h->first_line[index] = h->engines.line_count;
	h->line_steps[index] = graph_input(h->check, h->steps[index], "J"); /* none: any number of releases */
	for (int i = part->first; i < part->first + part->count; i++) {
		int k = part->first;
		while (operations[k].stream != operations[i].stream)
			k++;
		if (k == i)
			add_line(h, index, i);
	}
}

struct dear {
	int64_t cost;
	int class;
};

static int compare_costs(const void *a, const void *b)
{
	const struct dear *one = a, *other = b;
	return one->cost != other->cost ? (one->cost < other->cost) - (one->cost > other->cost) : one->class - other->class;
}

/* The classes of a stream that run there, dearest first. */
static int *sorted(struct iteration *h, int stream, enum runs runs)
{
	struct listed operations = lists_of(&h->check->of_stream, stream);
	struct dear *dear = arena_allocate(h->check->arena, (size_t)operations.count + 1, sizeof *dear);
	int *list = arena_allocate(h->check->arena, (size_t)operations.count + 1, sizeof *list), count = 0;
	for (int i = 0; i < operations.count; i++) {
		int class = h->shared->class_of[operations.items[i]];
		const struct class *of = &h->engines.classes[class];
		if (of->runs == runs)
			dear[count++] = (struct dear){runs == RUNS_ON_SMS ? of->makespan : of->block, class};
	}
	qsort(dear, (size_t)count, sizeof *dear, compare_costs);
	for (int i = 0; i < count; i++)
		list[i] = dear[i].class;
	list[count] = -1;
	return list;
}

static void list_lines(struct iteration *h)
{
	struct engines *engines = &h->engines;
	struct arena *arena = h->check->arena;
	int *positions = arena_allocate(arena, (size_t)engines->line_count + 1, sizeof *positions);
	engines->waiting = arena_allocate(arena, (size_t)engines->streams.count + 1, sizeof *engines->waiting);
	for (int k = 0; k < engines->streams.count; k++)
		engines->position[engines->streams.items[k]] = k;
	for (int i = 0; i < engines->line_count; i++)
		positions[i] = engines->position[engines->lines[i].stream];
	engines->lines_of = lists_make(arena, engines->streams.count, positions, engines->line_count);
}

static void find_levels(struct engines *engines, struct arena *arena)
{
	for (int i = 0; i < engines->count; i++)
		engines->levels = engines->classes[i].level >= engines->levels ? engines->classes[i].level + 1 : engines->levels;
	engines->lower = arena_allocate(arena, (size_t)engines->levels + 1, sizeof *engines->lower);
	engines->served = arena_allocate(arena, (size_t)engines->levels + 1, sizeof *engines->served);
	for (int i = 0; i < engines->count; i++)
		for (int level = 0; engines->classes[i].runs == RUNS_ON_SMS && level < engines->classes[i].level; level++)
			engines->lower[level] =
				checked_max(engines->lower[level], checked_add(engines->classes[i].block, engines->dispatch));
}

static void find_rules(struct iteration *h)
{
	struct engines *engines = &h->engines;
	const struct platform *platform = h->check->platform;
	engines->horizon = h->shared->horizon;
	engines->fifo = platform_grants(platform, ASSUMPTION_CE);
	engines->launch = platform_value(platform, PARAMETER_OVERHEAD_LAUNCH);
	engines->dispatch = platform_value(platform, PARAMETER_OVERHEAD_BLOCK);
	engines->delay = work_late(h->check) ? platform_value(platform, PARAMETER_DISPATCH_DELAY) : 0;
	engines->passing = h->of->may_pass && bounds_passing(h->work, h->context);
	engines->g = 1;
	h->assumptions |= engines->fifo ? ASSUMED(CE) : 0;
}

static bool is_alone(const struct iteration *h, const struct part *part)
{
	struct listed parts = lists_of(&h->work->parts_of_task, part->task);
	for (int i = 0; i < parts.count; i++)
		if (h->work->parts[parts.items[i]].context != h->context)
			return false;
	return bounds_jobs_apart(h->work, part->task, h->engines.parts_within);
}

static void find_alone(struct iteration *h)
{
	for (int i = 0; i < h->parts.count; i++)
		h->engines.parts_within[h->parts.items[i]] = graph_integer(h->check, h->steps[h->parts.items[i]]);
	for (int i = 0; i < h->parts.count; i++)
		h->engines.alone[h->parts.items[i]] = is_alone(h, &h->work->parts[h->parts.items[i]]);
}

static void build(struct iteration *h)
{
	struct check *check = h->check;
	struct engines *engines = &h->engines;
	size_t classes = (size_t)lists_of(&h->work->of_context, h->context).count + 1;
	engines->streams = lists_of(&h->work->streams_of_context, h->context);
	engines->position = h->shared->position;
	engines->orders = h->shared->orders;
	engines->parts_within = h->shared->parts_within;
	engines->alone = h->shared->alone;
	engines->ahead = arena_allocate(check->arena, classes, sizeof *engines->ahead);
	engines->until = arena_allocate(check->arena, classes, sizeof *engines->until);
	engines->classes = arena_allocate(check->arena, classes, sizeof *engines->classes);
	engines->lines = arena_allocate(check->arena, classes, sizeof *engines->lines);
	h->jitter_steps = arena_allocate(check->arena, classes, sizeof *h->jitter_steps);
	h->response_steps = arena_allocate(check->arena, classes, sizeof *h->response_steps);
	h->line_steps = h->shared->line_steps;
	h->first_line = h->shared->first_line;
	for (int i = 0; i < h->parts.count; i++)
		add_part(h, h->parts.items[i]);
	list_lines(h);
	find_alone(h);
	engines_link(engines, h->shared->record_of);
	find_levels(engines, check->arena);
	engines->high = arena_allocate(check->arena, classes, sizeof *engines->high);
	for (int i = 0; i < engines->count; i++)
		engines->high[i] = engines->classes[i].high;
	engines->kernels = h->shared->kernels;
	engines->copies = h->shared->copies;
	for (int k = 0; k < engines->streams.count; k++) {
		int s = engines->streams.items[k];
		engines->kernels[s] = sorted(h, s, RUNS_ON_SMS);
		engines->copies[s] = sorted(h, s, RUNS_ON_COPY_ENGINE);
	}
	if (claimed_kinds[h->kind].volume)
		engines->g = take(h, bounds_nonempty(h->work, h->context));
	else
		engines->cover = cover_make(engines);
	h->weights = arena_allocate(check->arena, classes, sizeof *h->weights);
	const struct weights_list list = weights_list(engines, h->table);
	for (int i = 0; i < engines->count; i++) {
		struct weights weights = {0, NULL};
		int step = weights_step(engines, &list, i);
		if (step >= 0)
			h->weights[i] = weights_take(engines, i, step, &weights);
		if (engines->cover != NULL)
			engines->cover->claimed[i] = weights;
	}
	if (engines->cover != NULL && platform_grants(check->platform, ASSUMPTION_FRAG))
		h->assumptions |= ASSUMED(FRAG);
}

/* A segment without a claim may have any number of operations at the engines, one after the other: every jitter and response of it is
 * NONE. Those that have one hold if their right sides have values all the same: nothing that they rest on is missing then. */
static bool is_claimed(const struct iteration *h, int part)
{
	return h->work->parts[part].context == h->context && h->steps[part] >= 0;
}

static bool all_claimed(const struct iteration *h)
{
	bool all = true;
	for (int i = 0; i < h->engines.count; i++)
		all = all && (h->steps[h->engines.classes[i].part] < 0 || (h->jitter_steps[i] >= 0 && h->response_steps[i] >= 0));
	for (int i = 0; i < h->parts.count; i++)
		all = all && (!is_claimed(h, h->parts.items[i]) || h->line_steps[h->parts.items[i]] >= 0);
	return all;
}

/* ---- one evaluation */

static int64_t alone(const struct iteration *h, const struct line_of_classes *line, int position)
{
	int index = line->first + position;
	const struct class *class = &h->engines.classes[index];
	if (class->runs == RUNS_NOWHERE) /* an event: it meets nobody */
		return class->dependency;
	int64_t run = h->of->runs ? engines_run(&h->engines, line, position, position) : NONE;
	if (!h->of->local)
		return run;
	int64_t local = class->runs == RUNS_ON_SMS ? engines_kernel(&h->engines, index) : engines_copy(&h->engines, index);
	return checked_min(run, checked_add(local, class->dependency));
}

/* The least of the ways that end with the operation, from the stream's head or from an event at `from` on. */
static int64_t least_way(const int64_t *done, int from, int last, const int64_t *runs)
{
	int64_t least = NONE;
	for (int i = last; i >= from; i--)
		least = checked_min(least, checked_add(done[i], runs[i]));
	return least;
}

/* H looks at no runs. Of a long line not all are tried. */
static bool is_tried(const struct iteration *h, const struct line_of_classes *line, int from, int last)
{
	return h->of->runs && (line->count <= LIMIT_WHOLE_RUNS || from == 0 || ((last + 1 - from) & (last - from)) == 0);
}

static void find_runs(const struct iteration *h, const struct line_of_classes *line, int last, int64_t *runs)
{
	for (int from = 0; from < last; from++)
		runs[from] = is_tried(h, line, from, last) ? engines_run(&h->engines, line, from, last) : NONE;
}

static void complete_computed(const struct iteration *h, struct line_of_classes *line, int64_t *responses)
{
	int64_t *runs = arena_allocate(h->check->arena, (size_t)line->count + 1, sizeof *runs);
	for (int i = 0; i < line->count; i++) {
		runs[i] = responses[line->first + i] = alone(h, line, i);
		find_runs(h, line, i, runs);
		line->done[i + 1] = least_way(line->done, 0, i, runs);
		for (int from = 0; from <= i; from++)
			if (line->after[from] != NULL)
				line->after[from][i + 1] = least_way(line->after[from], from, i, runs);
	}
}

/* ---- the same where the report's claims say it: one line of a segment, that waits for no event, has each operation at its engine so long
 * after the job's release at most, and the first one when it has the stream */

/* By the claimed jitter: after the job's release, when what is before it on the stream is complete. */
static int64_t stated_head(const struct iteration *h, const struct line_of_classes *line, int position)
{
	if (position == line->count)
		return graph_integer(h->check, h->steps[line->part]);
	const struct class *class = &h->engines.classes[line->first + position];
	int64_t late = checked_add(checked_sub(class->arrivals.jitter, line->arrivals.jitter), class->early);
	return checked_sub(late, class->dependency);
}

/* Has the line its stream as it comes, whatever it takes itself? Else the claims may be of all jobs of the stream in one window. */
static bool is_stream_of(const struct iteration *h, const struct line_of_classes *line)
{
	struct listed lines = lists_of(&h->engines.lines_of, h->engines.position[line->stream]);
	bool own = h->engines.alone[line->part] || !h->of->runs;
	for (int i = 0; i < lines.count && h->of->runs; i++)
		own = own && h->work->parts[h->engines.lines[lines.items[i]].part].task == h->work->parts[line->part].task;
	return own;
}

static bool states_all(const struct iteration *h, const struct line_of_classes *line)
{
	bool states = is_claimed(h, line->part) && line->count == h->work->parts[line->part].count && is_stream_of(h, line);
	for (int i = 0; i < line->count; i++)
		states = states && line->after[i] == NULL;
	return states;
}

/* Is some way from the head to the completion of the operation at `last` as short as the report says? */
static bool is_within(const struct iteration *h, const struct line_of_classes *line, int last)
{
	const struct class *class = &h->engines.classes[line->first + last];
	bool within = checked_add(line->done[last], class->response) <= line->done[last + 1];
	for (int from = 0; from < last && !within; from++)
		within = is_tried(h, line, from, last) &&
			 engines_run_within(&h->engines, line, from, last, checked_sub(line->done[last + 1], line->done[from]));
	return within;
}

static void complete_stated(const struct iteration *h, struct line_of_classes *line, int64_t *responses)
{
	int64_t *runs = arena_allocate(h->check->arena, (size_t)line->count + 1, sizeof *runs);
	for (int i = 0; i <= line->count; i++)
		line->done[i] = checked_sub(stated_head(h, line, i), stated_head(h, line, 0));
	for (int i = 0; i < line->count; i++) {
		const struct class *class = &h->engines.classes[line->first + i];
		bool meets = class->runs != RUNS_NOWHERE && h->kind != CLAIMED_H;
		bool borne = meets && engines_run_within(&h->engines, line, i, i, class->response);
		responses[line->first + i] = borne ? class->response : alone(h, line, i);
		if (is_within(h, line, i))
			continue;
		runs[i] = responses[line->first + i]; /* no run's window is as stated: perhaps a shorter one, or it is a lie */
		find_runs(h, line, i, runs);
		line->done[i + 1] = checked_max(line->done[i + 1], least_way(line->done, 0, i, runs));
	}
}

static void complete(const struct iteration *h, struct line_of_classes *line, int64_t *responses)
{
	if (!is_claimed(h, line->part))
		line->done[line->count] = NONE;
	else if (states_all(h, line))
		complete_stated(h, line, responses);
	else
		complete_computed(h, line, responses);
}

/* From release until so many operations of the line are complete, and the next one may go on: what is before them on the stream, or an
 * event, comes last. */
static int64_t head_of(const struct iteration *h, const struct line_of_classes *line, int count)
{
	int64_t latest = checked_min(checked_add(line->wait, line->done[count]), line->jobs[count]);
	for (int i = 0; i <= count && i < line->count; i++)
		if (line->after[i] != NULL)
			latest = checked_max(latest, checked_add(engines_event(&h->engines, line, i), line->after[i][count]));
	return latest;
}

static void find_jobs(const struct iteration *h, struct line_of_classes *line)
{
	for (int i = 0; i <= line->count; i++)
		line->jobs[i] = NONE;
	if (h->of->runs && line->wait > 0)
		engines_jobs(&h->engines, line, line->jobs);
}

/* The least distance of releases holds where nothing but the release is before; first that is taken for granted, then taken back where
 * a job may wait, until nothing changes. */
static int64_t *evaluate(struct iteration *h)
{
	struct engines *engines = &h->engines;
	int64_t *responses = arena_allocate(h->check->arena, (size_t)engines->count + 1, sizeof *responses);
	bool changed = true;
	for (int i = 0; i < engines->line_count; i++)
		engines->classes[engines->lines[i].first].arrivals.at_release =
			engines->lines[i].arrivals.at_release && engines->classes[engines->lines[i].first].dependency == 0;
	while (changed) {
		changed = false;
		for (int level = 0; level < engines->levels; level++)
			engines->served[level] = 0;
		for (int k = 0; k < engines->streams.count; k++)
			engines->waiting[k].known = false;
		for (int i = 0; i < engines->line_count; i++)
			complete(h, &engines->lines[i], responses);
		for (int i = 0; i < engines->line_count; i++) {
			if (!is_claimed(h, engines->lines[i].part))
				continue;
			struct arrivals_at *first = &engines->classes[engines->lines[i].first].arrivals;
			engines->lines[i].wait = engines_wait(engines, &engines->lines[i]);
			find_jobs(h, &engines->lines[i]);
			bool back =
				first->at_release && !checked_is_none(first->model->min_distance) && head_of(h, &engines->lines[i], 0) != 0;
			changed |= back;
			first->at_release = first->at_release && !back;
		}
	}
	return responses;
}

static int64_t release_jitter(const struct iteration *h, int index)
{
	int number = h->work->parts[index].number;
	int64_t *before = arena_allocate(h->check->arena, (size_t)number + 1, sizeof *before);
	for (int i = 0; i < number; i++)
		before[i] = graph_integer(h->check, h->steps[index - number + i]);
	return bounds_lateness(h->work, index, before);
}

static void hold_line(struct iteration *h, const struct line_of_classes *line, const int64_t *responses)
{
	for (int i = line->first; i < line->first + line->count; i++) {
		const struct class *class = &h->engines.classes[i];
		int64_t late = checked_add(head_of(h, line, i - line->first), class->dependency);
		int64_t jitter = checked_add(line->arrivals.jitter, checked_sub(late, class->early));
		bounds_bear(h->check, h->response_steps[i], "its response", responses[i]);
		bounds_bear(h->check, h->jitter_steps[i], "its jitter", jitter);
	}
}

/* It is complete when it is on all of its streams. */
static void hold_part(struct iteration *h, int index, const int64_t *responses)
{
	int64_t latest = 0;
	for (int i = h->first_line[index]; i < h->engines.line_count && h->engines.lines[i].part == index; i++) {
		const struct line_of_classes *line = &h->engines.lines[i];
		latest = checked_max(latest, head_of(h, line, line->count));
		hold_line(h, line, responses);
	}
	bounds_bear(h->check, h->steps[index], "the response on its streams", latest);
	bounds_bear(h->check, h->line_steps[index], "the jitter of its release", release_jitter(h, index));
}

/* ---- steps */

static struct fact table_of(struct iteration *h)
{
	struct check *check = h->check;
	struct fact table = fact_make(check, RULE_ENGINES, "gpu", h->engines.count);
	fact_from(check, &table, "turns", h->turns->fact);
	for (int i = 0; i < h->engines.count; i++) {
		const struct class *class = &h->engines.classes[i];
		const struct piece *piece = &h->work->pieces[class->operation];
		const char *about = work_name(h->work, &h->work->parts[class->part], class->operation);
		if (i == 0)
			fact_from(check, &table, "o_dep", piece->dependency);
		if (is_claimed(h, class->part)) {
			fact_from(check, &table, "J", bounds_claim(check, RULE_CLAIM_JITTER, about, h->jitter_steps[i]));
			fact_from(check, &table, "R", bounds_claim(check, RULE_CLAIM_RESPONSE, about, h->response_steps[i]));
		} else {
			fact_from(check, &table, "open", fact_make(check, RULE_OPEN, about, 0));
		}
		if (class->runs == RUNS_ON_COPY_ENGINE)
			fact_from(check, &table, "C", piece->transfer);
		if (class->runs != RUNS_ON_SMS)
			continue;
		bool volume = claimed_kinds[h->kind].volume || h->engines.passing;
		fact_from(check, &table, "C", volume ? piece->assigned : piece->residence);
		if (volume) {
			fact_from(check, &table, "v", piece->volume);
			fact_from(check, &table, "o", piece->dispatch);
		} else {
			fact_from(check, &table, "M", piece->makespan);
			fact_from(check, &table, "W", piece->waste);
		}
		if (h->weights[i].node != NULL)
			fact_from(check, &table, "pi", h->weights[i]);
	}
	fact_bind(&table, h->table);
	return table;
}

static struct fact response_of(struct iteration *h, int index, struct fact table, struct fact jitter)
{
	const struct {
		const char *role;
		struct fact fact;
	} inputs[] = {{"m", sms_fact_of_context(h->work, h->context)}, {"theta_int", h->work->stop},
		{"T_int", h->work->parameters[PARAMETER_STOPS_DISTANCE]}};
	struct fact response = bounds_claim(h->check, claimed_kinds[h->kind].rule, h->work->parts[index].about, h->steps[index]);
	fact_from(h->check, &response, "engines", table);
	fact_from(h->check, &response, "J", jitter);
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		if (inputs[i].fact.node != NULL)
			fact_from(h->check, &response, inputs[i].role, inputs[i].fact);
	response.assumptions = h->assumptions;
	return response;
}

/* The steps of the context's segments. False: none has one. */
static bool find_steps(struct iteration *h)
{
	h->table = -1;
	h->steps = h->shared->steps;
	for (int k = 0; k < h->parts.count; k++) {
		int i = h->parts.items[k];
		h->steps[i] = bounds_step(h->work, h->kind, i, h->steps);
		if (h->table < 0 && h->steps[i] >= 0)
			h->table = graph_input(h->check, h->steps[i], "engines");
	}
	return h->table >= 0;
}

static int first_step(const struct iteration *h)
{
	int i = 0;
	while (!is_claimed(h, h->parts.items[i]))
		i++;
	return h->steps[h->parts.items[i]];
}

static bool services(struct iteration *h)
{
	return service_make(h->work, h->turns, h->context, false, &h->engines.kernels_by) &&
	       service_make(h->work, h->turns, h->context, true, &h->engines.copies_by);
}

static void hold_context(struct iteration *h, struct claims *claims)
{
	struct check *check = h->check;
	bool applies;
	if (!find_steps(h))
		return;
	h->assumptions = bounds_needs(h->work, h->kind, h->context, &applies) | h->turns->fact.assumptions;
	find_rules(h);
	if (!applies || bounds_queues_shared(h->work, h->context) || !services(h)) { /* [V2] */
		bounds_refuse(check, h->kind, h->table);
		return;
	}
	build(h);
	if (!all_claimed(h)) {
		check_differs(check, check->graph.steps[h->table].element, claimed_kinds[h->kind].name,
			"a jitter and a response of every operation", "not all of them");
		return;
	}
	int64_t *responses = evaluate(h);
	for (int i = 0; i < h->parts.count; i++)
		if (is_claimed(h, h->parts.items[i]))
			hold_part(h, h->parts.items[i], responses);
	struct fact table = table_of(h);
	for (int i = 0; i < h->parts.count; i++) {
		int part = h->parts.items[i];
		if (!is_claimed(h, part))
			continue;
		claims->jitters[part] = bounds_claim(h->check, RULE_CLAIM_JITTER, h->work->parts[part].about, h->line_steps[part]);
		claims->of_part[part] = response_of(h, part, table, claims->jitters[part]);
	}
	bounds_require(check, h->assumptions, first_step(h));
}

static int64_t horizon_of(const struct taskset *set)
{
	int64_t longest = 1;
	for (int i = 0; i < set->task_count; i++)
		longest = checked_max(longest, checked_add(set->tasks[i].arrival.period, set->tasks[i].arrival.jitter));
	return checked_min(checked_mul(longest, LIMIT_HORIZON_PERIODS), NONE - 1);
}

static struct shared share(const struct work *work)
{
	const struct taskset *set = work->check->set;
	struct arena *arena = work->check->arena;
	size_t parts = (size_t)work->part_count + 1, operations = (size_t)set->operation_count + 1, streams = (size_t)set->stream_count + 1;
	return (struct shared){.steps = arena_allocate(arena, parts, sizeof(int)),
		.line_steps = arena_allocate(arena, parts, sizeof(int)),
		.first_line = arena_allocate(arena, parts, sizeof(int)),
		.class_of = arena_allocate(arena, operations, sizeof(int)),
		.record_of = arena_allocate(arena, (size_t)set->event_count + 1, sizeof(int)),
		.position = arena_allocate(arena, streams, sizeof(int)),
		.orders = arena_allocate(arena, parts, sizeof(struct order)),
		.parts_within = arena_allocate(arena, parts, sizeof(int64_t)),
		.alone = arena_allocate(arena, parts, sizeof(bool)),
		.kernels = arena_allocate(arena, streams, sizeof(int *)),
		.copies = arena_allocate(arena, streams, sizeof(int *)),
		.horizon = horizon_of(set)};
}

struct claims engines_hold(struct work *work, const struct engines_claim *of, const struct turns *turns)
{
	enum claimed kind = of->kind;
	struct check *check = work->check;
	struct claims claims = claims_none(work);
	struct shared shared = share(work);
	for (int i = 0; i < work->owner_count; i++) {
		struct iteration h = {.work = work,
			.check = check,
			.shared = &shared,
			.parts = lists_of(&work->parts_of_context, i),
			.of = of,
			.kind = kind,
			.context = i,
			.turns = turns,
			.engines = {.work = work, .kind = kind, .context = i}};
		hold_context(&h, &claims);
	}
	return claims;
}
