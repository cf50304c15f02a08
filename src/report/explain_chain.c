/* What each task of a chain adds to its bound ([END-TO-END], [CAUSE-EFFECT]); of known phases what the bound is found from. */
#include "report/explain.h"
#include "base/duration_text.h"
#include "report/explain_terms.h"
#include "report/text_write.h"

#include "model/rules.h"

#include <inttypes.h>

struct chain_text {
	struct explanation *e;
	const struct end_to_end *flow;
	const struct end_to_end_result *result;
};

static const char *task_of(const struct chain_text *c, int index)
{
	return c->e->report->set->tasks[c->flow->tasks[index]].id;
}

static const char *time_of(const struct chain_text *c, int64_t ns, enum rounding rounding)
{
	char text[DURATION_TEXT];
	return arena_format(c->e->arena, "%s", duration_text(ns, rounding, text));
}

/* From what to what: the table of [CAUSE-EFFECT]. */
static void add_meaning(const struct chain_text *c)
{
	const char *first = task_of(c, 0), *last = task_of(c, c->flow->task_count - 1);
	bool age = c->flow->kind == END_TO_END_AGE, reduced = c->flow->reduced;
	if (age)
		explain_line(c->e, 2, "Data age: from when %s read what an output of %s reflects until %s.", first, last,
			reduced ? "the output is written" : "the next output is written");
	else
		explain_line(c->e, 2, "Reaction: from %s to the first output of %s that reflects it or anything later.",
			reduced ? arena_format(c->e->arena, "a read of %s", first)
				: arena_format(c->e->arena, "an event, which may just miss a read of %s,", first),
			last);
}

static void add_head(const struct chain_text *c)
{
	text_heading(c->e->output, arena_format(c->e->arena, "Chain %s: %s", c->flow->id, verdict_names[c->result->verdict]), c->e->colour);
	add_meaning(c);
	if (c->result->response == NONE)
		explain_line(c->e, 2, "No bound: %s.", c->result->reason);
	else
		explain_line(c->e, 2, "Bound %s; deadline %s.", time_of(c, c->result->response, ROUND_NEVER),
			time_of(c, c->flow->deadline, ROUND_NEVER));
}

static bool is_sum(const struct chain_text *c)
{
	return c->result->links[0].response != NONE;
}

static int64_t link_sum(const struct link_result *link)
{
	return checked_add(checked_add(link->wait, link->passed), link->response);
}

/* ---- term by term */

static void add_terms(const struct chain_text *c, struct listing *terms, int index)
{
	const struct link_result *link = &c->result->links[index];
	const char *task = task_of(c, index);
	const struct response_of *response = &c->e->report->response->tasks[c->flow->tasks[index]];
	bool queued = link->wait_step != STEP_ABSENT && explain_step(c->e, link->wait_step)->rule != RULE_GIVEN;
	listing_add(terms, link->wait,
		queued ? "until a job of %s takes it from the queue%s" : "until the next job of %s, as it may just miss one%s", task,
		terms_step(c->e, link->wait_step));
	listing_add(
		terms, link->passed, "for jobs of %s that write behind later ones, n%s of them", task, terms_step(c->e, link->passed_step));
	listing_add(terms, link->response, "response of %s, which --explain=%s explains%s", task, task, terms_step(c->e, response->step));
}

static void add_sum(const struct chain_text *c)
{
	struct listing terms = listing_of(c->e);
	for (int i = 0; i < c->flow->task_count; i++)
		add_terms(c, &terms, i);
	listing_print_all(&terms, 4, c->result->response, "the bound");
}

/* ---- a share of each task */

static void add_shares(const struct chain_text *c)
{
	const int64_t all = checked_max(1, c->result->response);
	const int width = 20;
	int64_t waits = 0;
	struct output head = {0};
	output_print(&head, "  %-*s %14s %14s %14s %9s", width, "task", "until it reads", "response", "together", "of it");
	text_heading(c->e->output, head.text, c->e->colour);
	output_finish(&head);
	for (int i = 0; i < c->flow->task_count; i++) {
		const struct link_result *link = &c->result->links[i];
		int64_t before = checked_add(link->wait, link->passed), share = (checked_mul_div_floor(link_sum(link), 2000, all) + 1) / 2;
		waits = checked_add(waits, before);
		output_add(c->e->output, "  ");
		text_cell(c->e->output, task_of(c, i), width, STYLE_PLAIN, false);
		output_print(c->e->output, " %14s %14s %14s %5" PRId64 ".%" PRId64 " %%\n", time_of(c, before, ROUND_UP),
			time_of(c, link->response, ROUND_UP), time_of(c, link_sum(link), ROUND_UP), share / 10, share % 10);
	}
	output_add(c->e->output, "\n");
	explain_line(c->e, 2,
		"Of the bound %s are waits for a job that reads, which shorter periods shorten, or offsets of all its tasks on one clock; "
		"%s are "
		"responses.",
		time_of(c, waits, ROUND_NEVER), time_of(c, checked_sub(c->result->response, waits), ROUND_NEVER));
}

/* ---- known phases */

static void add_phases(const struct chain_text *c)
{
	const struct step_input *inputs = derivation_inputs(c->e->derivation, c->result->step);
	explain_line(c->e, 2,
		"All phases are known: the bound is the worst of all jobs of a hyperperiod, and no sum over tasks. It follows from");
	for (int i = 0; i < explain_step(c->e, c->result->step)->input_count; i++)
		explain_line(c->e, 4, "%s%s = %" PRId64 "%s%s", inputs[i].role, terms_step(c->e, inputs[i].step),
			explain_value(c->e, inputs[i].step), explain_step(c->e, inputs[i].step)->about == NULL ? "" : ": ",
			explain_step(c->e, inputs[i].step)->about == NULL ? "" : terms_name(explain_step(c->e, inputs[i].step)->about));
}

void explain_chain(struct explanation *e, int index)
{
	const struct chain_text c = {e, &e->report->set->end_to_end[index], &e->report->response->end_to_end[index]};
	add_head(&c);
	if (c.result->response == NONE)
		return;
	if (is_sum(&c))
		add_shares(&c);
	text_heading(e->output, "How it comes about", e->colour);
	explain_equation(e, c.result->step);
	if (is_sum(&c))
		add_sum(&c);
	else
		add_phases(&c);
}
