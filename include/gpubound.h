/* gpubound: bounds, offline, how long CUDA work can take in the worst case.
 *
 * A case is one task set, read and analysed once, and then asked. Times are in nanoseconds, exact; GPUBOUND_NONE where there is
 * none. Text is UTF-8 and belongs to the case: it lives until gpubound_destroy. Indices start at 0; one that is out of range gives
 * NULL, GPUBOUND_NONE or GPUBOUND_NO_BOUND. A case is used by one thread at a time; several cases are independent of each other, in
 * as many threads as you like, as long as no two write the same file at once.
 *
 * What returns false sets errno: EINVAL where an argument is NULL or makes no sense or the input was refused, ENOTRECOVERABLE where
 * the library found a fault of its own, which leaves the case without results (and a little memory lost); else as it says. NULL for a case
 * is a case without anything in it.
 *
 * Out of memory prints one line on standard error and ends the process with exit status 5; temporary files are removed before, and
 * so does a library of the system that is wanted late and cannot be loaded (GLPK), with 127. Nothing else ends the process. The library
 * changes neither umask nor signals nor the locale, and reads no environment but GPUBOUND_DATA and SOURCE_DATE_EPOCH.
 *
 *         struct gpubound *bound = gpubound_create();
 *         if (gpubound_analyze(bound, "set.xml", NULL))
 *                 for (int i = 0; i < gpubound_task_count(bound); i++)
 *                         printf("%s %" PRId64 "\n", gpubound_task_id(bound, i), gpubound_task_response(bound, i));
 *         gpubound_destroy(bound);
 */
#ifndef GPUBOUND_H
#define GPUBOUND_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define GPUBOUND_API __attribute__((visibility("default")))
#else
#define GPUBOUND_API
#endif

#define GPUBOUND_NONE INT64_MAX /* no time: no bound, or no deadline given */

struct gpubound;
struct gpubound_models;

/* proven: the bound is at most the deadline, or there is a bound and no deadline. conditional: likewise, but only if assumptions hold that
 * nobody vouches for or that are known to be broken (gpubound_assume). From best to worst: proven, conditional, not proven, no bound. Only
 * PROVEN is a pass. */
enum gpubound_verdict { GPUBOUND_PROVEN, GPUBOUND_NOT_PROVEN, GPUBOUND_NO_BOUND, GPUBOUND_CONDITIONAL };
enum gpubound_format { GPUBOUND_TEXT, GPUBOUND_CSV, GPUBOUND_XML };
enum gpubound_level { GPUBOUND_NOTE, GPUBOUND_HAZARD, GPUBOUND_WARNING, GPUBOUND_ERROR };

GPUBOUND_API const char *gpubound_version(void); /* "0.1.0" */

GPUBOUND_API struct gpubound *gpubound_create(void);        /* the caller destroys it; never NULL */
GPUBOUND_API void gpubound_destroy(struct gpubound *bound); /* NULL is fine */

/* Platform models that cases have read, so that those after them need not read them again: up to four files, which are taken not to have
 * changed since. For many task sets one after the other; a thread has its own. The caller destroys it, after all cases with it; never
 * NULL. */
GPUBOUND_API struct gpubound_models *gpubound_models_create(void);
GPUBOUND_API void gpubound_models_destroy(struct gpubound_models *models);          /* NULL is fine */
GPUBOUND_API struct gpubound *gpubound_create_with(struct gpubound_models *models); /* as gpubound_create; NULL: a case reads its own */

/* Relies on an assumption that the platform model does not grant; before gpubound_analyze. False: there is none of this id, or the case
 * was analysed before. */
GPUBOUND_API bool gpubound_assume(struct gpubound *bound, const char *id);

/* Reads and analyses a task set, once a case. path: a file, or "-" for standard input. platform: a name or path in place of the
 * task set's platform model; NULL: the task set's own. False: the input was refused (the diagnostics say why), the case was used
 * before, path is NULL, or the library failed (diagnostic internal-error). Files are regular ones: a pipe is refused, not waited for. */
GPUBOUND_API bool gpubound_analyze(struct gpubound *bound, const char *path, const char *platform);

/* Results; without a successful analysis there are no tasks and streams, and the verdict is GPUBOUND_NO_BOUND. The verdict is the worst of
 * all tasks and chains, but for tasks that the task set calls best effort and that have no bound. */
GPUBOUND_API enum gpubound_verdict gpubound_verdict(const struct gpubound *bound);

GPUBOUND_API int gpubound_task_count(const struct gpubound *bound);
GPUBOUND_API const char *gpubound_task_id(const struct gpubound *bound, int task);
GPUBOUND_API int64_t gpubound_task_response(const struct gpubound *bound, int task); /* from the nominal release, jitter included */
GPUBOUND_API int64_t gpubound_task_deadline(const struct gpubound *bound, int task); /* from the nominal release */
GPUBOUND_API enum gpubound_verdict gpubound_task_verdict(const struct gpubound *bound, int task);
GPUBOUND_API const char *gpubound_task_bound(const struct gpubound *bound, int task); /* name of the bound that won; NULL: none */

GPUBOUND_API int gpubound_stream_count(const struct gpubound *bound);
GPUBOUND_API const char *gpubound_stream_id(const struct gpubound *bound, int stream);
GPUBOUND_API int64_t gpubound_stream_response(const struct gpubound *bound, int stream); /* the worst of all jobs' operations on it */
GPUBOUND_API int64_t gpubound_stream_deadline(const struct gpubound *bound, int stream);
GPUBOUND_API enum gpubound_verdict gpubound_stream_verdict(const struct gpubound *bound, int stream);
GPUBOUND_API const char *gpubound_stream_bound(const struct gpubound *bound, int stream);

/* Writes the results whole or not at all. path: a file, or "-" for standard output. False: nothing was analysed or there is no such
 * format (errno is EINVAL), the file is one that the case was read from (EEXIST), the report would be too long to be read back and verified
 * (EFBIG), or the file cannot be written (errno says why). A link is followed; a file that is replaced keeps its permissions. */
GPUBOUND_API bool gpubound_write(const struct gpubound *bound, enum gpubound_format format, const char *path);

/* What was said of the input, in order; also after a refusal. */
GPUBOUND_API int gpubound_diagnostic_count(const struct gpubound *bound);
GPUBOUND_API enum gpubound_level gpubound_diagnostic_level(const struct gpubound *bound, int diagnostic); /* out of range: a note */
GPUBOUND_API const char *gpubound_diagnostic_code(const struct gpubound *bound, int diagnostic); /* stable; gpubound-diagnostics(7) */
GPUBOUND_API const char *gpubound_diagnostic_text(const struct gpubound *bound, int diagnostic);
GPUBOUND_API const char *gpubound_diagnostic_file(const struct gpubound *bound, int diagnostic); /* NULL: not about a file */
GPUBOUND_API long gpubound_diagnostic_line(const struct gpubound *bound, int diagnostic);        /* 0: unknown */

#ifdef __cplusplus
}
#endif

#endif
