/* Splices of the task set's text, and sentences. */
#include "advise/design.h"

#include "input/change.h"

#include <inttypes.h>
#include <string.h>

struct writing {
	struct arena *arena;
	const struct space *space;
	const struct plan *plan;
	const struct markup *markup; /* with the options of the plan in it */
	struct splices splices;
};

/* ---- options of <freedom> */

/* What stands between its tags. */
static const char *content_of(struct arena *arena, const struct markup *markup, int element)
{
	const struct markup_element *e = &markup->elements[element];
	return arena_format(arena, "%.*s", (int)(e->end_from - e->tag_to), markup->bytes + e->tag_to);
}

static bool in_freedom(const struct markup *markup, int element)
{
	for (; element != NO_ID; element = markup->elements[element].parent)
		if (strcmp(markup->elements[element].name, "freedom") == 0)
			return true;
	return false;
}

static const char *replace(struct arena *arena, const char *text, const char *operation, const char *by)
{
	struct markup markup = markup_read(arena, text, strlen(text));
	struct splices splices = {.arena = arena};
	for (int i = NO_ID; (i = markup_find(&markup, i, MARKUP_ANY, NULL, operation)) != NO_ID;) {
		const char *name = markup.elements[i].name;
		bool operates = strcmp(name, "kernel") == 0 || strcmp(name, "copy") == 0 || strcmp(name, "memset") == 0 ||
				strcmp(name, "sequence") == 0 || strcmp(name, "host") == 0;
		if (!operates || in_freedom(&markup, i))
			continue;
		splice_add(&splices, markup.elements[i].from, markup.elements[i].to, by);
		return splice_apply(&markup, &splices, NULL);
	}
	return NULL;
}

static const char *take_change(
	struct arena *arena, const struct space *space, const char *target, const char *value, const char *text, const char **reason)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const char *word = arena_format(arena, "--set=%s=%s", target, value);
	const struct input_wishes wishes = {.changes = &word, .change_count = 1};
	const char *changed = change_text(arena, &diagnostics, space->path, &wishes, (struct changed_text){text, strlen(text), NULL}).bytes;
	for (int i = 0; changed == NULL && i < diagnostics.count; i++)
		*reason = diagnostics.items[i].text;
	return changed;
}

static const char *take_option(struct arena *arena, const struct space *space, int option, const char *text, const char **reason)
{
	const struct markup *markup = &space->markup;
	for (int i = option; text != NULL && (i = markup_find(markup, i, option, NULL, NULL)) != NO_ID;) {
		const struct markup_element *element = &markup->elements[i];
		if (strcmp(element->name, "set") == 0) {
			text = take_change(arena, space, markup_attribute(element, "target")->value,
				markup_attribute(element, "value")->value, text, reason);
			continue;
		}
		const char *operation = markup_attribute(element, "operation")->value;
		text = replace(arena, text, operation, content_of(arena, markup, i));
		if (text == NULL)
			*reason = arena_format(arena, "there is no operation '%s' to be replaced", operation);
	}
	return text;
}

/* The element of the option that the plan takes of a choice. */
static int option_element(const struct space *space, const struct plan *plan, int choice)
{
	int element = space->choices[choice].element, parent = element;
	for (int i = 0; i <= plan->option[choice]; i++)
		element = markup_find(&space->markup, element, parent, "option", NULL);
	return element;
}

static const char *short_time(struct arena *arena, int64_t ns)
{
	if (ns % 1000 != 0)
		return arena_format(arena, "%" PRId64 "ns", ns);
	return ns % 1000000 != 0 ? arena_format(arena, "%" PRId64 "us", ns / 1000) : arena_format(arena, "%" PRId64 "ms", ns / 1000000);
}

/* What the plan takes of a choice, in words. kind: without the value of a range. */
static const char *choice_words(struct arena *arena, const struct space *space, const struct plan *plan, int choice, bool kind)
{
	const struct choice *of = &space->choices[choice];
	if (of->target == NULL)
		return markup_attribute(&space->markup.elements[option_element(space, plan, choice)], "says")->value;
	const char *value = short_time(arena, choice_value(of, plan->option[choice]));
	return kind ? arena_format(arena, "another %s", of->target) : arena_format(arena, "%s of %s", of->target, value);
}

static const char *take_options(struct arena *arena, const struct space *space, const struct plan *plan, const char **reason)
{
	const char *text = space->text;
	for (int i = 0; i < space->choice_count && text != NULL; i++)
		if (plan->option[i] != KEPT && space->choices[i].target != NULL)
			text = take_change(arena, space, space->choices[i].target,
				arena_format(arena, "%" PRId64 "ns", choice_value(&space->choices[i], plan->option[i])), text, reason);
		else if (plan->option[i] != KEPT)
			text = take_option(arena, space, option_element(space, plan, i), text, reason);
	return text;
}

/* ---- contexts */

/* With the blanks before it, so that no empty line stays. */
static void remove_element(struct writing *w, const struct markup_element *element)
{
	size_t from = element->from;
	while (from > 0 && strchr(" \t", w->markup->bytes[from - 1]) != NULL)
		from--;
	from -= from > 0 && w->markup->bytes[from - 1] == '\n';
	splice_add(&w->splices, from, element->to, "");
}

static const struct markup_element *element_of(const struct writing *w, const char *name, const char *id)
{
	int found = markup_find(w->markup, NO_ID, MARKUP_ANY, name, id);
	return found == NO_ID ? NULL : &w->markup->elements[found];
}

/* An operation may have the name of something else. */
static const struct markup_element *operation_element(const struct writing *w, const char *id)
{
	for (int i = NO_ID; (i = markup_find(w->markup, i, MARKUP_ANY, NULL, id)) != NO_ID;)
		if (markup_attribute(&w->markup->elements[i], "stream") != NULL)
			return &w->markup->elements[i];
	return NULL;
}

/* Streams without operations go with the first group of their application. */
static int group_of_stream(const struct space *space, int stream)
{
	for (int t = 0; t < space->set->task_count; t++)
		for (int i = 0; i < space->set->tasks[t].operation_count; i++)
			if (task_operation(space->set, &space->set->tasks[t], i)->stream == stream)
				return space->group_of[t];
	for (int g = 0; g < space->group_count; g++)
		if (space->groups[g].application == space->set->streams[stream].application)
			return g;
	return 0;
}

static const char *context_name(struct arena *arena, const struct space *space, const struct plan *plan, int context)
{
	int application = NO_ID, first = NO_ID;
	bool whole = true;
	for (int g = 0; g < space->group_count; g++) {
		bool inside = plan->context[g] == context;
		if (inside && application == NO_ID) {
			application = space->groups[g].application;
			first = g;
		}
		whole &= !inside || space->groups[g].application == application;
	}
	for (int g = 0; g < space->group_count; g++)
		whole &= plan->context[g] == context || space->groups[g].application != application;
	return whole ? space->set->applications[application].id
		     : arena_format(arena, "%s-process", space->set->tasks[space->groups[first].first_task].id);
}

static int64_t numbered(const struct space *space, int level)
{
	return level + 1 - space->levels; /* as CUDA counts: 0 is the lowest */
}

static bool by_cuda(const struct space *space)
{
	for (int i = 0; i < space->set->stream_count; i++)
		if (space->set->streams[i].by_cuda)
			return true;
	return false;
}

static const char *slice_of(const struct space *space, const struct plan *plan, int context)
{
	return plan->slice[context] == KEPT ? NULL : space->slices[plan->slice[context]];
}

/* Is another group in its context, so that the plan says what their priorities are? */
static bool competes(const struct space *space, const struct plan *plan, int group)
{
	int others = 0;
	for (int g = 0; g < space->group_count; g++)
		others += g != group && plan_context(space, plan, g) == plan_context(space, plan, group);
	return others > 0;
}

/* <stream .../> with its own attributes, but for those that the plan has. */
static void add_stream(struct writing *w, struct output *output, int stream)
{
	const struct space *space = w->space;
	const struct plan *plan = w->plan;
	const struct stream *of = &space->set->streams[stream];
	const struct markup_element *element = element_of(w, "stream", of->id);
	int group = group_of_stream(space, stream);
	bool ordered = competes(space, plan, group) && (plan->levels || plan->split) && plan->locking != LOCKING_PRIORITY;
	bool levels = ordered && plan->levels;
	output_print(output, "    <stream");
	for (int i = 0; i < element->attribute_count; i++) {
		const struct markup_attribute *attribute = &element->attributes[i];
		bool priority = strcmp(attribute->name, "priority") == 0 || strcmp(attribute->name, "cuda-priority") == 0;
		if (!priority || !ordered)
			output_print(output, " %s=\"%s\"", attribute->name, attribute->value);
	}
	if (levels && by_cuda(space) && platform_value(space->platform, PARAMETER_QUEUES_PRIORITIES) != NONE)
		output_print(output, " cuda-priority=\"%" PRId64 "\"", numbered(space, plan->level[group]));
	else if (levels)
		output_print(output, " priority=\"%d\"", plan->level[group]);
	output_add(output, "/>\n");
}

/* All applications anew, where the first of them stood. */
static void write_contexts(struct writing *w)
{
	const struct space *space = w->space;
	struct output output = {0};
	int contexts = plan_contexts(space, w->plan), first = markup_find(w->markup, NO_ID, 0, "application", NULL);
	for (int c = 0; c < contexts; c++) {
		const char *slice = slice_of(space, w->plan, c);
		output_print(&output, "\n  <application id=\"%s\"", context_name(w->arena, space, w->plan, c));
		if (slice != NULL)
			output_print(&output, " timeslice=\"%s\"", slice);
		output_add(&output, ">\n");
		for (int s = 0; s < space->set->stream_count; s++)
			if (w->plan->context[group_of_stream(space, s)] == c)
				add_stream(w, &output, s);
		output_add(&output, "  </application>");
	}
	size_t place = w->markup->elements[first].to;
	splice_add(&w->splices, place, place, arena_copy(w->arena, output.text));
	for (int i = first; i != NO_ID; i = markup_find(w->markup, i, 0, "application", NULL))
		remove_element(w, &w->markup->elements[i]);
	output_finish(&output);
	splice_attribute(&w->splices, &w->markup->elements[0], "mps", NULL);
}

/* ---- slices and levels where contexts stay */

static void write_levels(struct writing *w)
{
	const struct space *space = w->space;
	for (int s = 0; s < space->set->stream_count; s++) {
		const struct markup_element *element = element_of(w, "stream", space->set->streams[s].id);
		struct output output = {0};
		add_stream(w, &output, s);
		size_t length = strlen(output.text);
		splice_add(&w->splices, element->from, element->to, arena_format(w->arena, "%.*s", (int)length - 5, output.text + 4));
		output_finish(&output);
	}
}

static void write_slices(struct writing *w)
{
	const struct space *space = w->space;
	for (int g = 0; g < space->group_count; g++) {
		const char *slice = slice_of(space, w->plan, space->stated.context[g]);
		bool first = true;
		for (int k = 0; k < g; k++)
			first &= space->stated.context[k] != space->stated.context[g];
		if (slice != NULL && first)
			splice_attribute(&w->splices,
				element_of(w, "application",
					space->set->applications[taskset_context(space->set, space->groups[g].application)].id),
				"timeslice", slice);
	}
}

/* ---- one stream */

static void write_one_stream(struct writing *w)
{
	const struct space *space = w->space;
	for (int t = 0; t < space->set->task_count; t++)
		for (int i = 0; i < space->set->tasks[t].operation_count && space->group_of[t] != NO_ID; i++) {
			const struct operation *operation = task_operation(space->set, &space->set->tasks[t], i);
			int group = space->group_of[t], first = 0;
			while (plan_context(space, w->plan, first) != plan_context(space, w->plan, group))
				first++;
			const struct markup_element *element = operation_element(w, operation->id);
			if (operation->stream == NO_ID || first == group || element == NULL)
				continue;
			splice_attribute(&w->splices, element, "stream", space->set->streams[space->groups[first].only_stream].id);
		}
}

/* ---- locks */

static void remove_locks(struct writing *w)
{
	for (int i = NO_ID; (i = markup_find(w->markup, i, MARKUP_ANY, "locked", NULL)) != NO_ID;) {
		const struct markup_element *element = &w->markup->elements[i];
		splice_add(&w->splices, element->from, element->tag_to, "");
		splice_add(&w->splices, element->end_from, element->to, "");
	}
	for (int i = NO_ID; (i = markup_find(w->markup, i, 0, "lock", NULL)) != NO_ID;)
		remove_element(w, &w->markup->elements[i]);
}

/* The stream of an element that may be in a unit; NULL: it may not. */
static const char *stream_in_unit(const struct markup *markup, int element)
{
	const struct markup_element *e = &markup->elements[element];
	const struct markup_attribute *stream = markup_attribute(e, "stream"), *call = markup_attribute(e, "call");
	if (strcmp(e->name, "graph") == 0) {
		int inner = markup_find(markup, element, element, NULL, NULL);
		return inner == NO_ID ? NULL : stream_in_unit(markup, inner);
	}
	bool issued = strcmp(e->name, "kernel") == 0 || strcmp(e->name, "sequence") == 0 || strcmp(e->name, "copy") == 0 ||
		      strcmp(e->name, "memset") == 0;
	return !issued || stream == NULL || (call != NULL && strcmp(call->value, "synchronous") == 0) ? NULL : stream->value;
}

/* Every run of work on one stream is a unit. */
static void lock_task(struct writing *w, int task, const char *begin)
{
	const char *open = NULL;
	size_t end = 0;
	for (int i = task; (i = markup_find(w->markup, i, task, NULL, NULL)) != NO_ID;) {
		const char *stream = stream_in_unit(w->markup, i);
		bool goes_on = open != NULL && stream != NULL && strcmp(open, stream) == 0;
		if (open != NULL && !goes_on)
			splice_add(&w->splices, end, end, "</locked>");
		if (stream != NULL && !goes_on)
			splice_add(&w->splices, w->markup->elements[i].from, w->markup->elements[i].from, begin);
		open = stream;
		end = w->markup->elements[i].to;
	}
	if (open != NULL)
		splice_add(&w->splices, end, end, "</locked>");
}

static void add_locks(struct writing *w)
{
	const struct space *space = w->space;
	bool priority = w->plan->locking == LOCKING_PRIORITY;
	int core = markup_find(w->markup, NO_ID, 0, "core", NULL), task = markup_find(w->markup, NO_ID, 0, "task", NULL);
	size_t place = w->markup->elements[core == NO_ID ? task : core].from;
	splice_add(&w->splices, place, place,
		arena_format(w->arena, "<lock id=\"gpu-lock\" protocol=\"%s\"/>\n  ", priority ? "priority" : "fifo"));
	for (int t = 0; t < space->set->task_count; t++) {
		int element = markup_find(w->markup, NO_ID, 0, "task", space->set->tasks[t].id);
		const char *level = priority && space->group_of[t] != NO_ID
					    ? arena_format(w->arena, " priority=\"%d\"", w->plan->level[space->group_of[t]])
					    : "";
		if (space->group_of[t] != NO_ID)
			lock_task(w, element, arena_format(w->arena, "<locked lock=\"gpu-lock\" hold=\"%s\"%s>", space->hold, level));
	}
}

/* Who is next of those that wait for a lock that is there. */
static void order_lock(struct writing *w)
{
	const struct space *space = w->space;
	bool priority = w->plan->locking == LOCKING_PRIORITY;
	for (int i = NO_ID; (i = markup_find(w->markup, i, 0, "lock", NULL)) != NO_ID;)
		splice_attribute(&w->splices, &w->markup->elements[i], "protocol", priority ? "priority" : "fifo");
	for (int i = NO_ID; (i = markup_find(w->markup, i, MARKUP_ANY, "locked", NULL)) != NO_ID;) {
		int parent = i;
		while (strcmp(w->markup->elements[parent].name, "task") != 0)
			parent = w->markup->elements[parent].parent;
		int task = 0;
		while (strcmp(space->set->tasks[task].id, w->markup->elements[parent].id) != 0)
			task++;
		splice_attribute(&w->splices, &w->markup->elements[i], "priority",
			priority ? arena_format(w->arena, "%d", w->plan->level[space->group_of[task]]) : NULL);
	}
}

static void write_locks(struct writing *w)
{
	if (w->plan->locking == LOCKING_NONE)
		remove_locks(w);
	else if (w->plan->locking != LOCKING_KEPT && w->space->set->lock_count > 0)
		order_lock(w);
	else if (w->plan->locking != LOCKING_KEPT)
		add_locks(w);
}

/* ---- partitions */

static void write_sizes(struct writing *w)
{
	for (int p = 0; p < w->space->partition_count; p++) {
		const struct partition *partition = &w->space->set->partitions[p];
		int element = markup_find(w->markup, NO_ID, 0, "partition", partition->id);
		if (w->plan->size[p] != KEPT && element != NO_ID)
			splice_attribute(&w->splices, &w->markup->elements[element], "size",
				arena_format(w->arena, "%" PRId64, w->space->sizes[p].of[w->plan->size[p]]));
	}
}

/* ---- all of it */

static const char *without_freedom(struct arena *arena, const char *text)
{
	struct markup markup = markup_read(arena, text, strlen(text));
	struct writing w = {.arena = arena, .markup = &markup, .splices = {.arena = arena}};
	int freedom = markup_find(&markup, NO_ID, 0, "freedom", NULL);
	if (freedom == NO_ID)
		return text;
	remove_element(&w, &markup.elements[freedom]);
	return splice_apply(&markup, &w.splices, NULL);
}

const char *design_text(struct arena *arena, const struct space *space, const struct plan *plan, const char **reason)
{
	const char *text = take_options(arena, space, plan, reason);
	if (text == NULL)
		return NULL;
	text = without_freedom(arena, text);
	struct markup markup = markup_read(arena, text, strlen(text));
	struct writing w = {arena, space, plan, &markup, {.arena = arena}};
	if (!space_is_plain(space->set, &markup)) {
		*reason = "an option gives an application, a stream or a task another name";
		return NULL;
	}
	if (plan->split)
		write_contexts(&w);
	else if (plan->levels && plan->locking == LOCKING_KEPT)
		write_levels(&w);
	if (!plan->split)
		write_slices(&w);
	if (plan->merged)
		splice_attribute(&w.splices, &markup.elements[0], "mps", "merged");
	if (plan->one_stream)
		write_one_stream(&w);
	write_locks(&w);
	write_sizes(&w);
	return splice_apply(&markup, &w.splices, NULL);
}

/* ---- words */

static const char *group_name(const struct space *space, int group)
{
	return space->set->tasks[space->groups[group].first_task].id;
}

/* "a, b and c" of the groups for which `in` holds. */
static void add_groups(struct output *output, const struct space *space, const bool *in)
{
	int left = 0;
	for (int g = 0; g < space->group_count; g++)
		left += in[g];
	bool first = true;
	for (int g = 0; g < space->group_count; g++) {
		if (!in[g])
			continue;
		output_print(output, "%s%s", first ? "" : left == 1 ? " and " : ", ", group_name(space, g));
		first = false;
		left--;
	}
}

static const char *slice_words(struct arena *arena, const struct space *space, const struct plan *plan, int context)
{
	const char *slice = slice_of(space, plan, context);
	int64_t ns = platform_value(space->platform, PARAMETER_RUNLIST_TIMESLICE);
	if (slice != NULL)
		return slice;
	return checked_is_none(ns) ? "the platform's" : arena_format(arena, "the platform's %s", short_time(arena, ns));
}

static bool has_slices(const struct space *space, const struct plan *plan)
{
	bool any = false;
	for (int c = 0; c < plan_contexts(space, plan); c++)
		any |= plan->slice[c] != KEPT;
	return any;
}

/* A process by its first task. */
static const char *process_name(struct arena *arena, const struct space *space, const struct plan *plan, int context)
{
	int first = NO_ID, count = 0;
	for (int g = 0; g < space->group_count; g++) {
		bool inside = plan_context(space, plan, g) == context;
		first = inside && first == NO_ID ? g : first;
		count += inside;
	}
	return count == 1 ? group_name(space, first) : arena_format(arena, "the process of %s", group_name(space, first));
}

/* "1ms for a and b", of all processes with the slice of this one. */
static void say_slice(struct output *output, struct arena *arena, const struct space *space, const struct plan *plan, int context)
{
	int left = 0, contexts = plan_contexts(space, plan);
	for (int c = context; c < contexts; c++)
		left += plan->slice[c] == plan->slice[context];
	output_print(output, "%s for ", slice_words(arena, space, plan, context));
	for (int c = context, said = 0; c < contexts; c++) {
		if (plan->slice[c] != plan->slice[context])
			continue;
		output_print(output, "%s%s", said == 0 ? "" : said + 1 == left ? " and " : ", ", process_name(arena, space, plan, c));
		said++;
	}
}

/* Of processes that stay those that get another slice than they have. */
static void say_slices(struct output *output, const struct space *space, const struct plan *plan)
{
	struct arena *arena = arena_create();
	int contexts = plan_contexts(space, plan), same = 0;
	for (int c = 0; c < contexts; c++)
		same += plan->slice[c] == plan->slice[0];
	if (same == contexts)
		output_print(output, "time slices of %s", slice_words(arena, space, plan, 0));
	const char *before = "time slices of ";
	for (int c = 0; c < contexts && same < contexts; c++) {
		bool said = !plan->split && plan->slice[c] == KEPT;
		for (int k = 0; k < c; k++)
			said |= plan->slice[k] == plan->slice[c];
		if (said)
			continue;
		output_add(output, before);
		say_slice(output, arena, space, plan, c);
		before = ", of ";
	}
	arena_destroy(arena);
}

/* "a and b in one process, c alone, d alone"; "a, b and c each in a process of its own". */
static void say_contexts(struct output *output, const struct space *space, const struct plan *plan)
{
	int contexts = plan_contexts(space, plan);
	bool in[ADVISE_GROUPS];
	memset(in, true, sizeof in);
	if (contexts == 1 || contexts == space->group_count) {
		add_groups(output, space, in);
		output_add(output, contexts == 1 ? " in one process" : " each in a process of its own");
		return;
	}
	for (int c = 0; c < contexts; c++) {
		int count = 0;
		for (int g = 0; g < space->group_count; g++)
			count += in[g] = plan->context[g] == c;
		output_add(output, c == 0 ? "" : ", ");
		add_groups(output, space, in);
		output_add(output, count > 1 ? " in one process" : " alone");
	}
}

static void say_levels(struct output *output, const struct space *space, const struct plan *plan)
{
	int contexts = plan->locking == LOCKING_PRIORITY ? 1 : plan_contexts(space, plan);
	for (int c = 0; c < contexts; c++) {
		bool first = true;
		for (int level = 0; level < ADVISE_GROUPS; level++) {
			bool in[ADVISE_GROUPS];
			int count = 0, others = 0;
			for (int g = 0; g < space->group_count; g++) {
				bool here = contexts == 1 || plan_context(space, plan, g) == c;
				count += in[g] = here && plan->level[g] == level;
				others += here;
			}
			if (count == 0 || others == 1)
				continue;
			output_add(output, !first ? " before " : output->length > 0 ? "; " : "");
			output_add(output, !first ? "" : count == others ? "one priority for " : "priorities: ");
			add_groups(output, space, in);
			first = false;
		}
	}
}

void design_sentence(struct output *output, const struct space *space, const struct plan *plan)
{
	struct output part = {0};
	const char *between = "";
#define SAY(...) (output_add(output, between), output_print(output, __VA_ARGS__), between = "; ")
	if (plan_is_stated(plan))
		SAY("the task set as it stands");
	if (plan->split) {
		say_contexts(&part, space, plan);
		SAY("%s", part.text);
	}
	part.length = 0;
	if (plan_contexts(space, plan) > 1 && (plan->split || has_slices(space, plan))) {
		say_slices(&part, space, plan);
		SAY("%s", part.text);
	}
	if (plan->merged)
		SAY("all processes under MPS");
	if (plan->one_stream)
		SAY("one stream for all tasks of a process");
	if (plan->locking == LOCKING_NONE)
		SAY("no lock");
	if (plan->locking == LOCKING_FIFO)
		SAY("a lock round the GPU work of every task, whoever asks first is next");
	if (plan->locking == LOCKING_PRIORITY)
		SAY("a lock round the GPU work of every task, by priority");
	part.length = 0;
	if (plan->levels || plan->split || plan->locking == LOCKING_PRIORITY)
		say_levels(&part, space, plan);
	if (part.length > 0 && !plan->one_stream)
		SAY("%s", part.text);
	for (int i = 0; i < space->partition_count; i++)
		if (plan->size[i] != KEPT)
			SAY("partition %s of %" PRId64 " SMs", space->set->partitions[i].id, space->sizes[i].of[plan->size[i]]);
	for (int i = 0; i < space->choice_count; i++)
		if (plan->option[i] != KEPT)
			SAY("%s", choice_words(space->arena, space, plan, i, false));
#undef SAY
	output_finish(&part);
}

const char *design_kind(struct arena *arena, const struct space *space, const struct plan *plan)
{
	int contexts = plan_contexts(space, plan);
	const char *kind = plan_is_stated(plan)                            ? "as it stands"
			   : plan->locking == LOCKING_NONE                 ? "no lock"
			   : plan->locking == LOCKING_FIFO                 ? "a lock, first come first served"
			   : plan->locking == LOCKING_PRIORITY             ? "a lock by priority"
			   : plan->merged                                  ? "MPS"
			   : plan->one_stream                              ? "one stream for all tasks of a process"
			   : plan->split && contexts == 1                  ? "one process for all"
			   : plan->split && contexts == space->group_count ? "a process for each task"
			   : plan->split                                   ? "some tasks in one process"
			   : plan->levels                                  ? "other priorities"
			   : plan_resizes(plan)                            ? "other sizes of partitions"
			   : contexts > 1                                  ? "other time slices"
									   : "as it stands";
	for (int i = 0; i < space->choice_count; i++)
		if (plan->option[i] != KEPT)
			kind = arena_format(arena, "%s, %s", kind, choice_words(arena, space, plan, i, true));
	return kind;
}

/* ---- what has to be measured again */

bool design_adds_company(const struct space *space, const struct plan *plan)
{
	struct plan kept = space->stated;
	kept.split = false;
	for (int a = 0; a < space->group_count; a++)
		for (int b = 0; b < a; b++)
			if (plan_together(space, plan, a, b) && !plan_together(space, &kept, a, b))
				return true;
	return false;
}

/* Kernels lose turns that do not in the task set. */
static bool adds_turns(const struct space *space, const struct plan *plan)
{
	return plan_contexts(space, plan) > 1 && plan_contexts(space, &space->stated) == 1;
}

/* A factor for any company is of the company that its author had in mind. */
static bool has_open_factors(const struct platform *platform)
{
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].declared_by != NULL && platform->interference[i].count == NONE)
			return true;
	return false;
}

static const char *of_company(const struct space *space)
{
	return has_open_factors(space->platform) ? "the interference factors: kernels run at once here that did not when they were declared"
						 : "WCETs beside other streams' kernels: some run at once here that did not before";
}

static const char *of_switch(struct arena *arena, const struct space *space)
{
	const struct quantity *stated = &space->platform->parameters[PARAMETER_RUNLIST_SWITCH];
	const char *said = stated->present ? arena_format(arena, " (%s is stated)", short_time(arena, stated->value)) : "";
	return arena_format(arena, "runlist.switch between these processes%s, with what cold caches cost, or declare switch.refill", said);
}

/* Two tasks of a flow that are in two processes now hand their data over in another way; NULL: none are. */
static const char *of_handing_over(struct arena *arena, const struct space *space, const struct plan *plan)
{
	for (int i = 0; i < space->set->end_to_end_count; i++)
		for (int k = 1; k < space->set->end_to_end[i].task_count; k++) {
			int from = space->set->end_to_end[i].tasks[k - 1], to = space->set->end_to_end[i].tasks[k];
			int a = space->group_of[from], b = space->group_of[to];
			if (a != NO_ID && b != NO_ID && plan_context(space, &space->stated, a) == plan_context(space, &space->stated, b) &&
				plan_context(space, plan, a) != plan_context(space, plan, b))
				return arena_format(arena,
					"the hand-over from %s to %s, in two processes now: copies that it needs are in no task",
					space->set->tasks[from].id, space->set->tasks[to].id);
		}
	return NULL;
}

int design_measures(struct arena *arena, const struct space *space, const struct plan *plan, const char *measures[DESIGN_MEASURES])
{
	int count = 0;
	const char *handing_over = of_handing_over(arena, space, plan);
	if (design_adds_company(space, plan))
		measures[count++] = of_company(space);
	if (plan->split && plan_contexts(space, plan) > 1)
		measures[count++] = of_switch(arena, space);
	if (adds_turns(space, plan))
		measures[count++] =
			"WCETs of whole kernels: they have to hold for one that is interrupted and goes on with other of its blocks";
	if (plan_resizes(plan) && has_open_factors(space->platform))
		measures[count++] = "the interference factors: they were declared for partitions of other sizes";
	if (plan_contexts(space, plan) > 1 && (adds_turns(space, plan) || has_slices(space, plan)))
		measures[count++] = "that these time slices can be set, and are kept";
	if (plan->split || plan->merged)
		measures[count++] = "overheads (launch, block, dependency, copy) in the changed processes";
	if (handing_over != NULL)
		measures[count++] = handing_over;
	if (plan->locking == LOCKING_PRIORITY || plan->locking == LOCKING_FIFO)
		measures[count++] = "the hold time: all host time of a unit from the grant to the hand-over, in this order of requests";
	return count;
}
