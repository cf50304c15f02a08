/* A run: consecutive operations of a chain, or all that jobs of a stream bring, and what they are charged in a window.
 *
 * Requires: classes with their jitters and responses of the last round.
 * Provides: what a run takes alone; what operations of other streams cost it in a window, and what is lost to other contexts and to stops:
 *           the right sides of (C.1) and (V.3) are own + delay + lost.
 * Source:   [CHAIN], [VOL-C], [IN-ORDER], [SIBLINGS], [TURNS].
 * Fails:    NONE on overflow.
 */
#ifndef RESPONSE_WINDOW_RUN_H
#define RESPONSE_WINDOW_RUN_H

#include "response/window.h"

struct run { /* of a chain's operations */
	int first, count;
	bool jobs;                                        /* of several jobs of the stream: operations of no chain in particular */
	int64_t length;                                   /* those that come in a window of so much */
	int64_t kernels, copies;                          /* how many there are */
	int64_t windows;                                  /* with kernels pending throughout, see [TURNS]; of a sequence each operation */
	int64_t on_engine[CLASS_ENGINES];                 /* copies on each of the classes' engines */
	int64_t own, own_kernels, own_copies, own_volume; /* own: with o_dep */
};

struct window { /* of a chain */
	const struct classes *classes;
	const struct window_rules *rules;
	const struct chain_of_classes *chain;
	const struct class *items;
	int level;
};

static inline struct window window_of(const struct classes *classes, const struct window_rules *rules, const struct chain_of_classes *chain)
{
	return (struct window){classes, rules, chain, &classes->items[chain->first], classes->items[chain->first].level};
}

static inline bool window_takes_turns(const struct window *w)
{
	return w->rules->kernels.own != NULL || w->rules->copies.own != NULL;
}

struct run run_make(const struct window *w, int first, int count); /* `count` operations from the `first` one of the chain on */
void run_extend(const struct window *w, struct run *run);          /* by the next one */
int64_t run_own(const struct window *w);                           /* what all of the chain takes alone */

/* LONE in place of a window's length: each operation of others comes once, whatever the length; up to the chain's `lone`. It is never less
 * than that. */
#define LONE 0

struct charges { /* what it costs, and what of it kernels and copies are served */
	int64_t delay, kernels, copies;
};

struct volume { /* of foreign kernels: block time, and what the dispatcher takes for each of them */
	int64_t blocks, dispatch;
};

struct volume run_volume(const struct window *w, const struct run *run, int64_t length, struct terms *terms);
/* What the run and so much volume cost; nothing of others but that. */
struct charges run_charges_by(const struct window *w, const struct run *run, const struct volume *volume);
struct charges run_charges(const struct window *w, const struct run *run, int64_t length, struct terms *terms);
/* To stops, to other contexts' turns and to their copies. Stops count once; where there are time slices they use up those of the kernels or
 * those of the copies. */
int64_t run_lost(const struct window *w, const struct run *run, const struct charges *charges, int64_t length, struct terms *terms);
void run_add_own(const struct window *w, const struct run *run, bool kernels, bool copies, struct terms *terms);

#endif
