/* gpubound verify: is a report what follows from its inputs? */
#include "cli/arguments.h"
#include "cli/witness.h"
#include "report/text_write.h"

#include <stdarg.h>

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

static void say(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A paragraph on standard output. */
static void say(struct arena *arena, const char *format, ...)
{
	va_list words;
	struct output output = {0};
	va_start(words, format);
	text_paragraph(&output, "", 2, arena_format_list(arena, format, words));
	va_end(words);
	fputs(output.text, stdout);
	output_finish(&output);
}

static void print_verified(struct arena *arena, const struct verified *verified, bool prose)
{
	say(arena, "verified: %s%s%s; %d steps, %d tasks, %d operations derived again", verified->verdict,
		verified->left_out != NULL ? ", without a bound for " : "", verified->left_out != NULL ? verified->left_out : "",
		verified->steps, verified->tasks, verified->operations);
	say(arena, "platform: %s, %s%s%s", verified->platform,
		verified->shipped ? "the model that this version ships" : "NO model that this version ships, SHA-256 ",
		verified->shipped ? "" : verified->platform_hash, verified->shipped ? "" : ": its numbers are its author's word");
	if (verified->conditions != NULL)
		say(arena, "condition: %s, for which nobody vouches", verified->conditions);
	if (!prose)
		say(arena, "unchecked: hazards, channels, reasons, advice, diagnostics");
	if (verified->is_signed)
		say(arena, "unchecked: the signature, which is for xmlsec1: gpubound-report(1)");
	if (verified->figures > 0)
		say(arena, "slack: at each of %d figures proven again; that one step further it is not is what an analysis of there says",
			verified->figures);
}

int command_verify(const struct arguments *arguments)
{
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
		print_verified(arguments->arena, &verified, options.prose);
	else if (outcome == VERIFY_REFUSED)
		say(arguments->arena, "refused: the report does not follow from its inputs, or not all of it could be derived again");
	return status_of(outcome);
}
