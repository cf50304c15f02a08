// What the first readings of lines of constants take together: of a launch's arguments, and of constants that the program declares.
//
// usage: firsts [LAUNCHES [runs]] > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o firsts probe/firsts.cu
// A line: operation,lines,company,sms,launches,mean,longest,together: cycles of the SM, readings of the clock in them; `mean` and `longest`
// are of a reading until its value is there, `together` is the longest of a launch's readings one after the other. `loads`: 31 warps of the
// block load 32 sectors a time, eight at once; `readers`: they read the same lines; `alone`: there are none. `far`: warp 0 begins 20,000
// cycles later. Before each launch 256 MiB are written, so that L2 holds nothing else. With `runs` the lines are in runs of so many that
// follow one another, so far apart, read first to last or last to first, of the array alone or every second run of the arguments, and
// `operation` is: both or array, lines of a run, distance, order.
#include "probe.h"

#define LINE 16 /* words */
#define LINES 62
#define ARRAY_LINES 1024

struct Arguments {
	unsigned words[LINES * LINE];
};

struct Result {
	unsigned long long sum, longest, together, count;
};

enum { ALONE, READERS, LOADS, FAR };
static const char *const companies[] = {"alone", "readers", "loads", "loads far"};

__constant__ unsigned array[ARRAY_LINES * LINE];

/* What follows waits until the value is known, which is not above the limit: 0, which the compiler does not know. */
static __device__ void end_if_above(unsigned value, unsigned limit)
{
	asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, %1; @p trap; }" ::"r"(value), "r"(limit) : "memory");
}

static __device__ void load(unsigned *words, u64 count, u64 *seed, unsigned limit)
{
	unsigned read[8], all = 0;
#pragma unroll
	for (int i = 0; i < 8; i++) {
		*seed = *seed * 6364136223846793005ull + 1442695040888963407ull;
		asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(read[i]) : "l"(words + ((*seed >> 20) & (count - 1))));
	}
#pragma unroll
	for (int i = 0; i < 8; i++)
		all += read[i];
	end_if_above(all, limit);
}

/* A line to read: its number, and whether it is one of the array's, not of the arguments'. */
struct Line {
	unsigned number;
	bool of_array;
};

/* place: of each reading, the line. Line 0 of the arguments has all that the kernel itself needs. */
template <class Place>
static __device__ __forceinline__ void read_lines(
	unsigned *words, u64 count, unsigned lines, int company, unsigned limit, Result *result, const Arguments &arguments, Place place)
{
	__shared__ volatile bool over;
	u64 sum = 0, longest = 0, seed = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull;
	over = false;
	__syncthreads();
	if (threadIdx.x >= 32 && company >= LOADS) {
		while (!over)
			load(words, count, &seed, limit);
		return;
	}
	for (u64 begin = (u64)clock64(); company == FAR && (u64)clock64() - begin < 20000;)
		;
	unsigned value = 0;
#pragma unroll 1
	for (unsigned i = 0; i < lines; i++) {
		const Line line = place(i);
		long long before = clock64();
		unsigned at = (line.number + 1) * LINE + value + (unsigned)(before >> 62);
		value = line.of_array ? array[at] : arguments.words[at];
		end_if_above(value, limit);
		u64 taken = (u64)(clock64() - before);
		sum += taken;
		longest = taken > longest ? taken : longest;
	}
	over = true;
	if (threadIdx.x % 32 == 0) {
		atomicAdd(&result->sum, sum);
		atomicAdd(&result->count, lines);
		atomicMax(&result->longest, longest);
		atomicMax(&result->together, sum);
	}
}

template <bool of_array>
static __global__ void read_first(unsigned *words, u64 count, unsigned lines, int company, unsigned limit, Result *result,
	const __grid_constant__ Arguments arguments)
{
	read_lines(words, count, lines, company, limit, result, arguments, [](unsigned i) { return Line{i, of_array}; });
}

/* The lines read: those of `run` in a row, runs `distance` apart. */
struct Places {
	unsigned run, distance;
	bool both, backwards;
};

static __global__ void read_runs(unsigned *words, u64 count, unsigned lines, int company, unsigned limit, Result *result, Places places,
	const __grid_constant__ Arguments arguments)
{
	read_lines(words, count, lines, company, limit, result, arguments, [&](unsigned i) {
		unsigned n = places.backwards ? lines - 1 - i : i, run = n / places.run;
		bool of_array = !places.both || run % 2 == 0;
		return Line{(places.both ? run / 2 : run) * places.distance + n % places.run, of_array};
	});
}

static Arguments zeros;
static unsigned *words, *large;
static u64 count = 1ull << 28;
static Result *result;

template <bool of_array> static void measure(unsigned lines, int company, int sms, int launches)
{
	Result read;
	CHECK(cudaMemset(result, 0, sizeof *result));
	for (int i = 0; i < launches; i++) {
		zeros.words[LINES * LINE - 1] = 0;
		CHECK(cudaMemsetAsync(words, 0, 256ull << 20));
		read_first<of_array><<<sms, company == ALONE ? 32 : 1024>>>(large, count, lines, company, 0, result, zeros);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(&read, result, sizeof read, cudaMemcpyDeviceToHost));
	printf("%s,%u,%s,%d,%d,%.1f,%llu,%llu\n", of_array ? "array" : "argument", lines, companies[company], sms, launches,
		(double)read.sum / (double)read.count, read.longest, read.together);
	fflush(stdout);
}

static void measure_runs(Places places, unsigned lines, int company, int sms, int launches)
{
	Result read;
	unsigned runs = (lines + places.run - 1) / places.run, of_array = places.both ? (runs + 1) / 2 : runs;
	if ((of_array - 1) * places.distance + places.run >= ARRAY_LINES ||
		(places.both && (runs / 2) * places.distance + places.run >= LINES))
		return;
	CHECK(cudaMemset(result, 0, sizeof *result));
	for (int i = 0; i < launches; i++) {
		CHECK(cudaMemsetAsync(words, 0, 256ull << 20));
		read_runs<<<sms, company == ALONE ? 32 : 1024>>>(large, count, lines, company, 0, result, places, zeros);
	}
	CHECK(cudaGetLastError());
	CHECK(cudaMemcpy(&read, result, sizeof read, cudaMemcpyDeviceToHost));
	printf("%s %u %u %s,%u,%s,%d,%d,%.1f,%llu,%llu\n", places.both ? "both" : "array", places.run, places.distance,
		places.backwards ? "backwards" : "onwards", lines, companies[company], sms, launches, (double)read.sum / (double)read.count,
		read.longest, read.together);
	fflush(stdout);
}

static void measure_all_runs(int sms, int launches)
{
	const Places all[] = {{1, 1, false, true}, {1, 2, false, false}, {1, 2, false, true}, {1, 4, false, false}, {1, 8, false, false},
		{1, 16, false, false}, {1, 17, false, true}, {2, 16, false, false}, {4, 32, false, false}, {8, 128, false, false},
		{30, 512, false, false}, {1, 1, true, false}, {1, 2, true, false}, {4, 8, true, false}, {30, 30, true, false}};
	for (int company : {ALONE, FAR})
		for (int on : {1, sms})
			for (const Places &places : all)
				for (unsigned lines : {2u, 3u, 4u, 8u, 16u, 32u, 60u})
					measure_runs(places, lines, company, on, launches);
}

int main(int argc, char **argv)
{
	int sms = 0, launches = argc > 1 ? atoi(argv[1]) : 1000;
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&words, 256ull << 20));
	CHECK(cudaMalloc(&large, count * 4));
	CHECK(cudaMemset(large, 0, count * 4));
	CHECK(cudaMalloc(&result, sizeof *result));
	printf("operation,lines,company,sms,launches,mean,longest,together\n");
	if (argc > 2) {
		measure_all_runs(sms, launches);
		return 0;
	}
	for (int company : {ALONE, READERS, LOADS, FAR})
		for (int on : {1, sms})
			for (unsigned lines : {1u, 2u, 3u, 4u, 8u, 16u, 32u, 61u}) {
				measure<false>(lines, company, on, launches);
				measure<true>(lines, company, on, launches);
			}
}
