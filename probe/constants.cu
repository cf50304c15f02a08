// What readings of constant memory take: the first of a line, the following ones, in what company, and beside what launches.
//
// usage: constants > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o constants probe/constants.cu
// A line: operation,lines,warps,sms,mean,longest,rate: cycles of the SM. A line of constants has 64 bytes. `first` is of a launch, of
// what was not in L2; `again` whatever is behind that. `mean` and `longest` are of one reading until its value is there, readings of the
// clock in it; `rate` the time of an SM over the readings of its warps. `argument`: of a launch, by an address that a register holds;
// `array`: constants that the program declares. `word`: in place of lines the place of a word in its line, in bytes. `beside launches`:
// while others begin and end on the same SM.
#include "probe.h"

#define LINE 16 /* words */
#define ARGUMENT_LINES 62
#define TURNS 32
#define ARRAY_LINES 1024

struct Arguments {
	unsigned words[ARGUMENT_LINES * LINE];
};

struct Result {
	u64 sum[2], longest[2], whole, first; /* first, again; of all behind the first turn; of the launch's first reading */
};

__constant__ unsigned array[ARRAY_LINES * LINE];

/* It is zero: what follows waits until that is known. */
static __device__ void end_unless_zero(unsigned value)
{
	asm volatile("{ .reg .pred p; setp.ne.u32 p, %0, 0; @p trap; }" ::"r"(value) : "memory");
}

static __device__ void note(Result *own, int turn, u64 taken)
{
	own->sum[turn > 0] += taken;
	if (taken > own->longest[turn > 0])
		own->longest[turn > 0] = taken;
}

static __device__ void hand_over(Result *results, const Result *own)
{
	if (threadIdx.x % 32 == 0)
		results[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = *own;
}

/* All warps read all lines, each begins elsewhere where `apart`. */
template <bool of_array>
static __global__ void read_lines(const __grid_constant__ Arguments arguments, unsigned lines, unsigned step, bool apart, Result *results)
{
	unsigned place = apart ? threadIdx.x / 32 * 7 : 0, value = 0;
	Result own = {};
	u64 begin = 0;
	for (int turn = 0; turn < TURNS; turn++) {
		if (turn == 1)
			begin = (u64)clock64();
		for (unsigned i = 0; i < lines; i++) {
			unsigned at = (i + place) % lines * LINE + step;
			long long before = clock64();
			at += value + (unsigned)(before >> 62); // neither before the reading of the clock
			value = of_array ? array[at] : arguments.words[at];
			end_unless_zero(value);
			u64 taken = (u64)(clock64() - before);
			note(&own, turn, taken);
			if (turn == 0 && i == 0)
				own.first = taken;
		}
	}
	own.whole = (u64)clock64() - begin;
	hand_over(results, &own);
}

/* One block for `cycles`: what it reads over and over stays, or it does not. */
static __global__ void read_on(const __grid_constant__ Arguments arguments, unsigned lines, u64 cycles, Result *results)
{
	unsigned value = 0;
	Result own = {};
	u64 begin = (u64)clock64();
	for (int turn = 0; turn == 0 || (u64)clock64() - begin < cycles; turn = 1) {
		for (unsigned i = 0; i < lines; i++) {
			long long before = clock64();
			value = arguments.words[i * LINE + value + (unsigned)(before >> 62)];
			end_unless_zero(value);
			note(&own, turn, (u64)(clock64() - before));
			own.whole++;
		}
	}
	own.sum[1] /= own.whole > lines ? own.whole - lines : 1;
	hand_over(results, &own);
}

static __global__ void short_one(const __grid_constant__ Arguments arguments, unsigned lines, unsigned *words)
{
	unsigned value = 0;
	for (unsigned i = 0; i < lines; i++)
		value += arguments.words[i * LINE + (value >> 31)];
	if (value != 0)
		*words = value;
}

typedef void (*reader)(Arguments, unsigned, unsigned, bool, Result *);

static Arguments zeros;
static unsigned *words;
static Result *results;

static void sum_up(const char *name, unsigned lines, unsigned warps, int sms, const std::vector<Result> &read, u64 *first)
{
	u64 longest[2] = {}, whole = 0, readings = (u64)lines * read.size();
	double sum[2] = {};
	for (const Result &one : read) {
		for (int k = 0; k < 2; k++) {
			sum[k] += (double)one.sum[k];
			longest[k] = one.longest[k] > longest[k] ? one.longest[k] : longest[k];
		}
		whole = one.whole > whole ? one.whole : whole;
		*first = one.first > *first ? one.first : *first;
	}
	printf("%s first,%u,%u,%d,%.1f,%llu,0\n", name, lines, warps, sms, sum[0] / (double)readings, longest[0]);
	printf("%s again,%u,%u,%d,%.1f,%llu,%.2f\n", name, lines, warps, sms, sum[1] / (double)readings / (TURNS - 1), longest[1],
		(double)whole / (TURNS - 1) / lines / warps);
	fflush(stdout);
}

/* Launches of which the longest readings count. */
#define LAUNCHES 24

template <class Launch> static void measure(const char *name, unsigned lines, unsigned warps, int sms, Launch launch)
{
	std::vector<Result> read((size_t)sms * warps), all;
	u64 first = 0;
	for (int i = 0; i < LAUNCHES; i++) {
		CHECK(cudaMemset(words, 0, 256ull << 20)); // what was in L2 is not
		int threads = warps < 32 ? (int)warps * 32 : 1024;
		launch(sms * (int)warps * 32 / threads, threads);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(read.data(), results, read.size() * sizeof(Result), cudaMemcpyDeviceToHost));
		all.insert(all.end(), read.begin(), read.end());
	}
	sum_up(name, lines, warps, sms, all, &first);
}

static void measure_lines(const char *name, reader reads, unsigned lines, unsigned step, bool apart, unsigned warps, int sms)
{
	measure(name, lines, warps, sms, [=](int blocks, int threads) { reads<<<blocks, threads>>>(zeros, lines, step, apart, results); });
}

/* The words of a line one by one: where one is new, another line begins. */
static void measure_words()
{
	double sums[16] = {};
	u64 longest[16] = {};
	Result read;
	for (unsigned word = 0; word < 16; word++)
		for (int i = 0; i < LAUNCHES; i++) {
			CHECK(cudaMemset(words, 0, 256ull << 20));
			read_lines<false><<<1, 32>>>(zeros, 8, word, false, results); // of 8 lines this word, so each is new
			CHECK(cudaMemcpy(&read, results, sizeof read, cudaMemcpyDeviceToHost));
			sums[word] += (double)read.sum[0];
			longest[word] = read.longest[0] > longest[word] ? read.longest[0] : longest[word];
		}
	for (unsigned word = 0; word < 16; word++)
		printf("word first,%u,1,1,%.1f,%llu,0\n", word * 4, sums[word] / LAUNCHES / 8, longest[word]);
	fflush(stdout);
}

static void measure_beside(unsigned lines, bool with_launches)
{
	cudaStream_t streams[3];
	Result read;
	int launches = 0;
	for (cudaStream_t &stream : streams)
		CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	read_on<<<1, 32, 0, streams[0]>>>(zeros, lines, 400000000, results);
	for (; with_launches && cudaStreamQuery(streams[0]) == cudaErrorNotReady; launches++) {
		zeros.words[15] = (unsigned)launches; // no launch has another's arguments; a word that nobody reads
		short_one<<<2048, 32, 0, streams[1 + launches % 2]>>>(zeros, ARGUMENT_LINES, words);
		if (launches % 64 == 63)
			CHECK(cudaStreamSynchronize(streams[1]));
	}
	zeros.words[15] = 0;
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(&read, results, sizeof read, cudaMemcpyDeviceToHost));
	printf("argument beside launches (%d) first,%u,1,1,%.1f,%llu,0\n", launches, lines, (double)read.sum[0] / lines, read.longest[0]);
	printf("argument beside launches (%d) again,%u,1,1,%.1f,%llu,0\n", launches, lines, (double)read.sum[1], read.longest[1]);
	fflush(stdout);
}

int main()
{
	int sms = 0;
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&words, 256ull << 20));
	CHECK(cudaMalloc(&results, (size_t)sms * 64 * sizeof(Result)));
	printf("operation,lines,warps,sms,mean,longest,rate\n");
	measure_words();
	for (unsigned lines : {3u, 24u, 62u}) {
		measure_beside(lines, false);
		measure_beside(lines, true);
	}
	for (int company = 0; company < 4; company++) {
		unsigned warps = company == 0 ? 1 : company == 1 ? 8 : company == 2 ? 32 : 64;
		int on = company == 3 ? sms : 1;
		for (unsigned lines : {1u, 3u, 8u, 16u, 24u, 30u, 40u, 62u})
			for (bool apart : {false, true})
				measure_lines(apart ? "argument apart" : "argument", read_lines<false>, lines, 0, apart, warps, on);
		for (unsigned lines : {8u, 64u, 256u, 512u, 768u, 1024u})
			measure_lines("array", read_lines<true>, lines, 0, true, warps, on);
	}
	return 0;
}
