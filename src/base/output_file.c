/* Files that are written whole or not at all: under a temporary name in the same folder, then renamed. */
#include "base/memory.h"
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LINKS_MOST 40 /* as the kernel follows */
#define NAMES_MOST 100
#define PERMISSIONS 0777

/* ---- temporaries that are being written, by any thread, so that whoever ends the process can remove them */

#define TEMPORARIES_MOST 64

static _Atomic(const char *) temporaries[TEMPORARIES_MOST];

/* Only what a signal's handler may do. */
void output_remove_temporaries(void)
{
	for (int i = 0; i < TEMPORARIES_MOST; i++) {
		const char *name = atomic_exchange(&temporaries[i], NULL);
		if (name != NULL)
			unlink(name);
	}
}

/* Where more threads write than there is room for, one that is killed leaves its file. */
static void enter(const char *name)
{
	for (int i = 0; i < TEMPORARIES_MOST; i++) {
		const char *none = NULL;
		if (atomic_compare_exchange_strong(&temporaries[i], &none, name))
			return;
	}
}

static void leave(const char *name)
{
	for (int i = 0; i < TEMPORARIES_MOST; i++) {
		const char *own = name;
		if (atomic_compare_exchange_strong(&temporaries[i], &own, NULL))
			return;
	}
}

/* ---- bytes */

static bool write_all(int descriptor, const char *bytes, size_t length)
{
	while (length > 0) {
		ssize_t written = write(descriptor, bytes, length);
		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return false;
		bytes += written;
		length -= (size_t)written;
	}
	return true;
}

static bool close_after(int descriptor, bool written)
{
	int error = errno;
	if (close(descriptor) == 0)
		errno = error;
	else
		written = false;
	return written;
}

/* A device or a pipe cannot be renamed onto. */
static bool write_through(const struct output *output, const char *path)
{
	int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return descriptor >= 0 && close_after(descriptor, write_all(descriptor, output->text, output->length));
}

/* ---- names */

/* What a link names, from where it is. */
static bool follow(char path[PATH_MAX], const char *link, size_t length)
{
	const char *slash = strrchr(path, '/');
	size_t folder = link[0] == '/' || slash == NULL ? 0 : (size_t)(slash - path) + 1;
	if (folder + length >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	memcpy(path + folder, link, length);
	path[folder + length] = '\0';
	return true;
}

/* The name that is no link: links stay, what they name is written. */
static bool resolve(const char *path, char resolved[PATH_MAX])
{
	char link[PATH_MAX];
	if (strlen(path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return false;
	}
	strcpy(resolved, path);
	for (int i = 0; i < LINKS_MOST; i++) {
		ssize_t length = readlink(resolved, link, sizeof link);
		if (length < 0)
			return true;
		if (!follow(resolved, link, (size_t)length))
			return false;
	}
	errno = ELOOP;
	return false;
}

/* Random enough that two programs seldom meet; where they do, O_EXCL tells. */
static unsigned long next_number(void)
{
	static atomic_ulong count;
	struct timespec now = {0};
	clock_gettime(CLOCK_REALTIME, &now);
	uint64_t number = (uint64_t)now.tv_nsec ^ (uint64_t)getpid() << 24 ^ (uint64_t)now.tv_sec << 40;
	number = (number + atomic_fetch_add(&count, 1)) * UINT64_C(0x9E3779B97F4A7C15);
	return (unsigned long)(number >> 40);
}

/* A new file beside `path`, whose name is among the temporaries before it is there; -1 with errno, and it is not. */
static int create_beside(const char *path, mode_t mode, char *name, size_t size)
{
	for (int i = 0; i < NAMES_MOST; i++) {
		snprintf(name, size, "%s.%06lx", path, next_number() & 0xffffff);
		enter(name);
		int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
		if (descriptor >= 0)
			return descriptor;
		leave(name);
		if (errno != EEXIST)
			break;
	}
	return -1;
}

/* ---- files */

/* The permissions of the file that is replaced. Its group loses them where the new file can not have the same one. */
static bool take_over(int descriptor, const struct stat *old)
{
	struct stat own;
	mode_t mode = old->st_mode & PERMISSIONS;
	if (fstat(descriptor, &own) != 0)
		return false;
	if ((own.st_uid != old->st_uid || own.st_gid != old->st_gid) && fchown(descriptor, old->st_uid, old->st_gid) != 0 &&
		fchown(descriptor, (uid_t)-1, old->st_gid) != 0)
		mode &= ~(mode_t)S_IRWXG;
	return fchmod(descriptor, mode) == 0;
}

static bool fill(int descriptor, const struct output *output, const struct stat *old)
{
	bool written = write_all(descriptor, output->text, output->length) && (old == NULL || take_over(descriptor, old)) &&
		       fsync(descriptor) == 0;
	return close_after(descriptor, written);
}

/* old: the file that stands there now; NULL: none, and the new file has the permissions that the umask leaves. */
static bool replace(const struct output *output, const char *path, const struct stat *old)
{
	size_t size = strlen(path) + sizeof ".ffffff";
	char *name = memory_allocate(size);
	int descriptor = create_beside(path, old != NULL ? S_IRUSR | S_IWUSR : 0666, name, size);
	bool written = descriptor >= 0 && fill(descriptor, output, old) && rename(name, path) == 0;
	int error = errno;
	if (descriptor >= 0 && !written)
		unlink(name);
	if (descriptor >= 0)
		leave(name);
	memory_free(name);
	errno = error;
	return written;
}

static bool is_standard_output(const struct stat *status)
{
	struct stat output;
	return fstat(STDOUT_FILENO, &output) == 0 && output.st_dev == status->st_dev && output.st_ino == status->st_ino;
}

bool output_write(const struct output *output, const char *path)
{
	char resolved[PATH_MAX];
	struct stat status;
	if (strcmp(path, "-") == 0)
		return write_all(STDOUT_FILENO, output->text, output->length);
	bool there = stat(path, &status) == 0;
	if (there && is_standard_output(&status))
		return write_all(STDOUT_FILENO, output->text, output->length);
	if (there && !S_ISREG(status.st_mode))
		return write_through(output, path);
	if (there && access(path, W_OK) != 0) /* to rename onto a file asks for no permission to write it */
		return false;
	memory_on_exhaustion(output_remove_temporaries);
	return resolve(path, resolved) && replace(output, resolved, there ? &status : NULL);
}
