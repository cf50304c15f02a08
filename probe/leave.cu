// Is the room of a block's warps that have ended given to new blocks before the block has ended? Blocks of which one warp works on while
// the others leave.
//
// usage: leave > FILE.csv
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o leave probe/leave.cu
// A line: threads,stays,held: threads of a block, how many of its warps stay for 200,000 cycles, and the most blocks that one SM had at an
// instant, by the first and the last reading of its clock by the first warp of each.
#include <cstdio>
#include <algorithm>
#include <map>
#include <vector>
#include <cuda_runtime.h>
typedef unsigned long long u64;
struct Row {
	u64 begin, end, sm;
};
static __global__ void leave(Row *rows, unsigned stays, u64 cycles)
{
	u64 begin = (u64)clock64();
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	if (threadIdx.x / 32 >= stays)
		return;
	while ((u64)clock64() - begin < cycles)
		;
	if (threadIdx.x == 0)
		rows[blockIdx.x] = {begin, (u64)clock64(), sm};
}
int main()
{
	int sms = 0;
	Row *device;
	cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
	cudaMalloc(&device, sizeof(Row) * sms * 64);
	printf("threads,stays,held\n");
	for (int threads : {128, 256, 512, 1024})
		for (unsigned stays : {(unsigned)threads / 32, 1u}) {
			std::vector<Row> rows((size_t)sms * 64);
			leave<<<sms * 64, threads>>>(device, stays, 200000);
			printf("%s", cudaDeviceSynchronize() == cudaSuccess ? "" : "error ");
			cudaMemcpy(rows.data(), device, rows.size() * sizeof(Row), cudaMemcpyDeviceToHost);
			int most = 0;
			std::map<u64, std::vector<Row>> of;
			for (Row &r : rows)
				of[r.sm].push_back(r);
			for (auto &sm : of)
				for (Row &at : sm.second) {
					int held = 0;
					for (Row &r : sm.second)
						held += r.begin <= at.begin && at.begin < r.end;
					most = std::max(most, held);
				}
			printf("%d,%u,%d\n", threads, stays, most);
		}
}
