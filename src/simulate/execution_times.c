/* How long blocks, copies, opaque kernels and host segments take. */
#include "simulate/run.h"

void durations_init(struct durations *durations, struct arena *arena, const struct machine *machine, const struct duration_options *options,
	uint64_t seed)
{
	const struct taskset *set = machine->set;
	int64_t start = platform_value(machine->platform, PARAMETER_OVERHEAD_COPY);
	*durations = (struct durations){.options = options, .set = set};
	random_seed(&durations->random, seed, 2);
	durations->least = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *durations->least);
	durations->most = arena_allocate(arena, (size_t)set->operation_count + 1, sizeof *durations->most);
	for (int i = 0; i < set->operation_count; i++) {
		int64_t most = set->operations[i].wcet;
		if (options->longest != NULL && set->operations[i].kind != OPERATION_HOST)
			most = options->longest[i];
		else if (machine->works[i].kind == WORK_COPY && start != NONE)
			most = checked_add(most, start);
		durations->most[i] = checked_max(most, 1);
		durations->least[i] = checked_max(checked_min(set->operations[i].bcet, durations->most[i]), 1);
	}
}

static int64_t curve_value(const struct durations *durations, int operation, int residents)
{
	const struct kernel *kernel = &durations->set->operations[operation].kernel;
	if (durations->set->operations[operation].kind != OPERATION_KERNEL || kernel->curve == NULL)
		return durations->most[operation];
	int index = residents < kernel->curve_count ? residents - 1 : kernel->curve_count - 1;
	return checked_min(kernel->curve[index], durations->most[operation]);
}

int64_t durations_next(struct durations *durations, int operation, int residents)
{
	const struct duration_options *options = durations->options;
	int64_t least = durations->least[operation], most = durations->most[operation], number = durations->drawn++;
	switch (options->mode) {
	case DURATIONS_BEST: return least;
	case DURATIONS_UNIFORM: return random_between(&durations->random, least, most);
	case DURATIONS_TWO_POINT: return random_chance(&durations->random, 50) ? least : most;
	case DURATIONS_FEW_SHORT: return random_chance(&durations->random, 10) ? least : most;
	case DURATIONS_CURVE: return checked_max(curve_value(durations, operation, residents), 1);
	case DURATIONS_EXPLICIT: return checked_max(checked_min(options->explicit_ns[number % options->explicit_count], most), least);
	default: return most;
	}
}
