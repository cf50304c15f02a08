#include "response/arrival.h"

#include "base/plant.h"

/* An arrival curve continued beyond its horizon H by sub-additivity: eta(kH + r) <= k eta(H) + eta(r). */
static int64_t curve_count(const struct arrival *model, int64_t window)
{
	int64_t horizons = checked_div_floor(window, model->period), rest = window - horizons * model->period;
	int64_t count = checked_mul(horizons, model->steps[model->step_count - 1].count);
	if (rest == 0)
		return count;
	for (int i = 0; i < model->step_count; i++)
		if (model->steps[i].window >= rest)
			return checked_add(count, model->steps[i].count);
	return checked_add(count, model->steps[model->step_count - 1].count);
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
	int64_t count = planted(PLANT_ETA) ? checked_max(1, reach / model->period) : checked_div_ceil(reach, model->period);
	if (arrivals->at_release && model->min_distance != NONE && model->min_distance > 0)
		count = checked_min(count, checked_div_ceil(window, model->min_distance));
	return count;
}

void arrivals_rate(const struct arrival *model, int64_t *count, int64_t *window)
{
	*count = model->kind == ARRIVAL_CURVE ? model->steps[model->step_count - 1].count : 1;
	*window = model->period;
}
