/* The exploration against runs: small job sets, played by an engine that knows nothing of states and intervals. */
#include "explore/explore.h"
#include "explore/critical_path.h"
#include "base/random.h"
#include "unit/run.h"

#include <stdio.h>

#define JOBS 7
#define ENGINES 3
#define SLOTS 3
#define RUNS 100
#define LINES 3

struct scene {
	struct explore explore;
	struct explore_job jobs[JOBS];
	struct explore_edge edges[JOBS * JOBS];
	struct explore_engine engines[ENGINES];
	struct explore_line lines[LINES];
	struct explore_turn turns[LINES][JOBS];
	int line_of[JOBS]; /* 1 + the line in which it begins a turn */
	int pool[ENGINES]; /* slots, those behind a gate as well */
};

static int64_t roll(struct random *random, int64_t least, int64_t most)
{
	return random_between(random, least, most);
}

static void draw_engine(struct random *random, struct explore_engine *engine, int *pool)
{
	static const enum explore_order orders[] = {EXPLORE_ARRIVAL, EXPLORE_ARRIVAL, EXPLORE_LEVEL, EXPLORE_GATE};
	engine->order = orders[roll(random, 0, 3)];
	engine->slots = *pool = (int)roll(random, 1, SLOTS);
	engine->knows = roll(random, 0, 1);
	if (engine->order == EXPLORE_GATE)
		engine->slots = 1;
	engine->overlaps = engine->order == EXPLORE_ARRIVAL && roll(random, 0, 2) == 0;
	if (!engine->overlaps)
		return;
	engine->slots = 1;
	engine->pool = *pool = (int)roll(random, 0, 1) * *pool;
	engine->launch = roll(random, 0, 1);
	engine->dispatch = roll(random, 0, 1);
}

static void draw_edges(struct random *random, struct scene *scene, int job)
{
	struct explore *explore = &scene->explore;
	scene->jobs[job].first_edge = explore->edge_count;
	for (int from = 0; from < job; from++) {
		if (roll(random, 0, 4) > 0)
			continue;
		bool level = scene->engines[scene->jobs[from].engine].order == EXPLORE_LEVEL;
		int64_t least = roll(random, 0, 2);
		scene->edges[explore->edge_count++] =
			(struct explore_edge){from, level && roll(random, 0, 3) == 0, least, least + roll(random, 0, 2)};
		scene->jobs[job].edge_count++;
	}
}

/* Behind a gate, or side by side: pieces of equal length at most on equal slots, which alone take cost_most at the most. */
static void draw_pieces(struct random *random, const struct scene *scene, struct explore_job *job)
{
	int64_t pieces = roll(random, 1, 4), pool = scene->pool[job->engine];
	const struct explore_engine *engine = &scene->engines[job->engine];
	job->piece = job->last = job->cost_most;
	job->cost_most = engine->launch + pieces * engine->dispatch + (pieces + pool - 1) / pool * job->piece;
	job->units = pieces;
}

/* A turn of one job, or of two: then the next one follows it and nothing else. */
static void draw_turn(struct random *random, struct scene *scene, int job)
{
	struct explore *explore = &scene->explore;
	int line = (int)roll(random, 0, explore->line_count - 1);
	bool pair = job + 1 < explore->job_count && scene->jobs[job + 1].edge_count > 0 && roll(random, 0, 1);
	for (int i = 0; pair && i < scene->jobs[job + 1].edge_count; i++)
		pair = scene->edges[scene->jobs[job + 1].first_edge + i].from == job;
	scene->turns[line][scene->lines[line].count++] = (struct explore_turn){job, job + pair, roll(random, 0, 2)};
	scene->line_of[job] = 1 + line;
}

static void draw_lines(struct random *random, struct scene *scene)
{
	struct explore *explore = &scene->explore;
	explore->queue_count = (int)roll(random, 1, 2);
	explore->line_count = LINES;
	explore->lines = scene->lines;
	for (int i = 0; i < LINES; i++)
		scene->lines[i] = (struct explore_line){i % explore->queue_count, scene->turns[i], 0};
	for (int i = 0; i < explore->job_count; i++)
		if (scene->jobs[i].edge_count == 0 && roll(random, 0, 3) > 0)
			draw_turn(random, scene, i);
}

static void draw(struct random *random, struct scene *scene)
{
	*scene = (struct scene){.explore = {.job_count = (int)roll(random, 2, JOBS), .engine_count = (int)roll(random, 1, ENGINES)}};
	scene->explore.jobs = scene->jobs;
	scene->explore.edges = scene->edges;
	scene->explore.engines = scene->engines;
	for (int e = 0; e < scene->explore.engine_count; e++)
		draw_engine(random, &scene->engines[e], &scene->pool[e]);
	for (int i = 0; i < scene->explore.job_count; i++) {
		struct explore_job *job = &scene->jobs[i];
		job->engine = (int)roll(random, 0, scene->explore.engine_count - 1);
		job->release_least = roll(random, 0, 8);
		job->release_most = job->release_least + roll(random, 0, 3);
		job->cost_least = roll(random, 1, 4);
		job->cost_most = job->cost_least + roll(random, 0, 4);
		job->level = roll(random, 0, 3);
		job->units = scene->engines[job->engine].order == EXPLORE_ARRIVAL ? roll(random, 1, 4) : 1;
		if (scene->engines[job->engine].order == EXPLORE_GATE || scene->engines[job->engine].pool > 0)
			draw_pieces(random, scene, job);
		draw_edges(random, scene, i);
	}
	if (roll(random, 0, 1))
		draw_lines(random, scene);
}

/* ---- a run */
struct player {
	const struct scene *scene;
	struct random *random;
	int64_t arrival[JOBS], begin[JOBS], end[JOBS]; /* -1: not yet known */
	int64_t tie[JOBS];
	int64_t free[ENGINES][SLOTS];
	int64_t release[JOBS], delay[JOBS * JOBS];
	int passed[LINES];
	int holds[LINES];       /* [queue]: the job whose end ends the turn, -1: none */
	int64_t since[LINES];   /* [queue]: the end of the turn before */
	int64_t pieces[JOBS];   /* of a job behind a gate that have begun */
	int64_t last[JOBS];     /* the end of those */
	int64_t begun[ENGINES]; /* all pieces so far, side by side */
	int mode;               /* 0: least, 1: most, 2: any */
	bool late;              /* whoever may be too late is */
};

static int64_t pick(struct player *player, int64_t least, int64_t most)
{
	return player->mode == 0            ? least
	       : player->mode == 1          ? most
	       : roll(player->random, 0, 1) ? roll(player->random, least, most)
	       : roll(player->random, 0, 1) ? least
					    : most;
}

static int64_t *first_free(struct player *player, int engine)
{
	int64_t *best = &player->free[engine][0];
	for (int s = 1; s < player->scene->pool[engine]; s++)
		if (player->free[engine][s] < *best)
			best = &player->free[engine][s];
	return best;
}

/* When the job arrives; -1: not known yet. */
static int64_t arrival_of(const struct player *player, int job)
{
	const struct explore_job *of = &player->scene->jobs[job];
	int64_t arrival = player->release[job];
	for (int i = of->first_edge; i < of->first_edge + of->edge_count; i++) {
		const struct explore_edge *edge = &player->scene->edges[i];
		int64_t from = edge->from_start ? player->begin[edge->from] : player->end[edge->from];
		if (from < 0)
			return -1;
		arrival = checked_max(arrival, from + player->delay[i]);
	}
	return arrival;
}

/* The line whose next job was released first in the queue; -1: all are over. */
static int first_line(const struct player *player, int queue)
{
	int best = -1;
	int64_t release = 0, tie = 0;
	for (int i = 0; i < player->scene->explore.line_count; i++) {
		const struct explore_line *line = &player->scene->lines[i];
		if (line->queue != queue || player->passed[i] == line->count)
			continue;
		int job = line->turns[player->passed[i]].first;
		if (best >= 0 && (player->release[job] > release || (player->release[job] == release && player->tie[job] > tie)))
			continue;
		best = i;
		release = player->release[job];
		tie = player->tie[job];
	}
	return best;
}

static void serve_queue(struct player *player, int queue)
{
	if (player->holds[queue] >= 0 && player->end[player->holds[queue]] >= 0) {
		player->since[queue] = player->end[player->holds[queue]];
		player->holds[queue] = -1;
	}
	int line = player->holds[queue] >= 0 ? -1 : first_line(player, queue);
	if (line < 0)
		return;
	const struct explore_turn *turn = &player->scene->turns[line][player->passed[line]++];
	player->arrival[turn->first] = checked_max(player->release[turn->first], player->since[queue]) + pick(player, 0, turn->delay);
	player->holds[queue] = turn->last;
}

static bool ahead(const struct player *player, int a, int b) /* both have arrived */
{
	const struct explore_job *first = &player->scene->jobs[a], *second = &player->scene->jobs[b];
	bool level = player->scene->engines[first->engine].order != EXPLORE_ARRIVAL;
	if (level && first->level != second->level)
		return first->level < second->level;
	if (player->arrival[a] != player->arrival[b])
		return player->arrival[a] < player->arrival[b];
	return player->tie[a] < player->tie[b];
}

static void serve_piece(struct player *player, int job, int64_t now)
{
	const struct explore_job *of = &player->scene->jobs[job];
	int64_t *slot = first_free(player, of->engine);
	*slot = now + pick(player, of->cost_least, of->piece);
	player->last[job] = checked_max(player->last[job], *slot);
	if (++player->pieces[job] < of->units)
		return;
	player->begin[job] = now;
	player->end[job] = player->last[job];
}

static void serve_beside(struct player *player, int job, int64_t now)
{
	const struct explore_job *of = &player->scene->jobs[job];
	const struct explore_engine *engine = &player->scene->engines[of->engine];
	int64_t *begun = &player->begun[of->engine];
	*begun = checked_max(*begun, now) + pick(player, 0, engine->launch);
	for (int64_t i = 0; i < of->units; i++) {
		int64_t *slot = first_free(player, of->engine);
		*begun = checked_max(*begun, *slot) + pick(player, 0, engine->dispatch);
		*slot = *begun + pick(player, of->cost_least, of->piece);
		player->end[job] = checked_max(player->end[job], *slot);
	}
}

static void serve(struct player *player, int job, int64_t now)
{
	const struct explore_job *of = &player->scene->jobs[job];
	const struct explore_engine *engine = &player->scene->engines[of->engine];
	player->begin[job] = now;
	if (engine->pool > 0) {
		serve_beside(player, job, now);
		return;
	}
	if (engine->overlaps) {
		int64_t *last = &player->free[of->engine][0];
		int64_t latest = checked_max(*last, now) + of->cost_most;
		player->end[job] = pick(player, now + of->cost_least, latest);
		*last = checked_max(*last, player->end[job]);
		return;
	}
	for (int64_t i = 0; i < of->units; i++) {
		int64_t *slot = first_free(player, of->engine);
		*slot = checked_max(*slot, now) + pick(player, of->cost_least, of->cost_most);
		player->end[job] = checked_max(player->end[job], *slot);
	}
}

/* Does it follow at once on a job of the same engine, which leaves its slot to it (D1)? */
static bool is_there(const struct player *player, int job)
{
	const struct explore_job *of = &player->scene->jobs[job];
	for (int i = of->first_edge; i < of->first_edge + of->edge_count; i++) {
		const struct explore_edge *edge = &player->scene->edges[i];
		if (player->scene->jobs[edge->from].engine == of->engine && player->end[edge->from] == player->arrival[job])
			return true;
	}
	return false;
}

/* Whom the engine serves at `now`, of those that arrived before `until` and those that are there; -1: nobody. */
static int best_of(const struct player *player, int engine, int64_t now, int64_t until)
{
	int best = -1;
	for (int i = 0; i < player->scene->explore.job_count; i++)
		if (player->scene->jobs[i].engine == engine && player->begin[i] < 0 && player->arrival[i] >= 0 &&
			player->arrival[i] <= now && (player->arrival[i] < until || is_there(player, i)) &&
			(best < 0 || ahead(player, i, best)))
			best = i;
	return best;
}

/* What arrives at this very instant may come too late for it. */
static int next_of(struct player *player, int engine, int64_t now)
{
	bool late = player->scene->engines[engine].order == EXPLORE_LEVEL && !player->scene->engines[engine].knows && player->late;
	int best = best_of(player, engine, now, late ? now : now + 1);
	return best >= 0 ? best : best_of(player, engine, now, now + 1);
}

static bool serve_engine(struct player *player, int engine, int64_t now)
{
	bool level = player->scene->engines[engine].order != EXPLORE_ARRIVAL;
	if (level && *first_free(player, engine) > now)
		return false;
	int job = next_of(player, engine, now);
	if (job >= 0 && player->scene->engines[engine].order == EXPLORE_GATE)
		serve_piece(player, job, now);
	else if (job >= 0)
		serve(player, job, now);
	return job >= 0;
}

static bool all_over(const struct player *player)
{
	for (int i = 0; i < player->scene->explore.job_count; i++)
		if (player->end[i] < 0)
			return false;
	return true;
}

static void play(struct player *player, const struct scene *scene, struct random *random)
{
	int count = scene->explore.job_count;
	*player = (struct player){.scene = scene, .random = random, .mode = (int)roll(random, 0, 4), .late = roll(random, 0, 1)};
	for (int i = 0; i < count; i++) {
		player->arrival[i] = player->begin[i] = player->end[i] = -1;
		player->tie[i] = roll(random, 0, 1000000);
		player->release[i] = pick(player, scene->jobs[i].release_least, scene->jobs[i].release_most);
	}
	for (int q = 0; q < LINES; q++)
		player->holds[q] = -1;
	for (int i = 0; i < scene->explore.edge_count; i++)
		player->delay[i] = pick(player, scene->edges[i].least, scene->edges[i].most);
	for (int64_t now = 0; !all_over(player); now++)
		for (bool more = true; more;) {
			more = false;
			for (int i = 0; i < count; i++)
				if (player->arrival[i] < 0 && scene->line_of[i] == 0)
					player->arrival[i] = arrival_of(player, i);
			for (int q = 0; q < scene->explore.queue_count; q++)
				serve_queue(player, q);
			for (int e = 0; e < scene->explore.engine_count; e++)
				more |= serve_engine(player, e, now);
		}
}

/* ---- where the latest completions come from */

static bool has_edge(const struct explore *explore, const struct explore_link *link)
{
	const struct explore_job *job = &explore->jobs[link->job];
	for (int i = 0; i < job->edge_count; i++)
		if (explore->edges[job->first_edge + i].from == link->other && explore->edges[job->first_edge + i].most == link->term)
			return true;
	return false;
}

static bool has_delay(const struct explore *explore, const struct explore_link *link)
{
	for (int i = 0; i < explore->line_count; i++)
		for (int j = 0; j < explore->lines[i].count; j++)
			if (explore->lines[i].turns[j].first == link->job)
				return explore->lines[i].turns[j].delay == link->term;
	return false;
}

/* Is the term what the jobs and engines say? */
static bool is_given(const struct explore *explore, const struct explore_link *link)
{
	const struct explore_job *job = &explore->jobs[link->job];
	const struct explore_engine *engine = &explore->engines[job->engine];
	switch (link->cause) {
	case EXPLORE_SERVED: return link->term == job->cost_most;
	case EXPLORE_PIECE: return link->term == job->piece;
	case EXPLORE_DISPATCH: return link->term == engine->dispatch;
	case EXPLORE_LAUNCH: return link->term == engine->launch;
	case EXPLORE_FREE: return link->term == 0 && link->other >= 0;
	case EXPLORE_NEXT: return (link->term == 0 || (link->term == -1 && engine->order == EXPLORE_LEVEL)) && link->other >= 0;
	case EXPLORE_FOLLOWS: return has_edge(explore, link);
	case EXPLORE_TURN: return has_delay(explore, link);
	case EXPLORE_STOPPED: return link->term >= explore->jobs[link->other].cost_most && explore->jobs[link->other].level < job->level;
	case EXPLORE_DRAINED: return engine->order == EXPLORE_GATE && link->term > engine->dispatch;
	case EXPLORE_RELEASED: return link->by == job->release_most && link->term == 0;
	case EXPLORE_HULL: break;
	}
	return link->before == 0 && link->least <= link->by;
}

static bool ends_here(const struct explore_link *link)
{
	return link->cause >= EXPLORE_RELEASED;
}

/* Returns whether it leads to a release. */
static bool check_path(const struct explore *explore, const struct explore_critical_path *trace, int64_t by)
{
	ck_assert_int_gt(trace->count, 0);
	for (int i = 0; i < trace->count; i++) {
		const struct explore_link *link = &trace->links[i];
		ck_assert_int_eq(link->by, by);
		ck_assert_int_eq(link->by, link->before + link->term);
		ck_assert_msg(is_given(explore, link), "link %d of cause %d: %d", i, link->cause, (int)link->term);
		ck_assert_int_eq(ends_here(link), i + 1 == trace->count);
		by = link->before;
	}
	return trace->links[trace->count - 1].cause != EXPLORE_HULL;
}

START_TEST(paths_add_up)
{
	struct random random;
	random_seed(&random, 12, 0);
	int64_t released = 0, all = 0, causes[EXPLORE_HULL + 1] = {0};
	for (int n = 0; n < 600; n++) {
		struct arena *arena = arena_create();
		struct scene scene;
		draw(&random, &scene);
		struct explore_result result = explore_run(arena, &scene.explore);
		for (int i = 0; i < scene.explore.job_count; i++, all++) {
			struct explore_critical_path trace = explore_critical_path(arena, &scene.explore, i, result.most[i]);
			released += check_path(&scene.explore, &trace, result.most[i]);
			for (int j = 0; j < trace.count; j++)
				causes[trace.links[j].cause]++;
		}
		arena_destroy(arena);
	}
	printf("%d of %d paths begin with a release\n", (int)released, (int)all);
	ck_assert_int_eq(released, all);
	for (int i = 0; i < EXPLORE_HULL; i++)
		ck_assert_msg(causes[i] > 0, "no path has a link of cause %d", i);
}
END_TEST

START_TEST(runs_stay_inside)
{
	struct random random;
	random_seed(&random, 11, 0);
	int64_t tight = 0, all = 0;
	for (int n = 0; n < 600; n++) {
		struct arena *arena = arena_create();
		struct scene scene;
		struct player player;
		int64_t greatest[JOBS] = {0};
		draw(&random, &scene);
		struct explore_result result = explore_run(arena, &scene.explore);
		ck_assert_ptr_null(result.reason);
		for (int run = 0; run < RUNS; run++) {
			play(&player, &scene, &random);
			for (int i = 0; i < scene.explore.job_count; i++) {
				ck_assert_msg(player.end[i] >= result.least[i] && player.end[i] <= result.most[i],
					"system %d run %d: job %d ends at %d, outside %d .. %d", n, run, i, (int)player.end[i],
					(int)result.least[i], (int)result.most[i]);
				greatest[i] = checked_max(greatest[i], player.end[i]);
			}
		}
		for (int i = 0; i < scene.explore.job_count; i++, all++)
			tight += greatest[i] == result.most[i];
		arena_destroy(arena);
	}
	printf("%d of %d completions attained\n", (int)tight, (int)all);
	ck_assert_int_ge(tight * 100, all * 60);
}
END_TEST

/* Two slots, levels 0 to 3, the times of SAG's jobs: costs are exact, a and b are released between 0 and 1. With b at 1 and d there at once
 * a runs until 2, d until 4, b from 2 to 4; c and e, of 1 and 3, begin at 4, as late as they ever do: e ends by 7. One state for all orders
 * of a, b and d would have a slot that may be free as early as in one of them and the other as late as in another one, and 8. */
START_TEST(states_apart)
{
	enum { A, B, C, D, E, COUNT };
	const int64_t releases[COUNT][2] = {{0, 1}, {0, 1}, {2, 2}, {1, 1}, {3, 3}}, costs[COUNT] = {2, 2, 1, 3, 3},
		      ends[COUNT] = {6, 4, 5, 5, 7};
	const int levels[COUNT] = {3, 1, 1, 0, 2};
	const struct explore_engine engine = {.order = EXPLORE_LEVEL, .slots = 2, .knows = true};
	struct explore_job jobs[COUNT] = {{0}};
	for (int i = 0; i < COUNT; i++)
		jobs[i] = (struct explore_job){.release_least = releases[i][0],
			.release_most = releases[i][1],
			.cost_least = costs[i],
			.cost_most = costs[i],
			.level = levels[i],
			.units = 1};
	for (int limit = 0; limit < 2; limit++) { /* one state at once is too few for states apart, and for those that are not, too */
		struct arena *arena = arena_create();
		struct explore explore = {.jobs = jobs, .job_count = COUNT, .engines = &engine, .engine_count = 1, .state_limit = limit};
		struct explore_result result = explore_run(arena, &explore);
		ck_assert_int_eq(result.reason == NULL, limit == 0);
		for (int i = 0; i < COUNT && limit == 0; i++)
			ck_assert_int_eq(result.most[i], ends[i]);
		arena_destroy(arena);
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("explore");
	TCase *random = tcase_create("random");
	tcase_add_test(random, runs_stay_inside);
	tcase_add_test(random, paths_add_up);
	tcase_add_test(random, states_apart);
	suite_add_tcase(suite, random);
	return run_suite(suite);
}
