/* Kernels with data in host memory, pinned (zero-copy) or managed: only where that is the GPU's own DRAM, only with times that were
 * measured so, and managed memory only with what its coherence takes charged to each launch and to each wait of the host: [HOST-MEMORY]. */
#include "input/validate_rules.h"

#include <inttypes.h>
#include <stddef.h>

static bool is_managed(const struct operation *operation)
{
	return operation->kind == OPERATION_KERNEL && operation->kernel.memory == KERNEL_MEMORY_MANAGED;
}

static void refuse(const struct validation *validation, enum kernel_memory memory, const struct operation *operation, const char *expected)
{
	enum diagnostic_code code =
		memory == KERNEL_MEMORY_MANAGED ? DIAGNOSTIC_UNSUPPORTED_MANAGED_MEMORY : DIAGNOSTIC_UNSUPPORTED_ZERO_COPY;
	diagnose(validation->diagnostics, code, validation->set->path, operation->line, "'%s': expected %s", operation->id, expected);
}

static enum kernel_memory measured_with(const struct taskset *set, int origin)
{
	return origin == NO_ID ? KERNEL_MEMORY_DEVICE : set->origins[origin].memory;
}

/* What a time was measured with is what the kernel does. */
static void hold_origin(const struct validation *validation, const struct operation *operation, int origin)
{
	enum kernel_memory memory = operation->kernel.memory, measured = measured_with(validation->set, origin);
	if (memory == measured)
		return;
	if (memory == KERNEL_MEMORY_DEVICE)
		refuse(validation, measured, operation,
			"an origin of times with memory=\"device\", as the kernel has its data there; got one of other memory");
	else if (memory == KERNEL_MEMORY_MANAGED)
		refuse(validation, memory, operation,
			"times that were measured with it: <origin ... memory=\"managed\"/>, named by the kernel; or memory=\"device\"");
	else
		refuse(validation, memory, operation,
			"times that were measured with it: <origin ... memory=\"zero-copy\"/>, named by the kernel; or memory=\"device\"");
}

static void hold_kernel(const struct validation *validation, const struct operation *operation)
{
	enum kernel_memory memory = operation->kernel.memory;
	if (memory != KERNEL_MEMORY_DEVICE && !validation->platform->integrated) {
		refuse(validation, memory, operation,
			"memory=\"device\", as the platform is not integrated: its GPU has a memory of its own");
		return;
	}
	hold_origin(validation, operation, operation->origin);
	for (int i = 0; i < operation->size_count; i++)
		hold_origin(validation, operation, operation->sizes[i].origin);
	if (memory != KERNEL_MEMORY_DEVICE && operation->program_name != NULL)
		refuse(validation, memory, operation,
			"a WCET that was measured with that memory; got a program, which knows device memory only");
}

/* ---- managed memory: what coherence takes */

static bool has_managed(const struct taskset *set, const struct task *task)
{
	for (int i = 0; i < task->operation_count; i++)
		if (is_managed(task_operation(set, task, i)))
			return true;
	return false;
}

/* The host waits behind the last operation, and behind each synchronous call, in a segment that has its coherence in it. */
static void hold_waits(const struct validation *validation, const struct task *task)
{
	int64_t coherence = platform_value(validation->platform, PARAMETER_MANAGED_SYNCHRONISE);
	for (int i = 0; i < task->operation_count; i++) {
		const struct operation *operation = task_operation(validation->set, task, i);
		const struct operation *next = i + 1 < task->operation_count ? task_operation(validation->set, task, i + 1) : NULL;
		bool waits = next == NULL || operation->copy.synchronous;
		if (operation->kind == OPERATION_HOST && coherence != NONE && operation->wcet < coherence)
			diagnose(validation->diagnostics, DIAGNOSTIC_UNSUPPORTED_MANAGED_MEMORY, validation->set->path, operation->line,
				"'%s': expected a wcet of %" PRId64
				" ns or more: its thread waits for the GPU, and managed.synchronise is part of it",
				operation->id, coherence);
		if (operation->kind != OPERATION_HOST && waits && (next == NULL || next->kind != OPERATION_HOST))
			refuse(validation, KERNEL_MEMORY_MANAGED, operation,
				"a <host> behind it, whose wcet has managed.synchronise in it: the task uses managed memory, and its "
				"thread "
				"waits here");
	}
}

static void hold_number(const struct validation *validation, const struct operation *operation, enum parameter which)
{
	const struct parameter_kind *kind = &parameter_kinds[which];
	if (platform_value(validation->platform, which) == NONE)
		diagnose(validation->diagnostics, DIAGNOSTIC_UNSUPPORTED_MANAGED_MEMORY, validation->set->path, operation->line,
			"'%s': expected %s, %s; source: %s; add <declare name=\"%s\" value=\"...\" source=\"...\" by=\"...\"/>",
			operation->id, kind->name, kind->meaning, kind->where, kind->name);
}

static void hold_launches(const struct validation *validation, const struct operation *operation)
{
	int64_t launch = platform_value(validation->platform, PARAMETER_OVERHEAD_LAUNCH),
		coherence = platform_value(validation->platform, PARAMETER_MANAGED_LAUNCH);
	hold_number(validation, operation, PARAMETER_MANAGED_LAUNCH);
	hold_number(validation, operation, PARAMETER_MANAGED_SYNCHRONISE);
	if (coherence != NONE && launch != NONE && launch < coherence)
		diagnose(validation->diagnostics, DIAGNOSTIC_UNSUPPORTED_MANAGED_MEMORY, validation->set->path, operation->line,
			"'%s': expected overhead.launch of %" PRId64 " ns or more, as managed.launch is part of it; got %" PRId64 " ns",
			operation->id, coherence, launch);
}

void rules_host_memory(const struct validation *validation)
{
	const struct taskset *set = validation->set;
	const struct operation *managed = NULL;
	for (int i = 0; i < set->operation_count; i++) {
		if (set->operations[i].kind == OPERATION_KERNEL)
			hold_kernel(validation, &set->operations[i]);
		managed = managed == NULL && is_managed(&set->operations[i]) ? &set->operations[i] : managed;
	}
	if (managed == NULL || !validation->platform->integrated)
		return;
	hold_launches(validation, managed);
	for (int t = 0; t < set->task_count; t++)
		if (has_managed(set, &set->tasks[t]))
			hold_waits(validation, &set->tasks[t]);
}
