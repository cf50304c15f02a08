/* The identity of the program that ran: all of the report that two builds of one version may differ in.
 *
 * Requires: nothing.
 * Provides: versions of the tool, the compiler and the libraries loaded, the hashes of the executable and of the sources
 *           that it was built from.
 * Source:   doc/formats.md, Report.
 * Fails:    an executable that cannot be read has no hash.
 */
#ifndef REPORT_BUILD_ENVIRONMENT_H
#define REPORT_BUILD_ENVIRONMENT_H

#include "base/memory.h"
#include <stdbool.h>

struct build_environment_fact {
	const char *name, *value; /* value NULL: unknown */
};

/* Ends with a row without name. */
const struct build_environment_fact *build_environment_facts(struct arena *arena);

/* Of the sources that the program was built from: source_hash.py writes it when the program is built. */
extern const char build_source_hash[];

/* Is SOURCE_DATE_EPOCH a date, or not there? */
bool build_environment_has_usable_date(void);

#endif
