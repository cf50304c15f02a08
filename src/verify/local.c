/* One operation, and one stream, against what shares its engine. */
#include "verify/engines.h"

#define MOST_STEPS 100000
#define MOST_CANDIDATES 4096

/* ---- a server and its customers: (6.4), (7.2), (8.1) */

struct customer {
	const struct arrivals_at *arrivals;
	int64_t cost;
};

struct server {
	struct customer *customers;
	int count;
	int64_t blocking, horizon;
};

static int64_t demand(const struct server *server, int64_t window)
{
	int64_t sum = server->blocking;
	for (int i = 0; i < server->count; i++)
		sum = checked_add(sum, checked_mul(bounds_arrivals(server->customers[i].arrivals, window), server->customers[i].cost));
	return sum;
}

static int64_t busy_window(const struct server *server)
{
	int64_t window = 1;
	for (int i = 0; i < MOST_STEPS && window <= server->horizon; i++) {
		int64_t next = demand(server, window);
		if (next <= window)
			return window;
		window = next;
	}
	return NONE;
}

/* The worst of those who arrive at the instants at which some customer's count jumps. */
static int64_t in_order(const struct server *server)
{
	int64_t window = busy_window(server), worst = demand(server, 1), candidates = 0;
	for (int i = 0; i < server->count && !checked_is_none(window); i++) {
		const struct arrivals_at *arrivals = server->customers[i].arrivals;
		int64_t period = arrivals->model->period;
		bool irregular =
			arrivals->model->kind == ARRIVAL_CURVE || (arrivals->at_release && !checked_is_none(arrivals->model->min_distance));
		if (irregular || checked_is_none(arrivals->jitter))
			return NONE;
		for (int64_t a = period - arrivals->jitter % period; a < window; a = checked_add(a, period)) {
			if (++candidates > MOST_CANDIDATES)
				return NONE;
			worst = checked_max(worst, checked_sub(demand(server, a + 1), a));
		}
	}
	return checked_is_none(window) ? NONE : worst;
}

/* Classes on the execution engine at a level, or on a copy engine. */
static struct server server_of(const struct engines *engines, const struct class *own)
{
	struct server server = {
		arena_allocate(engines->work->check->arena, (size_t)engines->count + 1, sizeof(struct customer)), 0, 0, engines->horizon};
	for (int i = 0; i < engines->count; i++) {
		const struct class *class = &engines->classes[i];
		bool kernel = class->runs == RUNS_ON_SMS && class->level == own->level;
		bool copy = class->runs == RUNS_ON_COPY_ENGINE && class->engine == own->engine;
		if (own->runs == class->runs && (kernel || copy))
			server.customers[server.count++] = (struct customer){&class->arrivals, kernel ? class->makespan : class->block};
	}
	if (own->runs == RUNS_ON_SMS)
		server.blocking = engines->lower[own->level];
	return server;
}

/* ---- kernels */

static bool is_above(const struct class *class, const struct class *own)
{
	return class->runs == RUNS_ON_SMS && class->level < own->level;
}

static bool has_above(const struct engines *engines, const struct class *own)
{
	for (int i = 0; i < engines->count; i++)
		if (is_above(&engines->classes[i], own))
			return true;
	return false;
}

/* One operation of each other stream is ahead, at most (A-ONE). */
static int64_t one_of_each_stream(const struct engines *engines, const struct class *own)
{
	int64_t sum = 0;
	for (int s = 0; s < engines->work->check->set->stream_count; s++) {
		int64_t dearest = 0;
		for (const int *at = engines->kernels[s]; *at >= 0 && s != own->stream; at++) {
			const struct class *class = &engines->classes[*at];
			if (class->level <= own->level)
				dearest = checked_max(dearest, class->level < own->level ? class->high : class->makespan);
		}
		sum = checked_add(sum, dearest);
	}
	return sum;
}

/* (6.3) */
static int64_t ser_ops(const struct engines *engines, const struct class *own)
{
	int64_t base = checked_add(engines->lower[own->level], one_of_each_stream(engines, own));
	base = checked_add(base, checked_sub(own->makespan, own->block));
	int64_t theta = base;
	for (int i = 0; i < MOST_STEPS && theta <= engines->horizon; i++) {
		int64_t next = base;
		for (int k = 0; k < engines->count; k++)
			if (is_above(&engines->classes[k], own))
				next = checked_add(next, checked_mul(bounds_arrivals(&engines->classes[k].arrivals, checked_add(theta, 1)),
								 engines->classes[k].high));
		if (next <= theta)
			return checked_add(theta, own->block);
		theta = next;
	}
	return NONE;
}

static int64_t cov_ops(const struct engines *engines, const struct class *own)
{
	int64_t theta = 0;
	for (int i = 0; engines->cover != NULL && i < MOST_STEPS && theta <= engines->horizon; i++) {
		int64_t next = cover_at(engines, own, theta);
		if (next <= theta)
			return checked_add(theta, own->block);
		theta = next;
	}
	return NONE;
}

int64_t engines_kernel(const struct engines *engines, int index)
{
	const struct class *own = &engines->classes[index];
	int64_t best = checked_min(ser_ops(engines, own), cov_ops(engines, own));
	if (has_above(engines, own))
		return best;
	struct server server = server_of(engines, own);
	return checked_min(best, in_order(&server));
}

/* ---- copies */

int64_t engines_copy(const struct engines *engines, int index)
{
	const struct class *own = &engines->classes[index];
	struct server server = server_of(engines, own);
	int64_t sum = own->block;
	if (!engines->fifo)
		return busy_window(&server);
	for (int s = 0; s < engines->work->check->set->stream_count; s++) {
		const int *at = engines->copies[s];
		while (*at >= 0 && engines->classes[*at].engine != own->engine)
			at++;
		if (s != own->stream && *at >= 0)
			sum = checked_add(sum, engines->classes[*at].block);
	}
	return checked_min(sum, in_order(&server));
}

/* ---- streams, (8.1) */

int64_t engines_stream(const struct engines *engines, int stream)
{
	const struct work *work = engines->work;
	struct server server = {
		arena_allocate(work->check->arena, (size_t)work->part_count + 1, sizeof(struct customer)), 0, 0, engines->horizon};
	for (int i = 0; i < work->part_count; i++) {
		const struct line_of_classes *line = &engines->lines[i];
		if (line->stream == stream)
			server.customers[server.count++] = (struct customer){&line->arrivals, line->done[line->count]};
	}
	int64_t response = in_order(&server);
	return checked_is_none(response) ? busy_window(&server) : response;
}
