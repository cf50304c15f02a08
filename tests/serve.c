/* gpubound as a server, for tests that run it many times: a fork in place of a program's start, schemas parsed once.
 *
 * usage: serve   (requests on standard input, replies on standard output)
 * request: "WORDS BYTES\n", the folder and so many words, each ended by NUL, then so many bytes of standard input
 * reply: "STATUS BYTES BYTES\n", then standard output and standard error; STATUS is -N where signal N ended it */
int program_main(int count, char **words);
#define main program_main
#include "cli/main.c"
#undef main

#include "input/input.h"
#include "input/xml.h"

#include <stdio.h>
#include <sys/wait.h>

#define WORDS_MOST 64
#define WORD_MOST 4096

struct files {
	int text, output, errors; /* standard input, output and error of a run, which moves their offsets */
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

static _Noreturn void run(struct request *request, const struct files *files)
{
	static char name[] = "gpubound";
	char *words[WORDS_MOST + 1] = {name};
	const int own[] = {files->text, files->output, files->errors};
	for (int i = 0; i < request->count; i++)
		words[i + 1] = request->words[i];
	for (int i = 0; i < 3; i++)
		if (dup2(own[i], i) < 0)
			fail("dup2");
	if (chdir(request->folder) != 0)
		fail(request->folder);
	exit(program_main(request->count + 1, words));
}

static void serve(struct request *request, const struct files *files, FILE *out)
{
	int status;
	empty(files->output);
	empty(files->errors);
	pid_t child = fork();
	if (child == 0)
		run(request, files);
	if (child < 0 || waitpid(child, &status, 0) != child)
		fail("fork");
	fprintf(out, "%d %ld %ld\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status), (long)lseek(files->output, 0, SEEK_END),
		(long)lseek(files->errors, 0, SEEK_END));
	copy_from(files->output, out);
	copy_from(files->errors, out);
	fflush(out);
}

int main(void)
{
	static const char *const vocabularies[] = {"taskset", "platform", "report", "frame", "program"};
	static struct request request;
	FILE *const temporary[] = {tmpfile(), tmpfile(), tmpfile()};
	FILE *in = fdopen(dup(0), "r"), *out = fdopen(dup(1), "w");
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	if (in == NULL || out == NULL || temporary[0] == NULL || temporary[1] == NULL || temporary[2] == NULL)
		fail("serve");
	struct files files = {fileno(temporary[0]), fileno(temporary[1]), fileno(temporary[2])};
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	for (size_t i = 0; i < sizeof vocabularies / sizeof *vocabularies; i++)
		xml_keep_schema(arena, &diagnostics, vocabularies[i], folders.schemas);
	while (read_request(in, &request, &files))
		serve(&request, &files, out);
	arena_destroy(arena);
	return 0;
}
