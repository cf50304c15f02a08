/* What some instructions compute, by their operands' text, one thread at a time.
 *
 * Requires: an instruction with operands, or without: then nothing is computed.
 * Provides: the word that it writes to its first register. Of a thread its words of registers and predicates, and its place in its block.
 * Source:   the mnemonics' meaning: NVIDIA, CUDA Binary Utilities, instruction set reference.
 * Fails:    false: it is none of those that are known.
 */
#ifndef WARPS_ARITHMETIC_H
#define WARPS_ARITHMETIC_H

#include "model/program.h"

struct arithmetic_thread {
	const void *context;
	uint64_t (*cell)(const void *context, int cell);
	uint32_t place[3], lane;
};

bool arithmetic_word(const struct program_instruction *instruction, const struct arithmetic_thread *thread, uint32_t *word);

#endif
