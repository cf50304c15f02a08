/* The option --assume: ids of assumptions. */
#include "cli/assume.h"

#include "base/output.h"
#include "base/suggest.h"
#include "model/platform.h"

static void refuse(const struct arguments *arguments, const char *id)
{
	struct output list = {0};
	struct suggestion suggestion = suggest_for(id);
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		output_print(&list, " %s", assumption_kinds[i].id);
		suggest_offer(&suggestion, assumption_kinds[i].id);
	}
	const char *hint = suggest_hint(arguments->arena, suggestion.nearest, '\'');
	usage_error(arguments->command, "unknown assumption '%s'%s there are:%s", id, *hint != '\0' ? hint : ";", list.text);
	output_finish(&list);
}

bool assume_check(const struct arguments *arguments)
{
	int count;
	const char *const *ids = arguments_values(arguments, "assume", &count);
	for (int i = 0; i < count; i++) {
		if (assumption_find(ids[i]) >= 0)
			continue;
		refuse(arguments, ids[i]);
		return false;
	}
	return true;
}
