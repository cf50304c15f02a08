/* What bounds of a task set can rest on, by what the task set has: which numbers and assumptions they want, and which of them this board
 * has. */
#include "calibrate/calibrate_parts.h"

#include <string.h>

#define WANTS_MOST 6

struct use {
	const char *what;
	enum parameter parameters[WANTS_MOST];
	int parameter_count;
	enum assumption assumptions[WANTS_MOST];
	int assumption_count;
	const char *discharge; /* what to do where something lacks; NULL: record it */
};

static const struct use uses[] = {
	{"kernels of one stream", {PARAMETER_OVERHEAD_LAUNCH, PARAMETER_OVERHEAD_BLOCK, PARAMETER_OVERHEAD_DEPENDENCY, PARAMETER_SM_WARPS},
		4, {0}, 0, NULL},
	{"kernels of several streams, by their order", {PARAMETER_DISPATCH_DELAY, PARAMETER_DISPATCH_STALL}, 2,
		{ASSUMPTION_ORDER, ASSUMPTION_ISO}, 2, "one stream, an SM partition each, or a lock; bounds by volume stay"},
	{"the same without start delays", {0}, 0, {ASSUMPTION_HOL, ASSUMPTION_PRIO, ASSUMPTION_WC}, 3, "bounds by order take their place"},
	{"kernels that mix on an SM, by what is free of registers", {0}, 0, {ASSUMPTION_FRAG_REGISTERS}, 1,
		"blocks of one shape, or one block an SM"},
	{"copies between host and device", {PARAMETER_OVERHEAD_COPY, PARAMETER_COPY_ENGINES}, 2, {0}, 0, NULL},
	{"copies of several streams, in their order", {0}, 0, {ASSUMPTION_CE}, 1,
		"copies are charged for any order that leaves no engine idle"},
	{"several processes by time slices", {PARAMETER_RUNLIST_TIMESLICE, PARAMETER_RUNLIST_SWITCH}, 2,
		{ASSUMPTION_EXCL, ASSUMPTION_RUNLIST}, 2, NULL},
	{"sequences (graphs) that keep their turn", {PARAMETER_SWITCH_REFILL}, 1, {ASSUMPTION_PENDING}, 1,
		"each gap of a sequence is charged a turn of the others"},
	{"as many streams as hardware queues, or more", {0}, 0, {ASSUMPTION_QUEUE}, 1, "fewer streams than CUDA_DEVICE_MAX_CONNECTIONS"},
};
#define USES (sizeof uses / sizeof *uses)

static const char *join(struct arena *arena, const char *list, const char *more)
{
	return list == NULL ? more : arena_format(arena, "%s, %s", list, more);
}

const char *calibrate_use(const struct calibration *c, int i, const char **lacks, const char **discharge)
{
	const struct use *use = &uses[i];
	if (i >= (int)USES)
		return NULL;
	*lacks = NULL;
	*discharge = use->discharge != NULL ? use->discharge : "probe/record.sh measures it";
	for (int k = 0; k < use->parameter_count; k++)
		if (!c->platform->parameters[use->parameters[k]].present)
			*lacks = join(c->arena, *lacks, parameter_kinds[use->parameters[k]].name);
	for (int k = 0; k < use->assumption_count; k++)
		if (!platform_grants(c->platform, use->assumptions[k]))
			*lacks = join(c->arena, *lacks,
				arena_format(c->arena, "%s%s", assumption_kinds[use->assumptions[k]].id,
					c->platform->assumptions[use->assumptions[k]].status == STATUS_BROKEN ? " (broken)" : ""));
	return use->what;
}

/* What is asked of a bound and that no program can measure. */
static const char *const unmeasurable[] = {
	"from=\"sm\": a block beside blocks of other kernels on its SM may stand still until they end. State block times with those "
	"residents, or keep "
	"them apart (shared memory, partitions, one stream)",
	"stops.length, stops.distance: what other clients of the GPU will do. Have none, or declare them",
	"A-CLOCK, A-HOST, A-WCET: yours to answer for: fixed clocks, the host's jitter, block times",
	"A-TICK, A-DRAW, A-LOCK, A-FED: of the program, not of the board",
};

void calibrate_print_uses(const struct calibration *c, struct output *output)
{
	const char *what, *lacks, *discharge;
	output_add(output, "Bounds can rest on these recordings for:\n");
	for (int i = 0; (what = calibrate_use(c, i, &lacks, &discharge)) != NULL; i++)
		if (lacks == NULL)
			output_print(output, "  yes  %s\n", what);
		else
			output_print(output, "  no   %s: %s; else: %s\n", what, lacks, discharge);
	output_add(output, "No program can measure:\n");
	for (size_t i = 0; i < sizeof unmeasurable / sizeof *unmeasurable; i++)
		output_print(output, "  %s\n", unmeasurable[i]);
}
