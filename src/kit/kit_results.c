/* What cases and tests say of each requirement, as XML for programs. */
#include "kit/kit.h"
#include "report/build_environment.h"
#include "write/xml_write.h"

static const char *const verdict_words[] = {[TEST_PASSED] = "passed", [TEST_SKIPPED] = "skipped", [TEST_FAILED] = "failed"};

static void add_environment(struct xml *xml, const struct kit *kit)
{
	xml_begin(xml, "environment");
	for (const struct build_environment_fact *fact = build_environment_facts(kit->arena); fact->name != NULL; fact++)
		xml_attribute(xml, fact->name, fact->value);
	xml_end(xml);
}

static void add_requirement(struct xml *xml, const struct kit *kit, const struct kit_requirement *requirement)
{
	xml_begin(xml, "requirement");
	xml_attribute(xml, "number", requirement->number);
	xml_attribute(xml, "use-cases", requirement->uses);
	xml_attribute(xml, "page", requirement->page);
	xml_element(xml, "statement", requirement->statement);
	for (int i = 0; i < kit_case_count; i++) {
		if (!kit_has_word(kit_cases[i].requirements, requirement->number))
			continue;
		xml_begin(xml, "shown-by");
		xml_attribute(xml, "case", kit_cases[i].number);
		xml_attribute(xml, "outcome", kit->outcomes[i].passed ? "passed" : "failed");
		xml_end(xml);
	}
	for (int i = 0; i < kit->test_count; i++) {
		if (!kit_is_test_of(requirement, &kit->tests[i]))
			continue;
		xml_begin(xml, "shown-by");
		xml_attribute(xml, "test", kit->tests[i].name);
		xml_attribute(xml, "outcome", verdict_words[kit->tests[i].verdict]);
		xml_end(xml);
	}
	xml_end(xml);
}

static void add_case(struct xml *xml, const struct kit_case *row, const struct kit_outcome *outcome)
{
	xml_begin(xml, "case");
	xml_attribute(xml, "number", row->number);
	xml_attribute(xml, "command", row->command);
	xml_integer(xml, "expected-status", row->status);
	xml_attribute(xml, "expected-output", row->check == CHECK_EQUALS ? row->expected : NULL);
	xml_integer(xml, "status", outcome->status);
	xml_attribute(xml, "outcome", outcome->passed ? "passed" : "failed");
	xml_attribute(xml, "output-sha256", outcome->output);
	xml_attribute(xml, "difference", outcome->passed ? NULL : outcome->difference);
	xml_end(xml);
}

void kit_results_xml(struct output *output, const struct kit *kit)
{
	struct xml xml;
	xml_start(&xml, output);
	xml_begin(&xml, "verification");
	xml_attribute(&xml, "xmlns", "urn:gpubound:verification:1");
	add_environment(&xml, kit);
	for (int i = 0; i < kit->log_count; i++) {
		xml_begin(&xml, "results");
		xml_attribute(&xml, "file", kit->logs[i].name);
		xml_attribute(&xml, "sha256", kit->logs[i].hash);
		xml_end(&xml);
	}
	for (int i = 0; i < kit_case_count; i++)
		add_case(&xml, &kit_cases[i], &kit->outcomes[i]);
	for (int i = 0; i < kit_requirement_count; i++)
		add_requirement(&xml, kit, &kit_requirements[i]);
	xml_end(&xml);
	output_add(output, "\n");
}
