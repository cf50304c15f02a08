/* Running xmlsec1 and openssl. */
#include "cli/run_tool.h"

#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#define PRINTED_MOST 65536 /* bytes */

struct tool_text tool_text(struct arena *arena, const char *bytes, size_t length)
{
	FILE *file = tmpfile();
	if (file == NULL)
		return (struct tool_text){NULL, NULL};
	if (fwrite(bytes, 1, length, file) != length || fflush(file) != 0) {
		fclose(file);
		return (struct tool_text){NULL, NULL};
	}
	return (struct tool_text){file, arena_format(arena, "/dev/fd/%d", fileno(file))};
}

void tool_text_finish(struct tool_text *text)
{
	if (text->file != NULL)
		fclose(text->file);
	*text = (struct tool_text){NULL, NULL};
}

static const char *read_printed(struct arena *arena, FILE *file)
{
	char *text = arena_reserve(arena, PRINTED_MOST + 1, 1);
	rewind(file);
	text[fread(text, 1, PRINTED_MOST, file)] = '\0';
	return text;
}

/* The status that waitpid gives; -1: it did not run. */
static int spawn_and_wait(char *const *words, char *const *environment, int output)
{
	posix_spawn_file_actions_t actions;
	pid_t child;
	int status = -1;
	if (posix_spawn_file_actions_init(&actions) != 0)
		return -1;
	if (posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", 0, 0) == 0 &&
		posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO) == 0 &&
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", 1, 0) == 0 &&
		posix_spawnp(&child, words[0], &actions, NULL, words, environment) == 0)
		if (waitpid(child, &status, 0) != child)
			status = -1;
	posix_spawn_file_actions_destroy(&actions);
	return status;
}

enum tool_outcome tool_run(struct arena *arena, const char *const *words, const char **printed)
{
	const char *path = getenv("PATH");
	char *environment[] = {path != NULL ? arena_format(arena, "PATH=%s", path) : NULL, NULL};
	FILE *output = tmpfile();
	int count = 0;
	while (words[count] != NULL)
		count++;
	char **copies = arena_allocate(arena, (size_t)count + 1, sizeof *copies);
	for (int i = 0; i < count; i++)
		copies[i] = arena_copy(arena, words[i]);
	if (output == NULL)
		return TOOL_ABSENT;
	int status = spawn_and_wait(copies, environment, fileno(output));
	if (printed != NULL)
		*printed = read_printed(arena, output);
	fclose(output);
	if (status == -1 || !WIFEXITED(status) || WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
		return TOOL_ABSENT;
	return WEXITSTATUS(status) == 0 ? TOOL_GOOD : TOOL_REFUSES;
}
