/* Random numbers that a seed determines, on every machine.
 *
 * Requires: nothing.
 * Provides: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), ranges and choices.
 * Fails:    never. Ranges by remainder: the bias is below 2^-40 for the small ranges drawn here.
 */
#ifndef FALSIFY_DRAW_H
#define FALSIFY_DRAW_H

#include <stdbool.h>
#include <stdint.h>

struct draw {
	uint64_t state;
};

static inline uint64_t draw_bits(struct draw *draw)
{
	uint64_t z = draw->state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* The index-th generator of a family: index by index independent of one another. */
static inline struct draw draw_start(uint64_t seed, uint64_t index)
{
	struct draw draw = {seed};
	draw.state = draw_bits(&draw) ^ (index + 1) * UINT64_C(0xd1342543de82ef95);
	draw_bits(&draw);
	return draw;
}

static inline int64_t draw_range(struct draw *draw, int64_t least, int64_t most) /* both included */
{
	return least + (int64_t)(draw_bits(draw) % ((uint64_t)(most - least) + 1));
}

static inline bool draw_percent(struct draw *draw, int percent)
{
	return draw_range(draw, 0, 99) < percent;
}

static inline int64_t draw_among(struct draw *draw, const int64_t *items, int count)
{
	return items[draw_range(draw, 0, count - 1)];
}

#define DRAW_AMONG(draw, ...)                                                                                                              \
	draw_among(draw, (const int64_t[]){__VA_ARGS__}, (int)(sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t)))

#endif
