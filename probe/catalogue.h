// The kernels that block times are measured for and that scenarios run: the library's, and yours.
//
// To add one: write a __device__ function that does a block's work (see `read_block`), give it a number in KINDS and a line in
// `catalogue`. Threads a block, `amount` (how much a block does) and dynamic shared memory are the line's. A block's record is written by
// `work`; what your kernel reads and writes lies in `data`, PROBE_WORDS floats of device memory.
#ifndef CATALOGUE_H
#define CATALOGUE_H

#include "probe.h"

enum { PROBE_WORDS = 1 << 26 }; // 256 MiB
enum Kind { SPIN, COMPUTE, READ, WRITE, COPY, STENCIL, REDUCTION, MATRIX, MANDELBROT, KINDS };
static const char *const kind_names[KINDS] = {"spin", "compute", "read", "write", "copy", "stencil", "reduction", "matrix", "mandelbrot"};

struct Work {
	Record *records; // one a block
	u64 *last;       // the end of the job's last block; may be null
	float *data;
	u64 amount; // ns for spin, rounds for the others
};

// Where the block's own part begins: blocks go through the data one after another, 16 KiB apart at least, and begin again at its end.
static __device__ __forceinline__ unsigned place(u64 words)
{
	return (unsigned)((u64)blockIdx.x * (words < 4096 ? 4096 : words) % (PROBE_WORDS / 2));
}

static __device__ __forceinline__ float compute_block(u64 amount)
{
	float a = threadIdx.x, b = 1.0f;
	for (u64 i = 0; i < amount; i++)
#pragma unroll 16
		for (int k = 0; k < 64; k++)
			a = a * 0.999f + b;
	return a;
}

static __device__ __forceinline__ float read_block(const float *data, u64 amount)
{
	const float4 *in = (const float4 *)(data + (place(amount * blockDim.x * 4) & ~3u));
	float sum = 0;
	for (u64 i = 0; i < amount; i++) {
		float4 v = __ldcg(in + (i * blockDim.x + threadIdx.x));
		sum += v.x + v.y + v.z + v.w;
	}
	return sum;
}

static __device__ __forceinline__ float write_block(float *data, u64 amount)
{
	float4 *out = (float4 *)(data + PROBE_WORDS / 2 + (place(amount * blockDim.x * 4) & ~3u));
	for (u64 i = 0; i < amount; i++)
		__stcg(out + (i * blockDim.x + threadIdx.x), make_float4(i, i, i, i));
	return 0;
}

static __device__ __forceinline__ float copy_block(float *data, u64 amount)
{
	unsigned at = place(amount * blockDim.x * 4) & ~3u;
	const float4 *in = (const float4 *)(data + at);
	float4 *out = (float4 *)(data + PROBE_WORDS / 2 + at);
	for (u64 i = 0; i < amount; i++)
		__stcg(out + (i * blockDim.x + threadIdx.x), __ldcg(in + (i * blockDim.x + threadIdx.x)));
	return 0;
}

// Five points of a grid 1,024 wide.
static __device__ __forceinline__ float stencil_block(float *data, u64 amount)
{
	const float *in = data + 1024 + place(amount * blockDim.x);
	float *out = data + PROBE_WORDS / 2 + place(amount * blockDim.x);
	for (u64 i = 0; i < amount; i++) {
		const float *p = in + i * blockDim.x + threadIdx.x;
		out[i * blockDim.x + threadIdx.x] = 0.2f * (p[0] + p[-1] + p[1] + p[-1024] + p[1024]);
	}
	return 0;
}

static __device__ __forceinline__ float reduction_block(const float *data, float *shared, u64 amount)
{
	const float *in = data + place(amount * blockDim.x);
	float sum = 0;
	for (u64 i = 0; i < amount; i++)
		sum += in[i * blockDim.x + threadIdx.x];
	for (int step = 16; step > 0; step /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, step);
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = sum;
	__syncthreads();
	return shared[0];
}

// One row of a product: a tile of A's row in shared memory against blockDim.x columns of B.
static __device__ __forceinline__ float matrix_block(const float *data, float *shared, u64 amount)
{
	const float *a = data + place(amount * 128), *b = data + PROBE_WORDS / 4;
	float sum = 0;
	for (u64 tile = 0; tile < amount; tile++) {
		__syncthreads();
		for (unsigned k = threadIdx.x; k < 128; k += blockDim.x)
			shared[k] = a[tile * 128 + k];
		__syncthreads();
#pragma unroll 4
		for (int k = 0; k < 128; k++)
			sum += shared[k] * b[((tile % 64) * 128 + k) * 1024 + threadIdx.x];
	}
	return sum;
}

// Threads of a warp leave the loop after very different numbers of rounds.
static __device__ __forceinline__ float mandelbrot_block(u64 amount)
{
	float x = 0, y = 0, cx = -2.0f + 2.5f * (threadIdx.x % 32) / 32, cy = -1.2f + 2.4f * (blockIdx.x % 61) / 61;
	u64 i = 0;
	while (i < amount && x * x + y * y < 4) {
		float t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
		i++;
	}
	return (float)i;
}

// As few registers a thread as let an SM full of warps of any mixture find them: 32 where it holds 2,048 threads, 64 where 1,024 or 1,536.
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ < 750 || __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ == 1000
#define FULL 2
#else
#define FULL 1
#endif

template <int KIND> __global__ void __launch_bounds__(1024, FULL) work(Work w)
{
	__shared__ float shared[KIND == MATRIX || KIND == REDUCTION ? 128 : 1];
	Record record;
	if (threadIdx.x == 0) {
		record.begin = timer();
		record.sm = this_sm();
		record.ticket = 0;
	}
	float result = 0;
	if (KIND == SPIN && threadIdx.x == 0)
		while (timer() - record.begin < w.amount)
			;
	if (KIND == COMPUTE)
		result = compute_block(w.amount);
	if (KIND == READ)
		result = read_block(w.data, w.amount);
	if (KIND == WRITE)
		result = write_block(w.data, w.amount);
	if (KIND == COPY)
		result = copy_block(w.data, w.amount);
	if (KIND == STENCIL)
		result = stencil_block(w.data, w.amount);
	if (KIND == REDUCTION)
		result = reduction_block(w.data, shared, w.amount);
	if (KIND == MATRIX)
		result = matrix_block(w.data, shared, w.amount);
	if (KIND == MANDELBROT)
		result = mandelbrot_block(w.amount);
	if (result == -1.2345e30f) // never: the compiler must not drop the work
		w.data[0] = result;
	__syncthreads();
	if (threadIdx.x == 0) {
		record.end = timer();
		w.records[blockIdx.x] = record;
		if (w.last != nullptr)
			atomicMax(w.last, record.end);
	}
	if (KIND == SPIN && threadIdx.x == 1)
		shared[0] = 0;
}

typedef void (*Function)(Work);
static const Function functions[KINDS] = {
	work<SPIN>, work<COMPUTE>, work<READ>, work<WRITE>, work<COPY>, work<STENCIL>, work<REDUCTION>, work<MATRIX>, work<MANDELBROT>};

struct Entry {
	const char *name;
	Kind kind;
	int threads, shared;
	u64 amount;
};

// Names that end in -x have blocks that fill an SM each (by their shared memory), so that they meet others in the memory system only.
#define FILL (120 * 1024)

static const Entry catalogue[] = {
	{"compute-128", COMPUTE, 128, 0, 250},
	{"compute-256", COMPUTE, 256, 0, 200},
	{"compute-1024", COMPUTE, 1024, 0, 250},
	{"read-256", READ, 256, 0, 128},
	{"read-1024", READ, 1024, 0, 64},
	{"write-256", WRITE, 256, 0, 96},
	{"write-512", WRITE, 512, 0, 96},
	{"copy-256", COPY, 256, 0, 48},
	{"copy-1024", COPY, 1024, 0, 32},
	{"stencil-256", STENCIL, 256, 0, 128},
	{"stencil-512", STENCIL, 512, 0, 128},
	{"reduction-256", REDUCTION, 256, 0, 512},
	{"reduction-1024", REDUCTION, 1024, 0, 384},
	{"matrix-256", MATRIX, 256, 0, 8},
	{"matrix-512", MATRIX, 512, 0, 8},
	{"mandelbrot-128", MANDELBROT, 128, 0, 1500},
	{"mandelbrot-256", MANDELBROT, 256, 0, 1500},
	{"compute-512-x", COMPUTE, 512, FILL, 300},
	{"compute-1024-x", COMPUTE, 1024, FILL, 250},
	{"read-512-x", READ, 512, FILL, 768},
	{"read-1024-x", READ, 1024, FILL, 384},
	{"write-512-x", WRITE, 512, FILL, 512},
	{"copy-512-x", COPY, 512, FILL, 256},
	{"copy-1024-x", COPY, 1024, FILL, 192},
	{"stencil-512-x", STENCIL, 512, FILL, 384},
	{"reduction-1024-x", REDUCTION, 1024, FILL, 768},
	{"matrix-512-x", MATRIX, 512, FILL, 6},
	{"matrix-1024-x", MATRIX, 1024, FILL, 5},
	{"mandelbrot-512-x", MANDELBROT, 512, FILL, 4000},
};
enum { CATALOGUE = sizeof catalogue / sizeof *catalogue };

// All kernels ask for all of the shared memory, so that none waits for an SM to become idle (one carveout preference).
static void catalogue_prepare(const cudaDeviceProp &device)
{
	for (Function f : functions) {
		CHECK(cudaFuncSetAttribute((const void *)f, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, (const void *)f));
		size_t most = device.sharedMemPerBlockOptin ? device.sharedMemPerBlockOptin : device.sharedMemPerBlock;
		CHECK(cudaFuncSetAttribute(
			(const void *)f, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)(most - attributes.sharedSizeBytes)));
	}
}

static int entry_find(const char *name)
{
	for (int i = 0; i < CATALOGUE; i++)
		if (strcmp(catalogue[i].name, name) == 0)
			return i;
	return -1;
}

static int static_shared(const Entry &e)
{
	static int known[KINDS];
	if (known[e.kind] == 0) {
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, (const void *)functions[e.kind]));
		known[e.kind] = (int)attributes.sharedSizeBytes + 1;
	}
	return known[e.kind] - 1;
}

static int blocks_an_sm(const Entry &e)
{
	static int known[CATALOGUE];
	int &blocks = known[&e - catalogue];
	if (blocks == 0)
		CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, functions[e.kind], e.threads, e.shared));
	return blocks;
}

#endif
