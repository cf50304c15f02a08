/* The attributes of task sets and platform models as they stand in the model: a row each.
 *
 * Provides: the rows of vocabulary.def that are a field; those of an element have its number.
 */
#ifndef MODEL_VOCABULARY_H
#define MODEL_VOCABULARY_H

#include "model/taskset.h"

#include <stddef.h>

enum element_kind { /* in the order of their rows (tests/schemas.py) */
	ELEMENT_origin,
	ELEMENT_application,
	ELEMENT_partition,
	ELEMENT_stream,
	ELEMENT_task,
	ELEMENT_step,
	ELEMENT_operation,
	ELEMENT_work,
	ELEMENT_host,
	ELEMENT_kernel,
	ELEMENT_at,
	ELEMENT_transfer,
	ELEMENT_fragment,
	ELEMENT_sequence,
	ELEMENT_core,
	ELEMENT_lock,
	ELEMENT_locked,
	ELEMENT_company,
	ELEMENT_beside,
	ELEMENT_chain,
	ELEMENT_member,
	ELEMENT_platform,
	ELEMENT_source,
	ELEMENT_parameter,
	ELEMENT_placement,
	ELEMENT_engines,
	ELEMENT_interference,
	ELEMENT_factor,
	ELEMENT_pipeline,
	ELEMENT_divergence,
	ELEMENT_COUNT
};

enum attribute_kind {
	ATTRIBUTE_TEXT,
	ATTRIBUTE_NUMBER,
	ATTRIBUTE_LEVEL,
	ATTRIBUTE_CHOICE,
	ATTRIBUTE_FLAG,
	ATTRIBUTE_FACTOR,
	ATTRIBUTE_EXTENTS
};

struct attribute_row {
	enum element_kind element;
	const char *name;
	enum attribute_kind kind;
	size_t offset; /* of the field: const char *, int64_t, int, an enum, bool, a rational, int64_t[3] */
	enum unit unit;
	enum rounding_side side;
	int64_t absent;           /* the field where the attribute is absent; of a choice NONE: it never is */
	const char *const *names; /* of a choice; of a flag those for no and yes */
};

/* The first row of the element; behind its last one is a row of another. */
const struct attribute_row *attribute_rows_of(enum element_kind kind);

#endif
