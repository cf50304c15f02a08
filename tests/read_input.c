/* For tests: reads a task set or a platform and prints what the model holds, one fact a line; exit 3 where it was refused.
 *
 * usage: read_input taskset|platform FILE [PLATFORM [N]]   (PLATFORM: one instead of the task set's; N: the N-th allocation fails) */
#include "input/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_number(const char *name, int64_t value)
{
	if (value == NONE)
		printf(" %s=none", name);
	else
		printf(" %s=%" PRId64, name, value);
}

static void print_text(const char *name, const char *value)
{
	printf(" %s=%s%s%s", name, value != NULL ? "\"" : "", value != NULL ? value : "none", value != NULL ? "\"" : "");
}

/* ---- platform */

static void print_parameters(const struct platform *platform)
{
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		const struct quantity *quantity = &platform->parameters[i];
		if (!quantity->present)
			continue;
		printf("parameter %s", parameter_kinds[i].name);
		print_number("value", quantity->value);
		printf(" exact=%" PRId64 "/%" PRId64, quantity->exact.num, quantity->exact.den);
		print_text("source", quantity->source);
		print_text("note", quantity->note);
		print_text("by", quantity->declared_by);
		printf(" line=%ld\n", quantity->line);
	}
}

static void print_assumptions(const struct platform *platform)
{
	struct arena *arena = arena_create();
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const struct assumption_state *state = &platform->assumptions[i];
		printf("assumption %s %s", assumption_kinds[i].id, assumption_status_name(state->status));
		print_text("evidence", assumption_evidence(arena, state));
		print_text("by", state->declared_by);
		printf("\n");
	}
	arena_destroy(arena);
}

static void print_map(const struct platform *platform)
{
	printf("map gpcs=%d", platform->gpc_count);
	print_text("source", platform->map_source);
	for (int64_t i = 0; platform->sms != NULL && i < platform_value(platform, PARAMETER_SM_COUNT); i++)
		printf(" %d:%d:%d", platform->sms[i].gpc, platform->sms[i].tpc, platform->sms[i].ring);
	printf("\norder");
	print_text("source", platform->order_source);
	for (int64_t i = 0; platform->order != NULL && i < platform_value(platform, PARAMETER_SM_COUNT); i++)
		printf(" %d", platform->order[i]);
	printf("\ncarveouts");
	print_text("source", platform->carveout_source);
	for (int i = 0; i < platform->carveout_count; i++)
		printf(" %" PRId64, platform->carveouts[i]);
	printf("\n");
}

static void print_policies(const struct platform *platform)
{
	printf("placement %s", placement_names[platform->placement]);
	print_text("source", platform->placement_source);
	printf("\nengines");
	for (int i = 0; i < DIRECTION_COUNT; i++)
		printf(" %s=%d", direction_names[i], platform->engine_of[i]);
	printf(" copy-runlist=%s preemption=%s", copy_runlist_names[platform->copy_runlist], preemption_names[platform->preemption]);
	printf(" concurrent-kernels=%s", ternary_names[platform->concurrent_kernels]);
	printf(" per-sm-carveout=%s", ternary_names[platform->per_sm_carveout]);
	print_text("source", platform->engine_source);
	printf("\n");
}

static void print_interference(const struct platform *platform)
{
	printf("composition %s\n", composition_names[platform->composition]);
	for (int i = 0; i < platform->interference_count; i++) {
		const struct interference_entry *entry = &platform->interference[i];
		printf("factor %s from=%s", entry->is_copy ? "transfer" : access_names[entry->victim], interferer_names[entry->source]);
		print_number("footprint", entry->footprint);
		print_number("count", entry->count);
		printf(" value=%" PRId64 "/%" PRId64, entry->factor.num, entry->factor.den);
		print_text("evidence", entry->evidence);
		print_text("by", entry->declared_by);
		printf(" line=%ld\n", entry->line);
	}
}

static void print_kernels(const struct platform *platform)
{
	for (int i = 0; i < platform->pipeline_count; i++) {
		const struct warp_pipeline *pipeline = &platform->pipelines[i];
		printf("pipeline %s group=%s", pipeline->class, pipeline->group);
		print_number("lanes", pipeline->lanes);
		print_number("latency", pipeline->latency);
		print_text("source", pipeline->source);
		printf("\n");
	}
	const struct divergence_cost *cost = &platform->divergence;
	printf("divergence");
	print_number("depth", cost->depth);
	print_number("entries-a-spill", cost->entries_a_spill);
	print_number("cycles-a-divergence", cost->cycles_a_divergence);
	print_number("cycles-a-spill", cost->cycles_a_spill);
	print_text("source", cost->source);
	printf("\n");
}

static void print_platform(const struct platform *platform)
{
	printf("platform %s", platform->id);
	print_text("name", platform->name);
	print_text("architecture", platform->architecture);
	printf(" capability=%d integrated=%d\n", platform->compute_capability, platform->integrated);
	print_parameters(platform);
	print_map(platform);
	print_policies(platform);
	print_assumptions(platform);
	print_interference(platform);
	print_kernels(platform);
}

/* ---- task set */

static void print_kernel(const struct kernel *kernel)
{
	printf(" scope=%s grid=%" PRId64 "x%" PRId64 "x%" PRId64, scope_names[kernel->scope], kernel->grid[0], kernel->grid[1],
		kernel->grid[2]);
	print_number("blocks", kernel->blocks);
	print_number("threads", kernel->threads);
	print_number("registers", kernel->registers);
	print_number("shared-static", kernel->shared_static);
	print_number("shared-dynamic", kernel->shared_dynamic);
	printf(" cache=%s", cache_names[kernel->cache]);
	print_number("carveout", kernel->carveout);
	print_number("active-blocks", kernel->active_blocks);
	printf(" access=%s", access_names[kernel->access]);
	print_number("footprint", kernel->footprint);
	printf(" curve=");
	for (int i = 0; i < kernel->curve_count; i++)
		printf("%s%" PRId64, i > 0 ? "," : "", kernel->curve[i]);
}

static void print_operation(const struct taskset *set, const struct operation *operation)
{
	printf("  %s %s", operation_names[operation->kind], operation->id);
	print_text("stream", operation->stream != NO_ID ? set->streams[operation->stream].id : NULL);
	printf(operation->graph != 0 ? " graph=%d" : "", operation->graph);
	print_text("event", operation->event != NO_ID ? set->events[operation->event] : NULL);
	print_number("bcet", operation->bcet);
	print_number("wcet", operation->wcet);
	printf(" origin=%s line=%ld", set->origins[operation->origin].id, operation->line);
	if (operation->kind == OPERATION_KERNEL)
		print_kernel(&operation->kernel);
	if (operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET) {
		printf(" direction=%s", direction_names[operation->copy.direction]);
		print_number("bytes", operation->copy.bytes);
		printf(" pageable=%d synchronous=%d", operation->copy.pageable, operation->copy.synchronous);
	}
	printf("\n");
}

static void print_task(const struct taskset *set, const struct task *task)
{
	printf("task %s", task->id);
	print_text("requirement", task->requirement);
	print_text("application", task->application != NO_ID ? set->applications[task->application].id : NULL);
	printf(" arrival=%s", arrival_names[task->arrival.kind]);
	print_number("period", task->arrival.period);
	print_number("jitter", task->arrival.jitter);
	print_number("min-distance", task->arrival.min_distance);
	for (int i = 0; i < task->arrival.step_count; i++)
		printf(" step=%" PRId64 ":%" PRId64, task->arrival.steps[i].window, task->arrival.steps[i].count);
	print_number("deadline", task->deadline);
	print_number("offset", task->offset);
	if (task->core > 0)
		printf(" core=%s fifo-priority=%d waiting=%s", set->cores[task->core - 1].id, task->fifo,
			task->suspends ? "suspend" : "spin");
	if (task_reserves(task)) {
		print_number("sched-runtime", task->sched_runtime);
		print_number("sched-deadline", task->sched_deadline);
		print_number("sched-period", task->sched_period);
	}
	printf(" origin=%s line=%ld\n", set->origins[task->origin].id, task->line);
	for (int i = 0; i < task->operation_count; i++)
		print_operation(set, task_operation(set, task, i));
}

static void print_origins(const struct taskset *set)
{
	for (int i = 0; i < set->origin_count; i++) {
		const struct origin *origin = &set->origins[i];
		printf("origin %s %s", origin->id, origin_names[origin->kind]);
		print_text("source", origin->source);
		print_text("file", origin->file);
		print_text("row", origin->row);
		print_text("by", origin->by);
		print_number("samples", origin->samples);
		printf("\n");
	}
}

static void print_streams(const struct taskset *set)
{
	for (int i = 0; i < set->application_count; i++) {
		printf("application %s", set->applications[i].id);
		print_number("timeslice", set->applications[i].timeslice);
		printf("\n");
	}
	for (int i = 0; i < set->stream_count; i++) {
		const struct stream *stream = &set->streams[i];
		printf("stream %s application=%s level=%d kind=%s\n", stream->id, set->applications[stream->application].id, stream->level,
			stream_names[stream->kind]);
	}
	for (int i = 0; i < set->event_count; i++)
		printf("event %s\n", set->events[i]);
	for (int i = 0; i < set->core_count; i++)
		printf("core %s blocking=%" PRId64 "\n", set->cores[i].id, set->cores[i].blocking);
}

static void print_taskset(const struct taskset *set)
{
	printf("taskset %s", set->id);
	print_text("title", set->title);
	print_text("platform", set->platform_name);
	printf(" merged=%d\n", set->merged_context);
	print_origins(set);
	print_streams(set);
	for (int i = 0; i < set->task_count; i++)
		print_task(set, &set->tasks[i]);
	for (int i = 0; i < set->end_to_end_count; i++) {
		const struct end_to_end *flow = &set->end_to_end[i];
		printf("chain %s kind=%s", flow->id, end_to_end_names[flow->kind]);
		print_number("deadline", flow->deadline);
		print_text("requirement", flow->requirement);
		for (int k = 0; k < flow->task_count; k++)
			printf(" %s", set->tasks[flow->tasks[k]].id);
		printf("\n");
	}
}

int main(int count, char **arguments)
{
	if (count < 3)
		return 2;
	if (count > 4)
		memory_fail_at(atol(arguments[4]));
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform = NULL;
	const struct taskset *set = NULL;
	bool whole = strcmp(arguments[1], "taskset") == 0;
	if (whole)
		set = input_read_taskset(arena, &diagnostics, &folders, arguments[2],
			&(struct input_wishes){.platform = count > 3 ? arguments[3] : NULL}, &platform);
	else
		platform = input_read_platform(arena, &diagnostics, &folders, arguments[2]);
	diagnostics_print(&diagnostics, 0, LEVEL_NOTE, false, stderr);
	bool refused = whole ? set == NULL : platform == NULL;
	if (!refused && set != NULL)
		print_taskset(set);
	if (!refused)
		print_platform(platform);
	arena_destroy(arena);
	return refused ? 3 : 0;
}
