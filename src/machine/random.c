/* xoshiro256** and its seeding. */
#include "machine/random.h"

static uint64_t rotate(uint64_t word, int by)
{
	return word << by | word >> (64 - by);
}

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

uint64_t random_next(struct random *random)
{
	uint64_t *words = random->words, result = rotate(words[1] * 5, 7) * 9, shifted = words[1] << 17;
	words[2] ^= words[0];
	words[3] ^= words[1];
	words[1] ^= words[2];
	words[0] ^= words[3];
	words[2] ^= shifted;
	words[3] = rotate(words[3], 45);
	return result;
}
