/* CUDA's stream priorities as levels: 0 is CUDA's lowest and its default, lower numbers are higher; level 0 is the highest.
 * CUDA C++ Programming Guide, stream priorities; cudaStreamCreateWithPriority. */
#include "input/reader.h"
#include "model/draft.h"

static bool any_of_cuda(const struct taskset *set)
{
	for (int i = 0; i < set->stream_count; i++)
		if (set->streams[i].by_cuda)
			return true;
	return false;
}

/* A stream without a priority has CUDA's default, 0. With the number of levels p is level p + levels - 1. Without it only their order is
 * known, and the highest that is used is level 0. */
void priorities_translate(struct taskset *set, const struct platform *platform)
{
	int64_t levels = platform_value(platform, PARAMETER_QUEUES_PRIORITIES);
	int highest = 0;
	if (!any_of_cuda(set))
		return;
	for (int i = 0; i < set->stream_count; i++)
		highest = set->streams[i].by_cuda && set->streams[i].cuda < highest ? set->streams[i].cuda : highest;
	for (int i = 0; i < set->stream_count; i++)
		if (!set->streams[i].stated)
			DRAFT(set->streams)
	[i].level = set->streams[i].cuda + (levels != NONE && levels <= INT16_MAX ? (int)levels - 1 : -highest);
}
