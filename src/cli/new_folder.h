/* A folder that is there whole or not at all: made beside its place and moved there.
 *
 * Requires: a path, at which nothing is yet.
 * Provides: a place to write its files to; then the folder with all of them, or nothing.
 * Fails:    says on standard error why it cannot be written.
 */
#ifndef CLI_NEW_FOLDER_H
#define CLI_NEW_FOLDER_H

#include "base/memory.h"

#include <stdbool.h>

struct new_folder {
	struct arena *arena;
	const char *path, *place;
};

/* path: slashes at its end are taken off. False: nothing was made. */
bool new_folder_begin(struct new_folder *folder, struct arena *arena, const char *path);
bool new_folder_keep(struct new_folder *folder); /* moves it to its path */
void new_folder_end(struct new_folder *folder);  /* removes what was not kept */

bool new_folder_fail(const char *path, const char *reason); /* false, after it was said */

#endif
