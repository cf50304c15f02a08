// Does an older warp wait behind younger ones? 1,024 dependent multiply-adds of it, over and over, beside a block of another kernel that
// comes later.
//
// usage: behind > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o behind probe/behind.cu
// A line: warps,threads,chains,least,mean,longest: warps of the older block on each SM, threads of the younger one, whose warps have so
// many independent chains of multiply-adds (0: there is none), and what the 1,024 took, in cycles, of all SMs and turns but the first.
#include "probe.h"

struct Taken {
	u64 longest, least, sum, count;
};

static __global__ void depend(u64 until, Taken *all, float *sink)
{
	Taken own = {0, ~0ull, 0, 0};
	float x = 1;
	u64 begin = timer();
	for (int turn = 0; timer() - begin < until; turn++) {
		u64 before = (u64)clock64();
#pragma unroll 128
		for (int i = 0; i < 1024; i++)
			x = x * 1.0001f + 0.5f;
		if (x == 1.25f) // until x is there
			*sink = x;
		u64 taken = (u64)clock64() - before;
		if (turn == 0)
			continue;
		own.longest = taken > own.longest ? taken : own.longest;
		own.least = taken < own.least ? taken : own.least;
		own.sum += taken;
		own.count++;
	}
	if (threadIdx.x % 32 == 0)
		all[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = own;
}

template <int chains> static __global__ void go_on(u64 cycles, float *sink)
{
	float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;
	u64 end = (u64)clock64() + cycles;
	while ((u64)clock64() < end) {
#pragma unroll
		for (int i = 0; i < 256; i++)
			x[i % chains] = x[i % chains] * 1.0001f + 0.5f;
	}
	for (float one : x)
		sum += one;
	if (sum == 1.25f)
		*sink = sum;
}

static void measure(int sms, int warps, int threads, int chains, const cudaStream_t *streams, Taken *all, float *sink)
{
	std::vector<Taken> taken((size_t)sms * warps);
	Taken of_all = {0, ~0ull, 0, 0};
	depend<<<sms, warps * 32, 0, streams[0]>>>(4000000, all, sink);
	for (u64 begin = host_now(); host_now() - begin < 500000;) // it is under way
		;
	if (chains == 1)
		go_on<1><<<sms, threads, 0, streams[1]>>>(4000000, sink);
	if (chains == 2)
		go_on<2><<<sms, threads, 0, streams[1]>>>(4000000, sink);
	if (chains == 4)
		go_on<4><<<sms, threads, 0, streams[1]>>>(4000000, sink);
	if (chains == 8)
		go_on<8><<<sms, threads, 0, streams[1]>>>(4000000, sink);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(taken.data(), all, taken.size() * sizeof(Taken), cudaMemcpyDeviceToHost));
	for (const Taken &one : taken) {
		of_all.longest = one.longest > of_all.longest ? one.longest : of_all.longest;
		of_all.least = one.least < of_all.least ? one.least : of_all.least;
		of_all.sum += one.sum;
		of_all.count += one.count;
	}
	printf("%d,%d,%d,%llu,%.0f,%llu\n", warps, chains == 0 ? 0 : threads, chains, (unsigned long long)of_all.least,
		(double)of_all.sum / (double)of_all.count, (unsigned long long)of_all.longest);
}

int main()
{
	int sms = 0;
	Taken *all;
	float *sink;
	cudaStream_t streams[2];
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&all, sizeof(Taken) * (size_t)sms * 32));
	CHECK(cudaMalloc(&sink, sizeof *sink));
	for (cudaStream_t &stream : streams)
		CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	printf("warps,threads,chains,least,mean,longest\n");
	for (int warps : {1, 4}) {
		measure(sms, warps, 0, 0, streams, all, sink);
		for (int chains : {1, 2, 4, 8})
			for (int threads : {128, 512, 1024})
				measure(sms, warps, threads, chains, streams, all, sink);
	}
	return 0;
}
