/* Parses command lines by the tables of options. */
#include "cli/arguments.h"

#include "base/assert.h"
#include "base/file.h"
#include "base/suggest.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct option *find_name(const struct option *options, const char *name, size_t length)
{
	for (; options->name != NULL; options++)
		if (strncmp(options->name, name, length) == 0 && options->name[length] == '\0')
			return options;
	return NULL;
}

static const struct option *find_letter(const struct option *options, char letter)
{
	for (; options->name != NULL; options++)
		if (options->letter == letter)
			return options;
	return NULL;
}

static int count_options(const struct option *options)
{
	int count = 0;
	while (options[count].name != NULL)
		count++;
	return count;
}

static const char *nearest_option(const struct arguments *arguments, const char *name)
{
	const struct option *own = arguments->command->options;
	int own_count = count_options(own), common_count = count_options(common_options);
	const char **words = arena_allocate(arguments->arena, (size_t)(own_count + common_count) + 1, sizeof *words);
	for (int i = 0; i < own_count; i++)
		words[i] = own[i].name;
	for (int i = 0; i < common_count; i++)
		words[own_count + i] = common_options[i].name;
	return suggest_nearest(name, words);
}

static bool unknown_option(const struct arguments *arguments, const char *name)
{
	const char *nearest = nearest_option(arguments, name);
	if (nearest != NULL)
		usage_error(arguments->command, "unknown option '--%s'; did you mean '--%s'?", name, nearest);
	else
		usage_error(arguments->command, "unknown option '--%s'", name);
	return false;
}

/* Which of the words of "a|b|c" it is, from 0; -1: none. */
static int choice_number(const char *choices, const char *value)
{
	int number = 0;
	for (const char *word = choices; word != NULL; word = strchr(word, '|')) {
		word += *word == '|';
		if (strcspn(word, "|") == strlen(value) && strncmp(word, value, strlen(value)) == 0)
			return number;
		number++;
	}
	return -1;
}

/* Is `value` one of the words of "a|b|c"? An argument without '|' takes anything. */
static bool is_choice(const char *choices, const char *value)
{
	return strchr(choices, '|') == NULL || choice_number(choices, value) >= 0;
}

/* The word of "a|b|c" nearest to `value`, or NULL. */
static const char *nearest_choice(const struct arguments *arguments, const char *choices, const char *value)
{
	struct suggestion suggestion = suggest_for(value);
	for (const char *word = choices; *word != '\0'; word += *word == '|') {
		size_t length = strcspn(word, "|");
		suggest_offer(&suggestion, arena_format(arguments->arena, "%.*s", (int)length, word));
		word += length;
	}
	return suggestion.nearest;
}

static bool add_option(struct arguments *arguments, const struct option *option, const char *value)
{
	if (option->argument != NULL && !is_choice(option->argument, value)) {
		const char *hint = suggest_hint(arguments->arena, nearest_choice(arguments, option->argument, value), '\'');
		usage_error(arguments->command, "option '--%s' wants %s, not '%s'%s", option->name, option->argument, value, hint);
		return false;
	}
	arguments->given = arena_grow(
		arguments->arena, arguments->given, &arguments->given_capacity, arguments->given_count + 1, sizeof *arguments->given);
	arguments->given[arguments->given_count++] = (struct given){option, value};
	return true;
}

/* An option whose argument may be the next word; *next moves on where it is. */
static bool add_with_next(struct arguments *arguments, const struct option *option, char **words, int count, int *next)
{
	if (*next < count)
		return add_option(arguments, option, words[(*next)++]);
	usage_error(arguments->command, "option '--%s' wants %s", option->name, option->argument);
	return false;
}

static bool parse_long(struct arguments *arguments, const char *text, char **words, int count, int *next)
{
	size_t length = strcspn(text, "=");
	const struct option *option = find_name(arguments->command->options, text, length);
	if (option == NULL)
		option = find_name(common_options, text, length);
	if (option == NULL)
		return unknown_option(arguments, arena_format(arguments->arena, "%.*s", (int)length, text));
	if (text[length] == '=' && option->argument == NULL) {
		usage_error(arguments->command, "option '--%s' takes no argument", option->name);
		return false;
	}
	if (text[length] == '=')
		return add_option(arguments, option, text + length + 1);
	if (option->argument == NULL)
		return add_option(arguments, option, NULL);
	return add_with_next(arguments, option, words, count, next);
}

static bool parse_letters(struct arguments *arguments, const char *letters, char **words, int count, int *next)
{
	for (; *letters != '\0'; letters++) {
		const struct option *option = find_letter(arguments->command->options, *letters);
		if (option == NULL)
			option = find_letter(common_options, *letters);
		if (option == NULL) {
			usage_error(arguments->command, "unknown option '-%c'", *letters);
			return false;
		}
		if (option->argument != NULL && letters[1] != '\0')
			return add_option(arguments, option, letters + 1);
		if (option->argument != NULL)
			return add_with_next(arguments, option, words, count, next);
		if (!add_option(arguments, option, NULL))
			return false;
	}
	return true;
}

/* The usage line's operands without a required option before them. */
static const char *after_options(const char *operands)
{
	while (*operands == '-') {
		const char *argument = strchr(operands, ' ');
		operands = argument != NULL && strchr(argument + 1, ' ') != NULL ? strchr(argument + 1, ' ') + 1 : "";
	}
	return operands;
}

static bool check_operands(const struct arguments *arguments)
{
	const struct command *command = arguments->command;
	if (arguments_has(arguments, "help"))
		return true;
	if (arguments->operand_count < command->least)
		usage_error(command, "missing operand: %s", after_options(command->operands));
	else if (command->most >= 0 && arguments->operand_count > command->most)
		usage_error(command, "unexpected operand '%s'", arguments->operands[command->most]);
	else
		return true;
	return false;
}

bool arguments_parse(struct arguments *arguments, const struct command *command, int count, char **words, struct arena *arena)
{
	*arguments = (struct arguments){.arena = arena, .command = command};
	arguments->operands = arena_allocate(arena, (size_t)count + 1, sizeof *arguments->operands);
	bool options = true, ok = true;
	for (int next = 0; ok && next < count;) {
		const char *word = words[next++];
		if (!options || word[0] != '-' || word[1] == '\0')
			arguments->operands[arguments->operand_count++] = word;
		else if (strcmp(word, "--") == 0)
			options = false;
		else if (word[1] == '-')
			ok = parse_long(arguments, word + 2, words, count, &next);
		else
			ok = parse_letters(arguments, word + 1, words, count, &next);
	}
	return ok && check_operands(arguments);
}

/* ---- questions */

static bool is_known(const struct arguments *arguments, const char *name)
{
	return find_name(arguments->command->options, name, strlen(name)) != NULL || find_name(common_options, name, strlen(name)) != NULL;
}

bool arguments_has(const struct arguments *arguments, const char *name)
{
	assert(is_known(arguments, name));
	for (int i = 0; i < arguments->given_count; i++)
		if (strcmp(arguments->given[i].option->name, name) == 0)
			return true;
	return false;
}

const char *arguments_value(const struct arguments *arguments, const char *name, const char *fallback)
{
	assert(is_known(arguments, name));
	for (int i = arguments->given_count - 1; i >= 0; i--)
		if (strcmp(arguments->given[i].option->name, name) == 0)
			return arguments->given[i].value;
	return fallback;
}

int arguments_choice(const struct arguments *arguments, const char *name)
{
	assert(is_known(arguments, name));
	for (int i = arguments->given_count - 1; i >= 0; i--)
		if (strcmp(arguments->given[i].option->name, name) == 0)
			return choice_number(arguments->given[i].option->argument, arguments->given[i].value);
	return 0;
}

const char *const *arguments_values(const struct arguments *arguments, const char *name, int *count)
{
	assert(is_known(arguments, name));
	const char **values = arena_allocate(arguments->arena, (size_t)arguments->given_count + 1, sizeof *values);
	*count = 0;
	for (int i = 0; i < arguments->given_count; i++)
		if (strcmp(arguments->given[i].option->name, name) == 0)
			values[(*count)++] = arguments->given[i].value;
	return values;
}

bool arguments_one_to_standard(const struct arguments *arguments, const char *const *names, bool *taken)
{
	int count = 0;
	for (; *names != NULL; names++)
		count += strcmp(arguments_value(arguments, *names, ""), "-") == 0;
	*taken = count > 0;
	if (count > 1)
		usage_error(arguments->command, "standard output can take one file; several options name it");
	return count <= 1;
}

/* A file that is read has the argument FILE, too, but reports record it. */
static bool is_written(const struct given *given)
{
	return given->option->presentation && given->option->argument != NULL && strcmp(given->option->argument, "FILE") == 0 &&
	       strcmp(given->value, "-") != 0;
}

static bool written_twice(const struct arguments *arguments, const struct given *given)
{
	const char *other = NULL;
	for (const struct given *before = arguments->given; before < given; before++)
		if (is_written(before) && before->option != given->option &&
			(strcmp(before->value, given->value) == 0 || file_is_same(before->value, given->value)))
			other = before->option->name;
	if (other != NULL)
		usage_error(arguments->command, "--%s and --%s name the same file", other, given->option->name);
	return other != NULL;
}

bool arguments_spare_inputs(const struct arguments *arguments, const struct diagnostics *diagnostics)
{
	for (int i = 0; i < arguments->given_count; i++) {
		const struct given *given = &arguments->given[i];
		if (!is_written(given))
			continue;
		const char *input = file_opened(diagnostics, given->value);
		if (input != NULL)
			usage_error(arguments->command, "--%s: %s is the file that %s was read from; it is not written over",
				given->option->name, given->value, input);
		if (input != NULL || written_twice(arguments, given))
			return false;
	}
	return true;
}

bool arguments_write(const struct arguments *arguments, const struct output *output, const char *path)
{
	if (output_write(output, path))
		return true;
	fprintf(stderr, "gpubound %s: %s: %s\n", arguments->command->name, strcmp(path, "-") == 0 ? "standard output" : path,
		strerror(errno));
	return false;
}

bool arguments_integer(const struct arguments *arguments, const char *name, int64_t least, int64_t most, int64_t *value)
{
	const char *text = arguments_value(arguments, name, NULL);
	if (text == NULL)
		return true;
	char *end;
	errno = 0;
	long long parsed = strtoll(text, &end, 10);
	bool digits = *text >= '0' && *text <= '9';
	if (!digits || *end != '\0' || errno != 0 || parsed < least || parsed > most) {
		usage_error(arguments->command, "option '--%s' wants a whole number from %lld to %lld, not '%s'", name, (long long)least,
			(long long)most, text);
		return false;
	}
	*value = parsed;
	return true;
}

static bool is_replaced(const struct arguments *arguments, int index)
{
	const struct option *option = arguments->given[index].option;
	for (int i = index + 1; i < arguments->given_count && !option->repeats; i++)
		if (arguments->given[i].option == option)
			return true;
	return false;
}

const char *const *arguments_recorded(const struct arguments *arguments, int *count)
{
	int most = 2 + arguments->given_count + arguments->operand_count;
	const char **words = arena_allocate(arguments->arena, (size_t)most, sizeof *words);
	*count = 0;
	words[(*count)++] = arguments->command->name;
	for (int i = 0; i < arguments->given_count; i++) {
		const struct given *given = &arguments->given[i];
		if (given->option->presentation || is_replaced(arguments, i))
			continue;
		words[(*count)++] = given->value == NULL ? arena_format(arguments->arena, "--%s", given->option->name)
							 : arena_format(arguments->arena, "--%s=%s", given->option->name, given->value);
	}
	for (int i = 0; i < arguments->operand_count; i++)
		words[(*count)++] = arguments->operands[i];
	return words;
}

bool arguments_colour(const struct arguments *arguments, FILE *file)
{
	const char *when = arguments_value(arguments, "color", "auto"), *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	bool wanted = no == NULL || *no == '\0';
	return wanted && isatty(fileno(file)) && (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

enum diagnostic_level arguments_level(const struct arguments *arguments)
{
	if (arguments_has(arguments, "quiet"))
		return LEVEL_ERROR;
	return arguments_has(arguments, "verbose") ? LEVEL_NOTE : LEVEL_HAZARD;
}
