#include "model/sm_set.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static size_t words(const struct sm_set *set)
{
	return ((size_t)set->chip + 63) / 64;
}

struct sm_set sm_set_of(struct arena *arena, const struct platform *platform, const int *sms, int count)
{
	struct sm_set set = {.chip = platform_value(platform, PARAMETER_SM_COUNT)};
	uint64_t *members = arena_allocate(arena, words(&set), sizeof *members);
	for (int i = 0; i < count; i++) {
		uint64_t bit = UINT64_C(1) << (sms[i] % 64), *word = &members[sms[i] / 64];
		set.size += (*word & bit) == 0;
		*word |= bit;
	}
	set.members = set.size == set.chip ? NULL : members;
	return set;
}

bool sm_set_is_disjoint(const struct sm_set *a, const struct sm_set *b)
{
	if (a->partition > 0 && b->partition > 0)
		return a->partition != b->partition;
	if (a->members == NULL || b->members == NULL)
		return a->size == 0 || b->size == 0;
	for (size_t i = 0; i < words(a); i++)
		if ((a->members[i] & b->members[i]) != 0)
			return false;
	return true;
}

bool sm_set_is_equal(const struct sm_set *a, const struct sm_set *b)
{
	if (a->partition > 0 || b->partition > 0)
		return a->partition == b->partition;
	if (a->members == NULL || b->members == NULL)
		return a->members == b->members && a->chip == b->chip;
	return a->chip == b->chip && memcmp(a->members, b->members, words(a) * sizeof *a->members) == 0;
}

static bool runs_on_sms(const struct platform *platform, const struct operation *operation)
{
	bool transfer = operation->kind == OPERATION_COPY || operation->kind == OPERATION_MEMSET;
	enum direction direction = operation->kind == OPERATION_MEMSET ? DIRECTION_MEMSET : operation->copy.direction;
	return operation->kind == OPERATION_KERNEL || operation->kind == OPERATION_FRAGMENT ||
	       (transfer && platform->engine_of[direction] < 0);
}

int64_t sm_set_size_of_task(const struct platform *platform, const struct taskset *set, const struct task *task)
{
	int64_t sum = 0;
	for (int p = 0; p <= set->partition_count; p++) {
		bool used = false;
		for (int i = 0; i < task->operation_count; i++) {
			const struct operation *operation = task_operation(set, task, i);
			used |= operation->stream != NO_ID && runs_on_sms(platform, operation) &&
				set->streams[operation->stream].partition == p;
		}
		if (used && p == 0)
			return platform_value(platform, PARAMETER_SM_COUNT);
		sum = used ? checked_add(sum, set->partitions[p - 1].size) : sum;
	}
	return sum;
}

/* A number of few digits. */
static bool read_id(const char **text, int64_t *id)
{
	char *end;
	if (!isdigit((unsigned char)**text))
		return false;
	*id = strtol(*text, &end, 10);
	*text = end;
	return true;
}

bool sm_range_next(const char **text, int64_t *first, int64_t *last)
{
	const char *at = *text + strspn(*text, " ");
	bool range = read_id(&at, first);
	*last = *first;
	if (range && *at == '-') {
		at++;
		range = read_id(&at, last);
	}
	if (!range || (*at != ' ' && *at != '\0'))
		return false;
	*text = at;
	return true;
}
