/* Prints how well the H200 of tests/silicon/h200.c predicts the given traces. Usage: validate_h200 [default|100] TRACE... */
#include "silicon/h200.h"
#include "simulate/validate.h"

#include <stdlib.h>
#include <string.h>

int main(int count, char **words)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct validation validation;
	struct output output = {0};
	struct validate_options options = {.registers = {{18, 64, 101}, 3}, .carveout = CARVEOUT_INFER};
	struct allocation_options allocation = {ALLOCATION_PARTITIONS, ALLOCATION_FUNGIBLE};
	const char *fit = getenv("SHARED_BY");
	for (int i = 0; fit != NULL && allocation_names[i] != NULL; i++)
		if (strcmp(fit, allocation_names[i]) == 0)
			allocation.shared_by = i;
	options.allocation = &allocation;
	if (getenv("CARVEOUT") != NULL)
		options.carveout = atoi(getenv("CARVEOUT")) == 0 ? NONE : atoi(getenv("CARVEOUT"));
	if (getenv("REG0") != NULL)
		options.registers.of[0] = atoi(getenv("REG0"));
	diagnostics_init(&diagnostics, arena);
	bool fine = validate_init(&validation, arena, &diagnostics, h200_platform(arena), &options);
	for (int i = 1; fine && i < count; i++)
		fine = validate_file(&validation, words[i]);
	diagnostics_print(&diagnostics, 0, LEVEL_NOTE, false, stderr);
	validate_print_text(&output, &validation);
	fputs(output.text, stdout);
	output_finish(&output);
	arena_destroy(arena);
	return fine ? 0 : 3;
}
