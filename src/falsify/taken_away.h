/* The parts of the analysis that can be taken away, to see what each is worth.
 *
 * Requires: a subject.
 * Provides: the responses without some of them; which small systems they concern.
 * Source:   falsify/taken_away.def.
 * Fails:    never.
 */
#ifndef FALSIFY_TAKEN_AWAY_H
#define FALSIFY_TAKEN_AWAY_H

#include "falsify/subject.h"

enum item {
#define ITEM(symbol, name, meaning, refinements, bounds, order, groups) ITEM_##symbol,
#include "falsify/taken_away.def"
#undef ITEM
	ITEM_COUNT
};

/* Small systems by what they have. */
enum yardstick_group { GROUP_ANY, GROUP_KNOWN, GROUP_DELAYS, GROUP_SLOWED, GROUP_SLOWED_KNOWN, GROUP_COUNT };

struct yardstick_group_kind {
	const char *name, *title;
};
extern const struct yardstick_group_kind yardstick_groups[GROUP_COUNT];

struct item_kind {
	const char *name, *meaning;
	int refinements;
	uint64_t bounds;
	bool order;
	unsigned groups;
};
extern const struct item_kind item_kinds[ITEM_COUNT];

/* NO_ID: there is none. */
int item_find(const char *name);
bool item_switches(int item); /* can this build do without it? A refinement is switched off in testing builds only. */
enum yardstick_group items_group(const struct subject *subject);

#define ITEM_BIT(item) (1u << (item))
/* items: a set of ITEM_BIT, each of which can be switched off; bounds that belong to them have no value. The subject's own response where
 * the set is empty. */
const struct response *items_response(const struct subject *subject, unsigned items);

#endif
