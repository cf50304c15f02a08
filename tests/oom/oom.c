/* Each allocation of a run of analyze fails once: the run is forked there, and the allocation fails in the fork, which is judged before the
 * run goes on with the next. No allocation may lie between making a temporary file and renaming it: a fork would remove the run's.
 *
 * Whichever allocation fails, the exit status is 5, the message stands on standard error once, standard output is empty, the report that
 * was there before is untouched, and no temporary file is left.
 *
 * usage: oom EVERY LEAST TASKSET FOLDER
 * EVERY: only each so-manieth allocation fails; LEAST: there are at least so many; FOLDER: an empty one to work in */
int program_main(int count, char **words);
#define main program_main
#include "cli/main.c"
#undef main

#include <dirent.h>
#include <fcntl.h>
#include <sys/wait.h>

#define OLD_REPORT "the report of an earlier run\n"
#define REPORT "out.xml"

static struct {
	bool running; /* else nothing fails */
	long every, allocations, tried, wrong;
	int output, errors; /* of the run and its forks */
	FILE *said;
} oom;

static _Noreturn void fail(const char *what)
{
	perror(what);
	_exit(EXIT_INTERNAL);
}

static bool holds(int file, off_t from, const char *text)
{
	char got[256];
	ssize_t length = pread(file, got, sizeof got, from);
	return length == (ssize_t)strlen(text) && memcmp(got, text, strlen(text)) == 0;
}

static bool is_untouched(void)
{
	int file = open(REPORT, O_RDONLY);
	bool same = file >= 0 && holds(file, 0, OLD_REPORT);
	close(file);
	return same;
}

/* Is the report the only file here? */
static bool is_alone(void)
{
	DIR *folder = opendir(".");
	int count = 0;
	if (folder == NULL)
		fail("opendir");
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count == 3; /* with . and .. */
}

static const char *fault_of(int status, off_t errors)
{
	if (!WIFEXITED(status) || WEXITSTATUS(status) != MEMORY_EXIT_STATUS)
		return "another exit status than that of no memory";
	if (!holds(oom.errors, errors, "gpubound: out of memory\n"))
		return "standard error is not the message once";
	if (lseek(oom.output, 0, SEEK_END) != 0)
		return "something was printed";
	return !is_untouched() ? "the report was written" : !is_alone() ? "a file was left" : NULL;
}

static void judge(pid_t child, off_t errors)
{
	int status;
	if (child < 0 || waitpid(child, &status, 0) != child)
		fail("fork");
	const char *fault = fault_of(status, errors);
	oom.tried++;
	if (fault == NULL)
		return;
	oom.wrong++;
	fprintf(oom.said, "allocation %ld: %s\n", oom.allocations, fault);
}

/* True: in the fork. */
static bool fork_here(void)
{
	off_t errors = lseek(oom.errors, 0, SEEK_END);
	pid_t child = fork();
	if (child == 0)
		return true;
	judge(child, errors);
	if (ftruncate(oom.errors, errors) != 0 || lseek(oom.errors, errors, SEEK_SET) != errors)
		fail("ftruncate");
	return false;
}

static bool fails(void)
{
	if (!oom.running)
		return false;
	oom.running = false; /* what it takes to try it is no part of the run */
	oom.allocations++;
	bool in_fork = oom.allocations % oom.every == 0 && fork_here();
	oom.running = !in_fork;
	return in_fork;
}

void *__real_malloc(size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *old, size_t size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

static int temporary_file(void)
{
	FILE *file = tmpfile();
	if (file == NULL)
		fail("tmpfile");
	return fileno(file);
}

static void start(const char *folder)
{
	if (chdir(folder) != 0)
		fail(folder);
	int report = open(REPORT, O_WRONLY | O_CREAT | O_EXCL, 0666);
	if (report < 0 || write(report, OLD_REPORT, strlen(OLD_REPORT)) != (ssize_t)strlen(OLD_REPORT) || close(report) != 0)
		fail(REPORT);
	oom.said = fdopen(dup(1), "w");
	oom.output = temporary_file();
	oom.errors = temporary_file();
	if (dup2(open("/dev/null", O_RDONLY), 0) < 0 || dup2(oom.output, 1) < 0 || dup2(oom.errors, 2) < 0)
		fail("dup2");
}

int main(int count, char **words)
{
	if (count != 5)
		return EXIT_USAGE;
	char name[] = "gpubound", command[] = "analyze", option[] = "-o", path[] = REPORT,
	     *run[] = {name, command, words[3], option, path, NULL};
	oom.every = strtol(words[1], NULL, 10);
	start(words[4]);
	oom.running = true;
	int status = program_main(5, run);
	oom.running = false;
	fprintf(oom.said, "%ld of %ld allocations made to fail, %ld wrongly handled; the run ends with %d\n", oom.tried, oom.allocations,
		oom.wrong, status);
	fflush(oom.said);
	return oom.wrong > 0 || oom.allocations < strtol(words[2], NULL, 10) || status > EXIT_NEGATIVE;
}
