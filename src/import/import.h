/* What other tools have measured or configured, as a task set.
 *
 * Requires: files of one or several of the formats of formats.def; what only the user knows as options and as a mapping file.
 * Provides: the text of a task set in which every number names the file and the row that it comes from. What was measured is marked as
 *           measured: the maximum of its samples, enlarged by the stated margin. What is missing for an analysis is said, and stands as
 *           a comment where it belongs; it is never guessed, so that the analysis refuses the task set until it is given.
 * Source:   the formats' own documentation and output, named in each reader.
 * Fails:    with diagnostics that carry file and row; no text is written then. Limits: IMPORT_BYTES in all files (but SQLite's),
 * IMPORT_ROWS and IMPORT_RESOURCES in all, IMPORT_DEPTH of nesting.
 */
#ifndef IMPORT_IMPORT_H
#define IMPORT_IMPORT_H

#include "base/diagnostics.h"
#include "base/output.h"
#include "base/rational.h"

#define IMPORT_BYTES (128 * 1024 * 1024)
#define IMPORT_ROWS 2000000
#define IMPORT_RESOURCES 1000000
#define IMPORT_DEPTH 32

struct import_build;
struct platform;

/* A row of the table of formats. several: more than one file may be given. alone: no other format may stand beside it. */
struct import_format {
	const char *name, *meaning;
	bool several, alone;
	void (*read)(struct import_build *build, const char *path);
};

extern const struct import_format import_formats[]; /* ends with a row without name */
const struct import_format *import_find_format(const char *name);

struct import_source {
	const struct import_format *format;
	const char *path;
};

struct import_options {
	const struct import_source *sources;
	int source_count;
	const char *id, *platform;       /* of the task set; NULL: the default, and none */
	const struct platform *model;    /* what `platform` names; NULL: not at hand, and nothing is held against it */
	const char *by;                  /* who answers for what is declared; NULL: nobody yet */
	const char *const *declarations; /* NAME=VALUE */
	int declaration_count;
	const char *period, *deadline; /* of the tasks for which nothing else says it; NULL: none */
	const char *after;             /* of a recording, from its first call on: what came before is left out; NULL: nothing */
	const char *mapping;           /* a file; NULL: none */
	const char *taskset;           /* into which results are put (mast); NULL: none */
	const char *architecture;      /* sm_XY: which images of compiler output count; NULL: the only one */
	const char *device;            /* NULL: the only one */
	struct rational margin;        /* measured maxima are multiplied by 1 + margin */
	int64_t jobs;                  /* jobs of each stream in each trace; NONE: find the repetition */
	int64_t registers;             /* a thread, for kernels of which nothing says it; NONE: not given */
	void (*progress)(void *context, int64_t rows); /* called after some thousand rows of all files; NULL: nobody wants it */
	void *progress_context;
	bool trust_profiler; /* ncu ran with free clocks and warm caches: its durations count */
};

/* False: with diagnostics, nothing was added to `taskset`. platform: where not NULL, the platform model that the format implies is
 * added to it (poet). */
bool import_run(struct arena *arena, struct diagnostics *diagnostics, const struct import_options *options, struct output *taskset,
	struct output *platform);

#endif
