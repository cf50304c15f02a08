// What works in the SMs that the program has not, and on the copy engines: as much as it can, in launches of some milliseconds.
#include "stress.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

typedef unsigned long long u64;

#define CHECK(call)                                                                                                                        \
	do {                                                                                                                               \
		cudaError_t status_ = (call);                                                                                              \
		if (status_ != cudaSuccess) {                                                                                              \
			fprintf(stderr, "libgpubound-stress: %s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));     \
			_Exit(1);                                                                                                          \
		}                                                                                                                          \
	} while (0)

enum { LAUNCH_NS = 3000000, IN_L2 = 16 << 20, BEYOND_L2 = 512 << 20, COPIED = 4 << 20, AHEAD = 2, THREADS = 1024, SM_WORDS = 32 };

static __device__ __forceinline__ u64 timer()
{
	u64 t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
	return t;
}

// Reads or writes the buffer again and again, past the L1; `bytes` adds up how much.
__global__ void gpubound_aggressor(float4 *buffer, size_t words, int writes, u64 ns, u64 *bytes, unsigned *sms)
{
	u64 begin = timer(), done = 0;
	float sum = 0;
	size_t step = (size_t)gridDim.x * blockDim.x, at = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	while (timer() - begin < ns) {
		for (int i = 0; i < 32; i++, at += step) {
			at = at < words ? at : at % words;
			if (writes)
				__stcg(&buffer[at], make_float4(1, 2, 3, sum));
			else
				sum += __ldcg(&buffer[at]).x;
		}
		done += 32 * sizeof *buffer;
	}
	if (sum == -1.2345e30f)
		buffer[0].x = sum;
	if (threadIdx.x == 0) {
		unsigned sm;
		asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
		atomicOr(&sms[sm / 32 % SM_WORDS], 1u << sm % 32);
		atomicAdd(bytes, done * blockDim.x);
	}
}

struct Worker {
	std::string what; // l2, read, write, h2d, d2h
	CUcontext context;
	stress_enter enter;
	int sms;
	std::vector<unsigned> seen; // a bit an SM on which its blocks were
	std::thread thread;
	std::atomic<bool> works{false};
	u64 launches = 0, bytes = 0, ns = 0;
};

static std::vector<Worker *> workers;
static std::atomic<bool> over(false);

static u64 now()
{
	timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (u64)t.tv_sec * 1000000000ull + (u64)t.tv_nsec;
}

// AHEAD of them are in the queue at any time.
template <class Issue> static void go_on(Worker *w, cudaStream_t stream, Issue issue)
{
	cudaEvent_t behind[AHEAD];
	for (cudaEvent_t &e : behind)
		CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming | cudaEventBlockingSync));
	u64 began = 0;
	for (; !over; w->launches++) {
		cudaEvent_t e = behind[w->launches % AHEAD];
		if (w->launches >= AHEAD)
			CHECK(cudaEventSynchronize(e));
		if (w->launches == AHEAD) {
			began = now();
			w->works = true;
		}
		issue();
		CHECK(cudaEventRecord(e, stream));
	}
	CHECK(cudaStreamSynchronize(stream));
	w->ns = began == 0 ? 0 : now() - began;
}

static void access_memory(Worker *w, cudaStream_t stream)
{
	size_t size = w->what == "l2" ? IN_L2 : BEYOND_L2;
	float4 *buffer;
	u64 *bytes;
	unsigned *sms;
	CHECK(cudaMalloc(&sms, SM_WORDS * sizeof *sms));
	CHECK(cudaMemsetAsync(sms, 0, SM_WORDS * sizeof *sms, stream));
	CHECK(cudaMalloc(&buffer, size));
	CHECK(cudaMalloc(&bytes, sizeof *bytes));
	CHECK(cudaMemsetAsync(buffer, 0, size, stream));
	CHECK(cudaMemsetAsync(bytes, 0, sizeof *bytes, stream));
	CHECK(cudaStreamSynchronize(stream));
	go_on(w, stream, [&] {
		gpubound_aggressor<<<2 * w->sms, THREADS, 0, stream>>>(buffer, size / sizeof *buffer, w->what == "write", LAUNCH_NS, bytes, sms);
		CHECK(cudaGetLastError());
	});
	w->seen.resize(SM_WORDS);
	CHECK(cudaMemcpyAsync(w->seen.data(), sms, SM_WORDS * sizeof *sms, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaMemcpyAsync(&w->bytes, bytes, sizeof *bytes, cudaMemcpyDeviceToHost, stream));
	CHECK(cudaStreamSynchronize(stream));
}

static void copy(Worker *w, cudaStream_t stream)
{
	void *device, *host;
	CHECK(cudaMalloc(&device, COPIED));
	CHECK(cudaHostAlloc(&host, COPIED, cudaHostAllocDefault));
	go_on(w, stream, [&] {
		if (w->what == "h2d")
			CHECK(cudaMemcpyAsync(device, host, COPIED, cudaMemcpyHostToDevice, stream));
		else
			CHECK(cudaMemcpyAsync(host, device, COPIED, cudaMemcpyDeviceToHost, stream));
	});
	w->bytes = w->launches * COPIED;
}

static void work(Worker *w)
{
	if (w->enter(w->context) != CUDA_SUCCESS) { // before the runtime is used: it takes the context that is current
		fprintf(stderr, "libgpubound-stress: the aggressors' context cannot be made current\n");
		_Exit(1);
	}
	cudaStream_t stream;
	CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	if (w->what == "h2d" || w->what == "d2h")
		copy(w, stream);
	else
		access_memory(w, stream);
}

static void add(const char *what, const struct stress_place &place, stress_enter enter)
{
	Worker *w = new Worker;
	w->enter = enter;
	w->what = what;
	w->context = place.context;
	w->sms = place.sms;
	workers.push_back(w);
}

extern "C" int stress_begin(const char *kind, const struct stress_place *places, int count, stress_enter enter)
{
	bool all = strcmp(kind, "all") == 0, copies = all || strcmp(kind, "both") == 0;
	const char *on_sms = all ? "read" : strcmp(kind, "l2") == 0 || strcmp(kind, "read") == 0 || strcmp(kind, "write") == 0 ? kind : nullptr;
	for (int i = 0; i < count && on_sms != nullptr; i++)
		add(on_sms, places[i], enter);
	if (count > 0 && (copies || strcmp(kind, "h2d") == 0))
		add("h2d", places[0], enter);
	if (count > 0 && (copies || strcmp(kind, "d2h") == 0))
		add("d2h", places[0], enter);
	if (workers.empty())
		return 1;
	for (Worker *w : workers) { // one after the other: each loads its kernels when it begins
		w->thread = std::thread(work, w);
		while (!w->works)
			std::this_thread::yield();
	}
	return 0;
}

extern "C" void stress_end(void *log)
{
	over = true;
	for (Worker *w : workers) {
		w->thread.join();
		fprintf((FILE *)log, "aggressor=%s sms=%d launches=%llu GB_per_s=%.1f on=", w->what.c_str(), w->sms, w->launches,
			w->ns ? (double)w->bytes / (double)w->ns : 0.0);
		const char *between = "";
		for (size_t sm = 0; sm < 32 * w->seen.size(); sm++)
			if (w->seen[sm / 32] >> sm % 32 & 1) {
				fprintf((FILE *)log, "%s%zu", between, sm);
				between = ",";
			}
		fputs("\n", (FILE *)log);
	}
}
