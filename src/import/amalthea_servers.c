/* Reservations of an AMALTHEA model: schedulers that give what they schedule a budget.
 *
 * A scheduler's algorithm is its <schedulingAlgorithm>, from 3.0.0 on its definition; the budget and the time after which it is there anew
 * are parameters of its association with the scheduler above it, or of the task's allocation. Only a constant bandwidth server of one
 * task, below one that goes by deadlines, is what SCHED_DEADLINE has. */
#include "import/amalthea.h"
#include "import/values.h"

#include <string.h>

static const char *algorithm_of(struct amalthea *model, const struct xml_node *scheduler)
{
	const struct xml_node *algorithm = node_child(scheduler, "schedulingAlgorithm");
	const char *name = algorithm != NULL ? amalthea_type(algorithm) : amalthea_reference(model, scheduler, "definition");
	return name != NULL ? name : "";
}

static bool is_server(const char *algorithm)
{
	static const char *const servers[] = {"ConstantBandwidthServer", "ConstantBandwidthServerWithCASH", "DeferrableServer",
		"PollingPeriodicServer", "SporadicServer"};
	for (size_t i = 0; i < sizeof servers / sizeof *servers; i++)
		if (strcmp(servers[i], algorithm) == 0)
			return true;
	return false;
}

/* <schedulingParameters><maxBudget value="2" unit="ms"/>; since 1.0.0 <schedulingParameters key="maxBudget"> with a value. NULL: none. */
static const struct xml_node *parameter_of(const struct xml_node *of, const char *name)
{
	for (const struct xml_node *child = of != NULL ? of->first : NULL; child != NULL; child = child->next) {
		const char *key = node_get(child, "key");
		if (!node_is(child, "schedulingParameters"))
			continue;
		const struct xml_node *found = key == NULL              ? node_child(child, name)
					       : strcmp(key, name) == 0 ? node_child(child, "value")
									: NULL;
		if (found != NULL)
			return found;
	}
	return NULL;
}

static struct rational time_of(
	struct amalthea *model, const struct xml_node *association, const struct xml_node *allocation, const char *name)
{
	const struct xml_node *found = parameter_of(association, name);
	found = found != NULL ? found : parameter_of(allocation, name);
	return found != NULL ? amalthea_quantity(model, found, UNIT_TIME) : RATIONAL_NONE;
}

static int tasks_of(struct amalthea *model, const char *scheduler)
{
	int count = 0;
	for (int i = 0; i < model->task_allocations.count; i++) {
		const char *name = amalthea_reference(model, model->task_allocations.items[i].node, "scheduler");
		count += name != NULL && strcmp(name, scheduler) == 0;
	}
	return count;
}

static bool is_whole(struct rational value)
{
	return !rational_is_none(value) && value.den == 1 && value.num > 0;
}

struct amalthea_server amalthea_server_of(struct amalthea *model, const struct xml_node *allocation)
{
	const char *name = amalthea_reference(model, allocation, "scheduler");
	const struct named_node *scheduler = amalthea_find(&model->schedulers, name);
	const char *algorithm = scheduler != NULL ? algorithm_of(model, scheduler->node) : "";
	struct amalthea_server server = {.algorithm = is_server(algorithm) ? algorithm : NULL};
	if (server.algorithm == NULL)
		return server;
	const struct xml_node *association = node_child(scheduler->node, "parentAssociation");
	server.parent = amalthea_reference(model, association, "parent");
	const struct named_node *parent = amalthea_find(&model->schedulers, server.parent);
	struct rational least = time_of(model, association, allocation, "minBudget"),
			budget = time_of(model, association, allocation, "maxBudget"),
			period = time_of(model, association, allocation, "replenishment");
	bool same = rational_is_none(least) || (!rational_is_none(budget) && rational_compare(least, budget) == 0);
	bool deadlines = parent != NULL && strcmp(algorithm_of(model, parent->node), "EarliestDeadlineFirst") == 0;
	bool one = strcmp(algorithm, "ConstantBandwidthServer") == 0 && tasks_of(model, name) == 1;
	if (one && deadlines && same && is_whole(budget) && is_whole(period) && rational_compare(budget, period) <= 0) {
		server.budget = budget.num;
		server.period = period.num;
	}
	return server;
}
