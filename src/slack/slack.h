/* How far each task is from another verdict.
 *
 * Requires: a task set that was analysed, its map, and the verdicts.
 * Provides: for each task by how much all WCETs, those of the task alone, its period, and its deadline can move, each alone, so that the
 *           task is still proven and is not one unit further; of a task that is not proven, by how much each has to move. Each figure
 *           was found by two analyses, on either side of it.
 * Source:   search by halves over the bounds, which grow with WCETs and shrink with periods ([KW], [H]).
 * Fails:    NONE where no move within the limits changes the verdict.
 */
#ifndef SLACK_SLACK_H
#define SLACK_SLACK_H

#include "response/response.h"

#define SLACK_LEAST (-999) /* thousandths of the WCETs */

struct slack {
	int64_t all_wcets, own_wcets; /* thousandths that they may grow by; negative: have to shrink by */
	int64_t period;   /* ns that it may shrink by; negative: has to grow by; NONE also for curves, phases and shared events */
	int64_t deadline; /* ns that it may shrink by; negative: has to grow by; NONE also without deadline or bound */
};

enum moved { MOVED_ALL_WCETS, MOVED_OWN_WCETS, MOVED_PERIOD, MOVED_ONE_WCET /* `task` is that operation */ };

/* A copy in which what a figure is of has moved: by thousandths that WCETs grow by, or ns that the task's period shrinks by. */
struct taskset *slack_move(struct arena *arena, const struct taskset *set, int task, enum moved moved, int64_t by);

struct slack slack_of(const struct platform *platform, const struct taskset *set, const struct map *map, const struct response *response,
	int solver_iterations, int task);

/* Of the whole task set's verdict: thousandths by which all WCETs, or that of one operation alone, may grow (negative: have to shrink by)
 * so that all deadlines are met; NONE: no such figure within the limits. Of the operation: no figure below `below` is NONE, too. */
int64_t slack_of_set(const struct platform *platform, const struct taskset *set, const struct map *map, const struct response *response,
	int solver_iterations);
int64_t slack_of_operation(const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations, int operation, int64_t below);

/* A time that grows by thousandths, as WCETs do here: rounded up, never to nothing. */
int64_t slack_scaled(int64_t wcet, int64_t thousandths);

/* One a task. */
struct slack *slack_find(struct arena *arena, const struct platform *platform, const struct taskset *set, const struct map *map,
	const struct response *response, int solver_iterations);

#endif
