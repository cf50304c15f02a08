/* What the functions that turn elements into the model share.
 *
 * Requires: elements that were validated against their schema.
 * Provides: numbers, choices and references of attributes; each mistake is one diagnostic that says what was expected, and reading
 *           goes on with a harmless value.
 * Source:   [EXACT] (exact decimals; worst cases up, best cases down).
 */
#ifndef INPUT_READER_H
#define INPUT_READER_H

#include "base/diagnostics.h"
#include "input/input.h"
#include "input/names.h"
#include "input/xml.h"
#include "model/frame.h"
#include "model/platform.h"
#include "model/taskset.h"
#include "model/vocabulary.h"

struct reader {
	struct arena *arena;
	struct diagnostics *diagnostics;
	const char *path;
	struct rational clock; /* what a cycle is measured by; no value: unknown */
	const struct input_folders *folders;
};

static inline enum rounding rounding_to(enum rounding_side side)
{
	return side == SIDE_UP ? ROUND_UP : side == SIDE_DOWN ? ROUND_DOWN : ROUND_NEVER;
}

#define COMPLAIN(reader, element, code, ...)                                                                                               \
	diagnose((reader)->diagnostics, DIAGNOSTIC_##code, (reader)->path, (element)->line, __VA_ARGS__)

/* The attribute's value in the unit's base unit, `absent` where it is not there or wrong. */
int64_t read_number(struct reader *reader, const struct xml_element *element, const char *attribute, enum unit unit, enum rounding rounding,
	int64_t absent);
/* All attributes that have a row for the element, into the struct whose fields they are. */
void read_attributes(struct reader *reader, const struct xml_element *element, enum element_kind kind, void *to);
struct rational read_factor(
	struct reader *reader, const struct xml_element *element, const char *attribute); /* >= 1; 1 where it is wrong */
void read_parameter(struct reader *reader, const struct xml_element *element, enum parameter parameter, struct quantity *quantity);
int read_choice(const struct xml_element *element, const char *attribute, const char *const *names, int absent); /* index in names */
extern const char *const per_names[]; /* whose a unit is: the SM's, a sub-partition's */
bool read_flag(const struct xml_element *element, const char *attribute);
int64_t *read_list(struct reader *reader, const struct xml_element *element, enum unit unit, int *count); /* of the text */
int64_t read_extents(
	struct reader *reader, const struct xml_element *element, const char *attribute, int64_t extents[3]); /* their product */

/* The number that names gives to the attribute's value; NO_ID with a diagnostic. `what`: "stream". */
int read_reference(
	struct reader *reader, const struct xml_element *element, const char *attribute, const struct names *names, const char *what);
void read_identifier(struct reader *reader, const struct xml_element *element, struct names *names, int number, const char *what);

/* The stages of reading, each in the file of its name. */
struct platform *read_platform(struct reader *reader, const struct xml_element *root);
bool is_of_clock(const struct xml_element *element); /* does it state clock.sm? */
void read_factor_entry(struct reader *reader, const struct xml_element *element, struct interference_entry *entry);
bool read_sm_count(struct reader *reader, const struct xml_element *element, struct platform *platform);
void read_sms(struct reader *reader, const struct xml_element *root, struct platform *platform);
void declare_all(struct reader *reader, const struct xml_element *root, struct platform *platform);
void read_partitions(struct reader *reader, const struct xml_element *root, struct names *names, struct taskset *set);
void refuse_unmodelled(struct reader *reader, const struct xml_element *root);
void refuse_unfilled(struct reader *reader, const struct xml_element *root);
void refuse_graph(struct reader *reader, const struct xml_element *graph); /* one that is in no other one */
void refuse_locked(struct reader *reader, const struct xml_element *locked);
void refuse_sequence(struct reader *reader, const struct xml_element *sequence);
void read_taskset(struct reader *reader, const struct xml_element *root, struct taskset *set);
void read_frame(struct reader *reader, const struct xml_element *root, const struct platform *platform, struct frame *frame);

/* What an operation may refer to. */
struct known_names {
	struct names origins, partitions, applications, streams, events, locks, cores, tasks, operations, end_to_end;
};

void read_companies(struct reader *reader, const struct xml_element *root, const struct known_names *names, struct taskset *set);
struct operation read_operation(struct reader *reader, const struct xml_element *element, const struct known_names *names, int origin);

/* priorities.c: levels for CUDA's priorities, once the platform is known. */
void priorities_translate(struct taskset *set, const struct platform *platform);

#endif
