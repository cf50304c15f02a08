#include "report/text_reason.h"

#include "report/text_write.h"

#include <string.h>

static const char *reason_of(const struct bound_value *value)
{
	return value->reason != NULL ? value->reason : "no value";
}

bool text_same_reason(const struct bound_value *a, const struct bound_value *b)
{
	return checked_is_none(a->value) && checked_is_none(b->value) && strcmp(reason_of(a), reason_of(b)) == 0;
}

void text_reason(struct output *output, const struct bound_value *bounds, int bound)
{
	struct output names = {0};
	bool several = false;
	for (int i = 0; i < bound; i++)
		if (text_same_reason(&bounds[i], &bounds[bound]))
			return;
	output_print(&names, "  %s", bound_kinds[bound].name);
	for (int i = bound + 1; i < BOUND_COUNT; i++)
		if (text_same_reason(&bounds[i], &bounds[bound])) {
			output_print(&names, ", %s", bound_kinds[i].name);
			several = true;
		}
	output_add(&names, several ? ":" : "");
	while (names.length < 10 && !several)
		output_add(&names, " ");
	text_paragraph(output, names.text, 10, reason_of(&bounds[bound]));
	output_finish(&names);
}

const char *text_advice(struct arena *arena, const struct bound_value *bounds, const char *advice)
{
	static const char before[] = "no bound: ";
	if (strncmp(advice, before, strlen(before)) != 0)
		return advice;
	const char *reason = advice + strlen(before);
	for (int i = 0; i < BOUND_COUNT; i++) {
		size_t length = checked_is_none(bounds[i].value) ? strlen(reason_of(&bounds[i])) : 0;
		if (length > 0 && strncmp(reason, reason_of(&bounds[i]), length) == 0)
			return arena_format(
				arena, "no bound: what stands beside %s is the first to change%s", bound_kinds[i].name, reason + length);
	}
	return advice;
}
