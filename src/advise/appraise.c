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

static int count_assumptions(const struct pipeline *pipeline)
{
	uint64_t used = 0;
	int count = 0;
	for (int i = 0; i < pipeline->set->task_count; i++)
		used |= pipeline->response->tasks[i].assumptions;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		count += (used >> i & 1) && pipeline->platform->assumptions[i].status != STATUS_HOLDS;
	return count;
}

static void add_task(struct appraisal *appraisal, const struct response_of *of, bool left_out)
{
	if (left_out)
		return;
	appraisal->without += of->verdict == VERDICT_NO_BOUND;
	appraisal->late += of->verdict == VERDICT_NOT_PROVEN;
	if (checked_is_none(of->deadline))
		return;
	int64_t share = checked_mul_div_ceil(of->response, 1000, of->deadline);
	appraisal->over = checked_is_none(share) || checked_is_none(appraisal->over) ? NONE : checked_max(appraisal->over, share);
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
		for (int i = 0; i < pipeline.set->task_count; i++)
			add_task(&appraisal, &response->tasks[i], response->left_out[i]);
		appraisal.vouched = count_assumptions(&pipeline) + design_measures(pipeline.arena, appraising->space, plan, measures);
		appraisal.response = appraising->task == NO_ID ? NONE : response->tasks[appraising->task].response;
		if (verdict_meets(response->worst))
			appraisal.slack = slack_of_set(
				pipeline.platform, pipeline.set, pipeline.map, response, appraising->options->solver_iterations);
	}
	pipeline_finish(&pipeline);
	return appraisal;
}
