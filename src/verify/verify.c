/* The stages of the verification, in their order. */
#include "verify/verify.h"

#include "input/report.h"
#include "verify/channels.h"
#include "verify/frame.h"
#include "verify/inputs.h"
#include "verify/program.h"
#include "verify/prose.h"
#include "verify/results.h"
#include "verify/slack.h"
#include "verify/text.h"

static const char *read_report(struct check *check, const struct input_folders *folders)
{
	size_t length;
	const char *bytes = input_read_file_up_to(check->arena, check->diagnostics, check->path, REPORT_LIMIT, &length);
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
	frame_draw_all(check);
	struct resident *residents = resident_derive(check);
	program_derive(check, residents);
	slack_move_inputs(check);
	struct inflated_fact *inflated = inflate_derive(check, residents);
	results_compare(work_derive(check, residents, inflated));
	resident_compare(check, residents);
	channels_compare(check, residents);
	inputs_compare(check);
	graph_check_steps(check);
}

bool verify_check(struct check *check, const struct input_folders *folders, const struct verify_options *options)
{
	if (graph_read(check) && inputs_find(check, folders, options->files))
		verify(check);
	return check->diagnostics->errors == 0;
}

enum verify_outcome verify_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const char *path, const struct verify_options *options, struct verified *verified)
{
	struct check check = {.arena = arena, .diagnostics = diagnostics, .path = path};
	const char *bytes = read_report(&check, folders);
	if (bytes != NULL)
		text_compare(&check, bytes);
	if (check.root == NULL)
		return VERIFY_NO_REPORT;
	(void)verify_check(&check, folders, options);
	if (check.set != NULL)
		*verified = (struct verified){check.graph.count, check.set->task_count, check.set->operation_count,
			slack_compare(&check, folders, options), element_get(check.root, "verdict"), element_get(check.root, "left-out")};
	if (options->prose && check.set != NULL && diagnostics->errors == 0)
		prose_compare(&check, options, bytes);
	return diagnostics->errors == 0 ? VERIFY_GOOD : VERIFY_REFUSED;
}
