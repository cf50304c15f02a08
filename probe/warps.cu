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

typedef long long i64;

struct stamp {
	i64 begin, end;
};

static stamp *stamps; /* of each warp, or block */
static std::vector<stamp> host(4096);
static int *numbers; /* what a kernel reads */
static float *sink;
static bool missing; /* an operation that the compiler took out */

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

/* What a chain hands on is %0, an integer, a float or a double. The others are of the launch, so that nothing is known before it: of integers
 * %1 is 0, %2 is 1, %3 the lane; of floats and doubles %1 is a little more than 1, %2 is 2. X(symbol, name, assembly). */
#define INTEGERS(X)                                                                                                                        \
	X(MAD, "imad", "mad.lo.s32 %0, %0, %1, %0;")                                                                                       \
	X(WIDE, "imad.wide", "{ .reg .b64 a; .reg .b32 b; mad.wide.s32 a, %0, %1, 0; mov.b64 {%0, b}, a; add.s32 %0, %0, b; }")            \
	X(CARRY, "iadd.cc+iadd.x", "add.cc.s32 %0, %0, %3; addc.s32 %0, %0, %1;")                                                          \
	X(LOGIC, "lop3", "lop3.b32 %0, %0, %1, %3, 0x6a;")                                                                                 \
	X(SET, "isetp+sel", "{ .reg .pred p; setp.gt.s32 p, %0, %1; selp.s32 %0, %1, %2, p; }")                                            \
	X(IMNMX, "imnmx+iadd", "max.s32 %0, %0, %1; add.s32 %0, %0, %3;")                                                                  \
	X(ADDMAX, "iadd+imnmx+lop3", "add.s32 %0, %0, %1; max.s32 %0, %0, %3; xor.b32 %0, %0, %3;")                                        \
	X(SHIFT, "shf", "shf.l.wrap.b32 %0, %0, %3, %2;")                                                                                  \
	X(PRMT, "prmt", "prmt.b32 %0, %0, %3, %2;")                                                                                        \
	X(ABS, "iabs+iadd", "abs.s32 %0, %0; sub.s32 %0, %0, %3;")                                                                         \
	X(SCALE, "lea", "{ .reg .b32 a; shl.b32 a, %0, 3; add.s32 %0, a, %3; }")                                                           \
	X(MASK, "bmsk", "bmsk.clamp.b32 %0, %0, %2;")                                                                                      \
	X(EXTEND, "sgxt+iadd", "szext.clamp.s32 %0, %0, %3; add.s32 %0, %0, %3;")                                                          \
	X(DOT4, "idp.4a", "dp4a.s32.s32 %0, %0, %1, %3;")                                                                                  \
	X(DOT2, "idp.2a", "dp2a.lo.s32.s32 %0, %0, %1, %3;")                                                                               \
	X(SAD, "sad", "sad.s32 %0, %0, %1, %3;")                                                                                           \
	X(SAD4, "vabsdiff4", "vabsdiff4.u32.u32.u32.add %0, %0, %1, %3;")                                                                  \
	X(MULHI, "imad.hi", "mul.hi.u32 %0, %0, %3;")                                                                                      \
	X(MUL64, "64-bit product", "{ .reg .b64 a; .reg .b32 b; cvt.s64.s32 a, %0; mul.lo.s64 a, a, a; mov.b64 {b, %0}, a; add.s32 %0, %0, b; }") \
	X(HFMA, "hfma2", "fma.rn.f16x2 %0, %0, %0, %3;")                                                                                   \
	X(HADD, "hadd2", "add.f16x2 %0, %0, %3;")                                                                                          \
	X(HMUL, "hmul2", "mul.f16x2 %0, %0, %3;")                                                                                          \
	X(HMAX, "hmnmx2+hadd2", "max.f16x2 %0, %0, %1; add.f16x2 %0, %0, %3;")                                                             \
	X(HSET, "hset2", "set.gt.f16x2.f16x2 %0, %0, %3;")                                                                                 \
	X(BFMA, "hfma2.bf16", "fma.rn.bf16x2 %0, %0, %0, %3;")                                                                             \
	X(CONVERT, "i2f+f2i", "{ .reg .f32 a; cvt.rn.f32.s32 a, %0; cvt.rzi.s32.f32 %0, a; }")                                             \
	X(CONVERT8, "i2f.u8+f2i", "{ .reg .f32 a; cvt.rn.f32.u8 a, %0; cvt.rzi.u32.f32 %0, a; }")                                          \
	X(PACK, "f2fp", "{ .reg .f32 a; mov.b32 a, %0; cvt.rn.f16x2.f32 %0, a, a; }")                                                      \
	X(UNPACK, "hadd2.f32+f2f.f16", "{ .reg .f32 a; .reg .b16 b, c; mov.b32 {b, c}, %0; cvt.f32.f16 a, b; cvt.rn.f16.f32 b, a; mov.b32 %0, {b, c}; }") \
	X(INT_DOUBLE, "i2f.f64+f2i.f64", "{ .reg .f64 a; cvt.rn.f64.s32 a, %0; cvt.rzi.s32.f64 %0, a; }")                                  \
	X(CONVERT8_ONE, "i2f.u8", "{ .reg .f32 a; cvt.rn.f32.u8 a, %0; mov.b32 %0, a; }")                                                  \
	X(F2I, "f2i", "{ .reg .f32 a; mov.b32 a, %0; cvt.rzi.s32.f32 %0, a; }")                                                            \
	X(WIDEN, "f2f.f64 by the high half", "{ .reg .f32 a; .reg .f64 b; .reg .b32 c; mov.b32 a, %0; cvt.f64.f32 b, a; mov.b64 {c, %0}, b; }") \
	X(NARROW, "f2f.f32 of a double", "{ .reg .f32 a; .reg .f64 b; mov.b64 b, {%3, %0}; cvt.rn.f32.f64 a, b; mov.b32 %0, a; }")         \
	X(INT_WIDEN, "i2f.f64 by the high half", "{ .reg .f64 b; .reg .b32 c; cvt.rn.f64.s32 b, %0; mov.b64 {c, %0}, b; }")                \
	X(INT_NARROW, "f2i.f64", "{ .reg .f64 b; mov.b64 b, {%3, %0}; cvt.rzi.s32.f64 %0, b; }")                                           \
	X(POPC, "popc+iadd", "popc.b32 %0, %0; add.s32 %0, %0, %3;")                                                                       \
	X(FLO, "flo+iadd", "bfind.u32 %0, %0; add.s32 %0, %0, %3;")                                                                        \
	X(BREV, "brev+iadd", "brev.b32 %0, %0; add.s32 %0, %0, %3;")                                                                       \
	X(SMID, "s2r smid+iadd", "{ .reg .b32 a; mov.u32 a, %%smid; add.s32 %0, %0, a; }")                                                 \
	X(WARPID, "s2r warpid+iadd", "{ .reg .b32 a; mov.u32 a, %%warpid; add.s32 %0, %0, a; }")                                           \
	X(CLOCK, "cs2r clock+lop3", "{ .reg .b32 a; mov.u32 a, %%clock; xor.b32 %0, %0, a; }")                                             \
	X(CLOCK64, "cs2r clock64+lop3", "{ .reg .b64 a; .reg .b32 b, c; mov.u64 a, %%clock64; mov.b64 {b, c}, a; xor.b32 %0, %0, b; }")    \
	X(SHFL, "shfl", "shfl.sync.bfly.b32 %0, %0, 1, 31, -1;")                                                                           \
	X(SHFL_INDEX, "shfl idx", "shfl.sync.idx.b32 %0, %0, %3, 31, -1;")                                                                 \
	X(BALLOT, "isetp+vote", "{ .reg .pred p; setp.ne.s32 p, %0, %3; vote.sync.ballot.b32 %0, p, -1; }")                                \
	X(ANY, "isetp+vote.any+sel", "{ .reg .pred p; setp.ne.s32 p, %0, %3; vote.sync.any.pred p, p, -1; selp.s32 %0, %1, %2, p; }")      \
	X(MATCH, "match.any", "match.any.sync.b32 %0, %0, -1;")                                                                            \
	X(MATCH_DISTINCT, "match.any of 32 values+iadd", "{ .reg .b32 a; add.s32 a, %0, %3; match.any.sync.b32 %0, a, -1; }")                \
	X(MATCH_ALL, "match.all", "match.all.sync.b32 %0, %0, -1;")                                                                        \
	X(REDUX, "redux+iadd", "redux.sync.add.s32 %0, %0, -1; add.s32 %0, %0, %3;")                                                       \
	X(REDUX_MAX, "redux.max+iadd", "redux.sync.max.s32 %0, %0, -1; add.s32 %0, %0, %3;")                                               \
	X(WARPSYNC, "lop3+warpsync", "{ .reg .b32 a; not.b32 a, %0; bar.warp.sync a; }")                                                   \
	X(LDS, "lds", "ld.shared.b32 %0, [%0];")                                                                                           \
	X(LDS8, "lds.u8", "ld.shared.u8 %0, [%0];")                                                                                        \
	X(LDS64, "iadd+lds.64", "{ .reg .b32 a; mad.lo.s32 a, %3, 8, %0; ld.shared.v2.b32 {%0, a}, [a]; add.s32 %0, %0, a; }")             \
	X(LDS128, "iadd+lds.128", "{ .reg .b32 a, b, c; mad.lo.s32 a, %3, 16, %0; ld.shared.v4.b32 {%0, b, c, a}, [a]; add.s32 %0, %0, a; add.s32 %0, %0, b; add.s32 %0, %0, c; }") \
	X(LDS_CONFLICTS, "iadd+lds of one bank", "{ .reg .b32 a; mad.lo.s32 a, %3, 128, %0; ld.shared.b32 %0, [a]; }")                     \
	X(STS_LDS, "iadd+sts+lds", "{ .reg .b32 a; mad.lo.s32 a, %3, 4, %0; st.volatile.shared.b32 [a], %1; ld.volatile.shared.b32 %0, [a]; }")              \
	X(STS, "sts", "st.volatile.shared.b32 [%0], %1;")                                                                                           \
	X(ATOMS, "iadd+atoms of 32 banks", "{ .reg .b32 a; mad.lo.s32 a, %3, 4, %0; atom.shared.add.u32 %0, [a], %1; }")                   \
	X(ATOMS_ONE, "atoms of one address", "atom.shared.exch.b32 %0, [%0], %1;")                                                         \
	X(ATOMS_CAS, "atoms.cas of one address", "atom.shared.cas.b32 %0, [%0], %1, %1;")                                                  \
	X(LDSM, "iadd+ldsm", "{ .reg .b32 a; mad.lo.s32 a, %3, 16, %0; ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [a]; }")             \
	X(LDSM4, "iadd+ldsm.4", "{ .reg .b32 a, b, c; mad.lo.s32 a, %3, 16, %0; ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, b, c, a}, [a]; add.s32 %0, %0, a; add.s32 %0, %0, b; add.s32 %0, %0, c; }") \
	X(IMAD_LOP3, "imad+lop3", "mad.lo.s32 %0, %0, %1, %3; lop3.b32 %0, %0, %1, %3, 0x6a;")                                             \
	X(FFMA_LOP3, "ffma+lop3", "{ .reg .f32 a; mov.b32 a, %0; fma.rn.f32 a, a, a, a; mov.b32 %0, a; lop3.b32 %0, %0, %1, %3, 0x6a; }")  \
	X(FFMA_IMAD, "ffma+imad", "{ .reg .f32 a; mov.b32 a, %0; fma.rn.f32 a, a, a, a; mov.b32 %0, a; mad.lo.s32 %0, %0, %1, %3; }")      \
	X(HFMA_LOP3, "hfma2+lop3", "fma.rn.f16x2 %0, %0, %0, %3; lop3.b32 %0, %0, %1, %3, 0x6a;")                                          \
	X(FENCE_BLOCK, "membar.cta", "fence.acq_rel.cta;")
#define FLOATS(X)                                                                                                                          \
	X(FMA, "ffma", "fma.rn.f32 %0, %0, %0, %0;")                                                                                       \
	X(FMA_IMMEDIATE, "ffma immediate", "fma.rn.f32 %0, %0, %1, 0f3F000000;")                                                           \
	X(FADD, "fadd", "add.f32 %0, %0, %0;")                                                                                             \
	X(FMUL, "fmul", "mul.f32 %0, %0, %1;")                                                                                             \
	X(FSET, "fsetp+fsel", "{ .reg .pred p; setp.gt.f32 p, %0, %1; selp.f32 %0, %1, %2, p; }")                                          \
	X(FMNMX, "fmnmx+fadd", "max.f32 %0, %0, %1; add.f32 %0, %0, %2;")                                                                  \
	X(ROUND, "frnd+fadd", "cvt.rni.f32.f32 %0, %0; add.f32 %0, %0, %1;")                                                               \
	X(EX2, "mufu.ex2", "ex2.approx.ftz.f32 %0, %0;")                                                                                   \
	X(RCP, "mufu.rcp+fadd", "rcp.approx.ftz.f32 %0, %0; add.f32 %0, %0, %1;")                                                                                   \
	X(RSQRT, "mufu.rsq", "rsqrt.approx.ftz.f32 %0, %0;")                                                                               \
	X(LG2, "mufu.lg2", "lg2.approx.ftz.f32 %0, %0;")                                                                                   \
	X(SINE, "fmul+mufu.sin", "sin.approx.ftz.f32 %0, %0;")                                                                             \
	X(TANH, "mufu.tanh", "tanh.approx.f32 %0, %0;")                                                                                    \
	X(DIVIDE, "division", "div.rn.f32 %0, %0, %1;")                                                                                    \
	X(FLOAT_DOUBLE, "f2f.f64+f2f.f32", "{ .reg .f64 a; cvt.f64.f32 a, %0; cvt.rn.f32.f64 %0, a; }")
#define DOUBLES(X)                                                                                                                         \
	X(DFMA, "dfma", "fma.rn.f64 %0, %0, %0, %0;")                                                                                      \
	X(DADD, "dadd", "add.f64 %0, %0, %0;")                                                                                             \
	X(DMUL, "dmul", "mul.f64 %0, %0, %1;")                                                                                             \
	X(DSET, "dsetp+fsel", "{ .reg .pred p; setp.gt.f64 p, %0, %1; selp.f64 %0, %1, %2, p; }")                                          \
	X(RCP64, "mufu.rcp64h", "rcp.approx.ftz.f64 %0, %0;")
#define FLOAT_SUMS(text)                                                                                                                   \
	"{ .reg .f32 a, b, c, d; mov.b32 a, %0; mov.b32 b, %1; mov.b32 c, %2; mov.b32 d, %3; " text                                        \
	" {a, b, c, d}; mov.b32 %0, a; mov.b32 %1, b; mov.b32 %2, c; mov.b32 %3, d; }"
#define FOUR "{%4, %4, %4, %4}, "
#define TWO "{%4, %4}, "
/* Products of matrices, the sums of one the summands of the next; %0 to %3 are those, %4 is 0. */
#define MATRICES(X)                                                                                                                        \
	X(HMMA, "hmma.16816.f16", "mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0, %1}, " FOUR TWO "{%0, %1};")                      \
	X(HMMA_F32, "hmma.16816.f32", FLOAT_SUMS("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {a, b, c, d}, " FOUR TWO))              \
	X(HMMA_BF16, "hmma.16816.f32.bf16", FLOAT_SUMS("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {a, b, c, d}, " FOUR TWO))      \
	X(HMMA_8, "hmma.1688.f32", FLOAT_SUMS("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {a, b, c, d}, " TWO "{%4}, "))              \
	X(HMMA_TF32, "hmma.1688.f32.tf32", FLOAT_SUMS("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {a, b, c, d}, " FOUR TWO))        \
	X(IMMA, "imma.16816.s8", "mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, " TWO "{%4}, {%0, %1, %2, %3};")        \
	X(IMMA_32, "imma.16832.s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, " FOUR TWO "{%0, %1, %2, %3};")

#define SYMBOL(symbol, name, text) symbol,
enum operation { INTEGERS(SYMBOL) FLOATS(SYMBOL) DOUBLES(SYMBOL) MATRICES(SYMBOL) DMMA, DMMA_16, WIDE_LOW, WIDE_HIGH, WIDE_SUM, LDC, BARRIER, FENCE, PREFETCH, CALL, OPERATION_COUNT };
#define NAME(symbol, name, text) name,
static const char *const names[] = {
	INTEGERS(NAME) FLOATS(NAME) DOUBLES(NAME) MATRICES(NAME) "dmma.884", "dmma.16816", "imad.wide by the low half", "imad.wide by the high half", "imad.wide by the sum", "ldc", "bar", "membar.gl", "r2ur+ublkpf", "call+iadd+ret"};
static_assert(sizeof names / sizeof *names == OPERATION_COUNT, "a name for each operation");

__constant__ int zeros[64];

/* What nobody knows before the launch: 0, 1, the lane; a little more than 1, 2. */
struct unknown {
	int zero, one, lane;
	float scale, two;
	i64 wide;
};

struct value {
	int i, more[3]; /* more: of matrices */
	float f;
	double d, d0, sums[3];
	i64 wide;
};

__device__ __noinline__ int called(int i, int by)
{
	asm volatile("");
	return i + by;
}

template <int OP> __device__ __forceinline__ void operate(value &v, const unknown &u, const int *numbers = nullptr)
{
#define ON_INTEGER(symbol, name, text)                                                                                                     \
	if (OP == symbol)                                                                                                                  \
		asm volatile(text : "+r"(v.i) : "r"(u.zero), "r"(u.one), "r"(u.lane) : "memory");
#define ON_FLOAT(symbol, name, text)                                                                                                       \
	if (OP == symbol)                                                                                                                  \
		asm volatile(text : "+f"(v.f) : "f"(u.scale), "f"(u.two));
#define ON_DOUBLE(symbol, name, text)                                                                                                      \
	if (OP == symbol)                                                                                                                  \
		asm volatile(text : "+d"(v.d) : "d"((double)u.scale), "d"((double)u.two));
#define ON_MATRIX(symbol, name, text)                                                                                                      \
	if (OP == symbol)                                                                                                                  \
		asm volatile(text : "+r"(v.i), "+r"(v.more[0]), "+r"(v.more[1]), "+r"(v.more[2]) : "r"(u.zero));
	INTEGERS(ON_INTEGER)
	FLOATS(ON_FLOAT)
	DOUBLES(ON_DOUBLE)
	MATRICES(ON_MATRIX)
	if (OP == DMMA)
		asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%2}, {%0, %1};" : "+d"(v.d), "+d"(v.sums[0]) : "d"(v.d0));
	if (OP == DMMA_16)
		asm volatile("mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %4, %4, %4, %4, %4, %4, %4}, {%4, %4, %4, %4}, {%0, %1, %2, %3};"
			     : "+d"(v.d), "+d"(v.sums[0]), "+d"(v.sums[1]), "+d"(v.sums[2])
			     : "d"(v.d0));
	if (OP == WIDE_LOW || OP == WIDE_HIGH) {
		int low, high;
		asm volatile("{ .reg .b64 a; mad.wide.s32 a, %2, %3, %4; mov.b64 {%0, %1}, a; }" : "=r"(low), "=r"(high) : "r"(v.i), "r"(u.lane), "l"(u.wide));
		v.more[0] ^= OP == WIDE_LOW ? high : low;
		v.i = OP == WIDE_LOW ? low : high;
	}
	if (OP == WIDE_SUM)
		asm volatile("mad.wide.s32 %0, %1, %2, %0;" : "+l"(v.wide) : "r"(u.lane), "r"(u.lane));
	if (OP == LDC)
		v.i = *(volatile const int *)&zeros[v.i];
	if (OP == BARRIER)
		__syncthreads();
	if (OP == FENCE)
		__threadfence();
	if (OP == PREFETCH)
		asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(numbers + v.i), "r"(16 + v.i) : "memory");
	if (OP == CALL)
		v.i = called(v.i, u.lane);
}

/* Where all threads are known to have one value the compiler takes the uniform unit, if it has the operation. Elsewhere each thread's own is
 * read from memory. */
template <int OP> constexpr bool may_be_uniform(void)
{
	constexpr int all[] = {MAD, WIDE, CARRY, LOGIC, SET, SHIFT, PRMT, SCALE, MASK, EXTEND, MULHI, POPC, FLO, BREV, SMID, CLOCK, BALLOT, LDC};
	for (int op : all)
		if (op == OP)
			return true;
	return false;
}

template <int OP, int SIDE, int OPERATIONS, bool VARIED> __global__ void chain(stamp *out, unknown u, const int *numbers, float *sink)
{
	extern __shared__ int cells[];
	value v[SIDE];
	for (int k = threadIdx.x; k < 1024; k += blockDim.x)
		cells[k] = 0;
	if (VARIED)
		u.lane = threadIdx.x % 32;
	for (int k = 0; k < SIDE; k++) {
		int start = VARIED ? numbers[threadIdx.x] : u.zero;
		v[k] = {start, {start, start, start}, start + u.scale, start + (double)u.scale, (double)start, {(double)start, (double)start, (double)start}, start};
	}
	i64 begin = 0, end = 0;
#pragma unroll 1
	for (int pass = 0; pass < 2; pass++) {
		__syncthreads();
		begin = clock64();
#pragma unroll
		for (int n = 0; n < OPERATIONS / SIDE; n++)
#pragma unroll
			for (int k = 0; k < SIDE; k++)
				operate<OP>(v[k], u, numbers);
		int all = 0;
		for (int k = 0; k < SIDE; k++)
			all += v[k].i + v[k].more[0] + v[k].more[1] + v[k].more[2] + (int)v[k].f + (int)(v[k].d + v[k].sums[0] + v[k].sums[1] + v[k].sums[2]) + (int)(v[k].wide >> 7);
		if (all == 0x12345)
			sink[0] = all;
		end = clock64();
	}
	if (threadIdx.x % 32 == 0)
		out[threadIdx.x / 32] = {begin, end};
}

/* Of two lengths, whose difference has neither the clock's reading nor the ends in it. */
template <int OP, int SIDE, int COUNT, bool VARIED> static void lengths(const char *name, int warps)
{
	unknown u = {0, 1, 0, 1.0001f, 2.0f, 3};
	cudaFuncAttributes shorter, longer;
	CHECK(cudaFuncGetAttributes(&shorter, chain<OP, SIDE, COUNT, VARIED>));
	CHECK(cudaFuncGetAttributes(&longer, chain<OP, SIDE, 2 * COUNT, VARIED>));
	if (32 * warps > shorter.maxThreadsPerBlock || 32 * warps > longer.maxThreadsPerBlock)
		return; /* the registers of so many warps are more than an SM has */
	for (int repetition = 0; repetition < REPETITIONS; repetition++) {
		chain<OP, SIDE, COUNT, VARIED><<<1, 32 * warps, 4096>>>(stamps, u, numbers, sink);
		i64 first = span(warps);
		chain<OP, SIDE, 2 * COUNT, VARIED><<<1, 32 * warps, 4096>>>(stamps, u, numbers, sink);
		i64 cycles = span(warps) - first;
		if (warps == 1 && cycles < COUNT * 9 / 10) { /* one instruction a cycle at most, but for what the ends have in common */
			fprintf(stderr, "%s of %s was optimised away: %lld cycles\n", name, names[OP], cycles);
			missing = true;
			continue;
		}
		printf("%s,%s,%d,%d,%d,%lld\n", name, names[OP], warps, COUNT, repetition, cycles);
	}
}

template <int OP> static void operations(void)
{
	for (int warps = 1; warps <= WARPS_MOST; warps = warps < 4 ? warps + 1 : warps * 2) {
		lengths<OP, 1, 128, true>("chain", warps);
		lengths<OP, 4, 128, true>("side by side", warps);
		if constexpr (may_be_uniform<OP>()) {
			lengths<OP, 1, 128, false>("uniform chain", warps);
			lengths<OP, 4, 128, false>("uniform side by side", warps);
		}
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
	int mine = role[threadIdx.x / 32];
	unknown u = {mine * 0, 1, (int)threadIdx.x % 32, 1.0001f, 2.0f, 3};
	value v[4];
	for (int k = 0; k < 4; k++)
		v[k] = {(int)threadIdx.x + k, {0, 0, 0}, (float)k, (double)k};
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
					operate<EX2>(v[k % 4], u);
		if (mine == 2)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<MAD>(v[k % 4], u);
		if (mine == 3)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<FMA>(v[k % 4], u);
		if (mine == 4)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++)
					operate<DFMA>(v[k % 4], u);
		if (mine == 5)
#pragma unroll 1
			for (int n = 0; n < 64; n++)
#pragma unroll
				for (int k = 0; k < 16; k++) {
					operate<MAD>(v[k % 4], u);
					operate<FMA>(v[k % 4], u);
				}
		__syncwarp();
		end = clock64();
	}
	sink[threadIdx.x] = v[0].f + v[1].f + v[2].f + v[3].f + v[0].i + v[1].i + v[2].i + v[3].i + (float)(v[0].d + v[1].d + v[2].d + v[3].d);
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
	unsigned self = this_sm();
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
	CHECK(cudaMemset(numbers, 0, sizeof(int) * 4096));
	CHECK(cudaMalloc(&sink, sizeof(float) * 4096));
	printf("experiment,what,warps,parameter,repetition,cycles\n");
	each<0>();
	loads();
	divergence();
	besides();
	sharing();
	mixtures();
	residency();
	return missing;
}
