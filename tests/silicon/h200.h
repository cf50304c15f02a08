/* The H200 of the recorded traces, stated in a test (silicon.md 1; placement-rules.md): independent of the shipped model. */
#ifndef TESTS_SILICON_H200_H
#define TESTS_SILICON_H200_H

#include "base/memory.h"
#include "model/platform.h"

struct platform *h200_platform(struct arena *arena);

#endif
