/* Numbers of an AMALTHEA model: units, upper bounds, clocks, and what a call graph takes on a core. */
#include "import/amalthea.h"
#include "import/values.h"

#include <string.h>

#define SECOND INT64_C(1000000000) /* ns */

static const struct {
	const char *name;
	enum unit kind;
	int64_t num, den; /* of the base unit */
} units[] = {
	{"ps", UNIT_TIME, 1, 1000},
	{"ns", UNIT_TIME, 1, 1},
	{"us", UNIT_TIME, 1000, 1},
	{"ms", UNIT_TIME, 1000000, 1},
	{"s", UNIT_TIME, SECOND, 1},
	{"bit", UNIT_BYTES, 1, 8},
	{"kbit", UNIT_BYTES, 125, 1},
	{"Mbit", UNIT_BYTES, 125000, 1},
	{"Gbit", UNIT_BYTES, 125000000, 1},
	{"Kibit", UNIT_BYTES, 128, 1},
	{"Mibit", UNIT_BYTES, INT64_C(1) << 17, 1},
	{"Gibit", UNIT_BYTES, INT64_C(1) << 27, 1},
	{"B", UNIT_BYTES, 1, 1},
	{"kB", UNIT_BYTES, 1000, 1},
	{"MB", UNIT_BYTES, 1000000, 1},
	{"GB", UNIT_BYTES, 1000000000, 1},
	{"KiB", UNIT_BYTES, 1024, 1},
	{"MiB", UNIT_BYTES, INT64_C(1) << 20, 1},
	{"GiB", UNIT_BYTES, INT64_C(1) << 30, 1},
	{"Hz", UNIT_FREQUENCY, 1, 1},
	{"kHz", UNIT_FREQUENCY, 1000, 1},
	{"MHz", UNIT_FREQUENCY, 1000000, 1},
	{"GHz", UNIT_FREQUENCY, 1000000000, 1},
};

/* ---- numbers */

static struct rational refuse(struct amalthea *model, const struct xml_node *node, const char *expected, const char *got)
{
	diagnose(model->build->diagnostics, DIAGNOSTIC_IMPORT_VALUE, node->path, node->line, "<%s>: expected %s; got '%s'",
		value_shorten(model->build->arena, node->name, 40), expected, value_shorten(model->build->arena, got, 40));
	return RATIONAL_NONE;
}

/* A decimal number, which may have a sign. */
static struct rational number(struct amalthea *model, const struct xml_node *node, const char *text)
{
	struct rational value;
	bool minus = *text == '-';
	if (strchr(text, '/') != NULL || units_parse(text + minus, UNIT_FACTOR, RATIONAL_NONE, &value) != UNITS_OK)
		return refuse(model, node, "a decimal number that 64 bits hold exactly", text);
	return minus ? rational_sub(rational_of(0), value) : value;
}

static struct rational with_unit(
	struct amalthea *model, const struct xml_node *node, struct rational value, const char *unit, enum unit kind)
{
	for (size_t i = 0; i < sizeof units / sizeof *units; i++)
		if (units[i].kind == kind && strcmp(units[i].name, unit) == 0)
			return rational_mul(value, rational_make(units[i].num, units[i].den));
	return refuse(model, node, units_expected(kind), unit);
}

struct rational amalthea_quantity(struct amalthea *model, const struct xml_node *node, enum unit kind)
{
	const char *text = node_get(node, "value"), *unit = node_get(node, "unit");
	if (text == NULL)
		return RATIONAL_NONE;
	struct rational value = number(model, node, text);
	if (kind == UNIT_COUNT || rational_is_none(value))
		return value;
	return with_unit(model, node, value, unit != NULL ? unit : "", kind);
}

/* ---- deviations and distributions */

/* Of an attribute or a child of this name: a number, or a value with a unit. */
static struct rational bound_of(struct amalthea *model, const struct xml_node *node, const char *name, enum unit kind)
{
	const char *text = node_get(node, name);
	return text != NULL ? number(model, node, text) : amalthea_quantity(model, node_child(node, name), kind);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), last = strlen(end);
	return length >= last && strcmp(text + length - last, end) == 0;
}

/* Of the classes of a histogram, the one that counts; none where one of them is open. */
static struct rational of_entries(struct amalthea *model, const struct xml_node *node, const char *name, enum unit kind)
{
	struct rational value = RATIONAL_NONE;
	bool upper = strcmp(name, "upperBound") == 0;
	for (const struct xml_node *entry = node->first; entry != NULL; entry = entry->next) {
		if (!node_is(entry, "entries"))
			continue;
		struct rational bound = bound_of(model, entry, name, kind);
		if (rational_is_none(bound))
			return bound;
		value = rational_is_none(value) ? bound : upper ? rational_max(value, bound) : rational_min(value, bound);
	}
	return value;
}

/* A constant is a type of that name, or, before 0.9.3, has a value and no deviation. */
static struct rational extreme(struct amalthea *model, const struct xml_node *node, const char *name, enum unit kind)
{
	if (node == NULL)
		return RATIONAL_NONE;
	if (node_child(node, "deviation") != NULL)
		node = node_child(node, "deviation");
	if (ends_with(amalthea_type(node), "Constant")) {
		const struct xml_node *value = node_child(node, "value");
		return value != NULL ? amalthea_quantity(model, value, kind)
				     : amalthea_quantity(model, node, kind == UNIT_TIME ? kind : UNIT_COUNT);
	}
	struct rational bound = bound_of(model, node, name, kind);
	return rational_is_none(bound) ? of_entries(model, node, name, kind) : bound;
}

struct rational amalthea_upper(struct amalthea *model, const struct xml_node *node, enum unit kind)
{
	return extreme(model, node, "upperBound", kind);
}

struct rational amalthea_lower(struct amalthea *model, const struct xml_node *node, enum unit kind)
{
	return extreme(model, node, "lowerBound", kind);
}

/* ---- cores */

/* The one performance figure that instructions need: of the category named Instructions, by the features of the core's definition. */
static struct rational instructions_a_cycle(struct amalthea *model, const struct xml_node *definition)
{
	int count;
	const char *const *names = amalthea_references(model, definition, "features", &count);
	struct rational value = RATIONAL_NONE;
	for (int i = 0; i < count; i++) {
		const struct named_node *feature =
			amalthea_find(&model->features, strrchr(names[i], '/') != NULL ? strrchr(names[i], '/') + 1 : names[i]);
		if (feature != NULL && rational_is_none(value))
			value = bound_of(model, feature->node, "value", UNIT_COUNT);
	}
	const char *old = node_get(definition, "instructionsPerCycle");
	return old != NULL ? number(model, definition, old) : value;
}

/* A GPU by its type; before 0.9.0, which has no such type, by the name of its type of core. */
static bool is_gpu(const struct xml_node *definition)
{
	const char *type = node_get(definition, "puType"), *name = node_get(definition, "name");
	if (type != NULL)
		return strcmp(type, "GPU") == 0;
	return node_is(definition, "coreTypes") && name != NULL && strstr(name, "GPU") != NULL;
}

/* <frequencyDomain> with a defaultValue; before 0.9.0 <prescaler> with a quartz, whose ratio has to be 1. */
static struct rational clock_of(struct amalthea *model, const struct xml_node *core)
{
	const struct xml_node *prescaler = node_child(core, "prescaler");
	const char *domain =
		prescaler != NULL ? amalthea_reference(model, prescaler, "quartz") : amalthea_reference(model, core, "frequencyDomain");
	const struct named_node *found = amalthea_find(&model->domains, domain);
	const char *ratio = node_get(prescaler, "clockRatio");
	if (found == NULL)
		return RATIONAL_NONE;
	const struct xml_node *frequency = node_child(found->node, "defaultValue");
	struct rational hertz =
		amalthea_quantity(model, frequency != NULL ? frequency : node_child(found->node, "frequency"), UNIT_FREQUENCY);
	struct rational factor = ratio != NULL ? number(model, prescaler, ratio) : rational_of(1);
	return rational_is_none(factor) || factor.num <= 0 ? RATIONAL_NONE : rational_mul(hertz, factor);
}

void amalthea_read_cores(struct amalthea *model)
{
	model->core = arena_allocate(model->build->arena, (size_t)model->cores.count + 1, sizeof *model->core);
	for (int i = 0; i < model->cores.count; i++) {
		const struct xml_node *node = model->cores.items[i].node;
		const char *type = amalthea_reference(model, node, node_is(node, "cores") ? "coreType" : "definition");
		const struct named_node *definition = amalthea_find(&model->core_types, type);
		model->core[i] = (struct amalthea_core){.name = model->cores.items[i].name,
			.definition = type,
			.gpu = definition != NULL && is_gpu(definition->node),
			.hertz = clock_of(model, node),
			.per_cycle = definition != NULL ? instructions_a_cycle(model, definition->node) : RATIONAL_NONE};
	}
}

/* ---- what a call graph takes */

static struct work nothing(void)
{
	return (struct work){.cycles = {0, 1}};
}

static struct work without_bound(const char *what)
{
	return (struct work){.timed = true, .cycles = RATIONAL_NONE, .unbounded = what};
}

static struct work both(struct work one, struct work other)
{
	return (struct work){false, one.timed || other.timed, rational_add(one.cycles, other.cycles),
		one.unbounded != NULL ? one.unbounded : other.unbounded};
}

static struct work either(struct work one, struct work other)
{
	return (struct work){false, one.timed || other.timed, rational_max(one.cycles, other.cycles),
		one.unbounded != NULL ? one.unbounded : other.unbounded};
}

/* The value for this core: an <extended> of its definition, else the default. */
static const struct xml_node *value_for(struct amalthea *model, const struct xml_node *item, int core)
{
	const char *definition = model->core[core].definition;
	for (const struct xml_node *child = item->first; child != NULL; child = child->next) {
		const char *key = node_is(child, "extended") ? amalthea_reference(model, child, "key") : NULL;
		if (key != NULL && definition != NULL && strcmp(key, definition) == 0)
			return node_child(child, "value");
	}
	return node_child(item, "default");
}

static struct work of_value(struct rational amount, struct rational per_cycle)
{
	struct rational cycles = rational_is_none(amount) || rational_is_none(per_cycle) ? RATIONAL_NONE : rational_div(amount, per_cycle);
	if (rational_is_none(cycles) || cycles.num < 0)
		return without_bound(NULL);
	return (struct work){.timed = true, .cycles = cycles};
}

/* ExecutionNeed: of all needs only instructions say how many cycles they are. */
static struct work of_need(struct amalthea *model, const struct xml_node *item, int core)
{
	struct work sum = nothing();
	for (const struct xml_node *need = item->first; need != NULL; need = need->next) {
		const char *key = node_get(need, "key");
		bool counts = node_is(need, "needs") || node_is(need, "default");
		if (counts && key != NULL && strcmp(key, "Instructions") == 0)
			sum = both(
				sum, of_value(amalthea_upper(model, node_child(need, "value"), UNIT_COUNT), model->core[core].per_cycle));
		else if (counts || node_is(need, "extended"))
			sum = both(sum, without_bound(NULL));
	}
	return sum;
}

static struct work of_runnable(struct amalthea *model, const struct xml_node *call, int core)
{
	const char *name = amalthea_reference(model, call, "runnable");
	struct named_node *runnable = amalthea_find(&model->runnables, name);
	if (runnable == NULL) {
		refuse(model, call, "a runnable of the model", name != NULL ? name : "");
		return without_bound(NULL);
	}
	if (runnable->work == NULL)
		runnable->work = arena_allocate(model->build->arena, (size_t)model->cores.count, sizeof *runnable->work);
	struct work *work = &runnable->work[core];
	if (work->walking) {
		refuse(model, call, "a runnable that does not call itself", runnable->name);
		return without_bound(runnable->name);
	}
	if (work->cycles.den == 0 && work->unbounded == NULL) {
		work->walking = true;
		struct work sum = amalthea_work(model, runnable->node, core);
		sum.unbounded = rational_is_none(sum.cycles) && sum.unbounded == NULL ? runnable->name : sum.unbounded;
		*work = sum;
	}
	return *work;
}

static struct work of_children(struct amalthea *model, const struct xml_node *node, int core, bool one_of)
{
	struct work sum = nothing();
	for (const struct xml_node *child = node->first; child != NULL; child = child->next) {
		struct work work = amalthea_work(model, child, core);
		sum = one_of ? either(sum, work) : both(sum, work);
	}
	return sum;
}

static bool is_any(const char *type, const char *const *types)
{
	for (; *types != NULL; types++)
		if (strcmp(type, *types) == 0)
			return true;
	return false;
}

/* Types that take time of which the model does not say how much. */
static const char *const unbounded[] = {"SynchronousServerCall", "WhileLoop", "SemaphoreAccess", "EnforcedMigration", NULL};
static const char *const calls[] = {"RunnableCall", "TaskRunnableCall", NULL};
static const char *const switches[] = {
	"ModeSwitch", "ProbabilitySwitch", "Switch", "RunnableModeSwitch", "RunnableProbabilitySwitch", NULL};

struct work amalthea_work(struct amalthea *model, const struct xml_node *node, int core)
{
	const char *type = amalthea_type(node);
	if (node_is(node, "customProperties") || node_is(node, "tags") || node_is(node, "size"))
		return nothing();
	if (is_any(type, calls))
		return of_runnable(model, node, core);
	if (strcmp(type, "Ticks") == 0)
		return of_value(amalthea_upper(model, value_for(model, node, core), UNIT_COUNT), rational_of(1));
	if (strcmp(type, "RunnableInstructions") == 0)
		return of_value(amalthea_upper(model, value_for(model, node, core), UNIT_COUNT), model->core[core].per_cycle);
	if (strcmp(type, "ExecutionNeed") == 0)
		return of_need(model, node, core);
	if (is_any(type, unbounded))
		return without_bound(NULL);
	bool leaf = *type != '\0' && strcmp(type, "Group") != 0 && strcmp(type, "CallSequence") != 0 && !is_any(type, switches);
	if (leaf && !node_is(node, "tasks") && !node_is(node, "runnables"))
		return nothing();
	return of_children(model, node, core, is_any(type, switches));
}

int64_t amalthea_time(const struct amalthea *model, const struct work *work, int core)
{
	struct rational hertz = model->core[core].hertz;
	if (rational_is_none(work->cycles) || rational_is_none(hertz) || hertz.num <= 0)
		return NONE;
	return rational_ceil(rational_mul(work->cycles, rational_div(rational_of(SECOND), hertz)));
}
