/* Line by line. */
#include "verify/prose.h"

#include <string.h>

#define MOST_ARGUMENTS 64

/* From the invocation on; NULL: not written by this program. */
static const char *body_of(const char *bytes)
{
	return strstr(bytes, "<invocation");
}

static const char *line_of(struct check *check, const char *text, const char *at)
{
	const char *begin = at, *end = at + strcspn(at, "\n");
	while (begin > text && begin[-1] != '\n')
		begin--;
	char *line = arena_allocate(check->arena, (size_t)(end - begin) + 1, 1);
	memcpy(line, begin, (size_t)(end - begin));
	return line + strspn(line, " ");
}

static void compare(struct check *check, const char *bytes, const char *again)
{
	const char *found = body_of(bytes), *expected = body_of(again);
	size_t same = 0;
	if (found == NULL || expected == NULL)
		return; /* the checksum said so */
	while (found[same] != '\0' && found[same] == expected[same])
		same++;
	if (found[same] == '\0' && expected[same] == '\0')
		return;
	struct xml_element element = {.line = check_line(bytes, found + same)};
	check_differs(check, &element, "text", line_of(check, expected, expected + same), line_of(check, found, found + same));
}

void prose_compare(struct check *check, const struct verify_options *options, const char *bytes)
{
	const char *arguments[MOST_ARGUMENTS];
	struct verify_request request = {.taskset = check->taskset_path, .arguments = arguments};
	const struct xml_element *argument = element_child(check->root, "invocation")->first;
	for (; argument != NULL && request.argument_count < MOST_ARGUMENTS; argument = argument->next) {
		arguments[request.argument_count++] = argument->text;
		if (strncmp(argument->text, "--platform=", 11) == 0)
			request.platform = argument->text + 11;
	}
	const char *again = options->witness == NULL ? NULL : options->witness(options->context, check->arena, &request);
	if (again == NULL)
		diagnose(check->diagnostics, DIAGNOSTIC_NOT_CHECKED, check->path, 0,
			"prose: unchecked: expected inputs where they were recorded, to be analysed again; found none");
	else
		compare(check, bytes, again);
}
