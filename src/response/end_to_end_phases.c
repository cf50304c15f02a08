/* Each job of the first task, and who may read what it wrote. */
#include "response/end_to_end_phases.h"

/* The last nominal release at or before an instant that is no less than a period. */
static int64_t release_before(const struct phased_stage *stage, int64_t at)
{
	return checked_add(checked_round_down(checked_sub(at, stage->offset), stage->period), stage->offset);
}

/* The first one behind it: what is written at the very instant of a read may be missed. */
static int64_t release_behind(const struct phased_stage *stage, int64_t at)
{
	return checked_add(release_before(stage, at), stage->period);
}

/* From when on the output of the last of these tasks reflects the job of the first one that is released then, or a later one. */
static int64_t settled_at(const struct phased_stage *stages, int count, int64_t release)
{
	int64_t at = checked_add(release, stages[0].settled);
	for (int i = 1; i < count; i++)
		at = checked_add(release_behind(&stages[i], at), stages[i].settled);
	return at;
}

/* What may just have missed this job, or, of a reduced chain, what it read itself. */
static int64_t span_of_job(const struct phased_stage *stages, int count, enum end_to_end_kind kind, bool reduced, int64_t release)
{
	const struct phased_stage *last = &stages[count - 1];
	int64_t next = checked_add(release, stages[0].period);
	if (!reduced)
		return checked_sub(settled_at(stages, count, next), release);
	if (kind == END_TO_END_REACTION)
		return checked_sub(settled_at(stages, count, release), release);
	if (count == 1)
		return last->response;
	return checked_sub(checked_add(release_before(last, settled_at(stages, count - 1, next)), last->response), release);
}

int64_t end_to_end_phases(const struct phased_stage *stages, int count, enum end_to_end_kind kind, bool reduced)
{
	int64_t hyperperiod = stages[0].period, greatest = 0;
	for (int i = 1; i < count && hyperperiod != NONE; i++)
		hyperperiod = checked_multiple(hyperperiod, stages[i].period);
	if (hyperperiod == NONE || hyperperiod / stages[0].period > CHAIN_JOBS_MOST ||
		hyperperiod / stages[count - 1].period > CHAIN_JOBS_MOST)
		return NONE;
	for (int64_t job = 0; job < hyperperiod / stages[0].period; job++) {
		int64_t release = checked_add(checked_add(stages[0].offset, checked_mul(job, stages[0].period)), hyperperiod);
		int64_t span = span_of_job(stages, count, kind, reduced, release);
		if (checked_is_none(span))
			return NONE;
		greatest = checked_max(greatest, span);
	}
	return greatest;
}
