#include "response/terms.h"

#include "base/checked.h"

const struct term_row term_rows[TERM_COUNT] = {
#define TERM(symbol, whose, text, claim) {TERM_ROLE_TERM, WHOSE_##whose, text, claim},
#define SPLIT(symbol, whose, text, claim) {TERM_ROLE_SPLIT, WHOSE_##whose, text, claim},
#define SHARE(symbol, whose, text) {TERM_ROLE_SHARE, WHOSE_##whose, text, NULL},
#define NOTE(symbol, whose, text) {TERM_ROLE_NOTE, WHOSE_##whose, text, NULL},
#define LIST(symbol, whose, title, sum) {TERM_ROLE_LIST, WHOSE_##whose, title, sum},
#define PART(symbol, whose, title, sum) {TERM_ROLE_PART, WHOSE_##whose, title, sum},
#include "response/terms.def"
#undef TERM
#undef SPLIT
#undef SHARE
#undef NOTE
#undef LIST
#undef PART
};

bool term_adds(const struct term *term)
{
	enum term_role role = term_rows[term->kind].role;
	return role == TERM_ROLE_TERM || role == TERM_ROLE_SPLIT;
}

void terms_add(struct terms *terms, struct term term)
{
	bool adds = term_adds(&term);
	if (adds && term.amount == 0)
		return;
	terms->items = arena_grow(terms->arena, terms->items, &terms->capacity, terms->count + 1, sizeof *terms->items);
	terms->items[terms->count++] = term;
	if (adds)
		terms->sum = checked_add(terms->sum, term.amount);
}

int64_t terms_add_each(struct terms *terms, struct term term, enum term_kind kind, int64_t each)
{
	term.kind = kind;
	term.each = each;
	term.amount = checked_mul(term.count, each);
	terms_add(terms, term);
	return term.amount;
}

static void share_parts(const struct term *term, void (*share)(void *data, const struct term *of, int64_t value), void *data)
{
	const struct terms *parts = term->parts;
	int64_t left = term->amount;
	for (int i = 0; i < parts->count; i++) {
		bool last_one = i + 1 == parts->count;
		int64_t value = last_one ? left : checked_mul_div_floor(term->amount, parts->items[i].amount, parts->sum);
		share(data, &parts->items[i], value);
		left -= value;
	}
}

void terms_share(const struct terms *terms, void (*share)(void *data, const struct term *of, int64_t value), void *data)
{
	for (int i = 0; i < terms->count; i++) {
		const struct term *term = &terms->items[i];
		if (!term_adds(term))
			continue;
		if (term->parts != NULL)
			share_parts(term, share, data);
		else
			share(data, term, term->amount);
	}
}

struct terms *terms_list(struct terms *terms, struct term heading)
{
	if (terms == NULL)
		return NULL;
	heading.list = arena_allocate(terms->arena, 1, sizeof *heading.list);
	heading.list->arena = terms->arena;
	terms_add(terms, heading);
	return heading.list;
}
