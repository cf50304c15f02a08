/* The report of a task set, as `gpubound analyze` writes it; false: it is not analysed. */
#ifndef TESTS_ANALYZED_H
#define TESTS_ANALYZED_H

#include "pipeline.h"

static inline bool analyzed(const char *path, struct output *text)
{
	struct pipeline pipeline;
	struct pipeline_options options = {0};
	const char *const arguments[] = {"analyze", path, NULL};
	pipeline_init(&pipeline);
	bool good = pipeline_run(&pipeline, path, &options);
	if (good) {
		struct report report = pipeline_report(&pipeline, &options, arguments, 2);
		report_xml(text, &report);
	}
	pipeline_finish(&pipeline);
	return good;
}

#endif
