/* The lists that pages name: each from the table in the program that says the same elsewhere. */
#include "base/diagnostics.h"
#include "input/input.h"
#include "kit/kit.h"
#include "model/rules.h"
#include "report/build_environment.h"
#include "response/response.h"

#include <stdarg.h>
#include <string.h>

struct list {
	struct kit *kit;
	struct kit_table *table;
};

/* Cells up to NULL; the first row says how many there are. */
static void add(const struct list *list, ...)
{
	va_list cells;
	const char *cell;
	int count = 0;
	va_start(cells, list);
	while ((cell = va_arg(cells, const char *)) != NULL)
		count++;
	va_end(cells);
	if (list->table->rows == 0)
		list->table->columns = count;
	va_start(cells, list);
	while ((cell = va_arg(cells, const char *)) != NULL)
		kit_table_add(list->kit->arena, list->table, cell);
	va_end(cells);
}

#define ADD(list, ...) add(list, __VA_ARGS__, (const char *)NULL)

static const char *number(const struct list *list, int n)
{
	return arena_format(list->kit->arena, "%d", n);
}

/* ---- tables of the analysis */

static void fill_assumptions(const struct list *list)
{
	ADD(list, "Assumption", "What is assumed", "Discharged by", "Where a model says nothing");
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const struct assumption_kind *kind = &assumption_kinds[i];
		bool nobody = kind->by_default == STATUS_UNSTATED;
		ADD(list, kind->id, kind->statement, kind->discharge,
			nobody ? "nobody vouches for it" : assumption_status_name(kind->by_default));
	}
}

static void fill_bounds(const struct list *list)
{
	ADD(list, "Bound", "What it is", "Proof");
	for (int i = 0; i < BOUND_COUNT; i++)
		ADD(list, bound_kinds[i].name, bound_kinds[i].meaning, bound_kinds[i].source);
}

/* What is refused because nobody models it; all others are about files that are not what they should be. */
static void fill_refusals(const struct list *list)
{
	ADD(list, "Code", "What is refused", "What to do");
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++)
		if (strncmp(diagnostic_kinds[i].slug, "unsupported-", 12) == 0)
			ADD(list, arena_format(list->kit->arena, "`%s`", diagnostic_kinds[i].slug), diagnostic_kinds[i].meaning,
				diagnostic_kinds[i].remedy);
}

static void fill_sizes(const struct list *list)
{
	int levels[LEVEL_ERROR + 1] = {0};
	for (int i = 0; i < DIAGNOSTIC_COUNT; i++)
		levels[diagnostic_kinds[i].level]++;
	ADD(list, "List", "Rows", "Manual page");
	ADD(list, "requirements", number(list, kit_requirement_count), "this kit");
	ADD(list, "verification cases", number(list, kit_case_count), "this kit");
	ADD(list, "bounds", number(list, BOUND_COUNT), "gpubound-machine(7)");
	ADD(list, "assumptions", number(list, ASSUMPTION_COUNT), "gpubound-machine(7)");
	ADD(list, "rules of the derivation", number(list, RULE_COUNT), "gpubound-report(5)");
	ADD(list, "errors, each a refusal", number(list, levels[LEVEL_ERROR]), "gpubound-diagnostics(7)");
	ADD(list, "warnings and hazards", number(list, levels[LEVEL_WARNING] + levels[LEVEL_HAZARD]), "gpubound-diagnostics(7)");
}

/* ---- requirements, cases, results */

static const char *cases_of(const struct list *list, const char *requirement)
{
	const char *found = "";
	for (int i = 0; i < kit_case_count; i++)
		if (kit_has_word(kit_cases[i].requirements, requirement))
			found = arena_format(list->kit->arena, "%s%s%s", found, *found == '\0' ? "" : " ", kit_cases[i].number);
	return found;
}

/* "gpubound-verify.1" is written gpubound-verify(1). */
static const char *page_name(const struct list *list, const char *page)
{
	size_t length = strlen(page);
	return arena_format(list->kit->arena, "%.*s(%s)", (int)(length - 2), page, page + length - 1);
}

static void fill_requirements(const struct list *list)
{
	ADD(list, "Number", "Requirement", "Use cases", "Stated in", "Cases here", "Tests in the source");
	for (int i = 0; i < kit_requirement_count; i++) {
		const struct kit_requirement *row = &kit_requirements[i];
		ADD(list, row->number, row->statement, row->uses, page_name(list, row->page), cases_of(list, row->number),
			arena_format(list->kit->arena, "`%s`", row->tests));
	}
}

static const char *expectation(const struct list *list, const struct kit_case *row)
{
	switch (row->check) {
	case CHECK_STATUS: return arena_format(list->kit->arena, "exit status %d", row->status);
	case CHECK_SAYS: return arena_format(list->kit->arena, "exit status %d, and it says: `%s`", row->status, row->expected);
	case CHECK_EQUALS:
		return arena_format(
			list->kit->arena, "exit status %d, and the output is that of `kit/expected/%s`", row->status, row->expected);
	case CHECK_SAME: break;
	}
	return arena_format(list->kit->arena, "exit status %d, and these files are the same: `%s`", row->status, row->expected);
}

static void fill_cases(const struct list *list)
{
	ADD(list, "Case", "What it shows", "Requirements", "Command", "Expected");
	for (int i = 0; i < kit_case_count; i++) {
		const struct kit_case *row = &kit_cases[i];
		ADD(list, row->number, row->shows, row->requirements, arena_format(list->kit->arena, "`%s`", row->command),
			expectation(list, row));
	}
}

static void fill_outcomes(const struct list *list)
{
	ADD(list, "Case", "Outcome", "Exit status", "SHA-256");
	for (int i = 0; i < kit_case_count; i++) {
		const struct kit_outcome *outcome = &list->kit->outcomes[i];
		ADD(list, kit_cases[i].number,
			outcome->passed ? "passed" : arena_format(list->kit->arena, "FAILED: %s", outcome->difference),
			outcome->status < 0 ? "none" : number(list, outcome->status),
			arena_format(list->kit->arena, "`%s`", outcome->output));
	}
}

struct tally {
	int passed, skipped, failed, all;
};

static struct tally tally_cases(const struct kit *kit, const char *requirement)
{
	struct tally tally = {0};
	for (int i = 0; i < kit_case_count; i++)
		if (requirement == NULL || kit_has_word(kit_cases[i].requirements, requirement)) {
			tally.passed += kit->outcomes[i].passed;
			tally.failed += !kit->outcomes[i].passed;
			tally.all++;
		}
	return tally;
}

static struct tally tally_tests(const struct kit *kit, const struct kit_requirement *requirement)
{
	struct tally tally = {0};
	for (int i = 0; i < kit->test_count; i++)
		if (requirement == NULL || kit_is_test_of(requirement, &kit->tests[i])) {
			tally.passed += kit->tests[i].verdict == TEST_PASSED;
			tally.skipped += kit->tests[i].verdict == TEST_SKIPPED;
			tally.failed += kit->tests[i].verdict == TEST_FAILED;
			tally.all++;
		}
	return tally;
}

static const char *counted(const struct list *list, struct tally tally)
{
	if (tally.all == 0)
		return "none";
	return arena_format(list->kit->arena, "%d of %d passed%s%s", tally.passed, tally.all,
		tally.skipped > 0 ? arena_format(list->kit->arena, ", %d skipped", tally.skipped) : "",
		tally.failed > 0 ? arena_format(list->kit->arena, ", %d FAILED", tally.failed) : "");
}

/* What was seen here; a test that was skipped shows nothing. */
static const char *judged(struct tally cases, struct tally tests)
{
	if (cases.failed + tests.failed > 0)
		return "REFUTED";
	return cases.passed + tests.passed > 0 ? "passed" : "nothing of it ran";
}

static void fill_coverage(const struct list *list)
{
	ADD(list, "Requirement", "Here", "Cases", "Tests taken in");
	for (int i = 0; i < kit_requirement_count; i++) {
		struct tally cases = tally_cases(list->kit, kit_requirements[i].number),
			     tests = tally_tests(list->kit, &kit_requirements[i]);
		ADD(list, kit_requirements[i].number, judged(cases, tests), counted(list, cases), counted(list, tests));
	}
}

static void fill_summary(const struct list *list)
{
	int of[3] = {0};
	for (int i = 0; i < kit_requirement_count; i++) {
		struct tally cases = tally_cases(list->kit, kit_requirements[i].number),
			     tests = tally_tests(list->kit, &kit_requirements[i]);
		bool refuted = cases.failed + tests.failed > 0;
		of[refuted ? 2 : cases.passed + tests.passed > 0 ? 0 : 1]++;
	}
	ADD(list, "What", "Result");
	ADD(list, "verification cases", counted(list, tally_cases(list->kit, NULL)));
	ADD(list, "tests taken in", counted(list, tally_tests(list->kit, NULL)));
	ADD(list, "requirements, all of it that ran passed", arena_format(list->kit->arena, "%d of %d", of[0], kit_requirement_count));
	ADD(list, "requirements, nothing of it ran", number(list, of[1]));
	ADD(list, "requirements REFUTED", number(list, of[2]));
}

static void fill_tests(const struct list *list)
{
	static const char *const words[] = {[TEST_PASSED] = "passed", [TEST_SKIPPED] = "skipped", [TEST_FAILED] = "FAILED"};
	ADD(list, "Test that did not pass", "Outcome");
	for (int i = 0; i < list->kit->test_count; i++)
		if (list->kit->tests[i].verdict != TEST_PASSED)
			ADD(list, arena_format(list->kit->arena, "`%s`", list->kit->tests[i].name), words[list->kit->tests[i].verdict]);
}

/* ---- configuration */

static void fill_environment(const struct list *list)
{
	ADD(list, "What", "Which");
	for (const struct build_environment_fact *fact = build_environment_facts(list->kit->arena); fact->name != NULL; fact++)
		ADD(list, fact->name, fact->value != NULL ? arena_format(list->kit->arena, "`%s`", fact->value) : "not stated");
	for (int i = 0; i < list->kit->log_count; i++)
		ADD(list, arena_format(list->kit->arena, "results of tests, `%s`", list->kit->logs[i].name),
			arena_format(list->kit->arena, "`%s`", list->kit->logs[i].hash));
}

static void fill_files(const struct list *list)
{
	static const char *const folders[] = {"models", "schema", "kit"};
	ADD(list, "File", "SHA-256");
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		const char *folder = arena_format(list->kit->arena, "%s/%s", list->kit->data, folders[i]);
		for (const char *const *name = kit_folder_files(list->kit->arena, folder); *name != NULL; name++) {
			char hash[HASH_TEXT];
			if (**name != '.' && hash_file(arena_format(list->kit->arena, "%s/%s", folder, *name), hash))
				ADD(list, arena_format(list->kit->arena, "`%s/%s`", folders[i], *name),
					arena_format(list->kit->arena, "`%s`", hash));
		}
	}
}

bool kit_list_fill(struct kit *kit, const char *name, struct kit_table *table)
{
	static const struct {
		const char *name;
		void (*fill)(const struct list *list);
	} lists[] = {{"assumptions", fill_assumptions}, {"bounds", fill_bounds}, {"refusals", fill_refusals}, {"sizes", fill_sizes},
		{"requirements", fill_requirements}, {"cases", fill_cases}, {"outcomes", fill_outcomes}, {"coverage", fill_coverage},
		{"summary", fill_summary}, {"tests", fill_tests}, {"environment", fill_environment}, {"files", fill_files}};
	const struct list list = {kit, table};
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (strcmp(lists[i].name, name) == 0) {
			lists[i].fill(&list);
			return true;
		}
	return false;
}
