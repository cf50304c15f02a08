// Is the room of a block's warps that have ended given to new blocks before the block has ended, and what of a block is held until it ends?
//
// usage: leave > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o leave probe/leave.cu
// A line: way,threads,shared,fit,held,whole,apart: how the warps of a block end (stay: all at about the same time; leave: all but one at
// once; barrier: all behind a barrier of the block; spread: behind it, each 4,000 cycles after the one before), threads and bytes of shared
// memory of a block, how many blocks fit on an SM with all their warps, the most blocks that one SM had at an instant, the most of which no
// warp had ended, and the longest from the end of a block's first warp to that of its last, in cycles. A warp is there from its first
// reading of its SM's clock to its last, which is before it ends.
#include <cstdio>
#include <algorithm>
#include <map>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned long long u64;
struct Row {
	u64 begin, end, sm;
};
enum Way { STAY, LEAVE, BARRIER, SPREAD };
static const char *const ways[] = {"stay", "leave", "barrier", "spread"};
static __device__ void wait(u64 since, u64 cycles)
{
	while ((u64)clock64() - since < cycles)
		;
}
static __global__ void leave(Row *rows, int way, u64 cycles)
{
	u64 begin = (u64)clock64(), warp = threadIdx.x / 32, warps = blockDim.x / 32;
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (way != LEAVE || warp == 0)
		wait(begin, cycles);
	if (way == BARRIER || way == SPREAD)
		__syncthreads();
	if (way == SPREAD)
		wait((u64)clock64(), 4000 * warp);
	if (threadIdx.x % 32 == 0)
		rows[blockIdx.x * warps + warp] = {begin, (u64)clock64(), sm};
}
struct Block {
	u64 begin, first, last, sm;
};
static int most(const std::vector<Block> &blocks, bool whole)
{
	int most = 0;
	for (const Block &at : blocks) {
		int held = 0;
		for (const Block &b : blocks)
			held += b.begin <= at.begin && at.begin < (whole ? b.first : b.last);
		most = std::max(most, held);
	}
	return most;
}
int main()
{
	int sms = 0;
	Row *device;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	const int count = sms * 64;
	cudaMalloc(&device, sizeof(Row) * count * 32);
	cudaFuncSetAttribute(leave, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10);
	printf("way,threads,shared,fit,held,whole,apart\n");
	for (int shared : {0, 20 << 10, 44 << 10})
		for (int threads : {32, 64, 128, 256, 512, 1024})
			for (int way : {STAY, LEAVE, BARRIER, SPREAD}) {
				int warps = threads / 32, fit = 0, held = 0, whole = 0;
				u64 apart = 0;
				std::vector<Row> rows((size_t)count * warps);
				cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, leave, threads, shared);
				leave<<<count, threads, shared>>>(device, way, 100000);
				printf("%s", cudaDeviceSynchronize() == cudaSuccess ? "" : "error ");
				cudaMemcpy(rows.data(), device, rows.size() * sizeof(Row), cudaMemcpyDeviceToHost);
				std::map<u64, std::vector<Block>> of;
				for (int b = 0; b < count; b++) {
					Block block = {rows[b * warps].begin, rows[b * warps].end, 0, rows[b * warps].sm};
					for (int w = 0; w < warps; w++) {
						const Row &r = rows[b * warps + w];
						block.begin = std::min(block.begin, r.begin);
						block.first = std::min(block.first, r.end);
						block.last = std::max(block.last, r.end);
					}
					apart = std::max(apart, block.last - block.first);
					of[block.sm].push_back(block);
				}
				for (auto &sm : of) {
					held = std::max(held, most(sm.second, false));
					whole = std::max(whole, most(sm.second, true));
				}
				printf("%s,%d,%d,%d,%d,%d,%llu\n", ways[way], threads, shared, fit, held, whole, apart);
			}
}
