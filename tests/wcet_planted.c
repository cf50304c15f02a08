/* The loops' bounds of a program with a fault planted in the analysis: wcet_planted PLANT FILE; a line a loop, its header and its bound,
 * and where that is known the header of the loop around it and how often it comes back in all turns of that one. With a third word the
 * sectors and passes of accesses to memory, a line each. What the file is refused for goes to standard error, with status 3. For
 * loop_turns.py and accesses.py. */
#include "base/plant.h"
#include "input/input.h"
#include "wcet/wcet.h"

#include <inttypes.h>
#include <stdio.h>

int main(int count, char **words)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform = NULL;
	struct lp_limits limits = {0, 100000};
	struct wcet wcet;
	diagnostics_init(&diagnostics, arena);
	if ((count != 3 && count != 4) || plant_find(words[1]) < 0)
		return 2;
	plant_set(plant_find(words[1]));
	const struct program *program = input_read_program(arena, &diagnostics, &folders, words[2], NULL, &platform);
	bool found = program != NULL && wcet_find(&wcet, program, platform, arena, &limits, &diagnostics);
	for (int i = 0; i < diagnostics.count; i++)
		fprintf(stderr, "%s [%s]\n", diagnostics.items[i].text, diagnostic_kinds[diagnostics.items[i].code].slug);
	if (found && count == 4) {
		for (int i = 0; i < wcet.accesses.count; i++)
			printf("%" PRId64 "\n", wcet.accesses.items[i].units);
		wcet.loops.count = 0;
	}
	for (int i = 0; found && i < wcet.loops.count; i++) {
		const struct loop *loop = &wcet.loops.items[i];
		printf("%s %" PRId64, program->blocks[loop->header].id, loop->bound);
		if (loop->in_all > 0)
			printf(" %s %" PRId64, program->blocks[wcet.loops.items[loop->parent].header].id, loop->in_all);
		printf("\n");
	}
	arena_destroy(arena);
	return found ? 0 : 3;
}
