/* Results of MAST for the model that gpubound analyze --format=mast wrote: how long host segments take, put into the task set.
 *
 * Source: "MAST Description" and the schema Mast_Result.xsd of MAST 1.4, Universidad de Cantabria. A worst global response time lasts from
 * the transaction's external event to the completion of an activity; so a host segment, and the way of what it issues to the GPU, takes no
 * longer than its own worst one, or that of the way, less the best one of the activity before it. Times are whole nanoseconds in the model:
 * what is printed of them is rounded up, or down, to whole ones, and where not all of their digits are printed by one in the last place
 * before. */
#include "base/hash.h"
#include "import/values.h"
#include "import/xml_files.h"
#include "input/input.h"
#include "input/markup.h"
#include "input/xml.h"
#include "write/mast_name.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_HOSTS 5000

/* Of one activity, by the event at its end. */
struct result {
	const char *event;
	int64_t worst, best; /* ns; worst NONE: MAST found no bound */
};

struct mast {
	struct import_build *build;
	struct arena *arena;
	const char *path, *taskset;
	const char *wanted, *model; /* of the task set, and that the results name */
	struct result *results;
	int count, capacity;
	struct markup markup;
	struct splices splices;
	int grown, hosts;
};

/* ---- the results */

/* Places of the last printed digit: "1.25E+03" is of tens, 10; "12.5" of tenths, 1/10. */
static struct rational last_place(const char *text)
{
	const char *point = strchr(text, '.'), *exponent = strpbrk(text, "eE");
	size_t end = exponent != NULL ? (size_t)(exponent - text) : strlen(text);
	long power = exponent != NULL ? strtol(exponent + 1, NULL, 10) : 0;
	power -= point != NULL ? (long)(end - (size_t)(point - text) - 1) : 0;
	struct rational place = rational_of(1);
	for (; power > 0 && power < 19; power--)
		place = rational_mul(place, rational_of(10));
	return place;
}

/* A time of a result; NONE with a diagnostic where it is no number. MAST writes what it found no bound for as a huge one. */
static int64_t read_time(struct mast *mast, const struct xml_node *node, const char *text, bool up)
{
	struct rational value, place = last_place(text);
	enum units_status status = units_parse(text, UNIT_FACTOR, RATIONAL_NONE, &value);
	if (status == UNITS_TOO_LARGE)
		return NONE;
	if (status != UNITS_OK || strchr(text, '/') != NULL) {
		diagnose(mast->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, mast->path, node->line, "expected a time; got '%s'",
			value_shorten(mast->arena, text, 40));
		return NONE;
	}
	if (place.num > 1)
		value = up ? rational_add(value, place) : rational_sub(value, place);
	return up ? rational_ceil(value) : checked_max(rational_floor(value), 0);
}

/* The greatest, or the least, of a list of response times. */
static int64_t of_list(struct mast *mast, const struct xml_node *result, const char *name, bool up)
{
	const struct xml_node *list = node_child(result, name);
	int64_t found = up ? NONE : 0;
	bool any = false;
	for (const struct xml_node *item = list != NULL ? list->first : NULL; item != NULL; item = item->next) {
		const char *text = node_get(item, "Time_Value");
		if (!node_is(item, "Global_Response_Time") || text == NULL)
			continue;
		int64_t value = read_time(mast, item, text, up);
		found = !any ? value : up ? checked_max(found, value) : checked_min(found, value);
		any = true;
	}
	return found;
}

static const char *lower(struct arena *arena, const char *text)
{
	char *copy = arena_copy(arena, text);
	for (char *c = copy; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return copy;
}

static void read_transaction(struct mast *mast, const struct xml_node *transaction)
{
	for (const struct xml_node *node = transaction->first; node != NULL; node = node->next) {
		const char *event = node_get(node, "Event_Name");
		if (node_is(node, "Simulation_Timing_Result"))
			diagnose(mast->build->diagnostics, DIAGNOSTIC_IMPORT_NO_MAXIMUM, mast->path, node->line,
				"expected results of an analysis; these are of a simulation, and bound nothing");
		if (!node_is(node, "Timing_Result") || event == NULL)
			continue;
		mast->results = arena_grow(mast->arena, mast->results, &mast->capacity, mast->count + 1, sizeof *mast->results);
		mast->results[mast->count++] = (struct result){lower(mast->arena, event),
			of_list(mast, node, "Worst_Global_Response_Times", true), of_list(mast, node, "Best_Global_Response_Times", false)};
	}
}

static int by_event(const void *one, const void *other)
{
	return strcmp(((const struct result *)one)->event, ((const struct result *)other)->event);
}

static bool read_results(struct mast *mast)
{
	const struct xml_node *root = xml_file_read(mast->build, mast->path);
	if (root == NULL)
		return false;
	if (!node_is(root, "REAL_TIME_SITUATION") || strncmp(root->space, "http://mast.unican.es/xmlmast/", 30) != 0) {
		diagnose(mast->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, mast->path, root->line,
			"expected <mast_res:REAL_TIME_SITUATION>, which mast_analysis writes of a model given as XML; got <%s>",
			value_shorten(mast->arena, root->name, 40));
		return false;
	}
	mast->model = node_get(root, "Model_Name");
	for (const struct xml_node *node = root->first; node != NULL; node = node->next)
		if (node_is(node, "Transaction"))
			read_transaction(mast, node);
	if (mast->count > 1)
		qsort(mast->results, (size_t)mast->count, sizeof *mast->results, by_event);
	return mast->build->diagnostics->errors == 0;
}

static bool is_of_taskset(struct mast *mast)
{
	if (mast->model != NULL && strcmp(lower(mast->arena, mast->model), mast->wanted) == 0)
		return true;
	diagnose(mast->build->diagnostics, DIAGNOSTIC_MAST_MISSING, mast->path, 0,
		"expected results for the model of %s as it is; these are for Model_Name=\"%s\"", mast->taskset,
		mast->model != NULL ? value_shorten(mast->arena, mast->model, VALUE_SHORT) : "");
	return false;
}

static const struct result *find_result(const struct mast *mast, const char *name)
{
	struct result wanted = {arena_format(mast->arena, "%s_done", name), 0, 0};
	return mast->count == 0 ? NULL : bsearch(&wanted, mast->results, (size_t)mast->count, sizeof wanted, by_event);
}

/* ---- the task set */

/* The bytes, if they are a task set by the schema. */
static bool read_taskset(struct mast *mast)
{
	size_t length;
	const char *bytes = import_read_bytes(mast->build, mast->taskset, false, &length);
	struct input_folders folders = input_find_folders(mast->arena);
	char hash[HASH_TEXT];
	if (bytes == NULL ||
		xml_read(mast->arena, mast->build->diagnostics, "taskset", folders.schemas, mast->taskset, bytes, length) == NULL)
		return false;
	hash_bytes(bytes, length, hash);
	mast->wanted = mast_model_name(mast->arena, hash);
	mast->markup = markup_read(mast->arena, bytes, length);
	mast->splices.arena = mast->arena;
	return true;
}

static void fail_host(struct mast *mast, const struct markup_element *host, const char *what)
{
	diagnose(mast->build->diagnostics, DIAGNOSTIC_MAST_MISSING, mast->taskset, host->line, "host segment '%s': %s", host->id, what);
}

/* ns of a literal of the task set; NONE: it has none, or it is in cycles. */
static int64_t time_of(const struct markup_element *element, const char *name)
{
	const struct markup_attribute *attribute = markup_attribute(element, name);
	struct rational value;
	if (attribute == NULL || units_parse(attribute->value, UNIT_TIME, RATIONAL_NONE, &value) != UNITS_OK)
		return NONE;
	return rational_ceil(value);
}

/* Behind host segments of `ahead` in a row with it, which have no results of their own: bounds rest on what all of them take together. */
static void put_host(
	struct mast *mast, const struct markup_element *host, int64_t ahead, const struct result *result, const struct result *before)
{
	int64_t stated = time_of(host, "wcet"), least = before != NULL ? before->best : 0;
	if (result == NULL) {
		fail_host(mast, host, "expected a result of MAST for it; there is none: is the model of another task set?");
		return;
	}
	int64_t takes = checked_sub(result->worst, least), longest = checked_add(ahead, stated);
	if (takes == NONE || longest == NONE) {
		fail_host(mast, host,
			longest == NONE ? "expected its wcet as a time, not in cycles"
					: "MAST found no bound of its response; is the system schedulable?");
		return;
	}
	mast->hosts++;
	mast->grown += takes > longest;
	if (takes > longest)
		splice_attribute(&mast->splices, host, "wcet", arena_format(mast->arena, "%" PRId64 "ns", takes - ahead));
	splice_attribute(&mast->splices, host, "origin", "mast");
}

/* What host segments take is then all the time that they take, whatever else runs on the core. */
static void take_from_core(struct mast *mast, const struct markup_element *task)
{
	static const char *const names[] = {"core", "fifo-priority", "waiting"};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		splice_attribute(&mast->splices, task, names[i], NULL);
}

static bool is_host(const struct markup_element *element)
{
	return strcmp(element->name, "host") == 0;
}

/* The next operation of the task; the count of elements: there is none. */
static int next_operation(const struct markup *markup, int task, int i)
{
	for (i++; i < markup->count && markup->elements[i].from < markup->elements[task].to; i++)
		if (markup->elements[i].id != NULL)
			return i;
	return markup->count;
}

/* Operations of a task in order, as they were taken for the model: a run of others than host segments is one activity, and MAST takes host
 * segments in a row, which have one server, for one. */
static void walk_task(struct mast *mast, int task, int number, int *hosts)
{
	const struct markup *markup = &mast->markup;
	const struct result *before = NULL;
	bool on_gpu = false;
	int64_t ahead = 0;
	int gpus = 0;
	take_from_core(mast, &markup->elements[task]);
	for (int i = next_operation(markup, task, task), next; i < markup->count; i = next) {
		const struct markup_element *element = &markup->elements[i];
		const struct result *result = NULL;
		next = next_operation(markup, task, i);
		if (is_host(element)) {
			const struct result *way = find_result(mast, mast_name(mast->arena, "way", ++*hosts, element->id));
			result = way != NULL ? way : find_result(mast, mast_name(mast->arena, "host", *hosts, element->id));
			bool in_row = result == NULL && next < markup->count && is_host(&markup->elements[next]);
			if (in_row) {
				mast->hosts++;
				splice_attribute(&mast->splices, element, "origin", "mast");
			} else
				put_host(mast, element, ahead, result, before);
			ahead = in_row ? checked_add(ahead, time_of(element, "wcet")) : 0;
		} else if (!on_gpu)
			result = find_result(mast, mast_name(mast->arena, "gpu", number, arena_format(mast->arena, "%d", ++gpus)));
		on_gpu = !is_host(element);
		before = result != NULL ? result : before;
	}
}

static int count_elements(const struct markup *markup, const char *name)
{
	int count = 0;
	for (int i = 0; i < markup->count; i++)
		count += strcmp(markup->elements[i].name, name) == 0;
	return count;
}

static void add_origin(struct mast *mast)
{
	const struct markup *markup = &mast->markup;
	int origins = markup_find(markup, -1, MARKUP_ANY, "origins", NULL);
	const char *by = mast->build->options->by != NULL ? mast->build->options->by : "the user of gpubound import";
	const char *text =
		arena_format(mast->arena, "<origin id=\"mast\" kind=\"declared\" source=\"" MAST_SOURCE "\" file=\"%s\" by=\"%s\"/>",
			markup_quote(mast->arena, mast->path), markup_quote(mast->arena, by));
	if (origins == NO_ID || markup_find(markup, -1, origins, "origin", "mast") != NO_ID)
		return;
	const struct markup_element *element = &markup->elements[origins];
	bool empty = element->end_from == element->to;
	splice_add(&mast->splices, empty ? element->from : element->end_from, empty ? element->to : element->end_from,
		empty ? arena_format(mast->arena, "<origins>%s</origins>", text) : arena_format(mast->arena, "  %s\n  ", text));
}

/* Nothing has grown: what was assumed of the CPU is what MAST found with the bounds that follow from it. */
static void say_state(struct mast *mast)
{
	struct diagnostics *diagnostics = mast->build->diagnostics;
	if (mast->grown > 0)
		diagnose(diagnostics, DIAGNOSTIC_MAST_OPEN, mast->taskset, 0,
			"%d of %d host segments take longer than the task set said; bounds from before do not hold for them", mast->grown,
			mast->hosts);
	else
		diagnose(diagnostics, DIAGNOSTIC_MAST_CLOSED, mast->taskset, 0,
			"none of %d host segments takes longer than the task set says; its bounds and these results hold together",
			mast->hosts);
}

void import_read_mast(struct import_build *build, const char *path)
{
	struct mast mast = {.build = build, .arena = build->arena, .path = path, .taskset = build->options->taskset};
	int hosts = 0, tasks = 0;
	if (mast.taskset == NULL) {
		diagnose(build->diagnostics, DIAGNOSTIC_MAST_MISSING, path, 0, "expected --taskset, of which the model was written");
		return;
	}
	if (!read_taskset(&mast) || !read_results(&mast) || !is_of_taskset(&mast))
		return;
	if (count_elements(&mast.markup, "host") > MOST_HOSTS) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, mast.taskset, 0, "expected at most %d host segments", MOST_HOSTS);
		return;
	}
	for (int i = 0; i < mast.markup.count; i++)
		if (strcmp(mast.markup.elements[i].name, "task") == 0 && mast.markup.elements[i].parent == 0)
			walk_task(&mast, i, ++tasks, &hosts);
	if (build->diagnostics->errors > 0)
		return;
	add_origin(&mast);
	say_state(&mast);
	build->changed = splice_apply(&mast.markup, &mast.splices, &build->changed_length);
}
