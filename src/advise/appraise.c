/* A text, a pipeline, a few numbers. */
#include "advise/appraise.h"

static const char *first_error(const struct diagnostics *diagnostics)
{
	for (int i = 0; i < diagnostics->count; i++)
		if (diagnostic_kinds[diagnostics->items[i].code].level == LEVEL_ERROR)
			return diagnostics->items[i].text;
	return "it is refused";
}

bool appraise_open(const struct appraising *appraising, const struct plan *plan, struct pipeline *pipeline, const char **reason)
{
	struct pipeline_options options = *appraising->options;
	pipeline_init(pipeline);
	options.wishes.text = design_text(pipeline->arena, appraising->space, plan, reason);
	if (options.wishes.text == NULL)
		return false;
	bool good = pipeline_run(pipeline, appraising->space->path, &options);
	if (!good)
		*reason = first_error(&pipeline->diagnostics);
	return good;
}

uint64_t appraise_assumptions(const struct pipeline *pipeline)
{
	uint64_t used = 0, vouched = 0;
	for (int i = 0; i < pipeline->set->task_count; i++)
		used |= pipeline->response->tasks[i].assumptions;
	for (int i = 0; i < pipeline->set->end_to_end_count; i++)
		used |= pipeline->response->end_to_end[i].assumptions; /* none without a bound */
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (pipeline->platform->assumptions[i].status != STATUS_HOLDS)
			vouched |= used & UINT64_C(1) << i;
	return vouched;
}

static int count_assumptions(const struct pipeline *pipeline)
{
	int count = 0;
	for (uint64_t left = appraise_assumptions(pipeline); left != 0; left &= left - 1)
		count++;
	return count;
}

/* Of a task or a chain. */
static void add_result(struct appraisal *appraisal, enum verdict verdict, int64_t response, int64_t deadline)
{
	appraisal->without += verdict == VERDICT_NO_BOUND;
	appraisal->late += verdict == VERDICT_NOT_PROVEN;
	if (checked_is_none(deadline))
		return;
	int64_t share = checked_mul_div_ceil(response, 1000, deadline);
	appraisal->over = checked_is_none(share) || checked_is_none(appraisal->over) ? NONE : checked_max(appraisal->over, share);
}

static void add_results(struct appraisal *appraisal, const struct pipeline *pipeline)
{
	const struct response *response = pipeline->response;
	for (int i = 0; i < pipeline->set->task_count; i++)
		if (!response->left_out[i])
			add_result(appraisal, response->tasks[i].verdict, response->tasks[i].response, response->tasks[i].deadline);
	for (int i = 0; i < pipeline->set->end_to_end_count; i++)
		add_result(appraisal, response->end_to_end[i].verdict, response->end_to_end[i].response,
			pipeline->set->end_to_end[i].deadline);
}

struct appraisal appraise(const struct appraising *appraising, const struct plan *plan)
{
	struct appraisal appraisal = {.done = true, .slack = NONE, .response = NONE, .verdict = VERDICT_NO_BOUND};
	struct pipeline pipeline;
	const char *reason, *measures[DESIGN_MEASURES];
	appraisal.refused = !appraise_open(appraising, plan, &pipeline, &reason);
	if (!appraisal.refused) {
		const struct response *response = pipeline.response;
		appraisal.analysed = appraisal.verdict = response->worst;
		if (design_adds_company(appraising->space, plan) && appraisal.verdict == VERDICT_PROVEN)
			appraisal.verdict = VERDICT_CONDITIONAL;
		add_results(&appraisal, &pipeline);
		appraisal.vouched = count_assumptions(&pipeline) + design_measures(pipeline.arena, appraising->space, plan, measures);
		appraisal.response = appraising->task == NO_ID ? NONE : response->tasks[appraising->task].response;
		if (verdict_meets(response->worst))
			appraisal.slack = slack_of_set(
				pipeline.platform, pipeline.set, pipeline.map, response, appraising->options->solver_iterations);
	}
	pipeline_finish(&pipeline);
	return appraisal;
}
