/* What sequences took beside named tasks. */
#include "input/reader.h"
#include "model/draft.h"

static void read_companions(struct reader *reader, const struct xml_element *element, const struct known_names *names, struct taskset *set,
	struct measured_company *company)
{
	company->tasks = arena_allocate(reader->arena, (size_t)element_count(element, "beside"), sizeof *company->tasks);
	for (const struct xml_element *beside = element->first; beside != NULL; beside = beside->next) {
		struct companion *one = &DRAFT(company->tasks)[company->task_count];
		read_attributes(reader, beside, ELEMENT_beside, one);
		one->task = read_reference(reader, beside, "task", &names->tasks, "task");
		bool twice = false,
		     own = one->task != NO_ID && company->operation != NO_ID && set->operations[company->operation].stream != NO_ID &&
			   company->operation >= set->tasks[one->task].first_operation &&
			   company->operation < set->tasks[one->task].first_operation + set->tasks[one->task].operation_count;
		for (int i = 0; i < company->task_count; i++)
			twice |= company->tasks[i].task == one->task;
		if (one->task != NO_ID && (twice || own))
			COMPLAIN(reader, beside, COMPANY_TASK, "task '%s': expected other tasks than that of the sequence, each once",
				set->tasks[one->task].id);
		company->task_count++;
	}
}

void read_companies(struct reader *reader, const struct xml_element *root, const struct known_names *names, struct taskset *set)
{
	int of_all = read_reference(reader, root, "origin", &names->origins, "origin");
	set->companies = arena_allocate(reader->arena, (size_t)element_count(root, "company"), sizeof *set->companies);
	for (const struct xml_element *element = root->first; element != NULL; element = element->next) {
		if (!element_is(element, "company"))
			continue;
		struct measured_company *company = &DRAFT(set->companies)[set->company_count++];
		read_attributes(reader, element, ELEMENT_company, company);
		company->operation = read_reference(reader, element, "of", &names->operations, "operation");
		company->origin = element_get(element, "origin") == NULL
					  ? of_all
					  : read_reference(reader, element, "origin", &names->origins, "origin");
		company->line = element->line;
		if (company->operation != NO_ID && set->operations[company->operation].span.operations < 1)
			COMPLAIN(reader, element, COMPANY_OF, "expected the id of a sequence; got '%s'",
				set->operations[company->operation].id);
		read_companions(reader, element, names, set, company);
	}
}
