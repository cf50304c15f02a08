/* Points of a simplex in fixed point: WHOLE is the sum of a point's coordinates. */
#include "study/utilisations.h"

#include "base/checked.h"

#include <stdlib.h>

#define WHOLE (INT64_C(1) << 60)
#define SMALLEST (WHOLE >> 24) /* a simplex that is smaller has too few points to be made large */

/* Uniform over all points: the distances of sorted uniform numbers. UUniFast comes to the same with powers, which are no integers. */
static void draw_point(struct random *random, int count, int64_t *point)
{
	for (int i = 0; i + 1 < count; i++)
		point[i] = (int64_t)random_below(random, WHOLE + 1);
	point[count - 1] = WHOLE;
	qsort(point, (size_t)count, sizeof *point, checked_compare);
	for (int i = count - 1; i > 0; i--)
		point[i] -= point[i - 1];
}

static int count_above(int count, const int64_t *point, int64_t cap)
{
	int above = 0;
	for (int i = 0; i < count; i++)
		above += point[i] > cap;
	return above;
}

static int64_t enlarged(__int128 value, int64_t size)
{
	__int128 large = value * WHOLE / size;
	return large > INT64_MAX ? INT64_MAX : (int64_t)large;
}

/* [DRAWN]: points with just these coordinates above the cap are a part of a smaller simplex, which is made as large as the whole. False:
 * what was drawn is then uniform over less than all that keep within the cap. reach: of each coordinate over which values it is uniform. */
static bool rescale(int count, int64_t *point, int64_t *reach, int64_t cap, int above)
{
	__int128 size = WHOLE - (__int128)above * cap;
	bool covers = size >= SMALLEST;
	for (int i = 0; i < count && covers; i++) {
		bool beyond = point[i] > cap;
		point[i] = enlarged((__int128)point[i] - (beyond ? cap : 0), (int64_t)size);
		if (!beyond)
			reach[i] = enlarged(cap, (int64_t)size);
		else if (reach[i] != INT64_MAX)
			reach[i] = enlarged((__int128)reach[i] - cap, (int64_t)size);
		covers = reach[i] >= cap;
	}
	return covers;
}

static bool draw_rescaled(struct random *random, int count, int64_t cap, int64_t *point)
{
	int64_t reach[SHARES_MOST];
	draw_point(random, count, point);
	for (int i = 0; i < count; i++)
		reach[i] = INT64_MAX;
	for (int above; (above = count_above(count, point, cap)) > 0;)
		if (!rescale(count, point, reach, cap, above))
			return false;
	return true;
}

/* Of sum `total`, each from 0 to `most`. */
static bool draw_within(struct random *random, enum shares_by by, int count, int64_t total, int64_t most, int64_t *shares)
{
	int64_t cap = most >= total ? WHOLE : (int64_t)((__int128)most * WHOLE / total);
	bool found = false;
	for (int i = 0; i < SHARES_TRIES && !found; i++) {
		if (by == SHARES_DIRICHLET) {
			found = draw_rescaled(random, count, cap, shares);
		} else {
			draw_point(random, count, shares);
			found = count_above(count, shares, cap) == 0;
		}
	}
	for (int i = 0; i < count; i++)
		shares[i] = (int64_t)((__int128)shares[i] * total / WHOLE);
	return found;
}

bool shares_draw(struct random *random, enum shares_by by, int count, int64_t total, int64_t least, int64_t most, int64_t *shares)
{
	int64_t room = most - least, rest = total - count * least;
	if (count < 1 || count > SHARES_MOST || rest < 0 || room < 0 || rest > count * room)
		return false;
	bool mirrored = by == SHARES_DIRICHLET && 2 * rest > count * room; /* what is missing of the most keeps within the same */
	bool found = draw_within(random, by, count, mirrored ? count * room - rest : rest, room, shares);
	int64_t sum = 0;
	for (int i = 0; i < count; i++) {
		shares[i] = least + (mirrored ? room - shares[i] : shares[i]);
		sum += shares[i];
	}
	for (int i = 0; i < count && sum > total; i++) { /* rounded up, mirrored: by less than one a task */
		int64_t less = shares[i] > least;
		shares[i] -= less;
		sum -= less;
	}
	return found;
}

/* An octave like any other; in it uniform, and kept with a probability of its begin by the value: so as dense as 1/value. */
int64_t period_draw(struct random *random, int64_t least, int64_t most, int64_t step)
{
	int octaves = 1;
	while (least <= (most + step - 1) >> octaves)
		octaves++;
	for (;;) {
		int64_t begin = least << random_below(random, (uint64_t)octaves);
		int64_t value = random_between(random, begin, 2 * begin - 1);
		if (value < most + step && (int64_t)random_below(random, (uint64_t)value) < begin &&
			least + (value - least) / step * step <= most)
			return least + (value - least) / step * step;
	}
}
