#include "response/arrival.h"

#include "base/plant.h"

/* The first step of a curve that reaches beyond a length; the last one where none does. */
static int step_after(const struct arrival *model, int64_t length)
{
	int first = 0;
	for (int count = model->step_count, half; count > 1; count -= half) {
		half = count / 2;
		first += model->steps[first + half - 1].window <= length ? half : 0;
	}
	return first;
}

/* An arrival curve continued beyond its horizon H by sub-additivity: eta(kH + r) <= k eta(H) + eta(r). */
static int64_t curve_count(const struct arrival *model, int64_t window)
{
	if (window <= model->period)
		return model->steps[step_after(model, window - 1)].count;
	int64_t horizons = checked_div_floor(window, model->period), rest = window - horizons * model->period;
	int64_t count = checked_mul(horizons, model->steps[model->step_count - 1].count);
	if (rest == 0)
		return count;
	return checked_add(count, model->steps[step_after(model, rest - 1)].count);
}

int64_t arrivals_in(const struct arrivals *arrivals, int64_t window)
{
	const struct arrival *model = arrivals->model;
	if (window <= 0)
		return 0;
	int64_t reach = checked_add(window, arrivals->jitter);
	if (reach == NONE)
		return NONE;
	if (model->kind == ARRIVAL_CURVE)
		return curve_count(model, reach);
	if (reach <= model->period)
		return 1;
	int64_t count = planted(PLANT_ETA) ? checked_max(1, reach / model->period) : checked_div_ceil(reach, model->period);
	if (arrivals->at_release && model->min_distance != NONE && model->min_distance > 0)
		count = checked_min(count, checked_div_ceil(window, model->min_distance));
	return count;
}

int64_t arrivals_lone(const struct arrival *model)
{
	if (model->kind != ARRIVAL_CURVE)
		return model->period;
	if (model->steps[0].count != 1)
		return 0;
	return model->step_count == 1 ? model->period : checked_min(model->steps[0].window, model->period);
}

int64_t arrivals_in_closed(const struct arrivals *arrivals, int64_t window, int64_t tick)
{
	return arrivals_in(arrivals, planted(PLANT_CLOSED) ? window : checked_add(window, tick));
}

/* A curve grows where a step ends, and where the last one repeats. */
static int64_t next_of_curve(const struct arrival *model, int64_t reach)
{
	int64_t horizons = reach / model->period, rest = reach - horizons * model->period;
	int step = step_after(model, rest);
	int64_t end = step < model->step_count - 1 ? model->steps[step].window : model->period;
	return checked_add(horizons * model->period, end);
}

int64_t arrivals_next(const struct arrivals *arrivals, int64_t a)
{
	const struct arrival *model = arrivals->model;
	int64_t reach = checked_add(a, arrivals->jitter);
	if (reach == NONE)
		return NONE;
	if (model->kind == ARRIVAL_CURVE)
		return checked_sub(next_of_curve(model, reach), arrivals->jitter);
	int64_t next = checked_sub(checked_mul(reach / model->period + 1, model->period), arrivals->jitter);
	if (arrivals->at_release && model->min_distance != NONE && model->min_distance > 0)
		next = checked_min(next, checked_mul(a / model->min_distance + 1, model->min_distance));
	return next;
}

void arrivals_rate(const struct arrival *model, int64_t *count, int64_t *window)
{
	*count = model->kind == ARRIVAL_CURVE ? model->steps[model->step_count - 1].count : 1;
	*window = model->period;
}

void arrivals_least_rate(const struct arrival *model, int64_t *count, int64_t *window)
{
	arrivals_rate(model, count, window);
	for (int i = 0; model->kind == ARRIVAL_CURVE && i < model->step_count; i++) {
		const struct curve_step *step = &model->steps[i];
		if ((__int128)step->count * *window >= (__int128)*count * step->window)
			continue;
		*count = step->count;
		*window = step->window;
	}
}
