/* The falsifier's systems: valid, drawn again from the same seed, and the same after a walk through XML. */
#include "falsify/generate_parts.h"
#include "write/write.h"
#include "input/input.h"
#include "response/analysis.h"
#include "timing/sizes.h"
#include "unit/run.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define SYSTEMS 200

static struct response *analyze(struct arena *arena, const struct platform *platform, const struct taskset *set)
{
	struct derivation derivation;
	derivation_init(&derivation, arena);
	set = sizes_take_all(arena, platform, set);
	struct map *map = map_build(arena, platform, set);
	return analysis_compute(arena, platform, set, map, &derivation, RESPONSE_SOLVER_ITERATIONS, NULL).response;
}

struct texts {
	struct output platform, set;
};

static struct texts text_of(const struct platform *platform, const struct taskset *set)
{
	struct texts texts = {{0}, {0}};
	write_platform(&texts.platform, platform, NULL);
	write_taskset(&texts.set, set, "./platform.xml", NULL);
	return texts;
}

static void finish(struct texts *texts)
{
	output_finish(&texts->platform);
	output_finish(&texts->set);
}

static void same_bounds(const struct response *a, const struct response *b, int tasks)
{
	for (int i = 0; i < tasks; i++)
		for (int j = 0; j < BOUND_COUNT; j++)
			ck_assert_int_eq(a->tasks[i].bounds[j].value, b->tasks[i].bounds[j].value);
}

static void walk(const char *folder, uint64_t index)
{
	struct arena *arena = arena_create();
	struct falsify_case made = generate_case(arena, 1, index);
	ck_assert_ptr_nonnull(made.set);
	struct texts before = text_of(made.platform, made.set);
	const char *platform_path = arena_format(arena, "%s/platform.xml", folder), *set_path = arena_format(arena, "%s/set.xml", folder);
	ck_assert(output_write(&before.platform, platform_path) && output_write(&before.set, set_path));
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform;
	const struct taskset *set = input_read_taskset(arena, &diagnostics, &folders, set_path, NULL, &platform);
	if (set == NULL)
		diagnostics_print(&diagnostics, 0, LEVEL_ERROR, false, stderr);
	ck_assert_msg(set != NULL, "system %d is refused", (int)index);
	struct texts after = text_of(platform, set);
	ck_assert_str_eq(before.platform.text, after.platform.text);
	ck_assert_str_eq(before.set.text, after.set.text);
	same_bounds(analyze(arena, made.platform, made.set), analyze(arena, platform, set), set->task_count);
	finish(&before);
	finish(&after);
	unlink(platform_path);
	unlink(set_path);
	arena_destroy(arena);
}

START_TEST(round_trip)
{
	char folder[] = "/tmp/gpubound-generate-XXXXXX";
	ck_assert_ptr_nonnull(mkdtemp(folder));
	for (uint64_t i = 0; i < SYSTEMS; i++)
		walk(folder, i);
	rmdir(folder);
}
END_TEST

START_TEST(same_seed)
{
	struct arena *arena = arena_create();
	for (uint64_t i = 0; i < SYSTEMS; i++) {
		struct falsify_case first = generate_case(arena, 7, i), second = generate_case(arena, 7, i);
		struct texts a = text_of(first.platform, first.set), b = text_of(second.platform, second.set);
		ck_assert_str_eq(a.platform.text, b.platform.text);
		ck_assert_str_eq(a.set.text, b.set.text);
		finish(&a);
		finish(&b);
	}
	arena_destroy(arena);
}
END_TEST

/* What is put in before it moves the sequence whose company was measured, and the company says so. */
START_TEST(company_moves)
{
	struct arena *arena = arena_create();
	int64_t moved = 0;
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct falsify_case made = generate_case(arena, 1, i);
		for (int k = 0; k < made.set->company_count; k++) {
			struct measured_company *companies = arena_allocate(arena, 1, sizeof *companies);
			struct taskset with = *made.set;
			const char *id = with.operations[made.set->companies[k].operation].id;
			*companies = made.set->companies[k];
			with.companies = companies, with.company_count = 1;
			with.tasks = memcpy(arena_allocate(arena, (size_t)with.task_count, sizeof *with.tasks), made.set->tasks,
				(size_t)with.task_count * sizeof *with.tasks);
			generate_insert(arena, &with, 0, with.tasks[0].first_operation, &(struct operation){.id = "new"});
			ck_assert_str_eq(with.operations[companies->operation].id, id);
			ck_assert_str_eq(with.operations[with.tasks[0].first_operation].id, "new");
			moved++;
		}
	}
	ck_assert_int_ge(moved, 20);
	arena_destroy(arena);
}
END_TEST

/* Each bound applies to many of the systems; a generator that finds none falsifies nothing. FP wants tasks of one kernel, TT offsets in a
 * single context, LOCK all work under a lock, P-PRIO contexts with priorities, of which no other bound has a value, P-GPU several without:
 * they are rarer; hunt_ranks draws more of P-PRIO and hunt_phases of TT. */
START_TEST(bounds_apply)
{
	static const int least_percent[BOUND_COUNT] = {[BOUND_VOL_P] = 35,
		[BOUND_P] = 35,
		[BOUND_P_GPU] = 5,
		[BOUND_P_PRIO] = 1,
		[BOUND_FP] = 5,
		[BOUND_TT] = 3,
		[BOUND_LOCK] = 4};
	int count[BOUND_COUNT] = {0};
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		struct falsify_case made = generate_case(arena, 3, i);
		struct response *response = analyze(arena, made.platform, made.set);
		for (int j = 0; j < BOUND_COUNT; j++)
			count[j] += response->tasks[0].bounds[j].value != NONE;
		arena_destroy(arena);
	}
	for (int j = 0; j < BOUND_COUNT; j++)
		ck_assert_msg(count[j] * 20 >= SYSTEMS * (least_percent[j] > 0 ? least_percent[j] : 10), "%s applies to %d of %d systems",
			bound_kinds[j].name, count[j], 5 * SYSTEMS);
}
END_TEST

static bool calls(const struct taskset *set)
{
	bool any = false;
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0; i < set->tasks[t].operation_count; i++)
			any |= task_returns(set, &set->tasks[t], i);
	return any;
}

/* Are queues scarce, and some streams idle that may hold one? */
static bool idles(const struct platform *platform, const struct taskset *set)
{
	bool any = false;
	if (platform_value(platform, PARAMETER_QUEUES_HARDWARE) > set->stream_count)
		return false;
	for (int s = 0; s < set->stream_count; s++) {
		bool used = false;
		for (int i = 0; i < set->operation_count; i++)
			used |= set->operations[i].stream == s;
		any |= !used;
	}
	return any;
}

/* Threads that wait for copies, and streams without work beside queues that are scarce. */
START_TEST(host_side)
{
	int waiting = 0, idle = 0, vouched = 0;
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		struct falsify_case made = generate_case(arena, 3, i);
		waiting += calls(made.set);
		idle += idles(made.platform, made.set);
		vouched += idles(made.platform, made.set) && platform_grants(made.platform, ASSUMPTION_QUEUE);
		arena_destroy(arena);
	}
	ck_assert_msg(waiting >= 5 * SYSTEMS / 50 && idle >= 5 * SYSTEMS / 20 && vouched > 0 && vouched < idle,
		"of %d systems %d have a synchronous call, %d idle streams, %d of these with A-QUEUE", 5 * SYSTEMS, waiting, idle, vouched);
	printf("of %d systems %d have a synchronous call, %d idle streams, %d of these with A-QUEUE\n", 5 * SYSTEMS, waiting, idle,
		vouched);
}
END_TEST

/* Tasks with two operations or more that may be nodes, one behind the other on a stream; such graphs; what is in them and around them. */
struct graphed {
	int permit, graphed, several, beside, copies, memsets, runs;
};

static bool may_join(const struct operation *a, const struct operation *b)
{
	bool host = a->kind >= OPERATION_FRAGMENT || b->kind >= OPERATION_FRAGMENT;
	bool whole = (operation_is_span(a) && !a->span.single) || (operation_is_span(b) && !b->span.single);
	return !host && !whole && a->stream == b->stream && !a->copy.synchronous && !b->copy.synchronous;
}

static void count_graphs(struct graphed *graphed, const struct taskset *set)
{
	bool permits = false, joined = false, beside = false, copies = false, memsets = false, runs = false;
	int graphs = 0, streams = 0, of_stream[64] = {0};
	for (int t = 0; t < set->task_count; t++)
		for (int i = 0, count; i < set->tasks[t].operation_count; i += count) {
			const struct operation *first = task_operation(set, &set->tasks[t], i);
			count = task_launched(set, &set->tasks[t], i);
			permits |= i + 1 < set->tasks[t].operation_count && may_join(first, first + 1);
			joined |= count > 1;
			graphs += first->graph != 0;
			streams += first->graph != 0 && of_stream[first->stream]++ == 0;
			beside |= first->graph == 0 && first->stream != NO_ID && (i > 0 || count < set->tasks[t].operation_count);
			for (int j = 0; j < count && first->graph != 0; j++) {
				copies |= first[j].kind == OPERATION_COPY;
				memsets |= first[j].kind == OPERATION_MEMSET;
				runs |= count > 1 && operation_is_span(&first[j]);
				ck_assert(first[j].graph == first->graph && first[j].stream == first->stream && may_join(first, first + j));
			}
		}
	graphed->permit += permits;
	graphed->graphed += permits && joined;
	graphed->several += graphs > streams;
	graphed->beside += graphs > 0 && beside;
	graphed->copies += copies;
	graphed->memsets += memsets;
	graphed->runs += runs;
}

START_TEST(graphs)
{
	struct graphed graphed = {0};
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		count_graphs(&graphed, generate_case(arena, 3, i).set);
		arena_destroy(arena);
	}
	printf("of %d systems %d permit a graph of two nodes and %d have one; %d several in a stream, %d operations beside them, "
	       "%d copies in them, %d memsets, %d runs by their spans\n",
		5 * SYSTEMS, graphed.permit, graphed.graphed, graphed.several, graphed.beside, graphed.copies, graphed.memsets,
		graphed.runs);
	ck_assert(graphed.graphed * 10 >= graphed.permit && graphed.permit >= SYSTEMS);
	ck_assert(graphed.several > 0 && graphed.beside > 0 && graphed.copies > 0 && graphed.memsets > 0 && graphed.runs > 0);
}
END_TEST

/* Streams of a partition with kernels; 0: no stream of it has any. */
static int streams_with_kernels(const struct taskset *set, int partition)
{
	int count = 0;
	for (int s = 0; s < set->stream_count; s++) {
		bool kernels = false;
		for (int i = 0; i < set->operation_count && set->streams[s].partition == partition + 1; i++)
			kernels |= set->operations[i].stream == s && set->operations[i].kind == OPERATION_KERNEL;
		count += kernels;
	}
	return count;
}

/* Kernels are in partitions in one system of ten at least, and in half of these some partition has two streams or more with kernels. */
START_TEST(partitions)
{
	int parted = 0, several = 0, sized = 0;
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		const struct taskset *set = generate_case(arena, 3, i).set;
		int most = 0;
		bool sizes = false;
		for (int p = 0; p < set->partition_count; p++) {
			int streams = streams_with_kernels(set, p);
			most = streams > most ? streams : most;
		}
		for (int k = 0; k < set->operation_count; k++)
			sizes |= set->operations[k].size_count > 0;
		parted += most > 0;
		several += most > 1;
		sized += sizes;
		arena_destroy(arena);
	}
	printf("of %d systems %d have kernels in partitions, %d of these two streams or more with kernels in one; %d WCETs by size\n",
		5 * SYSTEMS, parted, several, sized);
	ck_assert(parted * 10 >= 5 * SYSTEMS && several * 2 >= parted && sized * 20 >= 5 * SYSTEMS);
}
END_TEST

/* Sequences and locks are in one system of ten at least. */
START_TEST(spans_and_locks)
{
	int spans = 0, locks = 0;
	for (uint64_t i = 0; i < 5 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		const struct taskset *set = generate_case(arena, 3, i).set;
		bool any = false;
		for (int k = 0; k < set->operation_count; k++)
			any |= set->operations[k].span.operations > 0;
		spans += any;
		locks += set->exclusive;
		arena_destroy(arena);
	}
	printf("of %d systems %d have a sequence, and in %d all work is done under a lock\n", 5 * SYSTEMS, spans, locks);
	ck_assert(spans * 10 >= 5 * SYSTEMS && locks * 10 >= 5 * SYSTEMS);
}
END_TEST

/* Integrated GPUs with kernels on pinned and on managed memory. */
START_TEST(host_memory)
{
	int integrated = 0, pinned = 0, managed = 0;
	for (uint64_t i = 0; i < 10 * SYSTEMS; i++) {
		struct arena *arena = arena_create();
		struct falsify_case made = generate_case(arena, 3, i);
		bool has[KERNEL_MEMORY_ZERO_COPY + 1] = {false};
		for (int k = 0; made.set != NULL && k < made.set->operation_count; k++)
			has[made.set->operations[k].kernel.memory] = true;
		integrated += made.set != NULL && made.platform->integrated;
		pinned += has[KERNEL_MEMORY_ZERO_COPY];
		managed += has[KERNEL_MEMORY_MANAGED];
		ck_assert(made.set == NULL || made.platform->integrated || !made.set->host_memory);
		arena_destroy(arena);
	}
	printf("of %d systems %d have an integrated GPU, %d kernels on pinned memory, %d on managed memory\n", 10 * SYSTEMS, integrated,
		pinned, managed);
	ck_assert(pinned * 2 >= integrated && pinned > 0);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("generate");
	TCase *tests = tcase_create("generate");
	tcase_add_test(tests, round_trip);
	tcase_add_test(tests, same_seed);
	tcase_add_test(tests, company_moves);
	tcase_add_test(tests, bounds_apply);
	tcase_add_test(tests, host_side);
	tcase_add_test(tests, graphs);
	tcase_add_test(tests, partitions);
	tcase_add_test(tests, spans_and_locks);
	tcase_add_test(tests, host_memory);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
