/* gpubound advise: a task set in, the designs out that would have bounds. */
#include "advise/search.h"
#include "base/suggest.h"
#include "cli/arguments.h"
#include "cli/assume.h"
#include "cli/interrupt.h"
#include "base/duration_text.h"
#include "report/text_write.h"
#include "slack/reserves.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SHOWN 3
#define DEFAULT_LIMIT 5000
#define GREATEST_LIMIT 1000000
#define NEAREST_KERNELS 3
#define SHOW_AFTER 2 /* seconds: a search that is over before shows no progress on a terminal */
#define LINE_EVERY 10

const struct option options_advise[] = {
	{"output", 'o', "FILE", "write the best design to FILE, a task set (- is standard output)", true},
	{"design", 'd', "NUMBER", "write that of the designs printed, not the best", true},
	{"by", 0, "WHAT", "assumptions (default), slack, or response:TASK: what matters of designs", false},
	{"limit", 0, "N", "try at most so many designs (default 5000)", false},
	{"seed", 's', "NUMBER", "of the search, where there are more designs than that (default 1)", false},
	{"jobs", 'j', "NUMBER", "threads; they change nothing but the time (default: the processors)", true},
	{"platform", 'm', "MODEL", "use this platform model, a name or a path, in place of the task set's", false},
	{"assume", 'a', "ID", "rely on an assumption that the model does not grant; may be repeated", false, true},
	OPTIONS_END,
};

struct advising {
	const struct arguments *arguments;
	struct pipeline stated; /* the task set as it stands */
	struct pipeline_options options;
	struct search_options search;
	struct space space;
	struct appraising appraising;
	struct findings findings;
	int shown[SHOWN], shown_count; /* in findings */
	const char *because[SHOWN];    /* what it is shown for, where its kind is that of another one; else NULL */
	struct output output;
	struct timespec start;
	bool terminal, colour;
	double said;
};

/* ---- progress */

static void show_progress(void *context, int done, int of)
{
	struct advising *advising = context;
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	double passed = (double)(now.tv_sec - advising->start.tv_sec) + (double)(now.tv_nsec - advising->start.tv_nsec) / 1e9;
	if (passed < SHOW_AFTER || (!advising->terminal && passed - advising->said < LINE_EVERY))
		return;
	advising->said = passed;
	fprintf(stderr, "%s%d of %d designs, %.0f s left%s", advising->terminal ? "\r" : "", done, of,
		passed * (double)(of - done) / (double)done, advising->terminal ? "   " : "\n");
}

/* ---- the command line */

/* "response:TASK" is no word of a choice. */
static bool read_by(struct advising *advising)
{
	const char *by = arguments_value(advising->arguments, "by", "assumptions");
	const struct taskset *set = advising->stated.set;
	advising->appraising.task = NO_ID;
	if (strcmp(by, "assumptions") == 0 || strcmp(by, "slack") == 0) {
		advising->search.by = strcmp(by, "slack") == 0 ? BY_SLACK : BY_ASSUMPTIONS;
		return true;
	}
	struct suggestion suggestion = suggest_for(strncmp(by, "response:", 9) == 0 ? by + 9 : by);
	for (int i = 0; i < set->task_count && strncmp(by, "response:", 9) == 0; i++) {
		suggest_offer(&suggestion, set->tasks[i].id);
		if (strcmp(set->tasks[i].id, by + 9) == 0)
			advising->appraising.task = i;
	}
	advising->search.by = BY_RESPONSE;
	if (advising->appraising.task == NO_ID)
		usage_error(advising->arguments->command, "option '--by' wants assumptions, slack or response:TASK, not '%s'%s", by,
			suggest_hint(advising->arguments->arena, suggestion.nearest, '\''));
	return advising->appraising.task != NO_ID;
}

static bool read_numbers(struct advising *advising)
{
	const struct arguments *arguments = advising->arguments;
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	int64_t limit = DEFAULT_LIMIT, seed = 1, jobs = processors > 0 ? processors : 1, design = 1;
	if (!arguments_integer(arguments, "limit", 1, GREATEST_LIMIT, &limit) ||
		!arguments_integer(arguments, "seed", 0, INT64_MAX - 1, &seed) || !arguments_integer(arguments, "jobs", 1, 1024, &jobs) ||
		!arguments_integer(arguments, "design", 1, SHOWN, &design))
		return false;
	advising->search = (struct search_options){.most = (int)limit,
		.threads = (int)jobs,
		.seed = (uint64_t)seed,
		.stop = &interrupted,
		.progress = arguments_has(arguments, "quiet") ? NULL : show_progress,
		.context = advising};
	advising->options.results_only = true;
	advising->options.solver_iterations = RESPONSE_SOLVER_ITERATIONS;
	advising->options.wishes.platform = arguments_value(arguments, "platform", NULL);
	advising->options.wishes.assume = arguments_values(arguments, "assume", &advising->options.wishes.assume_count);
	return assume_check(arguments);
}

/* ---- one design in full */

static const char *time_text(struct arena *arena, int64_t ns, enum rounding rounding)
{
	char text[DURATION_TEXT];
	return arena_copy(arena, duration_text(ns, rounding, text));
}

static void add_head_of(struct output *output, const char *what, const char *last)
{
	output_print(output, "    %-32s%14s%16s%14s\n", what, "deadline", "response", last);
}

static void add_row(struct output *output, const char *id, int64_t deadline, int64_t response, const char *last)
{
	char text[DURATION_TEXT];
	output_add(output, "    ");
	if (text_columns(id) > 31) {
		text_add(output, id);
		output_print(output, "\n    %-32s", "");
	} else {
		text_cell(output, id, 32, STYLE_PLAIN, false);
	}
	text_cell(output, duration_text(deadline, ROUND_DOWN, text), -14, STYLE_PLAIN, false);
	text_cell(output, duration_text(response, ROUND_UP, text), -16, STYLE_PLAIN, false);
	text_cell(output, last, -14, STYLE_PLAIN, false);
	output_add(output, "\n");
}

static void add_tasks(struct output *output, const struct pipeline *pipeline)
{
	add_head_of(output, "task", "bound");
	for (int i = 0; i < pipeline->set->task_count; i++) {
		const struct response_of *of = &pipeline->response->tasks[i];
		add_row(output, pipeline->set->tasks[i].id, of->deadline, of->response,
			of->winner >= 0 ? bound_kinds[of->winner].name : "none");
	}
}

static void add_chains(struct output *output, const struct pipeline *pipeline)
{
	if (pipeline->set->end_to_end_count > 0)
		add_head_of(output, "chain", "verdict");
	for (int i = 0; i < pipeline->set->end_to_end_count; i++) {
		const struct end_to_end *chain = &pipeline->set->end_to_end[i];
		const struct end_to_end_result *result = &pipeline->response->end_to_end[i];
		add_row(output, chain->id, chain->deadline, result->response, verdict_names[result->verdict]);
	}
}

static const char *share(struct arena *arena, int64_t thousandths)
{
	return arena_format(arena, "%" PRId64 ".%" PRId64 " %%", thousandths / 10, thousandths % 10);
}

static void add_slack(struct advising *advising, const struct pipeline *pipeline, const struct found *found)
{
	struct reserve reserves[NEAREST_KERNELS];
	struct arena *arena = pipeline->arena;
	int count = reserves_find(arena, pipeline->platform, pipeline->set, pipeline->map, pipeline->response,
		advising->options.solver_iterations, &interrupted, NEAREST_KERNELS, reserves);
	struct output text = {0};
	if (checked_is_none(found->appraisal.slack))
		output_add(&text, "all WCETs may grow a hundredfold");
	else
		output_print(&text, "all WCETs may grow by %s", share(arena, found->appraisal.slack));
	for (int i = 0; i < count; i++) {
		const struct operation *operation = &pipeline->set->operations[reserves[i].operation];
		output_print(&text, "%s '%s' at most %s",
			i == 0          ? "; or, one alone:"
			: i + 1 < count ? ","
					: " or",
			operation->id, time_text(arena, slack_scaled(operation->wcet, reserves[i].grows), ROUND_DOWN));
	}
	text_paragraph(&advising->output, "    slack     ", 14, text.text);
	output_finish(&text);
}

static void add_assumptions(struct advising *advising, const struct pipeline *pipeline)
{
	struct output text = {0};
	uint64_t used = appraise_assumptions(pipeline);
	int count = 0;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (used >> i & 1)
			output_print(&text, "%s%s%s", count++ == 0 ? "" : ", ", assumption_kinds[i].id,
				pipeline->platform->assumptions[i].status == STATUS_CONDITIONAL ? " (nobody vouches)" : "");
	if (count > 0)
		text_paragraph(&advising->output, "    rests on  ", 14, text.text);
	output_finish(&text);
}

static void add_measures(struct advising *advising, struct arena *arena, const struct plan *plan)
{
	const char *measures[DESIGN_MEASURES];
	int count = design_measures(arena, &advising->space, plan, measures);
	for (int i = 0; i < count; i++)
		text_paragraph(&advising->output, i == 0 ? "    measure   - " : "              - ", 16, measures[i]);
}

/* What is wrong with the first chain with which something is. */
static const char *chain_trouble(const struct pipeline *pipeline)
{
	for (int i = 0; i < pipeline->set->end_to_end_count; i++) {
		const struct end_to_end_result *result = &pipeline->response->end_to_end[i];
		if (!verdict_meets(result->verdict))
			return arena_format(pipeline->arena, "chain %s: %s", pipeline->set->end_to_end[i].id,
				result->reason != NULL ? result->reason : "its bound is above its deadline");
	}
	return "no task and no chain that has to has a bound";
}

/* What is wrong with the first task with which something is, up to where advice goes into details. */
static const char *first_trouble(const struct pipeline *pipeline)
{
	for (int i = 0; i < pipeline->set->task_count; i++) {
		const struct response_of *of = &pipeline->response->tasks[i];
		if (of->advice == NULL || pipeline->response->left_out[i] || verdict_meets(of->verdict))
			continue;
		return arena_format(pipeline->arena, "%s: %.*s", pipeline->set->tasks[i].id, (int)strcspn(of->advice, ";"), of->advice);
	}
	return chain_trouble(pipeline);
}

/* Of a design that is not proven: how far it is from that. */
static void add_lack(struct advising *advising, const struct pipeline *pipeline)
{
	int64_t shrinks =
		slack_of_set(pipeline->platform, pipeline->set, pipeline->map, pipeline->response, advising->options.solver_iterations);
	const char *trouble = first_trouble(pipeline);
	text_paragraph(&advising->output, "    lacks     ", 14,
		checked_is_none(shrinks) ? trouble
					 : arena_format(pipeline->arena, "%s; proven if all WCETs were smaller by %s", trouble,
						   share(pipeline->arena, -shrinks)));
}

static const char *verdict_text(struct arena *arena, const struct found *found, int measures)
{
	const struct appraisal *appraisal = &found->appraisal;
	if (appraisal->analysed == VERDICT_PROVEN && measures > 0)
		return arena_format(arena, "proven, once what stands below is measured and as good as stated");
	return verdict_names[appraisal->analysed];
}

static void add_design(struct advising *advising, int number)
{
	const struct found *found = &advising->findings.items[advising->shown[number]];
	struct output *output = &advising->output, sentence = {0};
	struct pipeline pipeline;
	const char *reason, *measures[DESIGN_MEASURES];
	design_sentence(&sentence, &advising->space, &found->plan);
	output_add(output, "\n");
	text_paragraph(output, arena_format(advising->arguments->arena, "%d.  ", number + 1), 4, sentence.text);
	if (advising->because[number] != NULL)
		text_paragraph(output, "    has       ", 14, advising->because[number]);
	if (appraise_open(&advising->appraising, &found->plan, &pipeline, &reason)) {
		int count = design_measures(pipeline.arena, &advising->space, &found->plan, measures);
		text_paragraph(output, "    verdict   ", 14, verdict_text(pipeline.arena, found, count));
		add_tasks(output, &pipeline);
		add_chains(output, &pipeline);
		if (verdict_meets(pipeline.response->worst))
			add_slack(advising, &pipeline, found);
		else
			add_lack(advising, &pipeline);
		add_assumptions(advising, &pipeline);
		add_measures(advising, pipeline.arena, &found->plan);
	}
	pipeline_finish(&pipeline);
	output_finish(&sentence);
}

/* ---- which */

/* Of one kind, with the same tasks in one process: what differs is priorities and the lengths of slices. */
static bool is_near(const struct advising *advising, const struct plan *one, const struct plan *other)
{
	struct arena *arena = arena_create();
	const struct space *space = &advising->space;
	bool near = strcmp(design_kind(arena, space, one), design_kind(arena, space, other)) == 0;
	for (int g = 0; g < space->group_count && near; g++)
		near = plan_context(space, one, g) == plan_context(space, other, g);
	arena_destroy(arena);
	return near;
}

/* May it stand beside those that are shown: as good as the best of all, which is proven if one is? */
static bool may_stand(const struct advising *advising, int index)
{
	const struct found *items = advising->findings.items;
	bool as_good = verdict_meets(items[index].appraisal.verdict) == verdict_meets(items[0].appraisal.verdict);
	for (int k = 0; k < advising->shown_count; k++)
		as_good &= advising->shown[k] != index;
	return as_good && !items[index].appraisal.refused;
}

static void show(struct advising *advising, int index, const char *because)
{
	advising->because[advising->shown_count] = because;
	advising->shown[advising->shown_count++] = index;
}

/* The best, and the best of those that are near none of these. */
static void choose_kinds(struct advising *advising)
{
	const struct found *items = advising->findings.items;
	for (int i = 0; i < advising->findings.count && advising->shown_count < SHOWN; i++) {
		bool near = false;
		for (int k = 0; k < advising->shown_count && !near; k++)
			near = is_near(advising, &items[i].plan, &items[advising->shown[k]].plan);
		if (!near && may_stand(advising, i))
			show(advising, i, NULL);
	}
}

/* What a design can be better in than those shown: less is better. */
static int64_t criterion(const struct found *found, bool of_slack)
{
	int64_t slack = found->appraisal.slack;
	return !of_slack ? found->appraisal.over : checked_is_none(slack) ? -INT64_MAX : -slack;
}

/* Of designs near those shown, the one that is better in that by more than a twentieth of what the best of them has. */
static void choose_other_best(struct advising *advising, bool of_slack, const char *because)
{
	const struct found *items = advising->findings.items;
	int64_t least = NONE, shown = NONE;
	int best = -1;
	for (int k = 0; k < advising->shown_count; k++)
		shown = checked_min(shown, criterion(&items[advising->shown[k]], of_slack));
	for (int i = 0; i < advising->findings.count && advising->shown_count < SHOWN; i++) {
		int64_t value = criterion(&items[i], of_slack);
		if (value >= least || !may_stand(advising, i))
			continue;
		least = value;
		best = i;
	}
	if (best >= 0 && shown != -INT64_MAX && (checked_is_none(shown) || least < shown - (shown < 0 ? -shown : shown) / 20))
		show(advising, best, because);
}

static void choose(struct advising *advising)
{
	choose_kinds(advising);
	if (advising->shown_count == 0 || !verdict_meets(advising->findings.items[0].appraisal.verdict))
		return;
	choose_other_best(advising, false, "the least responses, each by its deadline");
	choose_other_best(advising, true, "the most slack");
}

/* ---- the rest, a line a kind */

static bool kind_is(const struct advising *advising, int index, const char *kind)
{
	struct arena *arena = arena_create();
	bool same = strcmp(design_kind(arena, &advising->space, &advising->findings.items[index].plan), kind) == 0;
	arena_destroy(arena);
	return same;
}

static bool is_shown(const struct advising *advising, const char *kind)
{
	for (int k = 0; k < advising->shown_count; k++)
		if (kind_is(advising, advising->shown[k], kind))
			return true;
	return false;
}

static const char *why(struct advising *advising, const struct found *found, struct arena *arena)
{
	struct pipeline pipeline;
	const char *reason = NULL, *text;
	if (!appraise_open(&advising->appraising, &found->plan, &pipeline, &reason))
		text = arena_format(arena, "refused: %s", reason);
	else if (verdict_meets(found->appraisal.verdict))
		text = arena_format(arena, "%s, but %s above: %d to vouch for, slack %s", verdict_names[found->appraisal.analysed],
			"worse than those", found->appraisal.vouched,
			checked_is_none(found->appraisal.slack) ? "a hundredfold" : share(arena, found->appraisal.slack));
	else
		text = arena_format(arena, "%s; %s", verdict_names[found->appraisal.analysed], first_trouble(&pipeline));
	pipeline_finish(&pipeline);
	return text;
}

static void add_kind(struct advising *advising, int first, const char *kind)
{
	struct arena *arena = arena_create();
	const struct found *found = &advising->findings.items[first];
	int count = 0;
	for (int i = 0; i < advising->findings.count; i++)
		count += kind_is(advising, i, kind);
	const char *head =
		count > 1 ? arena_format(arena, "  - %s (the best of %d): ", kind, count) : arena_format(arena, "  - %s: ", kind);
	text_paragraph(&advising->output, head, 4, why(advising, found, arena));
	arena_destroy(arena);
}

/* The best of each kind of which none is shown. */
static void add_others(struct advising *advising)
{
	struct arena *arena = arena_create();
	const char *said[32];
	int count = 0;
	for (int i = 0; i < advising->findings.count && count < 32; i++) {
		const char *kind = design_kind(arena, &advising->space, &advising->findings.items[i].plan);
		bool old = is_shown(advising, kind);
		for (int k = 0; k < count; k++)
			old |= strcmp(said[k], kind) == 0;
		if (old)
			continue;
		if (count == 0)
			text_heading(&advising->output, "Tried as well", advising->colour);
		said[count++] = kind;
		add_kind(advising, i, kind);
	}
	arena_destroy(arena);
}

/* ---- what was not tried */

/* Are there partitions of which no other size was measured? */
static bool has_unsized(const struct space *space)
{
	bool unsized = false;
	for (int p = 0; p < space->partition_count; p++)
		unsized |= space->sizes[p].count == 0;
	return unsized;
}

static bool has_options(const struct space *space)
{
	bool any = false;
	for (int i = 0; i < space->choice_count; i++)
		any |= space->choices[i].target == NULL;
	return any;
}

static void add_untried(struct advising *advising)
{
	const struct space *space = &advising->space;
	struct output *output = &advising->output;
	text_heading(output, "Not tried", advising->colour);
	if (space->crowded)
		text_paragraph(output, "  - ", 4,
			"other processes, priorities and locks: there are more than 12 groups of tasks that share no stream");
	if (space->set->partition_count > 0)
		text_paragraph(output, "  - ", 4, "other processes: the task set has partitions of SMs, whose WCETs hold in them");
	if (space->set->ranked)
		text_paragraph(output, "  - ", 4,
			"other processes, their slices, and locks: applications have priorities, and which one several in one process "
			"would have is "
			"nobody's to guess");
	if (space->set->served && !space->set->merged_context)
		text_paragraph(output, "  - ", 4,
			"other processes: applications are clients of an MPS server; to try others, say so of each design in a task set of "
			"its "
			"own");
	if (space->set->interleaved)
		text_paragraph(output, "  - ", 4,
			"other processes: applications have interleave levels, and which one several in one process would have is nobody's "
			"to guess");
	if (has_unsized(space))
		text_paragraph(output, "  - ", 4,
			"other sizes of partitions: <at sms=\"...\" wcet=\"...\"/> in all work of a partition, with WCETs by size, allows "
			"them");
	if (space->lock_free && space->hold == NULL && space->set->lock_count == 0)
		text_paragraph(output, "  - ", 4,
			space->threaded ? "a lock of the GPU: of threads on cores nothing is known where they wait for one (core-lock)"
					: "a lock of the GPU: <freedom hold=\"...\"/> says how long a unit would hold it beyond its work");
	if (!has_options(space))
		text_paragraph(output, "  - ", 4,
			"partitions, other orders, split kernels, block shapes, periods: their WCETs are nobody's to guess; <freedom> with "
			"<option> takes them");

	if (!space->streams_free)
		text_paragraph(output, "  - ", 4, "one stream for several tasks: <freedom streams=\"free\"/> allows it");
}

static const char *vouched_gap(struct arena *arena, const struct appraisal *best, const struct appraisal *limit)
{
	if (limit->verdict < best->verdict)
		return "a better one may exist: the best one found is conditional on factors for kernels that did not meet before";
	if (limit->vouched < best->vouched)
		return arena_format(arena,
			"a better one may exist: %d to vouch for and to measure at the best one found, and no design has fewer than %d",
			best->vouched, limit->vouched);
	return NULL;
}

/* How much better a design that was not tried may be. */
static const char *gap_text(const struct advising *advising)
{
	struct arena *arena = advising->arguments->arena;
	const struct findings *findings = &advising->findings;
	const struct appraisal *limit = &findings->limit, *best = &findings->items[0].appraisal;
	const char *text = NULL;
	if (findings->proved)
		return "none of the others is better, by limits that no design passes";
	if (findings->limited && advising->search.by == BY_RESPONSE && !checked_is_none(best->response))
		return arena_format(arena,
			"a better one may exist: its response is %" PRId64 " ns at the best one found, and no design has less than %" PRId64
			" ns",
			best->response, limit->response);
	if (findings->limited && advising->search.by == BY_ASSUMPTIONS)
		text = vouched_gap(arena, best, limit);
	if (text == NULL && findings->limited && !checked_is_none(best->slack) && !checked_is_none(limit->slack))
		return arena_format(arena,
			"a better one may exist: WCETs may grow by %s at the best one found, and by more than %s in no design%s",
			share(arena, best->slack), share(arena, limit->slack),
			advising->search.by == BY_ASSUMPTIONS ? " with as few to vouch for" : "");
	return text != NULL ? text : "a better one may exist, and nothing is known of how much better";
}

static void add_head(struct advising *advising)
{
	static const char *const by[] = {
		[BY_ASSUMPTIONS] = "the fewest assumptions and measurements", [BY_SLACK] = "slack", [BY_RESPONSE] = "the response of"};
	const struct findings *findings = &advising->findings;
	struct output text = {0};
	if (findings->exhaustive && !findings->stopped)
		output_print(&text, "%d design%s tried, all that there are here", findings->count, findings->count == 1 ? "" : "s");
	else if (findings->exhaustive)
		output_print(&text, "interrupted: %d of %d designs tried", findings->count, findings->total);
	else
		output_print(&text, "%s%d designs tried of more than %d, drawn from seed %" PRIu64 " near the best that were found%s: %s",
			findings->stopped ? "interrupted: " : "", findings->count, advising->search.most, advising->search.seed,
			findings->branched ? " and by branch and bound" : "", gap_text(advising));
	output_print(&text, "; the best first, by %s%s%s", by[advising->search.by], advising->search.by == BY_RESPONSE ? " " : "",
		advising->search.by == BY_RESPONSE ? advising->space.set->tasks[advising->appraising.task].id : "");
	text_paragraph(&advising->output, "task set   ", 11, advising->space.set->id);
	text_paragraph(&advising->output, "platform   ", 11, advising->space.platform->id);
	text_paragraph(&advising->output, "tried      ", 11, text.text);
	if (advising->shown_count > 0 && !verdict_meets(findings->items[advising->shown[0]].appraisal.verdict))
		text_paragraph(&advising->output, "           ", 11, "None of them is proven; the nearest:");
	output_finish(&text);
}

static void print_all(struct advising *advising)
{
	add_head(advising);
	for (int i = 0; i < advising->shown_count; i++)
		add_design(advising, i);
	add_others(advising);
	add_untried(advising);
}

/* ---- files */

/* A relative name in a task set is one from where its file is. */
static void warn_of_folder(const struct advising *advising, const char *path)
{
	const char *from = advising->space.path, *slash = strrchr(from, '/'), *other = strrchr(path, '/');
	size_t length = slash == NULL ? 0 : (size_t)(slash - from), others = other == NULL ? 0 : (size_t)(other - path);
	bool names_files =
		strchr(advising->space.set->platform_name, '/') != NULL || strstr(advising->space.set->platform_name, ".xml") != NULL;
	for (int i = 0; i < advising->space.set->operation_count; i++)
		names_files |=
			advising->space.set->operations[i].program_name != NULL || advising->space.set->operations[i].frame_name != NULL;
	if (names_files && strcmp(path, "-") != 0 && (length != others || strncmp(from, path, length) != 0))
		fprintf(stderr, "gpubound: %s names files that are beside %s: put it there before it is analysed\n", path, from);
}

static bool write_design(struct advising *advising)
{
	const char *path = arguments_value(advising->arguments, "output", NULL), *reason = NULL;
	int64_t number = 1;
	arguments_integer(advising->arguments, "design", 1, SHOWN, &number);
	if (path == NULL)
		return true;
	if (number > advising->shown_count) {
		usage_error(advising->arguments->command, "there is no design %" PRId64 " to be written", number);
		return false;
	}
	struct output text = {0};
	const struct plan *plan = &advising->findings.items[advising->shown[number - 1]].plan;
	output_add(&text, design_text(advising->arguments->arena, &advising->space, plan, &reason));
	bool written = arguments_write(advising->arguments, &text, path);
	if (written)
		warn_of_folder(advising, path);
	output_finish(&text);
	return written;
}

/* ---- the command */

static bool read_stated(struct advising *advising)
{
	const struct arguments *arguments = advising->arguments;
	struct pipeline *stated = &advising->stated;
	size_t length;
	const char *path = arguments->operands[0];
	advising->options.wishes.text = input_read_file(stated->arena, &stated->diagnostics, path, &length);
	bool read = advising->options.wishes.text != NULL && pipeline_run(stated, path, &advising->options);
	diagnostics_print(
		&stated->diagnostics, 0, read ? LEVEL_WARNING : arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	return read;
}

static int status_of(const struct advising *advising)
{
	static const int statuses[] = {[VERDICT_PROVEN] = EXIT_FINE,
		[VERDICT_CONDITIONAL] = EXIT_CONDITIONAL,
		[VERDICT_NOT_PROVEN] = EXIT_NEGATIVE,
		[VERDICT_NO_BOUND] = EXIT_NO_BOUND};
	struct arena *arena = arena_create();
	const char *measures[DESIGN_MEASURES];
	if (advising->shown_count == 0)
		return EXIT_NO_BOUND;
	const struct found *best = &advising->findings.items[advising->shown[0]];
	bool measured = design_measures(arena, &advising->space, &best->plan, measures) == 0;
	arena_destroy(arena);
	return best->appraisal.verdict == VERDICT_PROVEN && !measured ? EXIT_CONDITIONAL : statuses[best->appraisal.verdict];
}

static int advise(struct advising *advising)
{
	space_find(
		&advising->space, advising->stated.arena, advising->stated.platform, advising->stated.set, advising->options.wishes.text);
	if (!space_is_plain(advising->space.set, &advising->space.markup)) {
		fprintf(stderr,
			"gpubound: %s: expected elements without a namespace prefix, and ids without references to characters: advise "
			"changes "
			"the text\n",
			advising->space.path);
		return EXIT_INVALID;
	}
	clock_gettime(CLOCK_MONOTONIC, &advising->start);
	interrupt_begin();
	advising->findings = search_run(advising->stated.arena, &advising->appraising, &advising->search);
	fputs(advising->terminal && advising->said > 0 ? "\n" : "", stderr);
	choose(advising);
	print_all(advising);
	const char *path = arguments_value(advising->arguments, "output", NULL);
	bool written = write_design(advising);
	if (written && (path == NULL || strcmp(path, "-") != 0))
		written = arguments_write(advising->arguments, &advising->output, "-");
	interrupt_end();
	return written ? status_of(advising) : EXIT_USAGE;
}

int command_advise(const struct arguments *arguments)
{
	struct advising advising = {.arguments = arguments, .terminal = isatty(STDERR_FILENO) == 1};
	advising.colour = arguments_colour(arguments, stdout);
	if (!read_numbers(&advising))
		return EXIT_USAGE;
	advising.appraising = (struct appraising){&advising.space, &advising.options, NO_ID};
	pipeline_init(&advising.stated);
	int status = EXIT_INVALID;
	if (read_stated(&advising))
		status = !read_by(&advising) || !arguments_spare_inputs(arguments, &advising.stated.diagnostics) ? EXIT_USAGE
														 : advise(&advising);
	pipeline_finish(&advising.stated);
	output_finish(&advising.output);
	return status;
}
