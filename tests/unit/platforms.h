/* Platforms for unit tests, built in C: the limits of a compute capability from [HW-OCCUPANCY] and nothing else. */
#ifndef TESTS_UNIT_PLATFORMS_H
#define TESTS_UNIT_PLATFORMS_H

#include "model/platform.h"
#include "model/taskset.h"

#include "base/assert.h"
#include "model/draft.h"
#include <stddef.h>

#define KIB 1024

struct capability {
	int cc;
	int64_t sms, warps, blocks, registers, block_registers, thread_registers, register_unit, parts;
	int64_t shared, block_shared_optin, shared_unit, reserved; /* bytes */
	int carveout_count;
	int64_t carveouts[10]; /* bytes */
};

static const struct capability capabilities[] = {
	{20, 14, 48, 8, 32768, 32768, 63, 64, 2, 48 * KIB, 48 * KIB, 128, 0, 2, {16 * KIB, 48 * KIB}},
	{35, 13, 64, 16, 65536, 65536, 255, 256, 4, 48 * KIB, 48 * KIB, 256, 0, 3, {16 * KIB, 32 * KIB, 48 * KIB}},
	{53, 2, 64, 32, 65536, 32768, 255, 256, 4, 64 * KIB, 48 * KIB, 256, 0, 0, {0}},
	{62, 2, 64, 32, 65536, 32768, 255, 256, 4, 64 * KIB, 48 * KIB, 256, 0, 0, {0}},
	{72, 8, 64, 32, 65536, 65536, 255, 256, 4, 96 * KIB, 96 * KIB, 256, 0, 6, {0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 96 * KIB}},
	{75, 44, 32, 16, 65536, 65536, 255, 256, 4, 64 * KIB, 64 * KIB, 256, 0, 2, {32 * KIB, 64 * KIB}},
	{87, 16, 48, 16, 65536, 65536, 255, 256, 4, 164 * KIB, 163 * KIB, 128, 1024, 8,
		{0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 100 * KIB, 132 * KIB, 164 * KIB}},
	{90, 132, 64, 32, 65536, 65536, 255, 256, 4, 228 * KIB, 227 * KIB, 128, 1024, 10,
		{0, 8 * KIB, 16 * KIB, 32 * KIB, 64 * KIB, 100 * KIB, 132 * KIB, 164 * KIB, 196 * KIB, 228 * KIB}},
};

static inline void set_parameter(struct platform *platform, enum parameter parameter, int64_t value)
{
	platform->parameters[parameter] = (struct quantity){.present = true, .value = value, .exact = rational_of(value), .source = "test"};
}

static inline void clear_parameter(struct platform *platform, enum parameter parameter)
{
	platform->parameters[parameter] = (struct quantity){.present = false};
}

static inline const struct capability *find_capability(int cc)
{
	for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++)
		if (capabilities[i].cc == cc)
			return &capabilities[i];
	return NULL;
}

/* 10 * major + minor, one of the table. Placement, order, map of SMs and interference are unknown; assumptions have their defaults. */
static inline struct platform make_platform(int cc)
{
	const struct capability *row = find_capability(cc);
	assert(row != NULL);
	struct platform platform = {.id = "test", .name = "test", .architecture = "test", .compute_capability = cc};
	for (int i = 0; i < DIRECTION_COUNT; i++)
		platform.engine_of[i] = ENGINE_NONE;
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		platform.assumptions[i].status = assumption_kinds[i].by_default;
	set_parameter(&platform, PARAMETER_SM_COUNT, row->sms);
	set_parameter(&platform, PARAMETER_SM_WARPS, row->warps);
	set_parameter(&platform, PARAMETER_SM_BLOCKS, row->blocks);
	set_parameter(&platform, PARAMETER_SM_SUBPARTITIONS, row->parts);
	set_parameter(&platform, PARAMETER_SM_REGISTERS, row->registers);
	set_parameter(&platform, PARAMETER_SM_SHARED, row->shared);
	set_parameter(&platform, PARAMETER_REGISTER_UNIT, row->register_unit);
	set_parameter(&platform, PARAMETER_SHARED_UNIT, row->shared_unit);
	set_parameter(&platform, PARAMETER_SHARED_RESERVED, row->reserved);
	set_parameter(&platform, PARAMETER_BLOCK_THREADS, 1024);
	set_parameter(&platform, PARAMETER_BLOCK_REGISTERS, row->block_registers);
	set_parameter(&platform, PARAMETER_BLOCK_SHARED, 48 * KIB);
	set_parameter(&platform, PARAMETER_BLOCK_SHARED_OPTIN, row->block_shared_optin);
	set_parameter(&platform, PARAMETER_THREAD_REGISTERS, row->thread_registers);
	platform.carveouts = (int64_t *)DRAFT(row->carveouts);
	platform.carveout_count = row->carveout_count;
	return platform;
}

/* A kernel of scope block with no preference. */
static inline struct kernel make_kernel(int64_t blocks, int64_t threads, int64_t registers, int64_t shared)
{
	return (struct kernel){.scope = SCOPE_BLOCK,
		.grid = {blocks, 1, 1},
		.blocks = blocks,
		.threads = threads,
		.registers = registers,
		.shared_dynamic = shared,
		.warps_stay = true,
		.carveout = NONE,
		.active_blocks = NONE,
		.footprint = NONE};
}

#endif
