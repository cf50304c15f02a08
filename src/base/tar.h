/* A tar file (POSIX.1-2017 pax, the ustar format) built in memory: the same files give the same bytes.
 *
 * Requires: names of at most 100 bytes, relative, without "..".
 * Provides: regular files in the order in which they were added, mode 0644, owner 0, time 0; the end mark. Our own few lines in place of
 *           libarchive: nothing is read, compressed or guessed, and no time or owner can slip in.
 * Fails:    never.
 */
#ifndef BASE_TAR_H
#define BASE_TAR_H

#include "base/output.h"

#define TAR_NAME 100

void tar_add(struct output *output, const char *name, const char *bytes, size_t length);
void tar_end(struct output *output);

#endif
