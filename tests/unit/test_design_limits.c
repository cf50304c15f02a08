/* [DESIGN-LIMITS] against the analysis: of drawn task sets every design there is, with its processes, slices, levels and locks as they
 * become known, is none better than what the limits say. And branch and bound against all designs: it finds one as good as the best. */
#include "run.h"

#include "advise/bounded_search.h"
#include "advise/design_limits.h"

#define SETS 30
#define MOST 3000
#define SWITCH 20000 /* ns: runlist.switch below */

static const char head[] =
	"<taskset xmlns=\"urn:gpubound:taskset:1\" id=\"drawn\" platform=\"jetson-agx-orin\" origin=\"o\"><title>drawn</title>"
	"<origins><origin id=\"o\" kind=\"declared\" source=\"made up\" by=\"the tests\"/></origins>"
#define DECLARE(name, value) "<declare name=\"" name "\" value=\"" value "\" source=\"made up\" by=\"the tests\"/>"
#define ASSUME(id) "<assume id=\"" id "\" source=\"made up\" by=\"the tests\"/>"
	DECLARE("overhead.launch", "1us") DECLARE("overhead.block", "10ns") DECLARE("overhead.dependency", "1us") DECLARE(
		"overhead.copy", "1us") DECLARE("queues.priorities", "3") DECLARE("queues.hardware", "32") DECLARE("queues.resident-grids",
		"128") DECLARE("engine.h2d", "0") DECLARE("engine.d2h", "1") DECLARE("copy-runlist", "own")
		DECLARE("concurrent-kernels", "yes") DECLARE("runlist.timeslice", "700us") DECLARE("runlist.switch", "20us") ASSUME(
			"A-WC") ASSUME("A-HOL") ASSUME("A-PRIO")
			ASSUME("A-RUNLIST") "<interference from=\"all\" victim=\"any\" value=\"1.1\" source=\"made up\" by=\"the tests\"/>";

static void add_task(struct output *text, struct random *random, int number, bool phased, bool hosts)
{
	int64_t period = random_between(random, 6, 60);
	output_print(text, "<task id=\"t%d\" period=\"%dms\" deadline=\"%dms\"", number, (int)period,
		(int)random_between(random, period / 2 + 1, period));
	if (phased)
		output_print(text, " offset=\"%dms\"", (int)random_below(random, 6));
	output_add(text, ">");
	if (hosts && random_chance(random, 15))
		output_print(text, "<host id=\"h%d\" bcet=\"0ms\" wcet=\"%dus\"/>", number, (int)random_between(random, 10, 3000));
	int operations = 1 + (int)random_below(random, 3);
	for (int i = 0; i < operations; i++) {
		const char *scope =
			random_chance(random, 50) ? "scope=\"grid\"" : "scope=\"block\" grid=\"16\" block=\"512\" registers=\"32\"";
		if (random_chance(random, 20))
			output_print(text, "<copy id=\"c%d-%d\" stream=\"s%d\" direction=\"h2d\" wcet=\"%dus\"/>", number, i, number,
				(int)random_between(random, 10, 300));
		else
			output_print(text, "<kernel id=\"k%d-%d\" stream=\"s%d\" %s wcet=\"%dus\"/>", number, i, number, scope,
				(int)random_between(random, 20, 700));
	}
	output_add(text, "</task>");
}

/* hosts: with host segments, and phases. */
static void draw(struct output *text, uint64_t number, bool hosts)
{
	static const char *const freedoms[] = {"<freedom slices=\"300us 1ms\"/>", "<freedom slices=\"500us\" hold=\"50us\"/>",
		"<freedom slices=\"2ms\" streams=\"free\"/>"};
	struct random random;
	random_seed(&random, 20261124, number);
	bool apart = random_chance(&random, 50), at_blocks = number % 2 == 1, phased = hosts && number % 5 == 4;
	output_add(text, head);
	output_print(text, DECLARE("preemption", "%s"), at_blocks ? "block" : "instruction");
	for (int i = 0; i < 3; i++)
		output_print(text, "%s<stream id=\"s%d\" kind=\"non-blocking\" priority=\"%d\"/>%s",
			!apart && i > 0 ? ""
			: i == 0        ? "<application id=\"p0\">"
			: i == 1        ? "<application id=\"p1\" timeslice=\"400us\">"
					: "<application id=\"p2\">",
			i, (int)random_below(&random, 3), apart || i == 2 ? "</application>" : "");
	for (int i = 0; i < 3; i++)
		add_task(text, &random, i, phased, hosts);
	output_print(text, "%s</taskset>", freedoms[random_below(&random, 3)]);
}

static int proven, proved, limited; /* designs, and searches, that said something */

struct drawn {
	struct output text;
	struct pipeline stated;
	struct pipeline_options options;
	struct space space;
	struct appraising appraising;
};

static void begin(struct drawn *drawn, int number, bool hosts)
{
	*drawn = (struct drawn){0};
	draw(&drawn->text, (uint64_t)number, hosts);
	drawn->options = (struct pipeline_options){.results_only = true, .solver_iterations = RESPONSE_SOLVER_ITERATIONS};
	drawn->options.wishes.text = drawn->text.text;
	pipeline_init(&drawn->stated);
	bool good = pipeline_run(&drawn->stated, "drawn.xml", &drawn->options);
	if (!good)
		diagnostics_print(&drawn->stated.diagnostics, 0, LEVEL_ERROR, false, stderr);
	ck_assert(good);
	space_find(&drawn->space, drawn->stated.arena, drawn->stated.platform, drawn->stated.set, drawn->text.text);
	drawn->appraising = (struct appraising){&drawn->space, &drawn->options, 0};
}

static void end(struct drawn *drawn)
{
	pipeline_finish(&drawn->stated);
	output_finish(&drawn->text);
}

/* None of the numbers by which designs are compared is better than the limit. */
static void is_within(const struct appraisal *design, const struct appraisal *limit)
{
	ck_assert_int_ge(design->response, limit->response); /* NONE is the greatest */
	if (!verdict_meets(design->verdict))
		return;
	ck_assert_int_ge(design->verdict, limit->verdict);
	ck_assert_int_ge(design->vouched, limit->vouched);
	ck_assert(checked_is_none(limit->slack) || (!checked_is_none(design->slack) && design->slack <= limit->slack));
}

/* What no analysis is below. Where phases are given others may never come. Where slices end at blocks each kernel may be of one wave of
 * blocks, so that it is served whole in the turn in which it begins: the run of [DESIGN-LIMITS] (turns) has one turn of each other process.
 */
static void is_possible(const struct drawn *drawn, const struct plan *plan, const struct appraisal *limit)
{
	const struct taskset *set = drawn->stated.set;
	int64_t own = 0, others = 0, contexts = plan_contexts(&drawn->space, plan);
	for (int t = 0; t < set->task_count; t++) {
		int64_t sum = 0, longest = 0;
		for (int i = 0; i < set->tasks[t].operation_count; i++) {
			sum += task_operation(set, &set->tasks[t], i)->wcet;
			longest = checked_max(longest, task_operation(set, &set->tasks[t], i)->wcet);
		}
		own = t == drawn->appraising.task ? sum : own;
		others += t == drawn->appraising.task ? 0 : longest;
	}
	bool turns = plan->locking != LOCKING_FIFO && plan->locking != LOCKING_PRIORITY;
	if (!checked_is_none(set->tasks[0].offset))
		ck_assert_int_le(limit->response, own);
	else if (drawn->stated.platform->preemption == PREEMPTION_BLOCK && turns)
		ck_assert_int_le(limit->response, own + others + contexts * SWITCH);
}

/* As regions_walk has it: neither levels nor slices nor streams are given. */
static struct plan region_of(const struct drawn *drawn, const struct plan *plan)
{
	struct plan region = *plan;
	memset(region.slice, KEPT, sizeof region.slice);
	memcpy(region.level, drawn->space.stated.level, sizeof region.level);
	region.levels = region.one_stream = false;
	return region;
}

static void check_plan(const struct drawn *drawn, const struct limits *limits, const struct plan *plan)
{
	struct appraisal of = appraise(&drawn->appraising, plan);
	struct plan region = region_of(drawn, plan);
	if (of.refused)
		return;
	proven += verdict_meets(of.verdict);
	for (int slices = 0; slices <= plan_contexts(&drawn->space, plan); slices++) {
		struct appraisal limit = limits_of(limits, plan, ALL_GIVEN, slices);
		is_within(&of, &limit);
		is_possible(drawn, plan, &limit);
	}
	struct appraisal whole = limits_of(limits, &region, ALL_GIVEN, -1);
	is_within(&of, &whole);
	region.split = true;
	for (int groups = 0; groups < 3 && plan->locking == LOCKING_KEPT && !plan->merged; groups++) {
		struct appraisal limit = limits_of(limits, &region, groups, 0);
		is_within(&of, &limit);
	}
}

START_TEST(test_no_design_is_better)
{
	struct drawn drawn;
	begin(&drawn, _i, _i % 3 == 2);
	struct arena *arena = arena_create();
	int count;
	struct plan *plans = regions_list(&drawn.space, MOST, &count);
	ck_assert_ptr_nonnull(plans);
	for (drawn.appraising.task = 0; drawn.appraising.task < 3; drawn.appraising.task++) {
		struct limits *limits = limits_find(arena, &drawn.space, drawn.appraising.task);
		for (int i = drawn.appraising.task; i < count; i += 3)
			check_plan(&drawn, limits, &plans[i]);
	}
	arena_destroy(arena);
	end(&drawn);
}
END_TEST

/* By any measure: proved to be the best is as good as the best of all, and the limit is not passed by it. */
START_TEST(test_branch_and_bound)
{
	struct drawn drawn;
	begin(&drawn, _i, true);
	for (enum advise_by by = BY_ASSUMPTIONS; by <= BY_RESPONSE; by++) {
		struct search_options options = {.by = by, .most = MOST, .threads = 1, .seed = 1};
		struct findings all = search_run(drawn.stated.arena, &drawn.appraising, &options);
		ck_assert(all.exhaustive);
		for (int most = all.total - 1; most > 2; most = most * 2 / 3) {
			options.most = most;
			struct findings some = search_run(drawn.stated.arena, &drawn.appraising, &options);
			const struct appraisal *best = &all.items[0].appraisal, *found = &some.items[0].appraisal;
			ck_assert(!some.exhaustive && some.count <= most && !(some.proved && some.limited));
			proved += some.proved;
			limited += some.limited;
			if (some.proved)
				ck_assert_int_eq(search_compare(by, found, best), 0);
			if (some.limited)
				ck_assert_int_le(search_compare(by, &some.limit, best), 0);
		}
	}
	end(&drawn);
}
END_TEST

START_TEST(test_said_something)
{
	ck_assert_int_ge(proven, 250);
	ck_assert_int_ge(proved, 5);
	ck_assert_int_ge(limited, 10);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("design_limits");
	TCase *cases = tcase_create("drawn");
	tcase_set_timeout(cases, 0);
	tcase_add_loop_test(cases, test_no_design_is_better, 0, SETS);
	tcase_add_loop_test(cases, test_branch_and_bound, 0, SETS / 2);
	tcase_add_test(cases, test_said_something);
	suite_add_tcase(suite, cases);
	return run_suite(suite);
}
