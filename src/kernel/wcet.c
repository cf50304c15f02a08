/* The stages from a program to its block's time, in their order. */
#include "kernel/wcet.h"

#include "kernel/aligned.h"

const char *const composition_texts[] = {
	"chain + (W - 1) * others",
	"chain + W * others: barriers aligned, chain without flow facts",
	"W * chain: barriers not aligned",
};

struct stage {
	struct wcet *wcet;
	const struct program *program;
	const struct lp_limits *limits;
	struct diagnostics *diagnostics;
};

static const int64_t *weigh(const struct stage *stage, int64_t (*of)(const struct costs *, const struct program_block *))
{
	const struct program *program = stage->program;
	int64_t *weights = arena_allocate(stage->wcet->flow.arena, (size_t)program->block_count, sizeof *weights);
	for (int i = 0; i < program->block_count; i++)
		weights[i] = of(&stage->wcet->costs, &program->blocks[i]);
	return weights;
}

static struct ipet_result solve(const struct stage *stage, const struct ipet_weights *weights, bool with_facts)
{
	const struct wcet *wcet = stage->wcet;
	struct ipet_result result = ipet_solve(&wcet->flow, &wcet->loops, &wcet->divergence, weights, with_facts, stage->limits);
	if (with_facts && (result.status == LP_INFEASIBLE || result.value < 0))
		diagnose(stage->diagnostics, DIAGNOSTIC_FACTS_CONTRADICT, stage->program->path,
			stage->program->fact_count > 0 ? stage->program->facts[0].line : 0,
			"expected flow facts that some path satisfies; the bound on the paths that satisfy these is %lld",
			(long long)result.value);
	else if (result.status != LP_SOLVED && result.value != NONE)
		diagnose(stage->diagnostics, DIAGNOSTIC_SOLVER_FALLBACK, stage->program->path, 0,
			"expected a solution of the linear program; the bound is what can be certified without it");
	return result;
}

/* ---- the stages */

static void solve_chain(struct stage *stage)
{
	struct wcet *wcet = stage->wcet;
	struct ipet_weights weights = {weigh(stage, costs_latency), wcet->costs.divergence.cycles_a_divergence, 0};
	wcet->chain = solve(stage, &weights, wcet->composition != WCET_ALIGNED);
	wcet->chain_closed = wcet->divergence.fork_count > 0 ? NONE : closed_form(&wcet->flow, &wcet->loops, weights.block);
}

static void solve_others(struct stage *stage)
{
	struct wcet *wcet = stage->wcet;
	struct ipet_weights weights = {weigh(stage, costs_occupancy), wcet->costs.divergence.cycles_a_divergence, 0};
	wcet->others = solve(stage, &weights, true);
	wcet->others_closed = wcet->divergence.fork_count > 0 ? NONE : closed_form(&wcet->flow, &wcet->loops, weights.block);
}

/* No spill while all tokens fit at once. */
static void solve_pushes(struct stage *stage)
{
	struct wcet *wcet = stage->wcet;
	if (wcet->divergence.depth <= wcet->costs.divergence.depth)
		return;
	int64_t *tokens = arena_allocate(wcet->flow.arena, (size_t)stage->program->block_count, sizeof *tokens);
	for (int i = 0; i < stage->program->block_count; i++)
		tokens[i] = divergence_is_uniform(&wcet->divergence, &wcet->flow, i);
	struct ipet_weights weights = {tokens, 1, 1};
	wcet->pushes = solve(stage, &weights, wcet->composition != WCET_ALIGNED);
	wcet->spill_cycles = divergence_cycles(&wcet->costs.divergence, 0, wcet->pushes.value, wcet->divergence.depth);
}

static void compose(struct wcet *wcet)
{
	wcet->chain_cycles = checked_add(checked_min(wcet->chain.value, wcet->chain_closed), wcet->spill_cycles);
	wcet->others_cycles = checked_add(checked_min(wcet->others.value, wcet->others_closed), wcet->spill_cycles);
	int64_t rest = wcet->composition == WCET_FREE ? wcet->warps - 1 : wcet->warps;
	wcet->cycles = checked_add(wcet->chain_cycles, checked_mul(rest, wcet->others_cycles));
	if (wcet->composition == WCET_SERIAL)
		wcet->cycles = checked_mul(wcet->warps, wcet->chain_cycles);
}

static int64_t time_of(int64_t cycles, const struct quantity *clock)
{
	if (!clock->present)
		return NONE;
	struct rational exact = rational_div(rational_mul(rational_of(cycles), rational_of(1000000000)), clock->exact);
	if (rational_is_none(exact)) /* coarser, where the exact fraction does not fit */
		return checked_mul_div_ceil(cycles, 1000000000, clock->value);
	return rational_ceil(exact);
}

bool wcet_find(struct wcet *wcet, const struct program *program, const struct platform *platform, struct arena *arena,
	const struct lp_limits *limits, struct diagnostics *diagnostics)
{
	int before = diagnostics->errors;
	struct stage stage = {wcet, program, limits, diagnostics};
	*wcet = (struct wcet){.cycles = NONE, .time = NONE, .warps = program_warps(program), .chain_closed = NONE, .others_closed = NONE};
	if (!flow_build(&wcet->flow, program, arena, diagnostics) || !loops_find(&wcet->loops, &wcet->flow, diagnostics) ||
		!divergence_find(&wcet->divergence, &wcet->flow, &wcet->loops, diagnostics) ||
		!costs_find(&wcet->costs, program, platform, &wcet->divergence, diagnostics))
		return false;
	if (barriers_exist(program))
		wcet->composition = barriers_aligned(&wcet->flow, &wcet->loops) ? WCET_ALIGNED : WCET_SERIAL;
	solve_chain(&stage);
	solve_others(&stage);
	solve_pushes(&stage);
	compose(wcet);
	if (wcet->cycles == NONE && diagnostics->errors == before)
		diagnose(diagnostics, DIAGNOSTIC_PROGRAM_TOO_LONG, program->path, 0, "expected a program whose cycles fit 64 bits");
	if (wcet->cycles != NONE)
		wcet->time = time_of(wcet->cycles, &platform->parameters[PARAMETER_CLOCK_SM]);
	return diagnostics->errors == before;
}
