/* What a value is made of, for whoever reads it: --explain, and what else shows culprits.
 *
 * Requires: the function that evaluates an equation, called again with a list at the value that solves it. Who only wants the value hands
 *           in NULL, and nothing is kept.
 * Provides: one term for each number that the evaluator adds: its kind (terms.def says what it is and which claim it comes from), how much,
 *           how often and how long each, whose work it is, the numbers of its equation, steps of the derivation. They add up to the value,
 *           as the same sum gives both. What a term needs of other sums stands before it, as a list of its own.
 * Source:   the claims that terms.def cites.
 * Fails:    never.
 */
#ifndef RESPONSE_TERMS_H
#define RESPONSE_TERMS_H

#include "base/memory.h"
#include "response/arrival.h"

enum term_kind {
#define TERM(symbol, whose, text, claim) TERM_##symbol,
#define SPLIT(symbol, whose, text, claim) TERM_##symbol,
#define SHARE(symbol, whose, text) TERM_##symbol,
#define NOTE(symbol, whose, text) TERM_##symbol,
#define LIST(symbol, whose, title, sum) TERM_##symbol,
#define PART(symbol, whose, title, sum) TERM_##symbol,
#include "response/terms.def"
#undef TERM
#undef SPLIT
#undef SHARE
#undef NOTE
#undef LIST
#undef PART
	TERM_COUNT
};

enum term_role { TERM_ROLE_TERM, TERM_ROLE_SPLIT, TERM_ROLE_SHARE, TERM_ROLE_NOTE, TERM_ROLE_LIST, TERM_ROLE_PART };

/* Whose work it is: what `of` of a term is the number of. Overhead is nobody's, even where `of` says where it arises; nor is a
 * release's jitter. Of what a higher
 * level costs the culprit may be blocks whose end it waits for. */
enum whose { WHOSE_NOBODY, WHOSE_RELEASE, WHOSE_TASK, WHOSE_SEGMENT, WHOSE_OPERATION, WHOSE_CULPRIT, WHOSE_CONTEXT, WHOSE_OVERHEAD };

struct term_row {
	enum term_role role;
	enum whose whose;
	const char *text;  /* of a list its title; {name} stands for what the term has: report/explain_terms.c */
	const char *claim; /* NULL: of a term that stands in a list, or adds nothing itself. Of a list what it comes to */
};

extern const struct term_row term_rows[TERM_COUNT];

#define TERM_NUMBERS 12

struct term {
	enum term_kind kind;
	int of;                    /* WHOSE_: its number in the task set, in the segments, or in the runlist */
	int64_t amount;            /* of a list what it has to come to; NONE: it is what it comes to */
	int64_t count, each;       /* amount = count * each, where the row shows that */
	struct arrivals arrivals;  /* of which it counts those in a window */
	int64_t window, early;     /* that is so long, and begins so much before */
	int64_t n[TERM_NUMBERS];   /* what else stands in its equation */
	int step, second;          /* where the row shows them */
	int also;                  /* another operation, likewise */
	bool up, copies;           /* rounded up; of copies, not of kernels */
	bool latest;               /* of streams that a job is on: the one that is complete last */
	struct terms *list;        /* NULL: it is none */
	struct terms *because;     /* notes of links without time of their own, before it; NULL: none */
	const struct terms *parts; /* it is theirs whose these are, in their ratio; NULL: `of` */
};

struct terms {
	struct arena *arena;
	struct term *items;
	int count, capacity;
	int64_t sum; /* of the terms: lists, notes and shares add nothing */
};

/* Of functions that only give terms: they stay out of the way of those who evaluate. */
#define TERMS_APART __attribute__((noinline, cold))

bool term_adds(const struct term *term); /* is it a term, not a list, a note or a share? */

/* Nothing for a term of 0. */
void terms_add(struct terms *terms, struct term term);

/* `count` of it, each so much. Returns that. */
int64_t terms_add_each(struct terms *terms, struct term term, enum term_kind kind, int64_t each);

/* Of each term of the list whose it is and how much: itself, or, of one that has parts, each of these in their ratio, what does not divide
 * the last one's. */
void terms_share(const struct terms *terms, void (*share)(void *data, const struct term *of, int64_t value), void *data);

/* A list of its own, for the terms behind it; NULL for NULL. */
struct terms *terms_list(struct terms *terms, struct term heading);

#endif
