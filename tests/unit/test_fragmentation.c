/* The least occupancy against exhaustive search of small SMs: in every reachable state that holds own blocks only, foreign ones having
 * come and gone at will, a refused own block must find at least `least` of its kind resident. */
#include "map/occupancy.h"
#include "unit/platforms.h"
#include "unit/run.h"

#include <string.h>

/* A machine so small that it can be searched: parts sub-partitions with so many warps and register units each; one unit is 32 registers. */
static struct platform small_machine(int parts, int warps, int registers, int shared)
{
	struct platform platform = make_platform(62);
	set_parameter(&platform, PARAMETER_SM_SUBPARTITIONS, parts);
	set_parameter(&platform, PARAMETER_SM_WARPS, parts * warps);
	set_parameter(&platform, PARAMETER_SM_BLOCKS, 1000);
	set_parameter(&platform, PARAMETER_SM_REGISTERS, 32 * parts * registers);
	set_parameter(&platform, PARAMETER_REGISTER_UNIT, 32);
	set_parameter(&platform, PARAMETER_SM_SHARED, shared);
	set_parameter(&platform, PARAMETER_SHARED_UNIT, 1);
	return platform;
}

static struct occupancy least_where(
	const struct platform *platform, const struct kernel *own, const struct kernel *other, enum fragments fragments)
{
	struct occupancy occupancy = occupancy_compute(platform, own);
	struct demand beside = other != NULL ? occupancy_compute(platform, other).demand : occupancy.demand;
	occupancy_fragment(platform, &occupancy, &beside, other != NULL, fragments);
	return occupancy;
}

static struct occupancy least_beside(const struct platform *platform, const struct kernel *own, const struct kernel *other)
{
	return least_where(platform, own, other, FRAGMENTS_ANYWHERE);
}

/* ---- warps and registers: four sub-partitions with a running start pointer ([HOPPER] P4) */

#define PARTS 4
#define SLOTS 3 /* warps a sub-partition, so that two bits hold a count */

struct shape {
	int warps, registers; /* register units a warp */
};

/* Blocks resident by kind and starting sub-partition, two bits each, then the pointer. */
typedef uint32_t state;

static int blocks_at(state s, int kind, int start)
{
	return (s >> (2 * (PARTS * kind + start))) & 3;
}

static int pointer_of(state s)
{
	return (s >> (4 * PARTS)) & 3;
}

static int own_blocks(state s)
{
	return blocks_at(s, 0, 0) + blocks_at(s, 0, 1) + blocks_at(s, 0, 2) + blocks_at(s, 0, 3);
}

static int warps_on(const struct shape *shape, int start, int part)
{
	return shape->warps / PARTS + ((part - start + PARTS) % PARTS < shape->warps % PARTS);
}

static bool fits(state s, const struct shape shapes[2], int kind, int registers)
{
	for (int part = 0; part < PARTS; part++) {
		int warps = warps_on(&shapes[kind], pointer_of(s), part), taken = warps * shapes[kind].registers;
		for (int i = 0; i < 2 * PARTS; i++) {
			int resident = blocks_at(s, i / PARTS, i % PARTS) * warps_on(&shapes[i / PARTS], i % PARTS, part);
			warps += resident;
			taken += resident * shapes[i / PARTS].registers;
		}
		if (warps > SLOTS || taken > registers)
			return false;
	}
	return true;
}

static state place(state s, const struct shape shapes[2], int kind)
{
	int remainder = shapes[kind].warps % PARTS, start = pointer_of(s);
	state moved = (s & ~(3u << (4 * PARTS))) | (state)((start + (remainder == 0 ? 1 : remainder)) % PARTS) << (4 * PARTS);
	return moved + (1u << (2 * (PARTS * kind + start)));
}

#define STATES (1u << (4 * PARTS + 2))
static unsigned char seen[STATES];
static state queue[STATES];

static void visit(state s, size_t *count)
{
	if (!seen[s])
		seen[s] = 1, queue[(*count)++] = s;
}

/* The fewest own blocks in a reachable own-only state that refuses a further one; kinds: 1 searches the kernel alone. */
static int search(const struct shape shapes[2], int kinds, int registers)
{
	size_t count = 0;
	int fewest = 1000;
	memset(seen, 0, sizeof seen);
	visit(0, &count);
	for (size_t next = 0; next < count; next++) {
		state s = queue[next];
		bool own_only = (s >> (2 * PARTS) & ((1u << (2 * PARTS)) - 1)) == 0;
		if (own_only && !fits(s, shapes, 0, registers) && own_blocks(s) < fewest)
			fewest = own_blocks(s);
		for (int kind = 0; kind < kinds; kind++)
			if (fits(s, shapes, kind, registers))
				visit(place(s, shapes, kind), &count);
		for (int i = 0; i < 2 * PARTS; i++)
			if (blocks_at(s, i / PARTS, i % PARTS) > 0)
				visit(s - (1u << (2 * i)), &count);
	}
	return fewest;
}

static struct kernel kernel_of(const struct shape *shape)
{
	return make_kernel(1, 32 * shape->warps, shape->registers, 0);
}

START_TEST(sub_partitions)
{
	int registers = 6, attained = 0, searched = 0, gained = 0;
	struct platform platform = small_machine(PARTS, SLOTS, registers, 0);
	for (int own = 1; own <= 12; own++)
		for (int other = 0; other <= 8; other++)
			for (int each = 1; each <= 3; each++) {
				struct shape shapes[2] = {{own, each}, {other, 1 + (own + other) % 3}};
				struct kernel kernel = kernel_of(&shapes[0]), beside = kernel_of(&shapes[1]);
				struct occupancy occupancy = least_beside(&platform, &kernel, other > 0 ? &beside : NULL);
				if (occupancy.greatest == 0)
					continue;
				int found = search(shapes, other > 0 ? 2 : 1, registers);
				ck_assert_msg(occupancy.least <= found, "%d warps of %d beside %d: %d > %d", own, each, other,
					(int)occupancy.least, found);
				ck_assert(found <= occupancy.greatest);
				struct occupancy parts = least_where(&platform, &kernel, other > 0 ? &beside : NULL, FRAGMENTS_OF_SHARED);
				ck_assert_msg(parts.least <= found, "A-FRAG-REGISTERS: %d warps of %d beside %d: %d > %d", own, each, other,
					(int)parts.least, found); /* the machine that is searched keeps it */
				ck_assert(parts.least >= occupancy.least && parts.rests_on_registers == (parts.least > occupancy.least));
				attained += occupancy.least == found;
				gained += parts.rests_on_registers;
				searched++;
			}
	ck_assert_int_gt(gained, 10);
	ck_assert_msg(2 * attained > searched, "attained in %d of %d: the bound or the search is toothless", attained, searched);
}
END_TEST

/* The residents of [HOPPER] P4 that tell the rule from plain counts, on a machine of its size. */
static int room_beside(const int *residents, int count, int warps)
{
	int used[4] = {0}, start = 0, room = 0;
	for (int i = 0;; i++) {
		int w = i < count ? residents[i] : warps;
		for (int part = 0; part < 4; part++) {
			used[part] += w / 4 + ((part - start + 4) % 4 < w % 4);
			if (used[part] > 16)
				return room;
		}
		start = (start + (w % 4 == 0 ? 1 : w % 4)) % 4;
		room += i >= count;
	}
}

START_TEST(recorded_rooms)
{
	static const struct {
		int residents[3], count, warps, room;
	} rows[] = {{{1, 12}, 2, 17, 2}, {{13}, 1, 17, 3}, {{2, 12}, 2, 25, 1}, {{1, 12}, 2, 25, 2}, {{10, 4, 19}, 3, 31, 0},
		{{10, 19}, 2, 31, 1}};
	struct platform platform = make_platform(90);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ck_assert_int_eq(room_beside(rows[i].residents, rows[i].count, rows[i].warps), rows[i].room);
		struct kernel kernel = make_kernel(1, 32 * rows[i].warps, 18, 0);
		struct occupancy occupancy = least_beside(&platform, &kernel, NULL);
		ck_assert_int_le(occupancy.least, room_beside(NULL, 0, rows[i].warps));
		ck_assert_int_ge(occupancy.greatest, room_beside(NULL, 0, rows[i].warps));
	}
}
END_TEST

/* No SM holds more than `greatest`: all sizes of blocks and several register counts, one after another on an empty SM of an H200. */
static int held(int warps, int64_t warp_registers)
{
	int64_t used[4] = {0};
	int start = 0;
	for (int n = 0;; n++) {
		for (int part = 0; part < 4; part++) {
			used[part] += warps / 4 + ((part - start + 4) % 4 < warps % 4);
			if (used[part] > 16 || used[part] * warp_registers > 16384)
				return n;
		}
		start = (start + (warps % 4 == 0 ? 1 : warps % 4)) % 4;
	}
}

START_TEST(greatest_is_held_at_most)
{
	static const int counts[] = {16, 18, 32, 33, 40, 64, 101, 128};
	struct platform platform = make_platform(90);
	for (int warps = 1; warps <= 32; warps++)
		for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
			struct kernel kernel = make_kernel(1, 32 * warps, counts[i], 0);
			struct occupancy occupancy = least_beside(&platform, &kernel, NULL);
			if (occupancy.greatest == 0)
				continue;
			int64_t machine = checked_min(held(warps, occupancy.demand.warp_registers), 32);
			ck_assert_int_le(machine, occupancy.greatest);
			ck_assert_int_le(occupancy.least, machine);
		}
	struct kernel two_warps = make_kernel(1, 64, 101, 0);
	ck_assert_int_eq(occupancy_compute(&platform, &two_warps).greatest, 8);
	ck_assert_int_eq(held(2, 3328), 8);
}
END_TEST

/* ---- shared memory: every address, and a first fit that foreign blocks have gone through */

static int fewest_blocks(int capacity, int d)
{
	int fewest[64];
	for (int at = capacity; at >= 0; at--) {
		fewest[at] = capacity - at < d ? 0 : 1000;
		for (int hole = 0; hole < d && at + hole + d <= capacity && capacity - at >= d; hole++)
			if (1 + fewest[at + hole + d] < fewest[at])
				fewest[at] = 1 + fewest[at + hole + d];
	}
	return fewest[0];
}

START_TEST(any_address)
{
	for (int capacity = 1; capacity < 40; capacity++)
		for (int d = 1; d <= capacity; d++) {
			struct platform platform = small_machine(1, 1000, 1000, capacity);
			struct kernel kernel = make_kernel(1, 32, 1, d);
			ck_assert_int_eq(least_beside(&platform, &kernel, NULL).least, fewest_blocks(capacity, d));
		}
}
END_TEST

#define UNITS 9

/* Own and foreign blocks by the unit at which they begin. */
static bool unit_taken(unsigned own, unsigned foreign, int d, int other, int unit)
{
	for (int at = 0; at <= unit; at++)
		if ((own >> at & 1 && at + d > unit) || (foreign >> at & 1 && at + other > unit))
			return true;
	return false;
}

static int first_fit(unsigned own, unsigned foreign, int d, int other, int wanted)
{
	int free = 0;
	for (int unit = 0; unit < UNITS; unit++) {
		free = unit_taken(own, foreign, d, other, unit) ? 0 : free + 1;
		if (free == wanted)
			return unit - wanted + 1;
	}
	return -1;
}

static int search_first_fit(int d, int other)
{
	size_t count = 0;
	int fewest = 1000;
	memset(seen, 0, sizeof seen);
	visit(0, &count);
	for (size_t next = 0; next < count; next++) {
		unsigned own = queue[next] & ((1u << UNITS) - 1), foreign = queue[next] >> UNITS;
		int at = first_fit(own, foreign, d, other, d), beside = first_fit(own, foreign, d, other, other);
		if (at < 0 && foreign == 0 && __builtin_popcount(own) < fewest)
			fewest = __builtin_popcount(own);
		if (at >= 0)
			visit(queue[next] | 1u << at, &count);
		if (beside >= 0)
			visit(queue[next] | 1u << (UNITS + beside), &count);
		for (int i = 0; i < 2 * UNITS; i++)
			if (queue[next] >> i & 1)
				visit(queue[next] & ~(1u << i), &count);
	}
	return fewest;
}

START_TEST(first_fit_with_others)
{
	struct platform platform = small_machine(1, 1000, 1000, UNITS);
	bool below_textbook = false;
	for (int d = 1; d <= UNITS; d++)
		for (int other = 1; other <= UNITS; other++) {
			struct kernel kernel = make_kernel(1, 32, 1, d), beside = make_kernel(1, 32, 1, other);
			struct occupancy occupancy = least_beside(&platform, &kernel, &beside);
			int found = search_first_fit(d, other);
			ck_assert_int_le(occupancy.least, found);
			below_textbook = below_textbook || found < occupancy.greatest;
		}
	ck_assert(below_textbook);
}
END_TEST

/* ---- registers of one sub-partition, contiguous for a warp, at any address */

/* Fewest own warps of rho units from `at` on such that all holes together take at most `slack` further ones. */
static int fewest_warps(int capacity, int rho, int at, int slack)
{
	int fewest = 1000;
	if ((capacity - at) / rho <= slack)
		return 0;
	for (int hole = 0; at + hole + rho <= capacity && hole / rho <= slack; hole++) {
		int more = 1 + fewest_warps(capacity, rho, at + hole + rho, slack - hole / rho);
		fewest = more < fewest ? more : fewest;
	}
	return fewest;
}

START_TEST(scattered_registers)
{
	int attained = 0;
	for (int capacity = 4; capacity <= 16; capacity++)
		for (int rho = 1; rho <= 6; rho++)
			for (int warps = 1; warps <= 4 && warps * rho <= capacity; warps++) {
				struct platform platform = small_machine(1, capacity / rho, capacity, 0);
				struct kernel kernel = make_kernel(1, 32 * warps, rho, 0), beside = make_kernel(1, 32, rho + 1, 0);
				int64_t found = checked_div_ceil(fewest_warps(capacity, rho, 0, warps - 1), warps);
				struct occupancy occupancy = least_beside(&platform, &kernel, &beside);
				ck_assert_msg(occupancy.least <= checked_max(found, 1), "%d %d %d: %d > %d", capacity, rho, warps,
					(int)occupancy.least, (int)found);
				attained += occupancy.least == found;
			}
	ck_assert_int_gt(attained, 100);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("fragmentation");
	TCase *all = tcase_create("all");
	tcase_set_timeout(all, 60);
	tcase_add_test(all, sub_partitions);
	tcase_add_test(all, recorded_rooms);
	tcase_add_test(all, greatest_is_held_at_most);
	tcase_add_test(all, any_address);
	tcase_add_test(all, first_fit_with_others);
	tcase_add_test(all, scattered_registers);
	suite_add_tcase(suite, all);
	return run_suite(suite);
}
