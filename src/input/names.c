/* Identifiers by open addressing with linear probing. */
#include "input/names.h"

#include "base/suggest.h"

#include <stdint.h>
#include <string.h>

struct name_entry {
	const char *name; /* NULL: free */
	int number;
};

void names_init(struct names *names, struct arena *arena)
{
	*names = (struct names){.arena = arena};
}

/* The FNV-1a hash, http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint32_t hash(const char *name)
{
	uint32_t value = 2166136261u;
	for (; *name != '\0'; name++)
		value = (value ^ (unsigned char)*name) * 16777619u;
	return value;
}

/* The entry of the name, or the free one where it belongs. */
static struct name_entry *find(const struct names *names, const char *name)
{
	uint32_t mask = (uint32_t)names->capacity - 1, at = hash(name) & mask;
	while (names->entries[at].name != NULL && strcmp(names->entries[at].name, name) != 0)
		at = (at + 1) & mask;
	return &names->entries[at];
}

static void grow(struct names *names)
{
	struct names larger = {.arena = names->arena, .capacity = names->capacity == 0 ? 64 : 2 * names->capacity, .count = names->count};
	larger.entries = arena_allocate(names->arena, (size_t)larger.capacity, sizeof *larger.entries);
	for (int i = 0; i < names->capacity; i++)
		if (names->entries[i].name != NULL)
			*find(&larger, names->entries[i].name) = names->entries[i];
	*names = larger;
}

bool names_add(struct names *names, const char *name, int number)
{
	if (2 * (names->count + 1) > names->capacity)
		grow(names);
	struct name_entry *entry = find(names, name);
	if (entry->name != NULL)
		return false;
	*entry = (struct name_entry){name, number};
	names->count++;
	return true;
}

int names_find(const struct names *names, const char *name)
{
	if (names->capacity == 0)
		return -1;
	const struct name_entry *entry = find(names, name);
	return entry->name != NULL ? entry->number : -1;
}

#define MOST_COMPARED 1000

const char *names_nearest(const struct names *names, const char *name)
{
	struct suggestion suggestion = suggest_for(name);
	if (names->count > MOST_COMPARED)
		return NULL;
	for (int i = 0; i < names->capacity; i++)
		if (names->entries[i].name != NULL)
			suggest_offer(&suggestion, names->entries[i].name);
	return suggestion.nearest;
}
