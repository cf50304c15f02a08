/* Gives the kernels of a trace the registers and the shared memory that a profiler read of launches of the same kernels. */
#include "import/kernel_names.h"
#include "import/plan.h"
#include "import/values.h"

#include <inttypes.h>
#include <string.h>

#define COMPARISONS INT64_C(1000000000) /* of names: seconds */

static bool same_shape(const struct import_item *a, const struct import_item *b)
{
	return memcmp(a->grid, b->grid, sizeof a->grid) == 0 && memcmp(a->block, b->block, sizeof a->block) == 0;
}

static bool same_name(const struct import_item *item, const char *base, const struct import_item *figure, const char *figure_base)
{
	return strcmp(item->name, figure->name) == 0 || (item->symbol != NULL && strcmp(item->symbol, figure->name) == 0) ||
	       strcmp(base, figure_base) == 0;
}

static bool same_figures(const struct import_item *a, const struct import_item *b)
{
	return a->registers == b->registers && a->shared_static == b->shared_static && a->shared_dynamic == b->shared_dynamic &&
	       a->cluster == b->cluster;
}

/* The launch of the profiler's with the item's name, grid and block; NULL where there is none, or they do not agree. */
static const struct import_item *find(struct import_build *build, const struct import_item *item, const char *const *bases)
{
	const struct import_item *found = NULL;
	const char *base = name_base(build->arena, item->name);
	for (int i = 0; i < build->figure_count; i++) {
		const struct import_item *figure = build->figures[i];
		if (!same_shape(item, figure) || !same_name(item, base, figure, bases[i]))
			continue;
		if (found != NULL && !same_figures(found, figure)) {
			diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_NAME, figure->file, 0,
				"kernel '%s' may be the launch of row %s or of row %s, whose figures differ: neither is taken",
				value_shorten(build->arena, item->name, VALUE_SHORT), found->row, figure->row);
			return NULL;
		}
		found = figure;
	}
	return found;
}

static bool agree(int64_t traced, int64_t profiled)
{
	return traced == NONE || profiled == NONE || traced == profiled;
}

static int64_t known(int64_t traced, int64_t profiled)
{
	return traced != NONE ? traced : profiled;
}

static void merge(struct import_build *build, struct import_item *item, const struct import_item *figure)
{
	import_split_shared(item, figure->shared_static);
	if (!agree(item->registers, figure->registers) || !agree(item->shared_static, figure->shared_static) ||
		!agree(item->shared_dynamic, figure->shared_dynamic) || !agree(item->cluster, figure->cluster)) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_CONTRADICTION, figure->file, 0,
			"kernel '%s' of row %s was profiled with other registers, shared memory or clusters than it was traced with: is it "
			"the "
			"same build?",
			value_shorten(build->arena, item->name, VALUE_SHORT), figure->row);
		return;
	}
	if (item->registers == NONE || item->shared_static == NONE || item->shared_dynamic == NONE)
		item->figures = arena_format(build->arena, "%s:%s", figure->file, figure->row);
	item->registers = known(item->registers, figure->registers);
	item->shared_static = known(item->shared_static, figure->shared_static);
	item->shared_dynamic = known(item->shared_dynamic, figure->shared_dynamic);
	item->cluster = known(item->cluster, figure->cluster);
}

void import_plan_figures(struct import_build *build)
{
	if (build->figure_count == 0)
		return;
	if ((int64_t)build->item_count * build->figure_count > COMPARISONS) {
		diagnose(build->diagnostics, DIAGNOSTIC_IMPORT_LIMIT, NULL, 0,
			"expected fewer kernels: %d traced and %d profiled ones are too many to compare", build->item_count,
			build->figure_count);
		return;
	}
	const char **bases = arena_allocate(build->arena, (size_t)build->figure_count, sizeof *bases);
	for (int i = 0; i < build->figure_count; i++)
		bases[i] = name_base(build->arena, build->figures[i]->name);
	for (int i = 0; i < build->item_count; i++) {
		struct import_item *item = build->items[i];
		const struct import_item *figure = item->kind == OPERATION_KERNEL ? find(build, item, bases) : NULL;
		if (figure != NULL)
			merge(build, item, figure);
	}
}
