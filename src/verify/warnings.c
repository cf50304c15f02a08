/* What reading the inputs warned of, which is the first that the report says. */
#include "verify/warnings.h"

#include <string.h>

/* A file as the report names it. */
static const char *recorded(const struct check *check, const char *file)
{
	if (file != NULL && strcmp(file, check->set->path) == 0)
		return check->taskset_path;
	return file != NULL && strcmp(file, check->platform->path) == 0 ? check->platform_path : check_recorded(check, file);
}

static void compare(struct check *check, const struct xml_element *element, const struct diagnostic *item)
{
	const struct diagnostic_kind *kind = &diagnostic_kinds[item->code];
	const char *where = arena_format(check->arena, "%s %s", element->name, kind->slug);
	check_text(check, element, where, "code", kind->slug);
	check_text(check, element, where, "level", diagnostic_level_name(kind->level));
	check_text(check, element, where, "file", recorded(check, item->file));
	check_integer(check, element, where, "line", item->line > 0 ? item->line : NONE);
	if (!check_same_words(element->text, item->text))
		check_differs(check, element, where, item->text, element->text);
}

/* Which model is the shipped one is another question for another version: that is said again, and compared with all other words. */
static const struct xml_element *behind_shipped(const struct xml_element *element)
{
	const char *code = diagnostic_kinds[DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED].slug;
	while (element != NULL && strcmp(element_get(element, "code"), code) == 0)
		element = element->next;
	return element;
}

/* Said to whoever verifies, too. */
static void say_shipped(struct check *check, const struct diagnostics *reading)
{
	for (int i = 0; i < reading->count; i++)
		if (reading->items[i].code == DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED)
			diagnose(check->diagnostics, DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED, check->platform_path, 0, "%s",
				reading->items[i].text);
}

static void compare_all(struct check *check, const struct diagnostics *reading, const char *name, bool hazards)
{
	const struct xml_element *parent = element_child(check->root, name), *element = parent->first;
	for (int i = 0; i < reading->count; i++) {
		const struct diagnostic *item = &reading->items[i];
		element = behind_shipped(element);
		if (item->code == DIAGNOSTIC_PLATFORM_NOT_AS_SHIPPED)
			continue;
		if ((diagnostic_kinds[item->code].level == LEVEL_HAZARD) != hazards)
			continue;
		if (element == NULL) {
			check_differs(check, parent, name, item->text, "nothing");
			return;
		}
		compare(check, element, item);
		element = element->next;
	}
}

void warnings_compare(struct check *check, const struct diagnostics *reading)
{
	say_shipped(check, reading);
	compare_all(check, reading, "hazards", true);
	compare_all(check, reading, "diagnostics", false);
}
