/* The XML report's account of what went in: program, command line, files, origins, declarations, assumptions. */
#include "base/hash.h"
#include "model/frame.h"
#include "model/program.h"
#include "report/build_environment.h"
#include "report/xml_parts.h"

#include <stdio.h>
#include <string.h>

void xml_add_environment(struct xml_report *x, struct arena *arena, const char *hash, const char *lines)
{
	xml_begin(&x->xml, "environment");
	for (const struct build_environment_fact *fact = build_environment_facts(arena); fact->name != NULL; fact++)
		xml_attribute(&x->xml, fact->name, fact->value);
	xml_attribute(&x->xml, "content-sha256", hash);
	xml_attribute(&x->xml, "line-crc32", lines);
	xml_end(&x->xml);
}

void xml_add_invocation(struct xml_report *x)
{
	xml_begin(&x->xml, "invocation");
	for (int i = 0; i < x->report->argument_count; i++)
		xml_element(&x->xml, "argument", x->report->arguments[i]);
	xml_end(&x->xml);
}

static void add_input(struct xml *xml, const char *role, const char *path, int64_t bytes, const char *hash)
{
	char schema[40];
	xml_begin(xml, "input");
	xml_attribute(xml, "role", role);
	xml_attribute(xml, "path", path);
	xml_integer(xml, "bytes", bytes);
	xml_attribute(xml, "sha256", hash);
	snprintf(schema, sizeof schema, "urn:gpubound:%s:1", role);
	xml_attribute(xml, "schema", schema);
	xml_end(xml);
}

/* Each frame that operations name, once. */
static void add_frames(struct xml_report *x)
{
	const struct taskset *set = x->report->set;
	for (int i = 0; i < set->operation_count; i++) {
		const struct frame *frame = set->operations[i].frame;
		bool again = false;
		for (int j = 0; j < i && frame != NULL; j++)
			again |= set->operations[j].frame != NULL && strcmp(set->operations[j].frame->path, frame->path) == 0;
		if (frame != NULL && !again)
			add_input(&x->xml, "frame", frame->path, frame->bytes, frame->hash);
	}
}

/* Each program that kernels name, once, with the files that it binds. */
static void add_programs(struct xml_report *x)
{
	const struct taskset *set = x->report->set;
	for (int i = 0; i < set->operation_count; i++) {
		const struct program *program = taskset_new_program(set, i);
		if (program == NULL)
			continue;
		add_input(&x->xml, "program", report_path(x->report, program->path), program->bytes, program->hash);
		if (program->sass.file == NULL)
			continue;
		add_input(&x->xml, "sass", report_path(x->report, program->sass.file), program->sass.bytes, program->sass.hash);
		add_input(
			&x->xml, "cubin", report_path(x->report, program->sass.cubin), program->sass.cubin_bytes, program->sass.cubin_hash);
	}
}

void xml_add_inputs(struct xml_report *x)
{
	const struct report *report = x->report;
	char hash[HASH_TEXT];
	hash_bytes(report->set->text, (size_t)report->set->bytes, hash);
	xml_begin(&x->xml, "inputs");
	add_input(&x->xml, "taskset", report->set->path, report->set->bytes, hash);
	add_input(&x->xml, "platform", report->platform_path, report->platform->bytes, report->platform->hash);
	add_frames(x);
	add_programs(x);
	xml_end(&x->xml);
}

static void add_origin(struct xml *xml, const struct origin *origin)
{
	xml_begin(xml, "origin");
	xml_attribute(xml, "id", origin->id);
	xml_attribute(xml, "kind", origin_names[origin->kind]);
	xml_attribute(xml, "source", origin->source);
	xml_attribute(xml, "file", origin->file);
	xml_attribute(xml, "row", origin->row);
	xml_integer(xml, "samples", origin->samples);
	xml_attribute(xml, "by", origin->by);
	for (int i = 0; i < CONDITION_COUNT; i++)
		xml_attribute(xml, condition_names[i], origin->conditions[i]);
	xml_integer(xml, "clock-sm", origin->clock_sm);
	xml_integer(xml, "clock-memory", origin->clock_memory);
	xml_end(xml);
}

void xml_add_provenance(struct xml_report *x)
{
	xml_begin(&x->xml, "provenance");
	for (int i = 0; i < x->report->set->origin_count; i++)
		add_origin(&x->xml, &x->report->set->origins[i]);
	xml_end(&x->xml);
}

static void add_declared_parameter(struct xml *xml, const struct parameter_kind *kind, const struct quantity *quantity)
{
	xml_begin(xml, "declaration");
	xml_attribute(xml, "name", kind->name);
	xml_rational(xml, "value", rational_is_none(quantity->exact) ? rational_of(quantity->value) : quantity->exact);
	xml_attribute(xml, "unit", units_symbol(kind->unit));
	xml_attribute(xml, "source", quantity->source);
	xml_attribute(xml, "by", quantity->declared_by);
	xml_end(xml);
}

static void add_declared_choice(struct xml *xml, const struct declared_choice *choice)
{
	xml_begin(xml, "choice");
	xml_attribute(xml, "name", choice->name);
	xml_attribute(xml, "value", choice->value);
	xml_attribute(xml, "source", choice->source);
	xml_attribute(xml, "by", choice->by);
	xml_end(xml);
}

static void add_declared_factor(struct xml *xml, int index, const struct interference_entry *entry)
{
	xml_begin(xml, "factor");
	xml_integer(xml, "index", index);
	xml_attribute(xml, "victim", entry->is_copy ? "transfer" : access_names[entry->victim]);
	xml_integer(xml, "footprint", entry->footprint);
	xml_attribute(xml, "from", interferer_names[entry->source]);
	xml_integer(xml, "count", entry->count);
	xml_rational(xml, "value", entry->factor);
	xml_attribute(xml, "source", entry->evidence);
	xml_attribute(xml, "by", entry->declared_by);
	xml_end(xml);
}

void xml_add_declarations(struct xml_report *x)
{
	const struct platform *platform = x->report->platform;
	xml_begin(&x->xml, "declarations");
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (platform->parameters[i].present && platform->parameters[i].declared_by != NULL)
			add_declared_parameter(&x->xml, &parameter_kinds[i], &platform->parameters[i]);
	for (int i = 0; i < platform->choice_count; i++)
		add_declared_choice(&x->xml, &platform->choices[i]);
	for (int i = 0; i < platform->interference_count; i++)
		if (platform->interference[i].declared_by != NULL)
			add_declared_factor(&x->xml, i, &platform->interference[i]);
	xml_end(&x->xml);
}

static void add_assumption(
	struct xml *xml, struct arena *arena, int index, const struct assumption_state *state, bool used, const char *discharged)
{
	xml_begin(xml, "assumption");
	xml_attribute(xml, "id", assumption_kinds[index].id);
	xml_attribute(xml, "status", assumption_status_name(state->status));
	xml_boolean(xml, "used", used);
	xml_attribute(xml, "declared-by", state->declared_by);
	xml_attribute(xml, "discharged-by", discharged);
	xml_element(xml, "statement", assumption_kinds[index].statement);
	xml_element(xml, "discharge", assumption_kinds[index].discharge);
	xml_element(xml, "evidence", assumption_evidence(arena, state));
	xml_end(xml);
}

void xml_add_assumptions(struct xml_report *x)
{
	uint64_t used = report_assumptions(x->report);
	struct arena *arena = arena_create();
	xml_begin(&x->xml, "assumptions");
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (taskset_concerns(x->report->set, (enum assumption)i))
			add_assumption(&x->xml, arena, i, &x->report->platform->assumptions[i], used >> i & 1,
				taskset_discharges(x->report->set, (enum assumption)i));
	xml_end(&x->xml);
	arena_destroy(arena);
}

void xml_assumption_list(struct xml_report *x, uint64_t assumptions)
{
	struct output list = {0};
	for (int i = 0; i < ASSUMPTION_COUNT; i++)
		if (assumptions >> i & 1)
			output_print(&list, "%s%s", list.length > 0 ? " " : "", assumption_kinds[i].id);
	xml_attribute(&x->xml, "assumptions", list.text);
	output_finish(&list);
}
