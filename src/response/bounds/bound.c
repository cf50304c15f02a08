#include "response/bounds/bound.h"

const struct bound_kind bound_kinds[BOUND_COUNT] = {
#define BOUND(symbol, name, file, scope, meaning, source) {name, meaning, source},
#include "response/bounds/bounds.def"
#undef BOUND
};

const struct bound_row bound_rows[BOUND_COUNT] = {
#define BOUND(symbol, name, file, scope, meaning, source) {BOUND_OF_##scope, file##_applies, file##_compute, file##_terms},
#include "response/bounds/bounds.def"
#undef BOUND
};

static bool is_of(enum bound bound, enum bound_scope scope)
{
	return bound_rows[bound].scope == scope;
}

/* Those of segments in the rows from..to. */
static void compute_segments(struct bounding *b, int from, int to)
{
	for (int c = 0; c < b->work->runlist->context_count; c++)
		for (int i = from; i < to; i++)
			if (is_of((enum bound)i, BOUND_OF_SEGMENTS))
				bound_rows[i].compute(b, c);
}

void bounds_compute(struct bounding *b)
{
	const struct workload *w = b->work;
	for (int i = 0; i < BOUND_COUNT; i++) {
		int count = is_of((enum bound)i, BOUND_OF_CONTEXTS) ? w->runlist->context_count : w->segments->count;
		b->answers[i] = arena_allocate(w->arena, (size_t)count + 1, sizeof *b->answers[i]);
		b->basis->engines[i] = arena_allocate(w->arena, (size_t)w->runlist->context_count + 1, sizeof *b->basis->engines[i]);
		if (is_of((enum bound)i, BOUND_OF_CONTEXTS))
			bound_rows[i].compute(b, NO_ID);
	}
	b->by_volume = turns_build(w, true, b->answers);
	b->by_makespan = turns_build(w, false, b->answers);
	compute_segments(b, 0, BOUND_H + 1);
	b->shorter = turns_shorten(w, b->by_makespan, b->answers);
	compute_segments(b, BOUND_H + 1, BOUND_COUNT);
}

struct bound_answer bounds_of_segment(const struct bounding *b, enum bound bound, int segment)
{
	bool of_context = is_of(bound, BOUND_OF_CONTEXTS);
	struct bound_answer answer = b->answers[bound][of_context ? b->work->segments->items[segment].context : segment];
	if (of_context && answer.reason == NULL) {
		answer.value = answer.responses[segment];
		answer.step = answer.steps[segment];
	}
	return answer;
}

void response_terms(const struct response *response, enum bound bound, int segment, int64_t value, struct terms *terms)
{
	bound_rows[bound].terms(response, segment, value, terms);
}
