// What accesses to global memory take, by where they hit, how many sectors a warp asks for, and in what company.
//
// usage: memory > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o memory probe/memory.cu
// A line: operation,footprint,sectors,warps,sms,latency,longest,rate: cycles of the SM. One access after the other, its address from the value of the
// one before: `latency` the mean until the value can be used (of a store and a reduction: until the next instruction issues), `longest` the longest of
// all, `rate` the time of an SM over the accesses of its warps. Footprints: 16 KiB of each SM, which L1 holds where it may; 16 MiB, which L2 holds; 1 GiB
// and 16 GiB, of which L2 holds next to nothing. Sectors are of 32 bytes: 1, 4 (one word each of 32 lanes side by side), 32. `of 8`: so many at once, until
// all values can be used. Shared memory without bank conflicts; arguments of a launch, a line of 64 bytes at once, and again.
#include "probe.h"

enum { LOAD_L1, LOAD, STORE, REDUCTION, OPERATIONS };
static const char *const names[] = {"load.ca", "load.cg", "store", "reduction"};

#define ACCESSES 256

struct Result {
	u64 sum, longest, whole;
};

template <int operation> static __device__ unsigned access(unsigned *at)
{
	unsigned value = 0;
	if (operation == LOAD_L1)
		asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
	else if (operation == LOAD)
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
	else if (operation == STORE)
		asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
	else
		asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
	return value;
}

template <int operation> static __global__ void walk(unsigned *words, u64 count, unsigned sectors, Result *results)
{
	unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	u64 seed = warp * 0x9e3779b97f4a7c15ull + (sectors == 32 ? lane * 0xbf58476d1ce4e5b9ull : 0);
	u64 sum = 0, longest = 0, begin = 0;
	unsigned value = 0;
	__syncthreads();
	for (int i = -16; i < ACCESSES; i++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull + value;
		u64 place = (seed >> 20) % (count / 8) * 8; // of a sector
		if (sectors == 4)
			place = (place / 32 * 32) + lane;
		long long before = clock64();
		if (i == 0)
			begin = (u64)before;
		value = access<operation>(words + place);
		asm volatile("mov.u32 %0, %0;" : "+r"(value)::"memory");
		if (operation <= LOAD && value != 0) // never: the clock is read when the value is there
			seed++;
		__syncwarp();
		u64 taken = (u64)(clock64() - before);
		sum += i >= 0 ? taken : 0;
		longest = i >= 0 && taken > longest ? taken : longest;
	}
	if (lane == 0)
		results[warp] = {sum, longest, (u64)clock64() - begin};
}

/* `loads` of them on their way at once. */
template <int loads> static __global__ void fly(unsigned *words, u64 count, unsigned sectors, Result *results)
{
	unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
	u64 seed = warp * 0x9e3779b97f4a7c15ull + (sectors == 32 ? lane * 0xbf58476d1ce4e5b9ull : 0);
	u64 sum = 0, longest = 0, begin = 0;
	__syncthreads();
	for (int i = -16; i < ACCESSES; i++) {
		unsigned *at[loads], values[loads], all = 0;
#pragma unroll
		for (int k = 0; k < loads; k++) {
			seed = seed * 6364136223846793005ull + 1442695040888963407ull;
			u64 place = (seed >> 20) % (count / 8) * 8;
			at[k] = words + (sectors == 4 ? place / 32 * 32 + lane : place);
			asm volatile("" : "+l"(at[k])::"memory");
		}
		__syncwarp();
		long long before = clock64();
		if (i == 0)
			begin = (u64)before;
#pragma unroll
		for (int k = 0; k < loads; k++)
			asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(values[k]) : "l"(at[k]) : "memory");
#pragma unroll
		for (int k = 0; k < loads; k++)
			all |= values[k];
		asm volatile("mov.u32 %0, %0;" : "+r"(all)::"memory");
		if (all != 0) // never
			seed++;
		__syncwarp();
		u64 taken = (u64)(clock64() - before);
		sum += i >= 0 ? taken : 0;
		longest = i >= 0 && taken > longest ? taken : longest;
	}
	if (lane == 0)
		results[warp] = {sum, longest, (u64)clock64() - begin};
}

/* It is zero: what follows waits until that is known. */
static __device__ void end_unless_zero(unsigned value)
{
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p trap; }" ::"r"(value) : "memory");
}

/* Loads of shared memory on their way at once, of 32 banks each. */
template <int loads> static __global__ void fly_shared(unsigned *, u64, unsigned, Result *results)
{
	__shared__ unsigned cells[4096];
	unsigned lane = threadIdx.x % 32, warp = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32, seed = warp * 2654435761u;
	u64 sum = 0, longest = 0, begin = 0;
	for (unsigned i = threadIdx.x; i < 4096; i += blockDim.x)
		cells[i] = 0;
	__syncthreads();
	for (int i = -16; i < ACCESSES; i++) {
		unsigned at[loads], values[loads], all = 0;
#pragma unroll
		for (int k = 0; k < loads; k++) {
			seed = seed * 1664525 + 1013904223;
			at[k] = (unsigned)__cvta_generic_to_shared(cells + (seed >> 25) * 32 + lane);
			asm volatile("" : "+r"(at[k])::"memory");
		}
		__syncwarp();
		long long before = clock64();
		if (i == 0)
			begin = (u64)before;
#pragma unroll
		for (int k = 0; k < loads; k++)
			asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(values[k]) : "r"(at[k]) : "memory");
#pragma unroll
		for (int k = 0; k < loads; k++)
			all |= values[k];
		end_unless_zero(all);
		u64 taken = (u64)(clock64() - before);
		sum += i >= 0 ? taken : 0;
		longest = i >= 0 && taken > longest ? taken : longest;
	}
	if (lane == 0)
		results[warp] = {sum, longest, (u64)clock64() - begin};
}

#define ARGUMENT_WORDS 1000
#define ARGUMENT_LINE 16 /* words */

struct Arguments {
	unsigned words[ARGUMENT_WORDS];
};

/* Each line of a launch's arguments once, by one warp: `first` of a launch, then again. */
static __global__ void read_arguments(const __grid_constant__ Arguments arguments, Result *results)
{
	for (int turn = 0; turn < 2; turn++) {
		u64 sum = 0, longest = 0;
		unsigned value = 0;
		for (unsigned i = 0; i + ARGUMENT_LINE <= ARGUMENT_WORDS; i += ARGUMENT_LINE) {
			long long before = clock64();
			value = arguments.words[i + value + (unsigned)(before >> 62)]; // neither before the reading
			end_unless_zero(value);
			u64 taken = (u64)(clock64() - before);
			sum += taken;
			longest = taken > longest ? taken : longest;
		}
		if (threadIdx.x == 0)
			results[turn] = {sum, longest, sum};
	}
}

typedef void (*walker)(unsigned *, u64, unsigned, Result *);

static void measure(const char *name, walker walks, unsigned *words, u64 bytes, unsigned sectors, unsigned warps, int sms, Result *results)
{
	int threads = warps < 32 ? warps * 32 : 1024, blocks = sms * (int)(warps * 32 / threads), all = sms * (int)warps;
	std::vector<Result> read((size_t)all);
	u64 sum = 0, longest = 0, whole = 0;
	for (int i = 0; i < 3; i++) {
		walks<<<blocks, threads>>>(words, bytes / 4, sectors, results);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(read.data(), results, read.size() * sizeof(Result), cudaMemcpyDeviceToHost));
		for (const Result &one : read) {
			longest = one.longest > longest ? one.longest : longest;
			sum += i == 2 ? one.sum : 0;
			whole = i == 2 && one.whole > whole ? one.whole : whole;
		}
	}
	printf("%s,%lluKiB,%u,%u,%d,%.1f,%llu,%.2f\n", name, bytes >> 10, sectors, warps, sms, (double)sum / all / ACCESSES, longest,
		(double)whole / ACCESSES / warps);
	fflush(stdout);
}

static void measure_all(const char *name, walker walks, unsigned *words, int sms, Result *results)
{
	static const u64 footprints[] = {16ull << 10, 16ull << 20, 1ull << 30, 16ull << 30};
	for (u64 footprint : footprints)
		for (unsigned sectors : {1u, 4u, 32u}) {
			measure(name, walks, words, footprint, sectors, 1, 1, results);
			measure(name, walks, words, footprint, sectors, 32, 1, results); // one block: two would be on two SMs
			measure(name, walks, words, footprint, sectors, 64, sms, results);
		}
}

static void measure_arguments(unsigned *words, Result *results)
{
	static Arguments arguments;
	Result read[2], worst[2] = {};
	for (int i = 0; i < 64; i++) {
		CHECK(cudaMemset(words, 0, 1ull << 30)); // what was in L2 is not
		read_arguments<<<1, 32>>>(arguments, results);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(read, results, sizeof read, cudaMemcpyDeviceToHost));
		for (int turn = 0; turn < 2; turn++)
			worst[turn] = {read[turn].sum, read[turn].longest > worst[turn].longest ? read[turn].longest : worst[turn].longest, read[turn].whole};
	}
	for (int turn = 0; turn < 2; turn++) {
		double mean = (double)worst[turn].sum / (ARGUMENT_WORDS / ARGUMENT_LINE);
		printf("argument%s,4KiB,1,1,1,%.1f,%llu,%.2f\n", turn == 0 ? "" : " again", mean, worst[turn].longest, mean);
	}
	fflush(stdout);
}

static void measure_shared(const char *name, walker walks, Result *results)
{
	for (unsigned warps : {1u, 8u, 32u}) /* one block, so one SM */
		measure(name, walks, NULL, 16ull << 10, 1, warps, 1, results);
}

int main()
{
	int sms = 0;
	unsigned *words;
	Result *results;
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&words, 16ull << 30));
	CHECK(cudaMemset(words, 0, 16ull << 30));
	CHECK(cudaMalloc(&results, (size_t)sms * 64 * sizeof(Result)));
	printf("operation,footprint,sectors,warps,sms,latency,longest,rate\n");
	measure_arguments(words, results);
	measure_shared("shared", fly_shared<1>, results);
	measure_shared("shared of 2", fly_shared<2>, results);
	measure_shared("shared of 4", fly_shared<4>, results);
	measure_shared("shared of 8", fly_shared<8>, results);
	measure_shared("shared of 16", fly_shared<16>, results);
	measure_all(names[LOAD_L1], walk<LOAD_L1>, words, sms, results);
	measure_all(names[LOAD], walk<LOAD>, words, sms, results);
	measure_all(names[STORE], walk<STORE>, words, sms, results);
	measure_all(names[REDUCTION], walk<REDUCTION>, words, sms, results);
	measure_all("load.cg of 2", fly<2>, words, sms, results);
	measure_all("load.cg of 4", fly<4>, words, sms, results);
	measure_all("load.cg of 8", fly<8>, words, sms, results);
	return 0;
}
