// Block times of the catalogue's kernels: C_K[r], alone and in company.
//
// usage: blocks [--seconds S] [--seed N] > blocks.csv
// environment  alone      one block on an otherwise empty GPU
//              same       `resident` blocks on each SM, of this kernel only, in one or two waves (shared memory is added to leave no more room)
//              like       2 to 5 launches of this kernel at once
//              exclusive  2 to 5 kernels at once that fill an SM each by a block
//              mixed      2 to 5 others at once, whose blocks share SMs
// In the last three, copies between host and device in both directions, copies inside the device and memsets run beside them, drawn. The
// longest of an environment is the WCET of a block in that company, as measured, and no proof of a worst case.
// A row is one launch: block times of its first and of all its blocks.
#include "catalogue.h"

#include <algorithm>
#include <random>

enum { STREAMS = 8, BLOCKS = 1 << 17, BULK = 32 << 20 };

static struct {
	Record *records;
	float *data;
	char *host, *device, *device2;
	cudaStream_t streams[STREAMS], up, down, inside, set;
	std::vector<Record> seen;
} m;

static void prepare(const Probe &p)
{
	catalogue_prepare(p.device);
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	CHECK(cudaMalloc(&m.data, sizeof(float) * (PROBE_WORDS + (1 << 20))));
	CHECK(cudaMemset(m.data, 0, sizeof(float) * (PROBE_WORDS + (1 << 20))));
	CHECK(cudaHostAlloc(&m.host, 2 * BULK, cudaHostAllocDefault));
	CHECK(cudaMalloc(&m.device, 2 * BULK));
	CHECK(cudaMalloc(&m.device2, 2 * BULK));
	for (cudaStream_t &s : m.streams)
		CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	for (cudaStream_t *s : {&m.up, &m.down, &m.inside, &m.set})
		CHECK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
	m.seen.resize(BLOCKS);
}

static void launch(const Entry &e, int blocks, int shared, int offset, cudaStream_t stream)
{
	functions[e.kind]<<<blocks, e.threads, shared, stream>>>(Work{m.records + offset, nullptr, m.data, e.amount});
	CHECK(cudaGetLastError());
}

static void report(Probe &p, const char *environment, int run, const Entry &e, int blocks, int resident, int company, int offset)
{
	CHECK(cudaMemcpy(m.seen.data(), m.records + offset, sizeof(Record) * blocks, cudaMemcpyDeviceToHost));
	u64 longest = 0, shortest = ~0ull, first = ~0ull, last = 0;
	for (int i = 0; i < blocks; i++) {
		u64 time = m.seen[i].end - m.seen[i].begin;
		longest = std::max(longest, time);
		shortest = std::min(shortest, time);
		first = std::min(first, m.seen[i].begin);
		last = std::max(last, m.seen[i].end);
	}
	p.row("%s,%d,%s,%s,%d,%d,%d,%d,%d,%d,%d,%llu,%llu,%llu\n", environment, run, e.name, kind_names[e.kind], e.threads, e.shared,
		static_shared(e), blocks_an_sm(e), blocks, resident, company, shortest, longest, last - first);
}

// Dynamic shared memory that lets r blocks of this kernel on an SM and no more.
static int shared_for(const Probe &p, const Entry &e, int r)
{
	int most = blocks_an_sm(e);
	if (r >= most)
		return e.shared;
	size_t room = p.device.sharedMemPerMultiprocessor / (size_t)r;
	size_t limit = p.device.sharedMemPerBlockOptin - 4096; // static shared memory and the driver's reserve
	return (int)std::min(limit, room - 4096) / 1024 * 1024;
}

static void alone(Probe &p, int run)
{
	for (const Entry &e : catalogue) {
		launch(e, 1, e.shared, 0, m.streams[0]);
		CHECK(cudaDeviceSynchronize());
		report(p, "alone", run, e, 1, 1, 0, 0);
	}
}

static void same(Probe &p, int run, std::mt19937 &random)
{
	for (const Entry &e : catalogue) {
		int most = blocks_an_sm(e), r = 1 + (int)(random() % (unsigned)most);
		int shared = shared_for(p, e, r), fit = 0;
		CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, functions[e.kind], e.threads, shared));
		int blocks = std::min<int>(BLOCKS, p.device.multiProcessorCount * fit * (1 + (int)(random() % 2)));
		launch(e, blocks, shared, 0, m.streams[0]);
		CHECK(cudaDeviceSynchronize());
		report(p, "same", run, e, blocks, fit, 0, 0);
	}
}

static void traffic(std::mt19937 &random)
{
	size_t bytes = (size_t)1 << (16 + random() % 10);
	if (random() % 2)
		CHECK(cudaMemcpyAsync(m.device, m.host, bytes, cudaMemcpyHostToDevice, m.up));
	if (random() % 2)
		CHECK(cudaMemcpyAsync(m.host + BULK, m.device2 + BULK, bytes, cudaMemcpyDeviceToHost, m.down));
	if (random() % 4 == 0)
		CHECK(cudaMemcpyAsync(m.device2, m.device + BULK, bytes, cudaMemcpyDeviceToDevice, m.inside));
	if (random() % 4 == 0)
		CHECK(cudaMemsetAsync(m.device2, 1, bytes, m.set));
}

// Several kernels at once that `admits` lets meet the first, which is drawn.
static void together(Probe &p, const char *environment, int run, std::mt19937 &random, bool (*admits)(int first, int other))
{
	int count = 2 + (int)(random() % 4), offset = 0, kernel[5], blocks[5], at[5];
	for (int i = 0; i < count; i++) {
		do
			kernel[i] = (int)(random() % CATALOGUE);
		while (!admits(i ? kernel[0] : kernel[i], kernel[i]));
		int chip = p.device.multiProcessorCount * blocks_an_sm(catalogue[kernel[i]]);
		blocks[i] = std::max(1, (int)(random() % (unsigned)(chip * 2)));
		at[i] = offset;
		offset += blocks[i];
	}
	traffic(random);
	for (int i = 0; i < count; i++)
		launch(catalogue[kernel[i]], blocks[i], catalogue[kernel[i]].shared, at[i], m.streams[i]);
	traffic(random);
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < count; i++)
		report(p, environment, run, catalogue[kernel[i]], blocks[i], blocks_an_sm(catalogue[kernel[i]]), count - 1, at[i]);
}

static bool fills(int kernel)
{
	return blocks_an_sm(catalogue[kernel]) == 1;
}

static bool is_like(int first, int other)
{
	return first == other && !fills(other);
}

static bool is_exclusive(int, int other)
{
	return fills(other);
}

static bool is_mixed(int, int other)
{
	return !fills(other);
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("blocks", "environment,run,kernel,kind,threads,shared,static,fit,blocks,resident,company,shortest_ns,longest_ns,span_ns", count, arguments);
	std::mt19937 random(p.seed);
	prepare(p);
	for (int run = 0; p.time_left(); run++) {
		if (run % 8 == 0)
			alone(p, run);
		if (run % 4 == 0)
			same(p, run, random);
		together(p, "like", run, random, is_like);
		together(p, "like", run, random, is_like);
		together(p, "exclusive", run, random, is_exclusive);
		together(p, "exclusive", run, random, is_exclusive);
		together(p, "mixed", run, random, is_mixed);
		p.progress("drawing mixtures");
	}
	return p.finish();
}
