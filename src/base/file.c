/* Opens without waiting, then looks what it is. */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *kind_of(mode_t mode)
{
	if (S_ISDIR(mode))
		return "expected a file that can be read; this is a folder";
	if (S_ISFIFO(mode))
		return "expected a regular file; this is a pipe: save what it gives in a file, or give - for standard input";
	return "expected a regular file; this is a device or a socket";
}

/* *reason is NULL where errno has it. To open a device may do something, so it is looked at before; and after, since it may be another
 * one then. Of a regular file the flag that keeps open from waiting has no meaning. */
static int open_regular(const char *path, struct stat *status, const char **reason)
{
	*reason = NULL;
	if (stat(path, status) != 0)
		return -1;
	*reason = kind_of(status->st_mode);
	if (!S_ISREG(status->st_mode))
		return -1;
	*reason = NULL;
	int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (descriptor < 0 || (fstat(descriptor, status) == 0 && S_ISREG(status->st_mode)))
		return descriptor;
	*reason = kind_of(status->st_mode);
	close(descriptor);
	return -1;
}

int file_open_quietly(const char *path)
{
	struct stat status = {0};
	const char *reason;
	return open_regular(path, &status, &reason);
}

int file_open(struct diagnostics *diagnostics, const char *path)
{
	struct stat status = {0};
	const char *reason;
	if (strcmp(path, "-") == 0)
		return STDIN_FILENO;
	int descriptor = open_regular(path, &status, &reason);
	if (descriptor >= 0)
		diagnostics_opened(diagnostics, path, (uintmax_t)status.st_dev, (uintmax_t)status.st_ino);
	else if (reason != NULL)
		diagnose(diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "%s", reason);
	else
		diagnose(diagnostics, DIAGNOSTIC_FILE_UNREADABLE, path, 0, "expected a file that can be read; %s", strerror(errno));
	return descriptor;
}

void file_close(int descriptor)
{
	if (descriptor >= 0 && descriptor != STDIN_FILENO)
		close(descriptor);
}

bool file_is_same(const char *a, const char *b)
{
	struct stat of_a, of_b;
	return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && S_ISREG(of_a.st_mode) && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

const char *file_opened(const struct diagnostics *diagnostics, const char *path)
{
	struct stat status;
	if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
		return NULL;
	for (const struct diagnostic_input *input = diagnostics->inputs; input != NULL; input = input->next)
		if (input->device == (uintmax_t)status.st_dev && input->number == (uintmax_t)status.st_ino)
			return input->file;
	return NULL;
}
