/* What the readers of programs share: the graph that grows, and the names in it.
 *
 * Requires: a root element that was validated against schema/program-1.xsd.
 * Provides: the program; each mistake is one diagnostic.
 */
#ifndef INPUT_READ_PROGRAM_H
#define INPUT_READ_PROGRAM_H

#include "input/reader.h"
#include "model/program.h"

#include <stdio.h>

struct program_reader {
	struct arena *arena;
	struct program *program;
	struct names blocks, edges; /* an edge's name: FROM>TO, numbers of blocks */
	int edge_capacity;
	int capability; /* of the platform: 90 for 9.0 */
};

void read_program(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct program *program);
/* Bounds of loops, by the header or by the line of the source that the compiler made them of. */
void read_loops(struct reader *reader, const struct xml_element *root, struct program_reader *state);
/* What the file says and nobody checked, into the program. */
void read_claims(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct program *program);
/* Without the edges and blocks that flow facts say are never executed, and what only they lead to. A program without errors. */
void prune_program(struct arena *arena, struct program *program);
/* Is the place the line that is written as sum.cu:141? It is one of each file of that name, whatever folder it is in. */
bool place_is_at(struct program_place place, const char *at);
void program_add_edge(struct program_reader *state, int from, int to, long line);

#endif
