/* The assurance case that a report is: what it claims, why, on which evidence, and what it takes for granted.
 *
 * Requires: a report that input_read_report accepted.
 * Provides: a directed graph without cycles. Its root claims that every deadline is met. Below it stand a claim for each task and each chain,
 *           supported by its bound's derivation; the claim that every number follows from the inputs, which whoever receives the report
 * shows by gpubound accept; and the claim that the inputs are true, which is his. Evidence: the derivation, the certificates of linear
 * programs, the inputs with their hashes, the origins of numbers. Each assumption on which a result rests is one, with who discharges it.
 * What the report does not prove needs support: nothing is claimed for it. Source:   GSN Community Standard 3; OMG SACM 2.2. Both forms are
 * written from this graph: gsn.c, sacm.c. Fails:    never.
 */
#ifndef RENDER_ASSURANCE_CASE_H
#define RENDER_ASSURANCE_CASE_H

#include "render/render.h"

/* By the names of GSN. */
enum case_kind { CASE_GOAL, CASE_STRATEGY, CASE_SOLUTION, CASE_CONTEXT, CASE_ASSUMPTION };

struct case_node {
	enum case_kind kind;
	const char *id;   /* G1, S1, Sn1, C1, A1: unique, the same in every run */
	const char *name; /* a few words */
	const char *text; /* a sentence, for goals one that is true or false */
	const char *hash; /* SHA-256 of evidence; NULL: none */
	const char *who;  /* discharges an assumption, or has to show a goal; NULL: nobody is named */
	bool undeveloped; /* a goal that nothing here supports, or not enough */
	bool unvouched;   /* an assumption for which nobody vouches, or what rests on one */
};

struct case_edge {
	int from, to;    /* nodes: `to` supports `from`, or is said in the context of it */
	bool in_context; /* else it supports */
};

struct assurance_case {
	struct case_node *nodes; /* the root is the first */
	struct case_edge *edges;
	int node_count, node_capacity, edge_count, edge_capacity;
};

struct assurance_case assurance_case_of(const struct render *render);

#endif
