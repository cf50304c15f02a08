/* What a report's multipliers prove of a program's linear program.
 *
 * Requires: code that could be read, its partings; a weight of each block.
 * Provides: the most that the weights of all blocks on a warp's way add up to, by weak duality: for multipliers y, of rows "at most" not
 *           below zero, every x has cost <= b'y + sum max(0, c - A'y) most. The multipliers are the report's, the rows are written here.
 * Source:   [LP-CERTIFICATE].
 * Fails:    NONE where they prove nothing; a difference where the certificate is not spelled as the one form of it.
 */
#ifndef VERIFY_DUAL_H
#define VERIFY_DUAL_H

#include "verify/check.h"
#include "verify/divergence.h"

struct dual_program {
	struct check *check;
	const char *where;
	const struct code *code;
	const struct partings *partings;
	const int64_t *weights; /* [block] */
	int64_t divergence;     /* of a group that splits off */
	bool with_facts;
};

int64_t dual_prove(const struct dual_program *program, const struct xml_element *certificate);

#endif
