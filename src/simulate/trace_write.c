/* Writes the trace CSV. */
#include "simulate/trace.h"

#include <inttypes.h>

void trace_write_header(struct output *output)
{
	output_add(output,
		"exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1,registers,static,carveout\n");
}

static void write_optional(struct output *output, int64_t value)
{
	if (value == NONE)
		output_add(output, ",");
	else
		output_print(output, ",%" PRId64, value);
}

static void write_block(struct output *output, const struct trace_configuration *configuration, int kernel_index, int64_t index)
{
	const struct trace_kernel *kernel = &configuration->kernels[kernel_index];
	const struct trace_block *block = &configuration->blocks[kernel->first_block + index];
	output_print(output, "%s,%" PRId64 ",%" PRId64 ",%d,%d", configuration->experiment, configuration->configuration,
		configuration->repetition, configuration->mode, kernel_index);
	const int64_t numbers[] = {kernel->stream, kernel->priority, kernel->grid[0], kernel->grid[1], kernel->grid[2], kernel->threads,
		kernel->shared_dynamic, kernel->variant, index, block->sm, block->ticket, block->begin, block->end};
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		output_print(output, ",%" PRId64, numbers[i]);
	write_optional(output, kernel->registers);
	write_optional(output, kernel->shared_static);
	write_optional(output, kernel->carveout);
	output_add(output, "\n");
}

void trace_write(struct output *output, const struct trace_configuration *configuration)
{
	for (int k = 0; k < configuration->kernel_count; k++)
		for (int64_t i = 0; i < configuration->kernels[k].blocks; i++)
			write_block(output, configuration, k, i);
}
