/* Reads the files of an AMALTHEA model and lists what of it a task set has no place for. */
#include "import/amalthea.h"

#include "import/values.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What is taken of a model. All else that stands there is told as left out. */
static const struct {
	const char *part, *child;
	size_t list; /* 0: what is in it is looked for elsewhere */
} taken[] = {
	{"swModel", "tasks", offsetof(struct amalthea, tasks)},
	{"swModel", "runnables", offsetof(struct amalthea, runnables)},
	{"swModel", "labels", offsetof(struct amalthea, labels)},
	{"stimuliModel", "stimuli", offsetof(struct amalthea, stimuli)},
	{"hwModel", "definitions", offsetof(struct amalthea, core_types)},
	{"hwModel", "coreTypes", offsetof(struct amalthea, core_types)},
	{"hwModel", "domains", offsetof(struct amalthea, domains)},
	{"hwModel", "featureCategories", 0},
	{"hwModel", "structures", 0},
	{"hwModel", "system", 0},
	{"mappingModel", "taskAllocation", offsetof(struct amalthea, task_allocations)},
	{"mappingModel", "schedulerAllocation", offsetof(struct amalthea, scheduler_allocations)},
	{"constraintsModel", "requirements", offsetof(struct amalthea, requirements)},
	{"osModel", "operatingSystems", 0},
};

const char *amalthea_type(const struct xml_node *node)
{
	const char *type = node_get(node, "xsi:type"), *colon = type != NULL ? strchr(type, ':') : NULL;
	return colon != NULL ? colon + 1 : type != NULL ? type : "";
}

void amalthea_leave(struct amalthea *model, const char *what)
{
	for (int i = 0; i < model->left_count; i++)
		if (strcmp(model->left[i].what, what) == 0) {
			model->left[i].count++;
			return;
		}
	if (model->left_count < AMALTHEA_LEFT)
		model->left[model->left_count++] = (struct amalthea_left){what, 1};
	else
		model->left_beyond++;
}

/* ---- names and references */

static int hexadecimal(char digit)
{
	return isdigit((unsigned char)digit) ? digit - '0' : tolower((unsigned char)digit) - 'a' + 10;
}

/* "amlt:/#A%20b?type=Task", "A+b?type=Task": "A b". */
static const char *decode(struct arena *arena, const char *text, size_t length)
{
	const char *hash = memchr(text, '#', length), *end = text + length;
	text = hash != NULL ? hash + 1 : text;
	const char *query = memchr(text, '?', (size_t)(end - text));
	end = query != NULL ? query : end;
	char *name = arena_allocate(arena, (size_t)(end - text) + 1, 1), *to = name;
	for (; text < end; text++) {
		bool coded = *text == '%' && end - text > 2 && isxdigit((unsigned char)text[1]) && isxdigit((unsigned char)text[2]);
		*to++ = coded ? (char)(hexadecimal(text[1]) * 16 + hexadecimal(text[2])) : *text == '+' ? ' ' : *text;
		text += coded ? 2 : 0;
	}
	return name;
}

struct names {
	struct arena *arena;
	const char **items;
	int count, capacity;
};

static void add_name(struct names *names, const char *text, size_t length)
{
	names->items = arena_grow(names->arena, names->items, &names->capacity, names->count + 1, sizeof *names->items);
	names->items[names->count++] = decode(names->arena, text, length);
}

const char *const *amalthea_references(struct amalthea *model, const struct xml_node *node, const char *name, int *count)
{
	struct names names = {.arena = model->build->arena};
	const char *text = node_get(node, name);
	for (size_t length; text != NULL && *text != '\0'; text += length + strspn(text + length, " ")) {
		length = strcspn(text, " ");
		if (length > 0)
			add_name(&names, text, length);
	}
	for (const struct xml_node *child = node != NULL ? node->first : NULL; child != NULL; child = child->next) {
		const char *href = node_is(child, name) ? node_get(child, "href") : NULL;
		if (href != NULL)
			add_name(&names, href, strlen(href));
	}
	*count = names.count;
	return names.items;
}

const char *amalthea_reference(struct amalthea *model, const struct xml_node *node, const char *name)
{
	int count;
	const char *const *names = amalthea_references(model, node, name, &count);
	return count > 0 ? names[0] : NULL;
}

static int by_name(const void *one, const void *other)
{
	const struct named_node *a = one, *b = other;
	int order = strcmp(a->name, b->name);
	return order != 0 ? order : (a->node > b->node) - (a->node < b->node);
}

struct named_node *amalthea_find(const struct named_list *list, const char *name)
{
	int from = 0, to = list->count;
	while (name != NULL && from < to) {
		int middle = from + (to - from) / 2, order = strcmp(list->items[middle].name, name);
		if (order == 0)
			return &list->items[middle];
		*(order < 0 ? &from : &to) = order < 0 ? middle + 1 : middle;
	}
	return NULL;
}

static void add_named(struct amalthea *model, struct named_list *list, const struct xml_node *node)
{
	const char *name = node_get(node, "name");
	list->items = arena_grow(model->build->arena, list->items, &list->capacity, list->count + 1, sizeof *list->items);
	list->items[list->count++] = (struct named_node){name != NULL ? name : "", node, NULL};
}

/* Allocations and requirements have no name that counts, and stay in their order. */
static void sort_names(struct amalthea *model)
{
	struct named_list *lists[] = {&model->tasks, &model->runnables, &model->labels, &model->stimuli, &model->cores, &model->core_types,
		&model->domains, &model->features, &model->schedulers};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct named_list *list = lists[i];
		if (list->count > 1)
			qsort(list->items, (size_t)list->count, sizeof *list->items, by_name);
		for (int k = 1; k < list->count; k++)
			if (strcmp(list->items[k - 1].name, list->items[k].name) == 0)
				diagnose(model->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, list->items[k].node->path,
					list->items[k].node->line, "expected one element <%s> of this name; '%s' is a second one",
					list->items[k].node->name, value_shorten(model->build->arena, list->items[k].name, VALUE_SHORT));
	}
}

/* ---- what a file has */

/* Cores stand anywhere in the structures: modules of the type ProcessingUnit, before 0.9.0 <cores>; schedulers stand in operating systems.
 */
static void find_hardware(struct amalthea *model, const struct xml_node *node)
{
	for (; node != NULL; node = node->next) {
		bool unit = node_is(node, "cores") || (node_is(node, "modules") && strcmp(amalthea_type(node), "ProcessingUnit") == 0);
		if (unit)
			add_named(model, &model->cores, node);
		else if (node_is(node, "quartzes"))
			add_named(model, &model->domains, node);
		else if (node_is(node, "features"))
			add_named(model, &model->features, node);
		else if (node_is(node, "taskSchedulers"))
			add_named(model, &model->schedulers, node);
		else if (node_is(node, "modules") || node_is(node, "memories") || node_is(node, "networks") || node_is(node, "connections"))
			amalthea_leave(model, arena_format(model->build->arena, "hwModel: %s", node->name));
		if (!unit)
			find_hardware(model, node->first);
	}
}

static void take(struct amalthea *model, const struct xml_node *part, const struct xml_node *child)
{
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		if (strcmp(taken[i].part, part->name) != 0 || !node_is(child, taken[i].child))
			continue;
		if (taken[i].list != 0)
			add_named(model, (struct named_list *)((char *)model + taken[i].list), child);
		else
			find_hardware(model, child->first);
		return;
	}
	amalthea_leave(model, arena_format(model->build->arena, "%s: %s", part->name, child->name));
}

/* Before 0.9.0 a model may have one part in a file, whose root it is then. */
static void take_file(struct amalthea *model, const struct xml_node *root)
{
	for (const struct xml_node *part = root->first; part != NULL; part = part->next)
		for (const struct xml_node *child = part->first; child != NULL; child = child->next)
			take(model, part, child);
}

static bool is_amalthea(struct import_build *build, const struct xml_node *root)
{
	static const char *const spaces[] = {"http://app4mc.eclipse.org/amalthea/", "http://www.amalthea.itea2.org/model/"};
	const char *version = root->space + strlen(spaces[0]);
	bool old = strncmp(root->space, spaces[1], strlen(spaces[1])) == 0;
	bool ours = strncmp(root->space, spaces[0], strlen(spaces[0])) == 0 && node_is(root, "Amalthea");
	if (ours && strncmp(version, "0.7", 3) != 0)
		return true;
	diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, root->path, root->line,
		"expected a model of AMALTHEA 0.8.0 or later, <am:Amalthea xmlns:am=\"%s...\">; got <%s> of '%s'%s", spaces[0],
		value_shorten(build->arena, root->name, 40), value_shorten(build->arena, root->space, VALUE_SHORT),
		old || ours ? "; the migration of APP4MC makes a later one of it" : "");
	return false;
}

/* ---- what is left out */

static void tell_left(const struct amalthea *model)
{
	struct output text = {0};
	for (int i = 0; i < model->left_count; i++)
		output_print(&text, "%s%s (%d)", i > 0 ? ", " : "", model->left[i].what, model->left[i].count);
	if (model->left_beyond > 0)
		output_print(&text, ", others (%d)", model->left_beyond);
	if (text.length > 0)
		diagnose(model->build->diagnostics, DIAGNOSTIC_IMPORT_IGNORED, model->path, 0,
			"left out, with how often it is there: %s; time that any of it takes has to be in the ticks of the runnables",
			text.text);
	output_finish(&text);
}

void import_read_amalthea(struct import_build *build, const char *path)
{
	if (build->amalthea == NULL) {
		build->amalthea = arena_allocate(build->arena, 1, sizeof *build->amalthea);
		*build->amalthea = (struct amalthea){.build = build, .path = path};
	}
	const struct xml_node *root = xml_file_read(build, path);
	if (root != NULL && is_amalthea(build, root))
		take_file(build->amalthea, root);
	if (build->run + 1 < build->options->source_count || build->diagnostics->errors > 0)
		return;
	sort_names(build->amalthea);
	if (build->diagnostics->errors == 0)
		amalthea_read_cores(build->amalthea);
	if (build->diagnostics->errors == 0)
		amalthea_make_tasks(build->amalthea);
	if (build->diagnostics->errors == 0)
		tell_left(build->amalthea);
}
