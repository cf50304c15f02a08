/* Writes a recording through record_writer.c, which needs neither CUPTI nor a GPU: three jobs, each a copy, a graph of two kernels, a wait,
 * a kernel with a cluster where asked for, and a copy back that waits.
 *
 * usage: sample FILE [lost N | long-name | cluster | green | parent | overlap | wide]...    Exit status: 0, or 1 where records were lost.
 */
#include "../../probe/recorder/record_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOBS 3

static uint64_t correlation;

static void call(struct record_writer *writer, uint64_t start, uint64_t end, const char *function)
{
	record_call(
		writer, &(struct record_call){
				.start = start, .end = end, .process = 70, .thread = 71, .correlation = correlation, .function = function});
}

static struct record_place at(uint64_t start, uint64_t end, uint64_t node)
{
	return (struct record_place){start, end, 0, 1, 13, correlation, node > 0 ? 3 : 0, node};
}

static void kernel(struct record_writer *writer, struct record_place place, const char *name, int64_t grid, int64_t cluster)
{
	record_kernel(writer, &(struct record_kernel){.place = place,
				      .name = name,
				      .grid = {grid, 1, 1},
				      .block = {128, 1, 1},
				      .cluster = {cluster, 1, 1},
				      .registers = 32,
				      .shared_static = 512,
				      .shared_dynamic = 1024,
				      .launch = "regular"});
}

static void copy(struct record_writer *writer, struct record_place place, const char *kind)
{
	record_transfer(writer, &(struct record_transfer){.place = place,
					.kind = kind,
					.source = *kind == 'h' ? "pinned" : "device",
					.target = *kind == 'h' ? "device" : "pageable",
					.bytes = 4096});
}

/* More of the graph of a job: a memset, a copy, and a kernel behind that. */
static void widen(struct record_writer *writer, uint64_t t)
{
	record_transfer(writer, &(struct record_transfer){.place = at(t, t + 500, 19), .kind = "memset", .target = "device", .bytes = 64});
	copy(writer, at(t + 600, t + 1100, 20), "d2h");
	kernel(writer, at(t + 1200, t + 3200, 21), "_Z4tailPf", 64, 0);
}

static void job(struct record_writer *writer, uint64_t t, int64_t cluster, const char *name, bool overlap, bool wide)
{
	correlation++;
	call(writer, t, t + 3000, "cudaMemcpyAsync_v3020");
	copy(writer, at(t + 4000, t + 5500, 0), "h2d");
	correlation++;
	call(writer, t + 3000, t + 9000, "cudaGraphLaunch_v10000");
	kernel(writer, at(t + 10000, t + 50000, 17), "_Z4convPf", 64, 0);
	kernel(writer, at(t + 51000, t + 70000, 18), name, 64, 0);
	if (wide)
		widen(writer, t + 70000);
	correlation++;
	call(writer, t + 9500, t + 80000, "cudaStreamSynchronize_v3020");
	correlation++;
	call(writer, t + 100000, t + 104000, "cudaLaunchKernel_v7000");
	kernel(writer, at(t + 106000, t + 130000, 0), "_Z3nmsPKfPi", 8, cluster);
	if (overlap) {
		correlation++;
		call(writer, t + 104000, t + 104500, "cudaLaunchKernelExC_v11060");
		kernel(writer, at(t + 120000, t + 130500, 0), "_Z4nextPf", 8, 0);
	}
	correlation++;
	call(writer, t + 104500, t + 140000, "cudaMemcpy_v3020");
	copy(writer, at(t + 131000, t + 139000, 0), "d2h");
}

int main(int count, char **words)
{
	static char name[3000] = "_Z4reluPf";
	uint64_t lost = 0, parent = 0;
	int64_t cluster = 1;
	bool green = false, overlap = false, wide = false;
	struct record_writer *writer = count < 2 ? NULL : record_writer_open(words[1]);
	if (writer == NULL)
		return 2;
	for (int i = 2; i < count; i++) {
		lost = strcmp(words[i], "lost") == 0 && i + 1 < count ? strtoull(words[i + 1], NULL, 10) : lost;
		cluster = strcmp(words[i], "cluster") == 0 ? 4 : cluster;
		green = green || strcmp(words[i], "green") == 0;
		parent = strcmp(words[i], "parent") == 0 ? 2 : parent;
		wide = wide || strcmp(words[i], "wide") == 0;
		overlap = overlap || strcmp(words[i], "overlap") == 0;
		if (strcmp(words[i], "long-name") == 0)
			memset(name, ' ', sizeof name - 1);
	}
	record_device(writer, &(struct record_device){.major = 9,
				      .sms = 132,
				      .warps = 64,
				      .registers = 65536,
				      .shared = 233472,
				      .block_threads = 1024,
				      .block_registers = 65536,
				      .block_shared = 49152,
				      .name = "Demo GPU 100% new"});
	record_context(writer, &(struct record_context){.id = 1, .null_stream = 7, .green = green, .sms = 56, .parent = parent});
	if (parent > 0)
		record_context(writer, &(struct record_context){.id = parent, .null_stream = 9});
	record_stream(writer, &(struct record_stream){.context = 1, .id = 13, .priority = -1, .kind = "non-blocking"});
	for (int i = 0; i < JOBS; i++)
		job(writer, (uint64_t)i * 4000000 + 10000, cluster, name, overlap, wide);
	record_lost(writer, lost, "injected");
	return record_writer_close(writer) > 0;
}
