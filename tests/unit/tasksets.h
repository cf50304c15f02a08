/* Task sets for unit tests, built in C: applications, streams and one task's operations, with nothing validated. */
#ifndef TESTS_UNIT_TASKSETS_H
#define TESTS_UNIT_TASKSETS_H

#include "model/taskset.h"

#include "base/assert.h"

#define TASKSET_ROOM 64

struct built {
	struct taskset set;
	struct application applications[4];
	struct stream streams[TASKSET_ROOM];
	struct operation operations[TASKSET_ROOM];
};

static inline void built_init(struct built *built, int applications)
{
	static const char *const names[] = {"a", "b", "c", "d"};
	*built = (struct built){.set = {.path = "test.xml", .id = "test"}};
	built->set.applications = built->applications;
	built->set.application_count = applications;
	built->set.streams = built->streams;
	built->set.operations = built->operations;
	for (int i = 0; i < applications; i++)
		built->applications[i] = (struct application){.id = names[i], .timeslice = NONE, .line = 2 + i};
}

static inline int built_stream(struct built *built, int application, int level, enum stream_kind kind)
{
	int index = built->set.stream_count++;
	assert(index < TASKSET_ROOM);
	built->streams[index] = (struct stream){.id = "s", .application = application, .level = level, .kind = kind, .line = 10 + index};
	return index;
}

static inline struct operation *built_operation(struct built *built, enum operation_kind kind, const char *id, int stream)
{
	int index = built->set.operation_count++;
	assert(index < TASKSET_ROOM);
	built->operations[index] =
		(struct operation){.id = id, .kind = kind, .stream = stream, .event = NO_ID, .wcet = 1000, .line = 100 + index};
	return &built->operations[index];
}

static inline struct operation *built_kernel(struct built *built, const char *id, int stream, struct kernel kernel)
{
	struct operation *operation = built_operation(built, OPERATION_KERNEL, id, stream);
	operation->kernel = kernel;
	return operation;
}

static inline struct operation *built_copy(
	struct built *built, enum operation_kind kind, const char *id, int stream, enum direction direction)
{
	struct operation *operation = built_operation(built, kind, id, stream);
	operation->copy = (struct copy){.direction = direction, .bytes = NONE};
	return operation;
}

#endif
