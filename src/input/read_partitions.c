/* SMs that are reserved, by their ids or by their number. */
#include "input/reader.h"
#include "model/draft.h"
#include "model/sm_set.h"

#include <string.h>

#define SM_LIMIT (64 * PARTITION_WORDS)

static void take(struct reader *reader, const struct xml_element *element, int64_t sm, uint64_t *members, int64_t *size)
{
	uint64_t bit = UINT64_C(1) << (sm % 64), *word = &members[sm / 64];
	if ((*word & bit) != 0)
		COMPLAIN(reader, element, PARTITION_SMS, "expected each SM once; got %lld again", (long long)sm);
	else
		(*size)++;
	*word |= bit;
}

/* "0-13 16-29 33", as the schema has held it: the ids are not negative. */
static uint64_t *read_members(struct reader *reader, const struct xml_element *element, const char *text, int64_t *size)
{
	uint64_t *members = arena_allocate(reader->arena, PARTITION_WORDS, sizeof *members);
	int64_t first, last;
	*size = 0;
	for (const char *before = text; sm_range_next(&text, &first, &last); before = text + strspn(text, " ")) {
		if (first > last || last >= SM_LIMIT)
			COMPLAIN(reader, element, PARTITION_SMS, "expected SM ids, or ranges that ascend, below %d; got \"%.*s\"", SM_LIMIT,
				(int)(text - before), before);
		for (int64_t sm = first; sm <= last && last < SM_LIMIT; sm++)
			take(reader, element, sm, members, size);
	}
	return members;
}

static void read_partition(struct reader *reader, const struct xml_element *element, struct partition *partition)
{
	const char *sms = element_get(element, "sms"), *percentage = element_get(element, "percentage");
	read_attributes(reader, element, ELEMENT_partition, partition);
	partition->line = element->line;
	if (percentage != NULL)
		COMPLAIN(reader, element, PARTITION_PERCENTAGE,
			"expected sms or size of partition '%s'; got percentage=\"%s\", which caps the SMs of a client and reserves none",
			partition->id, percentage);
	else if ((sms != NULL) == (element_get(element, "size") != NULL))
		COMPLAIN(reader, element, PARTITION_SMS, "expected either sms or size of partition '%s'; got %s", partition->id,
			sms != NULL ? "both" : "neither");
	else if (sms != NULL)
		partition->members = read_members(reader, element, sms, &partition->size);
}

void read_partitions(struct reader *reader, const struct xml_element *root, struct names *names, struct taskset *set)
{
	set->partitions = arena_allocate(reader->arena, (size_t)element_count(root, "partition"), sizeof *set->partitions);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "partition"))
			continue;
		read_identifier(reader, element, names, set->partition_count, "partition");
		read_partition(reader, element, &DRAFT(set->partitions)[set->partition_count++]);
	}
}
