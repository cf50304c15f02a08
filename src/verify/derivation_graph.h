/* The derivation of a report as it stands there.
 *
 * Requires: a report valid against its schema.
 * Provides: the steps, numbered from 0, each referring to earlier ones; which of them a check has reached.
 * Fails:    a step that is not numbered in order, has no known rule or no exact value, or refers to a later step is a difference.
 */
#ifndef VERIFY_DERIVATION_GRAPH_H
#define VERIFY_DERIVATION_GRAPH_H

#include "base/rational.h"
#include "input/xml.h"

struct check;

struct graph_input {
	const char *role;
	int step;
};

struct graph_step {
	const struct xml_element *element;
	int rule; /* an enum rule */
	const char *about;
	struct rational value;
	struct graph_input *inputs;
	int input_count;
	bool reached;
	bool carries; /* what it rests on is reached, too, whatever it is */
};

/* In the order in which they come, until one is looked for by what it is about; then by that, and those about the same in their order. */
struct steps_of_rule {
	const struct graph_step **items;
	int count, first; /* first: the first to come, -1: none */
	bool sorted;
};

struct graph {
	struct graph_step *steps;
	int count;
	struct steps_of_rule *of_rule; /* [rule] */
};

bool graph_read(struct check *check);

/* The step that an attribute names, or -1. */
int graph_number(const struct check *check, const struct xml_element *element, const char *attribute);
/* The next step of a rule about something, from `from` on; about NULL: the first step of the rule. -1: none. */
int graph_find(const struct check *check, int from, int rule, const char *about);
/* The first input of a role, or -1. */
int graph_input(const struct check *check, int step, const char *role);
/* The value as an integer, NONE where it is none. */
int64_t graph_integer(const struct check *check, int step);

/* What a step says beside its value: unit, place, origin; and that something rests on it. */
void graph_check_steps(struct check *check);

#endif
