/* SHA-256 of bytes, by nettle, which is loaded when the first are hashed, and CRC-32 of lines, by zlib. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include "base/memory.h"
#include "base/output.h"

#define HASH_TEXT 65 /* 64 hexadecimal digits and the NUL */

void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT]);
bool hash_file(const char *path, char text[HASH_TEXT]); /* false: it cannot be read, or is no regular file, which may have no end */
const char *hash_version(struct arena *arena);          /* of the library that hashes, as loaded */

/* A check value of each line, so that a place can be named where SHA-256 only says that something is not as it was: eight hexadecimal
 * digits each. Any one byte that changes in a line changes its value. Of long texts the lines are taken together, hash_lines_each of them,
 * so that there are at most HASH_LINES values. */
#define HASH_LINES 8000
#define HASH_LINE_DIGITS 8

size_t hash_lines_each(const char *text, size_t length);
void hash_lines(struct output *output, const char *text, size_t length);

#endif
