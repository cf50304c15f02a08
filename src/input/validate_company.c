/* A company was measured on the SMs that its tasks have. */
#include "input/validate_rules.h"

#include "model/sm_set.h"

#include <inttypes.h>

static void hold_sms(const struct validation *validation, long line, const char *who, int64_t stated, int64_t has)
{
	if (stated != has && has != NONE)
		diagnose(validation->diagnostics, DIAGNOSTIC_COMPANY_SMS, validation->set->path, line,
			"'%s': expected sms=\"%" PRId64 "\", as it has here; got \"%" PRId64 "\"", who, has, stated);
}

void rules_companies(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	for (int i = 0; i < set->company_count; i++) {
		const struct measured_company *company = &set->companies[i];
		const struct operation *sequence = &set->operations[company->operation];
		struct sm_set sms = sm_set_of_stream(validation->platform, set, sequence->stream);
		hold_sms(validation, company->line, sequence->id, company->sms, sms.size);
		for (int k = 0; k < company->task_count; k++) {
			const struct task *task = &set->tasks[company->tasks[k].task];
			hold_sms(validation, company->line, task->id, company->tasks[k].sms,
				sm_set_size_of_task(validation->platform, set, task));
		}
	}
}
