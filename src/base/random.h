/* The random numbers of the machine: a small generator of our own, so that a seed means the same run everywhere.
 *
 * Requires: nothing.
 * Provides: xoshiro256**, seeded through splitmix64, and draws from it.
 * Source:   Blackman and Vigna, Scrambled Linear Pseudorandom Number Generators, ACM TOMS 2021; Lemire, Fast Random Integer Generation
 *           in an Interval, ACM TOMACS 2019 (without its rejection: a draw below n is off by less than n / 2^64).
 * Fails:    never.
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t words[4];
};

void random_seed(struct random *random, uint64_t seed, uint64_t stream); /* different streams of one seed are independent */

static inline uint64_t random_rotate(uint64_t word, int by)
{
	return word << by | word >> (64 - by);
}

static inline uint64_t random_next(struct random *random)
{
	uint64_t *words = random->words, result = random_rotate(words[1] * 5, 7) * 9, shifted = words[1] << 17;
	words[2] ^= words[0];
	words[3] ^= words[1];
	words[1] ^= words[2];
	words[0] ^= words[3];
	words[2] ^= shifted;
	words[3] = random_rotate(words[3], 45);
	return result;
}

static inline uint64_t random_below(struct random *random, uint64_t n) /* 0 .. n - 1; n > 0 */
{
	return (uint64_t)((unsigned __int128)random_next(random) * n >> 64);
}

static inline int64_t random_between(struct random *random, int64_t least, int64_t most) /* both included; 0 <= least <= most */
{
	return least + (int64_t)random_below(random, (uint64_t)(most - least) + 1);
}

static inline bool random_chance(struct random *random, int percent)
{
	return (int)random_below(random, 100) < percent;
}

#endif
