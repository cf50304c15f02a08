/* A model of AMALTHEA (APP4MC), as far as a task set has a place for it.
 *
 * Requires: the trees of all files of the model (amalthea.c), which stay while it is used.
 * Provides: elements by name; cores with their clocks; upper bounds of times. What is no upper bound is NONE, never an estimate.
 * Source:   the AMALTHEA data model, 0.8.0 to 3.x, as the help of Eclipse APP4MC describes it: before 0.9.3 a runnable's time is
 *           RunnableInstructions, from then on ExecutionNeed and Ticks; a reference is "NAME?type=TYPE", names are encoded as in URLs.
 * Fails:    with diagnostics.
 */
#ifndef IMPORT_AMALTHEA_H
#define IMPORT_AMALTHEA_H

#include "import/xml_files.h"

/* Elements of one kind of all files, by name once they are sorted. */
struct named_list {
	struct named_node *items;
	int count, capacity;
};

struct named_node {
	const char *name;
	const struct xml_node *node;
	struct work *work; /* of a runnable: what its calls take, by core; NULL: not looked at yet */
};

/* What something takes on one core. */
struct work {
	bool walking;           /* it is being added up: a call of it calls itself */
	bool timed;             /* it says of some time what it is, or should be */
	struct rational cycles; /* an upper bound; none where something in it has none */
	const char *unbounded;  /* the first thing in it that has none; NULL: nothing */
};

/* A core, or another processing unit. */
struct amalthea_core {
	const char *name, *definition;
	bool gpu;
	struct rational hertz, per_cycle; /* instructions a cycle; no value: the model does not say */
};

/* What has no place in a task set, and how often there is such. */
struct amalthea_left {
	const char *what;
	int count;
};

#define AMALTHEA_LEFT 64 /* kinds that are told by name */

struct amalthea {
	struct import_build *build;
	const char *path; /* of its first file */
	struct named_list tasks, runnables, labels, stimuli, cores, core_types, domains, features, schedulers, task_allocations,
		scheduler_allocations, requirements;
	struct amalthea_core *core; /* of each of `cores` */
	struct amalthea_left left[AMALTHEA_LEFT];
	int left_count, left_beyond;
};

/* ---- amalthea.c */

const char *amalthea_type(const struct xml_node *node); /* "Ticks" of xsi:type="am:Ticks"; "": it has none */

/* The element that is referred to; NULL: there is none of that name. */
struct named_node *amalthea_find(const struct named_list *list, const char *name);

/* The names of what an element refers to by an attribute, or by children with a href; *count of them. */
const char *const *amalthea_references(struct amalthea *model, const struct xml_node *node, const char *name, int *count);
const char *amalthea_reference(struct amalthea *model, const struct xml_node *node, const char *name); /* the first one, or NULL */

void amalthea_leave(struct amalthea *model, const char *what); /* has no place in a task set; `what` stays */

/* ---- amalthea_values.c */

/* A number with the unit beside it, as nanoseconds, bytes or Hz, exactly; no value with a diagnostic where it is none. node may be NULL. */
struct rational amalthea_quantity(struct amalthea *model, const struct xml_node *node, enum unit kind);

/* The greatest, and the least, that a constant, a deviation or a distribution may be; no value: it does not say. node may be NULL. unit: of
 * the values; UNIT_COUNT: of none. */
struct rational amalthea_upper(struct amalthea *model, const struct xml_node *node, enum unit kind);
struct rational amalthea_lower(struct amalthea *model, const struct xml_node *node, enum unit kind);

/* All cores, with clocks. */
void amalthea_read_cores(struct amalthea *model);

/* What an element of a call graph takes on a core, calls included. */
struct work amalthea_work(struct amalthea *model, const struct xml_node *node, int core);
int64_t amalthea_time(const struct amalthea *model, const struct work *work, int core); /* ns, rounded up; NONE: no bound */

/* ---- amalthea_servers.c */

/* What gives a task a budget. */
struct amalthea_server {
	const char *algorithm;  /* NULL: nothing does */
	const char *parent;     /* the scheduler above it; NULL: there is none */
	int64_t budget, period; /* ns, where it is a reservation as SCHED_DEADLINE has it; 0: it is another one */
};

/* Of the scheduler to which a task is allocated. */
struct amalthea_server amalthea_server_of(struct amalthea *model, const struct xml_node *allocation);

/* ---- amalthea_tasks.c */

void amalthea_make_tasks(struct amalthea *model);

#endif
