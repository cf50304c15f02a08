/* A GPU as a platform model states it.
 *
 * Requires: validated input (src/input), which gives it as a constant: nobody changes it afterwards. Who makes one has model/draft.h.
 * Provides: numbers with their sources, what is absent told apart from zero; maps of SMs; policies; assumptions and interference.
 * Source:   [MODEL], [HW-OCCUPANCY], [SILICON].
 */
#ifndef MODEL_PLATFORM_H
#define MODEL_PLATFORM_H

#include "base/memory.h"
#include "base/rational.h"
#include "base/units.h"

#define THREADS_A_WARP 32
#define NO_ID (-1)

enum parameter {
#define PARAMETER(symbol, ...) PARAMETER_##symbol,
#include "model/parameters.def"
#undef PARAMETER
	PARAMETER_COUNT
};

/* The side on which a bound stays a bound; where neither is, the number must be whole. */
enum rounding_side { SIDE_UP, SIDE_DOWN, SIDE_EXACT };

/* The task sets that need it. */
enum parameter_need {
	NEED_NOTHING,
	NEED_KERNELS,     /* with work for the SMs */
	NEED_BLOCKS,      /* with kernels of scope block */
	NEED_SIZES,       /* with kernels whose threads a block are known, */
	NEED_REGISTERS,   /* and whose registers are, */
	NEED_SHARED,      /* or that use shared memory */
	NEED_LAUNCHES,    /* with work for the SMs, which has to be launched */
	NEED_DISPATCHES,  /* with blocks whose dispatch counts: of scope block, of two levels of a context, or that stops break off */
	NEED_WORK,        /* with such work or copies */
	NEED_COPIES,      /* with copies on copy engines */
	NEED_DELAYS,      /* with work for SMs that may come late: A-ORDER */
	NEED_LOW_LEVELS,  /* with streams below the highest priority */
	NEED_LEVELS,      /* with kernels on two levels of a context */
	NEED_STREAMS,     /* with two streams of a context */
	NEED_SLICES,      /* whose contexts take turns, and leave the length of a turn open */
	NEED_TURNS,       /* whose contexts take turns */
	NEED_COPY_SLICES, /* and whose copies take turns with them */
	NEED_MANAGED,     /* with kernels that have data in managed memory */
	NEED_COUNT
};

enum parameter_topic { TOPIC_NONE, TOPIC_LIMITS, TOPIC_OVERHEADS, TOPIC_COPIES, TOPIC_CONTEXTS };

struct parameter_kind {
	const char *name;
	enum unit unit;
	enum rounding_side side;
	int64_t least, most; /* most NONE: no limit */
	enum parameter_need need;
	int64_t stand_in; /* NONE: nothing needs it */
	enum parameter_topic topic;
	bool lessened;
	const char *meaning;
	const char *where; /* "": nothing needs it */
};

extern const struct parameter_kind parameter_kinds[PARAMETER_COUNT];
int parameter_find(const char *name); /* an enum parameter, or -1 */

/* A number of the platform: from the model (source) or declared by the task set (declared_by). */
struct quantity {
	bool present;
	int64_t value; /* base unit; frequencies rounded down, they are exact in `exact` */
	struct rational exact;
	const char *source;      /* text of the source, never NULL when present */
	const char *note;        /* what a reader must know of it; NULL: nothing */
	const char *declared_by; /* NULL: from the platform model */
	long line;
	bool in_cycles; /* the model gives it in cycles of its own clock.sm */
};

enum assumption {
#define ASSUMPTION(symbol, id, status, statement, discharge) ASSUMPTION_##symbol,
#include "model/assumptions.def"
#undef ASSUMPTION
	ASSUMPTION_COUNT
};

/* UNSTATED: nobody vouches for it, so nothing may rest on it. CONDITIONAL: not known to hold, relied on at the user's request. */
enum assumption_status { STATUS_UNSTATED, STATUS_HOLDS, STATUS_ASSUMED, STATUS_BROKEN, STATUS_CONDITIONAL };

struct assumption_kind {
	const char *id;
	enum assumption_status by_default;
	const char *statement, *discharge;
};

extern const struct assumption_kind assumption_kinds[ASSUMPTION_COUNT];
int assumption_find(const char *id); /* an enum assumption, or -1 */
const char *assumption_status_name(enum assumption_status status);

struct assumption_state {
	enum assumption_status status;
	const char *why;         /* NULL: nothing beside the source */
	const char *source;      /* NULL where nothing was said */
	const char *declared_by; /* NULL: the platform model or the table's default */
};

enum placement { PLACEMENT_UNKNOWN, PLACEMENT_MOST_ROOM, PLACEMENT_ROUND_ROBIN, PLACEMENT_FERMI, PLACEMENT_HOPPER };
enum copy_runlist { COPY_RUNLIST_UNKNOWN, COPY_RUNLIST_OWN, COPY_RUNLIST_SHARED };
enum preemption { PREEMPTION_UNKNOWN, PREEMPTION_BLOCK, PREEMPTION_INSTRUCTION };
enum direction { DIRECTION_H2D, DIRECTION_D2H, DIRECTION_D2D, DIRECTION_PEER, DIRECTION_MEMSET, DIRECTION_COUNT };
enum ternary { TERNARY_UNKNOWN, TERNARY_NO, TERNARY_YES };

extern const char *const placement_names[], *const copy_runlist_names[], *const preemption_names[], *const direction_names[];
extern const char *const ternary_names[];

#define ENGINE_NONE (-1)    /* nothing says which engine serves this direction */
#define ENGINE_COMPUTE (-2) /* it runs as a kernel on the execution engine */

/* Memory interference: the factor by which `source` slows a block whose operation and footprint are `victim`. [COMPOSE]. */
enum access { ACCESS_ANY, ACCESS_COMPUTE, ACCESS_READ, ACCESS_WRITE, ACCESS_COPY, ACCESS_COUNT };
enum interferer {
	INTERFERER_SM,  /* other blocks on the same SM */
	INTERFERER_TPC, /* the other SM of the TPC */
	INTERFERER_GPC, /* the other SMs of the GPC */
	INTERFERER_OUT, /* SMs of other GPCs */
	INTERFERER_H2D,
	INTERFERER_D2H,
	INTERFERER_D2D,
	INTERFERER_MEMSET, /* copies by kind */
	INTERFERER_CPU,    /* CPU cores of an integrated GPU */
	INTERFERER_OTHER,  /* other masters: display, cameras, codecs */
	INTERFERER_EE,     /* kernels, as they slow copies */
	INTERFERER_ALL,    /* everything at once: F_full, a joint measurement */
	INTERFERER_COUNT
};
enum composition { COMPOSITION_MULTIPLICATIVE, COMPOSITION_ADDITIVE, COMPOSITION_MAXIMUM, COMPOSITION_JOINT };

extern const char *const access_names[], *const interferer_names[], *const composition_names[];

struct interference_entry {
	enum access victim; /* ACCESS_ANY: any kernel */
	int64_t footprint;  /* measured up to this working set in bytes; NONE: any */
	enum interferer source;
	int64_t count;          /* size of the source in the measurement: SMs, for sm blocks, for copies and memsets streams; NONE: any */
	bool is_copy;           /* the victim is a copy, not a block */
	struct rational factor; /* >= 1 */
	const char *evidence, *declared_by;
	long line;
};

/* The parameter covers something that was seen on this platform, and has to be at least this: always, or where an assumption is relied on
 * that leaves it open. */
struct least_value {
	int assumption; /* NO_ID: always */
	enum parameter parameter;
	int64_t value; /* in the parameter's base unit, rounded up */
	const char *evidence;
	long line;
};

struct divergence_cost { /* seed 004; absent: all NONE, source NULL */
	int64_t depth, entries_a_spill, cycles_a_divergence, cycles_a_spill;
	const char *source;
};

struct warp_pipeline {     /* seeds 001, 002 */
	const char *class; /* of instruction_classes.def */
	int64_t lanes;     /* of the unit; NONE: its occupancy is stated */
	int64_t occupancy; /* cycles for which an instruction keeps the unit; NONE: a warp over the lanes */
	int64_t latency;   /* cycles */
	const char *group; /* classes of one group issue to the same unit; NULL: nobody knows with which others it does */
	bool partition;    /* there is one in each sub-partition, with so many lanes, for the warps there */
	const char *source;
};

/* What the parts of the model rest on: they name it by its text. */
struct platform_source {
	const char *id, *kind, *text;
};

struct sm_position {
	int gpc, tpc; /* NO_ID: unknown */
	int ring;     /* Hopper: the ring whose turn serves the GPC or singleton group; NO_ID elsewhere */
};

/* What measurements hold for, beside the clocks. */
enum condition { CONDITION_BOARD, CONDITION_DRIVER, CONDITION_POWER_MODE, CONDITION_COUNT };
extern const char *const condition_names[];

/* A declaration of the task set that is a word, not a number: which engine, whether kernels run side by side. */
struct declared_choice {
	const char *name, *value, *source, *by;
	long line; /* of the task set */
};

#define CHOICE_MOST (DIRECTION_COUNT + 4)

struct platform {
	const char *path, *hash; /* the file it came from */
	int64_t bytes;           /* its length */
	const char *id, *name, *architecture;
	int compute_capability; /* 10 * major + minor */
	bool integrated;
	const char *conditions[CONDITION_COUNT]; /* NULL: not stated */
	const struct platform_source *sources;   /* of the file; what a task set declares has others */
	int source_count;
	struct quantity parameters[PARAMETER_COUNT];
	struct assumption_state assumptions[ASSUMPTION_COUNT];
	const struct least_value *leasts; /* of parameters, beside assumptions */
	int least_count;

	const struct sm_position *sms; /* sm.count of them */
	int gpc_count;
	const char *map_source; /* NULL: the map is unknown */
	const int *order;       /* SM ids, the first choice first; sm.count of them; NULL: unknown */
	const char *order_source;
	enum placement placement;
	const char *placement_source;

	const int64_t *carveouts; /* shared-memory configurations in bytes, ascending */
	int carveout_count;
	const char *carveout_source; /* NULL: unknown */

	const char *engine_source;      /* of the five that follow; NULL: nothing is known but what the task set declares */
	int engine_of[DIRECTION_COUNT]; /* copy engine, ENGINE_NONE or ENGINE_COMPUTE */
	enum copy_runlist copy_runlist;
	enum preemption preemption;      /* between contexts */
	enum ternary concurrent_kernels; /* kernels of several streams at once as section 2.4 describes */
	enum ternary per_sm_carveout;    /* TERNARY_YES: a new shared-memory configuration waits for an idle SM; NO: for the whole chip */

	enum composition composition;
	const struct interference_entry *interference;
	int interference_count;
	struct declared_choice choices[CHOICE_MOST]; /* of the task set, in its order */
	int choice_count;
	const struct warp_pipeline *pipelines;
	int pipeline_count;
	struct divergence_cost divergence;
};

/* The value of a parameter, or NONE. */
static inline int64_t platform_value(const struct platform *platform, enum parameter parameter)
{
	const struct quantity *quantity = &platform->parameters[parameter];
	return quantity->present ? quantity->value : NONE;
}

/* May a bound rest on this? HOLDS, ASSUMED and CONDITIONAL: yes. */
static inline bool platform_grants(const struct platform *platform, enum assumption assumption)
{
	enum assumption_status status = platform->assumptions[assumption].status;
	return status == STATUS_HOLDS || status == STATUS_ASSUMED || status == STATUS_CONDITIONAL;
}

/* Of these assumptions those that hold only as a condition: relied on although nobody vouches for them, or although they are known to be
 * broken. */
uint64_t platform_conditions(const struct platform *platform, uint64_t assumptions);
bool platform_grants_all(const struct platform *platform, uint64_t assumptions); /* of a set */
uint64_t platform_granted(const struct platform *platform);                      /* those that it grants */
/* Why it has the status that it has, and who says so, as reports print it; in the arena. NULL where nothing was said. */
const char *assumption_evidence(struct arena *arena, const struct assumption_state *state);
/* Does anything slow anything, a factor above 1? */
bool platform_slows(const struct platform *platform);
/* Does a warp that never stalls keep its slot from warps of older blocks ([WCET-BESIDE])? Seen on compute capability 9.0; looked for
 * nowhere else. */
bool platform_keeps_slots(const struct platform *platform);

/* A set of assumptions with this one in it. */
static inline uint64_t assumption_bit(enum assumption assumption)
{
	return UINT64_C(1) << assumption;
}

/* Takes the first one out of a set, which is not empty. */
static inline enum assumption assumption_take(uint64_t *set)
{
	enum assumption first = (enum assumption)__builtin_ctzll(*set);
	*set &= *set - 1;
	return first;
}

#endif
