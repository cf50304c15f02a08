/* What a bound is made of adds up to it, for every bound of every task that has a value, of the files and of random systems.
 *
 * - the terms of each list come to its sum, and that is what the list has to come to; of a busy interval it is the bound, of chains the
 *   latest of their streams'
 * - of a segment with a part of a busy interval, by the derivation, the terms are those of that part, also where it is as long as the whole
 * - where a term is so many times so much it is their product; a part is no more than the whole
 * - --explain has words for all of them, and nothing is left over without a name
 * - what shares (report/shares.h) say whose it is adds up to the response; each says of what it is, and none is less than nothing
 * - each kind of terms.def is there in some, but for the seldom ones
 *
 * usage: terms SYSTEMS FOLDER PATTERN...
 */
#include "drawn.h"
#include "model/rules.h"
#include "pipeline.h"
#include "report/explain.h"
#include "report/shares.h"
#include "response/segment.h"
#include "slack/slack.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define SEED 2026

static long kinds[TERM_COUNT], bounds, wrong;

static void complain(const char *path, const char *task, int bound, const char *what, int64_t is, int64_t should)
{
	fprintf(stderr, "%s, %s, %s: %s: %" PRId64 " for %" PRId64 "\n", path, task, bound_kinds[bound].name, what, is, should);
	wrong++;
}

struct asked {
	const char *path, *task;
	int bound;
	int64_t latest; /* of the streams' that were seen */
};

static void check_list(struct asked *asked, const struct terms *terms);

static void check_term(struct asked *asked, const struct term *term)
{
	const struct term_row *row = &term_rows[term->kind];
	kinds[term->kind]++;
	for (int i = 0; term->because != NULL && i < term->because->count; i++)
		kinds[term->because->items[i].kind]++;
	if (term->kind == TERM_STREAM || term->kind == TERM_STREAM_FOUND || term->kind == TERM_STREAM_JOBS || term->kind == TERM_INTERVAL ||
		term->kind == TERM_LEVEL || term->kind == TERM_TT_PATH)
		asked->latest = checked_max(asked->latest, term->amount);
	if (term->kind == TERM_HOLDS)
		asked->latest = checked_max(asked->latest, term->n[0]);
	if (term->list != NULL && term->amount != NONE && term->list->count > 0 && term->list->sum != term->amount)
		complain(asked->path, asked->task, asked->bound, row->text, term->list->sum, term->amount);
	int64_t latest = asked->latest;
	if (term->list != NULL)
		check_list(asked, term->list);
	if (term->kind == TERM_WAY) /* of other streams, too */
		asked->latest = latest;
	if (term->list != NULL)
		return;
	if (term_adds(term) && strstr(row->text, "{product}") != NULL && strncmp(row->text, "turns of ", strlen("turns of ")) != 0 &&
		checked_mul(term->count, term->each) != term->amount)
		complain(asked->path, asked->task, asked->bound, row->text, checked_mul(term->count, term->each), term->amount);
}

static void check_list(struct asked *asked, const struct terms *terms)
{
	int64_t sum = 0;
	for (int i = 0; i < terms->count; i++) {
		check_term(asked, &terms->items[i]);
		sum = checked_add(sum, term_adds(&terms->items[i]) ? terms->items[i].amount : 0);
	}
	if (sum != terms->sum)
		complain(asked->path, asked->task, asked->bound, "a list", sum, terms->sum);
}

static bool is_of_part(const struct terms *terms)
{
	for (int i = 0; i < terms->count; i++)
		if (terms->items[i].kind == TERM_PART_OF)
			return true;
	return false;
}

/* The segments of a task, by the inputs of its bound's step. */
static void check_terms(struct arena *arena, const struct report *report, struct asked *asked, int task)
{
	const struct segments *segments = report->response->basis.segments;
	int root = report->response->tasks[task].bounds[asked->bound].step, segment = -1;
	for (int i = 0; i < derivation_input_count(report->derivation, root); i++) {
		const struct step_input *input = &derivation_inputs(report->derivation, root)[i];
		const struct step *step = derivation_get(report->derivation, input->step);
		bool part = step->rule == RULE_P_PART || step->rule == RULE_VOL_P_PART || step->rule == RULE_P_GPU_PART ||
			    step->rule == RULE_P_PRIO_PART;
		int64_t value = step->value.num;
		struct terms terms = {.arena = arena};
		if (strcmp(input->role, "P") != 0)
			continue;
		while (segments->items[++segment].task != task)
			continue;
		asked->latest = 0;
		response_terms(report->response, (enum bound)asked->bound, segment, value, &terms);
		check_list(asked, &terms);
		if (part != is_of_part(&terms))
			complain(asked->path, asked->task, asked->bound, "terms of a part of its interval", !part, part);
		if (asked->latest != value)
			complain(asked->path, asked->task, asked->bound, "its terms", asked->latest, value);
	}
}

static void check_words(struct arena *arena, const struct report *report, const struct asked *asked, int task)
{
	static const struct slack none = {NONE, NONE, NONE, NONE};
	struct output text = {0};
	report_explain(&text, report, task, &none, false);
	if (strstr(text.text, "no term here") != NULL)
		complain(asked->path, asked->task, asked->bound, "terms are missing", 0, 0);
	if (strstr(text.text, "9223372036854775807") != NULL)
		complain(asked->path, asked->task, asked->bound, "an unknown amount is printed as a number", 0, 0);
	output_finish(&text);
	const struct shares shares = report_shares(arena, report, task);
	for (int i = 0; i < shares.count; i++)
		if (shares.items[i].value < 0 || strstr(shares.items[i].what, "what is before it") != NULL)
			complain(asked->path, asked->task, asked->bound, shares.items[i].what, shares.items[i].value, 0);
	if (shares.sum != report->response->tasks[task].response)
		complain(asked->path, asked->task, asked->bound, "shares", shares.sum, report->response->tasks[task].response);
}

/* As if the bound were the least. */
static void check_bound(const struct report *report, const char *path, int task, int bound)
{
	struct arena *arena = arena_create();
	struct response_of *result = &report->response->tasks[task], kept = *result;
	struct asked asked = {path, report->set->tasks[task].id, bound, 0};
	result->winner = bound;
	result->response = bound_from_nominal((enum bound)bound, &report->set->tasks[task], result->bounds[bound].value);
	check_terms(arena, report, &asked, task);
	check_words(arena, report, &asked, task);
	*result = kept;
	bounds++;
	arena_destroy(arena);
}

static bool check_file(const char *path)
{
	static const char *const arguments[] = {"analyze", NULL};
	struct pipeline_options options = {0};
	struct pipeline pipeline;
	pipeline_init(&pipeline);
	bool good = pipeline_run(&pipeline, path, &options);
	if (good) {
		const struct report report = pipeline_report(&pipeline, &options, arguments, 1);
		for (int task = 0; task < report.set->task_count; task++)
			for (int bound = 0; bound < BOUND_COUNT; bound++)
				if (!checked_is_none(report.response->tasks[task].bounds[bound].value))
					check_bound(&report, path, task, bound);
	} else {
		fprintf(stderr, "%s is not analysed\n", path);
	}
	pipeline_finish(&pipeline);
	return good;
}

/* One in four is small, as those of known phases are. */
static bool check_drawn(const char *folder, long index)
{
	struct arena *arena = arena_create();
	struct falsify_case drawn = generate_case(arena, SEED, (uint64_t)index);
	if (index % 4 == 3)
		drawn = generate_small(arena, SEED, (uint64_t)index, 0);
	bool good = drawn.set == NULL || (write_case(arena, folder, &drawn) && check_file(arena_format(arena, "%s/taskset.xml", folder)));
	arena_destroy(arena);
	return good;
}

/* Kernels of a higher level of which it is least to count the dearest that was there, and all that come: of 40,000 bounds none had them. A
 * window that a server fills from end to end: one in 20,000. Critical paths that end where no order has the time: none of these systems. */
static bool is_seldom(int kind)
{
	return kind == TERM_HIGHER || kind == TERM_HIGHER_DEAREST || kind == TERM_WINDOW_DEAREST_HIGHER || kind == TERM_SAMPLES_ABOVE ||
	       kind == TERM_BLOCKS_ABOVE || kind == TERM_BUSY || kind == TERM_TT_HULL || kind == TERM_TT_UNKNOWN ||
	       kind == TERM_TT_FROM_ZERO;
}

/* Kinds that were nowhere: of these terms nobody knows whether they are right. */
static long print_unseen(void)
{
	long unseen = 0;
	for (int i = 0; i < TERM_COUNT; i++) {
		if (kinds[i] > 0 || is_seldom(i))
			continue;
		fprintf(stderr, "no bound has a term of this kind: %s\n", term_rows[i].text);
		unseen++;
	}
	return unseen;
}

static bool check_files(const char *pattern)
{
	glob_t files;
	bool good = glob(pattern, 0, NULL, &files) == 0;
	for (size_t i = 0; good && i < files.gl_pathc; i++)
		good = check_file(files.gl_pathv[i]);
	globfree(&files);
	return good;
}

int main(int count, char **words)
{
	long systems = count > 2 ? strtol(words[1], NULL, 10) : 0;
	bool good = count > 2;
	if (good)
		(void)mkdir(words[2], 0777);
	for (long i = 0; i < systems && good; i++)
		good = check_drawn(words[2], i);
	for (int i = 3; i < count && good; i++)
		good = check_files(words[i]);
	printf("%ld bounds, %ld faults\n", bounds, wrong);
	return !good || wrong > 0 || print_unseen() > 0;
}
