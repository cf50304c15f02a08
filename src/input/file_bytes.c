/* The bytes of a file, up to a limit. */
#include "base/file.h"
#include "input/input.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIRST_BYTES 65536 /* of what does not say how long it is */

/* One byte more than it has now, so that its end is seen. */
static size_t size_of(int descriptor)
{
	struct stat status;
	bool is_known = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0;
	return is_known ? (size_t)status.st_size + 1 : FIRST_BYTES;
}

/* Reads until the end or until `limit` bytes, and puts a NUL behind them; the number of bytes, or -1 with errno. */
static ssize_t read_all(struct arena *arena, int descriptor, char **bytes, size_t limit)
{
	size_t length = 0, size = size_of(descriptor);
	size = size < limit ? size : limit;
	*bytes = arena_reserve(arena, size + 1, 1);
	while (length < limit) {
		if (length == size) {
			size = 2 * size < limit ? 2 * size : limit;
			*bytes = memcpy(arena_reserve(arena, size + 1, 1), *bytes, length);
		}
		ssize_t got = read(descriptor, *bytes + length, size - length);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		length += (size_t)got;
	}
	(*bytes)[length] = '\0';
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
	char *bytes;
	ssize_t got = read_all(arena, descriptor, &bytes, limit + 1);
	if (got < 0)
		diagnose(diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "expected a file that can be read; %s", strerror(errno));
	else if ((size_t)got > limit)
		diagnose(diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, path, 0, "expected a file of at most %zu bytes", limit);
	file_close(descriptor);
	*length = got < 0 || (size_t)got > limit ? 0 : (size_t)got;
	if (got < 0 || (size_t)got > limit)
		return NULL;
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
