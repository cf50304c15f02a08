// Runs CUDA graphs that somebody else captured, and notes what they take: the part of probe/networks.py that has to be fast.
//
// A library, for ctypes: nvcc -shared -Xcompiler -fPIC -cudart shared -o libnetworks.so networks.cu
// Each graph has a stamp as its first and as its last node, which note the GPU's clock in device memory: so its span holds nothing of the
// host. A host thread a network launches them: networks_measure without pause, under four conditions in turn; networks_run periodically,
// each on its own or one after another under a lock by priority. The host's stamps are of CLOCK_MONOTONIC.
// Green contexts are made by the driver's functions, since the runtime of CUDA 13.0 has none.
#include "block.h"

#include <cuda.h>
#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <pthread.h>
#include <random>
#include <sched.h>
#include <sys/resource.h>
#include <thread>
#include <vector>

enum { MOST = 16, CAPACITY = 1 << 17, FLUSHED = 128 << 20, GROUP = 8, GROUPS = 32 };

#define TRY(call)                                                                                                                          \
	do {                                                                                                                               \
		cudaError_t status_ = (call);                                                                                              \
		if (status_ != cudaSuccess) {                                                                                              \
			fprintf(stderr, "networks: %s: %s\n", #call, cudaGetErrorString(status_));                                         \
			_Exit(1);                                                                                                          \
		}                                                                                                                          \
	} while (0)

static u64 now()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

// ---- stamps

struct Log { // in device memory
	unsigned count, first_sm, last_sm;
	u64 begin[CAPACITY], end[CAPACITY];
};

static Log *logs[MOST];

static __global__ void stamp_begin(Log *log)
{
	if (log->count < CAPACITY) {
		log->begin[log->count] = timer();
		log->first_sm = this_sm();
	}
}

static __global__ void stamp_end(Log *log)
{
	if (log->count < CAPACITY) {
		log->end[log->count] = timer();
		log->last_sm = this_sm();
		log->count++;
	}
}

static __global__ void flush(float4 *data, size_t words, float value)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < words; i += (size_t)gridDim.x * blockDim.x) {
		float4 v = data[i];
		data[i] = make_float4(v.x + value, v.y, v.z, v.w);
	}
}

static __global__ void census(unsigned *seen)
{
	atomicAdd(&seen[this_sm()], 1);
	u64 began = timer();
	while (timer() - began < 20000)
		;
}

// What a memset does.
static __global__ void fill(char *to, size_t pitch, unsigned value, unsigned element, size_t width, size_t height)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < width * height; i += (size_t)gridDim.x * blockDim.x) {
		char *at = to + i / width * pitch + i % width * element;
		if (element == 1)
			*at = (char)value;
		else if (element == 2)
			*(unsigned short *)at = (unsigned short)value;
		else
			*(unsigned *)at = value;
	}
}

// Into a stream that is being captured, or not: the first of them has to be launched before a capture, as it loads the code.
extern "C" void networks_stamp(void *stream, int network, int last)
{
	if (last)
		stamp_end<<<1, 1, 0, (cudaStream_t)stream>>>(logs[network]);
	else
		stamp_begin<<<1, 1, 0, (cudaStream_t)stream>>>(logs[network]);
	TRY(cudaGetLastError());
}

extern "C" void networks_open(int networks)
{
	for (int i = 0; i < networks; i++) {
		TRY(cudaMalloc(&logs[i], sizeof(Log)));
		TRY(cudaMemset(logs[i], 0, sizeof(Log)));
		networks_stamp(nullptr, i, 0);
		networks_stamp(nullptr, i, 1);
	}
	fill<<<1, 1>>>(nullptr, 0, 0, 1, 0, 0); // so that its code is there when a capture wants it
	TRY(cudaDeviceSynchronize());
}

extern "C" void networks_reset(int network)
{
	TRY(cudaMemset(logs[network], 0, 3 * sizeof(unsigned)));
	TRY(cudaDeviceSynchronize());
}

// How many launches were noted; begins and ends are the GPU's nanoseconds.
extern "C" int networks_read(int network, u64 *begin, u64 *end, unsigned sm[2])
{
	unsigned head[3];
	TRY(cudaMemcpy(head, logs[network], sizeof head, cudaMemcpyDeviceToHost));
	TRY(cudaMemcpy(begin, logs[network]->begin, sizeof(u64) * head[0], cudaMemcpyDeviceToHost));
	TRY(cudaMemcpy(end, logs[network]->end, sizeof(u64) * head[0], cudaMemcpyDeviceToHost));
	sm[0] = head[1];
	sm[1] = head[2];
	return (int)head[0];
}

// ---- graphs

static std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph)
{
	size_t count = 0;
	TRY(cudaGraphGetNodes(graph, nullptr, &count));
	std::vector<cudaGraphNode_t> nodes(count);
	TRY(cudaGraphGetNodes(graph, nodes.data(), &count));
	return nodes;
}

// A kernel in place of a memset, of the context of this stream.
static void replace_memset(cudaGraph_t graph, cudaGraphNode_t node, cudaStream_t stream)
{
	cudaMemsetParams set;
	cudaStreamCaptureStatus status;
	const cudaGraphNode_t *last;
	cudaGraph_t same;
	size_t before = 0, behind = 0, leaves;
	TRY(cudaGraphMemsetNodeGetParams(node, &set));
	TRY(cudaGraphNodeGetDependencies(node, nullptr, nullptr, &before));
	TRY(cudaGraphNodeGetDependentNodes(node, nullptr, nullptr, &behind));
	std::vector<cudaGraphNode_t> from(before), to(behind);
	TRY(cudaGraphNodeGetDependencies(node, from.data(), nullptr, &before));
	TRY(cudaGraphNodeGetDependentNodes(node, to.data(), nullptr, &behind));
	TRY(cudaStreamBeginCaptureToGraph(stream, graph, from.data(), nullptr, before, cudaStreamCaptureModeThreadLocal));
	fill<<<8, 256, 0, stream>>>((char *)set.dst, set.pitch, set.value, set.elementSize, set.width, set.height);
	TRY(cudaGetLastError());
	TRY(cudaStreamGetCaptureInfo(stream, &status, nullptr, nullptr, &last, nullptr, &leaves));
	cudaGraphNode_t kernel = last[0];
	TRY(cudaStreamEndCapture(stream, &same));
	for (cudaGraphNode_t each : to)
		TRY(cudaGraphAddDependencies(graph, &kernel, &each, nullptr, 1));
	TRY(cudaGraphDestroyNode(node));
}

// A graph with a memset in it is given to the GPU in several parts, and waits inside for a host that is interrupted between them; a graph of
// kernels alone is not.
extern "C" void networks_replace_memsets(void *graph, void *stream)
{
	for (cudaGraphNode_t node : nodes_of((cudaGraph_t)graph)) {
		cudaGraphNodeType type;
		TRY(cudaGraphNodeGetType(node, &type));
		if (type == cudaGraphNodeTypeMemset)
			replace_memset((cudaGraph_t)graph, node, (cudaStream_t)stream);
	}
}

// Nodes by kind: kernels, memsets, copies, others; [4]: 1 where each node follows the one before it.
extern "C" void *networks_instantiate(void *graph, int kinds[5])
{
	cudaGraphExec_t instance;
	std::vector<cudaGraphNode_t> nodes = nodes_of((cudaGraph_t)graph);
	size_t edges = 0;
	bool linear = true;
	for (int i = 0; i < 5; i++)
		kinds[i] = 0;
	for (cudaGraphNode_t each : nodes) {
		cudaGraphNodeType type;
		size_t before = 0, behind = 0;
		TRY(cudaGraphNodeGetType(each, &type));
		kinds[type == cudaGraphNodeTypeKernel ? 0 : type == cudaGraphNodeTypeMemset ? 1 : type == cudaGraphNodeTypeMemcpy ? 2 : 3]++;
		TRY(cudaGraphNodeGetDependencies(each, nullptr, nullptr, &before));
		TRY(cudaGraphNodeGetDependentNodes(each, nullptr, nullptr, &behind));
		linear = linear && before <= 1 && behind <= 1;
		edges += before;
	}
	kinds[4] = linear && edges + 1 == nodes.size();
	TRY(cudaGraphInstantiate(&instance, (cudaGraph_t)graph, 0));
	return instance;
}

// ---- partitions

template <typename F> static F driver(const char *name)
{
	void *found = nullptr;
	cudaDriverEntryPointQueryResult result;
	if (cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &result) != cudaSuccess || found == nullptr) {
		fprintf(stderr, "networks: the driver has no %s\n", name);
		_Exit(1);
	}
	return (F)found;
}

static bool good(CUresult result, const char *what)
{
	if (result != CUDA_SUCCESS)
		fprintf(stderr, "networks: %s: error %d of the driver\n", what, (int)result);
	return result == CUDA_SUCCESS;
}

// A green context of sizes[i] SMs each, disjoint, with a stream; false: the driver refuses.
extern "C" int networks_partition(int count, const int *sizes, void **streams, int *got)
{
	auto get = driver<CUresult (*)(CUdevice, CUdevResource *, CUdevResourceType)>("cuDeviceGetDevResource");
	auto split = driver<CUresult (*)(CUdevResource *, unsigned *, const CUdevResource *, CUdevResource *, unsigned, unsigned)>(
		"cuDevSmResourceSplitByCount");
	auto describe = driver<CUresult (*)(CUdevResourceDesc *, CUdevResource *, unsigned)>("cuDevResourceGenerateDesc");
	auto create = driver<CUresult (*)(CUgreenCtx *, CUdevResourceDesc, CUdevice, unsigned)>("cuGreenCtxCreate");
	auto stream = driver<CUresult (*)(CUstream *, CUgreenCtx, unsigned, int)>("cuGreenCtxStreamCreate");
	CUdevResource all, part[GROUPS], rest;
	unsigned groups = GROUPS, at = 0;
	if (!good(get(0, &all, CU_DEV_RESOURCE_TYPE_SM), "cuDeviceGetDevResource"))
		return 0;
	groups = all.sm.smCount / GROUP;
	if (!good(split(part, &groups, &all, &rest, 0, GROUP), "cuDevSmResourceSplitByCount"))
		return 0;
	for (int i = 0; i < count; i++) {
		CUdevResourceDesc description;
		CUgreenCtx context;
		CUstream made;
		unsigned wanted = (unsigned)sizes[i] / GROUP;
		if (at + wanted > groups) {
			fprintf(stderr, "networks: %u groups of SMs, and more are asked for\n", groups);
			return 0;
		}
		got[i] = 0;
		for (unsigned k = 0; k < wanted; k++)
			got[i] += (int)part[at + k].sm.smCount;
		if (!good(describe(&description, part + at, wanted), "cuDevResourceGenerateDesc") ||
			!good(create(&context, description, 0, CU_GREEN_CTX_DEFAULT_STREAM), "cuGreenCtxCreate") ||
			!good(stream(&made, context, CU_STREAM_NON_BLOCKING, 0), "cuGreenCtxStreamCreate"))
			return 0;
		at += wanted;
		streams[i] = made;
	}
	return 1;
}

// Blocks on each SM of a kernel in this stream.
extern "C" void networks_census(void *stream, unsigned *seen, int sms)
{
	unsigned *counts;
	TRY(cudaMalloc(&counts, sizeof *counts * (size_t)sms));
	TRY(cudaMemset(counts, 0, sizeof *counts * (size_t)sms));
	TRY(cudaDeviceSynchronize());
	census<<<2000, 64, 0, (cudaStream_t)stream>>>(counts);
	TRY(cudaStreamSynchronize((cudaStream_t)stream));
	TRY(cudaMemcpy(seen, counts, sizeof *counts * (size_t)sms, cudaMemcpyDeviceToHost));
	TRY(cudaFree(counts));
}

// ---- without pause: what a graph takes

struct Measured { // the same in networks.py
	void *graph, *other, *stream; // other: a graph that runs before, every fourth time
	int64_t count;
};

static int first_core = 1;

// The core of the first network's thread; the next one's is the next.
extern "C" void networks_cores(int first)
{
	first_core = first;
}

// A core of its own, and before all that is not of real time there, as far as the system lets us.
static void keep_core(int number, bool first)
{
	cpu_set_t cores;
	sched_param priority = {.sched_priority = 50};
	CPU_ZERO(&cores);
	CPU_SET((unsigned)(first_core + number) % std::thread::hardware_concurrency(), &cores);
	pthread_setaffinity_np(pthread_self(), sizeof cores, &cores);
	if (first && pthread_setschedparam(pthread_self(), SCHED_FIFO, &priority) != 0 && number == 0)
		fprintf(stderr, "networks: the system grants no real-time priority: other threads may take the cores\n");
}

// How often this thread was taken off its core though it was ready: by the system that it runs on, not by a machine below that.
static long preemptions()
{
	rusage used;
	getrusage(RUSAGE_THREAD, &used);
	return used.ru_nivcsw;
}

static void wait_for(cudaEvent_t event)
{
	cudaError_t status;
	while ((status = cudaEventQuery(event)) == cudaErrorNotReady)
		;
	TRY(status);
}

static void sleep_for(u64 ns)
{
	timespec t = {(time_t)(ns / 1000000000ull), (long)(ns % 1000000000ull)};
	nanosleep(&t, nullptr);
}

// Sample i is under condition i % 4: behind itself, caches flushed, behind another network, after idling.
static void measure(Measured *m, int number, int64_t samples, u64 stop, std::atomic<int> *unready)
{
	cudaStream_t stream = (cudaStream_t)m->stream;
	cudaEvent_t done;
	float4 *data;
	std::mt19937 draw((unsigned)number);
	keep_core(number, false); // it never sleeps long
	TRY(cudaSetDevice(0));
	TRY(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	TRY(cudaMalloc(&data, FLUSHED));
	for (m->count = 0; m->count < CAPACITY && now() < stop && (m->count < samples || unready->load() > 0);) {
		int condition = (int)(m->count % 4);
		if (condition == 1)
			flush<<<264, 512, 0, stream>>>(data, FLUSHED / sizeof *data, 1.0f);
		if (condition == 2)
			TRY(cudaGraphLaunch((cudaGraphExec_t)m->other, stream));
		if (condition == 3)
			sleep_for(20000 + draw() % 400000);
		TRY(cudaGraphLaunch((cudaGraphExec_t)m->graph, stream));
		TRY(cudaEventRecord(done, stream));
		wait_for(done);
		if (++m->count == samples)
			unready->fetch_sub(1);
	}
	if (m->count < samples)
		unready->fetch_sub(1);
}

// All at once, each until all have so many samples, or one after another.
extern "C" void networks_measure(int count, Measured *measured, int together, int64_t samples, double seconds)
{
	u64 stop = now() + (u64)(seconds * 1e9);
	if (!together)
		for (int i = 0; i < count; i++) {
			std::atomic<int> unready(1);
			std::thread(measure, &measured[i], i, samples, stop, &unready).join();
		}
	else {
		std::atomic<int> unready(count);
		std::vector<std::thread> threads;
		for (int i = 0; i < count; i++)
			threads.emplace_back(measure, &measured[i], i, samples, stop, &unready);
		for (std::thread &thread : threads)
			thread.join();
	}
}

// ---- periodically: jobs

struct Job { // ns of the host
	u64 nominal, asked, taken, issued, seen, handed;
};

struct Task { // the same in networks.py
	void *graph, *stream;
	int64_t period, lag, priority, jobs, done, preempted; // lag: up to so much later than nominal is a job released, so that orders change
	Job *rows; // so many as jobs
};

// One holder at a time; at a hand-over it goes to the waiting one of the least priority number, of equals to the one that came first.
struct Lock {
	std::atomic_flag inner = ATOMIC_FLAG_INIT;
	bool held = false;
	int waiting = 0, priorities[MOST];
	std::atomic<u64> *grants[MOST]; // when it was chosen, 0: not yet

	void enter()
	{
		while (inner.test_and_set(std::memory_order_acquire))
			;
	}
	void leave()
	{
		inner.clear(std::memory_order_release);
	}
	// Since when the lock is its: from the choice on it is the holder, however long it takes to see that.
	u64 take(int priority, u64 asked)
	{
		std::atomic<u64> granted(0);
		enter();
		if (!held)
			granted = asked;
		else {
			priorities[waiting] = priority;
			grants[waiting++] = &granted;
		}
		held = true;
		leave();
		while (granted.load(std::memory_order_acquire) == 0)
			;
		return granted;
	}
	void release()
	{
		enter();
		int best = -1;
		for (int i = 0; i < waiting; i++)
			best = best < 0 || priorities[i] < priorities[best] ? i : best;
		held = best >= 0;
		if (held) {
			std::atomic<u64> *granted = grants[best];
			waiting--;
			for (int i = best; i < waiting; i++) {
				grants[i] = grants[i + 1];
				priorities[i] = priorities[i + 1];
			}
			granted->store(now(), std::memory_order_release);
		}
		leave();
	}
};

static void run(Task *t, Lock *lock, u64 start, u64 stop)
{
	cudaStream_t stream = (cudaStream_t)t->stream;
	cudaEvent_t done;
	std::mt19937 draw((unsigned)t->priority + 1);
	keep_core((int)t->priority, true);
	TRY(cudaSetDevice(0));
	TRY(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
	t->preempted = preemptions();
	for (t->done = 0; t->done < t->jobs; t->done++) {
		Job *job = &t->rows[t->done];
		job->nominal = start + (u64)(t->done * t->period);
		u64 release = job->nominal + draw() % 8 * (u64)t->lag / 7;
		if (job->nominal > stop)
			break;
		if (release > now() + 250000)
			sleep_for(release - now() - 200000);
		while (now() < release)
			;
		job->asked = job->taken = now();
		if (lock != nullptr)
			job->taken = lock->take((int)t->priority, job->asked);
		TRY(cudaGraphLaunch((cudaGraphExec_t)t->graph, stream));
		job->issued = now();
		TRY(cudaEventRecord(done, stream));
		wait_for(done);
		job->seen = job->handed = now();
		if (lock != nullptr) {
			lock->release();
			job->handed = now();
		}
	}
	t->preempted = preemptions() - t->preempted;
}

// start: of CLOCK_MONOTONIC, so that several processes begin together.
extern "C" void networks_run(int count, Task *tasks, int locked, u64 start, double seconds)
{
	Lock lock;
	std::vector<std::thread> threads;
	for (int i = 0; i < count; i++)
		threads.emplace_back(run, &tasks[i], locked ? &lock : nullptr, start, start + (u64)(seconds * 1e9));
	for (std::thread &thread : threads)
		thread.join();
}
