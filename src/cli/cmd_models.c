/* gpubound models: lists, shows and checks platform models. */
#include "cli/arguments.h"
#include "cli/at_best.h"
#include "cli/missing_facts.h"
#include "cli/model_rows.h"
#include "input/input.h"
#include "report/text_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const struct option options_models[] = {
	{"check", 0, NULL, "validate the models, or a task set with its model, and list what bounds still lack", false},
	{"format", 'f', "text|csv", "as a table for readers, or as CSV with a header line", true},
	OPTIONS_END,
};

struct run {
	const struct arguments *arguments;
	struct arena *arena;
	struct input_folders folders;
	struct output output;
	bool csv, colour, invalid;
};

/* The model, or NULL with its diagnostics printed. */
static const struct platform *read_model(struct run *run, const char *name)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, run->arena);
	const struct platform *platform = input_read_platform(run->arena, &diagnostics, &run->folders, name);
	diagnostics_print(&diagnostics, 0, arguments_level(run->arguments), arguments_colour(run->arguments, stderr), stderr);
	run->invalid |= platform == NULL;
	return platform;
}

/* ---- the shipped ones */

static void complain_of_folder(struct run *run)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, run->arena);
	const char *folder = run->folders.models;
	diagnose(&diagnostics, DIAGNOSTIC_FILE_UNREADABLE, folder, 0, "expected the folder of the shipped models; got %s",
		folder != NULL ? "one that cannot be read" : "none: install the program, or set GPUBOUND_DATA");
	diagnostics_print(&diagnostics, 0, LEVEL_ERROR, arguments_colour(run->arguments, stderr), stderr);
	run->invalid = true;
}

/* Names of the shipped models, sorted. */
static const char *const *list_shipped(struct run *run, int *count)
{
	const char *const *names = input_list_models(run->arena, &run->folders, count);
	if (names == NULL)
		complain_of_folder(run);
	return names;
}

/* ---- the list */

static const char *sm_count(struct run *run, const struct platform *platform)
{
	int64_t count = platform_value(platform, PARAMETER_SM_COUNT);
	return count == NONE ? "-" : arena_format(run->arena, "%" PRId64, count);
}

static const char *capability(struct run *run, const struct platform *platform)
{
	return arena_format(run->arena, "%d.%d", platform->compute_capability / 10, platform->compute_capability % 10);
}

/* All names for a program, the areas they belong to for a reader. */
static const char *summarise_needs(struct run *run, const struct platform *platform)
{
	const char *text = "";
	for (struct model_need *need = model_needs(run->arena, platform); need->purpose != NULL; need++)
		if (*need->names != '\0')
			text = arena_format(run->arena, "%s%s%s", text,
				*text == '\0' ? ""
				: run->csv    ? " "
					      : ", ",
				run->csv ? need->names : need->tag);
	return text;
}

static void add_csv_row(struct output *output, const char *const *cells, int count)
{
	for (int i = 0; i < count; i++) {
		output_add(output, i > 0 ? "," : "");
		output_add_csv(output, cells[i] != NULL ? cells[i] : "");
	}
	output_add(output, "\n");
}

static void list_one(struct run *run, const char *name, const struct platform *platform)
{
	const char *const cells[] = {name, platform->architecture, capability(run, platform), sm_count(run, platform),
		placement_names[platform->placement], summarise_needs(run, platform)};
	if (run->csv) {
		add_csv_row(&run->output, cells, 6);
		return;
	}
	struct output line = {0};
	output_print(&line, "%-18s %-9s %4s %4s  %-10s ", cells[0], cells[1], cells[2], cells[3], cells[4]);
	text_paragraph(&run->output, line.text, text_columns(line.text), cells[5]);
	output_finish(&line);
}

static void list_all(struct run *run)
{
	static const char *const header[] = {"name", "architecture", "compute_capability", "sms", "placement", "missing"};
	int count;
	const char *const *names = list_shipped(run, &count);
	if (run->csv)
		add_csv_row(&run->output, header, 6);
	else
		output_print(&run->output, "%-18s %-9s %4s %4s  %-10s %s\n", "model", "chip", "CC", "SMs", "placement",
			"a bound needs declared");
	for (int i = 0; i < count; i++) {
		const struct platform *platform = read_model(run, names[i]);
		if (platform != NULL)
			list_one(run, names[i], platform);
	}
}

/* ---- one model */

static int number_source(const char **sources, int *count, const char *source)
{
	for (int i = 0; i < *count; i++)
		if (strcmp(sources[i], source) == 0)
			return i + 1;
	sources[(*count)++] = source;
	return *count;
}

static const struct {
	const char *kind, *heading;
} headings[] = {
	{"parameter", "Numbers"},
	{"carveout", "Shared-memory configurations of an SM"},
	{"gpc", "SMs of each GPC"},
	{"placement", "Placement of blocks"},
	{"engines", "Engines"},
	{"assumption", "Assumptions"},
	{"least", "What numbers have to be at least"},
	{"interference", "Memory interference: the factor by which the victim's time grows"},
	{"pipeline", "Pipelines of an SM"},
	{"divergence", "Divergence"},
	{"missing", "What a bound would need declared"},
};

static void add_heading(struct run *run, const char *kind)
{
	for (size_t i = 0; i < sizeof headings / sizeof *headings; i++)
		if (strcmp(headings[i].kind, kind) == 0)
			text_heading(&run->output, headings[i].heading, run->colour);
}

/* The length without blanks at the end. */
static int trimmed(const char *text)
{
	int length = (int)strlen(text);
	while (length > 0 && text[length - 1] == ' ')
		length--;
	return length;
}

/* A row in columns: name, value, source; then what is wrapped: the note, or a value too long for its column. */
static void show_row(struct run *run, const struct model_row *row, int source)
{
	const char *mark = source > 0 ? arena_format(run->arena, "[%d]", source) : "";
	bool wide = strlen(row->shown) > 14;
	const char *first = arena_format(run->arena, "  %-30s %14s %-4s", row->name, row->shown, mark), *rest = row->note;
	if (strcmp(row->kind, "assumption") == 0) {
		first = arena_format(run->arena, "  %-16s %-9s", row->name, row->shown);
	} else if (wide) {
		first = arena_format(run->arena, "  %-19s %-4s", row->name, mark);
		rest = rest != NULL ? arena_format(run->arena, "%s: %s", rest, row->shown) : row->shown;
	}
	if (rest == NULL)
		output_print(&run->output, "%.*s\n", trimmed(first), first);
	else
		text_paragraph(&run->output, arena_format(run->arena, "%s ", first), text_columns(first) + 1, rest);
}

static void show_text(struct run *run, const struct platform *platform, const struct model_rows *rows)
{
	const char **sources = arena_allocate(run->arena, (size_t)rows->count, sizeof *sources);
	int count = 0;
	text_paragraph(&run->output, "", 2,
		arena_format(run->arena, "%s: %s, compute capability %s, %s", platform->id, platform->name, capability(run, platform),
			platform->integrated ? "shares the memory of the CPU" : "with memory of its own"));
	for (int i = 0; i < rows->count; i++) {
		const struct model_row *row = &rows->items[i];
		if (i == 0 || strcmp(row->kind, rows->items[i - 1].kind) != 0)
			add_heading(run, row->kind);
		show_row(run, row, row->source != NULL ? number_source(sources, &count, row->source) : 0);
	}
	text_heading(&run->output, "Sources", run->colour);
	for (int i = 0; i < count; i++)
		text_paragraph(&run->output, arena_format(run->arena, "%4s", arena_format(run->arena, "[%d]", i + 1)), 5, sources[i]);
}

static void show_csv(struct run *run, const char *name, const struct model_rows *rows)
{
	for (int i = 0; i < rows->count; i++) {
		const struct model_row *row = &rows->items[i];
		const char *const cells[] = {name, row->kind, row->name, row->value, row->unit, row->source, row->note};
		add_csv_row(&run->output, cells, 7);
	}
}

static void show_all(struct run *run)
{
	static const char *const header[] = {"model", "kind", "name", "value", "unit", "source", "note"};
	if (run->csv)
		add_csv_row(&run->output, header, 7);
	for (int i = 0; i < run->arguments->operand_count; i++) {
		const char *name = run->arguments->operands[i];
		const struct platform *platform = read_model(run, name);
		if (platform == NULL)
			continue;
		struct model_rows *rows = model_rows_collect(run->arena, platform);
		output_add(&run->output, i > 0 && !run->csv ? "\n" : "");
		if (run->csv)
			show_csv(run, name, rows);
		else
			show_text(run, platform, rows);
	}
}

/* ---- checks */

static void check_one(struct run *run, const char *name)
{
	const struct platform *platform = read_model(run, name);
	const char *verdict = platform != NULL ? "valid" : "invalid";
	if (run->csv) {
		const char *const cells[] = {name, verdict, platform != NULL ? summarise_needs(run, platform) : ""};
		add_csv_row(&run->output, cells, 3);
		return;
	}
	output_print(&run->output, "%s: %s\n", name, verdict);
	struct model_need none = {NULL, NULL, NULL}, *need = platform != NULL ? model_needs(run->arena, platform) : &none;
	for (; need->purpose != NULL; need++)
		if (*need->names != '\0')
			text_paragraph(&run->output, arena_format(run->arena, "  for %s declare: ", need->purpose), 6, need->names);
}

/* ---- a task set with its model */

/* What reading said, but for what the list of missing facts says again. */
static void print_others(const struct run *run, const struct diagnostics *diagnostics, bool accepted)
{
	struct diagnostics others;
	diagnostics_init(&others, run->arena);
	others.sources = diagnostics->sources;
	for (int i = 0; i < diagnostics->count; i++) {
		const struct diagnostic *item = &diagnostics->items[i];
		bool lack = diagnostic_kinds[item->code].level == LEVEL_ERROR || item->code == DIAGNOSTIC_INTERFERENCE_UNDECLARED ||
			    item->code == DIAGNOSTIC_OVERHEAD_UNDECLARED || item->code == DIAGNOSTIC_RUNLIST_UNDECLARED;
		if (!accepted || !lack)
			diagnose(&others, item->code, item->file, item->line, "%s", item->text);
	}
	diagnostics_print(&others, 0, arguments_level(run->arguments), arguments_colour(run->arguments, stderr), stderr);
}

/* Each fact: what it is and who needs it, where it comes from, and the line of XML, which is not wrapped so that it can be pasted. */
static void show_facts(struct run *run, const char *name, const struct taskset *set, const struct missing_facts *facts)
{
	output_print(&run->output, "%s: valid, on %s\n", name, set->platform_name);
	if (facts->count == 0) {
		output_add(&run->output, "  nothing is missing\n");
		return;
	}
	text_paragraph(&run->output, "  ", 2,
		arena_format(run->arena,
			"%d fact%s missing. Paste the lines before the first <application>, and put what you know for each \"...\":",
			facts->count, facts->count == 1 ? " is" : "s are"));
	missing_facts_write(&run->output, facts, false);
}

static bool same_said(const struct at_best_task *a, const struct at_best_task *b)
{
	return strcmp(a->reason, b->reason) == 0 && a->kernel == b->kernel && a->times == b->times;
}

/* The tasks of which the same is said as of this one; NULL: it is said of an earlier one. */
static const char *tasks_with(const struct run *run, const struct at_best *best, int index)
{
	const char *names = "";
	for (int i = 0; i < index; i++)
		if (same_said(&best->tasks[i], &best->tasks[index]))
			return NULL;
	for (int i = index; i < best->count; i++)
		if (same_said(&best->tasks[i], &best->tasks[index]))
			names = arena_format(run->arena, "%s%s'%s'", names, i > index ? ", " : "", best->tasks[i].id);
	return names;
}

static void show_whole(struct run *run, const struct at_best_task *task)
{
	text_paragraph(&run->output, "  ", 2,
		arena_format(run->arena,
			"'%s' is charged %lld times its time: only the whole kernel's is known, and beside other streams' kernels its "
			"blocks "
			"may run few at a time. What changes that:",
			task->kernel, (long long)task->times));
	text_paragraph(&run->output, "  - ", 4, "times of its blocks: scope=\"block\" (the programs in probe/, gpubound-wcet(1))");
	text_paragraph(&run->output, "  - ", 4, "a process of its own, with slices: <application id=\"...\" timeslice=\"...\">");
	text_paragraph(&run->output, "  - ", 4, "one stream for all kernels of its process");
}

/* lacking: facts are missing. */
static void show_at_best(struct run *run, const struct at_best *best, const char *name, bool lacking)
{
	for (int i = 0; i < best->count; i++) {
		const struct at_best_task *task = &best->tasks[i];
		const char *names = tasks_with(run, best, i);
		if (names == NULL)
			continue;
		const char *lead = lacking ? "Whatever of this is stated, %s will not be proven, even with no more overheads, factors of 1 "
					     "and all assumptions: %s."
					   : "Yet %s will not be proven, even with all assumptions: %s.";
		text_paragraph(&run->output, "  ", 2, arena_format(run->arena, lead, names, task->reason));
		if (task->kernel != NULL)
			show_whole(run, task);
		else
			text_paragraph(&run->output, "  ", 2,
				arena_format(run->arena, "gpubound analyze --explain TASK %s says what would change that.", name));
	}
}

/* What the facts cannot change comes last, where a terminal stops. */
static void show_needs(struct run *run, const char *name, const struct taskset *set, const struct missing_facts *facts)
{
	const struct at_best best = at_best_find(run->arena, facts, set);
	show_facts(run, name, set, facts);
	show_at_best(run, &best, name, facts->count > 0);
}

static void check_taskset(struct run *run, const char *name)
{
	struct diagnostics diagnostics;
	const struct platform *platform;
	diagnostics_init(&diagnostics, run->arena);
	const struct taskset *set = input_read_lacking(run->arena, &diagnostics, &run->folders, name, &platform);
	const struct missing_facts *facts = set != NULL ? missing_facts_find(run->arena, platform, set) : NULL;
	print_others(run, &diagnostics, set != NULL);
	run->invalid |= set == NULL;
	const char *lines = "";
	for (int i = 0; facts != NULL && i < facts->count; i++)
		lines = arena_format(run->arena, "%s%s%s", lines, i > 0 ? " " : "", facts->items[i].line);
	const char *const cells[] = {name, set != NULL ? "valid" : "invalid", lines};
	if (run->csv)
		add_csv_row(&run->output, cells, 3);
	else if (set != NULL)
		show_needs(run, name, set, facts);
	else
		output_print(&run->output, "%s: invalid\n", name);
}

static void check_all(struct run *run)
{
	static const char *const header[] = {"model", "verdict", "missing"};
	int count = run->arguments->operand_count;
	const char *const *names = count > 0 ? run->arguments->operands : list_shipped(run, &count);
	if (run->csv)
		add_csv_row(&run->output, header, 3);
	for (int i = 0; i < count; i++)
		(input_is_taskset(run->arena, names[i]) ? check_taskset : check_one)(run, names[i]);
}

int command_models(const struct arguments *arguments)
{
	struct run run = {.arguments = arguments, .arena = arguments->arena};
	run.folders = input_find_folders(run.arena);
	run.csv = strcmp(arguments_value(arguments, "format", "text"), "csv") == 0;
	run.colour = arguments_colour(arguments, stdout);
	if (arguments_has(arguments, "check"))
		check_all(&run);
	else if (arguments->operand_count > 0)
		show_all(&run);
	else
		list_all(&run);
	fwrite(run.output.text != NULL ? run.output.text : "", 1, run.output.length, stdout);
	output_finish(&run.output);
	return run.invalid ? EXIT_INVALID : EXIT_FINE;
}
