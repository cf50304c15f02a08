/* Terms of an explanation, sorted by whose work they are. */
#include "report/shares.h"

#include "base/checked.h"
#include "write/xml_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define PARTS_MOST 5 /* of other tasks and contexts, and terms of one part: what a page can show */
#define TERMS_MOST 12
#define COLOURS 8 /* as in a timeline */

static const char *const names[] = {"jitter", "host", "own", "task", "context", "overhead", "wait"};

/* ---- collecting */

void shares_add_as(struct shares *shares, enum share_kind kind, const char *of, int64_t value, const char *what)
{
	if (value == 0)
		return;
	shares->sum = checked_add(shares->sum, value);
	for (int i = 0; i < shares->count; i++) {
		struct share *share = &shares->items[i];
		if (share->kind != kind || strcmp(share->of, of) != 0 || strcmp(share->what, what) != 0)
			continue;
		share->value = checked_add(share->value, value);
		return;
	}
	shares->items = arena_grow(shares->arena, shares->items, &shares->capacity, shares->count + 1, sizeof *shares->items);
	shares->items[shares->count++] = (struct share){kind, of, what, value};
}

void shares_take(struct shares *shares, int first, int64_t value)
{
	for (int i = 0; i < shares->count && value > 0; i++) {
		struct share *share = &shares->items[(first + i) % shares->count];
		int64_t part = checked_min(share->value, value);
		share->value -= part;
		shares->sum -= part;
		value -= part;
	}
}

void shares_fill(struct shares *shares, int first, int64_t value, const char *what)
{
	if (value < 0)
		shares_take(shares, first, -value);
	else
		shares_add_as(shares, SHARE_WAIT, "", value, what);
}

/* ---- parts */

static bool same_part(const struct share *a, const struct share *b)
{
	return a->kind == b->kind && strcmp(a->of, b->of) == 0;
}

/* Parts as shares of their own, `what` unused; by kind, then by what they cost. */
static int compare_parts(const void *left, const void *right)
{
	const struct share *a = left, *b = right;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return strcmp(a->of, b->of);
}

static int compare_values(const void *left, const void *right)
{
	const struct share *a = left, *b = right;
	return a->value != b->value ? (a->value > b->value ? -1 : 1) : compare_parts(left, right);
}

static int compare_terms(const void *left, const void *right)
{
	const struct share *a = left, *b = right;
	if (a->value != b->value)
		return a->value > b->value ? -1 : 1;
	return strcmp(a->what, b->what);
}

static struct shares parts_of(const struct shares *shares)
{
	struct shares parts = {.arena = shares->arena};
	for (int i = 0; i < shares->count; i++)
		shares_add_as(&parts, shares->items[i].kind, shares->items[i].of, shares->items[i].value, "");
	return parts;
}

static struct shares sorted(struct shares parts, int (*compare)(const void *, const void *))
{
	if (parts.count > 0)
		qsort(parts.items, (size_t)parts.count, sizeof *parts.items, compare);
	return parts;
}

struct shares shares_parts(const struct shares *shares)
{
	return sorted(parts_of(shares), compare_values);
}

const struct share *shares_greatest(const struct shares *shares, const struct share *part)
{
	const struct share *greatest = part;
	for (int i = 0; i < shares->count; i++)
		if (same_part(&shares->items[i], part) && (greatest == part || shares->items[i].value > greatest->value))
			greatest = &shares->items[i];
	return greatest;
}

const char *shares_name(struct arena *arena, const struct share *part)
{
	switch (part->kind) {
	case SHARE_JITTER: return "release jitter";
	case SHARE_HOST: return "its own segments on the CPU";
	case SHARE_OWN: return "its own work on the GPU";
	case SHARE_TASK: return arena_format(arena, "work of task %s", part->of);
	case SHARE_CONTEXT: return arena_format(arena, "turns of context %s", part->of);
	case SHARE_OVERHEAD: return "launches, dispatch, switches and stops";
	case SHARE_WAIT: break;
	}
	return "waiting";
}

/* ---- as XML */

static void add_term(struct xml *xml, int64_t value, const char *what)
{
	xml_begin(xml, "term");
	xml_integer(xml, "ns", value);
	xml_text(xml, what);
	xml_end(xml);
}

/* Sorted shares: those of `part`. */
static void add_terms(struct xml *xml, const struct shares *shares, const struct share *part)
{
	int shown = 0, more = 0;
	int64_t rest = 0;
	for (int i = 0; i < shares->count; i++) {
		const struct share *share = &shares->items[i];
		if (!same_part(share, part) || share->value == 0)
			continue;
		if (++shown <= TERMS_MOST) {
			add_term(xml, share->value, share->what);
			continue;
		}
		rest = checked_add(rest, share->value);
		more++;
	}
	if (more > 0)
		add_term(xml, rest, arena_format(shares->arena, "... and %d more", more));
}

static void add_part(struct xml *xml, const char *kind, const struct share *part, const char *colour)
{
	xml_begin(xml, "part");
	xml_attribute(xml, "kind", kind);
	xml_attribute(xml, "of", part->of[0] == '\0' ? NULL : part->of);
	xml_attribute(xml, "colour", colour);
	xml_integer(xml, "ns", part->value);
}

/* A task has one colour in all bars: its place in the task set; a context that of its first task. */
static const char *colour_of(const struct shares *shares, const struct share *part)
{
	for (int i = 0; i < shares->set->task_count; i++) {
		const struct task *task = &shares->set->tasks[i];
		bool named = part->kind == SHARE_TASK && strcmp(task->id, part->of) == 0;
		bool first = part->kind == SHARE_CONTEXT && task->application != NO_ID &&
			     strcmp(shares->set->applications[taskset_context(shares->set, task->application)].id, part->of) == 0;
		if (named || first || (part->kind == SHARE_OWN && task == shares->task))
			return arena_format(shares->arena, "c%d", i % COLOURS);
	}
	return NULL;
}

static void add_parts(struct xml *xml, const struct shares *shares)
{
	struct shares parts = sorted(parts_of(shares), compare_parts);
	struct share rest = {.of = ""};
	int others = 0, more = 0;
	for (int i = 0; i < parts.count; i++) {
		const struct share *part = &parts.items[i];
		bool other = part->kind == SHARE_TASK || part->kind == SHARE_CONTEXT;
		if (part->value == 0)
			continue;
		if (other && ++others > PARTS_MOST) {
			rest.value = checked_add(rest.value, part->value);
			more++;
			continue;
		}
		add_part(xml, names[part->kind], part, colour_of(shares, part));
		add_terms(xml, shares, part);
		xml_end(xml);
	}
	if (more == 0)
		return;
	rest.of = arena_format(shares->arena, "%d", more);
	add_part(xml, "more", &rest, NULL);
	xml_end(xml);
}

void report_shares_xml(struct output *output, struct arena *arena, const struct report *report)
{
	struct xml xml = {.output = output};
	xml_begin(&xml, "shares");
	xml_attribute(&xml, "xmlns", "urn:gpubound:report:1");
	for (int t = 0; t < report->set->task_count; t++) {
		if (report->response->tasks[t].winner < 0)
			continue;
		struct shares shares = report_shares(arena, report, t);
		if (shares.count > 0)
			qsort(shares.items, (size_t)shares.count, sizeof *shares.items, compare_terms);
		xml_begin(&xml, "made-of");
		xml_attribute(&xml, "task", report->set->tasks[t].id);
		xml_integer(&xml, "ns", shares.sum);
		add_parts(&xml, &shares);
		xml_end(&xml);
	}
	xml_end(&xml);
}
