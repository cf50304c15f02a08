// Runs task sets on the GPU as their task-set files say, and records each job: release, end, response.
//
// usage: scenario SCENARIOS > records.csv         (SCENARIOS is written by scripts/soundness.py)
// A scenario is a list of streams and periodic tasks, one host thread a task. A job's operations are issued at its release to the task's
// stream: pinned copies and kernels. A kernel's block holds its SM for a fixed time by the GPU's clock, does nothing else, and notes when
// it ends in device memory: nothing that runs touches host memory. Host and GPU clocks are related before and after each scenario.
// Output: scenario,task,job,released_ns,ended_ns,response_ns,clock_error_ns; response from the nominal release.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

#define CHECK(call)                                                                                                  \
	do {                                                                                                         \
		cudaError_t status = (call);                                                                         \
		if (status != cudaSuccess) {                                                                         \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status)); \
			exit(1);                                                                                     \
		}                                                                                                    \
	} while (0)

typedef unsigned long long u64;

__device__ u64 timer()
{
	u64 t;
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
	return t;
}

__global__ void hold(u64 duration, u64 *end)
{
	if (threadIdx.x == 0) {
		u64 begin = timer(), now = begin;
		while (now - begin < duration)
			now = timer();
		atomicMax(end, now);
	}
	__syncthreads();
}

__global__ void read_timer(u64 *out)
{
	*out = timer();
}

struct Operation {
	bool copy, up;
	int grid, block, shared;
	u64 amount; // ns of a block, bytes of a copy
};

struct Task {
	std::string id;
	u64 period, offset;
	int jobs, stream;
	std::vector<Operation> operations;
	std::vector<u64> released; // host ns, nominal
	u64 *end = nullptr;        // device, one a job
	char *host = nullptr, *device = nullptr;
};

struct Scenario {
	std::string id;
	std::vector<int> priorities; // of streams: 1 high
	std::vector<Task> tasks;
};

static std::vector<Scenario> read(const char *path)
{
	std::vector<Scenario> all;
	std::ifstream file(path);
	for (std::string line; std::getline(file, line);) {
		std::istringstream in(line);
		std::string word;
		in >> word;
		if (word == "scenario") {
			all.emplace_back();
			in >> all.back().id;
		} else if (word == "stream") {
			all.back().priorities.push_back(0);
			in >> all.back().priorities.back();
		} else if (word == "task") {
			all.back().tasks.emplace_back();
			Task &t = all.back().tasks.back();
			in >> t.id >> t.period >> t.offset >> t.jobs >> t.stream;
		} else if (word == "kernel") {
			Operation o = {};
			in >> o.grid >> o.block >> o.shared >> o.amount;
			all.back().tasks.back().operations.push_back(o);
		} else if (word == "copy") {
			Operation o = {};
			std::string direction;
			in >> direction >> o.amount;
			o.copy = true;
			o.up = direction == "h2d";
			all.back().tasks.back().operations.push_back(o);
		}
	}
	return all;
}

static u64 host_now()
{
	return (u64)std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

struct Clock {
	int64_t offset; // GPU minus host, middle of the narrowest bracket
	int64_t error;  // half of that bracket
};

static Clock relate(u64 *mapped)
{
	Clock best = {0, INT64_MAX};
	for (int i = 0; i < 300; i++) {
		u64 before = host_now();
		read_timer<<<1, 1>>>(mapped);
		CHECK(cudaDeviceSynchronize());
		u64 after = host_now();
		int64_t error = (int64_t)(after - before) / 2;
		if (error < best.error)
			best = {(int64_t)(*(volatile u64 *)mapped - before) - error, error};
	}
	return best;
}

static void release(Task &task, cudaStream_t stream, u64 start)
{
	for (int job = 0; job < task.jobs; job++) {
		u64 at = start + task.offset + (u64)job * task.period;
		while (host_now() + 200000 < at)
			std::this_thread::sleep_for(std::chrono::microseconds(100));
		while (host_now() < at)
			;
		task.released[job] = at;
		for (const Operation &o : task.operations) {
			if (o.copy)
				CHECK(cudaMemcpyAsync(o.up ? task.device : task.host, o.up ? task.host : task.device, o.amount,
					o.up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream));
			else
				hold<<<o.grid, o.block, o.shared, stream>>>(o.amount, task.end + job);
		}
		CHECK(cudaGetLastError());
	}
}

static u64 bytes_of(const Task &task)
{
	u64 most = 0;
	for (const Operation &o : task.operations)
		most = o.copy ? std::max(most, o.amount) : most;
	return most;
}

static void run(Scenario &scenario, u64 *mapped)
{
	std::vector<cudaStream_t> streams;
	int least, greatest;
	CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
	for (int priority : scenario.priorities) {
		streams.emplace_back();
		CHECK(cudaStreamCreateWithPriority(&streams.back(), cudaStreamNonBlocking, priority ? greatest : least));
	}
	for (Task &t : scenario.tasks) {
		t.released.resize(t.jobs);
		CHECK(cudaMalloc(&t.end, sizeof(u64) * t.jobs));
		CHECK(cudaMemset(t.end, 0, sizeof(u64) * t.jobs));
		if (bytes_of(t) > 0) {
			CHECK(cudaHostAlloc(&t.host, bytes_of(t), cudaHostAllocDefault));
			CHECK(cudaMalloc(&t.device, bytes_of(t)));
		}
	}
	for (cudaStream_t s : streams) // the first launch on a stream costs more
		hold<<<1, 32, 0, s>>>(1000, scenario.tasks[0].end);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemset(scenario.tasks[0].end, 0, sizeof(u64)));
	Clock before = relate(mapped);
	u64 start = host_now() + 3000000;
	std::vector<std::thread> threads;
	for (Task &t : scenario.tasks)
		threads.emplace_back(release, std::ref(t), streams[t.stream], start);
	for (std::thread &thread : threads)
		thread.join();
	CHECK(cudaDeviceSynchronize());
	Clock after = relate(mapped);
	int64_t offset = (before.offset + after.offset) / 2;
	int64_t error = std::max(before.error, after.error) + std::llabs(before.offset - after.offset) / 2;
	for (Task &t : scenario.tasks) {
		std::vector<u64> end(t.jobs);
		CHECK(cudaMemcpy(end.data(), t.end, sizeof(u64) * t.jobs, cudaMemcpyDeviceToHost));
		for (int job = 0; job < t.jobs; job++) {
			int64_t ended = (int64_t)end[job] - offset;
			printf("%s,%s,%d,%llu,%lld,%lld,%lld\n", scenario.id.c_str(), t.id.c_str(), job, t.released[job] - start,
				(long long)(ended - (int64_t)start), (long long)(ended - (int64_t)t.released[job]), (long long)error);
		}
		CHECK(cudaFree(t.end));
		if (t.host != nullptr) {
			CHECK(cudaFreeHost(t.host));
			CHECK(cudaFree(t.device));
		}
	}
	for (cudaStream_t s : streams)
		CHECK(cudaStreamDestroy(s));
}

int main(int count, char **arguments)
{
	if (count != 2) {
		fprintf(stderr, "usage: scenario SCENARIOS > records.csv\n");
		return 2;
	}
	setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32", 1);
	std::vector<Scenario> scenarios = read(arguments[1]);
	u64 *mapped;
	CHECK(cudaHostAlloc(&mapped, sizeof *mapped, cudaHostAllocMapped));
	CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
	CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
	relate(mapped);
	printf("scenario,task,job,released_ns,ended_ns,response_ns,clock_error_ns\n");
	for (size_t i = 0; i < scenarios.size(); i++) {
		run(scenarios[i], mapped);
		if (i % 20 == 19)
			fprintf(stderr, "%zu of %zu scenarios\n", i + 1, scenarios.size());
	}
	return 0;
}
