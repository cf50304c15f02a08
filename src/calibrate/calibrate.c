/* Recordings in, checked against each other, a model out. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

/* What each program of probe/ records, and who reads it; NULL: it has no place in a platform model, or is read with others (`together`). */
static const struct {
	const char *measurement;
	void (*read)(struct calibration *calibration, const struct recording *recording);
} readers[] = {
	{"limits", calibrate_limits},
	{"map", calibrate_map},
	{"order", calibrate_order},
	{"placement", calibrate_placement},
	{"traffic-placement", calibrate_placement},
	{"overheads", calibrate_overheads},
	{"stalls", calibrate_stalls},
	{"starve", calibrate_starve},
	{"queues", calibrate_queues},
	{"memsets", calibrate_memsets},
	{"quiet", calibrate_quiet},
	{"partition", calibrate_partition},
	{"granularity", calibrate_granularity},
	{"partition-placement", NULL},
	{"slices", NULL},
	{"pending", NULL},
	{"delays", NULL},
	{"passing", NULL},
	{"interference", NULL},
	{"blocks", NULL},
	{"scenario", NULL},
	{"company", NULL},
};

static void (*const together[])(struct calibration *calibration) = {
	calibrate_interference, calibrate_slices, calibrate_turns, calibrate_policy, calibrate_delays};
#define READERS (sizeof readers / sizeof *readers)

static size_t reader_of(const char *measurement)
{
	size_t k = 0;
	while (k < READERS && strcmp(readers[k].measurement, measurement) != 0)
		k++;
	return k;
}

/* ---- what the readers use */

void calibrate_number(struct calibration *c, const struct recording *recording, enum parameter parameter, int64_t value, const char *note)
{
	struct quantity *quantity = &c->platform->parameters[parameter];
	if (quantity->present && quantity->value != value && quantity->source == recording->source)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CONTRADICTION, recording->path, 0, "%s is %" PRId64 " and %" PRId64,
			parameter_kinds[parameter].name, quantity->value, value);
	*quantity =
		(struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = recording->source, .note = note};
}

static const char *margin_text(const struct calibration *c)
{
	struct rational percent = rational_mul(c->options->margin, rational_of(100));
	return percent.den == 1 ? arena_format(c->arena, "%" PRId64, percent.num)
				: arena_format(c->arena, "%" PRId64 "/%" PRId64, percent.num, percent.den);
}

static int64_t with_margin(const struct calibration *c, int64_t ns)
{
	return rational_scale_up(ns, rational_add(rational_of(1), c->options->margin));
}

void calibrate_sample(struct calibration *c, const struct recording *recording, enum parameter parameter, int64_t ns)
{
	growth_add(&c->growths[parameter], c->arena, recording, ns);
}

void calibrate_greatest(struct calibration *c, enum parameter parameter, const char *what)
{
	const struct growth *growth = &c->growths[parameter];
	if (growth->recording == NULL)
		return;
	if (growth->count < c->options->samples)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, growth->recording->path, 0,
			"%" PRId64 " samples of %s (%s), where at least %" PRId64 " are wanted", growth->count, what,
			parameter_kinds[parameter].name, c->options->samples);
	else
		calibrate_number(c, growth->recording, parameter, with_margin(c, growth->value),
			arena_format(c->arena, "%s; %s; %s%% margin added; measured, not proven", what, growth_text(growth, c->arena),
				margin_text(c)));
}

void calibrate_note(struct calibration *c, const char *note)
{
	c->notes.of = arena_grow(c->arena, c->notes.of, &c->notes.capacity, c->notes.count + 1, sizeof *c->notes.of);
	c->notes.of[c->notes.count++] = note;
}

int calibrate_next(const struct calibration *c, const char *measurement, int i)
{
	while (i < c->recording_count && strcmp(c->recordings[i]->measurement, measurement) != 0)
		i++;
	return i;
}

#define BREAKERS_MOST 3

void calibrate_found(struct calibration *c, const struct recording *recording, enum assumption assumption, int64_t tries, int64_t broken,
	int64_t longest, const char *breaker)
{
	struct finding *finding = &c->findings[assumption];
	if (finding->recording == NULL)
		finding->recording = recording;
	finding->tries = checked_add(finding->tries, tries);
	finding->broken = checked_add(finding->broken, broken);
	finding->longest = checked_max(finding->longest, longest);
	bool known = finding->breakers != NULL && breaker != NULL && strstr(finding->breakers, breaker) != NULL;
	if (broken > 0 && breaker != NULL && !known && finding->breaker_count++ < BREAKERS_MOST)
		finding->breakers = finding->breakers == NULL ? arena_copy(c->arena, breaker)
							      : arena_format(c->arena, "%s; %s", finding->breakers, breaker);
}

/* ---- one board, one clock */

static bool same_board(struct calibration *c, const struct recording *r)
{
	const struct recording *first = c->recordings[0];
	bool same = strcmp(first->uuid, r->uuid) == 0 && strcmp(first->board, r->board) == 0 && first->sms == r->sms &&
		    strcmp(first->compute_capability, r->compute_capability) == 0;
	bool same_software = strcmp(first->driver, r->driver) == 0;
	if (!same)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_BOARDS, r->path, 0, "recorded on %s (%s), but %s on %s (%s)", r->board,
			r->uuid, first->path, first->board, first->uuid);
	else if (!same_software)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_BOARDS, r->path, 0, "recorded with driver %s, but %s with driver %s",
			r->driver, first->path, first->driver);
	bool same_memory = strcmp(first->integrated, r->integrated) == 0; /* what the CPU's cores do counts where it is one */
	if (!same_memory)
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_BOARDS, r->path, 0, "recorded with integrated=%s, but %s with integrated=%s",
			r->integrated, first->path, first->integrated);
	return same && same_software && same_memory;
}

/* Clocks within one percent, which is what a measurement of 200 us can tell. */
static bool near(int64_t a, int64_t b)
{
	return a != NONE && b != NONE && checked_mul(100, a > b ? a - b : b - a) <= checked_max(a, b);
}

static bool same_clock(struct calibration *c, const struct recording *r)
{
	const struct recording *first = c->recordings[0];
	if (r->clock_moved || !near(r->clock_khz, r->end_clock_khz))
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CLOCKS, r->path, 0,
			"the SM clock moved from %" PRId64 " to %" PRId64 " kHz while it was recorded", r->clock_khz, r->end_clock_khz);
	else if (!near(first->clock_khz, r->clock_khz))
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_CLOCKS, r->path, 0, "recorded at %" PRId64 " kHz, but %s at %" PRId64 " kHz",
			r->clock_khz, first->path, first->clock_khz);
	else
		return true;
	return false;
}

static bool read_all(struct calibration *c)
{
	const struct calibrate_options *options = c->options;
	bool fine = true;
	int64_t kept = 0;
	c->recordings = arena_allocate(c->arena, (size_t)options->path_count, sizeof *c->recordings);
	for (int i = 0; i < options->path_count; i++) {
		struct recording *r = recording_read(c->arena, c->diagnostics, options->paths[i], &kept);
		if (r == NULL) {
			fine = false;
			continue;
		}
		c->recordings[c->recording_count++] = r;
		bool board = same_board(c, r), clock = same_clock(c, r); /* both are said */
		fine = fine && board && clock;
	}
	return fine && c->recording_count > 0;
}

/* ---- from the base model: what no program measures */

static const enum parameter structural[] = {
	PARAMETER_SM_SUBPARTITIONS, PARAMETER_REGISTER_UNIT, PARAMETER_SHARED_UNIT, PARAMETER_THREAD_REGISTERS, PARAMETER_QUEUES_GRIDS};

static int capability(const char *text)
{
	int major = 0, minor = 0;
	for (; *text >= '0' && *text <= '9' && major < 100; text++)
		major = 10 * major + (*text - '0');
	if (*text == '.' && text[1] >= '0' && text[1] <= '9')
		minor = text[1] - '0';
	return 10 * major + minor;
}

static void start_platform(struct calibration *c)
{
	struct platform *platform = arena_allocate(c->arena, 1, sizeof *platform);
	const struct recording *first = c->recordings[0];
	char *name = arena_copy(c->arena, first->board);
	for (char *at = name; *at != '\0'; at++)
		*at = *at == '_' ? ' ' : *at;
	platform->id = c->options->id;
	platform->name = name;
	platform->compute_capability = capability(first->compute_capability);
	platform->integrated = strcmp(first->integrated, "yes") == 0;
	platform->architecture = c->options->base != NULL ? c->options->base->architecture : "unknown";
	for (int d = 0; d < DIRECTION_COUNT; d++)
		platform->engine_of[d] = ENGINE_NONE;
	platform->composition = COMPOSITION_MULTIPLICATIVE;
	platform->divergence = (struct divergence_cost){NONE, NONE, NONE, NONE, NULL};
	c->platform = platform;
}

static bool take_base(struct calibration *c)
{
	const struct platform *base = c->options->base;
	struct platform *platform = c->platform;
	if (base == NULL)
		return true;
	if (base->compute_capability != platform->compute_capability) {
		diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_BOARDS, c->recordings[0]->path, 0,
			"recorded on compute capability %d.%d, but the base model %s has %d.%d", platform->compute_capability / 10,
			platform->compute_capability % 10, base->id, base->compute_capability / 10, base->compute_capability % 10);
		return false;
	}
	for (size_t i = 0; i < sizeof structural / sizeof *structural; i++)
		platform->parameters[structural[i]] = base->parameters[structural[i]];
	platform->carveouts = base->carveouts;
	platform->carveout_count = base->carveout_count;
	platform->carveout_source = base->carveout_source;
	platform->placement = base->placement;
	platform->placement_source = base->placement_source;
	platform->per_sm_carveout = base->per_sm_carveout;
	platform->engine_source = base->engine_source;
	return true;
}

/* ---- all of it */

/* The head of every recording says it. */
static void set_sms(struct calibration *c)
{
	if (!c->platform->parameters[PARAMETER_SM_COUNT].present)
		calibrate_number(c, c->recordings[0], PARAMETER_SM_COUNT, c->recordings[0]->sms, NULL);
}

static void dispatch(struct calibration *c)
{
	for (int i = 0; i < c->recording_count; i++) {
		size_t k = reader_of(c->recordings[i]->measurement);
		if (k == READERS)
			diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_HEAD, c->recordings[i]->path, 2, "no measurement '%s' is known",
				c->recordings[i]->measurement);
		else if (readers[k].read != NULL)
			readers[k].read(c, c->recordings[i]);
	}
	set_sms(c);
	for (size_t i = 0; i < sizeof together / sizeof *together && c->diagnostics->errors == 0; i++)
		together[i](c);
}

/* Times whose greatest is what a parameter says. */
static void set_greatest(struct calibration *c)
{
	const char *block = c->spread.recording == NULL || c->refill.recording == NULL
				    ? ""
				    : arena_format(c->arena,
					      "from the first to the last begin of a kernel's blocks, for each block (%" PRId64
					      "ns in all); the begin of a block where another ended took up to %" PRId64
					      "ns, which belongs to each block's WCET",
					      c->spread.value, c->refill.value);
	calibrate_greatest(c, PARAMETER_OVERHEAD_LAUNCH, "from the return of the launch call on an idle GPU to the first block");
	calibrate_greatest(c, PARAMETER_OVERHEAD_DEPENDENCY, "from a kernel's end to its successor's first block");
	calibrate_greatest(c, PARAMETER_OVERHEAD_COPY, "the smallest copies, and how long an engine was idle before a copy that waited");
	calibrate_greatest(c, PARAMETER_OVERHEAD_BLOCK, block);
	calibrate_greatest(c, PARAMETER_SWITCH_REFILL, "what a sequence took longer in its turn than alone");
}

/* A finding that rests on few tries says little. */
static void judge_findings(struct calibration *c)
{
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		const struct finding *f = &c->findings[i];
		if (f->recording != NULL && f->broken == 0 && f->tries < c->options->samples)
			diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_SAMPLES, f->recording->path, 0,
				"%" PRId64 " tries to break %s, where at least %" PRId64 " are wanted", f->tries, assumption_kinds[i].id,
				c->options->samples);
	}
}

static void set_nonempty(struct calibration *c)
{
	struct finding *g = &c->findings[ASSUMPTION_WC_G];
	if (c->nonempty_recording == NULL || c->nonempty_tries < c->options->samples)
		return;
	calibrate_number(c, c->nonempty_recording, PARAMETER_DISPATCH_NONEMPTY, checked_max(1, c->nonempty),
		arena_format(
			c->arena, "the least in %" PRId64 " configurations between a kernel's first and last block", c->nonempty_tries));
	g->noted = c->nonempty_recording;
	g->note = arena_format(c->arena,
		"g is dispatch.nonempty-sms; these recordings have %" PRId64
		" configurations; before a kernel's first block nobody sees whether it waits",
		c->nonempty_tries);
}

bool calibrate_run(
	struct arena *arena, struct diagnostics *diagnostics, const struct calibrate_options *options, struct calibrate_results *results)
{
	struct calibration c = {.arena = arena, .diagnostics = diagnostics, .options = options, .nonempty = NONE};
	int before = diagnostics->errors;
	if (!read_all(&c))
		return false;
	start_platform(&c);
	if (!take_base(&c))
		return false;
	dispatch(&c);
	set_greatest(&c);
	judge_findings(&c);
	set_nonempty(&c);
	if (diagnostics->errors > before)
		return false;
	calibrate_keep_worse(&c);
	calibrate_write(&c, &results->model);
	calibrate_print_uses(&c, &results->uses);
	calibrate_write_page(&c, &results->page);
	return true;
}
