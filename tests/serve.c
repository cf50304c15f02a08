/* gpubound as a server, for tests that run it many times: one process makes all runs until one of them ends it (out of memory, a signal);
 * then a fork of the server goes on. Schemas are parsed once.
 *
 * usage: serve   (requests on standard input, replies on standard output)
 * request: "WORDS BYTES\n", the folder and so many words, each ended by NUL, then so many bytes of standard input
 * reply: "STATUS BYTES BYTES\n", then standard output and standard error; STATUS is -N where signal N ended it */
int program_main(int count, char **words);
#define main program_main
#include "cli/main.c"
#undef main

#include "input/input.h"
#include "input/schema.h"

#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define WORDS_MOST 64
#define WORD_MOST 8192
#define NO_REQUEST 99 /* exit status of a process that has no more to do: none of the program */

struct files {
	int text, output, errors; /* standard input, output and error of a run, which moves their offsets */
	int folder;               /* where the server runs */
};

struct request {
	char folder[WORD_MOST], words[WORDS_MOST][WORD_MOST];
	int count;
};

static _Noreturn void fail(const char *what)
{
	perror(what);
	exit(EXIT_INTERNAL);
}

static void empty(int file)
{
	if (lseek(file, 0, SEEK_SET) != 0 || ftruncate(file, 0) != 0)
		fail("ftruncate");
}

static void read_word(FILE *in, char word[WORD_MOST])
{
	int c, length = 0;
	while ((c = getc(in)) != '\0')
		if (c == EOF || length == WORD_MOST - 1)
			fail("serve: a word");
		else
			word[length++] = (char)c;
	word[length] = '\0';
}

static void copy_to(int file, FILE *in, long length)
{
	char piece[65536];
	for (size_t got; length > 0; length -= (long)got) {
		got = fread(piece, 1, length < (long)sizeof piece ? (size_t)length : sizeof piece, in);
		if (got == 0 || write(file, piece, got) != (ssize_t)got)
			fail("serve: bytes");
	}
}

static void copy_from(int file, FILE *out)
{
	char piece[65536];
	lseek(file, 0, SEEK_SET);
	for (ssize_t got; (got = read(file, piece, sizeof piece)) > 0;)
		if (fwrite(piece, 1, (size_t)got, out) != (size_t)got)
			fail("serve: bytes");
}

static bool read_request(FILE *in, struct request *request, const struct files *files)
{
	long length;
	if (fscanf(in, "%d %ld", &request->count, &length) != 2 || getc(in) != '\n')
		return false;
	if (request->count < 1 || request->count >= WORDS_MOST)
		fail("serve: words");
	read_word(in, request->folder);
	for (int i = 0; i < request->count; i++)
		read_word(in, request->words[i]);
	empty(files->text);
	copy_to(files->text, in, length);
	return lseek(files->text, 0, SEEK_SET) == 0;
}

/* In a process that runs many: what a run leaves behind in its streams is gone before the next. */
static int run(struct request *request, const struct files *files)
{
	static char name[] = "gpubound";
	char *words[WORDS_MOST + 1] = {name};
	const int own[] = {files->text, files->output, files->errors};
	for (int i = 0; i < request->count; i++)
		words[i + 1] = request->words[i];
	for (int i = 0; i < 3; i++)
		if (dup2(own[i], i) < 0)
			fail("dup2");
	if (fchdir(files->folder) != 0 || chdir(request->folder) != 0)
		fail(request->folder);
	int status = program_main(request->count + 1, words);
	clearerr(stdout);
	return status;
}

static void reply(int status, const struct files *files, FILE *out)
{
	fprintf(out, "%d %ld %ld\n", status, (long)lseek(files->output, 0, SEEK_END), (long)lseek(files->errors, 0, SEEK_END));
	copy_from(files->output, out);
	copy_from(files->errors, out);
	fflush(out);
}

/* One request after another, until there is none or one ends the process. */
static _Noreturn void work(FILE *in, FILE *out, const struct files *files, bool *busy)
{
	int errors = dup(STDERR_FILENO);
	static struct request request;
	mallopt(M_TRIM_THRESHOLD, INT_MAX); /* the next run takes the pages of the last one */
	mallopt(M_MMAP_THRESHOLD, INT_MAX);
	while (read_request(in, &request, files)) {
		empty(files->output);
		empty(files->errors);
		*busy = true;
		reply(run(&request, files), files, out);
		*busy = false;
	}
	dup2(errors, STDERR_FILENO);
	exit(NO_REQUEST); /* or what a sanitizer ends with, which finds here what the runs have left behind */
}

static int wait_for(pid_t child)
{
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child)
		fail("fork");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int main(void)
{
	static const char *const vocabularies[] = {"taskset", "platform", "report", "frame", "program"};
	FILE *const temporary[] = {tmpfile(), tmpfile(), tmpfile()};
	FILE *in = fdopen(dup(0), "r"), *out = fdopen(dup(1), "w");
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	if (in == NULL || out == NULL || temporary[0] == NULL || temporary[1] == NULL || temporary[2] == NULL)
		fail("serve");
	struct files files = {fileno(temporary[0]), fileno(temporary[1]), fileno(temporary[2]), open(".", O_RDONLY)};
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
		schema_put_back(schema_take(&diagnostics, arena_format(arena, "%s/%s-1.xsd", folders.schemas, vocabularies[i]), NULL));
	FILE *shared = tmpfile();
	if (shared == NULL || ftruncate(fileno(shared), sizeof(bool)) != 0)
		fail("tmpfile");
	bool *busy = mmap(NULL, sizeof *busy, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(shared), 0);
	if (busy == MAP_FAILED)
		fail("mmap");
	int status;
	do {
		*busy = false;
		pid_t child = fork();
		if (child == 0)
			work(in, out, &files, busy);
		status = wait_for(child);
		if (*busy)
			reply(status, &files, out);
	} while (*busy);
	arena_destroy(arena);
	return status != NO_REQUEST;
}
