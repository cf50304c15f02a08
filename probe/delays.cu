// Records when the first and the last warp of each block begin, for kernels launched back to back: who begins late, and whether it is the
// block that comes late or a warp that gets no turn beside others that poll.
//
// usage: delays [--seconds S] [--seed N] shapes|random|fair CONFIGURATIONS > delays.csv
//   shapes   after a kernel that fills the chip, one of each number of warps a block, loop and polling warp, then a third one: each
//            combination CONFIGURATIONS times
//   random   2 to 5 kernels of random shapes, a quarter of high priority, all of one loop a configuration
//   fair     the same with loops 1 and 2 only, beside which every warp gets its turn: what comes late there was placed late
// A block stays for a fixed time. One of its warps spends it in a loop, the others wait at a barrier:
//   loop 0: reads the global timer again and again; 1: the clock of its SM; 2: sleeps between reads; 3: multiplies and adds between reads
//   poll 0: warp 0; 1: the last warp; 2: the warp in the lowest sub-partition; 3: by the block's number
// No traffic to host memory. Output: the trace format of gpubound-validate(1), t0 the begin of warp 0, and the columns registers, carveout,
// warpid (of warp 0, as %warpid says), tlast (begin of the last warp), loop, poll.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "probe.h"

typedef u64 Time;

struct Seen {
	unsigned sm, warpid, ticket, unused;
	Time begin, last, end, unused_too;
};

__device__ unsigned this_warp()
{
	unsigned warp;
	asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
	return warp;
}

enum { TIMER, CLOCK, SLEEP, WORK, LOOPS, POLLS = 4 };

template <int LOOP> __device__ void spend(Time begin, Time duration, float *sink)
{
	float x = (float)begin;
	long long first = clock64();
	while (LOOP == CLOCK ? clock64() - first < (long long)duration * 2 : timer() - begin < duration) {
		if (LOOP == SLEEP)
			__nanosleep(500);
#pragma unroll
		for (int i = 0; LOOP == WORK && i < 64; i++)
			x = x * 1.0001f + 0.5f;
	}
	if (LOOP == WORK && x == 1.25f)
		*sink = x;
}

// Warps of a block lie in sub-partitions one after the other, warp j in (part + j) mod 4 where warp 0 lies in part.
__device__ unsigned polling_warp(int poll, unsigned warps, unsigned part)
{
	if (poll == 1)
		return warps - 1;
	if (poll == 2)
		return (4 - part) % 4 < warps ? (4 - part) % 4 : 0;
	return poll == 3 ? (blockIdx.x * 40503u >> 7) % warps : 0;
}

template <int LOOP> __global__ void stay(Seen *records, unsigned *ticket, Time duration, int poll, float *sink)
{
	Time begin = timer();
	unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
	if (threadIdx.x % 32 == 0) {
		Seen *record = &records[blockIdx.x];
		if (warp == 0) {
			record->sm = this_sm();
			record->warpid = this_warp();
			record->ticket = atomicAdd(ticket, 1u);
			record->begin = begin;
		}
		if (warp == warps - 1)
			record->last = begin;
		if (warp == polling_warp(poll, warps, (this_warp() - warp) & 3)) {
			spend<LOOP>(begin, duration, sink);
			record->end = timer();
		}
	}
	__syncthreads();
}

typedef void (*Function)(Seen *, unsigned *, Time, int, float *);
static const Function functions[LOOPS] = {stay<TIMER>, stay<CLOCK>, stay<SLEEP>, stay<WORK>};
static int registers[LOOPS];

struct Kernel {
	int blocks, threads, priority, loop, poll;
	Time duration;
};

enum { STREAMS = 8, BLOCKS = 32768 };

static struct {
	Seen *records;
	unsigned *ticket;
	cudaStream_t low[STREAMS], high[STREAMS];
	std::vector<Seen> host;
} machine;

static void set_up()
{
	int least, greatest;
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	for (int i = 0; i < STREAMS; i++) {
		CHECK(cudaStreamCreateWithPriority(&machine.low[i], cudaStreamNonBlocking, least));
		CHECK(cudaStreamCreateWithPriority(&machine.high[i], cudaStreamNonBlocking, greatest));
	}
	CHECK(cudaMalloc(&machine.records, sizeof(Seen) * BLOCKS));
	CHECK(cudaMalloc(&machine.ticket, sizeof(unsigned)));
	machine.host.resize(BLOCKS);
	for (int i = 0; i < LOOPS; i++) {
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, (const void *)functions[i]));
		CHECK(cudaFuncSetAttribute((const void *)functions[i], cudaFuncAttributePreferredSharedMemoryCarveout, 100));
		registers[i] = attributes.numRegs;
		functions[i]<<<1, 32>>>(machine.records, machine.ticket, 1000, 0, nullptr); // loaded before it counts
	}
	CHECK(cudaDeviceSynchronize());
}

static void print(Probe &p, const char *name, int configuration, int repetition, const std::vector<Kernel> &kernels, int total)
{
	Time base = ~0ull;
	CHECK(cudaMemcpy(machine.host.data(), machine.records, sizeof(Seen) * total, cudaMemcpyDeviceToHost));
	for (int i = 0; i < total; i++)
		base = std::min(base, std::min(machine.host[i].begin, machine.host[i].last));
	int row = 0;
	for (size_t i = 0; i < kernels.size(); i++)
		for (int b = 0; b < kernels[i].blocks; b++, row++) {
			const Seen &r = machine.host[row];
			const Kernel &k = kernels[i];
			p.row("%s,%d,%d,1,%zu,%zu,%d,%d,1,1,%d,0,0,%d,%u,%u,%llu,%llu,%d,100,%u,%llu,%d,%d\n", name, configuration, repetition, i,
				i, k.priority, k.blocks, k.threads, b, r.sm, r.ticket, r.begin - base, r.end - base, registers[k.loop], r.warpid,
				r.last - base, k.loop, k.poll);
		}
}

static void run(Probe &p, const char *name, int configuration, int repetition, const std::vector<Kernel> &kernels)
{
	int offset = 0;
	CHECK(cudaMemset(machine.ticket, 0, sizeof(unsigned)));
	CHECK(cudaDeviceSynchronize());
	for (size_t i = 0; i < kernels.size(); i++) {
		const Kernel &k = kernels[i];
		if (offset + k.blocks > BLOCKS)
			exit(1);
		functions[k.loop]<<<k.blocks, k.threads, 0, (k.priority ? machine.high : machine.low)[i]>>>(
			machine.records + offset, machine.ticket, k.duration, k.poll, nullptr);
		CHECK(cudaGetLastError());
		offset += k.blocks;
	}
	CHECK(cudaDeviceSynchronize());
	print(p, name, configuration, repetition, kernels, offset);
}

static void random_kernels(Probe &p, const char *name, int configurations)
{
	std::mt19937 random(p.seed);
	auto pick = [&](int a, int b) { return a + (int)(random() % (unsigned)(b - a + 1)); };
	bool fair = strcmp(name, "fair") == 0;
	for (int configuration = 0; configuration < configurations && p.time_left(); configuration++) {
		std::vector<Kernel> kernels;
		int loop = fair ? CLOCK + configuration % 2 : configuration % LOOPS, poll = configuration / LOOPS % POLLS;
		for (int i = 0, n = pick(2, 5); i < n; i++)
			kernels.push_back({pick(50, 900), pick(0, 2) ? pick(1, 4) * 32 - pick(0, 31) : pick(32, 1024), pick(0, 3) == 0, loop, poll,
				(Time)pick(20, 120) * 1000});
		run(p, name, configuration, 0, kernels);
		p.progress(name);
	}
}

static void shapes(Probe &p, int repetitions)
{
	std::mt19937 random(p.seed);
	auto pick = [&](int a, int b) { return a + (int)(random() % (unsigned)(b - a + 1)); };
	int sms = p.device.multiProcessorCount, configuration = 0;
	for (int warps : {1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32})
		for (int loop = 0; loop < LOOPS; loop++)
			for (int poll = 0; poll < POLLS; poll++, configuration++)
				for (int repetition = 0; repetition < repetitions && p.time_left(); repetition++) {
					int fit = std::min(32, 64 / warps), blocks = std::max(sms * fit * pick(50, 90) / 100, sms / 2);
					run(p, "shapes", configuration, repetition,
						{{2 * sms, 1024, 0, SLEEP, 0, 30000},
							{blocks, 32 * warps - pick(0, 31), pick(0, 1), loop, poll, (Time)pick(60, 100) * 1000},
							{pick(50, 400), pick(32, 1024), 0, loop, poll, (Time)pick(30, 60) * 1000}});
				}
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("delays",
		"exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1,registers,carveout,warpid,tlast,loop,poll",
		count, arguments);
	std::string experiment = p.words.size() == 2 ? p.words[0] : "";
	if (experiment != "shapes" && experiment != "random" && experiment != "fair") {
		fprintf(stderr, "usage: delays [--seconds S] [--seed N] shapes|random|fair CONFIGURATIONS\n");
		return 2;
	}
	set_up();
	if (experiment == "shapes")
		shapes(p, atoi(p.words[1].c_str()));
	else
		random_kernels(p, experiment.c_str(), atoi(p.words[1].c_str()));
	return p.finish();
}
