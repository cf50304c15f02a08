/* Finding the inputs by their hashes, and comparing what the report repeats of them. */
#include "verify/inputs.h"

#include "base/hash.h"
#include "config.h"
#include "input/shipped.h"
#include "input/validate.h"
#include "model/frame.h"
#include "model/program.h"
#include "verify/warnings.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding them */

static const struct xml_element *input_of(const struct check *check, const char *role)
{
	const struct xml_element *input = element_child(check->root, "inputs")->first;
	while (input != NULL && strcmp(element_get(input, "role"), role) != 0)
		input = input->next;
	return input;
}

static bool has_hash(const char *file, const char *wanted)
{
	char hash[HASH_TEXT];
	return hash_file(file, hash) && strcmp(hash, wanted) == 0;
}

static bool is_wanted(const struct check *check, const char *hash)
{
	const struct xml_element *input = element_child(check->root, "inputs")->first;
	while (input != NULL && strcmp(element_get(input, "sha256"), hash) != 0)
		input = input->next;
	return input != NULL;
}

/* Whoever names a file wants to know of this file: one that is no input is not passed over. */
static void hold_files(struct check *check, const char *const *files)
{
	char hash[HASH_TEXT];
	for (; *files != NULL; files++) {
		bool read = hash_file(*files, hash);
		if (!read)
			diagnose(check->diagnostics, DIAGNOSTIC_FILE_UNREADABLE, *files, 0,
				"expected an input of the report; this cannot be read");
		else if (!is_wanted(check, hash))
			diagnose(check->diagnostics, DIAGNOSTIC_NO_SUCH_INPUT, *files, 0,
				"expected a file that has the SHA-256 of an input of the report; this one has %s", hash);
	}
}

static const char *among(const char *const *files, const char *hash)
{
	while (*files != NULL && !has_hash(*files, hash))
		files++;
	return *files;
}

struct input_folders inputs_locate(struct check *check, const struct input_folders *folders, const char *const *files)
{
	const struct xml_element *inputs = element_child(check->root, "inputs"), *set = input_of(check, "taskset");
	struct input_stand_in *list = arena_allocate(check->arena, (size_t)element_count(inputs, "input") + 1, sizeof *list);
	struct input_folders located = {folders->models, folders->schemas, list};
	const char *moved = set == NULL ? NULL : among(files, element_get(set, "sha256"));
	hold_files(check, files);
	for (const struct xml_element *input = inputs->first; input != NULL; input = input->next) {
		const char *path = element_get(input, "path"), *hash = element_get(input, "sha256"), *file = among(files, hash);
		const char *near = moved == NULL || file != NULL ? NULL : input_moved(check->arena, path, element_get(set, "path"), moved);
		bool platform = strcmp(element_get(input, "role"), "platform") == 0;
		const char *name = platform ? input_model_path(check->arena, folders, path) : path;
		if (near != NULL && name == path && !has_hash(path, hash) && has_hash(near, hash))
			file = near;
		if (file != NULL && name != NULL)
			*list++ = (struct input_stand_in){name, file};
	}
	return located;
}

/* A model that the report takes by its name is the reader's own: which versions these are is what he has to know where they differ. */
static void compare_model(struct check *check, const struct xml_element *input)
{
	const char *recorded = element_get(input, "sha256"), *path = element_get(input, "path");
	const struct shipped_model *model = shipped_find(path);
	if (strcmp(recorded, check->platform->hash) == 0 || model == NULL)
		return;
	check_differs(check, input, arena_format(check->arena, "platform model %s", path),
		arena_format(check->arena, "the one that is here, with the SHA-256 %s%s", check->platform->hash,
			strcmp(model->hash, check->platform->hash) == 0 ? ", which gpubound " GPUBOUND_VERSION " ships" : ""),
		arena_format(check->arena,
			"another one, with the SHA-256 %s, in a report that says gpubound %s wrote it (--input=FILE takes the model of "
			"then)",
			recorded, element_get(element_child(check->root, "environment"), "version")));
}

static void compare_input(
	struct check *check, const struct xml_element *input, const char *role, int64_t bytes, const char *hash, const char *schema)
{
	const char *where = arena_format(check->arena, "input %s", role);
	check_text(check, input, where, "sha256", hash);
	check_integer(check, input, where, "bytes", bytes);
	check_text(check, input, where, "schema", schema);
}

/* One further input; the next. */
static const struct xml_element *compare_further(struct check *check, const struct xml_element *inputs, const struct xml_element *input,
	const char *role, const char *path, int64_t bytes, const char *hash)
{
	const char *where = arena_format(check->arena, "input %s", role);
	if (input == NULL) {
		check_differs(check, inputs, "inputs", path, "nothing");
		return NULL;
	}
	check_text(check, input, where, "role", role);
	check_text(check, input, where, "path", path);
	compare_input(check, input, role, bytes, hash, arena_format(check->arena, "urn:gpubound:%s:1", role));
	return input->next;
}

/* The frames that operations name, each once, behind the task set and the platform. */
static const struct xml_element *compare_frames(struct check *check, const struct xml_element *inputs, const struct xml_element *input)
{
	for (int i = 0; i < check->set->operation_count; i++) {
		const struct frame *frame = check->set->operations[i].frame;
		bool again = frame == NULL;
		for (int k = 0; k < i && !again; k++)
			again = check->set->operations[k].frame != NULL && strcmp(check->set->operations[k].frame->path, frame->path) == 0;
		if (!again)
			input = compare_further(
				check, inputs, input, "frame", check_recorded(check, frame->path), frame->bytes, frame->hash);
	}
	return input;
}

/* The programs, each once, and what they bind. That code and binary have these hashes was checked when the program was read. */
static const struct xml_element *compare_programs(struct check *check, const struct xml_element *inputs, const struct xml_element *input)
{
	for (int i = 0; i < check->set->operation_count; i++) {
		const struct program *program = check->set->operations[i].program;
		bool again = program == NULL;
		for (int k = 0; k < i && !again; k++)
			again = check->set->operations[k].program == program;
		if (again)
			continue;
		const struct program_sass *sass = &program->sass;
		input = compare_further(
			check, inputs, input, "program", check_recorded(check, program->path), program->bytes, program->hash);
		if (sass->file == NULL)
			continue;
		input = compare_further(check, inputs, input, "sass", check_recorded(check, sass->file), sass->bytes, sass->hash);
		input = compare_further(
			check, inputs, input, "cubin", check_recorded(check, sass->cubin), sass->cubin_bytes, sass->cubin_hash);
	}
	return input;
}

static void compare_further_inputs(struct check *check, const struct xml_element *inputs)
{
	const struct xml_element *input = compare_frames(check, inputs, inputs->first->next->next);
	input = compare_programs(check, inputs, input);
	if (input != NULL)
		check_differs(check, input, "inputs", "no further input", element_get(input, "role"));
}

static const char *first_error(const struct check *check, const struct diagnostics *list)
{
	for (int i = 0; i < list->count; i++) {
		const struct diagnostic *item = &list->items[i];
		if (item->code == DIAGNOSTIC_FILE_UNREADABLE && item->file != NULL)
			return arena_format(check->arena, "no %s: %s (--input=FILE says where it is now)", item->file, item->text);
		if (diagnostic_kinds[item->code].level == LEVEL_ERROR)
			return item->text;
	}
	return "";
}

/* --assume: what nobody vouches for, or what is known to be broken, is relied on as a condition. The platform with that. */
static const struct platform *assume(struct check *check)
{
	struct platform *assumed = arena_allocate(check->arena, 1, sizeof *assumed);
	*assumed = *check->platform;
	const struct xml_element *argument = element_child(check->root, "invocation")->first;
	for (; argument != NULL; argument = argument->next) {
		bool is_assume = strncmp(argument->text, "--assume=", 9) == 0;
		int which = is_assume ? assumption_find(argument->text + 9) : -1;
		if (is_assume && which < 0)
			check_differs(check, argument, "invocation", "an assumption", argument->text + 9);
		if (which < 0)
			continue;
		struct assumption_state *state = &assumed->assumptions[which];
		if (state->status == STATUS_UNSTATED || state->status == STATUS_BROKEN) {
			state->status = STATUS_CONDITIONAL;
			state->declared_by = "--assume";
		}
	}
	return assumed;
}

const char *const *inputs_changes(const struct check *check, int *count)
{
	const struct xml_element *invocation = element_child(check->root, "invocation");
	const char **changes = arena_allocate(check->arena, (size_t)element_count(invocation, "argument") + 1, sizeof *changes);
	*count = 0;
	for (const struct xml_element *argument = invocation->first; argument != NULL; argument = argument->next)
		if (input_is_change(argument->text))
			changes[(*count)++] = argument->text;
	return changes;
}

bool inputs_find(struct check *check, const struct input_folders *folders)
{
	const struct xml_element *taskset = input_of(check, "taskset"), *platform = input_of(check, "platform");
	const struct xml_element *inputs = element_child(check->root, "inputs");
	struct diagnostics reading;
	diagnostics_init(&reading, check->arena);
	if (taskset == NULL || platform == NULL || taskset != inputs->first || platform != taskset->next) {
		check_differs(check, inputs, "inputs", "a task set, then a platform", "something else");
		return false;
	}
	check->taskset_path = element_get(taskset, "path");
	check->platform_path = element_get(platform, "path");
	if (strcmp(input_file_of(folders, check->taskset_path), "-") == 0) {
		check_differs(check, taskset, "inputs", "--input with the file of then, as the report's task set came from standard input",
			"none");
		return false;
	}
	struct input_wishes wishes = {.platform = check->platform_path};
	wishes.changes = inputs_changes(check, &wishes.change_count);
	check->set = input_read_taskset(check->arena, &reading, folders, check->taskset_path, &wishes, &check->platform);
	if (check->set == NULL) {
		check_differs(check, inputs, "inputs", "the files that were analysed", first_error(check, &reading));
		return false;
	}
	int before = check->diagnostics->errors;
	char hash[HASH_TEXT];
	hash_bytes(check->set->text, (size_t)check->set->bytes, hash);
	compare_input(check, taskset, "taskset", check->set->bytes, hash, "urn:gpubound:taskset:1");
	compare_input(check, platform, "platform", check->platform->bytes, check->platform->hash, "urn:gpubound:platform:1");
	compare_model(check, platform);
	compare_further_inputs(check, inputs);
	if (check->movement.what == MOVING_NOTHING)
		warnings_compare(check, &reading);
	check->platform = assume(check);
	if (!validate_assumed(check->platform, check->set, &reading))
		check_differs(check, inputs, "inputs", "numbers that cover what the assumptions leave open", first_error(check, &reading));
	return check->diagnostics->errors == before;
}

/* ---- what the report repeats */

#define GREATEST_LIMIT 100000000 /* iterations of the solver */

/* A whole number that the program takes, and no words. */
static bool is_limit(const char *text)
{
	size_t digits = strspn(text, "0123456789");
	long value = digits > 0 && digits < 10 ? strtol(text, NULL, 10) : 0;
	return text[digits] == '\0' && value >= 1 && value <= GREATEST_LIMIT;
}

/* The options that change results; those that the program records once, once. */
static bool is_option(const struct xml_element *argument, const struct xml_element *first)
{
	static const char *const starts[] = {"--assume=", "--platform=", "--limit=", "--slack"};
	const char *text = argument->text;
	size_t which = 0, count = sizeof starts / sizeof *starts;
	if (input_is_change(text)) /* each is done once more, and reading says what is wrong with one */
		return true;
	while (which < count && strncmp(text, starts[which], strlen(starts[which])) != 0)
		which++;
	if (which == count || (which == 2 && !is_limit(text + strlen("--limit="))) || (which == 3 && strcmp(text, "--slack") != 0))
		return false;
	for (; which > 0 && first != argument; first = first->next)
		if (strncmp(first->text, starts[which], strlen(starts[which])) == 0)
			return false;
	return true;
}

/* The command, options, and the task set. */
static void compare_invocation(struct check *check)
{
	const struct xml_element *invocation = element_child(check->root, "invocation"), *argument = invocation->first;
	for (; argument != NULL; argument = argument->next) {
		bool last = argument->next == NULL, good = is_option(argument, invocation->first) && !last;
		const char *expected = argument == invocation->first ? "analyze" : last ? check->taskset_path : NULL;
		good = expected != NULL ? check_same_words(argument->text, expected) : good;
		if (!good)
			check_differs(check, argument, "invocation",
				expected != NULL ? expected : "an option that analyze records, with a value that it takes, once",
				argument->text);
	}
	if (element_count(invocation, "argument") < 2)
		check_differs(check, invocation, "invocation", "analyze, and the task set", "less");
}

/* The platform is the one that the command line names, else the task set's; who asked for slack was told. Inputs that moved are read
 * from where they were found. */
static void compare_options(struct check *check)
{
	const struct xml_element *invocation = element_child(check->root, "invocation");
	const char *platform = NULL, *slack = NULL;
	for (const struct xml_element *argument = invocation->first; argument != NULL; argument = argument->next) {
		if (strncmp(argument->text, "--platform=", 11) == 0)
			platform = argument->text + 11;
		if (strcmp(argument->text, "--slack") == 0)
			slack = argument->text;
	}
	if (platform == NULL)
		platform = input_beside(check->arena, check->taskset_path, check->set->platform_name);
	if (check->movement.what == MOVING_NOTHING && strcmp(check->platform_path, platform) != 0)
		check_differs(check, invocation, "input platform@path", platform, check->platform_path);
	bool asked = slack != NULL, told = element_child(check->root, "sensitivity") != NULL;
	if (asked != told)
		check_differs(check, invocation, "sensitivity", asked ? "figures, as --slack asks for them" : "nothing without --slack",
			told ? "figures" : "nothing");
}

static void compare_origins(struct check *check)
{
	const struct xml_element *parent = element_child(check->root, "provenance"), *element = parent->first;
	for (int i = 0; i < check->set->origin_count; i++) {
		const struct origin *origin = &check->set->origins[i];
		const char *where = arena_format(check->arena, "origin %s", origin->id);
		if (element == NULL) {
			check_differs(check, parent, where, "an origin", "nothing");
			return;
		}
		check_text(check, element, where, "id", origin->id);
		check_text(check, element, where, "kind", origin_names[origin->kind]);
		check_text(check, element, where, "source", origin->source);
		check_text(check, element, where, "file", origin->file);
		check_text(check, element, where, "row", origin->row);
		check_text(check, element, where, "by", origin->by);
		check_integer(check, element, where, "samples", origin->samples);
		for (int k = 0; k < CONDITION_COUNT; k++)
			check_text(check, element, where, condition_names[k], origin->conditions[k]);
		check_integer(check, element, where, "clock-sm", origin->clock_sm);
		check_integer(check, element, where, "clock-memory", origin->clock_memory);
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "provenance", "no further origin", element_get(element, "id"));
}

static void compare_declaration(
	struct check *check, const struct xml_element *element, const struct parameter_kind *kind, const struct quantity *quantity)
{
	const char *where = arena_format(check->arena, "declaration %s", kind->name);
	check_text(check, element, where, "name", kind->name);
	check_rational(check, element, where, "value", rational_is_none(quantity->exact) ? rational_of(quantity->value) : quantity->exact);
	check_text(check, element, where, "unit", units_symbol(kind->unit));
	check_text(check, element, where, "source", quantity->source);
	check_text(check, element, where, "by", quantity->declared_by);
}

static void compare_choice(struct check *check, const struct xml_element *element, const struct declared_choice *choice)
{
	const char *where = arena_format(check->arena, "choice %s", choice->name);
	check_text(check, element, where, "name", choice->name);
	check_text(check, element, where, "value", choice->value);
	check_text(check, element, where, "source", choice->source);
	check_text(check, element, where, "by", choice->by);
}

static void compare_factor(struct check *check, const struct xml_element *element, int index, const struct interference_entry *entry)
{
	const char *where = arena_format(check->arena, "factor %d", index);
	check_integer(check, element, where, "index", index);
	check_text(check, element, where, "victim", entry->is_copy ? "transfer" : access_names[entry->victim]);
	check_integer(check, element, where, "footprint", entry->footprint);
	check_text(check, element, where, "from", interferer_names[entry->source]);
	check_integer(check, element, where, "count", entry->count);
	check_rational(check, element, where, "value", entry->factor);
	check_text(check, element, where, "source", entry->evidence);
	check_text(check, element, where, "by", entry->declared_by);
}

static void compare_declarations(struct check *check)
{
	const struct platform *platform = check->platform;
	const struct xml_element *parent = element_child(check->root, "declarations"), *element = parent->first;
	int missing = 0;
	for (int i = 0; i < PARAMETER_COUNT; i++) {
		if (!platform->parameters[i].present || platform->parameters[i].declared_by == NULL)
			continue;
		if (element != NULL)
			compare_declaration(check, element, &parameter_kinds[i], &platform->parameters[i]);
		missing += element == NULL;
		element = element == NULL ? NULL : element->next;
	}
	for (int i = 0; i < platform->choice_count; i++) {
		if (element != NULL)
			compare_choice(check, element, &platform->choices[i]);
		missing += element == NULL;
		element = element == NULL ? NULL : element->next;
	}
	for (int i = 0; i < platform->interference_count; i++) {
		if (platform->interference[i].declared_by == NULL)
			continue;
		if (element != NULL)
			compare_factor(check, element, i, &platform->interference[i]);
		missing += element == NULL;
		element = element == NULL ? NULL : element->next;
	}
	if (missing > 0)
		check_differs(check, parent, "declarations", arena_format(check->arena, "%d more", missing), "none");
	if (element != NULL)
		check_differs(check, element, "declarations", "no further declaration", element->name);
}

/* ---- the assumption register */

static void compare_assumption(struct check *check, const struct xml_element *element, int index)
{
	const struct assumption_kind *kind = &assumption_kinds[index];
	const struct assumption_state *state = &check->platform->assumptions[index];
	const char *where = arena_format(check->arena, "assumption %s", kind->id);
	check_text(check, element, where, "id", kind->id);
	check_text(check, element, where, "status", assumption_status_name(state->status));
	check_flag(check, element, where, "used", check->used >> index & 1);
	check_text(check, element, where, "declared-by", state->declared_by);
	check_text(check, element, where, "discharged-by", taskset_discharges(check->set, (enum assumption)index));
	check_words(check, element, where, "statement", kind->statement);
	check_words(check, element, where, "discharge", kind->discharge);
	check_words(check, element, where, "evidence", assumption_evidence(check->arena, state));
}

static void compare_register(struct check *check)
{
	const struct xml_element *parent = element_child(check->root, "assumptions"), *element = parent->first;
	for (int i = 0; i < ASSUMPTION_COUNT; i++) {
		if (!taskset_concerns(check->set, (enum assumption)i))
			continue;
		if (element == NULL) {
			check_differs(check, parent, "assumptions", assumption_kinds[i].id, "nothing");
			return;
		}
		compare_assumption(check, element, i);
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "assumptions", "no further assumption", element_get(element, "id"));
}

/* ---- the rules: those that the steps use, in the table's order */

static void compare_rule(struct check *check, const struct xml_element *element, const struct rule_kind *rule)
{
	const char *where = arena_format(check->arena, "rule %s", rule->name);
	check_text(check, element, where, "name", rule->name);
	check_text(check, element, where, "unit", rule->unit == STEP_UNIT_ANY ? NULL : step_unit_name(rule->unit));
	check_text(check, element, where, "cites", rule->source);
	if (strcmp(element->text, rule->equation) != 0)
		check_differs(check, element, where, rule->equation, element->text);
}

static void compare_rules(struct check *check)
{
	const struct xml_element *parent = element_child(check->root, "rules"), *element = parent->first;
	for (int i = 0; i < RULE_COUNT; i++) {
		if (graph_find(check, 0, i, NULL) < 0)
			continue;
		if (element == NULL) {
			check_differs(check, parent, "rules", rule_kinds[i].name, "nothing");
			return;
		}
		compare_rule(check, element, &rule_kinds[i]);
		element = element->next;
	}
	if (element != NULL)
		check_differs(check, element, "rules", "no further rule", element_get(element, "name"));
}

void inputs_compare(struct check *check)
{
	check_text(check, check->root, "report", "taskset", check->set->id);
	check_text(check, check->root, "report", "platform", check->platform->id);
	compare_invocation(check);
	compare_options(check);
	compare_origins(check);
	compare_declarations(check);
	compare_register(check);
	compare_rules(check);
}
