/* The stages of the verification, in their order. */
#include "verify/verify.h"

#include "input/read_report.h"
#include "input/shipped.h"
#include "input/signature.h"
#include "verify/inputs.h"
#include "verify/results.h"
#include "verify/slack.h"
#include "verify/text_again.h"
#include "verify/text_form.h"
#include "verify/text_sums.h"
#include "verify/thread_claims.h"
#include "verify/times_of_code.h"

#include <string.h>

static const char *read_report(struct check *check, const struct input_folders *folders, const struct verify_options *options)
{
	size_t length = options->length;
	const char *bytes = options->text;
	if (bytes == NULL)
		bytes = input_read_file_up_to(check->arena, check->diagnostics, check->path, REPORT_LIMIT, &length);
	if (bytes != NULL)
		check->root = xml_read(check->arena, check->diagnostics, "report", folders->schemas, check->path, bytes, length);
	return bytes;
}

static void list_operations(struct check *check)
{
	const struct taskset *set = check->set;
	int *streams = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *streams);
	for (int i = 0; i < set->operation_count; i++)
		streams[i] = set->operations[i].stream;
	check->of_stream = lists_make(check->arena, set->stream_count, streams, set->operation_count);
}

/* Inputs, then what follows from them, then whatever else the report says of them. */
static void verify(struct check *check)
{
	list_operations(check);
	struct resident *residents = resident_derive(check);
	check->set = timing_derive(check, residents);
	check->set = threads_claimed(check);
	struct inflated_fact *inflated = inflate_derive(check, residents);
	results_compare(work_derive(check, residents, inflated));
	resident_compare(check, residents);
	inputs_compare(check);
	graph_check_steps(check);
}

bool verify_check(struct check *check, const struct input_folders *folders)
{
	if (graph_read(check) && inputs_find(check, folders))
		verify(check);
	return check->diagnostics->errors == 0;
}

/* What is there beside the elements that are compared. True: a signature. */
static bool compare_form(struct check *check, const char *bytes)
{
	bool is_signed;
	written_compare(check, bytes);
	check_text(check, element_child(check->root, "environment"), "environment", "tool", "gpubound");
	(void)signature_is_plain(check->diagnostics, check->path, check->root, &is_signed);
	return is_signed;
}

static const char *conditions_of(const struct check *check)
{
	const char *list = NULL;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if ((check->used >> i & 1) && check->platform->assumptions[i].status == STATUS_CONDITIONAL)
			list = list == NULL ? assumption_kinds[i].id : arena_format(check->arena, "%s %s", list, assumption_kinds[i].id);
	return list;
}

static struct verified sum_up(const struct check *check, int figures, bool is_signed)
{
	const struct shipped_model *model = shipped_find(check->platform->id);
	return (struct verified){
		.steps = check->graph.count,
		.tasks = check->set->task_count,
		.operations = check->set->operation_count,
		.figures = figures,
		.verdict = element_get(check->root, "verdict"),
		.left_out = element_get(check->root, "left-out"),
		.platform = check->platform->id,
		.platform_hash = check->platform->hash,
		.conditions = conditions_of(check),
		.shipped = model != NULL && strcmp(model->hash, check->platform->hash) == 0,
		.is_signed = is_signed,
	};
}

enum verify_outcome verify_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct verify_options *options, struct verified *verified)
{
	struct check check = {.arena = arena, .diagnostics = diagnostics, .path = path};
	const char *bytes = read_report(&check, folders, options);
	if (bytes != NULL)
		text_compare(&check, bytes);
	if (check.root == NULL)
		return VERIFY_NO_REPORT;
	bool is_signed = compare_form(&check, bytes);
	const struct input_folders located = inputs_locate(&check, folders, options->files);
	(void)verify_check(&check, &located);
	if (check.set != NULL)
		*verified = sum_up(&check, slack_compare(&check, &located, options), is_signed);
	if (options->prose && check.set != NULL && diagnostics->errors == 0)
		prose_compare(&check, &located, options, bytes);
	return diagnostics->errors == 0 ? VERIFY_GOOD : VERIFY_REFUSED;
}
