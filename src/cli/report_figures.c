/* Draws what gpubound map and gpubound simulate draw, of a report's own inputs. */
#include "cli/report_figures.h"

#include "cli/simulate_options.h"
#include "kernel/programs.h"
#include "render/inputs.h"
#include "simulate/plan.h"
#include "simulate/record.h"

#include <inttypes.h>

/* What a page can show; the commands draw more. */
#define PLACED_MOST 4000
#define STANDING_MOST 8000
#define OPERATIONS_MOST 2000
#define EVENTS_MOST 500000
#define PLOT 920 /* px, so that letters are read on the page */

struct draft {
	struct arena *arena;
	const struct platform *platform;
	const struct taskset *set;
	const char *arguments; /* that name the inputs on a command line */
};

static const char *of_operation(const struct draft *draft, int operation, const char *reason)
{
	return operation == NO_ID ? reason : arena_format(draft->arena, "operation '%s': %s", draft->set->operations[operation].id, reason);
}

static void draw_placement(const struct draft *draft, struct render_figure *figure)
{
	int operation;
	const char *reason;
	*figure = (struct render_figure){.name = "placement", .command = arena_format(draft->arena, "gpubound map %s", draft->arguments)};
	const struct plan *plan = plan_make(draft->arena, draft->platform, draft->set, NULL, &reason, &operation);
	if (plan == NULL)
		figure->reason = of_operation(draft, operation, reason);
	else
		plan_draw(plan, PLACED_MOST, &figure->svg);
}

/* When all jobs released so far were complete for the first time. */
static int64_t first_pause(const struct record *record)
{
	int open = 0;
	for (int i = 0; i < record->count; i++) {
		const struct event *event = &record->events[i];
		open += event->kind == EVENT_RELEASE;
		open -= event->kind == EVENT_COMPLETE;
		if (event->kind == EVENT_COMPLETE && open == 0)
			return event->time;
	}
	return record->end;
}

/* Where the picture ends: 0, the end of the run, unless it would show too much, or little but a pause. */
static int64_t end_of_picture(const struct record *record)
{
	int begun = 0;
	int64_t busy = first_pause(record);
	if (busy > 0 && busy < record->end / 8)
		return busy + busy / 8;
	for (int i = 0; i < record->count; i++)
		if (record->events[i].kind == EVENT_BEGIN && ++begun > OPERATIONS_MOST)
			return record->events[i].time;
	return 0;
}

static void draw_timeline(const struct draft *draft, struct render_figure *figure)
{
	const struct arguments defaults = {.arena = draft->arena, .command = command_find("simulate")};
	struct simulate_options options;
	struct simulate_result result;
	struct record record;
	*figure = (struct render_figure){.name = "timeline"};
	figure->command = arena_format(draft->arena, "gpubound simulate %s", draft->arguments);
	if (!simulate_options_read(&defaults, draft->platform, draft->set, &options)) {
		figure->reason = "no task has a period";
		return;
	}
	record_init(&record, draft->arena, draft->platform, draft->set, options.seed);
	options.observer = (struct observer){record_see, &record};
	options.most_events = EVENTS_MOST;
	if (simulate_run(draft->arena, draft->platform, draft->set, &options, &result) == SIMULATE_REFUSED) {
		figure->reason = of_operation(draft, result.refused_operation, result.refusal);
		return;
	}
	record.blocks_most = STANDING_MOST;
	record.plot = PLOT;
	record.to = end_of_picture(&record);
	if (record.to > 0)
		figure->command = arena_format(draft->arena, "%s --to=%" PRId64 "ns", figure->command, record.to);
	record_write_svg(&record, &figure->svg);
}

static bool check_inputs(const struct render_inputs *inputs)
{
	bool good = true;
	size_t length;
	for (const struct xml_element *input = render_inputs_find(inputs, NULL); input != NULL; input = render_next(input))
		good &= render_inputs_read(inputs, input, &length) != NULL;
	return good;
}

/* Warnings about the inputs are in the report already. */
static bool read_inputs(const struct render_inputs *inputs, struct draft *draft)
{
	const struct xml_element *set = render_inputs_find(inputs, "taskset"), *model = render_inputs_find(inputs, "platform");
	struct platform *platform = NULL;
	struct diagnostics again;
	if (!check_inputs(inputs))
		return false;
	diagnostics_init(&again, inputs->arena);
	const char *path = element_get(set, "path"), *name = element_get(model, "path");
	struct taskset *read = input_read_taskset(inputs->arena, &again, inputs->folders, path, name, &platform);
	bool taken = read != NULL && programs_bound(inputs->arena, platform, read, &again) != NULL;
	*draft = (struct draft){inputs->arena, platform, read, arena_format(inputs->arena, "--platform=%s %s", name, path)};
	if (!taken)
		diagnose(inputs->diagnostics, DIAGNOSTIC_BUNDLE_INPUT_CHANGED, path, 0, "expected a task set that this version takes");
	return taken;
}

bool report_figures_draw(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders,
	const struct report_file *report, struct render_figure figures[REPORT_FIGURES])
{
	const struct render_inputs inputs = {arena, diagnostics, folders, report};
	struct draft draft;
	if (!read_inputs(&inputs, &draft))
		return false;
	draw_placement(&draft, &figures[0]);
	draw_timeline(&draft, &figures[1]);
	return true;
}

void report_figures_finish(struct render_figure figures[REPORT_FIGURES])
{
	for (int i = 0; i < REPORT_FIGURES; i++)
		output_finish(&figures[i].svg);
}
