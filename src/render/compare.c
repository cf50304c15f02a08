/* Elements that are the same by their keys, attribute by attribute. */
#include "render/compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct comparison {
	struct output *output;
	const char *heading; /* of the part that is being compared; NULL once it is printed */
	int differences;
};

/* ---- what is compared */

struct kind {
	const char *name, *key;   /* elements; the attribute that tells them apart, NULL: their text */
	const char *ignored[6];   /* attributes that say where something stands, or follow from others */
	const struct kind *parts; /* children; ended by a name of NULL */
};

static const struct kind of_result[] = {
	{"bound", "name", {"step", "assumptions"}, NULL}, {"operation", "id", {"step"}, NULL}, {NULL, NULL, {NULL}, NULL}};

static const struct section {
	const char *heading, *parent;
	struct kind kinds[4];
} sections[] = {
	{"Inputs", "inputs", {{"input", "path", {NULL}, NULL}}},
	{"Command line", "invocation", {{"argument", NULL, {NULL}, NULL}}},
	{"Origins of numbers", "provenance", {{"origin", "id", {NULL}, NULL}}},
	{"Declarations", "declarations", {{"declaration", "name", {NULL}, NULL}, {"factor", "index", {NULL}, NULL}}},
	{"Assumptions", "assumptions", {{"assumption", "id", {NULL}, NULL}}},
	{"Numbers that bounds rest on", "derivation", {{"step", "about", {"id", "at"}, NULL}}},
	{"Results", "results",
		{{"task", "id", {"step", "line", "assumptions"}, of_result}, {"stream", "id", {"step", "assumptions"}, NULL},
			{"chain", "id", {"step", "line"}, NULL}}},
	{"Kernels on the chip", "kernels", {{"kernel", "operation", {"step", "line"}, NULL}}},
};

/* ---- comparing */

static void say(struct comparison *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(struct comparison *c, const char *format, ...)
{
	char text[4096];
	va_list arguments;
	if (c->heading != NULL)
		output_print(c->output, "%s\n", c->heading);
	c->heading = NULL;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	output_print(c->output, "  %s\n", text);
	c->differences++;
}

/* Of steps only given numbers have an `about` that is one number's. */
static bool is_compared(const struct xml_element *element, const struct kind *kind)
{
	const char *rule = strcmp(kind->name, "step") == 0 ? element_get(element, "rule") : NULL;
	return element_is(element, kind->name) && (rule == NULL || strcmp(rule, "given") == 0);
}

static const char *key_of(const struct xml_element *element, const struct kind *kind)
{
	const char *key = kind->key != NULL ? element_get(element, kind->key) : element->text;
	return key != NULL ? key : "";
}

static const struct xml_element *find(const struct xml_element *parent, const struct kind *kind, const char *key)
{
	for (const struct xml_element *child = parent != NULL ? parent->first : NULL; child != NULL; child = child->next)
		if (is_compared(child, kind) && strcmp(key_of(child, kind), key) == 0)
			return child;
	return NULL;
}

static bool is_ignored(const struct kind *kind, const char *attribute)
{
	for (size_t i = 0; i < sizeof kind->ignored / sizeof *kind->ignored && kind->ignored[i] != NULL; i++)
		if (strcmp(kind->ignored[i], attribute) == 0)
			return true;
	return kind->key != NULL && strcmp(kind->key, attribute) == 0;
}

static bool is_whole(const char *text)
{
	return text != NULL && *text != '\0' && strlen(text) <= 18 &&
	       strspn(text + (*text == '-'), "0123456789") == strlen(text + (*text == '-'));
}

/* was, is: NULL: absent. */
static void say_change(struct comparison *c, const char *path, const char *attribute, const char *was, const char *is)
{
	if (is_whole(was) && is_whole(is))
		say(c, "%s %s: %s -> %s (%+" PRId64 ")", path, attribute, was, is,
			(int64_t)(strtoll(is, NULL, 10) - strtoll(was, NULL, 10)));
	else
		say(c, "%s %s: %s -> %s", path, attribute, was != NULL ? was : "none", is != NULL ? is : "none");
}

static void compare_attributes(
	struct comparison *c, const char *path, const struct kind *kind, const struct xml_element *old, const struct xml_element *now)
{
	for (int i = 0; i < old->attribute_count; i++) {
		const char *name = old->attributes[i].name, *is = element_get(now, name);
		if (!is_ignored(kind, name) && (is == NULL || strcmp(is, old->attributes[i].value) != 0))
			say_change(c, path, name, old->attributes[i].value, is);
	}
	for (int i = 0; i < now->attribute_count; i++)
		if (!is_ignored(kind, now->attributes[i].name) && element_get(old, now->attributes[i].name) == NULL)
			say_change(c, path, now->attributes[i].name, NULL, now->attributes[i].value);
}

static void compare_children(
	struct comparison *c, const char *path, const struct kind *kind, const struct xml_element *old, const struct xml_element *now)
{
	char inner[1024];
	for (const struct xml_element *child = now != NULL ? now->first : NULL; child != NULL; child = child->next) {
		if (!is_compared(child, kind))
			continue;
		const struct xml_element *before = find(old, kind, key_of(child, kind));
		snprintf(inner, sizeof inner, "%s%s %s", path, kind->name, key_of(child, kind));
		if (before == NULL) {
			say(c, "%s: new", inner);
			continue;
		}
		compare_attributes(c, inner, kind, before, child);
		snprintf(inner, sizeof inner, "%s%s %s, ", path, kind->name, key_of(child, kind));
		for (const struct kind *part = kind->parts; part != NULL && part->name != NULL; part++)
			compare_children(c, inner, part, before, child);
	}
	for (const struct xml_element *child = old != NULL ? old->first : NULL; child != NULL; child = child->next)
		if (is_compared(child, kind) && find(now, kind, key_of(child, kind)) == NULL)
			say(c, "%s%s %s: gone", path, kind->name, key_of(child, kind));
}

int render_compare(struct output *output, const struct xml_element *old, const struct xml_element *now)
{
	struct comparison c = {.output = output};
	static const struct kind whole = {"report", NULL, {"environment"}, NULL};
	c.heading = "The whole";
	compare_attributes(&c, "report", &whole, old, now);
	const struct xml_element *was = element_child(old, "environment"), *is = element_child(now, "environment");
	const char *version = was != NULL ? element_get(was, "version") : NULL, *mine = is != NULL ? element_get(is, "version") : NULL;
	if (version != NULL && mine != NULL && strcmp(version, mine) != 0)
		say_change(&c, "gpubound", "version", version, mine);
	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		c.heading = sections[i].heading;
		for (const struct kind *kind = sections[i].kinds; kind < sections[i].kinds + 4 && kind->name != NULL; kind++)
			compare_children(&c, "", kind, element_child(old, sections[i].parent), element_child(now, sections[i].parent));
	}
	if (c.differences == 0)
		output_add(output, "Nothing differs.\n");
	return c.differences;
}
