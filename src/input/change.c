/* --set and --scale: one attribute after the other, in the order of the command line. */
#include "input/change.h"

#include "base/suggest.h"
#include "base/units.h"
#include "input/markup.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct change {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
	const struct markup *markup;
	bool scales;
	const char *target, *value; /* on either side of "=" */
	struct splices splices;
};

#define WRONG(change, line, code, ...) (diagnose((change)->diagnostics, DIAGNOSTIC_##code, (change)->path, line, __VA_ARGS__), false)

static const char *option_name(const struct change *change)
{
	return change->scales ? "--scale" : "--set";
}

/* ---- products of literals, exactly */

/* NULL: one of the two is no number. */
static const char *product(struct arena *arena, const char *text, const char *factor)
{
	size_t length = units_number_length(text);
	struct rational number, by;
	if (units_parse(arena_format(arena, "%.*s", (int)length, text), UNIT_FACTOR, RATIONAL_NONE, &number) != UNITS_OK ||
		units_parse(factor, UNIT_FACTOR, RATIONAL_NONE, &by) != UNITS_OK)
		return NULL;
	struct rational result = rational_mul(number, by);
	return rational_is_none(result) ? NULL : arena_format(arena, "%s%s", units_literal(arena, result), text + length);
}

/* ---- one attribute */

static bool change_attribute(struct change *change, int index, const char *name)
{
	const struct markup_element *element = &change->markup->elements[index];
	const struct markup_attribute *there = markup_attribute(element, name);
	const char *value = change->value;
	if (change->scales && there == NULL)
		return WRONG(change, element->line, CHANGE_VALUE, "--scale=%s: expected an attribute %s of this <%s>; there is none",
			change->target, name, element->name);
	if (change->scales)
		value = product(change->arena, there->value, change->value);
	if (value == NULL)
		return WRONG(change, element->line, CHANGE_VALUE,
			"--scale=%s: expected a factor such as 1.25 or 5/2, and a number to be scaled; got \"%s\" and \"%s\"",
			change->target, change->value, there->value);
	splice_attribute(&change->splices, element, name, value);
	diagnose(change->diagnostics, DIAGNOSTIC_WHAT_IF, change->path, element->line, "%s=%s: %s is taken to be %s, in place of %s",
		option_name(change), change->target, name, value, there == NULL ? "none" : there->value);
	return true;
}

/* Block times by residents, and times by size, are the kernel's WCET; that of a program is not in the file. */
static bool change_element(struct change *change, int index, const char *name)
{
	const struct markup *markup = change->markup;
	bool wcet = strcmp(name, "wcet") == 0 && markup_attribute(&markup->elements[index], "wcet") == NULL;
	int resident = wcet ? markup_find(markup, index, index, "resident", NULL) : NO_ID;
	int at = wcet ? markup_find(markup, index, index, "at", NULL) : NO_ID;
	int program = wcet ? markup_find(markup, index, index, "program", NULL) : NO_ID;
	bool several = resident != NO_ID || at != NO_ID;
	if (program != NO_ID || (several && !change->scales))
		return WRONG(change, markup->elements[index].line, CHANGE_TARGET, "%s=%s: expected a kernel with a wcet of its own; %s",
			option_name(change), change->target,
			program != NO_ID    ? "this one's follows from its program"
			: resident != NO_ID ? "this one has times by residents: --scale them"
					    : "this one has times by size: --scale them, or set at[1].wcet");
	if (!several)
		return change_attribute(change, index, name);
	for (; at != NO_ID; at = markup_find(markup, at, index, "at", NULL))
		if (!change_attribute(change, at, name))
			return false;
	for (; resident != NO_ID; resident = markup_find(markup, resident, index, "resident", NULL))
		if (!change_attribute(change, resident, name))
			return false;
	return true;
}

/* ---- targets */

static bool nothing_there(struct change *change, const char *what)
{
	struct suggestion suggestion = suggest_for(what);
	for (int i = 0; i < change->markup->count; i++)
		if (change->markup->elements[i].id != NULL)
			suggest_offer(&suggestion, change->markup->elements[i].id);
	return WRONG(change, 0, CHANGE_TARGET, "%s=%s: expected ID.ATTRIBUTE of this file, or platform.NAME; there is no \"%s\"%s",
		option_name(change), change->target, what, suggest_hint(change->arena, suggestion.nearest, '"'));
}

/* CHILD[N].CHILD[N].ATTRIBUTE of the element. */
static bool change_below(struct change *change, int index, const char *steps)
{
	for (const char *dot; (dot = strchr(steps, '.')) != NULL; steps = dot + 1) {
		size_t length = strcspn(steps, ".[");
		long number = steps[length] == '[' ? strtol(steps + length + 1, NULL, 10) : 1;
		const char *name = arena_format(change->arena, "%.*s", (int)length, steps);
		int child = index;
		for (long i = 0; i < number && child != NO_ID; i++)
			child = markup_find(change->markup, child, index, name, NULL);
		if (number < 1 || child == NO_ID)
			return nothing_there(change, arena_format(change->arena, "%.*s", (int)(dot - steps), steps));
		index = child;
	}
	return change_element(change, index, steps);
}

/* What <freedom> would put in the place of something is not there. */
static bool is_option(const struct markup *markup, int element)
{
	while (element != NO_ID && strcmp(markup->elements[element].name, "freedom") != 0)
		element = markup->elements[element].parent;
	return element != NO_ID;
}

/* Of the elements with this id the one of the kind; of several the one that has the attribute. NO_ID: none or several, `count` of them. */
static int find_target(const struct change *change, const char *kind, const char *id, const char *attribute, int *count)
{
	int found = NO_ID, having = 0, having_it = NO_ID;
	*count = 0;
	for (int i = markup_find(change->markup, NO_ID, MARKUP_ANY, kind, id); i != NO_ID;
		i = markup_find(change->markup, i, MARKUP_ANY, kind, id)) {
		if (is_option(change->markup, i))
			continue;
		bool has = markup_attribute(&change->markup->elements[i], attribute) != NULL;
		having += has;
		having_it = has ? i : having_it;
		found = i;
		++*count;
	}
	return *count == 1 ? found : having == 1 ? having_it : NO_ID;
}

static bool change_by_id(struct change *change)
{
	const char *colon = strchr(change->target, ':'), *from = colon == NULL ? change->target : colon + 1;
	const char *kind = colon == NULL ? NULL : arena_format(change->arena, "%.*s", (int)(colon - change->target), change->target);
	const char *attribute = strrchr(change->target, '.') + 1;
	for (size_t length = strlen(from); length-- > 0;) {
		int count = 0;
		if (from[length] != '.')
			continue;
		const char *id = arena_format(change->arena, "%.*s", (int)length, from);
		int index = find_target(change, kind, id, attribute, &count);
		if (index != NO_ID)
			return change_below(change, index, from + length + 1);
		if (count > 1)
			return WRONG(change, 0, CHANGE_TARGET,
				"%s=%s: expected the name of one element; %d have the id \"%s\": say which, as in task:%s",
				option_name(change), change->target, count, id, from);
	}
	if (kind == NULL && strchr(from, '[') != NULL)
		return change_below(change, 0, from);
	return nothing_there(change, arena_format(change->arena, "%.*s", (int)(attribute - 1 - from), from));
}

/* A number of the platform is a declaration of the task set, which stands before its first application at the latest. */
static bool change_declaration(struct change *change, const char *name)
{
	const struct markup *markup = change->markup;
	for (int i = markup_find(markup, NO_ID, 0, "declare", NULL); i != NO_ID; i = markup_find(markup, i, 0, "declare", NULL)) {
		const struct markup_attribute *named = markup_attribute(&markup->elements[i], "name");
		if (named != NULL && strcmp(named->value, name) == 0)
			return change_attribute(change, i, "value");
	}
	int origins = markup_find(markup, NO_ID, 0, "origins", NULL);
	if (change->scales || origins == NO_ID)
		return WRONG(change, 0, CHANGE_TARGET,
			"--scale=%s: expected a parameter that the task set declares; of the platform model's own say --set with the value",
			change->target);
	size_t place = markup->elements[origins].to;
	splice_add(&change->splices, place, place,
		arena_format(change->arena, "<declare name=\"%s\" value=\"%s\" source=\"what if: --set\" by=\"the command line\"/>",
			markup_quote(change->arena, name), markup_quote(change->arena, change->value)));
	diagnose(change->diagnostics, DIAGNOSTIC_WHAT_IF, change->path, 0,
		"--set=%s: it is taken to be %s, which the task set does not declare", change->target, change->value);
	return true;
}

static bool apply(struct change *change, const char *word)
{
	const char *text = strchr(word, '=') + 1, *equals = strchr(text, '=');
	if (equals == NULL || equals == text || equals[1] == '\0' || memchr(text, '.', (size_t)(equals - text)) == NULL)
		return WRONG(change, 0, CHANGE_TARGET, "%s: expected TARGET=VALUE with a dot in the target, as control.period=4ms", word);
	change->target = arena_format(change->arena, "%.*s", (int)(equals - text), text);
	change->value = equals + 1;
	bool named = markup_find(change->markup, NO_ID, MARKUP_ANY, NULL, "platform") != NO_ID;
	if (!named && strncmp(change->target, "platform.", 9) == 0)
		return change_declaration(change, change->target + 9);
	return change_by_id(change);
}

bool input_is_change(const char *word)
{
	return strncmp(word, "--set=", 6) == 0 || strncmp(word, "--scale=", 8) == 0;
}

struct changed_text change_text(
	struct arena *arena, struct diagnostics *diagnostics, const char *path, const struct input_wishes *wishes, struct changed_text text)
{
	for (int i = 0; i < wishes->change_count; i++) {
		struct markup markup = text.markup != NULL ? *text.markup : markup_read(arena, text.bytes, text.length);
		struct change change = {arena, diagnostics, path, &markup, wishes->changes[i][3] == 'c', NULL, NULL, {.arena = arena}};
		if (!apply(&change, wishes->changes[i]))
			return (struct changed_text){NULL, 0, NULL};
		text.bytes = splice_apply(&markup, &change.splices, &text.length);
		text.markup = NULL;
	}
	return text;
}
