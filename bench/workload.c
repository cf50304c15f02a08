#include "workload.h"

#include "base/output.h"

#include <stdlib.h>
#include <unistd.h>

#define STREAMS_A_CONTEXT 8

static const char platform_text[] =
	"<platform xmlns=\"urn:gpubound:platform:1\" id=\"bench\" name=\"Benchmark\" architecture=\"none\" compute-capability=\"7.0\" "
	"integrated=\"false\">\n"
	"<sources><source id=\"bench\" kind=\"data\">made up</source></sources>\n"
	"<parameters>\n"
	"<parameter name=\"sm.count\" value=\"80\" source=\"bench\"/><parameter name=\"sm.warps\" value=\"64\" source=\"bench\"/>\n"
	"<parameter name=\"sm.blocks\" value=\"32\" source=\"bench\"/><parameter name=\"sm.subpartitions\" value=\"4\" source=\"bench\"/>\n"
	"<parameter name=\"sm.registers\" value=\"65536\" source=\"bench\"/><parameter name=\"sm.shared\" value=\"96KiB\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"register.unit\" value=\"256\" source=\"bench\"/><parameter name=\"shared.unit\" value=\"256B\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"shared.reserved\" value=\"0B\" source=\"bench\"/><parameter name=\"block.threads\" value=\"1024\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"block.registers\" value=\"65536\" source=\"bench\"/><parameter name=\"block.shared\" value=\"48KiB\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"block.shared-optin\" value=\"96KiB\" source=\"bench\"/><parameter name=\"thread.registers\" value=\"255\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"queues.hardware\" value=\"32\" source=\"bench\"/><parameter name=\"copy.engines\" value=\"2\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"overhead.launch\" value=\"5us\" source=\"bench\"/><parameter name=\"overhead.block\" value=\"100ns\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"overhead.dependency\" value=\"2us\" source=\"bench\"/><parameter name=\"overhead.copy\" value=\"5us\" "
	"source=\"bench\"/>\n"
	"<parameter name=\"runlist.timeslice\" value=\"2ms\" source=\"bench\"/><parameter name=\"runlist.switch\" value=\"100us\" "
	"source=\"bench\"/>\n"
	"</parameters>\n"
	"<engines source=\"bench\" copy-runlist=\"own\" preemption=\"instruction\" concurrent-kernels=\"yes\" per-sm-carveout=\"yes\">\n"
	"<direction name=\"h2d\" engine=\"0\"/><direction name=\"d2h\" engine=\"1\"/></engines>\n"
	"<assumptions><assumption id=\"A-HOL\" status=\"assumed\" source=\"bench\">made up</assumption>\n"
	"<assumption id=\"A-PRIO\" status=\"assumed\" source=\"bench\">made up</assumption>\n"
	"<assumption id=\"A-WC\" status=\"assumed\" source=\"bench\">made up</assumption>\n"
	"<assumption id=\"A-RUNLIST\" status=\"assumed\" source=\"bench\">made up</assumption>\n"
	"<assumption id=\"A-CE\" status=\"assumed\" source=\"bench\">made up</assumption></assumptions>\n"
	"<interference composition=\"joint\"><factor victim=\"any\" from=\"all\" value=\"2\" source=\"bench\"/>\n"
	"<factor victim=\"transfer\" from=\"all\" value=\"3/2\" source=\"bench\"/></interference>\n"
	"</platform>\n";

/* Numbers that look arbitrary and are the same everywhere. */
static int next(uint32_t *state, int least, int greatest)
{
	*state = *state * 1664525u + 1013904223u;
	return least + (int)((*state >> 8) % (uint32_t)(greatest - least + 1));
}

static void write_contexts(struct output *text, int streams)
{
	for (int i = 0; i < streams; i++) {
		if (i % STREAMS_A_CONTEXT == 0)
			output_print(text, "%s<application id=\"a%d\">\n", i > 0 ? "</application>\n" : "", i / STREAMS_A_CONTEXT);
		output_print(text, "<stream id=\"s%d\" kind=\"non-blocking\"/>\n", i);
	}
	output_add(text, "</application>\n");
}

static void write_kernel(struct output *text, int task, int index, uint32_t *state)
{
	output_print(text,
		"<kernel id=\"k%d_%d\" stream=\"s%d\" scope=\"block\" grid=\"%d\" block=\"%d\" registers=\"32\" shared-dynamic=\"%dKiB\" "
		"wcet=\"%dus\" bcet=\"1us\"/>\n",
		task, index, task, next(state, 1, 400), 32 * next(state, 1, 16), next(state, 0, 16), next(state, 5, 20));
}

static void write_task(struct output *text, int task, int operations, uint32_t *state)
{
	int period = next(state, 500, 2000);
	output_print(text, "<task id=\"t%d\" period=\"%dms\" deadline=\"%dms\" jitter=\"1ms\">\n", task, period, period);
	output_print(text, "<copy id=\"i%d\" stream=\"s%d\" direction=\"h2d\" bytes=\"1MiB\" wcet=\"100us\"/>\n", task, task);
	for (int i = 2; i < operations; i++)
		write_kernel(text, task, i, state);
	output_print(text, "<copy id=\"o%d\" stream=\"s%d\" direction=\"d2h\" bytes=\"1MiB\" wcet=\"100us\"/>\n</task>\n", task, task);
}

static void write_file(const char *path, const struct output *text)
{
	if (output_write(text, path))
		return;
	perror(path);
	exit(1);
}

static void write_files(const struct workload *workload, int streams, int operations)
{
	struct output platform = {0}, text = {0};
	output_add(&platform, platform_text);
	write_file(workload->platform, &platform);
	output_finish(&platform);
	output_add(&text, "<taskset xmlns=\"urn:gpubound:taskset:1\" id=\"bench\" platform=\"./platform.xml\" origin=\"o\">\n"
			  "<origins><origin id=\"o\" kind=\"declared\" source=\"made up\" by=\"bench\"/></origins>\n");
	write_contexts(&text, streams);
	uint32_t state = 1;
	for (int i = 0; i < streams; i++)
		write_task(&text, i, operations / streams + (i < operations % streams), &state);
	output_add(&text, "</taskset>\n");
	write_file(workload->taskset, &text);
	output_finish(&text);
}

struct workload workload_create(int streams, int operations)
{
	struct workload workload;
	const char *parent = getenv("TMPDIR");
	snprintf(workload.folder, sizeof workload.folder, "%s/gpubound-bench.XXXXXX", parent != NULL ? parent : "/tmp");
	if (mkdtemp(workload.folder) == NULL) {
		perror(workload.folder);
		exit(1);
	}
	snprintf(workload.taskset, sizeof workload.taskset, "%s/taskset.xml", workload.folder);
	snprintf(workload.platform, sizeof workload.platform, "%s/platform.xml", workload.folder);
	write_files(&workload, streams, operations);
	return workload;
}

void workload_destroy(const struct workload *workload)
{
	unlink(workload->taskset);
	unlink(workload->platform);
	rmdir(workload->folder);
}

const struct taskset *workload_read(
	const struct workload *workload, struct arena *arena, const struct input_folders *folders, const struct platform **platform)
{
	struct diagnostics diagnostics;
	diagnostics_init(&diagnostics, arena);
	const struct taskset *set = input_read_taskset(arena, &diagnostics, folders, workload->taskset, NULL, platform);
	if (set != NULL)
		return set;
	diagnostics_print(&diagnostics, 0, LEVEL_NOTE, false, stderr);
	exit(1);
}
