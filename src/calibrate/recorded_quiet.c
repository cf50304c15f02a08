/* Was anybody else on the GPU, and on the host? */
#include "calibrate/calibrate_parts.h"

#include <inttypes.h>
#include <string.h>

struct watched {
	int64_t tries, gaps, longest;
};

static void add(struct watched *watched, int64_t tries, int64_t gaps, int64_t longest)
{
	watched->tries = checked_add(watched->tries, tries);
	watched->gaps = checked_add(watched->gaps, gaps);
	watched->longest = checked_max(watched->longest, longest);
}

void calibrate_quiet(struct calibration *c, const struct recording *r)
{
	int what = recording_column(r, "what"), tries = recording_column(r, "tries"), gaps = recording_column(r, "gaps"),
	    longest = recording_column(r, "longest_ns");
	struct watched gpu = {0, 0, 0}, host = {0, 0, 0}, hypervisor = {0, 0, 0};
	if (what < 0 || tries < 0 || gaps < 0 || longest < 0)
		return;
	for (int i = 0; i < r->row_count; i++) {
		const struct recording_row *row = &r->rows[i];
		int64_t tried = recording_count(r, row, tries), seen = recording_count(r, row, gaps),
			most = recording_count(r, row, longest);
		if (tried == NONE || seen == NONE || most == NONE)
			return;
		const char *name = row->cells[what];
		add(strcmp(name, "gpu") == 0 ? &gpu : strcmp(name, "host") == 0 ? &host : &hypervisor, tried, seen, most);
	}
	calibrate_found(c, r, ASSUMPTION_ISO, gpu.tries, gpu.gaps > 0, gpu.longest, "blocks that only read the clock");
	calibrate_note(
		c, arena_format(c->arena,
			   "%s: %s. On the GPU %" PRId64 " gaps in %" PRId64 " blocks that read its clock%s%s; on the host %" PRId64
			   " gaps in %" PRId64 " runs%s%s, which A-HOST has to cover",
			   r->path,
			   hypervisor.gaps > 0 ? "a virtual machine, whose other guests may be felt on the host" : "no virtual machine",
			   gpu.gaps, gpu.tries, gpu.gaps > 0 ? ", the longest of ns " : "",
			   gpu.gaps > 0 ? arena_format(c->arena, "%" PRId64, gpu.longest) : "", host.gaps, host.tries,
			   host.gaps > 0 ? ", the longest of ns " : "",
			   host.gaps > 0 ? arena_format(c->arena, "%" PRId64, host.longest) : ""));
}
