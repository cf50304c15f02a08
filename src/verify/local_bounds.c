/* One operation, and one stream, against what shares its engine. */
#include "verify/engines.h"

#include "model/limits.h"

/* ---- a server and its customers: (6.4), (7.2), (8.1) */

static int64_t demand(const struct customer *customers, int count, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < count; i++)
		sum = checked_add(sum, checked_mul(bounds_arrivals(customers[i].arrivals, window), customers[i].cost));
	return sum;
}

static int64_t before_arrival(const struct server *server, int64_t arrival)
{
	int64_t sum = server->blocking;
	for (const struct customer *c = server->ahead; c < server->ahead + server->ahead_count; c++) {
		int64_t last = checked_add(arrival, c->grace);
		sum = checked_add(sum, checked_mul(c->cost, bounds_arrivals(c->arrivals, checked_add(last, server->tick))));
	}
	return sum;
}

static int64_t ended(const struct server *server, int64_t work, int64_t window)
{
	return server->service == NULL ? work : service_end(server->service, server->engine, work, window);
}

static int64_t busy_window(const struct server *server)
{
	int64_t window = 1;
	for (int i = 0; i < LIMIT_ITERATIONS && window <= server->horizon; i++) {
		int64_t next =
			checked_add(demand(server->ahead, server->ahead_count, window), demand(server->until, server->until_count, window));
		next = ended(server, checked_add(next, server->blocking), window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}

/* Of the one that arrives `arrival` after the window began. */
static int64_t response_of_arrival(const struct server *server, int64_t arrival)
{
	int64_t before = before_arrival(server, arrival);
	int64_t begun = checked_sub(before, server->last);
	if (server->service != NULL && server->until_count == 0)
		return checked_sub(service_least_end(server->service, server->engine, before, server->horizon), arrival);
	for (int i = 0; i < LIMIT_ITERATIONS && (begun <= server->horizon || server->until_count == 0); i++) {
		int64_t next = checked_sub(before, server->last);
		next = checked_add(next, demand(server->until, server->until_count, checked_add(begun, server->tick)));
		int64_t start = server->service == NULL ? next : service_start(server->service, next, begun);
		if (start <= begun) {
			int64_t all = checked_add(next, server->last);
			return checked_sub(
				server->service == NULL ? all : service_least_end(server->service, server->engine, all, server->horizon),
				arrival);
		}
		begun = start;
	}
	return NONE;
}

/* The worst of those who arrive at the instants at which some count grows: [ARRIVAL-LIST]. */
int64_t server_response(const struct server *server)
{
	int64_t window = busy_window(server), worst = server->from > 0 ? 0 : response_of_arrival(server, 0), tried = 0;
	if (checked_is_none(window))
		return NONE;
	for (int i = 0; i < server->ahead_count; i++) {
		const struct arrivals_at *arrivals = server->ahead[i].arrivals;
		int64_t grace = server->ahead[i].grace, beyond = checked_add(window, grace);
		for (int64_t a = bounds_next_arrival(arrivals, grace); a < beyond; a = bounds_next_arrival(arrivals, a)) {
			int64_t instant = checked_sub(checked_mul(checked_div_ceil(a, server->tick), server->tick), grace);
			if (instant >= window || instant < server->from)
				continue;
			if (++tried > server->limit)
				return NONE;
			worst = checked_max(worst, response_of_arrival(server, instant));
		}
	}
	return worst;
}

/* Classes on the execution engine at a level, or on a copy engine. */
static struct server server_of(const struct engines *engines, const struct class *own)
{
	struct server server = {.ahead = engines->ahead,
		.until = engines->until,
		.horizon = engines->horizon,
		.tick = 1,
		.limit = LIMIT_CANDIDATES,
		.service = own->runs == RUNS_ON_SMS ? &engines->kernels_by : &engines->copies_by,
		.engine = own->runs == RUNS_ON_SMS ? NO_ID : own->engine};
	for (int i = 0; i < engines->count; i++) {
		const struct class *class = &engines->classes[i];
		bool kernel = class->runs == RUNS_ON_SMS && class->level == own->level;
		bool copy = class->runs == RUNS_ON_COPY_ENGINE && class->engine == own->engine;
		if (own->runs == class->runs && (kernel || copy))
			server.ahead[server.ahead_count++] =
				(struct customer){&class->arrivals, kernel ? class->makespan : class->block, 0};
		else if (own->runs == class->runs && class->runs == RUNS_ON_SMS && class->level < own->level)
			server.until[server.until_count++] = (struct customer){&class->arrivals, class->high};
	}
	if (own->runs == RUNS_ON_SMS)
		server.blocking = engines->lower[own->level];
	return server;
}

/* ---- kernels */

/* What is surely left when the last block is dispatched: [SCOPE-GRID]. */
static int64_t last_of(const struct class *own)
{
	return own->grid ? 0 : own->block;
}

/* All that come, and the dearest of those that may have been there; or of each operation what arrived since its response before the window
 * began, but at most one that had come before. */
int64_t engines_above(const struct engines *engines, int stream, int64_t window, const int64_t *each)
{
	int64_t coming = 0, dearest = 0, by_operation = 0;
	for (const int *at = engines->kernels[stream]; *at >= 0; at++) {
		const struct class *class = &engines->classes[*at];
		int64_t cost = each == NULL ? 1 : each[*at];
		int64_t fresh = bounds_arrivals(&class->arrivals, checked_add(window, 1));
		int64_t since = bounds_arrivals(&class->arrivals, checked_add(class->response, window));
		coming = checked_add(coming, checked_mul(fresh, cost));
		dearest = checked_max(dearest, cost);
		by_operation = checked_add(by_operation, checked_mul(checked_min(since, checked_add(fresh, 1)), cost));
	}
	return checked_min(by_operation, checked_add(coming, dearest));
}

/* May it be outstanding as `own` arrives? */
static bool may_meet(const struct engines *engines, const struct class *own, const struct class *class)
{
	return engines_siblings(engines, own, own, class, 1) > 0;
}

/* One operation of each other stream of its level is ahead, at most (A-ONE); of higher ones also what comes. */
static int64_t of_each_stream(const struct engines *engines, const struct class *own, int64_t window)
{
	int64_t sum = 0;
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		const int *first = engines->kernels[s];
		if (*first < 0 || s == own->stream || engines->classes[*first].level > own->level)
			continue;
		bool above = engines->classes[*first].level < own->level;
		while (!above && *first >= 0 && !may_meet(engines, own, &engines->classes[*first]))
			first++;
		if (*first < 0)
			continue;
		sum = checked_add(sum, above ? engines_above(engines, s, window, engines->high) : engines->classes[*first].makespan);
	}
	return sum;
}

/* (6.3) */
static int64_t ser_ops(const struct engines *engines, const struct class *own)
{
	int64_t base = checked_add(engines->lower[own->level], checked_sub(own->makespan, last_of(own)));
	int64_t theta = 0;
	for (int i = 0; i < LIMIT_ITERATIONS && theta <= engines->horizon; i++) {
		int64_t next = checked_add(base, of_each_stream(engines, own, theta));
		int64_t start = service_start(&engines->kernels_by, next, theta);
		if (start <= theta)
			return service_least_end(&engines->kernels_by, NO_ID, checked_add(next, last_of(own)), engines->horizon);
		theta = start;
	}
	return NONE;
}

static int64_t cov_ops(const struct engines *engines, const struct class *own, bool after_lower)
{
	int64_t theta = 0, begins = after_lower ? engines->lower[own->level] : 0;
	for (int i = 0; engines->cover != NULL && i < LIMIT_ITERATIONS && theta <= engines->horizon; i++) {
		int64_t next = cover_at(engines, own, theta, after_lower);
		int64_t start = service_start(&engines->kernels_by, next, theta);
		if (start <= theta)
			return service_least_end(
				&engines->kernels_by, NO_ID, checked_add(begins, checked_add(next, own->block)), engines->horizon);
		theta = start;
	}
	return NONE;
}

int64_t engines_kernel(const struct engines *engines, int index)
{
	const struct class *own = &engines->classes[index];
	if (engines->parted)
		return NONE;
	if (engines->passing)
		return cov_ops(engines, own, false);
	int64_t best = checked_min(ser_ops(engines, own), cov_ops(engines, own, false));
	if (engines->lower[own->level] > 0)
		best = checked_min(best, cov_ops(engines, own, true));
	if (engines->served[own->level] != 0)
		return checked_min(best, engines->served[own->level]);
	struct server server = server_of(engines, own);
	if (server.until_count > 0 && engines->count > LIMIT_LEVEL_CLASSES)
		return best;
	server.last = server.until_count > 0 ? last_of(own) : 0;
	server.limit = server.until_count > 0 ? LIMIT_LEVEL_CANDIDATES : LIMIT_CANDIDATES;
	int64_t served = server_response(&server);
	engines->served[own->level] = server.until_count > 0 ? 0 : served;
	return checked_min(best, served);
}

/* ---- copies */

int64_t engines_copy(const struct engines *engines, int index)
{
	const struct class *own = &engines->classes[index];
	struct server server = server_of(engines, own);
	int64_t sum = own->block;
	if (!engines->fifo)
		return busy_window(&server);
	for (int i = 0; i < engines->streams.count; i++) {
		int s = engines->streams.items[i];
		const int *at = engines->copies[s];
		while (*at >= 0 && (engines->classes[*at].engine != own->engine || !may_meet(engines, own, &engines->classes[*at])))
			at++;
		if (s != own->stream && *at >= 0)
			sum = checked_add(sum, engines->classes[*at].block);
	}
	sum = service_least_end(&engines->copies_by, own->engine, sum, engines->horizon);
	return checked_min(sum, server_response(&server));
}

/* ---- streams, (8.1) */

int64_t engines_event(const struct engines *engines, const struct line_of_classes *line, int position)
{
	return engines->classes[engines->classes[line->first + position].record].reach;
}

/* By how much a job that was held back by an event is later done with the stream than one that was not, the event's time included. */
static int64_t held_longer(const struct engines *engines, const struct line_of_classes *line)
{
	int64_t longest = line->done[line->count];
	for (int i = 0; i < line->count; i++)
		if (line->after[i] != NULL)
			longest = checked_max(longest, checked_add(engines_event(engines, line, i), line->after[i][line->count]));
	return checked_sub(longest, line->done[line->count]);
}

static int64_t waits_in(const struct server *server)
{
	int64_t response = server_response(server);
	return checked_is_none(response) ? busy_window(server) : response;
}

/* The lines of a stream as customers of it. */
static struct server stream_of(const struct engines *engines, struct listed lines)
{
	struct server server = {.ahead = engines->ahead, .horizon = engines->horizon, .tick = 1, .limit = LIMIT_CANDIDATES};
	for (int i = 0; i < lines.count; i++) {
		const struct line_of_classes *line = &engines->lines[lines.items[i]];
		server.ahead[server.ahead_count++] = (struct customer){&line->arrivals, line->done[line->count]};
	}
	return server;
}

/* What all lines of the stream wait for alike is found when the first one asks. */
static const struct waiting *waiting_on(const struct engines *engines, struct server *server, struct listed lines, int position)
{
	struct waiting *waiting = &engines->waiting[position];
	if (waiting->known)
		return waiting;
	waiting->known = true;
	waiting->at_first = waits_in(server);
	if (waiting->held == NULL)
		waiting->held = arena_allocate(engines->work->check->arena, (size_t)lines.count + 1, sizeof *waiting->held);
	for (int i = 0; i < lines.count; i++) {
		server->blocking = held_longer(engines, &engines->lines[lines.items[i]]);
		waiting->held[i] = server->blocking == 0 ? 0 : waits_in(server);
	}
	server->blocking = 0;
	return waiting;
}

/* What a job whose task has no other one there finds on its stream, no line of which waits for events: jobs of other tasks that came
 * within their responses before it; of a task whose jobs do not overlap, what it has on the stream in one part. [ONE-JOB] */
static int64_t finds(const struct engines *engines, const struct line_of_classes *own, struct listed lines)
{
	int64_t sum = 0, longest = 0;
	for (int i = 0; i < lines.count; i++) {
		const struct line_of_classes *line = &engines->lines[lines.items[i]];
		bool last = i + 1 == lines.count || !engines_exclude(engines, line->part, engines->lines[lines.items[i + 1]].part);
		for (int k = 0; k < line->count; k++)
			if (line->after[k] != NULL)
				return NONE;
		if (engines->work->parts[line->part].task == engines->work->parts[own->part].task)
			continue;
		int64_t jobs = engines->alone[line->part] ? 1 : bounds_arrivals(&line->arrivals, engines->parts_within[line->part]);
		longest = checked_max(longest, checked_mul(jobs, line->done[line->count]));
		if (!last)
			continue;
		sum = checked_add(sum, longest);
		longest = 0;
	}
	return engines->alone[own->part] ? sum : NONE;
}

/* The window on the stream begins with a job of each line in turn, that job held back by an event; or with nothing in particular. */
static int64_t waits_behind(const struct engines *engines, const struct line_of_classes *own)
{
	int position = engines->position[own->stream];
	struct listed lines = lists_of(&engines->lines_of, position);
	struct server server = stream_of(engines, lines);
	const struct waiting *waiting = waiting_on(engines, &server, lines, position);
	int64_t longest = checked_max(0, waiting->at_first);
	for (int i = 0; i < lines.count; i++)
		if (&engines->lines[lines.items[i]] != own)
			longest = checked_max(longest, waiting->held[i]);
	server.blocking = held_longer(engines, own);
	if (server.blocking != 0) { /* an earlier job of its own line: they are not released together, unless jitter allows it */
		server.from = bounds_arrivals(&own->arrivals, 1) < 2 ? bounds_next_arrival(&own->arrivals, 0) : 0;
		longest = checked_max(longest, waits_in(&server));
	}
	return checked_max(0, checked_sub(longest, own->done[own->count]));
}

int64_t engines_wait(const struct engines *engines, const struct line_of_classes *own)
{
	struct listed lines = lists_of(&engines->lines_of, engines->position[own->stream]);
	return checked_min(waits_behind(engines, own), finds(engines, own, lines));
}
