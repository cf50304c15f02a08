// Which SMs share a TPC and a GPC.
//
// usage: map [--seconds S] [no-clusters] > map.csv           row: method,repetition,group,rank,sm,value
// cluster-N   thread-block clusters of N blocks (compute capability 9.0 and later): the blocks of `group` share a GPC; with the word
//             no-clusters they are left out, as on a chip that has none
// clock       each SM's cycle counter less the GPU's time in cycles (value): SMs that were reset together share an offset
// pair        time in ns of a block on `sm` while one runs on SM `rank`, both reading from the L2 cache (value), and alone (rank -1)
// pair-write, pair-atomic   likewise, both writing there, both adding there
#include "catalogue.h"

#include <algorithm>

static unsigned *sms_of;
static Record *records;
static long long *clocks;
static std::vector<Record> seen;

static __global__ void cluster_members(unsigned *sm)
{
	if (threadIdx.x == 0) {
		sm[blockIdx.x] = this_sm();
		u64 begin = timer();
		while (timer() - begin < 20000)
			;
	}
}

static void clusters(Probe &p, int repetition)
{
#if CUDART_VERSION >= 11080
	if (p.device.major < 9)
		return;
	CHECK(cudaFuncSetAttribute((const void *)cluster_members, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
	CHECK(cudaFuncSetAttribute((const void *)cluster_members, cudaFuncAttributeMaxDynamicSharedMemorySize, 150 * 1024));
	for (int size = 2; size <= 16; size *= 2) {
		int blocks = p.device.multiProcessorCount / size * size * 3;
		cudaLaunchConfig_t c = {};
		cudaLaunchAttribute a;
		c.gridDim = blocks;
		c.blockDim = 64;
		c.dynamicSmemBytes = 150 * 1024;
		a.id = cudaLaunchAttributeClusterDimension;
		a.val.clusterDim.x = (unsigned)size;
		a.val.clusterDim.y = a.val.clusterDim.z = 1;
		c.attrs = &a;
		c.numAttrs = 1;
		if (cudaLaunchKernelEx(&c, cluster_members, sms_of) != cudaSuccess) {
			cudaGetLastError();
			continue;
		}
		std::vector<unsigned> sm(blocks);
		CHECK(cudaMemcpy(sm.data(), sms_of, sizeof(unsigned) * blocks, cudaMemcpyDeviceToHost));
		for (int i = 0; i < blocks; i++)
			p.row("cluster-%d,%d,%d,%d,%u,0\n", size, repetition, i / size, i % size, sm[i]);
	}
#endif
}

static __global__ void read_clocks(long long *out, Record *r)
{
	if (threadIdx.x == 0) {
		u64 before = timer(), now;
		while ((now = timer()) == before) // just after a step
			;
		out[blockIdx.x] = clock64();
		r[blockIdx.x] = Record{now, now, this_sm(), 0};
		while (timer() - now < 50000)
			;
	}
}

static void offsets(Probe &p, int repetition)
{
	int sms = p.device.multiProcessorCount;
	std::vector<long long> cycles(sms);
	CHECK(cudaFuncSetAttribute((const void *)read_clocks, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)p.device.sharedMemPerBlockOptin - 1024));
	read_clocks<<<sms, 1024, p.device.sharedMemPerBlockOptin - 1024>>>(clocks, records);
	CHECK(cudaMemcpy(cycles.data(), clocks, sizeof(long long) * sms, cudaMemcpyDeviceToHost));
	CHECK(cudaMemcpy(seen.data(), records, sizeof(Record) * sms, cudaMemcpyDeviceToHost));
	for (int i = 0; i < sms; i++)
		p.row("clock,%d,0,0,%u,%lld\n", repetition, seen[i].sm, cycles[i] - (long long)((double)(seen[i].begin - seen[0].begin) * p.clock_khz / 1e6));
}

enum { BY_READING, BY_WRITING, BY_ADDING, ACCESSES };
static const char *const access_names[] = {"pair", "pair-write", "pair-atomic"};

// One block an SM; of two SMs, one measures how fast it goes through 64 KiB again and again past its L1 cache, the other disturbs it.
static __global__ void two(float4 *data, int access, int measured, int disturbing, u64 *out, volatile int *done)
{
	int sm = (int)this_sm();
	float sum = 0;
	float4 *own = data + sm % 64 * 4096;
	if (sm != measured && sm != disturbing)
		return;
	u64 begin = timer();
	for (int k = 0; sm == measured ? k < 24 : !*done && timer() - begin < 300000; k++) {
		if (sm == measured && k == 8)
			begin = timer();
		for (int i = 0; i < 4; i++) {
			float4 *at = own + i * 1024 + threadIdx.x;
			if (access == BY_READING) {
				float4 v = __ldcg(at);
				sum += v.x + v.y + v.z + v.w;
			} else if (access == BY_WRITING)
				__stcg(at, make_float4(0, 0, 0, (float)k));
			else
				atomicAdd(&at->x, 1.0f);
		}
	}
	__threadfence();
	__syncthreads();
	if (sm == measured && threadIdx.x == 0) {
		*out = timer() - begin;
		*done = 1;
	}
	if (sum == -1.2345e30f)
		*out = 0;
}

static u64 pair_time(const Probe &p, float4 *data, int access, int a, int b, int *done)
{
	u64 time, least = ~0ull;
	size_t shared = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	for (int again = 0; again < 2; again++) {
		CHECK(cudaMemsetAsync(done, 0, sizeof *done));
		two<<<p.device.multiProcessorCount, 1024, shared - 1024>>>(data, access, a, b, p.cell, done);
		CHECK(cudaMemcpy(&time, p.cell, sizeof time, cudaMemcpyDeviceToHost));
		least = time < least ? time : least;
	}
	return least;
}

// Which other SM slows SM `sm` most: SMs of a TPC share a port to the rest of the chip. Numbers of a TPC's SMs are taken to be close.
static void pairs(Probe &p, int repetition, int access, float4 *data, int *done)
{
	int sms = p.device.multiProcessorCount;
	size_t shared = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	const char *name = access_names[access];
	CHECK(cudaFuncSetAttribute((const void *)two, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared - 1024));
	for (int a = 0; a < sms && p.time_left(); a++) {
		p.row("%s,%d,0,-1,%d,%llu\n", name, repetition, a, pair_time(p, data, access, a, -1, done));
		for (int b = std::max(0, a - 4); b < std::min(sms, a + 5); b++)
			if (b != a)
				p.row("%s,%d,0,%d,%d,%llu\n", name, repetition, b, a, pair_time(p, data, access, a, b, done));
		p.progress("pairs of SMs");
	}
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("map", "method,repetition,group,rank,sm,value", count, arguments);
	float4 *data;
	int *done;
	catalogue_prepare(p.device);
	CHECK(cudaMalloc(&data, 64 << 16));
	CHECK(cudaMemset(data, 0, 64 << 16));
	CHECK(cudaMalloc(&done, sizeof *done));
	CHECK(cudaMalloc(&sms_of, sizeof(unsigned) * 4096));
	CHECK(cudaMalloc(&records, sizeof(Record) * 4096));
	CHECK(cudaMalloc(&clocks, sizeof(long long) * 4096));
	seen.resize(4096);
	for (int repetition = 0; repetition < 6; repetition++) {
		if (p.words.empty() || p.words[0] != "no-clusters")
			clusters(p, repetition);
		offsets(p, repetition);
	}
	for (int repetition = 0; repetition < 3 && p.time_left(); repetition++)
		for (int access = 0; access < ACCESSES; access++)
			pairs(p, repetition, access, data, done);
	return p.finish();
}
