#include "model/rules.h"

#include <string.h>

const struct rule_kind rule_kinds[RULE_COUNT] = {
#define RULE(symbol, name, unit, equation, source) {name, STEP_UNIT_##unit, equation, source},
#include "model/rules.def"
#undef RULE
};

const char *step_unit_name(enum step_unit unit)
{
	static const char *const names[] = {"", "ns", "1", "B", "ratio"};
	return names[unit];
}

int rule_find(const char *name)
{
	for (int i = 0; i < RULE_COUNT; i++)
		if (strcmp(rule_kinds[i].name, name) == 0)
			return i;
	return -1;
}
