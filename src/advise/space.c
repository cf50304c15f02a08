/* Groups, what is free, and the numbering of plans. */
#include "advise/space.h"

#include <stdlib.h>
#include <string.h>

/* ---- groups: tasks joined by a stream or an event */

static bool joined(const struct taskset *set, const struct task *one, const struct task *other)
{
	for (int i = 0; i < one->operation_count; i++)
		for (int k = 0; k < other->operation_count; k++) {
			const struct operation *a = task_operation(set, one, i), *b = task_operation(set, other, k);
			if ((a->stream != NO_ID && a->stream == b->stream) || (a->event != NO_ID && a->event == b->event))
				return true;
		}
	return false;
}

static bool has_gpu_work(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++)
		if (task_operation(set, task, i)->stream != NO_ID)
			return true;
	return false;
}

/* The first task of each one's group. */
static void join_tasks(const struct taskset *set, int *first)
{
	for (int i = 0; i < set->task_count; i++)
		first[i] = i;
	for (int i = 0; i < set->task_count; i++)
		for (int k = 0; k < i; k++) {
			int low = first[i] < first[k] ? first[i] : first[k], high = first[i] < first[k] ? first[k] : first[i];
			if (low == high || !joined(set, &set->tasks[i], &set->tasks[k]))
				continue;
			for (int t = 0; t < set->task_count; t++)
				first[t] = first[t] == high ? low : first[t];
		}
}

static void look_at_streams(struct space *space, struct group *group, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(space->set, task, i);
		group->events |= operation->event != NO_ID;
		if (operation->stream == NO_ID || operation->stream == group->only_stream)
			continue;
		group->streams += group->streams == 0 ? 1 : group->only_stream == NO_ID ? 0 : 1;
		group->only_stream = group->streams == 1 ? operation->stream : NO_ID;
	}
}

static void find_groups(struct space *space)
{
	const struct taskset *set = space->set;
	int *first = arena_allocate(space->arena, (size_t)set->task_count + 1, sizeof *first);
	space->group_of = arena_allocate(space->arena, (size_t)set->task_count + 1, sizeof *space->group_of);
	join_tasks(set, first);
	for (int i = 0; i < set->task_count; i++) {
		space->group_of[i] = NO_ID;
		if (!has_gpu_work(set, &set->tasks[i]))
			continue;
		if (first[i] == i || space->group_of[first[i]] == NO_ID) {
			space->crowded |= space->group_count == ADVISE_GROUPS;
			if (space->crowded)
				break;
			space->group_of[first[i]] = space->group_count;
			space->groups[space->group_count++] =
				(struct group){.first_task = i, .application = set->tasks[i].application, .only_stream = NO_ID};
		}
		space->group_of[i] = space->group_of[first[i]];
		look_at_streams(space, &space->groups[space->group_of[i]], &set->tasks[i]);
	}
	if (space->crowded)
		space->group_count = 0;
}

/* ---- what is free */

static bool is_free(const struct space *space, const char *what, bool by_default)
{
	const struct markup_attribute *said =
		space->freedom == NO_ID ? NULL : markup_attribute(&space->markup.elements[space->freedom], what);
	return said == NULL ? by_default : strcmp(said->value, "free") == 0;
}

/* Words between blanks. */
static const char *const *split_words(struct arena *arena, const char *text, int *count)
{
	const char **words = arena_allocate(arena, strlen(text) + 1, sizeof *words);
	*count = 0;
	for (text += strspn(text, " "); *text != '\0'; text += strspn(text, " ")) {
		size_t length = strcspn(text, " ");
		words[(*count)++] = arena_format(arena, "%.*s", (int)length, text);
		text += length;
	}
	return words;
}

/* What is the platform's anyway need not be set. */
static void drop_slice(struct space *space, int64_t own)
{
	const char **kept = arena_allocate(space->arena, (size_t)space->slice_count + 1, sizeof *kept);
	int count = 0;
	for (int i = 0; i < space->slice_count; i++) {
		struct rational slice = RATIONAL_NONE;
		units_parse(space->slices[i], UNIT_TIME, RATIONAL_NONE, &slice);
		if (checked_is_none(own) || rational_is_none(slice) || rational_compare(slice, rational_of(own)) != 0)
			kept[count++] = space->slices[i];
	}
	space->slices = kept;
	space->slice_count = count;
}

static int64_t range_end(const struct markup_element *element, const char *name)
{
	struct rational time = RATIONAL_NONE;
	units_parse(markup_attribute(element, name)->value, UNIT_TIME, RATIONAL_NONE, &time);
	return rational_is_none(time) ? NONE : rational_floor(time);
}

static struct choice read_choice(const struct markup *markup, int index)
{
	const struct markup_element *element = &markup->elements[index];
	struct choice choice = {.element = index};
	for (int k = index; (k = markup_find(markup, k, index, "option", NULL)) != NO_ID;)
		choice.option_count++;
	if (strcmp(element->name, "range") != 0)
		return choice;
	choice.target = markup_attribute(element, "target")->value;
	choice.from = range_end(element, "from");
	choice.to = range_end(element, "to");
	bool known = !checked_is_none(choice.from) && !checked_is_none(choice.to);
	choice.option_count = known ? (int)strtol(markup_attribute(element, "values")->value, NULL, 10) : 0;
	return choice;
}

int64_t choice_value(const struct choice *choice, int number)
{
	int64_t steps = choice->option_count - 1, width = choice->to - choice->from;
	int64_t along = checked_mul_div_floor(width < 0 ? -width : width, number, steps);
	return width < 0 ? choice->from - along : choice->from + along;
}

static void find_choices(struct space *space)
{
	const struct markup *markup = &space->markup;
	for (int i = NO_ID; (i = markup_find(markup, i, space->freedom, NULL, NULL)) != NO_ID;)
		if (space->choice_count < ADVISE_CHOICES)
			space->choices[space->choice_count++] = read_choice(markup, i);
}

static bool runs_on_sms(const struct space *space, const struct operation *operation)
{
	bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT ||
	       (transfer && space->platform->engine_of[operation->copy.direction] == ENGINE_COMPUTE);
}

static bool has_wcet(const struct operation *operation, int64_t sms)
{
	for (int i = 0; i < operation->size_count; i++)
		if (operation->sizes[i].sms == sms && operation->sizes[i].gpc_count == 0)
			return true;
	return false;
}

/* Has all work of the partition a WCET of its own on so many SMs? first: one operation of it. */
static bool all_have_wcet(const struct space *space, int partition, int64_t sms, const struct operation **first)
{
	bool all = true;
	for (int i = 0; i < space->set->operation_count; i++) {
		const struct operation *operation = &space->set->operations[i];
		bool here = operation->stream != NO_ID && space->set->streams[operation->stream].partition == partition + 1 &&
			    runs_on_sms(space, operation);
		all &= !here || has_wcet(operation, sms);
		*first = here && *first == NULL ? operation : *first;
	}
	return all;
}

/* Sizes that the board can make. */
static bool is_made(const struct space *space, int64_t size)
{
	int64_t unit = platform_value(space->platform, PARAMETER_PARTITION_UNIT), sms = platform_value(space->platform, PARAMETER_SM_COUNT);
	return size <= sms && (unit == NONE || size % unit == 0 || (sms - size) % unit == 0);
}

static void find_sizes(struct space *space)
{
	for (int p = 0; p < space->set->partition_count && p < ADVISE_PARTITIONS; p++) {
		const struct partition *partition = &space->set->partitions[p];
		const struct operation *first = NULL;
		struct sizes *sizes = &space->sizes[p];
		space->partition_count = p + 1;
		all_have_wcet(space, p, partition->size, &first);
		for (int i = 0; first != NULL && partition->members == NULL && i < first->size_count && sizes->count < ADVISE_SIZES; i++) {
			int64_t size = first->sizes[i].sms;
			bool other = size != partition->size && first->sizes[i].gpc_count == 0;
			if (other && is_made(space, size) && all_have_wcet(space, p, size, &first))
				sizes->of[sizes->count++] = size;
		}
	}
}

static void find_freedom(struct space *space)
{
	space->freedom = markup_find(&space->markup, NO_ID, 0, "freedom", NULL);
	/* whose priority or level would that of a process be that several make, and of whom is the server? */
	bool ranked = space->set->ranked, levels = space->set->interleaved, served = space->set->served && !space->set->merged_context;
	space->contexts_free = is_free(space, "contexts", true) && space->set->partition_count == 0 && !ranked && !levels && !served;
	space->priorities_free = is_free(space, "priorities", true);
	space->streams_free = is_free(space, "streams", false);
	space->lock_free = is_free(space, "lock", true) && !ranked;
	const struct markup_element *element = space->freedom == NO_ID ? NULL : &space->markup.elements[space->freedom];
	const struct markup_attribute *hold = element == NULL ? NULL : markup_attribute(element, "hold");
	const struct markup_attribute *slices = element == NULL ? NULL : markup_attribute(element, "slices");
	for (int i = 0; i < space->set->task_count; i++)
		space->threaded |= space->group_of[i] != NO_ID && space->set->tasks[i].core > 0;
	space->hold = hold == NULL || space->threaded ? NULL : hold->value;
	space->slices = split_words(space->arena, slices == NULL ? "1ms 2ms 5ms" : slices->value, &space->slice_count);
	int64_t own = platform_value(space->platform, PARAMETER_RUNLIST_TIMESLICE);
	drop_slice(space, slices == NULL ? own : NONE);
	space->kept_slice = own != NONE && slices == NULL;
	if (space->freedom != NO_ID)
		find_choices(space);
	if (is_free(space, "partitions", true))
		find_sizes(space);
}

/* ---- numbers of contexts and levels as they occur */

static void number_contexts(const struct space *space, struct plan *plan)
{
	signed char number[ADVISE_GROUPS] = {0};
	int count = 0;
	for (int g = 0; g < space->group_count; g++) {
		int same = 0;
		while (same < g && plan->context[same] != plan->context[g])
			same++;
		number[g] = same < g ? number[same] : (signed char)count++;
	}
	memcpy(plan->context, number, sizeof number);
}

bool plan_compete(const struct plan *plan, int one, int other)
{
	return plan->locking == LOCKING_PRIORITY || plan->context[one] == plan->context[other];
}

/* Levels without gaps among those that compete. */
void plan_number_levels(const struct space *space, struct plan *plan)
{
	signed char dense[ADVISE_GROUPS] = {0};
	for (int g = 0; g < space->group_count; g++) {
		int below = 0;
		for (int level = 0; level < plan->level[g]; level++) {
			bool used = false;
			for (int k = 0; k < space->group_count; k++)
				used |= plan_compete(plan, g, k) && plan->level[k] == level;
			below += used;
		}
		dense[g] = (signed char)below;
	}
	memcpy(plan->level, dense, sizeof dense);
}

static int rank_of_level(const struct taskset *set, int level)
{
	bool used[ADVISE_GROUPS * 4 + 64] = {false};
	int rank = 0;
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].level < level && set->streams[i].level < (int)(sizeof used))
			used[set->streams[i].level] = true;
	for (size_t i = 0; i < sizeof used; i++)
		rank += used[i];
	return rank;
}

static void state(struct space *space)
{
	struct plan *stated = &space->stated;
	*stated = (struct plan){.split = true};
	for (int g = 0; g < space->group_count; g++) {
		const struct group *group = &space->groups[g];
		int rank = group->only_stream == NO_ID ? 0 : rank_of_level(space->set, space->set->streams[group->only_stream].level);
		stated->context[g] = (signed char)taskset_context(space->set, group->application);
		stated->level[g] = (signed char)(rank < ADVISE_GROUPS ? rank : ADVISE_GROUPS - 1);
		stated->slice[g] = KEPT;
	}
	memset(stated->option, KEPT, sizeof stated->option);
	memset(stated->size, KEPT, sizeof stated->size);
	number_contexts(space, stated);
	plan_number_levels(space, stated);
}

void space_find(struct space *space, struct arena *arena, const struct platform *platform, const struct taskset *set, const char *text)
{
	*space = (struct space){.arena = arena, .set = set, .platform = platform, .text = text, .path = set->path};
	space->markup = markup_read(arena, text, strlen(text));
	int64_t levels = platform_value(platform, PARAMETER_QUEUES_PRIORITIES);
	space->levels = levels == NONE ? ADVISE_GROUPS : levels;
	find_groups(space);
	find_freedom(space);
	state(space);
}

bool space_is_plain(const struct taskset *set, const struct markup *markup)
{
	bool plain = true;
	for (int i = 0; i < set->application_count; i++)
		plain &= markup_find(markup, NO_ID, 0, "application", set->applications[i].id) != NO_ID;
	for (int i = 0; i < set->stream_count; i++)
		plain &= markup_find(markup, NO_ID, MARKUP_ANY, "stream", set->streams[i].id) != NO_ID;
	for (int i = 0; i < set->task_count; i++)
		plain &= markup_find(markup, NO_ID, 0, "task", set->tasks[i].id) != NO_ID;
	return plain;
}

/* ---- plans */

bool plan_resizes(const struct plan *plan)
{
	bool any = false;
	for (int i = 0; i < ADVISE_PARTITIONS; i++)
		any |= plan->size[i] != KEPT;
	return any;
}

bool plan_is_stated(const struct plan *plan)
{
	bool same = !plan->split && !plan->merged && !plan->one_stream && !plan->levels && plan->locking == LOCKING_KEPT;
	for (int i = 0; i < ADVISE_CHOICES; i++)
		same &= plan->option[i] == KEPT;
	for (int i = 0; i < ADVISE_GROUPS; i++)
		same &= plan->slice[i] == KEPT;
	return same && !plan_resizes(plan);
}

int plan_context(const struct space *space, const struct plan *plan, int group)
{
	return plan->merged ? 0 : plan->split ? plan->context[group] : space->stated.context[group];
}

int plan_contexts(const struct space *space, const struct plan *plan)
{
	int most = -1;
	for (int g = 0; g < space->group_count; g++)
		most = plan_context(space, plan, g) > most ? plan_context(space, plan, g) : most;
	return most + 1;
}

static bool is_locked(const struct space *space, const struct plan *plan)
{
	return plan->locking == LOCKING_KEPT ? space->set->exclusive : plan->locking != LOCKING_NONE;
}

bool plan_together(const struct space *space, const struct plan *plan, int one, int other)
{
	return !is_locked(space, plan) && !plan->one_stream && plan_context(space, plan, one) == plan_context(space, plan, other);
}

struct plan space_as_stated(const struct space *space)
{
	struct plan plan = space->stated;
	plan.split = false;
	memset(plan.slice, KEPT, sizeof plan.slice);
	return plan;
}

bool plan_keeps_contexts(const struct space *space, const struct plan *plan)
{
	return !space->set->merged_context && memcmp(plan->context, space->stated.context, (size_t)space->group_count) == 0;
}

/* Levels as they are in the file are no levels of a plan's own; those that nothing competes for are 0. */
bool plan_sets_levels(const struct space *space, const struct plan *plan)
{
	bool none = true;
	for (int g = 0; g < space->group_count; g++)
		none &= plan->level[g] == 0;
	if (plan->locking == LOCKING_KEPT && plan_keeps_contexts(space, plan))
		return memcmp(plan->level, space->stated.level, (size_t)space->group_count) != 0;
	return plan->locking == LOCKING_PRIORITY || !none;
}

/* ---- what may be */

/* No more SMs than there are. */
bool space_has_room(const struct space *space, const struct plan *plan)
{
	int64_t sum = 0;
	for (int p = 0; p < space->set->partition_count; p++) {
		bool kept = p >= space->partition_count || plan->size[p] == KEPT;
		sum = checked_add(sum, kept ? space->set->partitions[p].size : space->sizes[p].of[plan->size[p]]);
	}
	return sum <= platform_value(space->platform, PARAMETER_SM_COUNT);
}

bool space_may_share_streams(const struct space *space)
{
	bool may = space->streams_free && space->group_count > 1;
	for (int g = 0; g < space->group_count; g++)
		may &= space->groups[g].streams == 1 && !space->groups[g].events;
	return may;
}

/* ---- some of them */

static void settle(const struct space *space, struct plan *plan)
{
	if (!space_has_room(space, plan))
		memset(plan->size, KEPT, sizeof plan->size);
	bool locks = plan->locking != LOCKING_KEPT;
	if (plan->merged || locks || !space->contexts_free)
		memcpy(plan->context, space->stated.context, sizeof plan->context);
	number_contexts(space, plan);
	plan->split = !plan->merged && !locks && space->contexts_free && !plan_keeps_contexts(space, plan);
	plan_number_levels(space, plan);
	plan->one_stream &= space_may_share_streams(space) && !locks && !plan->merged;
	bool orders = space->priorities_free && !plan->merged && !plan->one_stream && (!locks || plan->locking == LOCKING_PRIORITY);
	if (!orders)
		memset(plan->level, 0, sizeof plan->level);
	for (int g = 0; g < space->group_count; g++)
		plan->level[g] = plan->level[g] < space->levels ? plan->level[g] : (signed char)(space->levels - 1);
	plan->levels = orders && plan_sets_levels(space, plan);
	int contexts = plan_contexts(space, plan);
	for (int g = 0; g < ADVISE_GROUPS; g++) {
		bool turns = g < contexts && contexts > 1 && space->contexts_free && !locks;
		if (!turns)
			plan->slice[g] = KEPT;
		else if (plan->slice[g] == KEPT && !space->kept_slice && plan->split)
			plan->slice[g] = 0;
	}
}

static void draw_part(const struct space *space, struct random *random, struct plan *plan, int part)
{
	int groups = space->group_count, group = groups > 0 ? (int)random_below(random, (uint64_t)groups) : 0;
	bool lock = space->lock_free && (space->hold != NULL || space->set->lock_count > 0);
	if (part == 0 && groups > 0)
		plan->context[group] = (signed char)random_below(random, (uint64_t)groups);
	else if (part == 1 && groups > 0)
		plan->level[group] = (signed char)random_below(random, (uint64_t)groups);
	else if (part == 2 && groups > 0)
		plan->slice[group] = (signed char)(random_below(random, (uint64_t)space->slice_count + 1) - 1);
	else if (part == 3)
		plan->one_stream = random_chance(random, 30);
	else if (part == 4 && lock)
		plan->locking =
			random_chance(random, 70) ? LOCKING_KEPT : (enum locking)random_between(random, LOCKING_PRIORITY, LOCKING_FIFO);
	else if (part == 5 && space->partition_count > 0) {
		int partition = (int)random_below(random, (uint64_t)space->partition_count);
		plan->size[partition] = (signed char)(random_below(random, (uint64_t)space->sizes[partition].count + 1) - 1);
	} else if (part >= 5 && space->choice_count > 0) {
		int choice = (int)random_below(random, (uint64_t)space->choice_count);
		plan->option[choice] = (signed char)(random_below(random, (uint64_t)space->choices[choice].option_count + 1) - 1);
	}
}

/* Task sets without partitions draw as they always did. */
static uint64_t parts(const struct space *space)
{
	return space->partition_count > 0 && space->choice_count > 0 ? 7 : 6;
}

struct plan space_vary(const struct space *space, struct random *random, const struct plan *from)
{
	struct plan plan = *from;
	int changes = 1 + (int)random_below(random, 3);
	for (int i = 0; i < changes; i++)
		draw_part(space, random, &plan, (int)random_below(random, parts(space)));
	settle(space, &plan);
	return plan;
}

struct plan space_draw(const struct space *space, struct random *random)
{
	struct plan plan = space_as_stated(space);
	for (int i = 0; i < 6 * ADVISE_GROUPS; i++)
		draw_part(space, random, &plan, (int)random_below(random, parts(space)));
	settle(space, &plan);
	return plan;
}
