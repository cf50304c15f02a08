// Launch overheads and copy costs.
//
// usage: overheads [--seconds S] > overheads.csv
// what            a row's ns is
// call            the host thread is in the launch call
// idle            from the call on an idle GPU to the kernel's first block
// dependent       from the end of a kernel's last block to the first block of the next in its stream (both launched in time)
// stamped         the same with a record of an event that keeps its time between them
// crossing        the same where the next kernel is in another stream and waits for an event that is recorded behind the first
// graph-idle      from the launch call of a graph on an idle GPU to its first kernel's first block
// graph-dependent the same as dependent between kernels of one graph: the longest of GRAPH - 1
// refill          from the end of a block to the begin of the next one in its place (one block an SM)
// spread          from the first to the last block's begin of a kernel that fits at once, `amount` blocks
// h2d, d2h, d2d, memset   a copy of `amount` bytes, pinned, between two events
// h2d-bidirectional, d2h-bidirectional   the same while a copy of 64 MiB in the other direction runs
#include "catalogue.h"

#include <algorithm>

// Copies take most of a run: LAUNCHES runs of launches between two of copies, that all have samples enough.
enum { MOST = 64 << 20, BLOCKS = 1 << 14, GRAPH = 16, ISSUED = 200000, LAUNCHES = 8 };

static struct {
	Record *records;
	u64 *mapped;
	char *host, *host2, *device, *device2;
	cudaStream_t stream, other;
	cudaEvent_t before, after, order;
	cudaGraphExec_t graph;
	std::vector<Record> seen;
} m;

static void fetch(int blocks)
{
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record) * blocks, cudaMemcpyDeviceToHost));
}

static void spin(int blocks, int threads, int shared, u64 ns, int offset)
{
	work<SPIN><<<blocks, threads, shared, m.stream>>>(Work{m.records + offset, nullptr, nullptr, ns});
	CHECK(cudaGetLastError());
}

enum { ANSWERS = 32 };

// Answers each of so many calls of the host with the time.
static __global__ void answer(volatile u64 *call, volatile u64 *reply)
{
	u64 begin = timer();
	for (u64 k = 1; k <= ANSWERS; k++) {
		while (*call < k && timer() - begin < 20000000)
			;
		*reply = timer();
	}
}

// GPU minus host time, from the narrowest bracket of the answers of a running kernel, whose launch is in none of them
static int64_t clock_offset(int64_t &error)
{
	volatile u64 *call = m.mapped, *reply = m.mapped + 16;
	int64_t offset = 0;
	error = INT64_MAX;
	*call = *reply = 0;
	answer<<<1, 1, 0, m.stream>>>(m.mapped, m.mapped + 16);
	for (u64 k = 1; k <= ANSWERS; k++) {
		u64 old = *reply, before = host_now();
		*call = k;
		while (*reply == old && host_now() - before < 20000000)
			;
		u64 after = host_now();
		if ((int64_t)(after - before) / 2 < error) {
			error = (int64_t)(after - before) / 2;
			offset = (int64_t)*reply - (int64_t)before - error;
		}
	}
	CHECK(cudaStreamSynchronize(m.stream));
	return offset;
}

static void capture(int sms)
{
	cudaGraph_t graph;
	CHECK(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeThreadLocal));
	for (int i = 0; i < GRAPH; i++)
		spin(sms, 1024, 0, 5000, i * sms);
	CHECK(cudaStreamEndCapture(m.stream, &graph));
	CHECK(cudaGraphInstantiateWithFlags(&m.graph, graph, 0));
	CHECK(cudaGraphDestroy(graph));
}

static void graphs(Probe &p, int run, int sms)
{
	int64_t error, offset = clock_offset(error), longest = 0;
	u64 called = host_now(), begin[GRAPH], end[GRAPH];
	CHECK(cudaGraphLaunch(m.graph, m.stream));
	fetch(GRAPH * sms);
	for (int k = 0; k < GRAPH; k++) {
		begin[k] = ~0ull;
		end[k] = 0;
		for (int i = k * sms; i < (k + 1) * sms; i++) {
			begin[k] = std::min(begin[k], m.seen[i].begin);
			end[k] = std::max(end[k], m.seen[i].end);
		}
		if (k > 0)
			longest = std::max(longest, (int64_t)(begin[k] - end[k - 1]));
	}
	p.row("graph-idle,%d,%d,%lld,%lld\n", run, sms, (long long)(begin[0] - offset - called), (long long)error);
	p.row("graph-dependent,%d,%d,%lld,0\n", run, GRAPH - 1, (long long)longest);
}

static void launches(Probe &p, int run, int sms)
{
	int64_t error, offset = clock_offset(error);
	u64 called = host_now();
	spin(1, 32, 0, 1000, 0);
	u64 returned = host_now();
	fetch(1);
	p.row("call,%d,1,%llu,0\n", run, returned - called);
	p.row("idle,%d,1,%lld,%lld\n", run, (long long)(m.seen[0].begin - offset - called), (long long)error);
	spin(sms, 1024, 0, ISSUED, 0);
	spin(sms, 1024, 0, 1000, sms);
	fetch(2 * sms);
	u64 end = 0, begin = ~0ull, last = 0;
	for (int i = 0; i < sms; i++) {
		end = std::max(end, m.seen[i].end);
		begin = std::min(begin, m.seen[sms + i].begin);
		last = std::max(last, m.seen[sms + i].begin);
	}
	p.row("dependent,%d,%d,%lld,0\n", run, sms, (long long)(begin - end));
	p.row("spread,%d,%d,%llu,0\n", run, sms, last - begin);
}

// A kernel that fills the GPU, and one behind it: in its stream with a stamp between, or in another one that waits for an event.
static void depends(Probe &p, int run, const char *what, int sms, bool crossing)
{
	u64 end = 0;
	spin(sms, 1024, 0, ISSUED, 0);
	CHECK(cudaEventRecord(crossing ? m.order : m.before, m.stream));
	if (crossing)
		CHECK(cudaStreamWaitEvent(m.other, m.order, 0));
	work<SPIN><<<1, 1024, 0, crossing ? m.other : m.stream>>>(Work{m.records + sms, nullptr, nullptr, 1000});
	fetch(sms + 1);
	for (int i = 0; i < sms; i++)
		end = std::max(end, m.seen[i].end);
	p.row("%s,%d,%d,%lld,0\n", what, run, sms, (long long)(m.seen[sms].begin - end));
}

static void refills(Probe &p, int run, int sms)
{
	int each = 4;
	spin(sms * each, 1024, (int)p.device.sharedMemPerBlockOptin - 4096, 20000, 0);
	fetch(sms * each);
	std::vector<Record> &r = m.seen;
	std::sort(r.begin(), r.begin() + sms * each, [](const Record &a, const Record &b) { return a.sm != b.sm ? a.sm < b.sm : a.begin < b.begin; });
	u64 longest = 0;
	for (int i = 1; i < sms * each; i++)
		if (r[i].sm == r[i - 1].sm && r[i].begin >= r[i - 1].end)
			longest = std::max(longest, r[i].begin - r[i - 1].end);
	p.row("refill,%d,%d,%llu,0\n", run, sms * each, longest);
}

static void all_launches(Probe &p, int run, int sms)
{
	graphs(p, run, sms);
	launches(p, run, sms);
	depends(p, run, "stamped", sms, false);
	depends(p, run, "crossing", sms, true);
	refills(p, run, sms);
}

// A kernel is ahead of the stamps and the copies until the host has issued them all: it may be held up between two of its calls.
static void copy_once(Probe &p, int run, const char *what, size_t bytes, void *to, const void *from, bool busy)
{
	bool up = strncmp(what, "h2d", 3) == 0;
	spin(1, 32, 0, ISSUED, 0);
	CHECK(cudaEventRecord(m.order, m.stream));
	CHECK(cudaStreamWaitEvent(m.other, m.order, 0));
	if (busy)
		CHECK(cudaMemcpyAsync(up ? m.host2 : m.device2, up ? m.device2 : m.host2, MOST, up ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice, m.other));
	CHECK(cudaEventRecord(m.before, m.stream));
	if (strcmp(what, "memset") == 0)
		CHECK(cudaMemsetAsync(to, 0, bytes, m.stream));
	else
		CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, m.stream));
	CHECK(cudaEventRecord(m.after, m.stream));
	CHECK(cudaDeviceSynchronize());
	float ms;
	CHECK(cudaEventElapsedTime(&ms, m.before, m.after));
	p.row("%s,%d,%zu,%.0f,0\n", what, run, bytes, ms * 1e6);
}

static void copies(Probe &p, int run)
{
	for (size_t bytes = 256; bytes <= MOST; bytes *= 4) {
		copy_once(p, run, "h2d", bytes, m.device, m.host, false);
		copy_once(p, run, "d2h", bytes, m.host, m.device, false);
		copy_once(p, run, "d2d", bytes, m.device2, m.device, false);
		copy_once(p, run, "memset", bytes, m.device, nullptr, false);
		copy_once(p, run, "h2d-bidirectional", bytes, m.device, m.host, true);
		copy_once(p, run, "d2h-bidirectional", bytes, m.host, m.device, true);
	}
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("overheads", "what,run,amount,ns,clock_error_ns", count, arguments);
	catalogue_prepare(p.device);
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	CHECK(cudaHostAlloc(&m.mapped, 32 * sizeof(u64), cudaHostAllocMapped));
	CHECK(cudaHostAlloc(&m.host, MOST, cudaHostAllocDefault));
	CHECK(cudaHostAlloc(&m.host2, MOST, cudaHostAllocDefault));
	CHECK(cudaMalloc(&m.device, MOST));
	CHECK(cudaMalloc(&m.device2, MOST));
	CHECK(cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&m.other, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&m.before));
	CHECK(cudaEventCreate(&m.after));
	CHECK(cudaEventCreateWithFlags(&m.order, cudaEventDisableTiming));
	m.seen.resize(BLOCKS);
	spin(1, 32, 0, 1000, 0);
	CHECK(cudaDeviceSynchronize());
	capture(p.device.multiProcessorCount);
	CHECK(cudaGraphLaunch(m.graph, m.stream));
	CHECK(cudaDeviceSynchronize());
	for (int run = 0; p.time_left(); run++) {
		for (int i = 0; i < LAUNCHES; i++)
			all_launches(p, run * LAUNCHES + i, p.device.multiProcessorCount);
		copies(p, run);
		p.progress("launches and copies");
	}
	return p.finish();
}
