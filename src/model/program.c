/* Names of instruction classes as they stand in XML, and what follows from a program at once. */
#include "model/program.h"

#include <stddef.h>

const char *const class_names[] = {
#define INSTRUCTION_CLASS(symbol, name, meaning) name,
#include "model/classes.def"
#undef INSTRUCTION_CLASS
	NULL,
};

int64_t program_warps(const struct program *program)
{
	return checked_div_ceil(program->threads, THREADS_A_WARP);
}
