/* The report's list of kernels against what was derived. */
#include "verify/resident.h"

#include <inttypes.h>

static const char *const limit_names[LIMIT_COUNT] = {"warps", "blocks", "registers", "shared"};

/* What `blocks` blocks take of a resource, of what an SM has. */
static struct rational used_of(const struct platform *platform, const struct resident *of, int limit)
{
	const int64_t block[LIMIT_COUNT] = {of->warps, 1, checked_mul(of->warps, of->warp_registers), of->shared};
	static const enum parameter all[LIMIT_COUNT] = {
		PARAMETER_SM_WARPS, PARAMETER_SM_BLOCKS, PARAMETER_SM_REGISTERS, PARAMETER_SM_SHARED};
	return rational_div(rational_of(checked_mul(of->whole, block[limit])), rational_of(platform_value(platform, all[limit])));
}

/* Percent with one decimal, to the nearest. */
static const char *percent_of(struct check *check, struct rational used)
{
	int64_t tenths = rational_floor(rational_add(rational_mul(used, rational_of(1000)), rational_make(1, 2)));
	return checked_is_none(tenths) ? NULL : arena_format(check->arena, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
}

static void compare_resources(struct check *check, const struct xml_element *element, const char *where, const struct resident *of)
{
	const struct xml_element *resource = check_next(element->first, "resource");
	for (int i = 0; i < LIMIT_COUNT; i++) {
		if (resource == NULL) {
			check_differs(check, element, where, limit_names[i], "nothing");
			return;
		}
		struct rational used = used_of(check->platform, of, i);
		check_text(check, resource, where, "name", limit_names[i]);
		check_integer(check, resource, where, "limit", of->limit[i]);
		check_rational(check, resource, where, "used", used);
		check_text(check, resource, where, "percent", percent_of(check, used));
		resource = check_next(resource->next, "resource");
	}
	if (resource != NULL)
		check_differs(check, resource, where, "four resources", "more");
}

static void compare_occupancy(struct check *check, const struct xml_element *element, const char *where, const struct resident *of)
{
	check_integer(check, element, where, "greatest", of->greatest);
	check_integer(check, element, where, "whole", of->whole);
	check_text(check, element, where, "binding", checked_is_none(of->greatest) ? NULL : limit_names[of->binding]);
	check_integer(check, element, where, "least", of->least);
	check_text(check, element, where, "least-binding", checked_is_none(of->least) ? NULL : limit_names[of->least_binding]);
	check_integer(check, element, where, "warps", of->warps);
	check_integer(check, element, where, "warp-registers", of->warp_registers);
	check_integer(check, element, where, "shared", of->shared);
	check_integer(check, element, where, "configuration", of->configured > 0 ? of->configured : NONE);
	compare_resources(check, element, where, of);
}

static void compare_kernel(
	struct check *check, const struct xml_element *element, const struct operation *operation, const struct resident *of)
{
	static const char *const beside[] = {"beside-sm", "beside-tpc", "beside-gpc", "beside-out"};
	static const char *const foreign[] = {"foreign-sm", "foreign-tpc", "foreign-gpc", "foreign-out"};
	const char *where = arena_format(check->arena, "kernel %s", operation->id);
	const struct xml_element *occupancy = element_child(element, "occupancy");
	check_text(check, element, where, "operation", operation->id);
	check_text(check, element, where, "scope", scope_names[operation->kernel.scope]);
	check_integer(check, element, where, "blocks", operation->kernel.blocks);
	check_integer(check, element, where, "threads", operation->kernel.threads);
	check_integer(check, element, where, "slots-greatest", of->slots_greatest);
	check_integer(check, element, where, "slots-least", of->slots_least);
	check_integer(check, element, where, "foreign-warps", of->foreign_warps);
	check_flag(check, element, where, "mixes", of->mixes);
	for (int ring = 0; ring < RING_COUNT; ring++) {
		check_flag(check, element, where, beside[ring], of->beside[ring]);
		check_flag(check, element, where, foreign[ring], of->foreign[ring]);
	}
	if ((occupancy != NULL) != of->sized)
		check_differs(check, element, where, of->sized ? "an occupancy" : "none", of->sized ? "none" : "an occupancy");
	else if (occupancy != NULL)
		compare_occupancy(check, occupancy, where, of);
}

void resident_compare(struct check *check, const struct resident *residents)
{
	const struct taskset *set = check->set;
	const struct xml_element *kernels = element_child(check->root, "kernels"), *element = kernels->first;
	for (int i = 0; i < set->operation_count; i++) {
		if (!residents[i].is_kernel)
			continue;
		if (element == NULL) {
			check_differs(check, kernels, "kernels", set->operations[i].id, "nothing");
			return;
		}
		compare_kernel(check, element, &set->operations[i], &residents[i]);
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "kernels", "no further kernel", element_get(element, "operation"));
}
