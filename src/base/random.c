/* The seeding of xoshiro256**. */
#include "base/random.h"

static uint64_t split(uint64_t *state)
{
	uint64_t word = *state += UINT64_C(0x9e3779b97f4a7c15);
	word = (word ^ word >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	word = (word ^ word >> 27) * UINT64_C(0x94d049bb133111eb);
	return word ^ word >> 31;
}

void random_seed(struct random *random, uint64_t seed, uint64_t stream)
{
	uint64_t state = stream, mixed = split(&state) ^ seed;
	for (int i = 0; i < 4; i++)
		random->words[i] = split(&mixed);
}
