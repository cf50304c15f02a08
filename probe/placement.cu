// Records on which SM each block of concurrently held or running kernels begins, without any traffic to host memory.
//
// usage: placement EXPERIMENT SEED CONFIGURATIONS > trace.csv
//   registers  held kernels with many register counts a thread      static   held kernels with static and dynamic shared memory
//   carveout   held kernels, each with its own carveout preference  fresh    small held kernels: the pointers a new process starts with
//   late       timed kernels back to back, block sizes around two warps: who begins late
//   holes-shared, holes-warps, holes-registers   a block of each kernel on every SM, kernels leaving in random order: what fits into what
//              they leave of shared memory; of registers, blocks of four warps or multiples; of registers, blocks of 1 to 12 warps
//   holes-layers   a kernel that fills every SM, block upon block; layers of it leave, and others come
//   holes-same     the same with blocks of 64, then of 256 threads of one function, with the default carveout preference
// A held kernel's blocks stay until all kernels of the configuration have been launched, or in the last three until its own leave is given. The go flag lies in device memory and is set by
// a copy; the host never waits for a block by memory that blocks write to. Output: the trace format of gpubound-validate(1), with the
// columns registers, static and carveout added.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                       \
	do {                                                                                              \
		cudaError_t status = (call);                                                              \
		if (status != cudaSuccess) {                                                              \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
			exit(1);                                                                          \
		}                                                                                         \
	} while (0)

struct Record {
	unsigned sm, ticket;
	unsigned long long begin, end;
};

__device__ unsigned long long timer()
{
	unsigned long long t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

__device__ unsigned this_sm()
{
	unsigned sm;
	asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
	return sm;
}

// REGISTERS live values a thread and STATIC bytes a block make the kernel's demand; VARIANT tells otherwise equal kernels apart.
template <int REGISTERS, int STATIC, int VARIANT>
__global__ void hold(
	Record *records, unsigned *ticket, const volatile int *go, int layer, unsigned long long duration, float *sink, int rounds)
{
	__shared__ char fixed[STATIC + 1];
	float live[REGISTERS + 1];
	go += blockIdx.x / layer; // blocks of a layer leave together
#pragma unroll
	for (int i = 0; i <= REGISTERS; i++)
		live[i] = (float)(threadIdx.x + i);
	if (threadIdx.x == 0) {
		Record record = {this_sm(), atomicAdd(ticket, 1u), timer(), 0};
		unsigned long long limit = duration ? duration : 20000000ull;
		while (timer() - record.begin < limit && (duration || !*go))
			;
		record.end = timer();
		records[blockIdx.x] = record;
		fixed[rounds & 1 ? STATIC : 0] = 1;
	}
	__syncthreads();
	for (int k = 0; k < rounds; k++)
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			live[i] = live[i] * live[(i + 1) % (REGISTERS + 1)] + live[(i + 7) % (REGISTERS + 1)] + fixed[0];
	if (rounds > 1000000) {
		float sum = VARIANT;
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			sum += live[i];
		sink[threadIdx.x] = sum;
	}
}

typedef void (*Function)(Record *, unsigned *, const volatile int *, int, unsigned long long, float *, int);

struct Variant {
	Function function;
	int carveout; // percent, -1: the default preference
	int registers, fixed; // read back from the compiler
};

static std::vector<Variant> by_registers = {{hold<0, 0, 0>, -1}, {hold<8, 0, 0>, -1}, {hold<14, 0, 0>, -1}, {hold<22, 0, 0>, -1},
	{hold<30, 0, 0>, -1}, {hold<38, 0, 0>, -1}, {hold<46, 0, 0>, -1}, {hold<54, 0, 0>, -1}, {hold<62, 0, 0>, -1}, {hold<78, 0, 0>, -1},
	{hold<94, 0, 0>, -1}, {hold<110, 0, 0>, -1}, {hold<142, 0, 0>, -1}, {hold<190, 0, 0>, -1}, {hold<230, 0, 0>, -1}};
static std::vector<Variant> by_static = {{hold<0, 0, 0>, -1}, {hold<0, 512, 0>, -1}, {hold<0, 1500, 0>, -1}, {hold<0, 4000, 0>, -1},
	{hold<0, 8000, 0>, -1}, {hold<0, 16000, 0>, -1}, {hold<0, 40000, 0>, -1}};
static std::vector<Variant> by_carveout = {{hold<0, 0, 1>, -1}, {hold<0, 0, 2>, 0}, {hold<0, 0, 3>, 14}, {hold<0, 0, 4>, 28},
	{hold<0, 0, 5>, 50}, {hold<0, 0, 6>, 71}, {hold<0, 0, 7>, 86}, {hold<0, 0, 8>, 100}};
static std::vector<Variant> plain = {{hold<0, 0, 0>, -1}};

struct Kernel {
	int blocks, threads, shared, variant, priority;
	unsigned long long duration;
	int layers = 1;
};

enum { STREAMS = 16, BLOCKS = 32768, FLAGS = 128, SAME_VARIANT = 10 /* of by_registers */ };

static struct {
	Record *records;
	unsigned *ticket;
	int *go; // one a layer of a kernel
	cudaStream_t low[STREAMS], high[STREAMS], control;
	std::vector<Record> host;
} machine;

static void set_up(std::vector<Variant> &variants, int optin)
{
	int least, greatest;
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	for (int i = 0; i < STREAMS; i++) {
		CHECK(cudaStreamCreateWithPriority(&machine.low[i], cudaStreamNonBlocking, least));
		CHECK(cudaStreamCreateWithPriority(&machine.high[i], cudaStreamNonBlocking, greatest));
	}
	CHECK(cudaStreamCreateWithFlags(&machine.control, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&machine.records, sizeof(Record) * BLOCKS));
	CHECK(cudaMalloc(&machine.ticket, sizeof(unsigned)));
	CHECK(cudaMalloc(&machine.go, sizeof(int) * FLAGS));
	machine.host.resize(BLOCKS);
	for (Variant &v : variants) {
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, (const void *)v.function));
		v.registers = attributes.numRegs;
		v.fixed = (int)attributes.sharedSizeBytes;
		CHECK(cudaFuncSetAttribute((const void *)v.function, cudaFuncAttributeMaxDynamicSharedMemorySize, optin - v.fixed));
		if (v.carveout >= 0)
			CHECK(cudaFuncSetAttribute((const void *)v.function, cudaFuncAttributePreferredSharedMemoryCarveout, v.carveout));
	}
}

static void wait_us(double us)
{
	auto start = std::chrono::steady_clock::now();
	while (std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count() < us)
		;
}

static void set_go(int first, int count)
{
	int values[FLAGS];
	std::fill(values, values + count, 1);
	CHECK(cudaMemcpyAsync(machine.go + first, values, sizeof *values * count, cudaMemcpyHostToDevice, machine.control));
	CHECK(cudaStreamSynchronize(machine.control));
}

static unsigned started()
{
	unsigned blocks;
	CHECK(cudaMemcpyAsync(&blocks, machine.ticket, sizeof blocks, cudaMemcpyDeviceToHost, machine.control));
	CHECK(cudaStreamSynchronize(machine.control));
	return blocks;
}

static void print(const char *name, int configuration, bool held, const std::vector<Kernel> &kernels, const std::vector<Variant> &variants)
{
	unsigned long long base = ~0ull;
	int total = 0;
	for (const Kernel &k : kernels)
		total += k.blocks;
	CHECK(cudaMemcpy(machine.host.data(), machine.records, sizeof(Record) * total, cudaMemcpyDeviceToHost));
	for (int i = 0; i < total; i++)
		base = machine.host[i].begin < base ? machine.host[i].begin : base;
	int row = 0;
	for (size_t i = 0; i < kernels.size(); i++)
		for (int b = 0; b < kernels[i].blocks; b++, row++) {
			const Record &r = machine.host[row];
			const Variant &v = variants[kernels[i].variant];
			printf("%s,%d,0,%d,%zu,%zu,%d,%d,1,1,%d,%d,%d,%d,%u,%u,%llu,%llu,%d,%d,%d\n", name, configuration, held ? 0 : 1, i, i,
				kernels[i].priority, kernels[i].blocks, kernels[i].threads, kernels[i].shared, 0, b, r.sm, r.ticket,
				r.begin - base, r.end - base, v.registers, v.fixed, v.carveout);
		}
}

static void prepare()
{
	CHECK(cudaMemset(machine.ticket, 0, sizeof(unsigned)));
	CHECK(cudaMemset(machine.go, 0, sizeof(int) * FLAGS));
	CHECK(cudaDeviceSynchronize());
}

static void launch(const Kernel &k, size_t i, int flag, int offset, const std::vector<Variant> &variants)
{
	variants[k.variant].function<<<k.blocks, k.threads, k.shared, (k.priority ? machine.high : machine.low)[i]>>>(
		machine.records + offset, machine.ticket, machine.go + flag, k.blocks / k.layers, k.duration, nullptr, 0);
	CHECK(cudaGetLastError());
}

static void run(const char *name, int configuration, bool held, const std::vector<Kernel> &kernels, const std::vector<Variant> &variants)
{
	prepare();
	int offset = 0;
	for (size_t i = 0; i < kernels.size(); i++) {
		launch(kernels[i], i, (int)i, offset, variants);
		offset += kernels[i].blocks;
		if (held)
			wait_us(60);
	}
	if (held)
		set_go(0, FLAGS);
	CHECK(cudaDeviceSynchronize());
	print(name, configuration, held, kernels, variants);
}

// Kernels come and leave in a random order, those of several layers one layer after another. A kernel that does not begin waits for others
// to leave.
template <class Pick, class Draw>
static void run_holes(const char *name, int configuration, Pick pick, Draw draw, const std::vector<Variant> &variants)
{
	std::vector<Kernel> kernels;
	std::vector<int> live;
	int offset = 0, flags = 0;
	auto release = [&] {
		int i = pick(0, (int)live.size() - 1);
		set_go(live[i], 1);
		live.erase(live.begin() + i);
		wait_us(30);
	};
	prepare();
	while (kernels.size() < STREAMS) {
		if (!live.empty() && pick(0, 9) < 3) {
			release();
			continue;
		}
		Kernel k = draw(kernels.size());
		if (flags + k.layers > FLAGS || offset + k.blocks > BLOCKS)
			break;
		launch(k, kernels.size(), flags, offset, variants);
		kernels.push_back(k);
		offset += k.blocks;
		wait_us(50);
		while (started() < (unsigned)offset && !live.empty())
			release();
		for (int i = 0; i < k.layers; i++)
			live.push_back(flags++);
		for (int i = pick(0, k.layers - 1); i > 0 && k.layers > 1; i--)
			release();
	}
	set_go(0, FLAGS);
	CHECK(cudaDeviceSynchronize());
	print(name, configuration, true, kernels, variants);
}

int main(int count, char **arguments)
{
	if (count != 4) {
		fprintf(stderr, "usage: placement registers|static|carveout|fresh|late|holes-shared|holes-warps|holes-registers|holes-layers|holes-same SEED CONFIGURATIONS\n");
		return 2;
	}
	std::string experiment = arguments[1];
	std::mt19937 random((unsigned)atoi(arguments[2]));
	auto pick = [&](int a, int b) { return a + (int)(random() % (unsigned)(b - a + 1)); };
	setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
	cudaDeviceProp device;
	CHECK(cudaGetDeviceProperties(&device, 0));
	std::vector<Variant> &variants =
		experiment == "registers" || (experiment.compare(0, 5, "holes") == 0 && experiment != "holes-shared") ? by_registers : experiment == "static" ? by_static : experiment == "carveout" ? by_carveout : plain;
	if (experiment.compare(0, 5, "holes") == 0 && experiment != "holes-same")
		for (Variant &v : variants)
			v.carveout = 100;
	set_up(variants, (int)device.sharedMemPerBlockOptin);
	printf("exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1,registers,static,carveout\n");
	int sms = device.multiProcessorCount;
	auto draw = [&](size_t i) {
		Kernel k = {sms, 32, 0, 0, 0, 0};
		if (experiment == "holes-shared")
			k.shared = pick(0, 2) ? pick(1, 80) * 1024 : pick(1, 80000);
		else {
			k.variant = pick(0, (int)variants.size() - 1);
			int most = 65536 / ((variants[k.variant].registers + 7) / 8 * 8 * 32) / 4 * 4;
			k.threads = 32 * (experiment == "holes-warps" ? 4 * pick(1, std::min(4, most / 4)) : pick(1, std::min(12, most)));
			bool same = experiment == "holes-same";
			if (same) {
				k.variant = SAME_VARIANT;
				k.threads = i == 0 ? 64 : 256;
			}
			if ((same || experiment == "holes-layers") && i == 0) {
				k.variant = same ? SAME_VARIANT : pick(3, (int)variants.size() - 1);
				k.threads = same ? 64 : 32 * pick(1, 4);
				CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(
					&k.layers, (const void *)variants[k.variant].function, k.threads, 0));
				k.blocks = k.layers * sms;
			}
		}
		return k;
	};
	for (int c = 0; c < atoi(arguments[3]); c++) {
		if (experiment.compare(0, 5, "holes") == 0) {
			run_holes(experiment.c_str(), c, pick, draw, variants);
			continue;
		}
		std::vector<Kernel> kernels;
		double filled = 0;
		bool late = experiment == "late";
		for (int i = 0, n = late ? pick(2, 5) : pick(2, 8); i < n; i++) {
			Kernel k = {pick(1, 60), pick(1, 1024), 0, pick(0, (int)variants.size() - 1), 0, 0};
			const Variant &v = variants[k.variant];
			int unit = (v.registers + 7) / 8 * 8, most = 65536 / (unit * 32) / 4 * 4 * 32;
			k.threads = k.threads > most ? pick(1, most) : k.threads;
			if (experiment == "fresh")
				k = {pick(1, 4), pick(1, 1024), 0, 0, 0, 0};
			if (experiment == "static")
				k.shared = pick(0, 1) ? 0 : pick(0, 30000);
			if (experiment == "carveout")
				k.shared = pick(0, 1) ? 0 : pick(1, 60000);
			if (late)
				k = {pick(50, 900), pick(0, 2) ? pick(1, 4) * 32 - pick(0, 31) : pick(32, 1024), 0, 0, pick(0, 3) == 0,
					(unsigned long long)pick(20, 120) * 1000};
			int warps = (k.threads + 31) / 32;
			double share = warps / 64.0;
			share = std::max(share, warps * unit * 32 / 65536.0);
			share = std::max(share, (k.shared + v.fixed + 1024) / 233472.0);
			share *= k.blocks;
			if (!late && filled + share > sms * 0.6)
				continue;
			filled += share;
			kernels.push_back(k);
		}
		if (!kernels.empty())
			run(experiment.c_str(), c, !late, kernels, variants);
	}
	return 0;
}
