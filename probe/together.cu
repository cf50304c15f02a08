// How long does a block take beside blocks of its launch whose warps never stall, and behind those that follow in their places?
//
// usage: together > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o together probe/together.cu
// The first block of each SM has chains of dependent multiply-adds, all others have eight chains a warp; one warp of each block is in each
// sub-partition. A line: grid,sms,held,longest,on_sm,most,alone: blocks of the launch, SMs, the most blocks that one SM had at a time, the
// cycles of the block that took longest of 20 launches, from its first reading of the clock to its last, how many blocks its SM had in all;
// the most that any SM had in all; and the longest of the first blocks where these are the whole launch.
#include "probe.h"

#include <algorithm>
#include <map>

#define LAUNCHES 20
#define WARPS 4

struct Warp {
	u64 begin, end;
	u64 sm;
};

extern "C" __global__ void together(Warp *warps, unsigned first, float *sink)
{
	u64 begin = (u64)clock64();
	float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, sum = 0;
	if (blockIdx.x < first) {
#pragma unroll 1
		for (int turn = 0; turn < 64; turn++)
#pragma unroll
			for (int i = 0; i < 128; i++)
				x[0] = x[0] * 1.0001f + 0.5f;
	} else {
#pragma unroll 1
		for (int turn = 0; turn < 64; turn++)
#pragma unroll
			for (int i = 0; i < 256; i++)
				x[i % 8] = x[i % 8] * 1.0001f + 0.5f;
	}
	for (float one : x)
		sum += one;
	if (sum == 1.25f)
		*sink = sum;
	if (threadIdx.x % 32 == 0)
		warps[blockIdx.x * WARPS + threadIdx.x / 32] = {begin, (u64)clock64(), this_sm()};
}

struct Block {
	u64 begin = ~0ull, end = 0;
};

// The most of an SM's blocks that were there at one instant.
static int held_at_once(const std::vector<Block> &blocks)
{
	int most = 0;
	for (const Block &at : blocks) {
		int count = 0;
		for (const Block &one : blocks)
			count += one.begin <= at.begin && at.begin < one.end;
		most = std::max(most, count);
	}
	return most;
}

int main()
{
	int sms = 0;
	u64 alone = 0;
	Warp *device;
	float *sink;
	CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
	CHECK(cudaMalloc(&device, sizeof(Warp) * (size_t)sms * 64 * WARPS));
	CHECK(cudaMalloc(&sink, sizeof *sink));
	printf("grid,sms,held,longest,on_sm,most,alone\n");
	for (int share : {1, 2, 4, 8, 16, 32, 64}) {
		std::vector<Warp> warps((size_t)sms * share * WARPS);
		u64 longest = 0;
		size_t of = 0, most = 0;
		int held = 0;
		for (int launch = 0; launch <= LAUNCHES; launch++) {
			std::map<u64, std::vector<Block>> blocks;
			together<<<sms * share, 32 * WARPS>>>(device, (unsigned)sms, sink);
			CHECK(cudaDeviceSynchronize());
			CHECK(cudaMemcpy(warps.data(), device, warps.size() * sizeof(Warp), cudaMemcpyDeviceToHost));
			if (launch == 0)
				continue;
			for (size_t b = 0; b < warps.size() / WARPS; b++) {
				Block block;
				for (size_t w = b * WARPS; w < (b + 1) * WARPS; w++) {
					block.begin = std::min(block.begin, warps[w].begin);
					block.end = std::max(block.end, warps[w].end);
				}
				blocks[warps[b * WARPS].sm].push_back(block);
			}
			for (const auto &sm : blocks) {
				most = std::max(most, sm.second.size());
				held = std::max(held, held_at_once(sm.second));
				for (const Block &block : sm.second)
					if (block.end - block.begin > longest) {
						longest = block.end - block.begin;
						of = sm.second.size();
					}
			}
		}
		alone = share == 1 ? longest : alone;
		printf("%d,%d,%d,%llu,%zu,%zu,%llu\n", sms * share, sms, held, (unsigned long long)longest, of, most,
			(unsigned long long)alone);
	}
	return 0;
}
