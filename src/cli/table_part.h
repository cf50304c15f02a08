/* A table in parts, for several machines, and for a machine that is stopped.
 *
 * Requires: options --shard, --resume and -o; rows that begin with space,point,points (gpubound-merge(1)), made in the order of points.
 * Provides: which points a part has: every N-th from the K-th on. With --resume the rows that the file has already, which are not made
 *           again, and a file to which each batch of rows is added when it is done; without it one that is written whole at the end.
 * Fails:    part_read: a usage error. part_begin: a diagnostic where the file is no part of this table. part_add, part_end: false where
 *           nothing more can be written; said why.
 */
#ifndef CLI_TABLE_PART_H
#define CLI_TABLE_PART_H

#include "cli/arguments.h"

#define PART_OPTIONS                                                                                                                       \
	{"shard", 0, "K/N", "the K-th of N parts, 1 to N, for gpubound merge", true},                                                      \
	{                                                                                                                                  \
		"resume", 0, NULL, "go on with the rows that the file of -o has, and add to it as rows are done", true                     \
	}

struct table_part {
	const struct arguments *arguments;
	const char *path;
	bool resumes;
	FILE *file;          /* what grows; NULL: it is written at the end */
	int64_t first, step; /* points of the part */
	int64_t rows, done;  /* how many, and how many were in the file */
	struct output output;
};

bool part_read(struct table_part *part, const struct arguments *arguments, int64_t points);
int64_t part_point(const struct table_part *part, int64_t row);

bool part_begin(struct table_part *part, struct diagnostics *diagnostics, const char *head, const char *space);
void part_add(struct table_part *part, const char *row); /* with its line's end */
bool part_keep(struct table_part *part);                 /* what was added, in the file, where it grows */
bool part_end(struct table_part *part);
void part_drop(struct table_part *part); /* in place of part_end: one that did not begin, or whose rows are not to be used */

#endif
