/* gpubound accept: is a report about what its receiver has, from whom he trusts, and true? */
#include "base/hash.h"
#include "cli/arguments.h"
#include "cli/signer.h"
#include "cli/witness.h"

#include <string.h>

const struct option options_accept[] = {
	{"task-set", 't', "FILE", "the task set that the report has to be about: yours", false},
	{"models", 'm', "FOLDER", "the folder of the platform models that you trust", false},
	{"certificate", 'c', "FILE", "the certificate (PEM) of the authority that vouches for whoever signs", false},
	{"signer", 0, "SUBJECT", "the only one who may have signed, as RFC 2253 writes the certificate's subject", false},
	{"assume", 'a', "ASSUMPTION", "take a conditional verdict where its conditions are such; may be repeated", false, true},
	OPTIONS_END,
};

struct acceptance {
	const struct arguments *arguments;
	struct arena *arena;
	struct diagnostics diagnostics;
	struct input_folders folders;
	struct report_file report;
	const char *taskset, *models, *platform, *subject;
	struct verified verified;
};

static bool refuse(struct acceptance *it, const struct xml_element *element, enum diagnostic_code code, const char *text)
{
	diagnose(&it->diagnostics, code, it->report.path, element->line, "%s", text);
	return false;
}

static bool has_hash(const char *file, const char *wanted)
{
	char hash[HASH_TEXT];
	return hash_file(file, hash) && strcmp(hash, wanted) == 0;
}

/* ---- who signed */

static void hold_signer(struct acceptance *it)
{
	const char *path = arguments_value(it->arguments, "certificate", NULL), *signer = arguments_value(it->arguments, "signer", NULL);
	size_t length;
	const char *authority = input_read_file(it->arena, &it->diagnostics, path, &length);
	if (authority == NULL || !signer_find(&it->diagnostics, &it->report, path, authority, length, &it->subject))
		return;
	if (signer != NULL && strcmp(signer, it->subject) != 0)
		refuse(it, it->report.root, DIAGNOSTIC_ACCEPT_SIGNER,
			arena_format(it->arena, "expected a report signed by %s; got one by %s", signer, it->subject));
}

/* ---- what the report is about */

/* A folder's file for a model that a task set names: a shipped model's name, or a path of which the folder counts for nothing. */
static const char *trusted_model(struct acceptance *it, const char *name)
{
	const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name;
	size_t length = strlen(base);
	bool is_file = length > 4 && strcmp(base + length - 4, ".xml") == 0;
	return arena_format(it->arena, "%s/%s%s", it->models, base, is_file ? "" : ".xml");
}

/* Where the receiver has what a report names as one of its inputs; NULL: it cannot be told. */
static const char *mine(struct acceptance *it, const struct xml_element *input, const struct xml_element *set)
{
	const char *role = element_get(input, "role"), *path = element_get(input, "path");
	if (strcmp(role, "taskset") == 0)
		return it->taskset;
	if (strcmp(role, "platform") == 0)
		return it->platform = trusted_model(it, path);
	return input_moved(it->arena, path, element_get(set, "path"), it->taskset);
}

static void hold_input(struct acceptance *it, const struct xml_element *input, const char *file)
{
	static const struct {
		const char *role;
		enum diagnostic_code code;
	} codes[] = {{"taskset", DIAGNOSTIC_ACCEPT_TASK_SET}, {"platform", DIAGNOSTIC_ACCEPT_PLATFORM}, {NULL, DIAGNOSTIC_ACCEPT_INPUT}};
	const char *role = element_get(input, "role"), *hash = element_get(input, "sha256");
	int which = 0;
	while (codes[which].role != NULL && strcmp(codes[which].role, role) != 0)
		which++;
	if (file == NULL)
		refuse(it, input, codes[which].code,
			arena_format(it->arena, "%s %s: expected a file beside the task set", role, element_get(input, "path")));
	else if (!has_hash(file, hash))
		refuse(it, input, codes[which].code,
			arena_format(it->arena, "%s %s: expected the SHA-256 of %s; the report is about a file that has %s", role,
				element_get(input, "path"), file, hash));
}

/* The receiver's files for all inputs of the report, ended by NULL. */
static const char *const *hold_inputs(struct acceptance *it)
{
	const struct xml_element *inputs = element_child(it->report.root, "inputs"), *set = inputs->first;
	const char **files = arena_allocate(it->arena, (size_t)element_count(inputs, "input") + 1, sizeof *files);
	int count = 0;
	while (set != NULL && strcmp(element_get(set, "role"), "taskset") != 0)
		set = set->next;
	for (const struct xml_element *input = inputs->first; input != NULL && set != NULL; input = input->next) {
		const char *file = mine(it, input, set);
		hold_input(it, input, file);
		if (file != NULL)
			files[count++] = file;
	}
	if (set == NULL || it->platform == NULL)
		refuse(it, inputs, DIAGNOSTIC_ACCEPT_TASK_SET, "expected a report about a task set and a platform model; it names none");
	return files;
}

/* What the command line made of the inputs before they were analysed. */
static void hold_command_line(struct acceptance *it)
{
	const struct xml_element *argument = element_child(it->report.root, "invocation")->first;
	for (; argument != NULL; argument = argument->next)
		if (input_is_change(argument->text) || strncmp(argument->text, "--platform=", 11) == 0)
			refuse(it, argument, DIAGNOSTIC_ACCEPT_CHANGED,
				arena_format(it->arena, "expected an analysis of the task set as it is; got one with %s", argument->text));
}

/* ---- what it says */

static bool is_word_of(const char *const *words, const char *text, size_t length)
{
	while (*words != NULL && (strlen(*words) != length || strncmp(*words, text, length) != 0))
		words++;
	return *words != NULL;
}

static bool takes_conditions(struct acceptance *it)
{
	int count;
	const char *const *taken = arguments_values(it->arguments, "assume", &count);
	for (const char *at = it->verified.conditions != NULL ? it->verified.conditions : ""; *at != '\0';) {
		size_t length = strcspn(at, " ");
		if (!is_word_of(taken, at, length))
			return refuse(it, it->report.root, DIAGNOSTIC_ACCEPT_VERDICT,
				arena_format(it->arena,
					"expected a verdict on no condition but those of --assume; this one rests on %.*s, for which "
					"nobody vouches",
					(int)length, at));
		at += length + (at[length] == ' ');
	}
	return true;
}

static void hold_verdict(struct acceptance *it)
{
	const char *verdict = it->verified.verdict;
	if (strcmp(verdict, "proven") != 0 && strcmp(verdict, "conditional") != 0)
		refuse(it, it->report.root, DIAGNOSTIC_ACCEPT_VERDICT,
			arena_format(it->arena, "expected that every deadline is proven; the report says %s", verdict));
	else
		(void)takes_conditions(it);
}

static enum verify_outcome derive_again(struct acceptance *it, const char *const *files)
{
	struct witness witness = {.started = false};
	const struct verify_options options = {.files = files,
		.witness = witness_testify,
		.context = &witness,
		.prose = true,
		.text = it->report.bytes,
		.length = it->report.length};
	enum verify_outcome outcome = verify_report(it->arena, &it->diagnostics, &it->folders, it->report.path, &options, &it->verified);
	witness_finish(&witness);
	return outcome;
}

/* ---- the command */

static void print_used(const struct acceptance *it)
{
	const struct xml_element *assumption = element_child(it->report.root, "assumptions")->first;
	printf("assumptions:");
	for (; assumption != NULL; assumption = assumption->next)
		if (strcmp(element_get(assumption, "used"), "true") == 0)
			printf(" %s", element_get(assumption, "id"));
	printf("\n");
}

static void print_accepted(const struct acceptance *it)
{
	const struct verified *verified = &it->verified;
	char hash[HASH_TEXT];
	hash_bytes(it->report.bytes, it->report.length, hash);
	printf("accepted: %s%s%s; %d steps, %d tasks, %d operations derived again\n", verified->verdict,
		verified->left_out != NULL ? ", without a bound for " : "", verified->left_out != NULL ? verified->left_out : "",
		verified->steps, verified->tasks, verified->operations);
	printf("report: %s, SHA-256 %s\n", it->report.path, hash);
	printf("task set: %s\nplatform: %s\nsigned by: %s\n", it->taskset, it->platform, it->subject);
	if (verified->conditions != NULL)
		printf("conditions, for which nobody vouches: %s\n", verified->conditions);
	print_used(it);
}

static int decide(struct acceptance *it)
{
	if (!input_read_report(it->arena, &it->diagnostics, &it->folders, it->arguments->operands[0], &it->report))
		return EXIT_INVALID;
	hold_signer(it);
	hold_command_line(it);
	const char *const *files = hold_inputs(it);
	if (it->diagnostics.errors == 0 && derive_again(it, files) == VERIFY_GOOD)
		hold_verdict(it);
	return it->diagnostics.errors == 0 ? EXIT_FINE : EXIT_NEGATIVE;
}

int command_accept(const struct arguments *arguments)
{
	static const char *const needed[] = {"task-set", "models", "certificate"};
	struct acceptance it = {.arguments = arguments,
		.arena = arguments->arena,
		.taskset = arguments_value(arguments, "task-set", NULL),
		.models = arguments_value(arguments, "models", NULL)};
	for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
		if (!arguments_has(arguments, needed[i]))
			return usage_error(arguments->command, "missing option --%s", needed[i]);
	diagnostics_init(&it.diagnostics, it.arena);
	it.folders = input_find_folders(it.arena);
	int status = decide(&it);
	diagnostics_print(&it.diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (status == EXIT_FINE)
		print_accepted(&it);
	else if (status == EXIT_NEGATIVE)
		printf("refused: do not rely on this report\n");
	return status;
}
