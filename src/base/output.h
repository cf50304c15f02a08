/* Text built in memory and written whole.
 *
 * Requires: nothing.
 * Provides: a growing string, and files that are either the complete new content or untouched: written to a temporary name in the
 *           same folder, then renamed. The temporary is removed when memory runs out.
 * Fails:    output_write returns false with errno set; nothing is left behind.
 */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct output {
	char *text; /* NUL-terminated once anything was added; may be NULL before */
	size_t length, capacity;
};

void output_add(struct output *output, const char *text);
void output_add_bytes(struct output *output, const char *bytes, size_t length);
void output_print(struct output *output, const char *format, ...) __attribute__((format(printf, 2, 3)));
void output_add_xml(struct output *output, const char *text); /* escaped for XML text and for attributes in double quotes; what XML cannot
							     hold, as in a file's name, becomes \xNN */
void output_add_xml_text(struct output *output, const char *text); /* likewise, for text alone, as XML serialisers write it: only what
								      must be is escaped, so that signing a report changes no byte */
void output_add_csv(struct output *output, const char *text);      /* quoted where RFC 4180 wants it */
void output_finish(struct output *output);                         /* frees the text */

bool output_write(const struct output *output, const char *path); /* "-" is standard output */

#endif
