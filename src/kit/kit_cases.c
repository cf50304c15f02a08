/* Runs the verification cases: each is a command line of this program, in the folder FOLDER/evidence, with what has to come of it. What a
 * case writes stays there: NUMBER.out and NUMBER.err are its standard output and error. Inputs that a command line names are copied there
 * first, from the shipped examples and from kit/inputs. Two command lines are no command of the program but a change of a file: "lower IN
 * OUT ATTRIBUTE" takes 1 from the first such number, "garble IN OUT WORD" changes the first byte of the first such word. */
#define _XOPEN_SOURCE 700

#include "input/input.h"
#include "kit/kit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECONDS 300 /* of the processor, that a case may take */
#define MOST_WORDS 32

const struct kit_requirement kit_requirements[] = {
#define REQUIREMENT(number, uses, statement, page, words, tests) {number, uses, statement, page, words, tests},
#include "requirements.def"
#undef REQUIREMENT
};
const int kit_requirement_count = sizeof kit_requirements / sizeof *kit_requirements;

const struct kit_case kit_cases[] = {
#define CASE(number, requirements, shows, status, check, expected, command)                                                                \
	{number, requirements, shows, status, CHECK_##check, expected, command},
#include "kit/cases.def"
#undef CASE
};
const int kit_case_count = sizeof kit_cases / sizeof *kit_cases;

/* ---- files */

static const char *evidence(const struct kit *kit, const char *name)
{
	return arena_format(kit->arena, "%s/evidence/%s", kit->folder, name);
}

static bool cannot(const char *path)
{
	fprintf(stderr, "gpubound: %s: cannot be written: %s\n", path, strerror(errno));
	return false;
}

static bool write_bytes(const struct kit *kit, const char *name, const char *bytes, size_t length)
{
	struct output output = {0};
	const char *path = evidence(kit, name);
	output_add_bytes(&output, bytes, length);
	bool written = kit_folder_make(kit->arena, path) && output_write(&output, path);
	output_finish(&output);
	return written || cannot(path);
}

/* A word that names a shipped file, examples/ or inputs/ in it, is copied once. */
static bool copy_input(struct kit *kit, const char *word)
{
	size_t length;
	bool example = strncmp(word, "examples/", 9) == 0;
	if ((!example && strncmp(word, "inputs/", 7) != 0) || access(evidence(kit, word), F_OK) == 0)
		return true;
	const char *source = arena_format(kit->arena, "%s/%s%s", kit->data, example ? "" : "kit/", word);
	const char *bytes = input_read_file(kit->arena, kit->diagnostics, source, &length);
	return bytes != NULL && write_bytes(kit, word, bytes, length);
}

/* What a case wrote; "" where nothing is there. */
static const char *read_evidence(struct kit *kit, const char *name, size_t *length)
{
	const char *path = evidence(kit, name);
	const char *bytes =
		access(path, R_OK) == 0 ? input_read_file_up_to(kit->arena, kit->diagnostics, path, (size_t)1 << 28, length) : NULL;
	if (bytes == NULL)
		*length = 0;
	return bytes != NULL ? bytes : "";
}

/* ---- changes of files */

static int garble(struct kit *kit, const char *in, const char *out, const char *word)
{
	size_t length;
	char *bytes = arena_copy(kit->arena, read_evidence(kit, in, &length));
	char *found = strstr(bytes, word);
	if (found == NULL)
		return 1;
	*found = *found == 'x' ? 'y' : 'x';
	return write_bytes(kit, out, bytes, length) ? 0 : 1;
}

static int lower(struct kit *kit, const char *in, const char *out, const char *attribute)
{
	size_t length;
	char *bytes = arena_copy(kit->arena, read_evidence(kit, in, &length));
	const char *mark = arena_format(kit->arena, " %s=\"", attribute);
	char *found = strstr(bytes, mark);
	if (found == NULL)
		return 1;
	char *first = found + strlen(mark), *digit = first + strspn(first, "0123456789");
	do {
		if (digit == first)
			return 1; /* no number, or 0 */
		digit--;
		*digit = *digit == '0' ? '9' : (char)(*digit - 1);
	} while (*digit == '9');
	return write_bytes(kit, out, bytes, length) ? 0 : 1;
}

/* ---- running */

static int split(struct kit *kit, const char *command, const char **words)
{
	int count = 0;
	char *rest, *copy = arena_copy(kit->arena, command);
	for (char *word = strtok_r(copy, " ", &rest); word != NULL && count < MOST_WORDS - 1; word = strtok_r(NULL, " ", &rest))
		words[count++] = word;
	words[count] = NULL;
	return count;
}

/* In the child: never returns. */
static void execute(const struct kit *kit, const char *number, const char **words)
{
	const struct rlimit limit = {SECONDS, SECONDS};
	const char *program = "/proc/self/exe";
	int in = open("/dev/null", O_RDONLY);
	int out = open(arena_format(kit->arena, "%s/evidence/%s.out", kit->folder, number), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int err = open(arena_format(kit->arena, "%s/evidence/%s.err", kit->folder, number), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	if (in < 0 || out < 0 || err < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0)
		_exit(127);
	setrlimit(RLIMIT_CPU, &limit);
	setenv("GPUBOUND_DATA", kit->data, 1);
	if (chdir(arena_format(kit->arena, "%s/evidence", kit->folder)) == 0)
		execv(program, (char *const *)(uintptr_t)words);
	_exit(127);
}

static int run(const struct kit *kit, const char *number, const char **words)
{
	int status;
	fflush(NULL);
	pid_t child = fork();
	if (child == 0)
		execute(kit, number, words);
	if (child < 0)
		return -1;
	while (waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int perform(struct kit *kit, const struct kit_case *row, const char **words, int count)
{
	if (strcmp(words[1], "garble") == 0 && count == 5)
		return garble(kit, words[2], words[3], words[4]);
	if (strcmp(words[1], "lower") == 0 && count == 5)
		return lower(kit, words[2], words[3], words[4]);
	return run(kit, row->number, words);
}

/* ---- judging */

static const char *compare(struct kit *kit, const char *found, size_t found_length, const char *wanted, size_t wanted_length)
{
	if (found_length == wanted_length && memcmp(found, wanted, found_length) == 0)
		return "";
	int line = 1;
	for (size_t i = 0; i < found_length && i < wanted_length && found[i] == wanted[i]; i++)
		line += found[i] == '\n';
	return arena_format(kit->arena, "line %d is another one", line);
}

static bool says(struct kit *kit, const struct kit_case *row)
{
	size_t length;
	return strstr(read_evidence(kit, arena_format(kit->arena, "%s.out", row->number), &length), row->expected) != NULL ||
	       strstr(read_evidence(kit, arena_format(kit->arena, "%s.err", row->number), &length), row->expected) != NULL;
}

/* "": as it has to be; NULL: the expected file cannot be read. */
static const char *judge(struct kit *kit, const struct kit_case *row)
{
	size_t found_length, wanted_length;
	const char *words[MOST_WORDS];
	if (row->check == CHECK_STATUS)
		return "";
	if (row->check == CHECK_SAYS)
		return says(kit, row) ? "" : arena_format(kit->arena, "does not say: %s", row->expected);
	if (row->check == CHECK_SAME) {
		split(kit, row->expected, words);
		const char *one = read_evidence(kit, words[0], &found_length), *other = read_evidence(kit, words[1], &wanted_length);
		return found_length == 0 ? arena_format(kit->arena, "%s is empty", words[0])
					 : compare(kit, one, found_length, other, wanted_length);
	}
	const char *path = arena_format(kit->arena, "%s/kit/expected/%s", kit->data, row->expected);
	const char *wanted = input_read_file(kit->arena, kit->diagnostics, path, &wanted_length);
	const char *found = read_evidence(kit, arena_format(kit->arena, "%s.out", row->number), &found_length);
	return wanted != NULL ? compare(kit, found, found_length, wanted, wanted_length) : NULL;
}

static bool run_case(struct kit *kit, const struct kit_case *row, struct kit_outcome *outcome)
{
	const char *words[MOST_WORDS] = {"gpubound"};
	int count = 1 + split(kit, row->command, words + 1);
	size_t length;
	for (int i = 1; i < count; i++)
		if (!copy_input(kit, words[i]))
			return false;
	outcome->status = perform(kit, row, words, count);
	outcome->difference =
		outcome->status == row->status ? judge(kit, row) : arena_format(kit->arena, "exit status %d", outcome->status);
	if (outcome->difference == NULL)
		return false;
	outcome->passed = *outcome->difference == '\0';
	const char *bytes = read_evidence(kit, arena_format(kit->arena, "%s.out", row->number), &length);
	hash_bytes(bytes, length, outcome->output);
	return true;
}

bool kit_run_cases(struct kit *kit)
{
	if (!kit_folder_make(kit->arena, evidence(kit, "x")))
		return cannot(evidence(kit, ""));
	for (int i = 0; i < kit_case_count; i++)
		if (!run_case(kit, &kit_cases[i], &kit->outcomes[i]))
			return false;
	return true;
}
