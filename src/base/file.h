/* Files that are read: regular ones, so that nobody waits for what never comes.
 *
 * Requires: nothing.
 * Provides: a descriptor of a regular file, or of standard input for "-", which may be anything; which files were opened, by device
 *           and inode, so that none of them is written over under any of its names.
 * Fails:    a named pipe, a device, a socket and a folder are refused without waiting for them.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include "base/diagnostics.h"

/* -1: the file cannot be read. "-" is a file of that name. */
int file_open_quietly(const char *path);

/* "-" is standard input. -1 after a diagnostic (file-unreadable). The list remembers the file. */
int file_open(struct diagnostics *diagnostics, const char *path);

void file_close(int descriptor); /* but for standard input's; -1 is fine */

bool file_is_same(const char *a, const char *b); /* there is a regular file, and both name it */

/* The name by which the file at `path` was opened, if it was; else NULL. */
const char *file_opened(const struct diagnostics *diagnostics, const char *path);

#endif
