/* Occupancy and neighbourhood of kernels. */
#include "verify/resident.h"

#include "verify/meeting_streams.h"
#include "verify/usable_sms.h"

#define OF(platform, name) platform_value(platform, PARAMETER_##name)

bool resident_is_transfer(const struct operation *operation)
{
	return operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
}

static enum direction direction_of(const struct operation *operation)
{
	return operation->kind == OPERATION_MEMSET ? DIRECTION_MEMSET : operation->copy.direction;
}

int resident_engine(const struct platform *platform, const struct operation *operation)
{
	return platform->engine_of[direction_of(operation)];
}

/* Where nothing says which engine serves it, a copy inside the device, to a peer, or a memset may be a kernel. */
static bool puts_blocks(const struct platform *platform, const struct operation *operation)
{
	if (operation->kind == OPERATION_FRAGMENT) /* nobody is there while it is */
		return !platform_grants(platform, ASSUMPTION_DRAW);
	if (!resident_is_transfer(operation))
		return operation->kind == OPERATION_KERNEL;
	int engine = resident_engine(platform, operation);
	enum direction direction = direction_of(operation);
	return engine == ENGINE_COMPUTE || (engine == ENGINE_NONE && direction != DIRECTION_H2D && direction != DIRECTION_D2H);
}

bool resident_configurable(const struct platform *platform)
{
	int major = platform->compute_capability / 10;
	return platform->carveout_count > 0 || major == 2 || major == 3 || major >= 7;
}

bool resident_divides_by_needs(const struct platform *platform)
{
	return resident_configurable(platform) && platform->per_sm_carveout != TERNARY_YES;
}

bool resident_same_shared(const struct kernel *a, const struct kernel *b)
{
	int64_t first = checked_add(a->shared_static, a->shared_dynamic), second = checked_add(b->shared_static, b->shared_dynamic);
	return !checked_is_none(a->threads) && !checked_is_none(b->threads) && first == second;
}

/* ---- demand of a block; [HW-OCCUPANCY] */

static int64_t register_granule(const struct platform *platform, int64_t registers)
{
	int64_t low = registers % 8;
	bool odd = registers >= 21 && registers <= 46 && (low == 5 || low == 6);
	return platform->compute_capability / 10 == 2 && odd ? 128 : OF(platform, REGISTER_UNIT);
}

static void demand(const struct platform *platform, const struct kernel *kernel, struct resident *of)
{
	int64_t reserve = OF(platform, SHARED_RESERVED);
	if (checked_is_none(reserve) && platform->compute_capability < 80)
		reserve = 0;
	of->warps = of->remaining = kernel_warps(kernel);
	if (!kernel->warps_stay && of->warps > 1)
		of->remaining = 1;
	of->warp_registers =
		checked_round_up(checked_mul(kernel->registers, THREADS_A_WARP), register_granule(platform, kernel->registers));
	of->shared = checked_round_up(
		checked_add(checked_add(kernel->shared_static, kernel->shared_dynamic), reserve), OF(platform, SHARED_UNIT));
}

/* ---- blocks an SM by each resource */

static int64_t shared_of_sm(const struct platform *platform)
{
	return checked_round_down(OF(platform, SM_SHARED), OF(platform, SHARED_UNIT));
}

static int64_t registers_of_part(const struct platform *platform)
{
	return checked_div_floor(OF(platform, SM_REGISTERS), OF(platform, SM_SUBPARTITIONS));
}

static int64_t by_registers(const struct platform *platform, const struct resident *of)
{
	if (of->warp_registers == 0)
		return OF(platform, SM_BLOCKS);
	int64_t a_part = checked_div_floor(registers_of_part(platform), of->warp_registers);
	return checked_div_floor(checked_mul(a_part, OF(platform, SM_SUBPARTITIONS)), of->warps);
}

static int64_t register_units(const struct platform *platform)
{
	return checked_div_floor(OF(platform, SM_REGISTERS), OF(platform, REGISTER_UNIT));
}

/* Amounts alone, as if an SM had no parts. */
static int64_t by_all_registers(const struct platform *platform, const struct resident *of)
{
	int64_t block = checked_mul(of->warps, of->warp_registers);
	return block == 0 ? OF(platform, SM_BLOCKS)
			  : checked_div_floor(checked_mul(register_units(platform), OF(platform, REGISTER_UNIT)), block);
}

/* So many units that one block more than the parts of an SM hold takes more than there are; what it takes where that is more. */
static int64_t filling(const struct platform *platform, const struct resident *of)
{
	int64_t takes = checked_mul(of->warps, of->warp_registers);
	int64_t blocks = checked_add(of->limit[LIMIT_REGISTERS], 1);
	int64_t least = checked_add(checked_div_floor(register_units(platform), blocks), 1);
	return takes == 0 ? 0 : checked_max(takes, checked_mul(least, OF(platform, REGISTER_UNIT)));
}

static int64_t by_shared(const struct platform *platform, const struct resident *of, int64_t capacity)
{
	return of->shared == 0 ? OF(platform, SM_BLOCKS) : checked_div_floor(capacity, of->shared);
}

static bool above(int64_t value, int64_t most)
{
	return !checked_is_none(value) && value > most;
}

/* A launch that fails holds no blocks. */
static void refuse(const struct platform *platform, const struct kernel *kernel, struct resident *of)
{
	int64_t registers = checked_mul(of->warp_registers, checked_round_up(of->warps, OF(platform, SM_SUBPARTITIONS)));
	int64_t shared = checked_add(kernel->shared_static, kernel->shared_dynamic), most = OF(platform, BLOCK_SHARED_OPTIN);
	if (checked_is_none(most))
		most = OF(platform, BLOCK_SHARED);
	if (above(kernel->threads, OF(platform, BLOCK_THREADS)))
		of->limit[LIMIT_WARPS] = 0;
	if (above(kernel->registers, OF(platform, THREAD_REGISTERS)) || above(registers, OF(platform, BLOCK_REGISTERS)))
		of->limit[LIMIT_REGISTERS] = 0;
	if (above(kernel->shared_static, OF(platform, BLOCK_SHARED)) || above(shared, most))
		of->limit[LIMIT_SHARED] = 0;
}

static int64_t least_of(const int64_t limit[LIMIT_COUNT], int *binding)
{
	bool unknown = false;
	*binding = 0;
	for (int i = 0; i < LIMIT_COUNT; i++) {
		unknown = unknown || checked_is_none(limit[i]);
		*binding = limit[i] < limit[*binding] ? i : *binding;
	}
	return unknown && limit[*binding] != 0 ? NONE : limit[*binding];
}

/* Shared memory that an idle SM is given for it: all, or what its blocks need; 0 where a hint leaves it to the driver. */
static int64_t configuration(const struct platform *platform, const struct kernel *kernel, const struct resident *of)
{
	bool all = !resident_configurable(platform) || kernel->carveout == 100 ||
		   (checked_is_none(kernel->carveout) && kernel->cache == CACHE_PREFER_SHARED);
	bool hinted = !checked_is_none(kernel->carveout) || kernel->cache != CACHE_NONE;
	int64_t bytes = all || (!hinted && platform->compute_capability < 70) ? OF(platform, SM_SHARED)
			: hinted                                              ? 0
									      : checked_mul(of->whole, of->shared);
	return checked_is_none(bytes) ? 0 : bytes;
}

/* All warps of one block find room beside what the others have for sure. The slots of blocks and shared memory are held to the end. */
static int64_t at_once(const struct platform *platform, const struct resident *of, int64_t by_registers)
{
	int64_t most = checked_min(of->limit[LIMIT_BLOCKS], of->limit[LIMIT_SHARED]);
	int64_t room = checked_min(OF(platform, SM_WARPS), of->warp_registers == 0 ? OF(platform, SM_WARPS) : by_registers);
	if (checked_is_none(of->whole) || of->whole == 0 || of->remaining == of->warps)
		return of->whole;
	while (most > of->whole && checked_add(checked_mul(checked_sub(most, 1), of->remaining), of->warps) > room)
		most--;
	return most;
}

static void size(const struct platform *platform, const struct operation *operation, struct resident *of)
{
	const struct kernel *kernel = &operation->kernel;
	of->sized = !checked_is_none(kernel->threads);
	demand(platform, kernel, of);
	of->limit[LIMIT_WARPS] = checked_div_floor(OF(platform, SM_WARPS), of->warps);
	of->limit[LIMIT_BLOCKS] = OF(platform, SM_BLOCKS);
	of->limit[LIMIT_REGISTERS] = by_registers(platform, of);
	of->limit[LIMIT_SHARED] = by_shared(platform, of, shared_of_sm(platform));
	refuse(platform, kernel, of);
	of->whole = least_of(of->limit, &of->binding);
	of->greatest = at_once(platform, of,
		checked_mul(checked_div_floor(registers_of_part(platform), of->warp_registers), OF(platform, SM_SUBPARTITIONS)));
	of->filling = filling(platform, of);
	of->configured = configuration(platform, kernel, of);
}

/* ---- the least, where others have left holes; [FRAGMENTATION], [V8], [V9], [V10] */

struct company { /* kernels that may have been on the SM */
	bool same_registers, same_shape;
	int64_t configured;
};

static int64_t round_to_configuration(const struct platform *platform, int64_t bytes)
{
	for (int i = 0; i < platform->carveout_count; i++)
		if (platform->carveouts[i] >= bytes)
			return platform->carveouts[i];
	return bytes;
}

static int64_t sure_shared(const struct platform *platform, const struct resident *of, const struct company *company)
{
	if (!resident_configurable(platform))
		return shared_of_sm(platform);
	int64_t bytes = checked_max(of->shared, company->configured);
	bool sized = platform->placement == PLACEMENT_HOPPER && of->shared > 0; /* as many of its blocks as it asks for itself */
	if (sized)
		bytes = checked_max(bytes, checked_min(checked_mul(of->whole, of->shared), checked_round_down(of->configured, of->shared)));
	bytes = checked_round_down(round_to_configuration(platform, bytes), OF(platform, SHARED_UNIT));
	return checked_min(bytes, shared_of_sm(platform));
}

/* (6.7): with k items of d in place and k + 1 holes below d, capacity is at most k d + (k + 1)(d - u). */
static int64_t with_holes(int64_t capacity, int64_t first, int64_t d, int64_t unit)
{
	int64_t free = checked_add(checked_sub(capacity, first), unit);
	return checked_div_ceil(free, checked_sub(checked_mul(2, d), unit));
}

/* by_amounts: in each part of an SM amounts decide. */
static int64_t least_by_registers(
	const struct platform *platform, const struct resident *of, const struct company *company, int64_t by_warps, bool by_amounts)
{
	int64_t part = registers_of_part(platform), unit = OF(platform, REGISTER_UNIT);
	int64_t k = checked_div_ceil(of->warps, OF(platform, SM_SUBPARTITIONS));
	if (of->warp_registers == 0)
		return OF(platform, SM_BLOCKS);
	int64_t ordered = checked_div_floor(checked_div_floor(part, of->warp_registers), k);
	if (!company->same_shape && ordered < by_warps && !by_amounts)
		return 1;
	if (company->same_registers || by_amounts)
		return ordered;
	int64_t warps = with_holes(checked_round_down(part, unit), checked_mul(k, of->warp_registers), of->warp_registers, unit);
	return checked_min(ordered, checked_div_ceil(warps, k));
}

static int64_t least_when(
	const struct platform *platform, const struct resident *of, const struct company *company, bool by_amounts, int *binding)
{
	bool fungible = platform_grants(platform, ASSUMPTION_FRAG);
	int64_t limit[LIMIT_COUNT], sure = sure_shared(platform, of, company), parts = OF(platform, SM_SUBPARTITIONS);
	int64_t shared = fungible || of->shared == 0 ? by_shared(platform, of, sure)
						     : with_holes(sure, of->shared, of->shared, OF(platform, SHARED_UNIT));
	for (int i = 0; i < LIMIT_COUNT; i++)
		limit[i] = of->limit[i];
	limit[LIMIT_SHARED] = checked_min(limit[LIMIT_SHARED], shared);
	if (!fungible) {
		limit[LIMIT_WARPS] =
			checked_div_floor(checked_div_floor(OF(platform, SM_WARPS), parts), checked_div_ceil(of->warps, parts));
		limit[LIMIT_REGISTERS] = least_by_registers(platform, of, company, limit[LIMIT_WARPS], by_amounts);
	}
	return checked_max(1, checked_min(of->whole, least_of(limit, binding)));
}

static void find_least(const struct platform *platform, struct resident *of, const struct company *company)
{
	bool fungible = platform_grants(platform, ASSUMPTION_FRAG);
	bool by_amounts = !fungible && platform_grants(platform, ASSUMPTION_FRAG_REGISTERS);
	int64_t limit[LIMIT_COUNT];
	int binding;
	of->least = of->whole;
	of->least_binding = of->binding;
	if (checked_is_none(of->whole) || of->whole == 0)
		return;
	of->least = least_when(platform, of, company, by_amounts, &of->least_binding);
	of->rests_on_parts = by_amounts && of->least != least_when(platform, of, company, false, &binding);
	if (!fungible)
		return;
	for (int i = 0; i < LIMIT_COUNT; i++)
		limit[i] = i == LIMIT_REGISTERS ? by_all_registers(platform, of) : of->limit[i];
	of->whole = least_of(limit, &binding);
	of->greatest = at_once(
		platform, of, checked_div_floor(checked_mul(register_units(platform), OF(platform, REGISTER_UNIT)), of->warp_registers));
}

/* ---- who may be with whom */

bool resident_contexts_meet(const struct check *check)
{
	return check->set->merged_context || !platform_grants(check->platform, ASSUMPTION_EXCL);
}

/* The one lock under which all of it is, or NO_ID; holds are numbered as operations are. */
static int lock_of(const struct check *check, struct listed operations)
{
	int lock = NO_ID;
	for (int k = 0; k < operations.count; k++) {
		int hold = check->set->operations[operations.items[k]].hold, own = hold > 0 ? check->set->holds[hold - 1].lock : NO_ID;
		if (own == NO_ID || (k > 0 && own != lock))
			return NO_ID;
		lock = own;
	}
	return lock;
}

bool resident_apart(const struct check *check, int a, int b)
{
	const struct operation *operations = check->set->operations;
	if (!check->set->locked)
		return false;
	struct listed one = lists_of(&check->of_stream, a), other = lists_of(&check->of_stream, b);
	if (one.count == 0 || other.count == 0)
		return true;
	int lock = lock_of(check, one);
	bool apart = lock != NO_ID && lock == lock_of(check, other);
	for (int i = 0, k = 0; i < one.count && k < other.count && apart;) {
		int first = operations[one.items[i]].hold, second = operations[other.items[k]].hold;
		apart = first != second;
		i += first < second;
		k += second < first;
	}
	return apart;
}

bool resident_meet(const struct check *check, int a, int b)
{
	const struct stream *first = &check->set->streams[a], *second = &check->set->streams[b];
	bool apart = first->application == second->application && first->kind != second->kind &&
		     (first->kind == STREAM_NULL || second->kind == STREAM_NULL) &&
		     (first->kind == STREAM_BLOCKING || second->kind == STREAM_BLOCKING);
	return a != b && !resident_apart(check, a, b) && !apart &&
	       (taskset_context_of(check->set, a) == taskset_context_of(check->set, b) || resident_contexts_meet(check));
}

static bool has_common_sms(const struct check *check, int a, int b)
{
	int first = check->set->streams[a].partition, second = check->set->streams[b].partition;
	return first == 0 || second == 0 || first == second;
}

bool resident_mix(const struct check *check, int a, int b)
{
	return resident_meet(check, a, b) && has_common_sms(check, a, b);
}

/* The most warps that one operation of a stream has on one SM; -1: none has any. */
static int64_t warps_of_stream(const struct check *check, const struct resident *all, int stream)
{
	struct listed list = lists_of(&check->of_stream, stream);
	int64_t most = -1;
	for (int k = 0; k < list.count; k++) {
		int i = list.items[k];
		const struct operation *operation = &check->set->operations[i];
		if (!all[i].on_sms)
			continue;
		int64_t blocks = all[i].is_kernel ? checked_min(all[i].greatest, operation->kernel.blocks) : NONE;
		most = checked_max(most, checked_mul(blocks, all[i].warps));
	}
	return most;
}

/* [stream]: sum over the streams that it meets, or meets on one SM; -1: none has blocks. */
static int64_t *survey_streams(struct check *check, const struct resident *all, bool on_one_sm)
{
	int64_t *warps = arena_allocate(check->arena, (size_t)check->set->stream_count + 1, sizeof *warps);
	for (int s = 0; s < check->set->stream_count; s++)
		warps[s] = warps_of_stream(check, all, s);
	return meeting_sums(check, warps, on_one_sm);
}

/* What is on the SMs of one engine: of one context, or of all where contexts may meet. */
struct crowd {
	const struct resident *first; /* NULL: nothing */
	struct company company;
};

static void join(struct crowd *crowd, const struct resident *of)
{
	struct company *company = &crowd->company;
	if (crowd->first == NULL)
		*crowd = (struct crowd){of, {true, true, NONE}};
	company->same_registers = company->same_registers && of->is_kernel && of->warp_registers == crowd->first->warp_registers;
	company->same_shape = company->same_shape && company->same_registers && of->warps == crowd->first->warps;
	company->configured = checked_min(company->configured, of->is_kernel ? of->configured : 0);
}

static int engine_of(const struct check *check, int stream)
{
	return resident_contexts_meet(check) ? 0 : taskset_context_of(check->set, stream);
}

/* [stream]: of all that may be on its SMs, of its own context or of any that it meets. */
static struct crowd *gather_crowds(struct check *check, const struct resident *all)
{
	const struct taskset *set = check->set;
	struct crowd *crowds = arena_allocate(check->arena, (size_t)set->stream_count + 1, sizeof *crowds);
	size_t kinds = (size_t)set->application_count * (size_t)(set->partition_count + 1) + 1;
	int *first = arena_allocate(check->arena, kinds, sizeof *first); /* 1 + the stream that has found it */
	for (int s = 0; s < set->stream_count; s++) {
		int *found = &first[engine_of(check, s) * (set->partition_count + 1) + set->streams[s].partition];
		if (*found > 0) {
			crowds[s] = crowds[*found - 1];
			continue;
		}
		*found = 1 + s;
		for (int i = 0; i < set->operation_count; i++)
			if (all[i].on_sms && engine_of(check, set->operations[i].stream) == engine_of(check, s) &&
				has_common_sms(check, s, set->operations[i].stream))
				join(&crowds[s], &all[i]);
	}
	return crowds;
}

/* ---- how near others may be */

/* May an SM be one on which kernels of the stream have blocks? */
static bool may_use(const struct check *check, int stream, int64_t sm)
{
	int partition = check->set->streams[stream].partition;
	const uint64_t *members = partition > 0 ? check->set->partitions[partition - 1].members : NULL;
	return members == NULL || (members[sm >> 6] & (UINT64_C(1) << (sm & 63))) != 0;
}

/* [SM]: may others than the stream have blocks on it that run while its own do? `own`: those of its own SMs instead. */
static bool *sms_near(struct check *check, const struct resident *all, int stream, int64_t count, bool own)
{
	bool *near = arena_allocate(check->arena, (size_t)count + 1, sizeof *near);
	for (int s = 0; s < check->set->stream_count; s++) {
		if (own ? s != stream : !resident_meet(check, stream, s) || warps_of_stream(check, all, s) < 0)
			continue;
		for (int64_t sm = 0; sm < count; sm++)
			near[sm] = near[sm] || may_use(check, s, sm);
	}
	return near;
}

/* Is there a pair of SMs in one TPC, in one GPC, in two GPCs, one of each kind? Where the map is unknown, all may be. */
static void find_rings(const struct platform *platform, const bool *mine, const bool *theirs, bool possible[RING_COUNT])
{
	int64_t count = OF(platform, SM_COUNT);
	bool known = platform->sms != NULL && platform->map_source != NULL && !checked_is_none(count);
	possible[RING_SM] = true;
	possible[RING_TPC] = possible[RING_GPC] = possible[RING_OUT] = !known && count != 1;
	for (int64_t i = 0; known && i < count * count; i++) {
		const struct sm_position *a = &platform->sms[i / count], *b = &platform->sms[i % count];
		if (i / count == i % count || !mine[i / count] || !theirs[i % count])
			continue;
		possible[RING_TPC] |= a->tpc == NO_ID || b->tpc == NO_ID || a->tpc == b->tpc;
		possible[RING_GPC] |= a->gpc == NO_ID || b->gpc == NO_ID || a->gpc == b->gpc;
		possible[RING_OUT] |= a->gpc == NO_ID || b->gpc == NO_ID || a->gpc != b->gpc;
	}
}

struct nearness { /* of a stream */
	bool own[RING_COUNT], foreign[RING_COUNT];
	int64_t sms; /* most others with foreign blocks */
};

/* Each partition that meets it counts with all its SMs, its own without the one that a block is on. */
static int64_t count_sms(struct check *check, const struct resident *all, int stream)
{
	const struct taskset *set = check->set;
	int64_t chip = checked_sub(OF(check->platform, SM_COUNT), 1), sum = 0;
	bool *counted = arena_allocate(check->arena, (size_t)set->partition_count + 1, sizeof *counted);
	int own = set->streams[stream].partition;
	for (int s = 0; s < set->stream_count; s++) {
		int partition = set->streams[s].partition;
		if (!resident_meet(check, stream, s) || warps_of_stream(check, all, s) < 0 || counted[partition])
			continue;
		if (own == 0 || partition == 0)
			return chip;
		counted[partition] = true;
		sum = checked_add(sum, checked_sub(set->partitions[partition - 1].size, partition == own));
	}
	return checked_min(sum, chip);
}

/* [stream]. Without partitions all are alike. */
static struct nearness *find_nearness(struct check *check, const struct resident *all)
{
	const struct taskset *set = check->set;
	struct nearness *nearness = arena_allocate(check->arena, (size_t)set->stream_count + 1, sizeof *nearness);
	int64_t count = OF(check->platform, SM_COUNT), places = check->platform->sms != NULL && !checked_is_none(count) ? count : 0;
	for (int s = 0; s < set->stream_count; s++) {
		if (s > 0 && set->partition_count == 0) {
			nearness[s] = nearness[0];
			continue;
		}
		const bool *mine = sms_near(check, all, s, places, true);
		const bool *theirs = set->partition_count == 0 ? mine : sms_near(check, all, s, places, false);
		find_rings(check->platform, mine, mine, nearness[s].own);
		find_rings(check->platform, mine, theirs, nearness[s].foreign);
		nearness[s].sms = set->partition_count == 0 ? checked_sub(count, 1) : count_sms(check, all, s);
	}
	return nearness;
}

/* foreign, met: [stream]: as survey_streams has them, on one SM and anywhere. */
static void find_company(struct check *check, struct resident *all, int index, const int64_t *foreign, const int64_t *met,
	const struct crowd *crowds, const struct nearness *nearness)
{
	const struct operation *operation = &check->set->operations[index];
	const struct nearness *near = &nearness[operation->stream];
	struct resident *of = &all[index];
	int64_t sms = sms_of_stream(check, operation->stream);
	bool siblings = operation->kernel.blocks != 1, others = met[operation->stream] >= 0;
	of->mixes = foreign[operation->stream] >= 0;
	struct company company = {true, true, of->configured};
	if (of->mixes) /* it is in the crowd itself */
		company = crowds[operation->stream].company;
	find_least(check->platform, of, &company);
	of->slots_greatest = checked_mul(sms, of->greatest);
	of->slots_least = checked_mul(sms, of->least);
	of->foreign_sms = near->sms;
	for (int ring = 0; ring < RING_COUNT; ring++) {
		of->foreign[ring] = ring == RING_SM ? of->mixes : others && near->foreign[ring];
		of->beside[ring] = of->foreign[ring] || (siblings && near->own[ring] && (ring != RING_SM || of->greatest > 1));
	}
}

/* Of WCETs by blocks on an SM the greatest counts: with more blocks on it nothing is known. Programs give as many as there can be. */
static void hold_curve(struct check *check, const struct operation *operation, const struct resident *of)
{
	int64_t most = checked_min(of->greatest, operation->kernel.blocks);
	if (operation->kernel.curve == NULL || operation->program != NULL || checked_is_none(most) || operation->kernel.curve_count >= most)
		return;
	check_differs(check, check->root, operation->id,
		arena_format(check->arena, "no bound, as an SM may hold %lld of its blocks", (long long)most),
		arena_format(check->arena, "WCETs for up to %d", operation->kernel.curve_count));
}

struct resident *resident_derive(struct check *check)
{
	const struct taskset *set = check->set;
	struct resident *all = arena_allocate(check->arena, (size_t)set->operation_count + 1, sizeof *all);
	for (int i = 0; i < set->operation_count; i++) {
		all[i].on_sms = puts_blocks(check->platform, &set->operations[i]);
		all[i].is_kernel = set->operations[i].kind == OPERATION_KERNEL;
		if (all[i].is_kernel)
			size(check->platform, &set->operations[i], &all[i]);
		else
			all[i].warps = NONE;
	}
	int64_t *foreign = survey_streams(check, all, true);
	const int64_t *met = survey_streams(check, all, false);
	struct crowd *crowds = gather_crowds(check, all);
	const struct nearness *nearness = find_nearness(check, all);
	for (int i = 0; i < set->operation_count; i++)
		if (all[i].is_kernel)
			find_company(check, all, i, foreign, met, crowds, nearness);
	foreign = survey_streams(check, all, true); /* amounts may decide by now how many blocks of each there are */
	for (int i = 0; i < set->operation_count; i++)
		if (all[i].is_kernel && all[i].mixes)
			all[i].foreign_warps = checked_min(
				checked_sub(OF(check->platform, SM_WARPS), all[i].remaining), foreign[set->operations[i].stream]);
	for (int i = 0; i < set->operation_count; i++)
		if (all[i].is_kernel)
			hold_curve(check, &set->operations[i], &all[i]);
	return all;
}
