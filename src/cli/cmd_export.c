/* gpubound export: a file of ours as tables of CSV, in one file or in a folder. */
#include "cli/arguments.h"
#include "cli/new_folder.h"
#include "export/export.h"

#include <errno.h>
#include <string.h>

const struct option options_export[] = {
	{"output", 'o', "FILE", "write all tables there, one below the other, instead of to standard output", true},
	{"folder", 0, "FOLDER", "write a file for each table there; the folder must not be there yet", true},
	OPTIONS_END,
};

/* One below the other, with an empty line between them. */
static bool write_file(const struct arguments *arguments, const struct export_table *tables, int count)
{
	struct output output = {0};
	for (int i = 0; i < count; i++) {
		output_add(&output, i > 0 ? "\n" : "");
		output_add_bytes(&output, tables[i].text.text, tables[i].text.length);
	}
	bool written = arguments_write(arguments, &output, arguments_value(arguments, "output", "-"));
	output_finish(&output);
	return written;
}

static bool write_folder(const struct arguments *arguments, const struct export_table *tables, int count)
{
	struct new_folder folder;
	bool fine = new_folder_begin(&folder, arguments->arena, arguments_value(arguments, "folder", NULL));
	for (int i = 0; fine && i < count; i++) {
		const char *name = strcmp(tables[i].name, EXPORT_COMMENT) == 0 ? "comments" : tables[i].name;
		const char *path = arena_format(arguments->arena, "%s/%s.csv", folder.place, name);
		fine = output_write(&tables[i].text, path) || new_folder_fail(folder.path, strerror(errno));
	}
	fine = fine && new_folder_keep(&folder);
	new_folder_end(&folder);
	return fine;
}

static int write_tables(const struct arguments *arguments, const struct export_document *document)
{
	int count;
	struct export_table *tables = export_tables(arguments->arena, document, &count);
	bool fine = !arguments_has(arguments, "folder") || write_folder(arguments, tables, count);
	if (arguments_has(arguments, "output") || !arguments_has(arguments, "folder"))
		fine = fine && write_file(arguments, tables, count);
	export_tables_finish(tables, count);
	return fine ? EXIT_FINE : EXIT_USAGE;
}

int command_export(const struct arguments *arguments)
{
	struct diagnostics diagnostics;
	struct export_document document = {0};
	struct input_folders folders = input_find_folders(arguments->arena);
	if (strcmp(arguments->operands[0], "csv") != 0)
		return usage_error(arguments->command,
			"expected a format, not '%s'; there is: csv; models of MAST come from gpubound analyze --format=mast and mast2",
			arguments->operands[0]);
	diagnostics_init(&diagnostics, arguments->arena);
	bool read = export_read(arguments->arena, &diagnostics, &folders, arguments->operands[1], &document);
	diagnostics_print(&diagnostics, 0, arguments_level(arguments), arguments_colour(arguments, stderr), stderr);
	if (!read)
		return EXIT_INVALID;
	return arguments_spare_inputs(arguments, &diagnostics) ? write_tables(arguments, &document) : EXIT_USAGE;
}
