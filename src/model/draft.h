/* The parts of a model that is under construction.
 *
 * Requires: a platform or a task set that is the caller's own, and that nobody else has yet: as it is read, drawn, made smaller, copied.
 * Provides: DRAFT(set->operations)[i].wcet = ...: an array that a model has as a constant, to be written.
 * Fails:    never. Only who makes models includes this: tests/layers.py says who that is.
 */
#ifndef MODEL_DRAFT_H
#define MODEL_DRAFT_H

#include "model/taskset.h"

#define DRAFT(array)                                                                                                                       \
	_Generic((array), const struct origin *                                                                                            \
		 : (struct origin *)(uintptr_t)(array), const struct application *                                                         \
		 : (struct application *)(uintptr_t)(array), const struct partition *                                                      \
		 : (struct partition *)(uintptr_t)(array), const struct stream *                                                           \
		 : (struct stream *)(uintptr_t)(array), const struct core *                                                                \
		 : (struct core *)(uintptr_t)(array), const struct lock *                                                                \
		 : (struct lock *)(uintptr_t)(array), const struct locked_unit *                                                           \
		 : (struct locked_unit *)(uintptr_t)(array), const struct task *                                                           \
		 : (struct task *)(uintptr_t)(array), const struct operation *                                                             \
		 : (struct operation *)(uintptr_t)(array), const struct end_to_end *                                                       \
		 : (struct end_to_end *)(uintptr_t)(array), const struct handover *                                                       \
		 : (struct handover *)(uintptr_t)(array), const struct measured_company * \
		 : (struct measured_company *)(uintptr_t)(array), const struct companion * \
		 : (struct companion *)(uintptr_t)(array), const struct sized_time * \
		 : (struct sized_time *)(uintptr_t)(array), const struct curve_step *                                                      \
		 : (struct curve_step *)(uintptr_t)(array), const struct sm_position *                                                     \
		 : (struct sm_position *)(uintptr_t)(array), const struct interference_entry *                                             \
		 : (struct interference_entry *)(uintptr_t)(array), const struct warp_pipeline *                                           \
		 : (struct warp_pipeline *)(uintptr_t)(array), const struct platform_source *                                              \
		 : (struct platform_source *)(uintptr_t)(array), const struct least_value *                                                  \
		 : (struct least_value *)(uintptr_t)(array), const uint64_t *                                                              \
		 : (uint64_t *)(uintptr_t)(array), const int *                                                                   \
		 : (int *)(uintptr_t)(array), const int64_t *                                                                              \
		 : (int64_t *)(uintptr_t)(array))

#endif
