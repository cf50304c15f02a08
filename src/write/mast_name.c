/* Names for MAST. */
#include "write/mast_name.h"

#include <ctype.h>

const char *mast_name(struct arena *arena, const char *kind, int number, const char *id)
{
	char *name = arena_format(arena, "%s%d_%s", kind, number, id);
	for (char *c = name; *c != '\0'; c++)
		*c = (char)(isalnum((unsigned char)*c) ? tolower((unsigned char)*c) : '_');
	return name;
}

const char *mast_model_name(struct arena *arena, const char *hash)
{
	return arena_format(arena, "gpubound2_%s", hash); /* those of gpubound_ had the way to the GPU in its work */
}
