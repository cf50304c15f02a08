/* gpubound init: a task set to begin with, for a platform model, with every fact that its bounds need and the model lacks. */
#include "cli/arguments.h"
#include "cli/missing_facts.h"
#include "cli/skeletons.h"
#include "input/input.h"
#include "model/taskset.h"
#include "report/text_write.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

const struct option options_init[] = {
	{"skeleton", 's', "process|streams|processes|network",
		"one stream of one process (default), several streams, several processes, a neural network", false},
	{"output", 'o', "FILE", "write to FILE, which must not be there yet (- is standard output, the default)", true},
	OPTIONS_END,
};

/* A name inside of an attribute. */
static const char *escape(struct arena *arena, const char *text)
{
	const char *escaped = "";
	for (; *text != '\0'; text++)
		escaped = arena_format(arena, "%s%.*s", escaped,
			*text == '&'   ? 5
			: *text == '<' ? 4
			: *text == '"' ? 6
				       : 1,
			*text == '&'   ? "&amp;"
			: *text == '<' ? "&lt;"
			: *text == '"' ? "&quot;"
				       : text);
	return escaped;
}

static void write_head(struct output *output, const struct skeleton *skeleton, const char *model)
{
	output_add(output, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	text_paragraph(output, "<!--", 5, skeleton->about);
	output_print(output,
		"\n"
		"     Every WCET, period, grid and count below is a PLACEHOLDER: replace each by\n"
		"     a number of yours, and its origin by where that number comes from.\n"
		"     Measured: nsys profile, then gpubound import nsys writes such a file. Times\n"
		"     of single blocks: gpubound-wcet(1) from code, or the programs in probe/.\n"
		"     What is missing at any time: gpubound models with the option check and this\n"
		"     file. The format is in gpubound-taskset(5); what to write for TensorRT,\n"
		"     graphs, managed memory and others in gpubound-howto(7). -->\n"
		"<taskset xmlns=\"urn:gpubound:taskset:1\" id=\"%s\" platform=\"%s\" origin=\"placeholder\">\n"
		"  <title>%s</title>\n"
		"  <origins>\n"
		"    <origin id=\"placeholder\" kind=\"declared\" source=\"" PLACEHOLDER_SOURCE "\" by=\"nobody\"/>\n"
		"    <!-- <origin id=\"trace\" kind=\"measured\" source=\"...\" file=\"...\" samples=\"...\"/> -->\n"
		"  </origins>\n",
		skeleton->name, model, skeleton->title);
}

static void write_facts(struct output *output, const struct missing_facts *facts, const char *model)
{
	if (facts->count > 0)
		output_print(output, "\n  <!-- What %s does not say and these bounds need: fill in, and take out of the comments. -->\n\n",
			model);
	missing_facts_write(output, facts, true);
	output_add(output, facts->count > 0 ? "\n" : "");
}

/* The facts that the skeleton lacks on the model, or NULL after diagnostics. */
static const struct missing_facts *find_facts(const struct arguments *arguments, const char *text)
{
	struct diagnostics diagnostics;
	const struct platform *platform;
	struct input_folders folders = input_find_folders(arguments->arena);
	diagnostics_init(&diagnostics, arguments->arena);
	const struct taskset *set = input_parse_lacking(arguments->arena, &diagnostics, &folders, "skeleton", text, &platform);
	if (set != NULL)
		return missing_facts_find(arguments->arena, platform, set);
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, arguments_colour(arguments, stderr), stderr);
	return NULL;
}

/* A path is relative to where the file is going to lie, and read with it. */
static bool is_model(const struct arguments *arguments)
{
	const char *name = arguments->operands[0];
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arguments->arena);
	diagnostics_init(&diagnostics, arguments->arena);
	if (strpbrk(name, "/.") != NULL || input_read_platform(arguments->arena, &diagnostics, &folders, name) != NULL)
		return true;
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, arguments_colour(arguments, stderr), stderr);
	return false;
}

static int write_out(const struct arguments *arguments, const struct output *output)
{
	const char *path = arguments_value(arguments, "output", "-");
	if (strcmp(path, "-") != 0 && access(path, F_OK) == 0)
		return usage_error(arguments->command, "%s is there already; expected a new file", path);
	if (output_write(output, path))
		return EXIT_FINE;
	fprintf(stderr, "gpubound init: %s: %s\n", strcmp(path, "-") == 0 ? "standard output" : path, strerror(errno));
	return EXIT_USAGE;
}

int command_init(const struct arguments *arguments)
{
	const struct skeleton *skeleton = &skeletons[arguments_choice(arguments, "skeleton")];
	if (!is_model(arguments))
		return EXIT_INVALID;
	const char *model = escape(arguments->arena, arguments->operands[0]);
	struct output bare = {0}, output = {0};
	write_head(&bare, skeleton, model);
	output_print(&bare, "%s</taskset>\n", skeleton->body);
	const struct missing_facts *facts = find_facts(arguments, bare.text);
	int status = EXIT_INVALID;
	if (facts != NULL) {
		write_head(&output, skeleton, model);
		write_facts(&output, facts, model);
		output_print(&output, "%s</taskset>\n", skeleton->body);
		status = write_out(arguments, &output);
	}
	output_finish(&bare);
	output_finish(&output);
	return status;
}
