/* Counting through durations and phases. */
#include "falsify/exhaust.h"

#define PHASES 4

static const enum chooser choosers[] = {CHOOSER_FIRST, CHOOSER_LAST, CHOOSER_RANDOM};
#define CHOOSERS (int64_t)(sizeof choosers / sizeof *choosers)

/* What takes a duration of its own in one job of each task. */
static int64_t count_units(const struct subject *subject)
{
	int64_t units = 0;
	for (int i = 0; i < subject->set->operation_count; i++) {
		const struct operation *operation = &subject->set->operations[i];
		if (operation->kind == OPERATION_WAIT || operation->kind == OPERATION_RECORD)
			continue;
		bool blocks = operation->kind == OPERATION_KERNEL && operation->kernel.scope == SCOPE_BLOCK;
		units += blocks ? operation->kernel.blocks : 1;
	}
	return units;
}

static int64_t longest_of(const struct subject *subject)
{
	int64_t longest = 1;
	for (int i = 0; i < subject->set->operation_count; i++)
		longest = checked_max(longest, subject->longest[i]);
	return longest;
}

static int64_t power(int64_t base, int64_t exponent)
{
	int64_t product = 1;
	for (int64_t i = 0; i < exponent; i++)
		product = checked_mul(product, base);
	return product;
}

static bool is_small(const struct subject *subject, int64_t units, int64_t longest)
{
	bool stops = platform_value(subject->platform, PARAMETER_STOPS_LENGTH) != NONE;
	return subject->bounds > 0 && subject->set->stream_count <= EXHAUST_STREAMS && subject->costs->context_count == 1 && !stops &&
	       units <= EXHAUST_BLOCKS && longest <= EXHAUST_LONGEST;
}

/* The number as digits: phases, the order of placement, durations. */
static void set_attack(struct attack *attack, int64_t number, int tasks, int64_t units, int64_t longest)
{
	for (int t = 1; t < tasks; t++, number /= PHASES)
		attack->phases[t] = number % PHASES;
	attack->options.switches.chooser = choosers[number % CHOOSERS];
	number /= CHOOSERS;
	for (int64_t i = 0; i < units; i++, number /= longest)
		attack->durations[i] = 1 + number % longest;
}

bool exhaust_run(struct hunt *hunt, const struct subject *subject)
{
	int64_t units = count_units(subject), longest = longest_of(subject), score = 0;
	int tasks = subject->set->task_count;
	int64_t runs = checked_mul(checked_mul(power(longest, units), power(PHASES, tasks - 1)), CHOOSERS);
	if (!is_small(subject, units, longest) || runs > EXHAUST_RUNS)
		return false;
	struct attack attack = {.inflated = !subject->apart, .own_allocation = true};
	attack.options.interference = subject->apart ? INTERFERENCE_FULL : INTERFERENCE_OFF;
	attack.options.durations.mode = DURATIONS_EXPLICIT;
	attack.options.releases = (struct release_options){.phases = PHASES_EXPLICIT, .jobs = 1};
	attack.options.switches.launch_at_head = true;
	*hunt = (struct hunt){.violation = {.stage = STAGE_NONE}};
	hunt->observed = arena_allocate(subject->arena, (size_t)tasks * BOUND_COUNT + 1, sizeof *hunt->observed);
	for (int64_t i = 0; i < runs && hunt->refusal == NULL; i++) {
		attack.options.seed = (uint64_t)i;
		set_attack(&attack, i, tasks, units, longest);
		if (hunt_once(hunt, subject, &attack, &score))
			break;
	}
	return true;
}
