/* Reads a report back: bytes, elements, what a schema cannot say. */
#include "input/read_report.h"

#include "base/hash.h"
#include "input/scan.h"
#include "input/signature.h"

bool report_may_be_written(struct diagnostics *diagnostics, const char *taskset, const char *bytes, size_t length)
{
	struct diagnostics scanning;
	diagnostics_init(&scanning, diagnostics->arena);
	if (length > REPORT_WRITTEN)
		diagnose(diagnostics, DIAGNOSTIC_REPORT_TOO_LARGE, taskset, 0,
			"expected a report of at most %d bytes, so that it can be verified; this one has %zu", REPORT_WRITTEN, length);
	else if (!scan_xml(&scanning, taskset, bytes, length, REPORT_WRITTEN_NODES))
		diagnose(diagnostics, DIAGNOSTIC_REPORT_TOO_LARGE, taskset, 0,
			"expected a report that can be read back, and verified; in its line %ld: %s", scanning.items[0].line,
			scanning.items[0].text);
	else
		return true;
	return false;
}

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
