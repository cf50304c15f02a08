/* The three forms of a report, from results filled in by hand: one task proven, one not, one without bound. */
#include "report/report.h"

#include "model/rules.h"
#include "unit/run.h"

#include <string.h>

static struct arena *arena;
static struct derivation derivation;
static struct diagnostics diagnostics;
static struct platform platform;
static struct taskset set;
static struct map map;
static struct channels channels;
static struct inflation inflation;
static struct response response;
static struct report report;

static struct origin origin = {.id = "demo",
	.kind = ORIGIN_MEASURED,
	.source = "a <trace> & more",
	.file = "run.csv",
	.samples = 2000,
	.clock_sm = NONE,
	.clock_memory = NONE,
	.line = 3};
static struct application application = {"vision", NONE, 4};
static struct stream streams[] = {
	{"s0", 0, 0, STREAM_BLOCKING, 5}, {"a-stream-with-a-name-longer-than-its-column-can-be", 0, 0, STREAM_BLOCKING, 6}};
static struct task tasks[] = {
	{.id = "fine", .requirement = "SYS-7", .deadline = 33000000, .operation_count = 1, .line = 7},
	{.id = "late", .deadline = 1000, .first_operation = 1, .operation_count = 1, .line = 9},
	{.id = "lost", .deadline = NONE, .first_operation = 2, .operation_count = 1, .line = 11},
};
static struct operation operations[] = {
	{.id = "k", .kind = OPERATION_KERNEL, .event = NO_ID, .wcet = 1000, .line = 8, .kernel = {.blocks = 4, .threads = 64}},
	{.id = "c", .kind = OPERATION_COPY, .stream = 1, .event = NO_ID, .wcet = 1500, .line = 10},
	{.id = "w", .kind = OPERATION_WAIT, .stream = 1, .wcet = NONE, .line = 12},
};
static struct response_of results[5];
static bool left_out[3];
static int members[] = {0, 1};
static struct end_to_end flow = {"sensor-to-brake", "SYS-9", END_TO_END_REACTION, 1000, members, 2, 13};
static struct end_to_end_result end_to_end_result = {NONE, "a task of it has no bound", VERDICT_NO_BOUND, STEP_ABSENT};
static struct kernel_map kernels[3];
static struct inflated inflated[3];
static struct channel channel = {"l2", "the level-2 cache", "nobody", false};

/* A result with one bound of `value`, derived by `step`; NONE: none, for `reason`. */
static struct response_of result(int64_t value, int64_t deadline, int step, const char *reason)
{
	struct response_of made = {
		.response = value, .deadline = deadline, .winner = value == NONE ? -1 : 0, .step = step, .assumptions = 1};
	for (int i = 0; i < BOUND_COUNT; i++)
		made.bounds[i] = (struct bound_value){NONE, reason != NULL ? reason : "not needed", STEP_ABSENT, 0};
	if (value != NONE)
		made.bounds[0] = (struct bound_value){value, NULL, step, 1};
	made.verdict = value == NONE ? VERDICT_NO_BOUND : deadline != NONE && value > deadline ? VERDICT_NOT_PROVEN : VERDICT_PROVEN;
	made.advice = made.verdict == VERDICT_PROVEN
			      ? NULL
			      : "a long advice that goes on and on, so that it has to be wrapped before it reaches the end of "
				"the line, and then once more because it is really very long indeed";
	return made;
}

/* Steps 0 (not reachable), 1 (given), 2 (from 1). */
static void fill_derivation(void)
{
	derivation_init(&derivation, arena);
	derivation_integer(&derivation, RULE_GIVEN, "task:fine@period", 7);
	derivation_integer(&derivation, RULE_GIVEN, "task:fine/op:k@wcet", 1000);
	derivation_step(&derivation, RULE_GIVEN, "task:fine", rational_make(40285714, 2));
	derivation_input(&derivation, "C", 1);
}

static void fill_results(void)
{
	results[0] = result(20142857, 33000000, 2, NULL);
	results[1] = result(1500, 1000, 2, NULL);
	results[2] = result(NONE, NONE, STEP_ABSENT, "the utilisation is one or more");
	results[3] = result(20142857, 33000000, 2, NULL);
	results[4] = result(NONE, NONE, STEP_ABSENT, "overflow");
	for (int i = 0; i < 3; i++)
		inflated[i] = (struct inflated){NONE, RATIONAL_NONE, "no factor", STEP_ABSENT, STEP_ABSENT, 0};
	response = (struct response){&end_to_end_result, results, results + 3, VERDICT_NO_BOUND, left_out};
	kernels[0] = (struct kernel_map){.is_kernel = true, .sized = true, .slots_greatest = NONE, .slots_least = 8, .foreign_warps = NONE};
	kernels[0].occupancy =
		(struct occupancy){.limit = {32, 32, NONE, 2}, .binding = RESOURCE_SHARED, .whole = 2, .greatest = 2, .least = 1};
	kernels[0].occupancy.demand.shared = 5;
}

static void setup(void)
{
	arena = arena_create();
	diagnostics_init(&diagnostics, arena);
	diagnose(&diagnostics, DIAGNOSTIC_FILE_TOO_LARGE, "/where/ever/board.xml", 3, "a \"quoted\" %s", "word");
	platform = (struct platform){.path = "/where/ever/board.xml", .hash = "00", .bytes = 10, .id = "board", .name = "A Board"};
	platform.parameters[PARAMETER_SM_SHARED] = (struct quantity){.present = true, .value = 16};
	set = (struct taskset){
		.path = "set.xml", .text = "twenty bytes of text", .bytes = 20, .id = "set", .origins = &origin, .origin_count = 1};
	set.applications = &application, set.application_count = 1;
	set.streams = streams, set.stream_count = 2;
	set.tasks = tasks, set.task_count = 3;
	set.operations = operations, set.operation_count = 3;
	set.end_to_end = &flow, set.end_to_end_count = 1;
	fill_derivation();
	fill_results();
	map = (struct map){kernels};
	inflation = (struct inflation){inflated};
	channels = (struct channels){&channel, 1};
	report =
		(struct report){&platform, "board", &set, NULL, &map, &channels, &inflation, &response, &derivation, &diagnostics, NULL, 0};
}

static void teardown(void)
{
	arena_destroy(arena);
}

START_TEST(test_csv)
{
	struct output output = {0};
	report_csv_header(&output);
	report_csv(&output, &report);
	ck_assert_str_eq(output.text, "kind,task,stream,response_ns,deadline_ns,verdict,bound\n"
				      "task,fine,,20142857,33000000,proven,VOL-P\n"
				      "task,late,,1500,1000,not-proven,VOL-P\n"
				      "task,lost,,,,no-bound,\n"
				      "stream,,s0,20142857,33000000,proven,VOL-P\n"
				      "stream,,a-stream-with-a-name-longer-than-its-column-can-be,,,no-bound,\n"
				      "chain,sensor-to-brake,,,1000,no-bound,reaction\n");
	output_finish(&output);
}
END_TEST

START_TEST(test_text)
{
	struct output output = {0};
	report_text(&output, &report, false);
	ck_assert_ptr_nonnull(strstr(output.text, "20.143 ms~"));
	ck_assert_ptr_nonnull(strstr(output.text, "12.857 ms~"));
	ck_assert_ptr_nonnull(strstr(output.text, "utilisation"));
	ck_assert_ptr_nonnull(strstr(output.text, "A-WCET"));
	ck_assert_ptr_null(strchr(output.text, '\033'));
	for (const char *line = output.text; *line != '\0'; line += strcspn(line, "\n") + 1)
		ck_assert_msg(strcspn(line, "\n") <= 100, "%s", line);
	output_finish(&output);
}
END_TEST

START_TEST(test_colour)
{
	struct output output = {0};
	report_text(&output, &report, true);
	ck_assert_ptr_nonnull(strstr(output.text, "\033[31mnot-proven\033[0m"));
	output_finish(&output);
}
END_TEST

static const char *const in_xml[] = {
	"verdict=\"no-bound\" taskset=\"set\" platform=\"board\"",
	"source=\"a &lt;trace&gt; &amp; more\"",
	"file=\"board\" line=\"3\">a \"quoted\" word<",
	"<step id=\"s1\" rule=\"given\" about=\"task:fine/op:k@wcet\" value=\"1000\" unit=\"ns\" at=\"set.xml:8\" origin=\"demo\"/>",
	"<step id=\"s2\" rule=\"given\" about=\"task:fine\" value=\"20142857\">",
	"<from role=\"C\" step=\"s1\"/>",
	"<bound name=\"VOL-P\" value=\"1500\" step=\"s2\" assumptions=\"A-WCET\"/>",
	"tasks-in=\"3\" tasks-out=\"3\" streams-in=\"2\" streams-out=\"2\" operations-in=\"3\" operations-out=\"3\" chains-in=\"1\" "
	"chains-out=\"1\"",
	"slack=\"-500\"",
	"used=\"5/8\" percent=\"62.5\"",
	"requirement=\"SYS-7\"",
	"<chain id=\"sensor-to-brake\" kind=\"reaction\" line=\"13\" requirement=\"SYS-9\" verdict=\"no-bound\" deadline=\"1000\" "
	"reason=\"a task of "
	"it has no bound\">",
};

START_TEST(test_xml)
{
	struct output output = {0};
	report_xml(&output, &report);
	ck_assert_msg(strstr(output.text, in_xml[_i]) != NULL, "%s is not in %.3000s", in_xml[_i], strstr(output.text, "<results>"));
	ck_assert_ptr_null(strstr(output.text, "@period"));
	ck_assert_ptr_null(strstr(output.text, "/where/ever"));
	output_finish(&output);
}
END_TEST

START_TEST(test_not_utf8)
{
	static const struct {
		const char *text, *xml;
	} cases[] = {{"a\xff", "a\\xFF"}, {"\xc3\xa4", "\xc3\xa4"}, {"\xc0\x80", "\\xC0\\x80"}, {"\xed\xa0\x80", "\\xED\\xA0\\x80"},
		{"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"}, {"\xe4\xb8", "\\xE4\\xB8"}, {"\x1b", "\\x1B"},
		{"\xef\xbf\xbf", "\\xEF\\xBF\\xBF"}};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct output output = {0};
		output_add_xml(&output, cases[i].text);
		ck_assert_str_eq(output.text, cases[i].xml);
		output_finish(&output);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("report");
	TCase *tcase = tcase_create("forms");
	tcase_add_checked_fixture(tcase, setup, teardown);
	tcase_add_test(tcase, test_csv);
	tcase_add_test(tcase, test_text);
	tcase_add_test(tcase, test_colour);
	tcase_add_loop_test(tcase, test_xml, 0, (int)(sizeof in_xml / sizeof *in_xml));
	tcase_add_test(tcase, test_not_utf8);
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
