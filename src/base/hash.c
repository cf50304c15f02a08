#include "base/hash.h"

#include <sha2.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT])
{
	SHA2_CTX context;
	SHA256Init(&context);
	SHA256Update(&context, bytes, length);
	SHA256End(&context, text);
}

bool hash_file(const char *path, char text[HASH_TEXT])
{
	return SHA256File(path, text) != NULL;
}

size_t hash_lines_each(const char *text, size_t length)
{
	size_t lines = 1;
	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	return (lines + HASH_LINES - 1) / HASH_LINES;
}

/* Where the next `each` lines end: behind their last line feed. */
static size_t end_of_lines(const char *text, size_t length, size_t at, size_t each)
{
	for (; at < length && each > 0; at++)
		each -= text[at] == '\n';
	return at;
}

void hash_lines(struct output *output, const char *text, size_t length)
{
	size_t each = hash_lines_each(text, length);
	for (size_t begin = 0, end; begin < length; begin = end) {
		end = end_of_lines(text, length, begin, each);
		output_print(output, "%08lx", crc32(0, (const Bytef *)text + begin, (uInt)(end - begin)));
	}
}
