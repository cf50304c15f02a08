/* SHA-256 of bytes, by libmd. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>

#define HASH_TEXT 65 /* 64 hexadecimal digits and the NUL */

void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT]);
bool hash_file(const char *path, char text[HASH_TEXT]); /* false: it cannot be read */

#endif
