/* Text built in memory and written whole.
 *
 * Requires: nothing.
 * Provides: a growing string, and files that are either the complete new content or untouched: written to a temporary name in the
 *           same folder, then renamed. A link is followed and stays. A file that is replaced keeps its permissions, and must be one
 *           that may be written; a new one has those that the umask leaves. Threads may write at once, each its own file.
 *           Temporaries are removed when memory runs out, and by whoever calls output_remove_temporaries before the process ends.
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
bool output_xml_holds(const char *text);                           /* are there only characters that XML can hold? */
void output_add_csv(struct output *output, const char *text);      /* quoted where RFC 4180 wants it */
void output_finish(struct output *output);                         /* frees the text */

bool output_write(const struct output *output, const char *path); /* "-" is standard output */
void output_remove_temporaries(void);                             /* of all threads; a signal's handler may call it */

#endif
