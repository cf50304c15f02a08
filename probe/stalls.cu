// How late the first instruction of a block comes where older blocks are on its SM, and how long it takes then.
//
// usage: stalls [--seconds S] [--seed N] [host-traffic] > stalls.csv       loops 8 and 9 only with that word
// Old blocks, one an SM on most SMs, hold 4 x OLD warps each (OLD in each sub-partition) and run a loop for RUN us. While they do, a young kernel comes:
// blocks of WARPS warps, as many as find room at once, so that all are placed within the dispatcher's time of the first of them, which begins
// on an SM without old blocks. Each warp notes when it begins and ends; between it does a little work and leaves.
//   loop 0: dependent multiply-adds; 1: eight chains of them; 2: reads the timer; 3: multiply-adds between reads of the timer; 4: loads from the L2
//        cache; 5: loads from shared memory; 6: integer adds; 7: sleeps; 8: system-scope atomics on host memory; 9: dependent multiply-adds
//        and, from one warp of each old block, such atomics
//   work 0: none; 1: 64 dependent multiply-adds; 2: 64 loads from the L2 cache
// A row a combination and repetition: young blocks and warps on SMs with old blocks, the longest time from the young kernel's first begin to
// the begin of a block (its first warp) and of a warp, how many blocks came later than 1 us and than 17 us, the longest time from a warp's
// begin to its end, the same on SMs without old blocks, and how much longer the old ones still ran than the last young one.
#include "probe.h"

#include <algorithm>
#include <map>
#include <random>

enum { LOOPS = 10, WORKS = 3, FREE_SMS = 8, WORDS = 1 << 18 };

struct Warp {
	u64 begin, end;
	unsigned sm, block;
};

struct Old {
	u64 begin, end;
	unsigned sm;
};

__device__ __forceinline__ void atomic_on_host(unsigned *host)
{
#if __CUDA_ARCH__ >= 600
	atomicAdd_system(host, 1u);
#else
	*(volatile unsigned *)host = 1u;
#endif
}

template <int LOOP>
__global__ void __launch_bounds__(1024, 1) hold(Old *olds, u64 duration, const int *words, unsigned *host, float *sink)
{
	__shared__ volatile int shared;
	u64 begin = timer();
	float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	int n = (int)threadIdx.x;
	shared = 1;
	while (timer() - begin < duration) {
		bool atomics = LOOP == 8 || (LOOP == 9 && threadIdx.x < 32);
#pragma unroll
		for (int i = 0; i < 256; i++) {
			if (LOOP == 0 || LOOP == 9)
				x[0] = x[0] * 1.0001f + 0.5f;
			if (LOOP == 1)
				x[i % 8] = x[i % 8] * 1.0001f + 0.5f;
			if (LOOP == 2 && i % 4 == 0)
				n += (int)timer();
			if (LOOP == 3 && i < 64)
				x[0] = x[0] * 1.0001f + 0.5f;
			if (LOOP == 4 && i % 8 == 0)
				n = __ldcg(&words[(n * 33 + i * 97) & (WORDS - 1)]);
			if (LOOP == 5 && i % 2 == 0)
				n += shared;
			if (LOOP == 6)
				n = (n ^ i) + 3;
		}
		if (LOOP == 7)
			__nanosleep(1000);
		if (atomics && threadIdx.x % 32 == 0)
			atomic_on_host(host);
	}
	float sum = (float)n;
	for (int i = 0; i < 8; i++)
		sum += x[i];
	if (sum == 1.25f)
		*sink = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		olds[blockIdx.x] = {begin, timer(), this_sm()};
}

template <int WORK> __global__ void come(Warp *warps, const int *words, float *sink)
{
	u64 begin = timer();
	float x = (float)threadIdx.x;
	int n = (int)threadIdx.x;
	if (WORK == 1)
#pragma unroll
		for (int i = 0; i < 64; i++)
			x = x * 1.0001f + 0.5f;
	if (WORK == 2)
		for (int i = 0; i < 64; i++)
			n = __ldcg(&words[(n * 33 + i * 97) & (WORDS - 1)]);
	if (x + (float)n == 1.25f)
		*sink = x;
	if (threadIdx.x % 32 == 0)
		warps[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {begin, timer(), this_sm(), blockIdx.x};
}

typedef void (*Hold)(Old *, u64, const int *, unsigned *, float *);
typedef void (*Come)(Warp *, const int *, float *);
static const Hold holds[LOOPS] = {hold<0>, hold<1>, hold<2>, hold<3>, hold<4>, hold<5>, hold<6>, hold<7>, hold<8>, hold<9>};
static const Come comes[WORKS] = {come<0>, come<1>, come<2>};

static struct {
	int most, slots, most_warps, free_sms; // young warps in all; blocks and warps of an SM; SMs without old blocks
	Warp *warps;
	Old *olds;
	int *words;
	unsigned *host;
	cudaStream_t first, second;
} machine;

static void set_up(const Probe &p)
{
	CHECK(cudaStreamCreateWithFlags(&machine.first, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&machine.second, cudaStreamNonBlocking));
	machine.most_warps = p.device.maxThreadsPerMultiProcessor / 32;
	machine.slots = p.device.maxBlocksPerMultiProcessor;
	machine.most = p.device.multiProcessorCount * machine.most_warps;
	machine.free_sms = std::max(1, std::min<int>(FREE_SMS, p.device.multiProcessorCount / 4));
	CHECK(cudaMalloc(&machine.warps, sizeof(Warp) * machine.most));
	CHECK(cudaMalloc(&machine.olds, sizeof(Old) * (size_t)p.device.multiProcessorCount));
	CHECK(cudaMalloc(&machine.words, sizeof(int) * WORDS));
	CHECK(cudaMemset(machine.words, 7, sizeof(int) * WORDS));
	CHECK(cudaMallocHost(&machine.host, sizeof(unsigned)));
	for (Hold function : holds) {
		CHECK(cudaFuncSetAttribute((const void *)function, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
		function<<<1, 128>>>(machine.olds, 1000, machine.words, machine.host, nullptr); // loaded before it counts
	}
	for (Come function : comes) {
		CHECK(cudaFuncSetAttribute((const void *)function, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
		function<<<1, 32>>>(machine.warps, machine.words, nullptr);
	}
	CHECK(cudaDeviceSynchronize());
}

struct Case {
	int loop, old, warps, work, run_us;
};

struct Side { // young blocks and warps on SMs with, or without, old blocks
	long blocks = 0, warps = 0, late = 0, very_late = 0;
	u64 begin = 0, warp_begin = 0, longest = 0, last = 0;
};

static void tell(Probe &p, const Case &c, int repetition, const std::vector<Warp> &warps, const std::vector<Old> &olds)
{
	std::map<unsigned, u64> beside; // SM -> end of its old block
	std::vector<u64> first(warps.size(), ~0ull);
	u64 origin = ~0ull, end = ~0ull;
	Side sides[2];
	for (const Old &old : olds) {
		beside[old.sm] = old.end;
		end = std::min(end, old.end);
	}
	for (const Warp &w : warps) {
		origin = std::min(origin, w.begin);
		first[w.block] = std::min(first[w.block], w.begin);
	}
	for (const Warp &w : warps) {
		Side &side = sides[beside.count(w.sm)];
		side.warps++;
		side.warp_begin = std::max(side.warp_begin, w.begin - origin);
		side.longest = std::max(side.longest, w.end - w.begin);
		side.last = std::max(side.last, w.end);
		if (first[w.block] != w.begin)
			continue;
		first[w.block] = 0; // counted
		side.blocks++;
		side.begin = std::max(side.begin, w.begin - origin);
		side.late += w.begin - origin > 1000;
		side.very_late += w.begin - origin > 17000;
	}
	p.row("%d,%d,%d,%d,%d,%d,%ld,%ld,%llu,%llu,%ld,%ld,%llu,%ld,%llu,%llu,%lld\n", repetition, c.loop, c.old, c.warps, c.work, c.run_us,
		sides[1].blocks, sides[1].warps, sides[1].begin, sides[1].warp_begin, sides[1].late, sides[1].very_late, sides[1].longest,
		sides[0].blocks, sides[0].begin, sides[0].longest, (long long)(end - sides[1].last));
}

static void run(Probe &p, const Case &c, int repetition)
{
	int old_blocks = p.device.multiProcessorCount - machine.free_sms;
	int beside = std::min(machine.slots - 1, (machine.most_warps - 4 * c.old) / c.warps);
	int blocks = std::min(p.device.multiProcessorCount * beside, machine.most / c.warps);
	if (blocks == 0)
		return;
	std::vector<Warp> warps((size_t)blocks * (size_t)c.warps);
	std::vector<Old> olds((size_t)old_blocks);
	CHECK(cudaMemset(machine.warps, 0, sizeof(Warp) * machine.most));
	CHECK(cudaDeviceSynchronize());
	holds[c.loop]<<<old_blocks, 128 * c.old, 0, machine.first>>>(machine.olds, (u64)c.run_us * 1000, machine.words, machine.host, nullptr);
	wait_us(60);
	comes[c.work]<<<blocks, 32 * c.warps, 0, machine.second>>>(machine.warps, machine.words, nullptr);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(warps.data(), machine.warps, sizeof(Warp) * warps.size(), cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(olds.data(), machine.olds, sizeof(Old) * olds.size(), cudaMemcpyDeviceToHost));
	tell(p, c, repetition, warps, olds);
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("stalls",
		"repetition,loop,old,warps,work,run_us,blocks,warps_beside,begin,warp_begin,above_1us,above_17us,longest,blocks_alone,begin_alone,"
		"longest_alone,old_outlast",
		count, arguments);
	std::vector<Case> cases;
	bool host_traffic = !p.words.empty() && p.words[0] == "host-traffic";
	for (int loop = 0; loop < (host_traffic ? LOOPS : 8); loop++)
		for (int old : {1, 2, 4, 6, 8})
			for (int warps : {1, 2, 3, 4, 8, 16})
				for (int work = 0; work < WORKS; work++)
					cases.push_back({loop, old, warps, work, work == 0 ? 1500 : 3000});
	for (int run_us : {1000, 4000, 16000}) // does what a starved block takes grow with how long the old ones stay?
		for (int loop : {0, 1, 3})
			cases.push_back({loop, 8, 4, 1, run_us});
	std::mt19937 random(p.seed);
	std::shuffle(cases.begin(), cases.end(), random);
	set_up(p);
	for (int repetition = 0; p.time_left(); repetition++)
		for (size_t i = 0; i < cases.size() && p.time_left(); i++) {
			run(p, cases[i], repetition);
			p.progress("young blocks beside old ones");
		}
	return p.finish();
}
