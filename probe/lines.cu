// What keeps lines of constant memory in an SM's caches, what takes them away, and what delays readings of those that are there.
//
// usage: lines > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o lines probe/lines.cu
// A line: operation,parameters,warps,sms,readings,mean,longest,above: cycles of the SM, readings of the clock in them; `above`: how many
// readings took more than 500. A line of constants has 64 bytes. On sm_90 compilers read constants by LDC (an address in a register, or
// not) and by ULDC (into a uniform register). Before each launch 256 MiB are written, so that L2 holds nothing else.
#include "probe.h"

#define LINE 16 /* words */
#define ARRAY_LINES 1024
#define LAUNCHES 24

enum { LDC, ULDC, NOTHING };
static const char *const kinds[] = {"ldc", "uldc", "nothing"};

struct Result {
	u64 sum, count, longest, above;
};

__constant__ unsigned array[ARRAY_LINES * LINE];

static __device__ void note(Result *own, u64 taken)
{
	own->sum += taken;
	own->count++;
	own->longest = taken > own->longest ? taken : own->longest;
	own->above += taken > 500;
}

static __device__ void hand_over(Result *results, const Result *own)
{
	if (threadIdx.x % 32 == 0)
		results[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = *own;
}

/* What follows waits until the value is known, which is not above the limit: 0, which the compiler does not know. */
static __device__ void end_if_above(unsigned value, unsigned limit)
{
	asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, %1; @p trap; }" ::"r"(value), "r"(limit) : "memory");
}

static __device__ unsigned sm()
{
	unsigned number;
	asm volatile("mov.u32 %0, %smid;" : "=r"(number));
	return number;
}

/* A reading of the word, from an address in a register: of each thread, or uniform, from `*value`, which is 0, or of nothing. The compiler
 * moves neither before the clock is read: the address of the first is made of the clock, and that of the second of the reading before,
 * behind a branch. */
template <int kind> static __device__ u64 read_word(unsigned word, unsigned *value, unsigned limit)
{
	long long before = clock64();
	if (kind == LDC)
		word += (unsigned)(before >> 62);
	else
		end_if_above((unsigned)(before >> 62), limit);
	if (kind != NOTHING)
		*value = *(const unsigned *)((const char *)array + word * 4 + *value);
	end_if_above(*value, limit);
	return (u64)(clock64() - before);
}

template <int kind, int stride, int lines> static __device__ void read_lines(Result *own, unsigned *value, unsigned limit)
{
#pragma unroll
	for (int i = 0; i < lines; i++)
		note(own, read_word<kind>(i * stride * LINE, value, limit));
}

static __host__ __device__ void add(Result *own, const Result *more)
{
	own->sum += more->sum;
	own->count += more->count;
	own->longest = more->longest > own->longest ? more->longest : own->longest;
	own->above += more->above;
}

/* Lines so far apart, over and over; `on`: blocks of other SMs end at once. */
template <int kind, int stride, int lines>
static __global__ void read_again(int from, int turns, unsigned on, unsigned limit, Result *results)
{
	Result own = {};
	unsigned value = 0;
#pragma unroll 1
	for (int turn = 0; turn < turns && sm() < on; turn++) {
		Result of_turn = {};
		read_lines<kind, stride, lines>(&of_turn, &value, limit);
		if (turn >= from)
			add(&own, &of_turn);
	}
	hand_over(results, &own);
}

/* The lines are there by one instruction; how long do the other one's first readings take? */
template <int there, int first> static __global__ void read_otherwise(int turns, unsigned limit, Result *results)
{
	Result own = {}, other = {};
	unsigned value = limit, first_value = limit;
#pragma unroll 1
	for (int turn = 0; turn < turns; turn++)
		read_lines<there, 1, 16>(&other, &value, limit);
#pragma unroll 1
	for (unsigned turn = limit; turn < 1; turn++)
		read_lines<first, 1, 16>(&own, &first_value, limit);
	end_if_above((unsigned)(other.sum >> 63), limit);
	hand_over(results, &own);
}

#define FOUR(text) text text text text
#define KIBIBYTE FOUR(FOUR(FOUR("mad.lo.u32 %0, %0, %0, %1;\n"))) /* of code, 64 instructions */

template <int kibibytes> struct Code {
	static __device__ void run(unsigned *value)
	{
		asm volatile(FOUR(FOUR(KIBIBYTE)) : "+r"(*value) : "r"(threadIdx.x));
		Code<kibibytes - 16>::run(value);
	}
};
template <> struct Code<0> {
	static __device__ void run(unsigned *)
	{
	}
};

/* So much code between readings of the same lines; the first readings behind it count. */
template <int kind, int lines, int kibibytes> static __global__ void read_behind_code(int turns, unsigned limit, Result *results)
{
	Result own = {}, other = {};
	unsigned value = 0, product = threadIdx.x * 2 + 1;
#pragma unroll 1
	for (int turn = 0; turn < turns; turn++) {
		Result of_turn = {};
		read_lines<kind, 1, lines>(&of_turn, &value, limit);
		read_lines<kind, 1, lines>(&other, &value, limit);
		if (turn > 0)
			add(&own, &of_turn);
		Code<kibibytes>::run(&product);
	}
	end_if_above((unsigned)(other.sum >> 63) + (product == 0), limit);
	hand_over(results, &own);
}

/* Warp 0 reads one line over and over while the others have lines brought, each once. */
template <int kind> static __global__ void read_beside_misses(unsigned limit, Result *results)
{
	Result own = {};
	unsigned warp = threadIdx.x / 32, warps = blockDim.x / 32 - 1, value = 0;
	if (warp == 0)
#pragma unroll 1
		for (int turn = 0; turn < 400; turn++) {
			if (turn == 1)
				own = {};
			note(&own, read_word<kind>(0, &value, limit));
		}
	else
		for (unsigned line = warp; line < ARRAY_LINES; line += warps)
			note(&own, read_word<LDC>(line * LINE, &value, limit));
	hand_over(results, &own);
}

/* Warp 0 has lines brought, each once, while the others load 32 sectors a time, eight at once. */
static __global__ void read_beside_loads(bool loads, const unsigned *words, u64 count, unsigned limit, Result *results)
{
	__shared__ volatile bool over;
	Result own = {};
	unsigned value = 0;
	u64 seed = (blockIdx.x * blockDim.x + threadIdx.x) * 0x9e3779b97f4a7c15ull;
	over = false;
	__syncthreads();
	if (threadIdx.x < 32) {
		u64 begin = (u64)clock64();
		while ((u64)clock64() - begin < 20000)
			;
		for (unsigned line = 0; line < ARRAY_LINES; line++)
			note(&own, read_word<LDC>(line * LINE, &value, limit));
		over = true;
	} else
		while (loads && !over) {
			unsigned read[8], all = 0;
#pragma unroll
			for (int i = 0; i < 8; i++) {
				seed = seed * 6364136223846793005ull + 1442695040888963407ull;
				asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(read[i]) : "l"(words + (seed >> 20) % count));
			}
#pragma unroll
			for (int i = 0; i < 8; i++)
				all += read[i];
			end_if_above(all, limit);
		}
	hand_over(results, &own);
}

/* Lines over and over for `cycles`. */
static __global__ void read_on(u64 cycles, unsigned limit, Result *results)
{
	Result own = {};
	unsigned value = 0;
	u64 begin = (u64)clock64();
#pragma unroll 1
	for (int turn = 0; turn < 2 || (u64)clock64() - begin < cycles; turn++) {
		Result of_turn = {};
		read_lines<LDC, 1, 16>(&of_turn, &value, limit);
		if (turn > 0)
			add(&own, &of_turn);
	}
	hand_over(results, &own);
}

static unsigned *words;
static Result *results;
static int sms;

/* The first `counted` warps of each block from the `from`-th on. */
template <class Launch>
static void measure_from(int from, const char *name, const char *parameters, int warps, int on, int blocks, int counted, Launch launch)
{
	int a_block = warps < 32 ? warps : 32;
	std::vector<Result> read((size_t)blocks * a_block);
	Result all = {};
	for (int i = 0; i < LAUNCHES; i++) {
		CHECK(cudaMemset(words, 0, 256ull << 20));
		launch(blocks, a_block * 32);
		CHECK(cudaGetLastError());
		CHECK(cudaMemcpy(read.data(), results, read.size() * sizeof(Result), cudaMemcpyDeviceToHost));
		for (size_t k = (size_t)from * a_block; k < read.size(); k++)
			if ((int)(k % a_block) < counted)
				add(&all, &read[k]);
	}
	printf("%s,%s,%d,%d,%llu,%.1f,%llu,%llu\n", name, parameters, warps, on, (unsigned long long)all.count,
		(double)all.sum / (double)(all.count > 0 ? all.count : 1), (unsigned long long)all.longest, (unsigned long long)all.above);
	fflush(stdout);
}

template <class Launch>
static void measure(const char *name, const char *parameters, int warps, int on, int blocks, int counted, Launch launch)
{
	measure_from(0, name, parameters, warps, on, blocks, counted, launch);
}

template <int kind, int stride, int lines> static void measure_again(int warps, bool full, int from, int turns)
{
	std::string name = std::string(kinds[kind]) + " again";
	std::string parameters =
		std::to_string(lines) + " lines " + std::to_string(stride * LINE * 4) + " bytes apart behind turn " + std::to_string(from);
	int a_block = warps < 32 ? 1 : warps / 32;
	unsigned on = full ? (unsigned)sms : 1;
	measure(name.c_str(), parameters.c_str(), warps, full ? sms : 1, sms * a_block, 32,
		[=](int blocks, int threads) { read_again<kind, stride, lines><<<blocks, threads>>>(from, turns, on, 0, results); });
}

template <int kind> static void measure_companies()
{
	for (int warps : {32, 64})
		for (bool full : {false, true})
			for (int from : {1, 8}) {
				measure_again<kind, 1, 3>(warps, full, from, 32);
				measure_again<kind, 1, 24>(warps, full, from, 32);
			}
}

template <int kind, int stride> static void measure_stride()
{
	measure_again<kind, stride, 2>(1, false, 4, 16);
	measure_again<kind, stride, 4>(1, false, 4, 16);
	if constexpr (stride * 5 <= ARRAY_LINES)
		measure_again<kind, stride, 5>(1, false, 4, 16);
	if constexpr (stride * 8 <= ARRAY_LINES)
		measure_again<kind, stride, 8>(1, false, 4, 16);
	if constexpr (stride * 9 <= ARRAY_LINES)
		measure_again<kind, stride, 9>(1, false, 4, 16);
	if constexpr (stride * 16 <= ARRAY_LINES)
		measure_again<kind, stride, 16>(1, false, 4, 16);
	if constexpr (stride * 32 <= ARRAY_LINES && stride <= 4)
		measure_again<kind, stride, 32>(1, false, 4, 16);
}

template <int kind> static void measure_strides()
{
	measure_stride<kind, 1>();
	measure_stride<kind, 2>();
	measure_stride<kind, 4>();
	measure_stride<kind, 8>();
	measure_stride<kind, 16>();
	measure_stride<kind, 32>();
	measure_stride<kind, 64>();
	measure_stride<kind, 128>();
}

template <int kind, int lines, int kibibytes> static void measure_code()
{
	std::string name = std::string(kinds[kind]) + " behind code",
		    parameters = std::to_string(lines) + " lines " + std::to_string(kibibytes) + " KiB";
	for (int warps : {1, 32})
		measure(name.c_str(), parameters.c_str(), warps, 1, 1, 32,
			[=](int blocks, int threads) { read_behind_code<kind, lines, kibibytes><<<blocks, threads>>>(6, 0, results); });
	measure(name.c_str(), parameters.c_str(), 32, sms, sms, 32,
		[=](int blocks, int threads) { read_behind_code<kind, lines, kibibytes><<<blocks, threads>>>(6, 0, results); });
}

template <int kind, int lines> static void measure_codes()
{
	measure_code<kind, lines, 0>();
	measure_code<kind, lines, 16>();
	measure_code<kind, lines, 32>();
	measure_code<kind, lines, 64>();
	measure_code<kind, lines, 96>();
	measure_code<kind, lines, 112>();
	measure_code<kind, lines, 128>();
	measure_code<kind, lines, 160>();
	measure_code<kind, lines, 256>();
}

/* With launches in the same stream behind it, all of which are enqueued while it runs. */
static void measure_before_launches(int launches)
{
	cudaStream_t stream;
	Result read;
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	read_on<<<1, 32, 0, stream>>>(400000000, 0, results);
	for (int i = 0; i < launches; i++)
		read_on<<<1, 32, 0, stream>>>((u64)i, 0, results + 1);
	bool while_it_runs = cudaStreamQuery(stream) == cudaErrorNotReady;
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(&read, results, sizeof read, cudaMemcpyDeviceToHost));
	printf("ldc again,16 lines before %d launches of its stream%s,1,1,%llu,%.1f,%llu,%llu\n", launches,
		while_it_runs ? "" : " (too late)", (unsigned long long)read.count, (double)read.sum / (double)read.count,
		(unsigned long long)read.longest, (unsigned long long)read.above);
	fflush(stdout);
}

/* Warps that have to wait for others' turns to issue: of all blocks, and of those that came second to their SM. */
static void measure_starved()
{
	auto launch = [=](int blocks, int threads) { read_again<NOTHING, 1, 3><<<blocks, threads>>>(0, 200, (unsigned)sms, 0, results); };
	measure("nothing", "200 turns", 32, sms, sms, 32, launch);
	measure("nothing", "200 turns", 64, sms, 2 * sms, 32, launch);
	measure_from(sms, "nothing", "200 turns of second blocks", 64, sms, 2 * sms, 32, launch);
}

int main()
{
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&words, 1ull << 30));
	CHECK(cudaMemset(words, 0, 1ull << 30));
	CHECK(cudaMalloc(&results, (size_t)sms * 64 * sizeof(Result)));
	printf("operation,parameters,warps,sms,readings,mean,longest,above\n");
	measure_companies<LDC>();
	measure_companies<ULDC>();
	measure_companies<NOTHING>();
	measure_starved();
	measure_strides<LDC>();
	measure_strides<ULDC>();
#pragma unroll 1
	for (int launches : {0, 900, 0, 900})
		measure_before_launches(launches);
	for (int turns : {0, 4}) {
		const char *parameters = turns == 0 ? "16 lines of nobody" : "16 lines of the other";
		measure("uldc first", parameters, 1, 1, 1, 32,
			[=](int blocks, int threads) { read_otherwise<LDC, ULDC><<<blocks, threads>>>(turns, 0, results); });
		measure("ldc first", parameters, 1, 1, 1, 32,
			[=](int blocks, int threads) { read_otherwise<ULDC, LDC><<<blocks, threads>>>(turns, 0, results); });
	}
	for (int on : {1, sms}) {
		measure("ldc beside misses", "1 line", 32, on, on, 1,
			[=](int blocks, int threads) { read_beside_misses<LDC><<<blocks, threads>>>(0, results); });
		measure("uldc beside misses", "1 line", 32, on, on, 1,
			[=](int blocks, int threads) { read_beside_misses<ULDC><<<blocks, threads>>>(0, results); });
		for (bool loads : {false, true})
			measure("ldc first", loads ? "beside loads" : "beside none", 32, on, on, 1, [=](int blocks, int threads) {
				read_beside_loads<<<blocks, threads>>>(loads, words, 1ull << 28, 0, results);
			});
	}
	measure_codes<LDC, 16>();
	measure_codes<ULDC, 16>();
	measure_codes<NOTHING, 16>();
	measure_codes<LDC, 64>();
	measure_codes<ULDC, 64>();
	return 0;
}
