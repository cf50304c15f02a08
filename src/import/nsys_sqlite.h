/* The SQLite export of Nsight Systems.
 *
 * Requires: the path of a database file.
 * Provides: kernels, copies and memsets of each stream in the order of their start.
 * Source:   the exporter's schema, versions 3.x.
 * Fails:    with diagnostics.
 */
#ifndef IMPORT_NSYS_SQLITE_H
#define IMPORT_NSYS_SQLITE_H

#include "import/build.h"

void import_read_nsys_sqlite(struct import_build *build, const char *path);

#endif
