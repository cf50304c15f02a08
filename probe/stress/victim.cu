// A program that knows nothing of partitions, to try the vehicle with: jobs of a copy in, a graph of kernels, a copy out.
//
// usage: victim SECONDS FIRST SEED > victim.csv
//   FIRST  the first call of CUDA: device (cudaSetDevice) or memory (cudaMalloc)
// A row is job,span_ns,h2d_ns,d2h_ns: the graph from its first stamp to its last, on the GPU; copies by events. The last line lists the SMs
// on which its blocks were.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

#include <cuda_runtime.h>

typedef unsigned long long u64;

#define CHECK(call)                                                                                                                        \
	do {                                                                                                                               \
		cudaError_t status_ = (call);                                                                                              \
		if (status_ != cudaSuccess) {                                                                                              \
			fprintf(stderr, "victim: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));                 \
			exit(1);                                                                                                           \
		}                                                                                                                          \
	} while (0)

enum { LARGE = 48 << 20, SMALL = 4 << 20, IN = 2 << 20, OUT = 512 << 10, WORDS = 32 };

static __device__ unsigned seen[WORDS];

static __device__ __forceinline__ void note()
{
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x == 0)
		atomicOr(&seen[sm / 32 % WORDS], 1u << sm % 32);
}

__global__ void victim_stamp(u64 *at)
{
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*at)::"memory");
}

__global__ void victim_stream(const float4 *from, float4 *to, size_t words)
{
	note();
	for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < words; i += (size_t)gridDim.x * blockDim.x) {
		float4 v = __ldcg(&from[i]);
		v.x += v.y * 0.5f + v.z;
		__stcg(&to[i], v);
	}
}

__global__ void victim_compute(float *x, int rounds)
{
	note();
	float a = x[threadIdx.x], b = a + 1;
	for (int i = 0; i < rounds; i++) {
		a = fmaf(a, 1.0001f, b);
		b = fmaf(b, 0.9999f, a);
	}
	x[blockIdx.x * blockDim.x + threadIdx.x] = a + b;
}

static u64 now()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

int main(int count, char **arguments)
{
	setvbuf(stdout, nullptr, _IOLBF, 0);
	double seconds = count > 1 ? atof(arguments[1]) : 3;
	if (count <= 2 || strcmp(arguments[2], "memory") != 0)
		CHECK(cudaSetDevice(0));
	std::mt19937 random(count > 3 ? (unsigned)atoi(arguments[3]) : 1);
	float4 *large, *other, *small, *small_too;
	float *numbers;
	u64 *stamps, times[2];
	void *in, *out;
	CHECK(cudaMalloc(&large, LARGE));
	CHECK(cudaMalloc(&other, LARGE));
	CHECK(cudaMalloc(&small, SMALL));
	CHECK(cudaMalloc(&small_too, SMALL));
	CHECK(cudaMalloc(&numbers, 512 * 256 * sizeof(float)));
	CHECK(cudaMalloc(&stamps, 2 * sizeof(u64)));
	CHECK(cudaMallocHost(&in, IN));
	CHECK(cudaMallocHost(&out, OUT));
	CHECK(cudaMemset(numbers, 0, 512 * 256 * sizeof(float)));
	cudaStream_t stream;
	cudaEvent_t e[4];
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	for (cudaEvent_t &event : e)
		CHECK(cudaEventCreate(&event));
	cudaGraph_t graph;
	cudaGraphExec_t executable;
	CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
	victim_stamp<<<1, 1, 0, stream>>>(stamps);
	victim_stream<<<512, 256, 0, stream>>>(large, other, LARGE / sizeof(float4));
	victim_compute<<<512, 256, 0, stream>>>(numbers, 20000);
	for (int i = 0; i < 8; i++)
		victim_stream<<<256, 256, 0, stream>>>(i % 2 ? small : small_too, i % 2 ? small_too : small, SMALL / sizeof(float4));
	victim_stream<<<512, 256, 0, stream>>>(other, large, LARGE / sizeof(float4));
	victim_stamp<<<1, 1, 0, stream>>>(stamps + 1);
	CHECK(cudaStreamEndCapture(stream, &graph));
	CHECK(cudaGraphInstantiate(&executable, graph, 0));
	std::vector<u64> spans;
	u64 end = now() + (u64)(seconds * 1e9);
	puts("job,span_ns,h2d_ns,d2h_ns");
	for (int job = 0; now() < end; job++) {
		float up, down;
		CHECK(cudaEventRecord(e[0], stream));
		CHECK(cudaMemcpyAsync(large, in, IN, cudaMemcpyHostToDevice, stream));
		CHECK(cudaEventRecord(e[1], stream));
		CHECK(cudaGraphLaunch(executable, stream));
		CHECK(cudaEventRecord(e[2], stream));
		CHECK(cudaMemcpyAsync(out, large, OUT, cudaMemcpyDeviceToHost, stream));
		CHECK(cudaEventRecord(e[3], stream));
		CHECK(cudaStreamSynchronize(stream));
		CHECK(cudaMemcpy(times, stamps, sizeof times, cudaMemcpyDeviceToHost));
		CHECK(cudaEventElapsedTime(&up, e[0], e[1]));
		CHECK(cudaEventElapsedTime(&down, e[2], e[3]));
		printf("%d,%llu,%.0f,%.0f\n", job, times[1] - times[0], up * 1e6, down * 1e6);
		for (u64 until = now() + random() % 400000; now() < until;)
			;
	}
	unsigned bits[WORDS];
	CHECK(cudaMemcpyFromSymbol(bits, seen, sizeof bits));
	printf("# sms");
	for (int sm = 0; sm < 32 * WORDS; sm++)
		if (bits[sm / 32] >> sm % 32 & 1)
			printf(" %d", sm);
	puts("");
	return fflush(stdout) == 0 ? 0 : 1;
}
