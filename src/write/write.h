/* A model written as the XML that the reader accepts.
 *
 * Requires: a platform or a task set, read or made (model/draft.h).
 * Provides: its text, by the rows of vocabulary.def and parameters.def; read again it gives the same bounds, and written again the same
 *           bytes. What a task set declared of its platform stands in the platform then, what follows from a stream's priority as CUDA has
 *           it is a level, and what is relied on only as a condition is assumed.
 * Source:   gpubound-taskset(5), gpubound-platform(5).
 * Fails:    never.
 */
#ifndef WRITE_WRITE_H
#define WRITE_WRITE_H

#include "model/vocabulary.h"
#include "write/xml_write.h"

/* notes: comments at its head; ends with NULL. */
void write_platform(struct output *output, const struct platform *platform, const char *const *notes);
/* platform: its path as seen from the task set's file; title: NULL for the set's own. */
void write_taskset(struct output *output, const struct taskset *set, const char *platform, const char *title);

/* Parts of a task set, for who says more about it than the model does. An operation is left open; texts that are NULL are left out. */
void write_operation_begin(struct xml *xml, const struct operation *operation, const char *origin, const char *stream, const char *event);
void write_curve(struct xml *xml, const struct arrival *arrival);

/* Attributes of the element just begun: those that have a row for it, from the struct whose fields they are; a number with its unit, which
 * NONE leaves out. */
void write_attributes(struct xml *xml, enum element_kind kind, const void *from);
void write_number(struct xml *xml, const char *name, int64_t value, enum unit unit);
/* An element that has only attributes with rows. */
void write_element(struct xml *xml, const char *name, enum element_kind kind, const void *from);

#endif
