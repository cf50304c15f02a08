/* A drawn system as files of a folder: platform.xml and taskset.xml. */
#ifndef TESTS_DRAWN_H
#define TESTS_DRAWN_H

#include "falsify/generate.h"
#include "write/write.h"

static inline bool write_case(struct arena *arena, const char *folder, const struct falsify_case *drawn)
{
	struct output platform = {0}, set = {0};
	write_platform(&platform, drawn->platform, NULL);
	write_taskset(&set, drawn->set, "./platform.xml", NULL);
	bool written = output_write(&platform, arena_format(arena, "%s/platform.xml", folder)) &&
		       output_write(&set, arena_format(arena, "%s/taskset.xml", folder));
	output_finish(&platform);
	output_finish(&set);
	return written;
}

#endif
