/* The ustar format: a header of 512 bytes, the content filled up to a multiple of 512, two blocks of zeros at the end. */
#include "base/tar.h"

#include "base/assert.h"

#include <string.h>

#define BLOCK 512

static const char zeros[BLOCK];

/* The header's fields, by their offsets. */
enum { NAME = 0, MODE = 100, UID = 108, GID = 116, SIZE = 124, MTIME = 136, CHECKSUM = 148, TYPE = 156, MAGIC = 257, VERSION = 263 };

static void set_octal(char *field, int digits, size_t value)
{
	for (field += digits; digits-- > 0; value /= 8)
		*--field = (char)('0' + value % 8);
}

static unsigned checksum(const char header[BLOCK])
{
	unsigned sum = 0;
	for (int i = 0; i < BLOCK; i++)
		sum += (unsigned char)header[i];
	return sum;
}

static void fill_header(char header[BLOCK], const char *name, size_t length)
{
	memcpy(header + NAME, name, strlen(name));
	set_octal(header + MODE, 7, 0644);
	set_octal(header + UID, 7, 0);
	set_octal(header + GID, 7, 0);
	set_octal(header + SIZE, 11, length);
	set_octal(header + MTIME, 11, 0);
	header[TYPE] = '0';
	memcpy(header + MAGIC, "ustar", 6);
	memcpy(header + VERSION, "00", 2);
	memset(header + CHECKSUM, ' ', 8); /* counts as blanks while it is computed */
	unsigned sum = checksum(header);
	set_octal(header + CHECKSUM, 6, sum);
	header[CHECKSUM + 6] = 0;
}

void tar_add(struct output *output, const char *name, const char *bytes, size_t length)
{
	char header[BLOCK] = {0};
	assert(*name != '\0' && strlen(name) <= TAR_NAME);
	fill_header(header, name, length);
	output_add_bytes(output, header, BLOCK);
	output_add_bytes(output, bytes, length);
	if (length % BLOCK != 0)
		output_add_bytes(output, zeros, BLOCK - length % BLOCK);
}

void tar_end(struct output *output)
{
	output_add_bytes(output, zeros, BLOCK);
	output_add_bytes(output, zeros, BLOCK);
}
