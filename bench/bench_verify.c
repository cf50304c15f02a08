/* How long a report takes to make and how long to verify: every task set of examples/, below the working folder; in this process, and as
 * commands with all that a program does before and behind.
 *
 * What is held to a bar is the derivation alone, in this process and as `verify --without-prose`: it takes no longer than half as much
 * again as the analysis. `verify` without that option makes the analysis once more and compares the texts, so that it takes about the sum
 * of both others; it is printed beside them and has no bar.
 *
 * usage: bench_verify GPUBOUND */
#include "bench.h"
#include "../tests/analyzed.h"
#include "verify/verify.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST 150 /* per cent of the analysis that the derivation alone takes, at most */

extern char **environ;

struct work {
	char *program, *path, *report;
	bool analysed, verified; /* the last time */
};

static void analyse(void *context)
{
	struct work *work = context;
	struct output text = {0};
	work->analysed = analyzed(work->path, &text) && output_write(&text, work->report);
	output_finish(&text);
}

static void verify(void *context)
{
	static const char *const files[] = {NULL};
	static const struct verify_options none = {files, NULL, NULL, false};
	struct work *work = context;
	struct arena *arena = arena_create();
	struct input_folders folders = input_find_folders(arena);
	struct diagnostics diagnostics;
	struct verified verified;
	diagnostics_init(&diagnostics, arena);
	work->verified = verify_report(arena, &diagnostics, &folders, work->report, &none, &verified) == VERIFY_GOOD;
	arena_destroy(arena);
}

/* Without its output. Returns the exit status, -1 where there is none. */
static int run(char *const arguments[])
{
	posix_spawn_file_actions_t actions;
	pid_t process;
	int status = -1;
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	if (posix_spawn(&process, arguments[0], &actions, NULL, arguments, environ) == 0)
		waitpid(process, &status, 0);
	posix_spawn_file_actions_destroy(&actions);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* 1: a deadline is not proven; 4: there is no bound. */
static void analyse_command(void *context)
{
	struct work *work = context;
	int status = run((char *[]){work->program, (char[]){"analyze"}, (char[]){"-o"}, work->report, work->path, NULL});
	work->analysed = status == 0 || status == 1 || status == 4;
}

static void verify_command(void *context)
{
	struct work *work = context;
	work->verified = run((char *[]){work->program, (char[]){"verify"}, (char[]){"--without-prose"}, work->report, NULL}) == 0;
}

static void verify_all_command(void *context)
{
	struct work *work = context;
	work->verified = run((char *[]){work->program, (char[]){"verify"}, work->report, NULL}) == 0;
}

static bool compare(struct work *work, const char *name, void (*const works[2])(void *))
{
	int64_t least[2];
	bench_pair((const char *const[]){name, "  derived again"}, works, work, least);
	long share = (long)(least[1] * 100 / least[0]);
	printf("%-44s  %ld %% of it%s%s\n", "", share, share > MOST ? ", MISSED" : "",
		!work->analysed ? ", NOT ANALYSED" : (!work->verified ? ", NOT VERIFIED" : ""));
	return work->analysed && work->verified && share <= MOST;
}

static bool compare_both(struct work *work)
{
	static void (*const inside[])(void *) = {analyse, verify};
	static void (*const commands[])(void *) = {analyse_command, verify_command};
	bool met = compare(work, work->path, inside);
	met &= compare(work, "  as a command", commands);
	bench_least("  and compared with an analysis made again", verify_all_command, work);
	return met && work->verified;
}

int main(int argc, char *argv[])
{
	const char *folder = getenv("TMPDIR");
	char report[4096];
	glob_t examples;
	snprintf(report, sizeof report, "%s/gpubound-bench.XXXXXX", folder != NULL ? folder : "/tmp");
	int file = mkstemp(report);
	if (argc != 2 || file < 0 || glob("examples/*.xml", 0, NULL, &examples) != 0)
		return 2;
	bool met = true;
	for (size_t i = 0; i < examples.gl_pathc; i++) {
		struct work work = {argv[1], examples.gl_pathv[i], report, false, false};
		met &= compare_both(&work);
	}
	globfree(&examples);
	close(file);
	unlink(report);
	return met ? 0 : 1;
}
