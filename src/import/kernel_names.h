/* Names of kernels: ids for a task set, and what a mangled and a demangled name have in common.
 *
 * Requires: an arena.
 * Provides: ids that are NCNames; the base name of a kernel, without return type, namespaces, template arguments and parameters.
 * Source:   the Itanium C++ ABI, 5.1 (nested and unscoped names).
 * Fails:    never; where a mangled name is not understood, its base name is itself.
 */
#ifndef IMPORT_KERNEL_NAMES_H
#define IMPORT_KERNEL_NAMES_H

#include "base/memory.h"

#include <stdbool.h>

/* "void at::native::(anonymous namespace)::pool<float>(float*)" and "_ZN2at6native12_GLOBAL__N_14poolIfEEvPf" are both "pool". */
const char *name_base(struct arena *arena, const char *name);

/* The text as an id: letters, digits, '_', '-' and '.', not more than 60 of them; '_' in place of others, and before what cannot begin one.
 */
const char *name_id(struct arena *arena, const char *text);

#endif
