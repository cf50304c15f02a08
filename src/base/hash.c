#include "base/hash.h"

#include "base/file.h"
#include "base/late.h"

#include <nettle/base16.h>
#include <nettle/sha2.h>
#include <nettle/version.h>
#include <stdint.h>
#include <unistd.h>
#include <zlib.h>

#define nettle_base16_encode_update LATE(NETTLE, nettle_base16_encode_update)
#define nettle_sha256_digest LATE(NETTLE, nettle_sha256_digest)
#define nettle_sha256_init LATE(NETTLE, nettle_sha256_init)
#define nettle_sha256_update LATE(NETTLE, nettle_sha256_update)
#define nettle_version_major LATE(NETTLE, nettle_version_major)
#define nettle_version_minor LATE(NETTLE, nettle_version_minor)

#define PIECE 65536 /* bytes of a file that are read at once */

static void finish(struct sha256_ctx *context, char text[HASH_TEXT])
{
	uint8_t digest[SHA256_DIGEST_SIZE];
	sha256_digest(context, sizeof digest, digest);
	base16_encode_update(text, sizeof digest, digest);
	text[HASH_TEXT - 1] = '\0';
}

void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT])
{
	struct sha256_ctx context;
	sha256_init(&context);
	sha256_update(&context, length, bytes);
	finish(&context, text);
}

bool hash_file(const char *path, char text[HASH_TEXT])
{
	struct sha256_ctx context;
	uint8_t piece[PIECE];
	ssize_t length = -1;
	int file = file_open_quietly(path);
	sha256_init(&context);
	while (file >= 0 && (length = read(file, piece, sizeof piece)) > 0)
		sha256_update(&context, (size_t)length, piece);
	file_close(file);
	finish(&context, text);
	return length == 0;
}

const char *hash_version(struct arena *arena)
{
	return arena_format(arena, "%d.%d", nettle_version_major(), nettle_version_minor());
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
