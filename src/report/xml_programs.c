/* The XML report's account of the programs that kernels name: their bounds, and the multipliers that certify them. */
#include "wcet/programs.h"
#include "report/report_wcet.h"
#include "report/xml_parts.h"

static void add_program(struct xml_report *x, const struct wcet *wcet)
{
	const struct program *program = wcet->flow.program;
	xml_begin(&x->xml, "program");
	xml_attribute(&x->xml, "path", report_path(x->report, program->path));
	xml_attribute(&x->xml, "id", program->id);
	xml_integer(&x->xml, "warps", wcet->warps);
	xml_integer(&x->xml, "near", wcet->near);
	xml_attribute(&x->xml, "composition", composition_words[wcet->composition]);
	xml_integer(&x->xml, "cycles", wcet->cycles);
	if (wcet->costs.first_reads > 0)
		xml_integer(&x->xml, "first-reads", wcet->costs.first_reads);
	wcet_xml_neighbour(&x->xml, &wcet->self);
	wcet_xml_claims(&x->xml, program);
	wcet_xml_turns(&x->xml, wcet);
	wcet_xml_accesses(&x->xml, wcet, false);
	wcet_xml_parts(&x->xml, wcet, false);
	xml_end(&x->xml);
}

/* Each once, where the first operation names it. */
static bool is_first(const struct taskset *set, int index)
{
	for (int i = 0; i < index; i++)
		if (set->operations[i].program == set->operations[index].program)
			return false;
	return set->operations[index].program != NULL;
}

void xml_add_programs(struct xml_report *x)
{
	const struct taskset *set = x->report->set;
	bool any = false;
	for (int i = 0; i < set->operation_count; i++)
		any |= set->operations[i].program != NULL;
	if (!any || x->report->programs == NULL)
		return;
	xml_begin(&x->xml, "programs");
	for (int i = 0; i < set->operation_count; i++)
		if (is_first(set, i) && x->report->programs->bounds[i] != NULL)
			add_program(x, x->report->programs->bounds[i]);
	xml_end(&x->xml);
}
