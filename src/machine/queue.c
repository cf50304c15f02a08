/* Queues of operation instances: an instance is in one queue of an engine at a time. */
#include "machine/machine_parts.h"

void queue_add(struct queue *queue, struct instance *instance)
{
	instance->after_in_queue = NULL;
	instance->before_in_queue = queue->last;
	if (queue->last == NULL)
		queue->first = instance;
	else
		queue->last->after_in_queue = instance;
	queue->last = instance;
}

void queue_remove(struct queue *queue, struct instance *instance)
{
	struct instance *before = instance->before_in_queue, *after = instance->after_in_queue;
	if (before == NULL)
		queue->first = after;
	else
		before->after_in_queue = after;
	if (after == NULL)
		queue->last = before;
	else
		after->before_in_queue = before;
}
