/* A large JSON object, piece by piece: the elements of its lists, and its other members.
 *
 * Requires: a build, a file, which may be compressed by gzip.
 * Provides: each piece as a tree and as text, with its place; one piece at a time is in memory.
 * Source:   RFC 8259.
 * Fails:    with diagnostics that carry line and byte; for a piece of more than JSON_PIECE_MOST bytes or nested beyond IMPORT_DEPTH.
 */
#ifndef IMPORT_JSON_STREAM_H
#define IMPORT_JSON_STREAM_H

#include "base/json.h"
#include "import/build.h"

#define JSON_PIECE_MOST (1024 * 1024)

struct json_piece {
	const char *member;      /* of the object */
	int64_t index;           /* in the list that the member is; NONE: it is none */
	const char *text;        /* as the file has it, ended by NUL; valid during the call */
	const struct tree *tree; /* in build->row; NULL: neither list nor object */
	int64_t byte;            /* at which it begins, from 0 */
	long line;
};

/* Calls `piece` for each until it returns false. What was refused is in the build's diagnostics. */
void json_stream_read(
	struct import_build *build, const char *path, bool (*piece)(void *context, const struct json_piece *piece), void *context);

/* The digits of a number that is a member of the piece, as the file has them, in build->row; NULL: there is none of that name. A double
 * does not hold the microseconds with three decimals that traces have. */
const char *json_piece_number(struct import_build *build, const struct json_piece *piece, const char *name);

#endif
