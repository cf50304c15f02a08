/* Blocks of kernels of several families, their times by the SM's clock, for bounds of gpubound wcet to be held against.
 *
 * usage: kernels > FILE.csv
 * build: nvcc -arch=sm_90 -O3 -o kernels probe/kernels.cu; for the bounds nvcc -cubin likewise, and cuobjdump -sass of that
 * A line: kernel,threads,cycles: from the first warp's reading of the clock to the last one's, within the block's time, the longest of
 * several launches and inputs. What they read is read before; they have no global memory in between. Inputs make branches that depend on
 * data as bad as their author could. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include "probe.h"

typedef long long i64;

#define TURNS 256

/* Of each warp, the first and the last reading. */
#define BEGIN                                                                                                                              \
	unsigned own = in[threadIdx.x];                                                                                                    \
	__syncthreads();                                                                                                                   \
	i64 begin_ = clock64();
#define END(value)                                                                                                                         \
	i64 end_ = clock64();                                                                                                              \
	out[threadIdx.x] = (unsigned)(value);                                                                                              \
	if (threadIdx.x % 32 == 0) {                                                                                                       \
		when[threadIdx.x / 32 * 2] = begin_;                                                                                       \
		when[threadIdx.x / 32 * 2 + 1] = end_;                                                                                     \
	}
#define KERNEL(name) extern "C" __global__ void name(const unsigned *in, unsigned *out, i64 *when, unsigned n)

KERNEL(division)
{
	BEGIN
	unsigned v = own;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++)
		v = 0x7fffffffu / (v % 1000 + 1) + own;
	END(v)
}

KERNEL(division64)
{
	BEGIN
	u64 v = own;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++)
		v = 0x7fffffffffffffull / (v % 1000003 + own + 1) + own;
	END(v)
}

KERNEL(division_float)
{
	BEGIN
	float v = __uint_as_float(own);
#pragma unroll 1
	for (int i = 0; i < TURNS; i++)
		v = __uint_as_float(own & 0xfffff) / (v + 3.0f) + sqrtf(v * v + 1e-39f);
	END(__float_as_uint(v))
}

KERNEL(sort_bitonic)
{
	__shared__ unsigned cells[256];
	BEGIN
	cells[threadIdx.x] = own;
	__syncthreads();
#pragma unroll 1
	for (unsigned size = 2; size <= 256; size *= 2)
#pragma unroll 1
		for (unsigned stride = size / 2; stride > 0; stride /= 2) {
			unsigned other = threadIdx.x ^ stride;
			if (other > threadIdx.x) {
				unsigned a = cells[threadIdx.x], b = cells[other];
				bool up = (threadIdx.x & size) == 0;
				if ((a > b) == up) {
					cells[threadIdx.x] = b;
					cells[other] = a;
				}
			}
			__syncthreads();
		}
	END(cells[threadIdx.x])
}

KERNEL(scan)
{
	__shared__ unsigned cells[2][512];
	BEGIN
	unsigned from = 0;
	cells[0][threadIdx.x] = own;
	__syncthreads();
#pragma unroll 1
	for (int turn = 0; turn < 16; turn++)
#pragma unroll 1
		for (unsigned offset = 1; offset < 512; offset *= 2) {
			unsigned sum = cells[from][threadIdx.x];
			if (threadIdx.x >= offset)
				sum += cells[from][threadIdx.x - offset];
			cells[1 - from][threadIdx.x] = sum;
			from = 1 - from;
			__syncthreads();
		}
	END(cells[from][threadIdx.x])
}

KERNEL(product)
{
	__shared__ float a[16][17], b[16][17];
	BEGIN
	int x = threadIdx.x % 16, y = threadIdx.x / 16;
	float sum = 0;
#pragma unroll 1
	for (int turn = 0; turn < 64; turn++) {
		a[y][x] = (float)own + turn;
		b[y][x] = (float)own - turn;
		__syncthreads();
#pragma unroll
		for (int k = 0; k < 16; k++)
			sum += a[y][k] * b[k][x];
		__syncthreads();
	}
	END(__float_as_uint(sum))
}

KERNEL(escape)
{
	BEGIN
	float x = 0, y = 0, cx = own % 7 * 0.1f, cy = own % 5 * 0.1f;
	unsigned i = 0;
#pragma unroll 1
	for (; i < TURNS && x * x + y * y < 4.0f; i++) {
		float t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
	}
	END(i)
}

KERNEL(arms)
{
	BEGIN
	unsigned v = own;
	float f = own;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		if (v % 4 == 0)
			v = v * 5 + 1;
		else if (v % 4 == 1) {
			f = __expf(f) + 1.0f;
			v += (unsigned)f;
		} else if (v % 4 == 2)
			v = __popc(v) + __brev(v);
		else
			v = (v >> 3) ^ (v << 7) ^ i;
	}
	END(v)
}

KERNEL(collatz)
{
	BEGIN
	unsigned v = own % 1000 + 1, steps = 0;
#pragma unroll 1
	for (; steps < TURNS && v != 1; steps++)
		if (v % 2 == 0)
			v /= 2;
		else
			v = 3 * v + 1;
	END(steps)
}

KERNEL(reduction_shuffle)
{
	__shared__ unsigned sums[32];
	BEGIN
	unsigned v = own;
#pragma unroll 1
	for (int turn = 0; turn < 64; turn++) {
		for (int offset = 16; offset > 0; offset /= 2)
			v += __shfl_down_sync(~0u, v, offset);
		if (threadIdx.x % 32 == 0)
			sums[threadIdx.x / 32] = v;
		__syncthreads();
		v += sums[threadIdx.x % (blockDim.x / 32)];
		__syncthreads();
	}
	END(v)
}

KERNEL(horner_double)
{
	BEGIN
	double x = own * 1e-9, y = 1;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		y = y * x + 0.5;
		y = y * x + 0.25;
		y = y * x - 0.75;
	}
	END(__double2int_rz(y))
}

KERNEL(mixing)
{
	BEGIN
	unsigned a = own, b = 0x9e3779b9, c = 0x85ebca6b;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		a += b ^ __funnelshift_l(c, c, 5);
		b = __funnelshift_l(b, b, 13) * 5 + a;
		c ^= a + __byte_perm(a, b, 0x2143);
	}
	END(a ^ b ^ c)
}

/* Warps beyond n leave before the barriers. */
KERNEL(leaving)
{
	__shared__ float cells[256];
	BEGIN
	if (threadIdx.x >= n)
		return;
	float v = own;
	cells[threadIdx.x] = v;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		__syncthreads();
		v = cells[(threadIdx.x + i) % n] * 0.5f + v;
		__syncthreads();
		cells[threadIdx.x] = v;
	}
	END(__float_as_uint(v))
}

KERNEL(functions)
{
	BEGIN
	float v = own % 17;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++)
		v = __sinf(v) + __expf(-v * v) + __logf(v * v + 1.0f) + rsqrtf(v * v + 1.0f);
	END(__float_as_uint(v))
}

KERNEL(bodies)
{
	__shared__ float4 cells[128];
	BEGIN
	float x = own % 101, y = own % 31, ax = 0, ay = 0;
	cells[threadIdx.x] = make_float4(x, y, 1.0f, 2.0f);
	__syncthreads();
#pragma unroll 1
	for (int turn = 0; turn < 4; turn++)
#pragma unroll 1
		for (int k = 0; k < 128; k++) {
			float4 c = cells[k];
			float dx = c.x - x, dy = c.y - y, r = rsqrtf(dx * dx + dy * dy + c.z);
			ax += dx * r * r * r;
			ay += dy * r * r * r;
		}
	END(__float_as_uint(ax + ay))
}

KERNEL(divisor)
{
	BEGIN
	unsigned a = own % 5000 + 1, b = 4181;
	int i = 0;
#pragma unroll 1
	for (; i < 64 && b != 0; i++) {
		unsigned r = a % b;
		a = b;
		b = r;
	}
	END(a + i)
}

KERNEL(conversions)
{
	BEGIN
	int v = own % 1000;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		float f = (float)v * 1.5f;
		double d = (double)f + 2.5;
		v = (int)d % 1024 + (int)rintf(f) + (unsigned char)v;
	}
	END(v)
}

KERNEL(triangle)
{
	BEGIN
	unsigned v = own;
#pragma unroll 1
	for (unsigned i = 0; i < 48; i++)
#pragma unroll 1
		for (unsigned k = i; k < 48; k++)
			v = v * 1664525u + (i ^ k);
	END(v)
}

KERNEL(filter)
{
	__shared__ float cells[1024 + 8];
	BEGIN
	cells[threadIdx.x] = own;
	if (threadIdx.x < 8)
		cells[1024 + threadIdx.x] = 0;
	__syncthreads();
	float v = 0;
#pragma unroll 1
	for (int turn = 0; turn < 16; turn++) {
		v = 0;
#pragma unroll
		for (int k = 0; k < 8; k++)
			v += cells[threadIdx.x + k] * (0.1f * k);
		__syncthreads();
		cells[threadIdx.x] = v;
		__syncthreads();
	}
	END(__float_as_uint(v))
}

KERNEL(products64)
{
	BEGIN
	u64 a = own, b = 0x9e3779b97f4a7c15ull;
#pragma unroll 1
	for (int i = 0; i < TURNS; i++) {
		a = a * b + own;
		b ^= __umul64hi(a, b);
	}
	END(a ^ b)
}

typedef void (*kernel)(const unsigned *, unsigned *, i64 *, unsigned);

static unsigned *in, *out;
static i64 *when, times[64];

/* Inputs: equal, the lane, odd multiples, random, powers of two. */
static unsigned input(int kind, int thread)
{
	static const unsigned all[] = {97, 871};
	switch (kind) {
	case 0: case 1: return all[kind];
	case 2: return (unsigned)thread;
	case 3: return (unsigned)thread * 2654435761u;
	case 4: return 1u << thread % 32;
	default: return (unsigned)rand();
	}
}

static void measure(const char *name, kernel run, int threads, unsigned n)
{
	i64 most = 0;
	for (int repetition = 0; repetition < 40; repetition++) {
		unsigned values[1024];
		for (int i = 0; i < 1024; i++)
			values[i] = input(repetition % 8, i);
		CHECK(cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice));
		CHECK(cudaMemset(when, 0, sizeof times));
		run<<<1, threads>>>(in, out, when, n);
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaMemcpy(times, when, sizeof times, cudaMemcpyDeviceToHost));
		i64 begin = times[0], end = 0;
		for (int w = 0; w < (threads + 31) / 32 && times[2 * w + 1] != 0; w++) {
			begin = times[2 * w] < begin ? times[2 * w] : begin;
			end = times[2 * w + 1] > end ? times[2 * w + 1] : end;
		}
		most = end - begin > most ? end - begin : most;
	}
	printf("%s,%d,%lld\n", name, threads, most);
}

int main(void)
{
	CHECK(cudaMalloc(&in, 4096));
	CHECK(cudaMalloc(&out, 4096));
	CHECK(cudaMalloc(&when, sizeof times));
	printf("kernel,threads,cycles\n");
#define ANY(name)                                                                                                                          \
	for (int threads : {32, 128, 256, 1024})                                                                                           \
		measure(#name, name, threads, 0);
	ANY(division) ANY(division64) ANY(division_float) ANY(escape) ANY(arms) ANY(collatz) ANY(reduction_shuffle) ANY(horner_double) ANY(mixing)
	ANY(functions) ANY(divisor) ANY(conversions) ANY(triangle) ANY(products64)
	measure("sort_bitonic", sort_bitonic, 256, 0);
	measure("scan", scan, 512, 0);
	measure("product", product, 256, 0);
	measure("bodies", bodies, 128, 0);
	measure("filter", filter, 1024, 0);
	for (unsigned n : {32u, 100u, 256u})
		measure("leaving", leaving, 256, n);
	return 0;
}
