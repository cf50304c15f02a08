/* A folder made beside its place and moved there. */
#define _XOPEN_SOURCE 700 /* mkdtemp */

#include "cli/new_folder.h"

#include "kit/kit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool new_folder_fail(const char *path, const char *reason)
{
	fprintf(stderr, "gpubound: %s: cannot be written: %s\n", path, reason);
	return false;
}

bool new_folder_begin(struct new_folder *folder, struct arena *arena, const char *path)
{
	size_t length = strlen(path);
	while (length > 1 && path[length - 1] == '/')
		length--;
	*folder = (struct new_folder){.arena = arena, .path = arena_copy_part(arena, path, length)};
	char *place = arena_format(arena, "%s.XXXXXX", folder->path);
	struct stat status;
	mode_t mask = umask(0);
	umask(mask);
	if (lstat(folder->path, &status) == 0)
		return new_folder_fail(folder->path, "it is there already");
	if (mkdtemp(place) == NULL)
		return new_folder_fail(folder->path, strerror(errno));
	folder->place = place;
	return chmod(place, 0777 & ~mask) == 0 || new_folder_fail(folder->path, strerror(errno));
}

bool new_folder_keep(struct new_folder *folder)
{
	return rename(folder->place, folder->path) == 0 || new_folder_fail(folder->path, strerror(errno));
}

void new_folder_end(struct new_folder *folder)
{
	if (folder->place != NULL)
		kit_folder_remove(folder->arena, folder->place); /* nothing is there any more where it was kept */
}
