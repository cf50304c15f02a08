/* What instructions, divergent branches and barriers cost one SM's warps, in cycles of its clock.
 *
 * usage: warps > FILE.csv
 * build: nvcc -arch=sm_90 -O2 -std=c++17 -o warps probe/warps.cu
 * A line: experiment,what,warps,parameter,repetition,cycles. Cycles are from the first warp's beginning to the last one's end, after a
 * pass that fills the instruction cache: of so many operations (parameter) of `chain` and `side by side`, of loads of `chase`, of the whole
 * loop of `divergence`; of 4,096 independent FMAs of `beside`, whose parameter is the turns that the other warps of the sub-partition made
 * meanwhile. One block on one SM, but for `residency`, whose parameter is the number of blocks found on one SM. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include "probe.h"

#define REPETITIONS 7
#define WARPS_MOST 32

typedef unsigned long long u64;
typedef long long i64;

struct stamp {
	i64 begin, end;
};

static stamp *stamps; /* of each warp, or block */
static std::vector<stamp> host(4096);
static int *numbers; /* what a kernel reads */
static float *sink;

static i64 span(int count)
{
	CHECK(cudaGetLastError());
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(host.data(), stamps, sizeof(stamp) * count, cudaMemcpyDeviceToHost));
	i64 begin = host[0].begin, end = host[0].end;
	for (int i = 1; i < count; i++)
		begin = std::min(begin, host[i].begin), end = std::max(end, host[i].end);
	return end - begin;
}

/* ---- operations one after the other, and side by side */

enum operation { FMA, FMA_IMMEDIATE, MAD, WIDE, ADD, LOGIC, SET, DFMA, RSQRT, CONVERT, LDS, SHFL, SPECIAL, LDC, BARRIER, HFMA,
	/* one of each family that opcodes.def has as a class of its own, and of what stands there beside a measured one */
	FADD, FMUL, FSET, FMNMX, IMNMX, SHIFT, PRMT, ABS, DADD, MULHI, CLOCK, WARPID, FLOAT_DOUBLE, INT_DOUBLE, POPC, FLO, BREV, VOTE, MATCH, REDUX,
	LDS64, LDS128, LDS_CONFLICTS, STS_LDS, ATOMS, ATOMS_ONE, LDSM, LDSM4, HMMA, IMMA, DMMA, FENCE, OPERATION_COUNT };
static const char *const names[] = {"ffma", "ffma immediate", "imad", "imad.wide", "iadd", "lop3", "isetp+sel", "dfma", "mufu", "i2f+f2i", "lds", "shfl", "s2r+iadd", "ldc", "bar", "hfma2",
	"fadd", "fmul", "fsetp+sel", "fmnmx", "imnmx", "shf", "prmt", "iabs", "dadd", "imad.hi", "cs2r or s2ur+lop3", "s2r warpid+iadd", "f2f.f64+f2f.f32", "i2f.f64+f2i.f64",
	"popc", "flo", "brev", "isetp+vote", "match.any", "redux", "iadd+lds.64", "iadd+lds.128", "iadd+lds of one bank", "iadd+sts+lds", "iadd+atoms of 32 banks",
	"atoms of one address", "iadd+ldsm", "iadd+ldsm.4", "hmma.16816.f16", "imma.16816.s8", "dmma.884", "membar.gl"};
static_assert(sizeof names / sizeof *names == OPERATION_COUNT, "a name for each operation");

__constant__ int zeros[64];

/* Of shared memory all cells are 0: what an address is made of is what was read before. */
template <int OP> __device__ __forceinline__ void operate_shared(int &i)
{
	int lane = threadIdx.x % 32, zero = 0;
	if (OP == LDS64)
		asm volatile("{ .reg .b32 a; add.s32 a, %0, %1; ld.shared.v2.b32 {%0, a}, [a]; }" : "+r"(i) : "r"(lane * 8));
	if (OP == LDS128)
		asm volatile("{ .reg .b32 a, b, c; add.s32 a, %0, %1; ld.shared.v4.b32 {%0, b, c, a}, [a]; }" : "+r"(i) : "r"(lane * 16));
	if (OP == LDS_CONFLICTS)
		asm volatile("{ .reg .b32 a; add.s32 a, %0, %1; ld.shared.b32 %0, [a]; }" : "+r"(i) : "r"(lane * 128));
	if (OP == STS_LDS)
		asm volatile("{ .reg .b32 a; add.s32 a, %0, %1; st.shared.b32 [a], %2; ld.shared.b32 %0, [a]; }" : "+r"(i) : "r"(lane * 4), "r"(zero) : "memory");
	if (OP == ATOMS)
		asm volatile("{ .reg .b32 a; add.s32 a, %0, %1; atom.shared.add.u32 %0, [a], %2; }" : "+r"(i) : "r"(lane * 4), "r"(zero) : "memory");
	if (OP == ATOMS_ONE)
		asm volatile("atom.shared.exch.b32 %0, [%0], %1;" : "+r"(i) : "r"(zero) : "memory");
	if (OP == LDSM)
		asm volatile("{ .reg .b32 a; add.s32 a, %0, %1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [a]; }" : "+r"(i) : "r"(lane * 16));
	if (OP == LDSM4)
		asm volatile("{ .reg .b32 a, b, c; add.s32 a, %0, %1; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, b, c, a}, [a]; }" : "+r"(i) : "r"(lane * 16));
}

/* Products of matrices, the sums of one the summands of the next. */
template <int OP> __device__ __forceinline__ void operate_matrix(double &d, int mask)
{
	if (OP == HMMA)
		asm volatile("{ .reg .b32 a, b; mov.b64 {a, b}, %0; mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {a, b}, {%1, %1, %1, %1}, {%1, %1}, {a, b}; "
			     "mov.b64 %0, {a, b}; }" : "+d"(d) : "r"(mask));
	if (OP == IMMA)
		asm volatile("{ .reg .b32 a, b, c, e; mov.b64 {a, b}, %0; mov.b64 {c, e}, %0; mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {a, b, c, e}, {%1, %1}, "
			     "{%1}, {a, b, c, e}; mov.b64 %0, {a, e}; }" : "+d"(d) : "r"(mask));
	if (OP == DMMA)
		asm volatile("{ .reg .f64 b; mov.f64 b, %0; mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, b}, {%0}, {%0}, {%0, b}; }" : "+d"(d));
}

template <int OP> __device__ __forceinline__ void operate_warp(int &i)
{
	if (OP == VOTE)
		asm volatile("{ .reg .pred p; setp.ne.s32 p, %0, 0; vote.sync.ballot.b32 %0, p, -1; }" : "+r"(i));
	if (OP == MATCH)
		asm volatile("match.any.sync.b32 %0, %0, -1;" : "+r"(i));
	if (OP == REDUX)
		asm volatile("redux.sync.add.s32 %0, %0, -1;" : "+r"(i));
	if (OP == FENCE)
		__threadfence();
}

template <int OP> __device__ __forceinline__ void operate_family(int &i, float &f, double &d, int mask)
{
	int other;
	if (OP == FADD)
		asm volatile("add.f32 %0, %0, %0;" : "+f"(f));
	if (OP == FMUL)
		asm volatile("mul.f32 %0, %0, %0;" : "+f"(f));
	if (OP == FSET)
		asm volatile("{ .reg .pred p; setp.gt.f32 p, %0, 0f3F000000; selp.f32 %0, 0f3F800000, 0f40000000, p; }" : "+f"(f));
	if (OP == FMNMX)
		asm volatile("max.f32 %0, %0, 0f3F000000;" : "+f"(f));
	if (OP == IMNMX)
		asm volatile("max.s32 %0, %0, %1;" : "+r"(i) : "r"(mask));
	if (OP == SHIFT)
		asm volatile("shf.l.wrap.b32 %0, %0, %0, %1;" : "+r"(i) : "r"(mask));
	if (OP == PRMT)
		asm volatile("prmt.b32 %0, %0, %1, %0;" : "+r"(i) : "r"(mask));
	if (OP == ABS)
		asm volatile("abs.s32 %0, %0;" : "+r"(i));
	if (OP == DADD)
		asm volatile("add.f64 %0, %0, %0;" : "+d"(d));
	if (OP == MULHI)
		asm volatile("mul.hi.u32 %0, %0, %1;" : "+r"(i) : "r"(mask));
	if (OP == CLOCK) {
		asm volatile("mov.u32 %0, %%clock;" : "=r"(other));
		asm volatile("xor.b32 %0, %0, %1;" : "+r"(i) : "r"(other));
	}
	if (OP == WARPID) {
		asm volatile("mov.u32 %0, %%warpid;" : "=r"(other));
		asm volatile("add.s32 %0, %0, %1;" : "+r"(i) : "r"(other));
	}
	if (OP == FLOAT_DOUBLE) {
		asm volatile("cvt.f64.f32 %0, %1;" : "=d"(d) : "f"(f));
		asm volatile("cvt.rn.f32.f64 %0, %1;" : "=f"(f) : "d"(d));
	}
	if (OP == INT_DOUBLE) {
		asm volatile("cvt.rn.f64.s32 %0, %1;" : "=d"(d) : "r"(i));
		asm volatile("cvt.rzi.s32.f64 %0, %1;" : "=r"(i) : "d"(d));
	}
	if (OP == POPC)
		asm volatile("popc.b32 %0, %0;" : "+r"(i));
	if (OP == FLO)
		asm volatile("bfind.u32 %0, %0;" : "+r"(i));
	if (OP == BREV)
		asm volatile("brev.b32 %0, %0;" : "+r"(i));
	operate_shared<OP>(i);
	operate_matrix<OP>(d, mask);
	operate_warp<OP>(i);
}

template <int OP> __device__ __forceinline__ void operate(int &i, float &f, double &d, int mask, float scale = 1.0f)
{
	if (OP == FMA)
		asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f));
	if (OP == FMA_IMMEDIATE)
		asm volatile("fma.rn.f32 %0, %0, %1, 0f3F000000;" : "+f"(f) : "f"(scale));
	if (OP == WIDE) {
		long long w;
		asm volatile("mad.wide.s32 %0, %1, %2, 0;" : "=l"(w) : "r"(i), "r"(mask));
		i = (int)w;
	}
	if (OP == SET)
		asm volatile("{ .reg .pred p; setp.gt.s32 p, %0, %1; selp.s32 %0, 1, 2, p; }" : "+r"(i) : "r"(mask));
	if (OP == MAD)
		asm volatile("mad.lo.s32 %0, %0, %1, %0;" : "+r"(i) : "r"(mask));
	if (OP == ADD)
		asm volatile("add.s32 %0, %0, %1;" : "+r"(i) : "r"(mask));
	if (OP == LOGIC)
		asm volatile("lop3.b32 %0, %0, %1, %0, 0x6a;" : "+r"(i) : "r"(mask));
	if (OP == DFMA)
		asm volatile("fma.rn.f64 %0, %0, %0, %0;" : "+d"(d));
	if (OP == RSQRT)
		asm volatile("ex2.approx.ftz.f32 %0, %0;" : "+f"(f));
	if (OP == CONVERT) {
		asm volatile("cvt.rn.f32.s32 %0, %1;" : "=f"(f) : "r"(i));
		asm volatile("cvt.rzi.s32.f32 %0, %1;" : "=r"(i) : "f"(f));
	}
	if (OP == LDS)
		asm volatile("ld.shared.b32 %0, [%0];" : "+r"(i));
	if (OP == SHFL)
		asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 31, -1;" : "+r"(i));
	if (OP == SPECIAL) {
		int lane;
		asm volatile("mov.u32 %0, %%smid;" : "=r"(lane));
		asm volatile("add.s32 %0, %0, %1;" : "+r"(i) : "r"(lane));
	}
	if (OP == LDC)
		i = *(volatile const int *)&zeros[i];
	if (OP == BARRIER)
		__syncthreads();
	if (OP == HFMA)
		asm volatile("fma.rn.f16x2 %0, %0, %0, %0;" : "+r"(i));
	operate_family<OP>(i, f, d, mask);
}

template <int OP, int SIDE, int OPERATIONS> __global__ void chain(stamp *out, int mask, float *sink)
{
	extern __shared__ int cells[];
	int i[SIDE];
	float f[SIDE];
	double d[SIDE];
	float scale = 1.0001f + mask;
	for (int k = threadIdx.x; k < 1024; k += blockDim.x)
		cells[k] = 0;
	for (int k = 0; k < SIDE; k++)
		i[k] = 0, f[k] = threadIdx.x, d[k] = threadIdx.x;
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = clock64();
#pragma unroll
		for (int n = 0; n < OPERATIONS / SIDE; n++)
#pragma unroll
			for (int k = 0; k < SIDE; k++)
				operate<OP>(i[k], f[k], d[k], mask, scale);
		int all = 0;
		for (int k = 0; k < SIDE; k++)
			all += i[k] + (int)f[k] + (int)d[k];
		if (all == 0x12345)
			sink[0] = all;
		end = clock64();
	}
	if (threadIdx.x % 32 == 0)
		out[threadIdx.x / 32] = {begin, end};
}

/* Of two lengths, whose difference has neither the clock's reading nor the ends in it. */
template <int OP, int SIDE, int COUNT> static void lengths(const char *name, int warps)
{
	for (int repetition = 0; repetition < REPETITIONS; repetition++) {
		chain<OP, SIDE, COUNT><<<1, 32 * warps, 4096>>>(stamps, 0, sink);
		i64 first = span(warps);
		chain<OP, SIDE, 2 * COUNT><<<1, 32 * warps, 4096>>>(stamps, 0, sink);
		printf("%s,%s,%d,%d,%d,%lld\n", name, names[OP], warps, COUNT, repetition, span(warps) - first);
	}
}

template <int OP> static void operations(void)
{
	for (int warps = 1; warps <= WARPS_MOST; warps = warps < 4 ? warps + 1 : warps * 2) {
		lengths<OP, 1, 128>("chain", warps);
		lengths<OP, 4, 128>("side by side", warps);
	}
}

/* ---- global loads: one thread chases a pointer through so many bytes */

__global__ void chase(stamp *out, const int *numbers, int steps, float *sink)
{
	int at = 0;
	i64 begin = 0, end = 0;
	for (int pass = 0; pass < 2; pass++) {
		at = 0;
		begin = clock64();
#pragma unroll 1
		for (int i = 0; i < steps; i++)
			at = __ldcg(numbers + at);
		if (at == -5)
			sink[0] = at;
		end = clock64();
	}
	out[0] = {begin, end};
}

static void loads(void)
{
	for (int kib : {64, 1024, 16384, 262144}) {
		int words = kib * 256, stride = 257 * 32, steps = 2048;
		std::vector<int> next(words, 0);
		int at = 0;
		for (int i = 0; i < steps; i++)
			at = next[at] = (int)(((i64)at + stride) % words);
		int *ring;
		CHECK(cudaMalloc(&ring, sizeof(int) * words));
		CHECK(cudaMemcpy(ring, next.data(), sizeof(int) * words, cudaMemcpyHostToDevice));
		for (int repetition = 0; repetition < REPETITIONS; repetition++) {
			chase<<<1, 1>>>(stamps, ring, steps, sink);
			printf("chase,ldg.cg KiB,%d,%d,%d,%lld\n", kib, steps, repetition, span(1));
		}
		CHECK(cudaFree(ring));
	}
}

/* ---- divergence: the loops of seed 004; a chain of branches that one of `paths` groups takes each */

__global__ void single_loop(stamp *out, const int *limits, float *sink)
{
	int limit = limits[threadIdx.x];
	float sum = 0;
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		begin = clock64();
#pragma unroll 1
		for (int i = 0; i < limit; i++)
			sum += sum * 0.5f + 1.0f;
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = sum;
	out[threadIdx.x] = {begin, end};
}

__global__ void double_loop(stamp *out, const int *limits, float *sink)
{
	int limit = limits[threadIdx.x];
	float sum = 0;
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		begin = clock64();
#pragma unroll 1
		for (int i = 0; i < limit; i++)
#pragma unroll 1
			for (int j = 0; j < limit; j++)
				sum += sum * 0.5f + 1.0f;
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = sum;
	out[threadIdx.x] = {begin, end};
}

/* `wanted` of a lane says which of 32 arms it takes: -1 none. Every arm is a call that cannot be a predicate. */
__global__ void arms(stamp *out, const int *wanted, float *sink)
{
	int want = wanted[threadIdx.x];
	float sum = 1;
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		begin = clock64();
#pragma unroll 1
		for (int arm = 0; arm < 32; arm++)
			if (want == arm || want == 32) {
#pragma unroll
				for (int k = 0; k < 16; k++)
					asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(sum));
			}
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = sum;
	out[threadIdx.x] = {begin, end};
}

/* 16 loads one after the other, of L2 or of shared memory; each address is of the word read before. */
template <bool SHARED> __device__ __forceinline__ int follow(const int *from, const int *own, int sum)
{
#pragma unroll
	for (int k = 0; k < 16; k++)
		if (SHARED)
			asm volatile("ld.volatile.shared.s32 %0, [%1];" : "=r"(sum) : "r"((unsigned)__cvta_generic_to_shared(own) + (sum & 4)));
		else
			asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(sum) : "l"(from + (sum & 4)));
	return sum;
}

/* Four ways that meet behind them: do groups that went different ones wait at the same time? Way w has 16 loads. */
template <bool SHARED> __global__ void ways(stamp *out, const int *wanted, float *sink)
{
	__shared__ int own[32];
	int want = wanted[threadIdx.x], sum = 0;
	i64 begin = 0, end = 0;
	own[threadIdx.x] = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		begin = clock64();
#pragma unroll 1
		for (int turn = 0; turn < 32; turn++) {
			if (want == 0)
				sum = follow<SHARED>(wanted + 32, own, sum) + 1;
			else if (want == 1)
				sum = follow<SHARED>(wanted + 64, own + 8, sum) + 2;
			else if (want == 2)
				sum = follow<SHARED>(wanted + 96, own + 16, sum) + 3;
			else
				sum = follow<SHARED>(wanted + 128, own + 24, sum) + 5;
			__syncwarp();
		}
		end = clock64();
	}
	sink[threadIdx.x] = (float)sum;
	out[threadIdx.x] = {begin, end};
}

/* One branch, two sides, in every turn; lanes below `split` take one. */
__global__ void sides(stamp *out, const int *wanted, float *sink)
{
	int want = wanted[threadIdx.x];
	float sum = 1;
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncwarp();
		begin = clock64();
#pragma unroll 1
		for (int turn = 0; turn < 32; turn++) {
			if (want == turn * 0) {
#pragma unroll
				for (int k = 0; k < 16; k++)
					asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(sum));
			} else {
#pragma unroll
				for (int k = 0; k < 16; k++)
					asm volatile("mul.f32 %0, %0, %0;" : "+f"(sum));
			}
		}
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = sum;
	out[threadIdx.x] = {begin, end};
}

static void give(const std::vector<int> &values)
{
	CHECK(cudaMemcpy(numbers, values.data(), sizeof(int) * values.size(), cudaMemcpyHostToDevice));
}

/* ---- a warp beside warps of its sub-partition that part all the time */

#define SCHEDULERS 4
#define BESIDE_MOST 7
#define BESIDE_TURNS 512 /* of the victim, 8 independent FMAs each */

/* Warp `victim` * 4 issues FMAs as fast as it can, the others of its sub-partition go through a branch again and again; lanes of equal
 * `wanted` keep together. out[0]: the victim's time; out[1]: the others' turns until it began and until it ended, together. */
__global__ void beside(stamp *out, const int *wanted, float *sink, int victim)
{
	__shared__ volatile int turns[BESIDE_MOST + 1], done;
	int warp = threadIdx.x / 32, place = warp / SCHEDULERS, want = wanted[threadIdx.x % 32];
	float f[8], sum = 1;
	for (int k = 0; k < 8; k++)
		f[k] = (float)k;
	if (warp % SCHEDULERS == 0)
		turns[place] = 0;
	if (threadIdx.x == 0)
		done = 0;
	__syncthreads();
	if (warp % SCHEDULERS != 0)
		return;
	if (place != victim) {
#pragma unroll 1
		for (int turn = 0; done == 0; turn++) {
#pragma unroll 1
			for (int group = 0; group < 32; group++) /* one branch a group: its lanes take it, the others do not */
				if (want == group || want == -1) {
#pragma unroll
					for (int k = 0; k < 16; k++)
						asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(sum));
				}
			turns[place] = turn + 1;
		}
		sink[threadIdx.x] = sum;
		return;
	}
	i64 begin = 0, end = 0, before = 0, after = 0;
	for (i64 from = clock64(); clock64() - from < 20000;)
		;
	for (int i = 0; i <= BESIDE_MOST; i++)
		before += turns[i];
	begin = clock64();
#pragma unroll 1
	for (int turn = 0; turn < BESIDE_TURNS; turn++)
#pragma unroll
		for (int k = 0; k < 8; k++)
			asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(f[k]));
	end = clock64();
	for (int i = 0; i <= BESIDE_MOST; i++)
		after += turns[i];
	done = 1;
	for (int k = 0; k < 8; k++)
		sum += f[k];
	sink[threadIdx.x] = sum;
	out[0] = {begin, end};
	out[1] = {before, after};
}

/* groups: into how many a warp parts; 1: it does not, -1 all lanes take every branch. */
static void beside_groups(const char *name, int groups, int others, bool oldest)
{
	std::vector<int> values(32);
	for (int t = 0; t < 32; t++)
		values[t] = groups < 0 ? -1 : t * groups / 32;
	give(values);
	for (int repetition = 0; repetition < REPETITIONS; repetition++) {
		beside<<<1, 32 * ((others + 1) * SCHEDULERS)>>>(stamps, numbers, sink, oldest ? 0 : others);
		i64 cycles = span(1);
		CHECK(cudaMemcpy(host.data(), stamps, sizeof(stamp) * 2, cudaMemcpyDeviceToHost));
		printf("beside,%s%s,%d,%lld,%d,%lld\n", name, oldest ? " older" : "", others, host[1].end - host[1].begin, repetition, cycles);
	}
}

static void besides(void)
{
	for (int oldest = 0; oldest < 2; oldest++)
		for (int others = 0; others <= BESIDE_MOST; others++) {
			beside_groups("no group parts", 1, others, oldest);
			beside_groups("two groups", 2, others, oldest);
			beside_groups("32 groups", 32, others, oldest);
			beside_groups("all take all", -1, others, oldest);
		}
}

typedef void (*lane_kernel)(stamp *, const int *, float *);

static void lanes(const char *name, lane_kernel kernel, int parameter, const std::vector<int> &values)
{
	give(values);
	for (int repetition = 0; repetition < REPETITIONS; repetition++) {
		kernel<<<1, 32>>>(stamps, numbers, sink);
		printf("divergence,%s,1,%d,%d,%lld\n", name, parameter, repetition, span(32));
	}
}

static void divergence(void)
{
	std::vector<int> values(32);
	for (int m = 0; m < 32; m++) {
		for (int t = 0; t < 32; t++)
			values[t] = 32 - std::max(0, t - (31 - m));
		lanes("single loop", single_loop, m, values);
		lanes("double loop", double_loop, m, values);
	}
	for (int paths = 0; paths <= 32; paths++) {
		for (int t = 0; t < 32; t++)
			values[t] = paths == 0 ? -1 : t % paths;
		lanes("arms", arms, paths, values);
	}
	lanes("arms", arms, 33, std::vector<int>(32, 32)); /* all take all */
	for (int split = 0; split <= 32; split += 8) {
		for (int t = 0; t < 32; t++)
			values[t] = t >= split;
		lanes("sides", sides, split, values);
	}
	for (int groups = 1; groups <= 4; groups++) {
		for (int t = 0; t < 32; t++)
			values[t] = t % groups;
		lanes("ways, L2", ways<false>, groups, values);
		lanes("ways, shared", ways<true>, groups, values);
	}
}

/* ---- which warps share a scheduler; pipes side by side */

/* What the n-th warp does: 0 nothing, 1 MUFU, 2 IMAD, 3 FFMA, 4 DFMA, 5 IMAD and FFMA in turns. */
__global__ void roles(stamp *out, const int *role, float *sink)
{
	int mine = role[threadIdx.x / 32], i[4] = {0, 1, 2, 3};
	float f[4] = {0, 1, 2, 3};
	double d[4] = {0, 1, 2, 3};
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = clock64();
		if (mine == 1)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<RSQRT>(i[k % 4], f[k % 4], d[0], 3);
		if (mine == 2)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<MAD>(i[k % 4], f[k % 4], d[0], 3);
		if (mine == 3)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<FMA>(i[k % 4], f[k % 4], d[0], 3);
		if (mine == 4)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<DFMA>(i[k % 4], f[k % 4], d[k % 4], 3);
		if (mine == 5)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++) {
					operate<MAD>(i[k % 4], f[k % 4], d[0], 3);
					operate<FMA>(i[k % 4], f[k % 4], d[0], 3);
				}
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = f[0] + f[1] + f[2] + f[3] + i[0] + i[1] + i[2] + i[3] + (float)(d[0] + d[1] + d[2] + d[3]);
	if (threadIdx.x % 32 == 0)
		out[threadIdx.x / 32] = {begin, end};
}

/* The time of the warps that work. */
static i64 working(const std::vector<int> &role)
{
	span((int)role.size());
	i64 most = 0;
	for (size_t i = 0; i < role.size(); i++)
		most = role[i] != 0 ? std::max(most, host[i].end - host[i].begin) : most;
	return most;
}

static void sharing(void)
{
	for (int second = 1; second < 32; second++) { /* warp 0 and another */
		std::vector<int> role(32, 0);
		role[0] = role[second] = 1;
		give(role);
		for (int repetition = 0; repetition < 2; repetition++) {
			roles<<<1, 1024>>>(stamps, numbers, sink);
			printf("sharing,mufu of warp 0 and,2,%d,%d,%lld\n", second, repetition, working(role));
		}
	}
}

static void mixtures(void)
{
	static const char *const kinds[] = {"", "mufu", "imad", "ffma", "dfma", "imad+ffma"};
	for (int warps = 1; warps <= 32; warps++)
		for (int kind = 1; kind <= 5; kind++) {
			std::vector<int> role(warps, kind);
			give(role);
			roles<<<1, 32 * warps>>>(stamps, numbers, sink);
			roles<<<1, 32 * warps>>>(stamps, numbers, sink);
			printf("mixture,%s,%d,0,0,%lld\n", kinds[kind], warps, working(role));
		}
	for (int other : {2, 3}) /* seed 001, figure 6: so many of 16 warps on doubles, the others on int or fp32 */
		for (int doubles = 0; doubles <= 16; doubles++) {
			std::vector<int> role(16, other);
			for (int i = 0; i < doubles; i++)
				role[i] = 4;
			give(role);
			roles<<<1, 512>>>(stamps, numbers, sink);
			roles<<<1, 512>>>(stamps, numbers, sink);
			printf("mixture,dfma of 16 warps and %s,16,%d,0,%lld\n", kinds[other], doubles, working(role));
		}
}

/* ---- blocks of one SM side by side: the loop of four dependent FMAs */

__global__ void compute(int turns, stamp *out, int *sm, float *sink)
{
	unsigned self;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(self));
	__syncthreads();
	i64 begin = clock64();
	float a = threadIdx.x, b = 1.0001f;
#pragma unroll 1
	for (int i = 0; i < turns; i++) {
		a = a * b + 0.5f;
		a = a * b + 0.25f;
		a = a * b - 0.5f;
		a = a * b - 0.25f;
	}
	if (a == 12345.678f)
		sink[0] = a;
	__syncthreads();
	i64 end = clock64();
	if (threadIdx.x == 0) {
		out[blockIdx.x] = {begin, end};
		sm[blockIdx.x] = (int)self;
	}
}

static void residency(void)
{
	cudaDeviceProp properties;
	CHECK(cudaGetDeviceProperties(&properties, 0));
	int sms = properties.multiProcessorCount, *where;
	CHECK(cudaMalloc(&where, sizeof(int) * 4096));
	std::vector<int> sm(4096);
	for (int threads : {32, 64, 96, 160, 256, 512})
		for (int blocks = 1; blocks <= 32 && blocks * threads <= 2048; blocks++)
			for (int repetition = 0; repetition < REPETITIONS && blocks * sms <= 4096; repetition++) {
				compute<<<blocks * sms, threads>>>(1024, stamps, where, sink);
				CHECK(cudaGetLastError());
				CHECK(cudaDeviceSynchronize());
				CHECK(cudaMemcpy(host.data(), stamps, sizeof(stamp) * blocks * sms, cudaMemcpyDeviceToHost));
				CHECK(cudaMemcpy(sm.data(), where, sizeof(int) * blocks * sms, cudaMemcpyDeviceToHost));
				std::vector<i64> begin(sms, 1LL << 62), end(sms, 0);
				std::vector<int> count(sms, 0);
				i64 longest = 0, whole = 0, most = 0;
				for (int i = 0; i < blocks * sms; i++) {
					longest = std::max(longest, host[i].end - host[i].begin);
					begin[sm[i]] = std::min(begin[sm[i]], host[i].begin);
					end[sm[i]] = std::max(end[sm[i]], host[i].end);
					most = std::max<i64>(most, ++count[sm[i]]);
				}
				for (int i = 0; i < sms; i++)
					whole = std::max(whole, end[i] - begin[i]);
				printf("residency,block of %d threads,%d,%lld,%d,%lld\n", threads, blocks, most, repetition, longest);
				printf("residency,sm of %d threads,%d,%lld,%d,%lld\n", threads, blocks, most, repetition, whole);
			}
	CHECK(cudaFree(where));
}

template <int OP> static void each(void)
{
	operations<OP>();
	if constexpr (OP + 1 < OPERATION_COUNT)
		each<OP + 1>();
}

int main(void)
{
	CHECK(cudaMalloc(&stamps, sizeof(stamp) * 4096));
	CHECK(cudaMalloc(&numbers, sizeof(int) * 4096));
	CHECK(cudaMalloc(&sink, sizeof(float) * 4096));
	printf("experiment,what,warps,parameter,repetition,cycles\n");
	each<0>();
	loads();
	divergence();
	besides();
	sharing();
	mixtures();
	residency();
	return 0;
}
