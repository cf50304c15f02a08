/* The H200 of the recorded traces. */
#include "silicon/h200.h"

#define SMS 132

/* Eight GPCs as the co-members of clusters show them, and the four TPCs that no larger cluster uses, served two and two. */
static const int groups[][20] = {
	{0, 1, 16, 17, 32, 33, 48, 49, -1},
	{2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107, -1},
	{4, 5, 20, 21, 36, 37, 52, 53, 66, 67, 80, 81, 94, 95, 108, 109, -1},
	{6, 7, 22, 23, 38, 39, 54, 55, 68, 69, 82, 83, 96, 97, 110, 111, -1},
	{8, 9, 24, 25, 40, 41, 56, 57, 70, 71, 84, 85, 98, 99, 112, 113, -1},
	{10, 11, 26, 27, 42, 43, 58, 59, 72, 73, 86, 87, 100, 101, 114, 115, -1},
	{12, 13, 28, 29, 44, 45, 60, 61, 74, 75, 88, 89, 102, 103, 116, 117, 120, 121, -1},
	{14, 15, 30, 31, 46, 47, 62, 63, 76, 77, 90, 91, 104, 105, 118, 119, 122, 123, -1},
	{124, 125, 126, 127, -1},
	{128, 129, 130, 131, -1},
};
#define GPCS 8
#define GROUPS ((int)(sizeof groups / sizeof *groups))

static const struct {
	enum parameter parameter;
	int64_t value;
} stated[] = {
	{PARAMETER_SM_COUNT, SMS},
	{PARAMETER_SM_WARPS, 64},
	{PARAMETER_SM_BLOCKS, 32},
	{PARAMETER_SM_SUBPARTITIONS, 4},
	{PARAMETER_SM_REGISTERS, 65536},
	{PARAMETER_SM_SHARED, 228 * 1024},
	{PARAMETER_REGISTER_UNIT, 256},
	{PARAMETER_SHARED_UNIT, 128},
	{PARAMETER_SHARED_RESERVED, 1024},
};

static const int64_t carveouts_kib[] = {8, 16, 32, 64, 100, 132, 164, 196, 228};
static const int first[] = {124, 126, 128, 130, 125, 127, 129, 131};

static void set_order(struct platform *platform)
{
	int next = 0;
	for (; next < (int)(sizeof first / sizeof *first); next++)
		platform->order[next] = first[next];
	for (int odd = 0; odd < 2; odd++)
		for (int s = odd; s < first[0]; s += 2)
			platform->order[next++] = s;
}

struct platform *h200_platform(struct arena *arena)
{
	struct platform *platform = arena_allocate(arena, 1, sizeof *platform);
	platform->id = platform->path = "h200";
	platform->placement = PLACEMENT_HOPPER;
	platform->per_sm_carveout = TERNARY_YES;
	platform->sms = arena_allocate(arena, SMS, sizeof *platform->sms);
	platform->order = arena_allocate(arena, SMS, sizeof *platform->order);
	platform->carveouts = arena_allocate(arena, sizeof carveouts_kib / sizeof *carveouts_kib, sizeof *platform->carveouts);
	for (size_t i = 0; i < sizeof stated / sizeof *stated; i++)
		platform->parameters[stated[i].parameter] =
			(struct quantity){.present = true, .value = stated[i].value, .source = "silicon"};
	for (int g = 0; g < GROUPS; g++)
		for (int i = 0; groups[g][i] >= 0; i++)
			platform->sms[groups[g][i]] = (struct sm_position){.gpc = g, .tpc = groups[g][i] / 2, .ring = g < GPCS ? 0 : 1};
	for (size_t i = 0; i < sizeof carveouts_kib / sizeof *carveouts_kib; i++)
		platform->carveouts[platform->carveout_count++] = carveouts_kib[i] * 1024;
	platform->gpc_count = GROUPS;
	set_order(platform);
	return platform;
}
