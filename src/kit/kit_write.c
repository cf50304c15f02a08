/* All files of the kit. */
#include "input/input.h"
#include "kit/kit.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {
	"index", "use-cases", "hazards", "classification", "requirements", "plan", "report", "safety-manual", "problems"};

#define PAGES (int)(sizeof names / sizeof *names)

static bool write_file(const struct kit *kit, const char *name, struct output *output)
{
	const char *path = arena_format(kit->arena, "%s/%s", kit->folder, name);
	bool written = output_write(output, path);
	if (!written)
		fprintf(stderr, "gpubound: %s: cannot be written: %s\n", path, strerror(errno));
	output_finish(output);
	return written;
}

static bool write_pages(struct kit *kit, const struct kit_page *pages)
{
	struct output text = {0};
	for (int i = 0; i < PAGES; i++) {
		struct output page = {0};
		kit_html(&page, pages, PAGES, i);
		kit_text(&text, &pages[i]);
		if (!write_file(kit, arena_format(kit->arena, "%s.html", names[i]), &page)) {
			output_finish(&text);
			return false;
		}
	}
	return write_file(kit, "kit.txt", &text);
}

static bool write_style(struct kit *kit)
{
	size_t length;
	struct output style = {0};
	const char *bytes = input_read_file(kit->arena, kit->diagnostics, arena_format(kit->arena, "%s/kit/kit.css", kit->data), &length);
	if (bytes == NULL)
		return false;
	output_add_bytes(&style, bytes, length);
	return write_file(kit, "kit.css", &style);
}

/* As sha256sum -c reads them. */
static bool write_sums(struct kit *kit)
{
	struct output sums = {0};
	for (const char *const *file = kit_folder_files(kit->arena, kit->folder); *file != NULL; file++) {
		char hash[HASH_TEXT];
		if (hash_file(arena_format(kit->arena, "%s/%s", kit->folder, *file), hash))
			output_print(&sums, "%s  %s\n", hash, *file);
	}
	return write_file(kit, "SHA256SUMS", &sums);
}

static bool read_pages(struct kit *kit, struct kit_page *pages)
{
	for (int i = 0; i < PAGES; i++)
		if (!kit_read_page(kit, names[i], &pages[i]))
			return false;
	return true;
}

bool kit_can_be_written(struct kit *kit)
{
	struct kit_page pages[PAGES];
	kit->outcomes = arena_allocate(kit->arena, (size_t)kit_case_count, sizeof *kit->outcomes);
	for (int i = 0; i < kit_case_count; i++)
		kit->outcomes[i].difference = "it did not run";
	return read_pages(kit, pages);
}

bool kit_write(struct kit *kit)
{
	struct kit_page pages[PAGES];
	struct output results = {0};
	if (!read_pages(kit, pages))
		return false;
	kit_results_xml(&results, kit);
	return write_file(kit, "verification.xml", &results) && write_pages(kit, pages) && write_style(kit) && write_sums(kit);
}
