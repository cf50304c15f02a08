/* Two reports of one system: what became of it.
 *
 * Requires: the roots of two reports that are valid against their schema.
 * Provides: what differs in inputs, command line, declarations, origins, assumptions, numbers that bounds rest on, results with every
 *           bound, kernels; nothing of where things stand. For impact analysis: what follows from what changed.
 * Source:   issue 6; ISO 26262-8, 8.4.2.
 * Fails:    never.
 */
#ifndef RENDER_COMPARE_H
#define RENDER_COMPARE_H

#include "base/output.h"
#include "input/xml.h"

int render_compare(struct output *output, const struct xml_element *old, const struct xml_element *now); /* differences */

#endif
