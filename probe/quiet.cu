// Is the GPU quiet, and the host? What else has them shows as time that is missing.
//
// usage: quiet [--seconds S] > quiet.csv         row: what,run,tries,gaps,longest_ns,total_ns
// gpu         a block on each SM reads the GPU's clock for 20 ms; gaps: times of more than GPU_GAP between two of its readings, in which
//             another client or an interruption had the GPU. A try is a block.
// host        a thread reads the host's clock meanwhile; gaps of more than HOST_GAP: something else ran on its core, or another guest did.
//             A try is a run.
// hypervisor  gaps 1: the CPU says that this is a virtual machine
#include "catalogue.h"

#include <algorithm>
#include <thread>

enum { GPU_GAP = 2000, HOST_GAP = 50000, WATCHED = 20000000 };

struct Gaps {
	u64 count, longest, total;

	__host__ __device__ void see(u64 gap, u64 least)
	{
		if (gap <= least)
			return;
		count++;
		total += gap;
		longest = gap > longest ? gap : longest;
	}
};

// The clock of whoever runs it.
static __host__ __device__ __forceinline__ u64 clock_here()
{
#ifdef __CUDA_ARCH__
	return timer();
#else
	return host_now();
#endif
}

static __host__ __device__ __forceinline__ Gaps watch_clock(u64 ns, u64 least)
{
	u64 begin = clock_here(), last = begin;
	Gaps gaps = {0, 0, 0};
	while (last - begin < ns) {
		u64 now = clock_here();
		gaps.see(now - last, least);
		last = now;
	}
	return gaps;
}

static __global__ void watch(Gaps *out, u64 ns)
{
	if (threadIdx.x == 0)
		out[blockIdx.x] = watch_clock(ns, GPU_GAP);
}

static void say(Probe &p, const char *what, int run, int tries, const Gaps &gaps)
{
	p.row("%s,%d,%d,%llu,%llu,%llu\n", what, run, tries, gaps.count, gaps.longest, gaps.total);
}

static bool is_virtual()
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	char line[4096];
	bool found = false;
	while (file != nullptr && !found && fgets(line, sizeof line, file) != nullptr)
		found = strncmp(line, "flags", 5) == 0 && strstr(line, " hypervisor") != nullptr;
	if (file != nullptr)
		fclose(file);
	return found;
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("quiet", "what,run,tries,gaps,longest_ns,total_ns", count, arguments);
	int sms = p.device.multiProcessorCount;
	size_t shared = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	Gaps *gaps;
	std::vector<Gaps> seen((size_t)sms);
	CHECK(cudaMalloc(&gaps, sizeof(Gaps) * (size_t)sms));
	CHECK(cudaFuncSetAttribute((const void *)watch, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared - 1024));
	say(p, "hypervisor", 0, 1, Gaps{is_virtual(), 0, 0});
	watch<<<sms, 32, shared - 1024>>>(gaps, 1000); // loaded before it counts
	CHECK(cudaDeviceSynchronize());
	for (int run = 0; p.time_left(); run++) {
		watch<<<sms, 32, shared - 1024>>>(gaps, WATCHED);
		CHECK(cudaGetLastError());
		say(p, "host", run, 1, watch_clock(WATCHED, HOST_GAP));
		CHECK(cudaMemcpy(seen.data(), gaps, sizeof(Gaps) * (size_t)sms, cudaMemcpyDeviceToHost));
		Gaps all = {0, 0, 0};
		for (const Gaps &g : seen) {
			all.count += g.count;
			all.total += g.total;
			all.longest = std::max(all.longest, g.longest);
		}
		say(p, "gpu", run, sms, all);
		p.progress("watching");
	}
	return p.finish();
}
