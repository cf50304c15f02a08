/* A text with another value is read by its excerpt as by the whole: the same elements with the same lines, or neither. */
#include "input/input.h"
#include "input/reread.h"
#include "run.h"

#include <string.h>

static const char *const examples[] = {"two-streams", "cores", "robot", "networks-partitions"};

/* Values of every kind, and some that say more than a value: of another line, of another name's space, none at all. */
static const char *const values[] = {"5ms", "0", "-1", "1/2", "true", "fifo", "two words", "", "...", "<&\">'", "a\nb", "\t", "\x01",
	"\xff", "\xc3\xa4", "urn:another", "&#38;", "9999999999999999999999ms", NULL};

/* With names that are prefixed, one of which is declared at the root and used in a task that no excerpt has. */
static const char spaces[] = "<taskset xmlns=\"urn:gpubound:taskset:1\" xmlns:e=\"urn:e\" id=\"a\" platform=\"jetson-tx2\" origin=\"o\">\n"
			     "<origins><origin id=\"o\" kind=\"declared\" source=\"s\" by=\"b\"/></origins>\n"
			     "<application id=\"p\"><stream id=\"s\"/></application>\n"
			     "<!-- <task id=\"none\"/> -->\n"
			     "<task id=\"t\" period=\"1ms\"><kernel id=\"k\" stream=\"s\" wcet=\"1us\" grid=\"1\" block=\"32\" "
			     "registers=\"8\" scope=\"grid\"/></task>\n"
			     "<task id='u' period = '2ms'><kernel id=\"l\" stream=\"s\" wcet=\"1us\" grid=\"1\" block=\"32\" "
			     "registers=\"8\" scope=\"grid\"/></task>\n"
			     "<task id=\"v\" period=\"2ms\"><sequence id=\"g\" stream=\"s\" wcet=\"1ms\" operations=\"1\" branches=\"1\">"
			     "<conditional e:y=\"1\"><e:x/></conditional></sequence></task>\n"
			     "</taskset>\n";

struct reading {
	struct arena *arena;
	const char *schemas;
	struct xml_element *root;
	struct markup markup;
	int tried, by_excerpt, refused;
};

static struct xml_element *read_whole(const struct reading *reading, const char *text, size_t length)
{
	struct diagnostics unheard;
	diagnostics_init(&unheard, reading->arena);
	return xml_read(reading->arena, &unheard, "taskset", reading->schemas, "a.xml", text, length);
}

static bool same_text(const char *a, const char *b)
{
	return (a == NULL) == (b == NULL) && (a == NULL || strcmp(a, b) == 0);
}

static void hold_same(const struct xml_element *a, const struct xml_element *b)
{
	for (; a != NULL && b != NULL; a = a->next, b = b->next) {
		ck_assert_str_eq(a->name, b->name);
		ck_assert(same_text(a->space, b->space) && same_text(a->text, b->text));
		ck_assert_int_eq(a->line, b->line);
		ck_assert_int_eq(a->prefixed, b->prefixed);
		ck_assert_int_eq(a->attribute_count, b->attribute_count);
		for (int i = 0; i < a->attribute_count; i++) {
			ck_assert_str_eq(a->attributes[i].name, b->attributes[i].name);
			ck_assert_str_eq(a->attributes[i].value, b->attributes[i].value);
		}
		hold_same(a->first, b->first);
	}
	ck_assert(a == NULL && b == NULL);
}

/* What is changed may be read as a whole; what is read by an excerpt is what the whole says. */
static void hold(struct reading *reading, const struct splices *splices)
{
	size_t length;
	const char *text = splice_apply(&reading->markup, splices, &length);
	struct markup now = markup_read(reading->arena, text, length);
	struct xml_element *part = reread(reading->arena, "taskset", reading->schemas, reading->root, &reading->markup, &now);
	struct xml_element *whole = read_whole(reading, text, length);
	reading->tried++;
	reading->by_excerpt += part != NULL;
	reading->refused += whole == NULL;
	if (part != NULL) {
		ck_assert_ptr_nonnull(whole);
		hold_same(part, whole);
	}
}

static void change(struct reading *reading, int element, const char *name, const char *value)
{
	struct splices splices = {.arena = reading->arena};
	splice_attribute(&splices, &reading->markup.elements[element], name, value);
	hold(reading, &splices);
}

static void change_two(struct reading *reading, int one, int other, const char *value)
{
	struct splices splices = {.arena = reading->arena};
	const struct markup_element *elements = reading->markup.elements;
	if (one == other || elements[one].attribute_count == 0 || elements[other].attribute_count == 0)
		return;
	splice_attribute(&splices, &elements[one], elements[one].attributes[0].name, value);
	splice_attribute(&splices, &elements[other], elements[other].attributes[0].name, value);
	hold(reading, &splices);
}

static struct reading read_text(struct arena *arena, const char *schemas, const char *text, size_t length)
{
	struct reading reading = {.arena = arena, .schemas = schemas, .markup = markup_read(arena, text, length)};
	reading.root = read_whole(&reading, text, length);
	ck_assert_ptr_nonnull(reading.root);
	return reading;
}

static void change_all(struct reading *reading)
{
	const int count = reading->markup.count;
	for (int i = 0; i < count; i++) {
		const struct markup_element *element = &reading->markup.elements[i];
		for (int a = 0; a < element->attribute_count; a++) {
			for (size_t v = 0; v < sizeof values / sizeof *values; v++)
				change(reading, i, element->attributes[a].name, values[v]);
			change(reading, i, element->attributes[a].name, element->attributes[a].value);
			change(reading, i, element->attributes[a].name, arena_format(reading->arena, "1%s", element->attributes[a].value));
		}
		change(reading, i, "jitter", "1us");
		for (int other = i % 3; other < count; other += 3)
			change_two(reading, i, other, "z");
	}
}

START_TEST(test_examples)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arena);
	size_t length;
	diagnostics_init(&diagnostics, arena);
	const char *path = arena_format(arena, "%s/../examples/%s.xml", folders.models, examples[_i]);
	const char *text = input_read_file(arena, &diagnostics, path, &length);
	struct reading reading = read_text(arena, folders.schemas, text, length);
	change_all(&reading);
	ck_assert_int_gt(reading.by_excerpt, reading.tried / 8);
	ck_assert_int_gt(reading.refused, reading.tried / 8);
	arena_destroy(arena);
}
END_TEST

START_TEST(test_spaces)
{
	struct arena *arena = arena_create();
	struct reading reading = read_text(arena, input_find_folders(arena).schemas, spaces, strlen(spaces));
	change_all(&reading);
	arena_destroy(arena);
}
END_TEST

/* All changes of good values are read by an excerpt: it is not the whole that is read. */
START_TEST(test_used)
{
	struct arena *arena = arena_create();
	struct reading reading = read_text(arena, input_find_folders(arena).schemas, spaces, strlen(spaces));
	for (int i = 0; i < reading.markup.count; i++)
		for (int a = 0; a < reading.markup.elements[i].attribute_count; a++) {
			const struct markup_attribute *attribute = &reading.markup.elements[i].attributes[a];
			change(&reading, i, attribute->name, attribute->value);
		}
	ck_assert_int_eq(reading.by_excerpt, reading.tried);
	reading.by_excerpt = 0;
	int task = markup_find(&reading.markup, NO_ID, MARKUP_ANY, "task", "u");
	change(&reading, task, "period", "3ms");
	change(&reading, task, "period", "3 of them");
	change(&reading, 0, "xmlns:e", "urn:f");
	change(&reading, 0, "xmlns", "urn:f");
	ck_assert_int_eq(reading.by_excerpt, 1);
	arena_destroy(arena);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("reread");
	TCase *cases = tcase_create("reread");
	tcase_set_timeout(cases, 60);
	tcase_add_loop_test(cases, test_examples, 0, sizeof examples / sizeof *examples);
	tcase_add_test(cases, test_spaces);
	tcase_add_test(cases, test_used);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
