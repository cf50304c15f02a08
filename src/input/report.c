/* Reads a report back: bytes, elements, what a schema cannot say. */
#include "input/report.h"

#include "base/hash.h"
#include "input/signature.h"

bool input_read_report(struct arena *arena, struct diagnostics *diagnostics, const struct input_folders *folders, const char *path,
	struct report_file *report)
{
	char hash[HASH_TEXT];
	*report = (struct report_file){.path = path};
	report->bytes = input_read_file_up_to(arena, diagnostics, path, REPORT_LIMIT, &report->length);
	if (report->bytes == NULL)
		return false;
	hash_bytes(report->bytes, report->length, hash);
	report->hash = arena_copy(arena, hash);
	report->root = xml_read(arena, diagnostics, "report", folders->schemas, path, report->bytes, report->length);
	return report->root != NULL && report_is_consistent(arena, diagnostics, path, report->root) &&
	       signature_is_plain(diagnostics, path, report->root, &report->is_signed);
}
