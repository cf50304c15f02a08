/* What ptxas -v prints: registers and static shared memory of each kernel, without the driver's reserve.
 *
 * Source: output of CUDA 13.0, and of older versions as users have posted it. A kernel's lines are "Compiling entry function 'SYMBOL' for
 * 'sm_XY'" and "Used R registers[, ...][, S bytes smem][, ...]"; no smem means none. Build tools prefix lines ("1>  "). Device functions
 * have properties but no "Used". */
#include "import/values.h"

#include <stdlib.h>
#include <string.h>

struct ptxas {
	struct import_build *build;
	const char *path;
	const char *symbol, *architecture; /* of the kernel whose figures come next; NULL: none */
	int found;
};

static void complain(const struct ptxas *ptxas, long line, const char *text)
{
	diagnose(ptxas->build->diagnostics, DIAGNOSTIC_IMPORT_FORMAT, ptxas->path, line, "%s", text);
}

/* What stands between the next two quotes; *at moves behind them. NULL: no such thing. */
static const char *quoted(char **at)
{
	char *open = strchr(*at, '\''), *close = open != NULL ? strchr(open + 1, '\'') : NULL;
	if (close == NULL || close == open + 1)
		return NULL;
	*at = close + 1;
	*close = '\0';
	return open + 1;
}

static void begin_kernel(struct ptxas *ptxas, char *text, long line)
{
	if (ptxas->symbol != NULL)
		complain(ptxas, line,
			"expected the figures of the kernel before; do two compilations write into one log? Then compile one after the "
			"other");
	ptxas->symbol = quoted(&text);
	ptxas->architecture = ptxas->symbol != NULL ? quoted(&text) : NULL;
	if (ptxas->architecture == NULL || strncmp(ptxas->architecture, "sm_", 3) != 0)
		complain(ptxas, line, "expected Compiling entry function 'NAME' for 'sm_XY'");
}

/* "512+16 bytes smem" of old versions: static memory and parameters. */
static int64_t smem(const struct ptxas *ptxas, const char *field, long line)
{
	char *text = arena_copy(ptxas->build->row, field), *plus;
	text[strcspn(text, " ")] = '\0';
	plus = strchr(text, '+');
	if (plus != NULL)
		*plus++ = '\0';
	int64_t value = value_read(ptxas->build, text, "", UNIT_COUNT, VALUE_EXACT, "smem", ptxas->path, line);
	return plus == NULL ? value
			    : checked_add(value, value_read(ptxas->build, plus, "", UNIT_COUNT, VALUE_EXACT, "smem", ptxas->path, line));
}

static void end_kernel(struct ptxas *ptxas, char *text, long line)
{
	struct import_resource resource = {ptxas->symbol, ptxas->architecture, NONE, 0, ptxas->path, line};
	for (char *field = strtok(text, ","); field != NULL; field = strtok(NULL, ",")) {
		field = value_trim(field);
		size_t digits = strspn(field, "0123456789");
		if (strcmp(field + digits, " registers") == 0)
			resource.registers = value_read(ptxas->build, arena_format(ptxas->build->row, "%.*s", (int)digits, field), "",
				UNIT_COUNT, VALUE_EXACT, "registers", ptxas->path, line);
		else if (strstr(field, " bytes smem") != NULL)
			resource.shared_static = smem(ptxas, field, line);
	}
	if (ptxas->symbol == NULL)
		complain(ptxas, line, "expected the kernel's name before its figures");
	else if (resource.registers == NONE)
		complain(ptxas, line, "expected Used N registers");
	else
		import_resource(ptxas->build, &resource);
	ptxas->symbol = NULL;
	ptxas->found++;
}

void import_read_ptxas(struct import_build *build, const char *path)
{
	static const char compiling[] = "Compiling entry function ", used[] = "Used ";
	struct ptxas ptxas = {.build = build, .path = path};
	size_t length;
	struct lines lines = {import_read_bytes(build, path, false, &length), 0};
	if (lines.next == NULL)
		return;
	for (char *line; (line = lines_next(&lines)) != NULL; import_row_end(build)) {
		char *info = strstr(line, "ptxas info"), *colon = info != NULL ? strchr(info, ':') : NULL;
		char *text = colon != NULL ? value_trim(colon + 1) : NULL;
		if (text != NULL && strncmp(text, compiling, sizeof compiling - 1) == 0)
			begin_kernel(&ptxas, text, lines.number);
		else if (text != NULL && strncmp(text, used, sizeof used - 1) == 0)
			end_kernel(&ptxas, text + sizeof used - 1, lines.number);
	}
	if (ptxas.symbol != NULL)
		complain(&ptxas, lines.number, "expected the figures of the last kernel; the log is cut off");
	else if (ptxas.found == 0)
		complain(&ptxas, 0, "expected the output of ptxas -v: \"ptxas info : Compiling entry function ...\"");
}
