/* The bytes of a file, up to a limit. */
#include "base/file.h"
#include "input/input.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define FIRST_BYTES 65536

/* Reads until the end or until `limit` bytes; the number of bytes, or -1 with errno. *buffer is the caller's to free. */
static ssize_t read_all(int descriptor, char **buffer, size_t limit)
{
	size_t length = 0, size = 0;
	*buffer = NULL;
	while (length < limit) {
		if (length == size) {
			size = size == 0 ? FIRST_BYTES : 2 * size;
			size = size < limit ? size : limit;
			*buffer = memory_resize(*buffer, size);
		}
		ssize_t got = read(descriptor, *buffer + length, size - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		length += (size_t)got;
	}
	return (ssize_t)length;
}

char *input_read_file(struct arena *arena, struct diagnostics *diagnostics, const char *path, size_t *length)
{
	return input_read_file_up_to(arena, diagnostics, path, INPUT_LIMIT, length);
}

const char *input_file_of(const struct input_folders *folders, const char *name)
{
	for (const struct input_stand_in *other = folders->stand_ins; other != NULL && other->name != NULL; other++)
		if (strcmp(other->name, name) == 0)
			return other->file;
	return name;
}

/* The bytes of `file`, which goes by the name of `path`. */
static char *read_as(struct arena *arena, struct diagnostics *diagnostics, const char *path, const char *file, size_t limit, size_t *length)
{
	int descriptor = file_open(diagnostics, file);
	if (descriptor < 0)
		return NULL;
	char *buffer, *bytes = NULL;
	ssize_t got = read_all(descriptor, &buffer, limit + 1);
	if (got < 0)
		diagnose(diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "expected a file that can be read; %s", strerror(errno));
	else if ((size_t)got > limit)
		diagnose(diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, path, 0, "expected a file of at most %zu bytes", limit);
	else
		bytes = memcpy(arena_reserve(arena, (size_t)got + 1, 1), buffer, (size_t)got);
	if (bytes != NULL)
		bytes[got] = '\0';
	memory_free(buffer);
	file_close(descriptor);
	*length = bytes != NULL ? (size_t)got : 0;
	if (bytes != NULL)
		diagnostics_keep(diagnostics, path, bytes, *length);
	return bytes;
}

char *input_read_file_up_to(struct arena *arena, struct diagnostics *diagnostics, const char *path, size_t limit, size_t *length)
{
	return read_as(arena, diagnostics, path, path, limit, length);
}

char *input_read_named(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *name,
	size_t limit, size_t *length)
{
	return read_as(arena, diagnostics, name, input_file_of(folders, name), limit, length);
}
