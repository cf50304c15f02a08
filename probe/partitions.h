// Partitions of SMs by green contexts: CUDA 12.5 and later. HAS_PARTITIONS says whether this toolkit knows them.
//
// A split cuts the GPU into groups of equally many SMs and what is left over. A partition is one or several groups of one split, or what
// was left over. Which SMs those are the driver does not say: Partition::find looks where blocks run.
#ifndef PARTITIONS_H
#define PARTITIONS_H

#include "probe.h"

#if CUDART_VERSION >= 12050
#define HAS_PARTITIONS 1

#include <algorithm>
#include <cuda.h>

// A function of the driver, so that nothing needs to be linked with it.
static inline void *driver_function(const char *name)
{
	void *function = nullptr;
	cudaDriverEntryPointQueryResult found;
	CHECK(cudaGetDriverEntryPointByVersion(name, &function, 12050, cudaEnableDefault, &found));
	if (function == nullptr) {
		fprintf(stderr, "this driver has no %s\n", name);
		exit(1);
	}
	return function;
}

#define DRIVER(name, ...) (((decltype(&name))driver_function(#name))(__VA_ARGS__))
#define DRIVER_CHECK(name, ...)                                                                                                            \
	do {                                                                                                                               \
		CUresult status_ = DRIVER(name, __VA_ARGS__);                                                                              \
		if (status_ != CUDA_SUCCESS) {                                                                                             \
			fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #name, (int)status_);                                 \
			exit(1);                                                                                                           \
		}                                                                                                                          \
	} while (0)

enum { GROUPS_MOST = 128 };

struct Split {
	unsigned least, flags; // SMs asked for; CU_DEV_SM_RESOURCE_SPLIT_...
	std::vector<CUdevResource> groups;
	CUdevResource rest;

	Split(int device, unsigned sms, unsigned how) : least(sms), flags(how)
	{
		CUdevResource all;
		unsigned count = GROUPS_MOST;
		groups.resize(count);
		DRIVER_CHECK(cuDeviceGetDevResource, device, &all, CU_DEV_RESOURCE_TYPE_SM);
		if (DRIVER(cuDevSmResourceSplitByCount, groups.data(), &count, &all, &rest, flags, least) != CUDA_SUCCESS)
			count = 0;
		groups.resize(count);
	}
};

static __global__ void stay(Record *records, u64 ns)
{
	if (threadIdx.x == 0) {
		Record r = {timer(), 0, this_sm(), 0};
		while (timer() - r.begin < ns)
			;
		r.end = timer();
		records[blockIdx.x] = r;
	}
}

struct Partition {
	CUgreenCtx context = nullptr;
	int size = 0;
	std::vector<int> sms; // ascending, once found
	std::vector<Record> found;

	Partition(int device, std::vector<CUdevResource> resources)
	{
		CUdevResourceDesc description;
		for (const CUdevResource &r : resources)
			size += (int)r.sm.smCount;
		DRIVER_CHECK(cuDevResourceGenerateDesc, &description, resources.data(), (unsigned)resources.size());
		DRIVER_CHECK(cuGreenCtxCreate, &context, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
	}

	cudaStream_t stream(int priority) const
	{
		CUstream made;
		DRIVER_CHECK(cuGreenCtxStreamCreate, &made, context, CU_STREAM_NON_BLOCKING, priority);
		return (cudaStream_t)made;
	}

	// A block of 1,024 threads on each SM: where there are more SMs than blocks, each gets at most one.
	void find(cudaStream_t in, Record *records)
	{
		found.resize(size);
		stay<<<size, 1024, 0, in>>>(records, 50000);
		CHECK(cudaStreamSynchronize(in));
		CHECK(cudaMemcpy(found.data(), records, sizeof(Record) * size, cudaMemcpyDeviceToHost));
		for (const Record &r : found)
			sms.push_back((int)r.sm);
		std::sort(sms.begin(), sms.end());
		sms.erase(std::unique(sms.begin(), sms.end()), sms.end());
	}

	// As in a task set: 0-13 16-29
	std::string text() const
	{
		std::string all;
		for (size_t i = 0, j; i < sms.size(); i = j) {
			for (j = i + 1; j < sms.size() && sms[j] == sms[j - 1] + 1; j++)
				;
			all += (i ? " " : "") + std::to_string(sms[i]) + (j > i + 1 ? "-" + std::to_string(sms[j - 1]) : "");
		}
		return all;
	}

	bool has(unsigned sm) const
	{
		return std::binary_search(sms.begin(), sms.end(), (int)sm);
	}
};

// The first groups to the first partition, and so on; sizes in SMs.
static inline std::vector<Partition> partitions_of(int device, const Split &split, const std::vector<int> &sizes)
{
	std::vector<Partition> made;
	size_t next = 0;
	for (int size : sizes) {
		std::vector<CUdevResource> groups;
		for (int sms = 0; sms < size && next < split.groups.size(); next++) {
			groups.push_back(split.groups[next]);
			sms += (int)split.groups[next].sm.smCount;
		}
		made.emplace_back(device, groups);
		if (made.back().size != size) {
			fprintf(stderr, "no partition of %d SMs: groups have %u\n", size,
				split.groups.empty() ? 0 : split.groups[0].sm.smCount);
			exit(3);
		}
	}
	return made;
}

#endif
#endif
