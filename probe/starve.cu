// How long a warp waits for its turn beside warps that never stall.
//
// usage: starve [--seconds S] > starve.csv
// Two blocks of 1,024 threads fill each SM: 16 warps in each of its four sub-partitions, as %warpid says. In sub-partition 0 of every SM
// SPINNERS warps run a loop; one more, the victim, reads the clock of its SM 256 times in a row, the instructions of STEP between two
// reads; the rest wait at a barrier. A row a combination: of all SMs the longest and the longest mean time between two reads in cycles of the SM,
// and how many were more than 1,000 apart; `sms` had a victim.
//   loop 0: dependent multiply-adds, one accumulator; 1: eight accumulators; 2: reads the clock; 3: reads the global timer; 4: integer adds;
//        5: loads from shared memory; 6: sleeps
//   step 0: nothing; 1: eight dependent multiply-adds; 2: a load from shared memory
//   young 1: the victim is the last warp of the sub-partition, 0: the first
#include "probe.h"

#include <algorithm>

enum { READS = 256, LOOPS = 7, STEPS = 3, WARPS = 16, BLOCKS_AN_SM = 2, CYCLES = 6000000 };

struct Gap {
	unsigned seen;
	long long longest, total, above;
};

__device__ unsigned this_warp()
{
	unsigned warp;
	asm volatile("mov.u32 %0, %%warpid;" : "=r"(warp));
	return warp;
}

template <int LOOP> __device__ void spin(long long until, volatile int *word, float *sink)
{
	float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
	int n = 1;
	while (clock64() < until) {
#pragma unroll
		for (int i = 0; i < 256; i++) {
			if (LOOP == 0)
				x[0] = x[0] * 1.0001f + 0.5f;
			if (LOOP == 1)
				x[i % 8] = x[i % 8] * 1.0001f + 0.5f;
			if (LOOP == 2)
				n += (int)clock64();
			if (LOOP == 3 && i % 4 == 0)
				n += (int)timer();
			if (LOOP == 4)
				n = (n ^ i) + 3;
			if (LOOP == 5 && i % 2 == 0)
				n += *word;
		}
		if (LOOP == 6)
			__nanosleep(1000);
	}
	float sum = (float)n;
	for (int i = 0; i < 8; i++)
		sum += x[i];
	if (sum == 1.25f)
		*sink = sum;
}

template <int STEP> __device__ void suffer(Gap *record, volatile int *word, float *sink)
{
	long long last = clock64(), first = last, longest = 0, above = 0;
	float x = 1;
	for (int i = 0; i < READS; i++) {
		if (STEP == 1)
#pragma unroll
			for (int j = 0; j < 8; j++)
				x = x * 1.0001f + 0.5f;
		if (STEP == 2)
			x += (float)*word;
		long long now = clock64(), gap = now - last;
		longest = gap > longest ? gap : longest;
		above += gap > 1000;
		last = now;
	}
	*record = {1, longest, last - first, above};
	if (x == 1.25f)
		*sink = x;
}

template <int LOOP, int STEP> __global__ void __launch_bounds__(1024, 2) share(Gap *records, unsigned spinners, int young, float *sink)
{
	__shared__ int word;
	unsigned warp = this_warp(), rank = warp / 4;
	if (threadIdx.x % 32 == 0 && warp % 4 == 0) {
		unsigned victim = young ? WARPS - 1 : 0;
		bool spins = young ? rank < spinners : rank >= WARPS - spinners;
		if (rank == victim) {
			__nanosleep(20000); // spinners are under way
			suffer<STEP>(&records[this_sm()], &word, sink);
		} else if (spins)
			spin<LOOP>(clock64() + CYCLES, &word, sink);
	}
	__syncthreads();
}

typedef void (*Function)(Gap *, unsigned, int, float *);
static const Function functions[LOOPS][STEPS] = {{share<0, 0>, share<0, 1>, share<0, 2>}, {share<1, 0>, share<1, 1>, share<1, 2>},
	{share<2, 0>, share<2, 1>, share<2, 2>}, {share<3, 0>, share<3, 1>, share<3, 2>}, {share<4, 0>, share<4, 1>, share<4, 2>},
	{share<5, 0>, share<5, 1>, share<5, 2>}, {share<6, 0>, share<6, 1>, share<6, 2>}};

static void run(Probe &p, Gap *records, int repetition, int loop, int step, int young, unsigned spinners)
{
	int sms = p.device.multiProcessorCount, seen = 0;
	std::vector<Gap> host((size_t)sms);
	Gap worst = {0, 0, 0, 0};
	CHECK(cudaMemset(records, 0, sizeof(Gap) * (size_t)sms));
	CHECK(cudaDeviceSynchronize());
	functions[loop][step]<<<BLOCKS_AN_SM * sms, 1024>>>(records, spinners, young, nullptr);
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(host.data(), records, sizeof(Gap) * (size_t)sms, cudaMemcpyDeviceToHost));
	for (const Gap &gap : host) {
		seen += gap.seen != 0;
		worst.longest = std::max(worst.longest, gap.longest);
		worst.total = std::max(worst.total, gap.total);
		worst.above += gap.above;
	}
	p.row("%d,%d,%d,%d,%u,%d,%lld,%lld,%lld\n", repetition, loop, step, young, spinners, seen, worst.longest, worst.total / READS, worst.above);
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("starve", "repetition,loop,step,young,spinners,sms,longest,mean,above", count, arguments);
	Gap *records;
	if (p.device.maxThreadsPerMultiProcessor < BLOCKS_AN_SM * 1024) // two such blocks have to be on one SM
		return p.finish();
	CHECK(cudaMalloc(&records, sizeof(Gap) * (size_t)p.device.multiProcessorCount));
	for (int repetition = 0; p.time_left(); repetition++)
		for (int loop = 0; loop < LOOPS; loop++)
			for (int step = 0; step < STEPS; step++)
				for (unsigned spinners : {0, 1, 2, 3, 4, 6, 8, 12, 15})
					for (int young = 0; young < 2 && p.time_left(); young++) {
						run(p, records, repetition, loop, step, young, spinners);
						p.progress("one warp beside others of its sub-partition");
					}
	return p.finish();
}
