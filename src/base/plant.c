/* The table of planted faults, and which one is in force. */
#include "base/plant.h"

#include <string.h>

const struct plant_kind plant_kinds[PLANT_COUNT] = {
#define PLANT(symbol, name, meaning, source) {name, meaning, source},
#include "base/plants.def"
#undef PLANT
};

int plant_find(const char *name)
{
	for (int i = 0; i < PLANT_COUNT; i++)
		if (strcmp(plant_kinds[i].name, name) == 0)
			return i;
	return -1;
}

#ifdef GPUBOUND_TESTING
int plant_in_force = -1;

void plant_set(int plant)
{
	plant_in_force = plant;
}
#endif
