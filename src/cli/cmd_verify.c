/* gpubound verify: is a report what follows from its inputs? */
#include "cli/arguments.h"
#include "cli/witness.h"

const struct option options_verify[] = {
	{"input", 'i', "FILE", "take this file for the input with its SHA-256; may be repeated", false},
	{"prose", 0, NULL, "compare all words too, which is done anyway", false},
	{"without-prose", 0, NULL, "only derive numbers again, leave the other words unchecked", false},
	OPTIONS_END,
};

static int status_of(enum verify_outcome outcome)
{
	static const int statuses[] = {[VERIFY_GOOD] = EXIT_FINE, [VERIFY_REFUSED] = EXIT_NEGATIVE, [VERIFY_NO_REPORT] = EXIT_INVALID};
	return statuses[outcome];
}

static void print_verified(const struct verified *verified, bool prose)
{
	printf("verified: %s%s%s; %d steps, %d tasks, %d operations derived again\n", verified->verdict,
		verified->left_out != NULL ? ", without a bound for " : "", verified->left_out != NULL ? verified->left_out : "",
		verified->steps, verified->tasks, verified->operations);
	printf("platform: %s, %s%s%s\n", verified->platform,
		verified->shipped ? "the model that this version ships" : "NO model that this version ships, SHA-256 ",
		verified->shipped ? "" : verified->platform_hash, verified->shipped ? "" : ": its numbers are its author's word");
	if (verified->conditions != NULL)
		printf("condition: %s, for which nobody vouches\n", verified->conditions);
	if (!prose)
		printf("unchecked: hazards, channels, reasons, advice, diagnostics\n");
	if (verified->is_signed)
		printf("unchecked: the signature, which is for xmlsec1: gpubound-report(1)\n");
	if (verified->figures > 0)
		printf("slack: at each of %d figures proven again; that one step further it is not is what an analysis of there says\n",
			verified->figures);
}

int command_verify(const struct arguments *arguments)
{
	static const char *const words[] = {[VERIFY_GOOD] = "verified", [VERIFY_REFUSED] = "refused", [VERIFY_NO_REPORT] = "no report"};
	struct diagnostics diagnostics;
	struct verified verified = {0};
	struct witness witness = {.started = false};
	int count;
	diagnostics_init(&diagnostics, arguments->arena);
	const struct verify_options options = {.files = arguments_values(arguments, "input", &count),
		.witness = witness_testify,
		.context = &witness,
		.prose = !arguments_has(arguments, "without-prose")};
	struct input_folders folders = input_find_folders(arguments->arena);
	enum verify_outcome outcome = verify_report(arguments->arena, &diagnostics, &folders, arguments->operands[0], &options, &verified);
	witness_finish(&witness);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (outcome == VERIFY_GOOD)
		print_verified(&verified, options.prose);
	else if (outcome == VERIFY_REFUSED)
		printf("%s: the report does not follow from its inputs, or not all of it could be derived again\n", words[outcome]);
	return status_of(outcome);
}
