/* Line by line. */
#include "verify/text_again.h"

#include "config.h"
#include "verify/text_sums.h"

#include <string.h>

static const char *line_of(struct check *check, const char *text, const char *at)
{
	const char *begin = at, *end = at + strcspn(at, "\n");
	while (begin > text && begin[-1] != '\n')
		begin--;
	char *line = arena_allocate(check->arena, (size_t)(end - begin) + 1, 1);
	memcpy(line, begin, (size_t)(end - begin));
	return line + strspn(line, " ");
}

/* Words are those of a version: whether it is the same one stands beside the difference. */
static const char *who_wrote(struct check *check)
{
	const char *version = element_get(element_child(check->root, "environment"), "version");
	if (strcmp(version, GPUBOUND_VERSION) == 0)
		return "";
	return arena_format(check->arena, " (it says that gpubound %s wrote it; this is gpubound %s)", version, GPUBOUND_VERSION);
}

static void compare(struct check *check, const char *bytes, const char *again)
{
	struct text_body found, expected;
	size_t same = 0;
	if (!text_gather(check, bytes, &found) || !text_gather(check, again, &expected))
		return; /* the checksum said so */
	while (found.bytes[same] != '\0' && found.bytes[same] == expected.bytes[same])
		same++;
	if (found.bytes[same] == expected.bytes[same])
		return;
	long line = check_line(found.bytes, found.bytes + same);
	struct xml_element element = {.line = line == 1 ? found.first : found.second + line - 2};
	check_differs(check, &element, arena_format(check->arena, "text%s", who_wrote(check)),
		line_of(check, expected.bytes, expected.bytes + same), line_of(check, found.bytes, found.bytes + same));
}

/* The whole of the recorded command line. */
static int arguments_of(const struct check *check, const char **arguments, const char **platform)
{
	const struct xml_element *argument = element_child(check->root, "invocation")->first;
	int count = 0;
	for (; argument != NULL; argument = argument->next) {
		arguments[count++] = argument->next == NULL ? check->taskset_path : argument->text;
		if (strncmp(argument->text, "--platform=", 11) == 0)
			*platform = argument->text + 11;
	}
	return count;
}

void prose_compare(struct check *check, const struct input_folders *folders, const struct verify_options *options, const char *bytes)
{
	struct verify_request request = {.taskset = check->taskset_path, .folders = folders};
	int most = element_count(element_child(check->root, "invocation"), "argument");
	const char **arguments = arena_allocate(check->arena, (size_t)most + 1, sizeof *arguments);
	request.argument_count = arguments_of(check, arguments, &request.platform);
	request.arguments = arguments;
	const char *again = options->witness == NULL ? NULL : options->witness(options->context, check->arena, &request);
	if (again == NULL)
		diagnose(check->diagnostics, DIAGNOSTIC_NOT_CHECKED, check->path, 0,
			"prose: unchecked: expected inputs that can be analysed again; found none");
	else
		compare(check, bytes, again);
}
