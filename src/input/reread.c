/* What is other, an excerpt around it, and a copy of the tree with what the excerpt says there. */
#include "input/reread.h"

#include "input/input.h"
#include "model/platform.h"

#include <string.h>

struct rereading {
	struct arena *arena;
	const struct markup *now;
	bool *changed, *kept; /* of each element: is a value of it another one; is it in the excerpt */
};

/* ---- what is other */

static bool may_be_judged_alone(const char *name)
{
	return strchr(name, ':') == NULL && strcmp(name, "xmlns") != 0;
}

/* False: the whole has to be read. */
static bool compare(const struct markup_element *before, const struct markup_element *now, bool *changed)
{
	if (before->line != now->line || before->attribute_count != now->attribute_count)
		return false;
	for (int i = 0; i < now->attribute_count; i++) {
		if (strcmp(before->attributes[i].name, now->attributes[i].name) != 0)
			return false;
		if (strcmp(before->attributes[i].value, now->attributes[i].value) == 0)
			continue;
		*changed = true;
		if (!may_be_judged_alone(now->attributes[i].name))
			return false;
	}
	return true;
}

static bool find_changes(struct rereading *of, const struct markup *before)
{
	if (before->count != of->now->count || of->now->length > INPUT_LIMIT)
		return false;
	for (int i = 0; i < of->now->count; i++)
		if (!compare(&before->elements[i], &of->now->elements[i], &of->changed[i]))
			return false;
	return true;
}

/* ---- the excerpt */

/* Behind the last element that is in this one. */
static int behind(const struct markup *markup, int element)
{
	size_t to = markup->elements[element].to;
	while (element < markup->count && markup->elements[element].from < to)
		element++;
	return element;
}

static bool any_changed(const struct rereading *of, int from, int to)
{
	while (from < to && !of->changed[from])
		from++;
	return from < to;
}

/* A run of one name below the root: its elements but for the changed ones are left out, the first one only if another one is there. */
static int keep_run(struct rereading *of, int first)
{
	const struct markup *markup = of->now;
	const char *name = markup->elements[first].name;
	bool some = false;
	int at = first;
	for (int to; at < markup->count && strcmp(markup->elements[at].name, name) == 0; at = to) {
		to = behind(markup, at);
		bool keeps = any_changed(of, at, to);
		some |= keeps;
		for (int i = at; i < to; i++)
			of->kept[i] = keeps;
	}
	for (int i = first, to = behind(markup, first); !some && i < to; i++)
		of->kept[i] = true;
	return at;
}

static const char *excerpt(struct rereading *of, size_t *length)
{
	struct splices splices = {.arena = of->arena};
	of->kept[0] = true;
	for (int i = 1; i < of->now->count;)
		i = keep_run(of, i);
	for (int i = 1; i < of->now->count; i = behind(of->now, i))
		if (!of->kept[i])
			splice_add(&splices, of->now->elements[i].from, of->now->elements[i].to, "");
	return splice_apply(of->now, &splices, length);
}

/* ---- the tree */

struct walk {
	const struct rereading *of;
	const struct xml_element **read; /* of each element that is in the excerpt */
	int at;
};

/* False: there are more elements than there are places for them. */
static bool list_read(struct walk *walk, const struct xml_element *element)
{
	int count = walk->of->now->count;
	while (walk->at < count && !walk->of->kept[walk->at])
		walk->at++;
	if (walk->at == count)
		return false;
	walk->read[walk->at++] = element;
	for (const struct xml_element *child = element->first; child != NULL; child = child->next)
		if (!list_read(walk, child))
			return false;
	return true;
}

static struct xml_element *copy_changed(struct walk *walk, const struct xml_element *stated)
{
	if (walk->at == walk->of->now->count)
		return NULL;
	struct xml_element *copy = arena_allocate(walk->of->arena, 1, sizeof *copy), **link = &copy->first;
	*copy = *stated;
	if (walk->of->changed[walk->at]) {
		copy->attributes = walk->read[walk->at]->attributes;
		copy->attribute_count = walk->read[walk->at]->attribute_count;
	}
	walk->at++;
	*link = NULL;
	for (const struct xml_element *child = stated->first; child != NULL; child = child->next, link = &(*link)->next)
		if ((*link = copy_changed(walk, child)) == NULL)
			return NULL;
	return copy;
}

struct xml_element *reread(struct arena *arena, const char *vocabulary, const char *schemas, const struct xml_element *stated,
	const struct markup *before, const struct markup *now)
{
	size_t count = (size_t)now->count + 1, length;
	struct rereading of = {arena, now, arena_allocate(arena, count, sizeof *of.changed), arena_allocate(arena, count, sizeof *of.kept)};
	struct walk read = {&of, arena_allocate(arena, count, sizeof *read.read), 0}, copied = {&of, read.read, 0};
	struct diagnostics unheard;
	if (now->count == 0 || !find_changes(&of, before))
		return NULL;
	diagnostics_init(&unheard, arena);
	const char *text = excerpt(&of, &length);
	const struct xml_element *root = xml_read(arena, &unheard, vocabulary, schemas, "", text, length);
	if (root == NULL || unheard.count > 0 || !list_read(&read, root))
		return NULL;
	struct xml_element *copy = copy_changed(&copied, stated);
	return copied.at == now->count ? copy : NULL;
}
