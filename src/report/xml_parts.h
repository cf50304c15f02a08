/* The parts of the XML report, in the order in which they stand, and what they share. */
#ifndef REPORT_XML_PARTS_H
#define REPORT_XML_PARTS_H

#include "report/report.h"
#include "write/xml_write.h"

struct xml_report {
	struct xml xml;
	const struct report *report;
	int *numbers;                               /* a derivation step's number in the report; 0: not reachable from a result */
	int tasks, streams, operations, end_to_end; /* written, for the coverage */
};

/* xml_inputs.c */
/* hash, lines: of the rest of the text, and of each line */
void xml_add_environment(struct xml_report *x, struct arena *arena, const char *hash, const char *lines);
void xml_add_invocation(struct xml_report *x);
void xml_add_inputs(struct xml_report *x);
void xml_add_provenance(struct xml_report *x);
void xml_add_declarations(struct xml_report *x);
void xml_add_assumptions(struct xml_report *x);
void xml_assumption_list(struct xml_report *x, uint64_t assumptions); /* attribute of ids */

/* xml_results.c */
void xml_add_results(struct xml_report *x);
void xml_add_slack(struct xml_report *x); /* nothing where it was not asked for */

/* xml_map.c */
void xml_add_kernels(struct xml_report *x);
void xml_add_hazards(struct xml_report *x);
void xml_add_channels(struct xml_report *x);
void xml_add_diagnostics(struct xml_report *x);

/* xml_programs.c */
void xml_add_programs(struct xml_report *x); /* nothing where no kernel names one */

/* xml_derivation.c */
void xml_number_steps(struct xml_report *x, struct arena *arena);
void xml_step_attribute(struct xml_report *x, const char *name, int step); /* "s7"; nothing for STEP_ABSENT */
void xml_add_rules(struct xml_report *x);
void xml_add_derivation(struct xml_report *x);

#endif
