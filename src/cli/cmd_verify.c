/* gpubound verify: is a report what follows from its inputs? */
#include "cli/arguments.h"
#include "verify/verify.h"

const struct option options_verify[] = {
	{"input", 'i', "FILE", "take this file for the input with its SHA-256; may be repeated", false},
	OPTIONS_END,
};

static int status_of(enum verify_outcome outcome)
{
	static const int statuses[] = {[VERIFY_GOOD] = EXIT_FINE, [VERIFY_REFUSED] = EXIT_NEGATIVE, [VERIFY_NO_REPORT] = EXIT_INVALID};
	return statuses[outcome];
}

int command_verify(const struct arguments *arguments)
{
	static const char *const words[] = {[VERIFY_GOOD] = "verified", [VERIFY_REFUSED] = "refused", [VERIFY_NO_REPORT] = "no report"};
	struct diagnostics diagnostics;
	struct verified verified = {0, 0, 0, NULL};
	int count;
	diagnostics_init(&diagnostics, arguments->arena);
	const char *const *files = arguments_values(arguments, "input", &count);
	struct input_folders folders = input_find_folders(arguments->arena);
	enum verify_outcome outcome = verify_report(arguments->arena, &diagnostics, &folders, arguments->operands[0], files, &verified);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (outcome == VERIFY_GOOD)
		printf("verified: %s; %d steps, %d tasks, %d operations derived again\n", verified.verdict, verified.steps, verified.tasks,
			verified.operations);
	else if (outcome == VERIFY_REFUSED)
		printf("%s: the report does not follow from its inputs, or not all of it could be derived again\n", words[outcome]);
	return status_of(outcome);
}
