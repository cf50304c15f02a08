/* The reports of random systems are verified: whatever the analysis derives, the second derivation derives, too. A changed digit in a step
 * of each rule is found. What an analysis derives that leaves a term out (base/plants.def) is refused: such a report is consistent from its
 * claims to its last sum, and only the equation finds it.
 *
 * usage: verify_random SYSTEMS FOLDER           writes each system into the folder, analyses it, verifies its report; says which ones are
 *                                               refused; a third as many small ones of known phases with streams of several tasks; and
 *                                               a twelfth as many with tasks of several units under a lock
 *        verify_random SYSTEMS FOLDER plants    analyses each system with each fault planted, too
 * FOLDER is made if it is not there.
 */
#include "analyzed.h"
#include "drawn.h"
#include "base/plant.h"
#include "falsify/generate_parts.h"
#include "input/validate.h"
#include "model/rules.h"
#include "verify/verify.h"
#include "model/draft.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SEED 2026

/* Some kernels of which only the makespan is known are fragment work, on a platform that gives it the engine or does not say so. */
static void draw_fragments(struct falsify_case *drawn, long index)
{
	if (index % 4 == 0)
		drawn->platform->assumptions[ASSUMPTION_DRAW].status = STATUS_ASSUMED;
	for (int i = 0; i < drawn->set->operation_count && index % 8 < 2; i++) {
		struct operation *operation = &DRAFT(drawn->set->operations)[i];
		bool parted = operation->stream != NO_ID && drawn->set->streams[operation->stream].partition > 0;
		bool kept = parted || operation->hold != 0 || operation->size_count > 0 || taskset_has_company(drawn->set, i);
		if (operation->kind != OPERATION_KERNEL || operation->kernel.scope != SCOPE_GRID || kept)
			continue;
		operation->kind = OPERATION_FRAGMENT;
		operation->graph = 0; /* no node */
		operation->span = (struct measured_span){0};
	}
}

/* One task is released more often than any machine can serve it: some bounds are of the other tasks only. */
static void draw_overload(struct falsify_case *drawn, long index)
{
	struct task *task = &DRAFT(drawn->set->tasks)[index / 6 % drawn->set->task_count];
	if (index % 6 != 1)
		return;
	task->arrival = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = 1, .min_distance = NONE, .max_distance = NONE};
	task->offset = NONE;
}

static bool analyze(struct arena *arena, const char *folder)
{
	struct output text = {0};
	bool good = analyzed(arena_format(arena, "%s/taskset.xml", folder), &text);
	good = good && output_write(&text, arena_format(arena, "%s/report.xml", folder));
	output_finish(&text);
	return good;
}

static bool verify(struct arena *arena, const char *folder, long index)
{
	static const char *const files[] = {NULL};
	static const struct verify_options none = {files, NULL, NULL, false};
	struct diagnostics diagnostics;
	struct verified verified;
	struct input_folders folders = input_find_folders(arena);
	diagnostics_init(&diagnostics, arena);
	if (verify_report(arena, &diagnostics, &folders, arena_format(arena, "%s/report.xml", folder), &none, &verified) == VERIFY_GOOD)
		return true;
	fprintf(stderr, "system %ld of seed %d:\n", index, SEED);
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, false, stderr);
	return false;
}

/* ---- forgeries: a digit of a step of each rule, one up and one down, several times each. The checksum finds every one; the derivation has
 * to, as well, but for claims that are no less than they have to be. */

#define FLIPS 3

static int flips[RULE_COUNT];

static char *read_text(struct arena *arena, const char *path)
{
	FILE *file = fopen(path, "rb");
	char *text = NULL;
	int capacity = 0, length = 0;
	for (size_t got = 1; file != NULL && got > 0; length += (int)got) {
		text = arena_grow(arena, text, &capacity, length + 65536, 1);
		got = fread(text + length, 1, 65535, file);
	}
	if (file != NULL)
		fclose(file);
	return text;
}

/* The text as a report: refused, with more than so many differences. */
static bool is_refused_beyond(struct arena *arena, const char *path, const char *text, int differences)
{
	static const char *const files[] = {NULL};
	static const struct verify_options none = {files, NULL, NULL, false};
	struct output output = {0};
	struct diagnostics diagnostics;
	struct verified verified;
	struct input_folders folders = input_find_folders(arena);
	diagnostics_init(&diagnostics, arena);
	output_add(&output, text);
	bool written = output_write(&output, path);
	output_finish(&output);
	return written && verify_report(arena, &diagnostics, &folders, path, &none, &verified) != VERIFY_GOOD &&
	       diagnostics.errors > differences;
}

/* Its checksum is one difference. */
static bool is_found(struct arena *arena, const char *path, const char *text)
{
	return is_refused_beyond(arena, path, text, 1);
}

static bool is_refused(struct arena *arena, const char *path, const char *text)
{
	return is_refused_beyond(arena, path, text, 0);
}

/* Its rule; NULL where its value is to stay. */
static char *digit_of_step(char *step, int *rule)
{
	char name[64] = "", *at = strstr(step, " rule=\""), *value = strstr(step, " value=\""), *end = strchr(step, '>');
	if (at == NULL || value == NULL || value > end || sscanf(at, " rule=\"%63[^\"]", name) != 1)
		return NULL;
	*rule = rule_find(name);
	return *rule >= 0 && flips[*rule] < FLIPS ? strchr(value + 8, '"') - 1 : NULL;
}

/* Claims that a report states once: a greater one may be no less than its right side all the same ([JOINT], [CORES]). */
static bool may_be_more(int rule)
{
	return rule == RULE_CLAIM_JITTER || rule == RULE_CLAIM_RESPONSE || rule == RULE_CLAIM_TASK;
}

static long forge(const char *folder, long index)
{
	struct arena *arena = arena_create();
	char *text = read_text(arena, arena_format(arena, "%s/report.xml", folder));
	const char *path = arena_format(arena, "%s/forged.xml", folder);
	long missed = 0;
	int rule;
	for (char *step = text == NULL ? NULL : strstr(text, "<step "); step != NULL; step = strstr(step + 1, "<step ")) {
		char *digit = digit_of_step(step, &rule);
		if (digit == NULL)
			continue;
		for (int by = -1; by <= 1; by += 2) {
			bool digits = *digit + by >= '0' && *digit + by <= '9';
			*digit = (char)(*digit + (digits ? by : 0));
			if (digits && !(by > 0 && may_be_more(rule)) && !is_found(arena, path, text)) {
				fprintf(stderr, "system %ld: a step of rule %s can be changed by %d\n", index, rule_kinds[rule].name, by);
				missed++;
			}
			*digit = (char)(*digit - (digits ? by : 0));
		}
		flips[rule]++;
	}
	arena_destroy(arena);
	return missed;
}

/* Rules of which no drawn system has a step; tests/forge.py has them in its examples. */
static void print_unseen(void)
{
	printf("rules that no system had:");
	for (int i = 0; i < RULE_COUNT; i++)
		printf("%s%s", flips[i] == 0 ? " " : "", flips[i] == 0 ? rule_kinds[i].name : "");
	printf("\n");
}

/* ---- planted faults */

static long seen[PLANT_COUNT], passed[PLANT_COUNT];

/* Why there is no bound is prose, and claims nothing: what is derived. */
static bool derives_the_same(const char *one, const char *other)
{
	const char *steps = strstr(one, "<derivation"), *others = strstr(other, "<derivation");
	return steps == NULL || others == NULL || strcmp(steps, others) == 0;
}

static int claims_of(const char *text)
{
	int count = 0;
	for (const char *at = strstr(text, "<bound "); at != NULL; at = strstr(at + 1, "<bound "))
		count += strncmp(at + strcspn(at, "=") + 1 + strcspn(at + strcspn(at, "=") + 1, " "), " value=", 7) == 0;
	return count;
}

static void analyze_planted(struct arena *arena, const char *folder, int plant, long index)
{
	const char *path = arena_format(arena, "%s/report.xml", folder), *forged = arena_format(arena, "%s/forged.xml", folder);
	const char *honest = read_text(arena, path);
#ifdef GPUBOUND_TESTING
	plant_set(plant);
	bool good = analyze(arena, folder);
	plant_set(-1);
#else
	bool good = false;
#endif
	const char *text = good ? read_text(arena, path) : NULL;
	struct output output = {0};
	output_add(&output, honest);
	(void)output_write(&output, path);
	output_finish(&output);
	if (text == NULL || derives_the_same(honest, text))
		return;
	bool refused = is_refused(arena, forged, text);
	if (!refused && claims_of(text) < claims_of(honest))
		return; /* a fault by which a bound is lost claims nothing wrong */
	seen[plant]++;
	if (refused)
		return;
	passed[plant]++;
	fprintf(stderr, "system %ld: a report of the fault %s is taken for good\n", index, plant_kinds[plant].name);
}

#define PLANTS 5 /* reports of each fault are enough */

static void plant_all(const char *folder, long index)
{
	for (int plant = 0; plant < PLANT_COUNT; plant++) {
		struct arena *arena = arena_create();
		if (seen[plant] < PLANTS)
			analyze_planted(arena, folder, plant, index);
		arena_destroy(arena);
	}
}

/* Those that nothing but verify finds (tests/falsify/run.py: ELSEWHERE), and what it finds of units. */
static long count_missed(void)
{
	static const int here[] = {PLANT_FROZEN, PLANT_SHARE, PLANT_OWN};
	long missed = 0;
	for (size_t i = 0; i < sizeof here / sizeof *here; i++) {
		if (seen[here[i]] > 0)
			continue;
		fprintf(stderr, "the fault %s changes no report of these\n", plant_kinds[here[i]].name);
		missed++;
	}
	return missed;
}

static long print_plants(void)
{
	long bad = count_missed(), kinds = 0;
	printf("faults, reports refused of reports that differ:");
	for (int i = 0; i < PLANT_COUNT; i++) {
		printf(" %s %ld/%ld", plant_kinds[i].name, seen[i] - passed[i], seen[i]);
		bad += passed[i];
		kinds += seen[i] > 0;
	}
	printf("\n");
	return bad + (kinds < PLANT_COUNT / 2);
}

#define KNOWN_PHASES 3 /* a small system of known phases for so many others */
#define ATTEMPTS 50
#define UNITS 12      /* one whose tasks have several units under a lock for so many others */
#define UNITS_TIME 16 /* times the period that was drawn */

/* WCETs of the sizes that there were before the chip was made another one. */
static bool has_sizes(const struct taskset *set)
{
	bool any = false;
	for (int i = 0; i < set->operation_count; i++)
		any |= set->operations[i].size_count > 0;
	return any;
}

/* Of eight one whose kernels configure SMs: the falsifier's own show it too seldom for so few. */
static struct falsify_case draw_alone(struct arena *arena, long index)
{
	struct draw draw = draw_start(SEED + 1, (uint64_t)index);
	struct falsify_case one = generate_case(arena, SEED, (uint64_t)index), configured;
	for (int attempt = 0; one.set != NULL && index % 8 == 6 && attempt < ATTEMPTS; attempt++) {
		struct diagnostics diagnostics;
		diagnostics_init(&diagnostics, arena);
		configured = generate_case(arena, SEED, (uint64_t)index);
		generate_configured(arena, &draw, configured.platform, configured.set);
		if (validate_taskset(configured.platform, configured.set, &diagnostics) && !has_sizes(configured.set))
			return configured;
	}
	return one;
}

/* Has a task several units under a lock? */
static bool has_units(const struct taskset *set)
{
	for (int i = 1; i < set->hold_count; i++)
		if (set->holds[i].task == set->holds[i - 1].task)
			return true;
	return false;
}

/* One with such a task, and time for its units before the next job: a thread that may be late has no bound. */
static struct falsify_case draw_units(struct arena *arena, long index)
{
	for (uint64_t attempt = 0; attempt < ATTEMPTS; attempt++) {
		struct falsify_case one = generate_case(arena, SEED, (uint64_t)index + 1000 * attempt);
		if (one.set == NULL || !has_units(one.set) || one.set->tasks[0].offset != NONE)
			continue;
		for (int t = 0; t < one.set->task_count; t++) {
			struct arrival *arrival = &DRAFT(one.set->tasks)[t].arrival;
			int64_t period = checked_mul(arrival->period, UNITS_TIME);
			*arrival = (struct arrival){.kind = ARRIVAL_PERIODIC, .period = period, .min_distance = NONE, .max_distance = NONE};
		}
		return one;
	}
	return (struct falsify_case){NULL, NULL};
}

static struct falsify_case draw(struct arena *arena, long index, long systems)
{
	if (index >= systems + systems / KNOWN_PHASES)
		return draw_units(arena, index);
	for (uint64_t attempt = 0; index >= systems && attempt < ATTEMPTS; attempt++) {
		struct falsify_case small = generate_small(arena, SEED, (uint64_t)index + 1000 * attempt, attempt);
		if (small.set != NULL && small.set->tasks[0].offset != NONE && small.set->task_count > small.set->stream_count)
			return small;
	}
	struct falsify_case one = draw_alone(arena, index);
	if (one.set != NULL) {
		draw_fragments(&one, index);
		draw_overload(&one, index);
	}
	return one;
}

int main(int count, char **words)
{
	bool plants = count == 4 && strcmp(words[3], "plants") == 0;
	long systems = count == 3 || plants ? strtol(words[1], NULL, 10) : 0, refused = 0, missed = 0, drawn = 0;
	if (systems > 0 && mkdir(words[2], 0777) != 0 && errno != EEXIST)
		return 2;
	for (long i = 0; i < systems + systems / KNOWN_PHASES + systems / UNITS; i++) {
		struct arena *arena = arena_create();
		struct falsify_case one = draw(arena, i, systems);
		if (one.set != NULL) {
			if (!write_case(arena, words[2], &one) || !analyze(arena, words[2])) {
				fprintf(stderr, "system %ld can not be written or read\n", i);
				return 2;
			}
			drawn++;
			refused += !verify(arena, words[2], i);
			if (plants)
				plant_all(words[2], i);
			else
				missed += forge(words[2], i);
		}
		arena_destroy(arena);
	}
	printf("%ld systems, %ld refused; %ld forgeries not found\n", drawn, refused, missed);
	if (plants)
		missed += print_plants();
	else
		print_unseen();
	return refused > 0 || missed > 0 || drawn == 0;
}
