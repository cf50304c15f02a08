/* How long straight code takes whose encodings somebody else writes: stall counts, units, banks of registers. The frame is this file's
 * kernel, of which 128 instructions between two readings of the clock are written over before it is loaded (probe/encodings.py).
 *
 * usage: encodings FRAME.cubin OFFSET CASES [OTHER] > FILE.csv
 * build: nvcc -arch=sm_90 -O2 -std=c++17 -o encodings probe/encodings.cu -lcuda; nvcc -arch=sm_90 -O2 -std=c++17 -maxrregcount=64 -cubin -o
 * FRAME.cubin probe/encodings.cu A line: the number of the case, then with 1, 4, 8, 16 and 32 warps on an SM the cycles of the longest warp
 * in any turn but the first, and from the first warp's beginning to the last one's end in the last turn. With OTHER, where kernel `beside`
 * has the second of its two stretches, a case is twice 128 instructions, of which every second warp of a scheduler executes the latter;
 * then the line has the longest of the one warps and of the others. Results mean nothing: whoever writes stall counts decides what is read.
 */
#include <cuda.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define TURNS 8
#define VALUES 40
#define WARPS 32
#define BEGINS 64 /* where the begins of warps stand in what is written, by turn; ends stand behind all of them */
#define ENDS (BEGINS + 1024)

typedef long long i64;

#define ONE(i) asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(v[(i) % VALUES]));
#define OTHER(i) asm volatile("mul.rn.f32 %0, %0, %0;" : "+f"(v[(i) % VALUES]));
#define EIGHT(ONE, i) ONE(i) ONE(i + 1) ONE(i + 2) ONE(i + 3) ONE(i + 4) ONE(i + 5) ONE(i + 6) ONE(i + 7)
#define MANY(ONE, i)                                                                                                                       \
	EIGHT(ONE, i)                                                                                                                      \
	EIGHT(ONE, i + 8) EIGHT(ONE, i + 16) EIGHT(ONE, i + 24) EIGHT(ONE, i + 32) EIGHT(ONE, i + 40) EIGHT(ONE, i + 48) EIGHT(ONE, i + 56)

/* All warps execute one stretch of code, or every second one of a scheduler another. */
template <bool apart> static __device__ void measure_stretch(i64 *out, int turns, float *data)
{
	float v[VALUES];
	for (int i = 0; i < VALUES; i++)
		v[i] = data[threadIdx.x + 1024 * i];
	i64 longest = 0;
#pragma unroll 1
	for (int t = 0; t < turns; t++) {
		i64 begin, end;
		__syncthreads();
		if (apart && threadIdx.x / 128 % 2 != 0) {
			begin = clock64();
			MANY(OTHER, 0) MANY(OTHER, 64) end = clock64();
		} else {
			begin = clock64();
			MANY(ONE, 0) MANY(ONE, 64) end = clock64();
		}
		if (t > 0 && end - begin > longest)
			longest = end - begin;
		if (threadIdx.x % 32 == 0) {
			out[BEGINS + threadIdx.x / 32 + 64 * t] = begin;
			out[ENDS + threadIdx.x / 32 + 64 * t] = end;
		}
	}
	for (int i = 0; i < VALUES; i++)
		data[threadIdx.x + 1024 * i] = v[i];
	if (threadIdx.x % 32 == 0)
		out[threadIdx.x / 32] = longest;
}

extern "C" __global__ void __launch_bounds__(1024) frame(i64 *out, int turns, float *data)
{
	measure_stretch<false>(out, turns, data);
}

extern "C" __global__ void __launch_bounds__(1024) beside(i64 *out, int turns, float *data)
{
	measure_stretch<true>(out, turns, data);
}

static void check(CUresult result, const char *what)
{
	const char *words = "";
	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorString(result, &words);
	fprintf(stderr, "%s: %s\n", what, words);
	exit(1);
}
#define CHECK(call) check(call, #call)

static std::vector<char> whole(const char *name)
{
	std::vector<char> bytes;
	FILE *file = fopen(name, "rb");
	if (file == NULL) {
		perror(name);
		exit(1);
	}
	for (int byte = getc(file); byte != EOF; byte = getc(file))
		bytes.push_back((char)byte);
	fclose(file);
	return bytes;
}

static void measure(CUfunction kernel, bool apart, int warps, CUdeviceptr out, CUdeviceptr data)
{
	int turns = TURNS;
	void *arguments[] = {&out, &turns, &data};
	i64 longest[WARPS], begins[WARPS], ends[WARPS];
	CHECK(cuLaunchKernel(kernel, 1, 1, 1, 32 * warps, 1, 1, 0, 0, arguments, 0));
	CHECK(cuCtxSynchronize());
	CHECK(cuMemcpyDtoH(longest, out, 8 * warps));
	CHECK(cuMemcpyDtoH(begins, out + 8 * (BEGINS + 64 * (TURNS - 1)), 8 * warps));
	CHECK(cuMemcpyDtoH(ends, out + 8 * (ENDS + 64 * (TURNS - 1)), 8 * warps));
	i64 other = 0;
	for (int w = 1; w < warps; w++) {
		i64 *most = apart && w / 4 % 2 != 0 ? &other : &longest[0];
		*most = longest[w] > *most ? longest[w] : *most;
		begins[0] = begins[w] < begins[0] ? begins[w] : begins[0];
		ends[0] = ends[w] > ends[0] ? ends[w] : ends[0];
	}
	printf(",%lld,%lld", longest[0], apart ? other : ends[0] - begins[0]);
}

int main(int count, char **words)
{
	if (count != 4 && count != 5)
		return 2;
	std::vector<char> cubin = whole(words[1]), cases = whole(words[3]);
	size_t offset = strtoul(words[2], NULL, 0), stretch = 128 * 16, bytes = (count - 3) * stretch;
	CUdevice device;
	CUcontext context;
	CUdeviceptr out, data;
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&context, device));
	CHECK(cuCtxSetCurrent(context));
	CHECK(cuMemAlloc(&out, 4096 * 8));
	CHECK(cuMemAlloc(&data, 1024 * VALUES * 4));
	CHECK(cuMemsetD8(data, 0, 1024 * VALUES * 4));
	for (size_t i = 0; (i + 1) * bytes <= cases.size(); i++) {
		CUmodule module;
		CUfunction kernel;
		memcpy(cubin.data() + offset, cases.data() + i * bytes, stretch);
		if (count == 5)
			memcpy(cubin.data() + strtoul(words[4], NULL, 0), cases.data() + i * bytes + stretch, stretch);
		CHECK(cuModuleLoadData(&module, cubin.data()));
		CHECK(cuModuleGetFunction(&kernel, module, count == 5 ? "beside" : "frame"));
		printf("%zu", i);
		for (int warps : {1, 4, 8, 16, 32})
			measure(kernel, count == 5, warps, out, data);
		printf("\n");
		fflush(stdout);
		CHECK(cuModuleUnload(module));
	}
}
