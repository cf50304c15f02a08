/* What cuobjdump --dump-resource-usage prints: registers and shared memory of each function of each image.
 *
 * Source: output as users have posted it. " Function NAME:" and below it "REG:r STACK:s SHARED:b ...", for the "arch = sm_XY" above. From
 * compute capability 9.0 on SHARED has the driver's reserve of 1,024 bytes in it, before it has not; the task set's shared memory is
 * without it, and the analysis adds it once. */
#include "import/values.h"

#include <string.h>

#define RESERVE 1024        /* bytes a block */
#define RESERVE_INCLUDED 90 /* from this compute capability on, ten times major and minor together */
#define CAPABILITY_UNKNOWN 0

struct cuobjdump {
	struct import_build *build;
	const char *path;
	const char *architecture, *function;
	int found;
};

static void complain(const struct cuobjdump *dump, long line, const char *text)
{
	diagnose(dump->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, dump->path, line, "%s", text);
}

/* "sm_90", "sm_120a": 90, 120. */
static int capability(const char *architecture)
{
	int number = 0;
	const char *digit = strncmp(architecture, "sm_", 3) == 0 ? architecture + 3 : "";
	for (; *digit >= '0' && *digit <= '9' && number < 1000; digit++)
		number = number * 10 + (*digit - '0');
	return number;
}

/* The number behind KEY: in the line; NONE with a complaint where there is none. */
static int64_t figure(const struct cuobjdump *dump, char *text, const char *key, long line)
{
	char *at = text;
	size_t length = strlen(key);
	while ((at = strstr(at, key)) != NULL && (at[length] != ':' || (at > text && at[-1] != ' ')))
		at++;
	if (at == NULL) {
		complain(dump, line, "expected REG and SHARED");
		return NONE;
	}
	at += length + 1;
	char *end = at + strcspn(at, " "), cut = *end;
	*end = '\0';
	int64_t value = value_read(dump->build, at, "", UNIT_COUNT, VALUE_EXACT, key, dump->path, line);
	*end = cut;
	return value;
}

/* Static shared memory without the reserve. */
static int64_t without_reserve(const struct cuobjdump *dump, int64_t shared, long line)
{
	const char *architecture = dump->architecture != NULL ? dump->architecture : dump->build->options->architecture;
	int number = architecture != NULL ? capability(architecture) : CAPABILITY_UNKNOWN;
	if (number == CAPABILITY_UNKNOWN) {
		diagnose(dump->build->diagnostics, DIAGNOSTIC_IMPORT_ARCHITECTURE, dump->path, line,
			"expected \"arch = sm_XY\" above; whether SHARED has the driver's reserve in it depends on it; say it by "
			"--architecture");
		return NONE;
	}
	if (number < RESERVE_INCLUDED || shared == 0 || shared == NONE)
		return shared;
	if (shared >= RESERVE)
		return shared - RESERVE;
	diagnose(dump->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, dump->path, line,
		"SHARED: expected 0 or at least the driver's reserve of %d bytes on %s; got %lld", RESERVE, architecture,
		(long long)shared);
	return NONE;
}

static void add_function(struct cuobjdump *dump, char *text, long line)
{
	int64_t registers = figure(dump, text, "REG", line), shared = figure(dump, text, "SHARED", line);
	struct import_resource resource = {
		dump->function, dump->architecture, registers, without_reserve(dump, shared, line), dump->path, line};
	if (resource.architecture == NULL)
		resource.architecture = dump->build->options->architecture;
	if (resource.registers != NONE && resource.shared_static != NONE)
		import_resource(dump->build, &resource);
	dump->function = NULL;
	dump->found++;
}

/* Names stay where they were read, as the file's bytes do: there may be more of them than one wants to copy. */
static void read_line(struct cuobjdump *dump, char *text, long line)
{
	static const char arch[] = "arch = ", function[] = "Function ";
	size_t length = strlen(text);
	if (strncmp(text, arch, sizeof arch - 1) == 0) {
		dump->architecture = text + sizeof arch - 1;
	} else if (strncmp(text, function, sizeof function - 1) == 0 && text[length - 1] == ':') {
		if (dump->function != NULL)
			complain(dump, line, "expected the figures of the function before");
		text[length - 1] = '\0';
		dump->function = text + sizeof function - 1;
	} else if (strncmp(text, "REG:", 4) == 0) {
		if (dump->function != NULL)
			add_function(dump, text, line);
		else
			complain(dump, line, "expected the function's name before its figures");
	}
}

void import_read_cuobjdump(struct import_build *build, const char *path)
{
	struct cuobjdump dump = {.build = build, .path = path};
	size_t length;
	struct lines lines = {import_read_bytes(build, path, false, &length), 0};
	if (lines.next == NULL)
		return;
	for (char *line; (line = lines_next(&lines)) != NULL && build->diagnostics->errors < DIAGNOSTICS_LIMIT; import_row_end(build))
		read_line(&dump, value_trim(line), lines.number);
	if (dump.function != NULL)
		complain(&dump, lines.number, "expected the figures of the last function; the file is cut off");
	else if (dump.found == 0)
		complain(&dump, 0, "expected the output of cuobjdump --dump-resource-usage: \"Function NAME:\"");
}
