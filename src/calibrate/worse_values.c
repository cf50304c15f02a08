/* Greatest values that are rare events: where the base states a worse one than these recordings show, the base's is kept, and where no base
 * says more, it is said of how few blocks dispatch.delay is the greatest. */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>

/* On H100s 7 of 4,862,972 blocks came 1.2 to 10.1 us late, on H200s 9 of 19,989,902 (doc/silicon.md): what comes once in 2.2 million blocks
 * is missed by 10 million with a probability of one percent. */
#define BLOCKS_WANTED INT64_C(10000000)

/* The times whose greatest counts. Not runlist.timeslice: it is a setting, and runlist.switch covers what waits of these recordings hold
 * beyond the slices of these. */
static bool is_extreme(const struct calibration *c, enum parameter parameter)
{
	return c->growths[parameter].recording != NULL || parameter == PARAMETER_DISPATCH_NONEMPTY;
}

/* Of dispatch.nonempty-sms fewer promise less. */
static bool is_worse(enum parameter parameter, int64_t value, int64_t than)
{
	return parameter == PARAMETER_DISPATCH_NONEMPTY ? value < than : value > than;
}

static void keep(struct calibration *c, enum parameter parameter)
{
	struct quantity *own = &c->platform->parameters[parameter];
	const struct quantity *stated = &c->options->base->parameters[parameter];
	if (!is_extreme(c, parameter) || !own->present || !stated->present || !is_worse(parameter, stated->value, own->value))
		return;
	const char *there = stated->note == NULL ? "" : arena_format(c->arena, ". There: %s", stated->note);
	*own = (struct quantity){.present = true,
		.value = stated->value,
		.exact = stated->exact,
		.source = stated->source,
		.note = arena_format(c->arena, "kept from the base, as it is worse than the %" PRId64 "%s of these recordings (%s)%s",
			own->value, parameter == PARAMETER_DISPATCH_NONEMPTY ? "" : "ns",
			own->note != NULL ? own->note : "an answer of the driver", there)};
}

static void warn_of_few(struct calibration *c)
{
	const struct growth *growth = &c->growths[PARAMETER_DISPATCH_DELAY];
	struct quantity *delay = &c->platform->parameters[PARAMETER_DISPATCH_DELAY];
	if (growth->recording == NULL || !delay->present || growth->count >= BLOCKS_WANTED)
		return;
	delay->note = arena_format(
		c->arena, "%s; fewer than %" PRId64 " samples: blocks that begin late are rarer than that", delay->note, BLOCKS_WANTED);
	diagnose(c->diagnostics, DIAGNOSTIC_RECORDING_RARE, growth->recording->path, 0,
		"dispatch.delay, %" PRId64 "ns, rests on %" PRId64 " samples, where %" PRId64
		" are wanted: one block in some million begins 1 to 10 us late on an H100 or an H200",
		delay->value, growth->count, BLOCKS_WANTED);
}

void calibrate_keep_worse(struct calibration *c)
{
	const char *own = c->platform->parameters[PARAMETER_DISPATCH_DELAY].note;
	for (int i = 0; i < PARAMETER_COUNT && c->options->base != NULL && !c->options->own; i++)
		keep(c, (enum parameter)i);
	if (c->platform->parameters[PARAMETER_DISPATCH_DELAY].note == own)
		warn_of_few(c);
}
