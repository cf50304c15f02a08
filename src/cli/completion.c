/* Scripts for the shells' completion, written from the tables of commands and options. */
#include "cli/completion.h"

#include "cli/command.h"
#include "import/import.h"
#include "model/platform.h"

#include <string.h>

#define MODELS "gpubound models --format=csv 2>/dev/null | tail -n +2 | cut -d, -f1"

/* The tasks and chains of the task sets among the words of the command line: an id is on the line on which its element begins, or it is not
 * offered.
 */
#define TASK_ID "s/.*<task [^>]*id=\"\\([^\"]*\\)\".*/\\1/p;s/.*<chain [^>]*id=\"\\([^\"]*\\)\".*/\\1/p"
#define TASKS_OF_SHELL                                                                                                                     \
	"_gpubound_tasks()\n{\n\tlocal word\n\tfor word in \"$@\"; do\n"                                                                   \
	"\t\t[[ $word == *.xml && -r $word ]] && sed -n '" TASK_ID "' \"$word\"\n\tdone\n}\n\n"
#define TASKS_OF_FISH                                                                                                                      \
	"function _gpubound_tasks\n\tfor word in $argv\n"                                                                                  \
	"\t\tstring match -q '*.xml' -- $word; and test -r $word; and sed -n '" TASK_ID "' $word\n\tend\nend\n\n"

/* What can stand as an option's argument or as an operand. */
enum kind { NOTHING, FILES, WORDS, MODEL_NAMES, ASSUMPTIONS, COMMANDS, FORMATS, TASKS };

static enum kind argument_kind(const struct option *option)
{
	if (strchr(option->argument, '|') != NULL)
		return WORDS;
	if (strcmp(option->argument, "FILE") == 0 || strcmp(option->argument, "FOLDER") == 0)
		return FILES;
	if (strcmp(option->argument, "MODEL") == 0)
		return MODEL_NAMES;
	if (strcmp(option->argument, "TASK") == 0)
		return TASKS;
	return strcmp(option->name, "assume") == 0 ? ASSUMPTIONS : NOTHING;
}

/* By the last word of the usage line's operands. */
static enum kind operand_kind(const struct command *command)
{
	const char *blank = strrchr(command->operands, ' '), *last = blank != NULL ? blank + 1 : command->operands;
	last += *last == '[';
	if (*last == '\0')
		return NOTHING;
	if (strncmp(command->operands, "FORMAT ", strlen("FORMAT ")) == 0)
		return FORMATS;
	if (strncmp(last, "COMMAND", strlen("COMMAND")) == 0)
		return COMMANDS;
	return strncmp(last, "MODEL", strlen("MODEL")) == 0 ? MODEL_NAMES : FILES;
}

/* ---- lists of words, each behind a blank but the first */

static void add_choices(struct output *output, const char *choices)
{
	for (; *choices != '\0'; choices++)
		output_add_bytes(output, *choices == '|' ? " " : choices, 1);
}

static void add_assumptions(struct output *output)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		output_print(output, "%s%s", i > 0 ? " " : "", assumption_kinds[i].id);
}

static void add_commands(struct output *output)
{
	for (const struct command *command = commands; command->name != NULL; command++)
		output_print(output, "%s%s", command > commands ? " " : "", command->name);
}

/* What import reads; a file may stand where a format may. */
static void add_formats(struct output *output)
{
	for (const struct import_format *format = import_formats; format->name != NULL; format++)
		output_print(output, "%s%s", format > import_formats ? " " : "", format->name);
}

/* Text inside single quotes; each byte of `special` gets a backslash. */
static void add_quoted(struct output *output, const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (strchr(special, *text) != NULL)
			output_add(output, "\\");
		output_add(output, *text == '\'' ? "'\\'" : "");
		output_add_bytes(output, text, 1);
	}
}

/* ---- bash */

static void bash_words(struct output *output, enum kind kind, const char *choices)
{
	switch (kind) {
	case WORDS:
		output_add(output, "words='");
		add_choices(output, choices);
		output_add(output, "'");
		break;
	case MODEL_NAMES: output_add(output, "words=$(" MODELS ")"); break;
	case TASKS: output_add(output, "words=$(_gpubound_tasks \"${COMP_WORDS[@]}\")"); break;
	case ASSUMPTIONS:
		output_add(output, "words='");
		add_assumptions(output);
		output_add(output, "'");
		break;
	case COMMANDS:
		output_add(output, "words='");
		add_commands(output);
		output_add(output, "'");
		break;
	case FORMATS:
		output_add(output, "words='");
		add_formats(output);
		output_add(output, "'");
		break;
	default: output_add(output, ":");
	}
}

/* A line of a case statement for each option with an argument. */
static void bash_arguments(struct output *output, const char *command, const struct option *options)
{
	for (const struct option *option = options; option->name != NULL; option++) {
		if (option->argument == NULL)
			continue;
		output_print(output, "\t%s,--%s", command, option->name);
		if (option->letter != 0)
			output_print(output, " | %s,-%c", command, option->letter);
		output_add(output, ") ");
		bash_words(output, argument_kind(option), option->argument);
		output_add(output, "; return ;;\n");
	}
}

static void bash_options(struct output *output, const struct option *options)
{
	for (; options->name != NULL; options++) {
		output_print(output, " --%s%s", options->name, options->argument != NULL ? "=" : "");
		if (options->letter != 0)
			output_print(output, " -%c", options->letter);
	}
}

static void bash_command(struct output *output, const struct command *command)
{
	output_print(output, "\t%s,-*) words='", command->name);
	bash_options(output, command->options);
	bash_options(output, common_options);
	output_print(output, "' ;;\n\t%s,*) ", command->name);
	bash_words(output, operand_kind(command), NULL);
	output_add(output, " ;;\n");
}

void completion_bash(struct output *output)
{
	output_add(output, "# Completion of gpubound(1) for bash, written by: gpubound help --completion=bash\n\n" TASKS_OF_SHELL
			   "# Sets `words` to what can stand where the cursor is; empty: files.\n"
			   "_gpubound_words()\n{\n\tcase $1,$2 in\n");
	for (const struct command *command = commands; command->name != NULL; command++)
		bash_arguments(output, command->name, command->options);
	bash_arguments(output, "*", common_options);
	output_add(output, "\tesac\n\tcase $1,$3 in\n\t,-*) words='--help --version' ;;\n\t,*) ");
	bash_words(output, COMMANDS, NULL);
	output_add(output, " ;;\n");
	for (const struct command *command = commands; command->name != NULL; command++)
		bash_command(output, command);
	output_add(output, "\tesac\n}\n\n"
			   "_gpubound()\n{\n"
			   "\tlocal current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words= word\n"
			   "\t((COMP_CWORD > 1)) && command=${COMP_WORDS[1]}\n"
			   "\tif [[ $current == '=' ]]; then # bash takes --name=value for three words\n"
			   "\t\tcurrent=\n"
			   "\telif [[ $before == '=' ]]; then\n"
			   "\t\tbefore=${COMP_WORDS[COMP_CWORD - 2]}\n"
			   "\tfi\n"
			   "\t_gpubound_words \"$command\" \"$before\" \"$current\"\n"
			   "\tCOMPREPLY=()\n"
			   "\tfor word in $words; do\n"
			   "\t\t[[ $word == \"$current\"* ]] || continue\n"
			   "\t\t[[ $word == *= ]] && compopt -o nospace\n"
			   "\t\tprintf -v word %q \"$word\"\n"
			   "\t\tCOMPREPLY+=(\"$word\")\n"
			   "\tdone\n"
			   "}\n"
			   "complete -o bashdefault -o default -F _gpubound gpubound\n");
}

/* ---- zsh */

static void zsh_action(struct output *output, enum kind kind, const char *choices)
{
	switch (kind) {
	case FILES: output_add(output, "_files"); break;
	case WORDS:
		output_add(output, "(");
		add_choices(output, choices);
		output_add(output, ")");
		break;
	case MODEL_NAMES: output_add(output, "{ compadd -- $(" MODELS "); _files }"); break;
	case TASKS: output_add(output, "{ compadd -- $(_gpubound_tasks $words) }"); break;
	case ASSUMPTIONS:
		output_add(output, "(");
		for (int i = 0; i < ASSUMPTION_COUNT; i++) {
			output_add(output, i > 0 ? " " : "");
			add_quoted(output, assumption_kinds[i].id, "()");
		}
		output_add(output, ")");
		break;
	case COMMANDS:
		output_add(output, "(");
		add_commands(output);
		output_add(output, ")");
		break;
	case FORMATS:
		output_add(output, "{ compadd -- ");
		add_formats(output);
		output_add(output, "; _files }");
		break;
	default: output_add(output, " ");
	}
}

static void zsh_form(struct output *output, const struct option *option, bool letter)
{
	output_add(output, " \\\n\t\t\t'*");
	if (letter)
		output_print(output, "-%c%s", option->letter, option->argument != NULL ? "+" : "");
	else
		output_print(output, "--%s%s", option->name, option->argument != NULL ? "=" : "");
	output_add(output, "[");
	add_quoted(output, option->meaning, "[]:\\");
	output_add(output, "]");
	if (option->argument != NULL) {
		enum kind kind = argument_kind(option);
		output_print(output, ":%s:", option->name);
		zsh_action(output, kind, option->argument);
	}
	output_add(output, "'");
}

static void zsh_options(struct output *output, const struct option *options)
{
	for (; options->name != NULL; options++) {
		if (options->letter != 0)
			zsh_form(output, options, true);
		zsh_form(output, options, false);
	}
}

void completion_zsh(struct output *output)
{
	output_add(output,
		"#compdef gpubound\n# Completion of gpubound(1) for zsh, written by: gpubound help --completion=zsh\n\n" TASKS_OF_SHELL
		"_gpubound()\n{\n\tlocal curcontext=$curcontext state line\n\tlocal -a names\n"
		"\t_arguments -C '(- *)'{-h,--help}'[show the commands]' '(- *)'{-V,--version}'[print the version]' \\\n"
		"\t\t'1:command:->command' '*::argument:->argument' && return\n"
		"\tcase $state in\n\tcommand)\n\t\tnames=(");
	for (const struct command *command = commands; command->name != NULL; command++) {
		output_print(output, "\n\t\t\t'%s:", command->name);
		add_quoted(output, command->summary, ":\\");
		output_add(output, "'");
	}
	output_add(output, "\n\t\t)\n\t\t_describe command names\n\t\t;;\n\targument)\n\t\tcase $words[1] in\n");
	for (const struct command *command = commands; command->name != NULL; command++) {
		output_print(output, "\t\t%s) _arguments -s -S", command->name);
		zsh_options(output, command->options);
		zsh_options(output, common_options);
		output_add(output, " \\\n\t\t\t'*:operand:");
		zsh_action(output, operand_kind(command), NULL);
		output_add(output, "'\n\t\t\t;;\n");
	}
	output_add(output, "\t\tesac\n\t\t;;\n\tesac\n}\n\n_gpubound \"$@\"\n");
}

/* ---- fish */

/* Inside single quotes fish knows a backslash before a quote and before itself. */
static void add_fish_text(struct output *output, const char *text)
{
	output_add(output, " -d '");
	for (; *text != '\0'; text++) {
		output_add(output, *text == '\'' || *text == '\\' ? "\\" : "");
		output_add_bytes(output, text, 1);
	}
	output_add(output, "'\n");
}

static void fish_words(struct output *output, enum kind kind, const char *choices)
{
	switch (kind) {
	case FILES: output_add(output, " -F"); break;
	case WORDS:
		output_add(output, " -f -a '");
		add_choices(output, choices);
		output_add(output, "'");
		break;
	case MODEL_NAMES: output_add(output, " -F -a '(" MODELS ")'"); break;
	case TASKS: output_add(output, " -f -a '(_gpubound_tasks (commandline -opc))'"); break;
	case ASSUMPTIONS:
		output_add(output, " -f -a '");
		for (int i = 0; i < ASSUMPTION_COUNT; i++) {
			output_add(output, i > 0 ? " " : "");
			add_quoted(output, assumption_kinds[i].id, "()");
		}
		output_add(output, "'");
		break;
	case COMMANDS:
		output_add(output, " -f -a '");
		add_commands(output);
		output_add(output, "'");
		break;
	case FORMATS:
		output_add(output, " -F -a '");
		add_formats(output);
		output_add(output, "'");
		break;
	default: output_add(output, " -f");
	}
}

static void fish_options(struct output *output, const char *command, const struct option *options)
{
	for (; options->name != NULL; options++) {
		output_print(output, "complete -c gpubound -n '__fish_seen_subcommand_from %s'", command);
		if (options->letter != 0)
			output_print(output, " -s %c", options->letter);
		output_print(output, " -l %s", options->name);
		if (options->argument != NULL) {
			output_add(output, " -r");
			fish_words(output, argument_kind(options), options->argument);
		}
		add_fish_text(output, options->meaning);
	}
}

void completion_fish(struct output *output)
{
	output_add(output, "# Completion of gpubound(1) for fish, written by: gpubound help --completion=fish\n\n" TASKS_OF_FISH
			   "complete -c gpubound -f\n"
			   "complete -c gpubound -n __fish_use_subcommand -s h -l help -d 'show the commands'\n"
			   "complete -c gpubound -n __fish_use_subcommand -s V -l version -d 'print the version'\n");
	for (const struct command *command = commands; command->name != NULL; command++) {
		output_print(output, "\ncomplete -c gpubound -n __fish_use_subcommand -a %s", command->name);
		add_fish_text(output, command->summary);
		output_print(output, "complete -c gpubound -n '__fish_seen_subcommand_from %s'", command->name);
		fish_words(output, operand_kind(command), NULL);
		output_add(output, "\n");
		fish_options(output, command->name, command->options);
		fish_options(output, command->name, common_options);
	}
}
