/* What the machine does is inside what the map allows: one SM of an H200 under random arrivals and departures of three kernels. */
#include "base/random.h"
#include "map/occupancy.h"
#include "papers/chips.h"
#include "unit/run.h"

#define KERNELS 3
#define RESIDENTS_MOST 32
#define SCENES 400
#define STEPS 300

static const int64_t configurations[] = {
	8 * 1024, 16 * 1024, 32 * 1024, 64 * 1024, 100 * 1024, 132 * 1024, 164 * 1024, 196 * 1024, 228 * 1024};

static const struct {
	struct allocation_options by;
	bool fungible; /* A-FRAG holds */
} modes[] = {
	{{ALLOCATION_PARTITIONS, ALLOCATION_FUNGIBLE}, false},
	{{ALLOCATION_PARTITIONS, ALLOCATION_FIRST_FIT}, false},
	{{ALLOCATION_PARTITIONS, ALLOCATION_BEST_FIT}, false},
	{{ALLOCATION_PARTITIONS, ALLOCATION_WORST_FIT}, false},
	{{ALLOCATION_FUNGIBLE, ALLOCATION_FUNGIBLE}, true},
};

struct scene {
	struct bench bench;
	struct random random;
	struct kernel kernels[KERNELS];
	struct shape shapes[KERNELS];
	struct occupancy occupancies[KERNELS];
	struct {
		int kernel, slot;
	} residents[RESIDENTS_MOST];
	int count, of[KERNELS];
};

static void set(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] = (struct quantity){.present = true, .value = value, .source = "test"};
}

static struct platform *make_hopper(struct arena *arena)
{
	struct platform *platform = arena_allocate(arena, 1, sizeof *platform);
	set(platform, PARAMETER_SM_COUNT, 1);
	set(platform, PARAMETER_SM_WARPS, 64);
	set(platform, PARAMETER_SM_BLOCKS, RESIDENTS_MOST);
	set(platform, PARAMETER_SM_SUBPARTITIONS, 4);
	set(platform, PARAMETER_SM_REGISTERS, 65536);
	set(platform, PARAMETER_SM_SHARED, 228 * 1024);
	set(platform, PARAMETER_REGISTER_UNIT, 256);
	set(platform, PARAMETER_SHARED_UNIT, 128);
	set(platform, PARAMETER_SHARED_RESERVED, 1024);
	set(platform, PARAMETER_BLOCK_THREADS, 1024);
	platform->compute_capability = 90;
	platform->placement = PLACEMENT_HOPPER;
	platform->carveouts = configurations;
	platform->carveout_count = sizeof configurations / sizeof *configurations;
	return platform;
}

static struct kernel draw_kernel(struct random *random, bool fungible)
{
	static const int64_t registers[] = {16, 32, 40, 64, 101, 128, 200, 255}, carveouts[] = {NONE, NONE, 0, 14, 28, 50, 71, 100};
	struct kernel kernel = bench_kernel(1, 32 * random_between(random, 1, random_chance(random, 50) ? 4 : 32));
	kernel.registers = registers[random_below(random, fungible ? 2 : 8)];
	kernel.shared_dynamic = random_chance(random, 40) ? 0 : random_between(random, 1, random_chance(random, 50) ? 8000 : 60000);
	kernel.carveout = carveouts[random_below(random, 8)];
	return kernel;
}

static void open_scene(struct scene *scene, int mode, uint64_t seed)
{
	struct arena *arena = arena_create();
	struct platform *platform = make_hopper(arena);
	struct demand demands[KERNELS];
	*scene = (struct scene){.count = 0};
	random_seed(&scene->random, seed, (uint64_t)mode);
	bench_open_platform(&scene->bench, platform, arena, &modes[mode].by);
	for (int k = 0; k < KERNELS; k++) {
		do
			scene->kernels[k] = draw_kernel(&scene->random, modes[mode].fungible);
		while (!shape_init(&scene->shapes[k], &scene->bench.limits, &scene->kernels[k]));
		scene->occupancies[k] = occupancy_compute(platform, &scene->kernels[k]);
		demands[k] = scene->occupancies[k].demand;
	}
	for (int k = 0; k < KERNELS; k++)
		occupancy_fragment(platform, &scene->occupancies[k], demands, KERNELS, modes[mode].fungible);
}

static void check(const struct scene *scene, int mode, uint64_t seed)
{
	for (int k = 0; k < KERNELS; k++) {
		const struct occupancy *occupancy = &scene->occupancies[k];
		ck_assert_msg(scene->of[k] <= occupancy->greatest, "mode %d seed %d: %d blocks above the greatest, %d", mode, (int)seed,
			scene->of[k], (int)occupancy->greatest);
		if (scene->of[k] == scene->count && chip_room(&scene->bench.chip, 0, &scene->shapes[k]) == 0)
			ck_assert_msg(scene->count >= occupancy->least, "mode %d seed %d: refused at %d blocks, below the least, %d", mode,
				(int)seed, scene->count, (int)occupancy->least);
	}
}

static void arrive(struct scene *scene, int k)
{
	if (chip_room(&scene->bench.chip, 0, &scene->shapes[k]) == 0)
		return;
	int slot = chip_take(&scene->bench.chip, 0, &scene->shapes[k]);
	ck_assert_int_ge(slot, 0);
	scene->residents[scene->count].kernel = k;
	scene->residents[scene->count++].slot = slot;
	scene->of[k]++;
}

static void depart(struct scene *scene, int i)
{
	scene->of[scene->residents[i].kernel]--;
	chip_release(&scene->bench.chip, 0, scene->residents[i].slot);
	scene->residents[i] = scene->residents[--scene->count];
}

/* Phases of arrivals, of departures, and of one kernel's departures only, so that fragments of all kinds come about. */
START_TEST(occupancies)
{
	for (uint64_t seed = 0; seed < SCENES; seed++) {
		struct scene scene;
		open_scene(&scene, _i, seed);
		for (int step = 0, arrivals = 50, leaving = KERNELS, coming = KERNELS; step < STEPS; step++) {
			if (random_chance(&scene.random, 10)) {
				arrivals = (int)random_between(&scene.random, 5, 95);
				leaving = (int)random_between(&scene.random, 0, KERNELS);
				coming = (int)random_between(&scene.random, 0, KERNELS);
			}
			int i = scene.count == 0 ? 0 : (int)random_below(&scene.random, (uint64_t)scene.count);
			if (scene.count == 0 || random_chance(&scene.random, arrivals))
				arrive(&scene, coming < KERNELS ? coming : (int)random_below(&scene.random, KERNELS));
			else if (leaving == KERNELS || scene.residents[i].kernel == leaving)
				depart(&scene, i);
			if (scene.count == 0 && random_chance(&scene.random, 50))
				chip_settle(&scene.bench.chip);
			check(&scene, _i, seed);
		}
		bench_close(&scene.bench);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("machine-map");
	TCase *inside = tcase_create("inside");
	tcase_add_loop_test(inside, occupancies, 0, (int)(sizeof modes / sizeof *modes));
	suite_add_tcase(suite, inside);
	return run_suite(suite);
}
