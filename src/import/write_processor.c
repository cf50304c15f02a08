/* Writes the platform model of a single processor. */
#include "import/write_imported.h"
#include "model/platform.h"

#include <stdio.h>

static const struct {
	enum parameter parameter;
	const char *value;
} numbers[] = {
	{PARAMETER_SM_COUNT, "1"},
	{PARAMETER_SM_WARPS, "1"},
	{PARAMETER_SM_BLOCKS, "1"},
	{PARAMETER_SM_SUBPARTITIONS, "1"},
	{PARAMETER_SM_REGISTERS, "256"},
	{PARAMETER_SM_SHARED, "256B"},
	{PARAMETER_REGISTER_UNIT, "256"},
	{PARAMETER_SHARED_UNIT, "256B"},
	{PARAMETER_SHARED_RESERVED, "0B"},
	{PARAMETER_BLOCK_THREADS, "32"},
	{PARAMETER_BLOCK_REGISTERS, "256"},
	{PARAMETER_THREAD_REGISTERS, "8"},
	{PARAMETER_QUEUES_HARDWARE, "2147483647"},
	{PARAMETER_QUEUES_GRIDS, "2147483647"},
	{PARAMETER_DISPATCH_NONEMPTY, "1"},
	{PARAMETER_OVERHEAD_LAUNCH, "0ns"},
	{PARAMETER_OVERHEAD_BLOCK, "0ns"},
	{PARAMETER_OVERHEAD_DEPENDENCY, "0ns"},
	{PARAMETER_TIME_TICK, "1us"},
};

static void add_number(struct output *output, enum parameter parameter, const char *value)
{
	output_print(output, "    <parameter name=\"%s\" value=\"%s\" source=\"model\"/>\n", parameter_kinds[parameter].name, value);
}

void import_write_processor(struct output *output, int levels)
{
	char count[16];
	snprintf(count, sizeof count, "%d", levels);
	output_add(output,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<!-- Written by gpubound import: no GPU, but one processor on which jobs run by fixed priority without preemption, as one "
		"SM "
		"with room for one\n"
		"     block. A level for each priority of the task set; nothing costs time but the jobs. -->\n"
		"<platform xmlns=\"urn:gpubound:platform:1\" id=\"processor\" name=\"one SM with one slot\" architecture=\"none\" "
		"compute-capability=\"7.0\" integrated=\"false\">\n"
		"  <sources>\n    <source id=\"model\" kind=\"data\">the processor model of the imported task set, without "
		"overheads</source>\n"
		"  </sources>\n  <parameters>\n");
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		add_number(output, numbers[i].parameter, numbers[i].value);
	add_number(output, PARAMETER_QUEUES_PRIORITIES, count);
	output_add(output, "  </parameters>\n  <sms source=\"model\">\n    <gpc id=\"0\"><tpc>0</tpc></gpc>\n  </sms>\n  <order "
			   "source=\"model\">0</order>\n"
			   "  <placement policy=\"most-room\" source=\"model\"/>\n"
			   "  <engines source=\"model\" preemption=\"block\" concurrent-kernels=\"yes\"/>\n  <assumptions>\n");
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (i != ASSUMPTION_PARTITION) /* one SM is not parted */
			output_print(output,
				"    <assumption id=\"%s\" status=\"holds\" source=\"model\">By definition of the "
				"processor.</assumption>\n",
				assumption_kinds[i].id);
	output_add(output,
		"  </assumptions>\n  <!-- Nothing runs beside a job: there is one slot, and no memory that anybody shares. -->\n"
		"  <interference composition=\"maximum\">\n    <factor victim=\"any\" from=\"all\" value=\"1\" source=\"model\"/>\n"
		"  </interference>\n</platform>\n");
}
