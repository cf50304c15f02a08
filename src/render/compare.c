/* Elements that are the same by their keys, attribute by attribute. */
#include "render/compare.h"

#include "base/checked.h"

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
	{"Declarations", "declarations",
		{{"declaration", "name", {NULL}, NULL}, {"choice", "name", {NULL}, NULL}, {"factor", "index", {NULL}, NULL}}},
	{"Assumptions", "assumptions", {{"assumption", "id", {NULL}, NULL}}},
	{"Numbers that bounds rest on", "derivation", {{"step", "about", {"id", "at"}, NULL}}},
	{"Results", "results",
		{{"task", "id", {"step", "line"}, of_result}, {"stream", "id", {"step", "assumptions"}, NULL},
			{"chain", "id", {"step", "line"}, NULL}}},
	{"Kernels on the chip", "kernels", {{"kernel", "operation", {"step", "line"}, NULL}}},
	{"Interference channels", "channels", {{"channel", "id", {NULL}, NULL}}},
	{"Hazards", "hazards", {{"hazard", NULL, {"line", "file"}, NULL}}},
	{"Slack", "sensitivity", {{"slack", "task", {NULL}, NULL}}},
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

/* A task set, or a platform model, is the same one under another name; of frames and programs there may be several. */
static bool is_only_one(const struct xml_element *element)
{
	const char *role = element_is(element, "input") ? element_get(element, "role") : NULL;
	return role != NULL && (strcmp(role, "taskset") == 0 || strcmp(role, "platform") == 0);
}

static const char *key_of(const struct xml_element *element, const struct kind *kind)
{
	if (is_only_one(element))
		return element_get(element, "role");
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
		bool key = is_ignored(kind, name) && !(is_only_one(old) && strcmp(name, "path") == 0);
		if (!key && (is == NULL || strcmp(is, old->attributes[i].value) != 0))
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
		if (strcmp(kind->name, "step") == 0 && find(now, kind, key_of(child, kind)) != child)
			continue; /* a number of the inputs may be given more than once: it is the same one */
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

/* ---- what it comes to, before all details */

struct tally {
	int later, earlier, tasks;
	int64_t most; /* later, at most, and which task */
	const char *whose;
};

static int64_t number_of(const struct xml_element *element, const char *name)
{
	const char *text = element_get(element, name);
	return is_whole(text) ? (int64_t)strtoll(text, NULL, 10) : NONE;
}

static void tally_task(struct comparison *c, struct tally *tally, const struct xml_element *old, const struct xml_element *now)
{
	const char *id = element_get(now, "id"), *was = element_get(old, "verdict"), *is = element_get(now, "verdict");
	int64_t before = number_of(old, "response"), after = number_of(now, "response");
	tally->tasks++;
	if (strcmp(was, is) != 0)
		say(c, "task %s: %s -> %s", id, was, is);
	if (checked_is_none(before) || checked_is_none(after) || before == after)
		return;
	tally->later += after > before;
	tally->earlier += after < before;
	if (after - before <= tally->most)
		return;
	tally->most = after - before;
	tally->whose = id;
}

/* True: a verdict or a response is another one. */
static bool summarize(struct comparison *c, const struct xml_element *old, const struct xml_element *now)
{
	static const struct kind task = {"task", "id", {NULL}, NULL};
	const struct xml_element *before = element_child(old, "results"), *after = element_child(now, "results");
	const char *was = element_get(old, "verdict"), *is = element_get(now, "verdict");
	struct tally tally = {0, 0, 0, 0, NULL};
	if (was != NULL && is != NULL && strcmp(was, is) != 0)
		say(c, "verdict of the task set: %s -> %s", was, is);
	for (const struct xml_element *element = after == NULL ? NULL : after->first; element != NULL; element = element->next) {
		const struct xml_element *same = element_is(element, "task") ? find(before, &task, element_get(element, "id")) : NULL;
		if (same != NULL)
			tally_task(c, &tally, same, element);
	}
	if (tally.later > 0)
		say(c, "%d of %d tasks respond later, by at most %" PRId64 " ns (%s)", tally.later, tally.tasks, tally.most, tally.whose);
	if (tally.earlier > 0)
		say(c, "%d of %d tasks respond earlier", tally.earlier, tally.tasks);
	return c->differences > 0;
}

int render_compare(struct output *output, const struct xml_element *old, const struct xml_element *now)
{
	struct comparison c = {.output = output};
	static const struct kind whole = {"report", NULL, {"environment"}, NULL};
	c.heading = "What it comes to";
	bool matters = summarize(&c, old, now);
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
	else if (!matters)
		output_add(output, "No verdict changes, and no task responds later or earlier.\n");
	return c.differences;
}
