/* What the steps of a derivation mean: the table rules.def, shared by those who derive and those who verify. */
#ifndef MODEL_RULES_H
#define MODEL_RULES_H

enum rule {
#define RULE(symbol, name, unit, equation, source) RULE_##symbol,
#include "model/rules.def"
#undef RULE
	RULE_COUNT
};

enum step_unit { STEP_UNIT_ANY, STEP_UNIT_NS, STEP_UNIT_COUNT, STEP_UNIT_BYTES, STEP_UNIT_RATIO };

struct rule_kind {
	const char *name;
	enum step_unit unit;
	const char *equation, *source;
};

extern const struct rule_kind rule_kinds[RULE_COUNT];
const char *step_unit_name(enum step_unit unit); /* "", "ns", "1", "B", "ratio" */
int rule_find(const char *name);                 /* an enum rule, or -1 */

#endif
