/* Files to model.
 *
 * Requires: a path or "-"; the folders of schemas and models (installed, or those of the build folder's source).
 * Provides: a validated platform and task set in the caller's arena: schema first, then the rules that a schema cannot say, then
 *           the features that are not modelled, refused by code. Numbers declared by the task set stand in the platform, and what is to
 *           be assumed stands in its register. Nobody changes them afterwards.
 * Source:   the schemas in schema/; [MODEL], [APPLICABLE]; doc/formats.md.
 * Fails:    with diagnostics that carry file and line; the functions then return NULL. Never crashes, hangs or grows without bound:
 *           files above INPUT_LIMIT bytes, document type declarations and deep nesting are refused.
 */
#ifndef INPUT_INPUT_H
#define INPUT_INPUT_H

#include "base/diagnostics.h"
#include "model/frame.h"
#include "model/platform.h"
#include "model/program.h"
#include "model/taskset.h"

#define INPUT_LIMIT (8 * 1024 * 1024) /* libxml2 gives up at 10 MB unless told that inputs are huge */

/* A file that is read in the place of another one, by whose name it goes. */
struct input_stand_in {
	const char *name, *file;
};

struct input_folders {
	const char *models, *schemas;
	const struct input_stand_in *stand_ins; /* ended by a NULL name; NULL: none */
};

/* Both folders, NULL where none was found: $GPUBOUND_DATA, then beside the executable's source tree, then the installed ones. */
struct input_folders input_find_folders(struct arena *arena);

/* Names of the shipped models, sorted, ended by NULL; NULL: there is no such folder. count: how many, may be NULL. */
const char *const *input_list_models(struct arena *arena, const struct input_folders *folders, int *count);

/* The file that is opened for a name: what stands in for it, or itself. */
const char *input_file_of(const struct input_folders *folders, const char *name);

/* A file's bytes, NUL-terminated, in the arena; NULL with a diagnostic. The first for files of up to INPUT_LIMIT bytes. */
char *input_read_file(struct arena *arena, struct diagnostics *diagnostics, const char *path, size_t *length);
char *input_read_file_up_to(struct arena *arena, struct diagnostics *diagnostics, const char *path, size_t limit, size_t *length);
/* The first, of what may have a stand-in; diagnostics are about the name. */
char *input_read_named(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *name,
	size_t limit, size_t *length);

/* Where the platform of that name is: a shipped model's name, or a path. NULL: there is no folder of models. */
const char *input_model_path(struct arena *arena, const struct input_folders *folders, const char *name);

/* name: a shipped model's name, or a path that contains '/' or ends in ".xml". */
const struct platform *input_read_platform(
	struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *name);

/* The platform that a file names, as one names it from where the file's path begins: a path in a file begins where the file is. */
const char *input_beside(struct arena *arena, const char *path, const char *name);

/* Files that somebody who reads task sets again and again has read before, which are taken not to have changed: the platforms' models,
 * and with `sets`, for one task set with other and other changes, its text. Of one thread. */
struct input_kept;
struct input_kept *input_kept_create(bool sets);
void input_kept_destroy(struct input_kept *kept); /* after all that was read with it; NULL is fine */

/* Where a file of that path is if the task set that was `set` is `now`, and what lay beside it still does; NULL: it did not lie there. */
const char *input_moved(struct arena *arena, const char *path, const char *set, const char *now);

/* What is said beside the task set's file. */
struct input_wishes {
	const char *platform;      /* another one than the task set names; NULL: its own */
	const char *const *assume; /* ids of assumptions to rely on although nobody vouches for them, each in the register; may be NULL */
	int assume_count;
	const char *const *changes; /* "--set=TARGET=VALUE" and "--scale=TARGET=FACTOR", done one after the other; may be NULL */
	int change_count;
	const char *text;        /* what the task set's file would say, where it is not to be read; NULL: it is */
	struct input_kept *kept; /* NULL: every file is read */
};

bool input_is_change(const char *word); /* is it one of `changes`, by its beginning? */

/* Reads the task set and its platform, applies the declarations and the wishes (NULL: none). *platform is filled on success. */
const struct taskset *input_read_taskset(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct input_wishes *wishes, const struct platform **platform);

/* The same, and also where nothing but missing facts about the platform speaks against it: each has its error all the same. */
const struct taskset *input_read_lacking(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct platform **platform);

/* The same of a text that stands in no file yet; path: where it would. */
const struct taskset *input_parse_lacking(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *text, const struct platform **platform);

/* Does the file look like a task set, so that it is to be read as one? */
bool input_is_taskset(struct arena *arena, const char *path);

/* Reads a kernel's program and its platform. Where it is disassembled code, the code and the binary must have the hashes that the file
 * states. */
const struct program *input_read_program(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *override, const struct platform **platform);

/* Reads a frame and its platform (another one where override is not NULL), applies the declarations. *platform is filled on success. */
const struct frame *input_read_frame(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const char *override, const struct platform **platform);

#endif
