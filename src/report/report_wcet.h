/* The result of `gpubound wcet`, for a reader, for a program, and as a drawing.
 *
 * Requires: a program, its platform, and a bound on it (wcet/wcet.h).
 * Provides: text of at most TEXT_WIDTH columns; XML by schema/wcet-1.xsd; the graph in the language of Graphviz and as SVG, the worst path
 *           in bold.
 * Fails:    never.
 */
#ifndef REPORT_REPORT_WCET_H
#define REPORT_REPORT_WCET_H

#include "base/output.h"
#include "wcet/wcet.h"

/* A file from which code was compiled, to be shown beside its cycles. */
struct wcet_source {
	const char *file, *text; /* the file as the disassembly names it */
};

/* What the chain's worst path does of a line of the source. */
struct wcet_line {
	struct program_place place;
	int64_t instructions, cycles;
};

struct wcet_report {
	const struct program *program;
	const struct platform *platform;
	const struct wcet *wcet;
	const struct program *const *beside; /* of a block each on the same SM */
	const struct wcet *among;            /* as wcet, its instructions on lanes that those beside it may be on; NULL where nothing is */
	const struct wcet_neighbour *neighbours;
	int beside_count;
	const struct wcet_source *sources; /* to be shown with the text; none unless somebody asks for them */
	int source_count;
};

void wcet_text(struct output *output, const struct wcet_report *report, bool colour);
void wcet_xml(struct output *output, const struct wcet_report *report);
void wcet_dot(struct output *output, const struct wcet_report *report);
void wcet_svg(struct output *output, const struct wcet_report *report);

/* The linear programs of a bound with what certifies them, as elements; counts: with the worst paths. */
struct xml;
extern const char *const composition_words[];
void wcet_xml_parts(struct xml *xml, const struct wcet *wcet, bool counts);
void wcet_xml_claims(struct xml *xml, const struct program *program); /* what its file says that nobody checked */
void wcet_xml_turns(struct xml *xml, const struct wcet *wcet);        /* bounds of loops that the code shows, with what certifies them */
void wcet_xml_accesses(
	struct xml *xml, const struct wcet *wcet, bool counts); /* counts: on the worst path; else with what certifies them */
void wcet_xml_neighbour(struct xml *xml, const struct wcet_neighbour *neighbour); /* attributes: what a block beside it adds */

/* By file and line; none where no line or no worst path is known. */
const struct wcet_line *wcet_lines(const struct wcet_report *report, int *count);
const char *wcet_file_name(const char *path); /* without folders */
void wcet_lines_text(struct output *output, const struct wcet_report *report, bool colour);
void wcet_lines_annotate(struct output *output, const struct wcet_report *report, bool colour);

/* Instructions of a class on the chain's worst path; NONE where no path is known. */
int64_t wcet_instructions(const struct wcet_report *report, int class);
int64_t wcet_spared(const struct wcet_report *report, int class);       /* cycles that they take less than their latencies */
int64_t wcet_divergence_cycles(const struct wcet_report *report);       /* of groups that split off there, spills included; NONE likewise */
int64_t wcet_class_cycles(const struct wcet_report *report, int class); /* their latencies */

/* How many numbers of blocks on the SM are listed: as many as can be, 1 where that is not known. */
int64_t wcet_curve_length(const struct wcet *wcet);

#endif
