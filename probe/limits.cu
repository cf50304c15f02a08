// What the driver says of the GPU, and what can be measured of it, by the names of gpubound-platform(5) where there is one.
//
// usage: limits > limits.csv           column how: "query" what the driver answers, "measured" what was found out
#include "catalogue.h"

#include <algorithm>

static void query(Probe &p, const char *name, const char *unit, cudaDeviceAttr attribute, long divide)
{
	int value = 0;
	if (cudaDeviceGetAttribute(&value, attribute, p.number) == cudaSuccess)
		p.row("%s,%ld,%s,query,1\n", name, (long)value / divide, unit);
	else
		cudaGetLastError();
}

static __global__ void steps(u64 *out, int count)
{
	u64 last = timer();
	for (int i = 0; i < count;) {
		u64 now = timer();
		if (now != last)
			out[i++] = now - last;
		last = now;
	}
}

// The most blocks of one warp that an SM holds at once, from the records of one launch that could fill 40 slots on each.
static void resident_blocks(Probe &p)
{
	int sms = p.device.multiProcessorCount, blocks = sms * 40;
	Record *records;
	std::vector<Record> seen(blocks);
	CHECK(cudaMalloc(&records, sizeof(Record) * blocks));
	work<SPIN><<<blocks, 32>>>(Work{records, nullptr, nullptr, 2000000});
	CHECK(cudaMemcpy(seen.data(), records, sizeof(Record) * blocks, cudaMemcpyDeviceToHost));
	u64 first_end = ~0ull;
	for (const Record &r : seen)
		first_end = r.end < first_end ? r.end : first_end;
	std::vector<int> on(4096);
	int most = 0;
	for (const Record &r : seen)
		if (r.begin < first_end)
			most = std::max(most, ++on[r.sm]);
	p.row("sm.blocks,%d,count,measured,%d\n", most, sms);
	CHECK(cudaFree(records));
}

// The most kernels that run at once: of GRIDS with one block each, each in a stream of its own, those that began before the first one ended.
static void resident_grids(Probe &p)
{
	enum { GRIDS = 300 };
	Record *records;
	std::vector<Record> seen(GRIDS);
	std::vector<cudaStream_t> streams(GRIDS);
	CHECK(cudaMalloc(&records, sizeof(Record) * GRIDS));
	for (cudaStream_t &s : streams)
		CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	for (int i = 0; i < GRIDS; i++)
		work<SPIN><<<1, 32, 0, streams[(size_t)i]>>>(Work{records + i, nullptr, nullptr, 20000000});
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(seen.data(), records, sizeof(Record) * GRIDS, cudaMemcpyDeviceToHost));
	u64 first_end = ~0ull;
	int most = 0;
	for (const Record &r : seen)
		first_end = r.end < first_end ? r.end : first_end;
	for (const Record &r : seen)
		most += r.begin < first_end;
	p.row("queues.resident-grids,%d,count,measured,%d\n", most, GRIDS);
	for (cudaStream_t s : streams)
		CHECK(cudaStreamDestroy(s));
	CHECK(cudaFree(records));
}

// The timer's step: the least difference of two readings that differ.
static void timer_step(Probe &p)
{
	u64 *out, seen[256], least = ~0ull;
	CHECK(cudaMalloc(&out, sizeof seen));
	steps<<<1, 1>>>(out, 256);
	CHECK(cudaMemcpy(seen, out, sizeof seen, cudaMemcpyDeviceToHost));
	for (u64 s : seen)
		least = s < least ? s : least;
	p.row("timer.step,%llu,ns,measured,256\n", least);
	CHECK(cudaFree(out));
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("limits", "name,value,unit,how,samples", count, arguments);
	query(p, "sm.count", "count", cudaDevAttrMultiProcessorCount, 1);
	query(p, "sm.warps", "count", cudaDevAttrMaxThreadsPerMultiProcessor, 32);
	query(p, "sm.blocks", "count", cudaDevAttrMaxBlocksPerMultiprocessor, 1);
	query(p, "sm.registers", "count", cudaDevAttrMaxRegistersPerMultiprocessor, 1);
	query(p, "sm.shared", "B", cudaDevAttrMaxSharedMemoryPerMultiprocessor, 1);
	query(p, "shared.reserved", "B", cudaDevAttrReservedSharedMemoryPerBlock, 1);
	query(p, "block.threads", "count", cudaDevAttrMaxThreadsPerBlock, 1);
	query(p, "block.registers", "count", cudaDevAttrMaxRegistersPerBlock, 1);
	query(p, "block.shared", "B", cudaDevAttrMaxSharedMemoryPerBlock, 1);
	query(p, "block.shared-optin", "B", cudaDevAttrMaxSharedMemoryPerBlockOptin, 1);
	query(p, "copy.engines", "count", cudaDevAttrAsyncEngineCount, 1);
	query(p, "cache.l2", "B", cudaDevAttrL2CacheSize, 1);
	query(p, "clock.sm", "kHz", cudaDevAttrClockRate, 1);
	query(p, "clock.memory", "kHz", cudaDevAttrMemoryClockRate, 1);
	query(p, "concurrent-kernels", "flag", cudaDevAttrConcurrentKernels, 1);
	query(p, "integrated", "flag", cudaDevAttrIntegrated, 1);
	query(p, "compute-preemption", "flag", cudaDevAttrComputePreemptionSupported, 1);
	query(p, "watchdog", "flag", cudaDevAttrKernelExecTimeout, 1);
	p.row("queues.priorities,%d,count,query,1\n", p.least - p.greatest + 1);
	p.row("clock.sm,%.0f,kHz,measured,5\n", p.clock_khz);
	resident_blocks(p);
	resident_grids(p);
	timer_step(p);
	return p.finish();
}
