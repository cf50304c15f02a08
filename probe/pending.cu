// What a process keeps and what it loses beside another one that always has work: its turn, its caches, its copies.
//
// usage: pending [--seconds S] > pending.csv          row: test,other,run,count,amount,span_ns,gap_ns
// Two processes: one measures, and beside it is the `other`:
//   none    nobody
//   idle    a process that has a context and nothing to do
//   long, short   one that always has kernels of 1 ms, or of 50 us, that fill the GPU
//   reads   one whose kernels go through 256 MiB again and again
// Tests, with the job's time from its first block's begin to its last one's end in span_ns and its longest time without a kernel in gap_ns:
//   graph     a linear graph of `count` kernels of `amount` ns, launched while the other has the GPU
//   launches  the same kernels, launched one after the other
//   refill    a linear graph of `count` kernels, each of which reads the same `amount` bytes
//   h2d, d2h  a copy of `amount` bytes, pinned, of a process without kernels: the host's time from the call until it is complete; no gap
#include "probe.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS_MOST = 160, COPY_MOST = 16 << 20, READ_MOST = 40 << 20, STREAMED = 256 << 20 };

static __global__ void spin(u64 *ends, u64 ns)
{
	u64 begin = timer();
	while (timer() - begin < ns)
		;
	if (blockIdx.x == 0 && threadIdx.x == 0 && ends != nullptr) {
		ends[0] = begin;
		ends[1] = timer();
	}
}

// All blocks are resident at once: the first block's begin and the last one's end are those of the kernel.
static __global__ void read_all(u64 *ends, const float4 *data, size_t count, float *sink)
{
	u64 begin = timer();
	float sum = 0;
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x)
		sum += data[i].x + data[i].w;
	if (sum == -1.2345e30f)
		*sink = sum;
	__syncthreads();
	if (threadIdx.x == 0 && ends != nullptr) {
		atomicMin(&ends[0], begin);
		atomicMax(&ends[1], timer());
	}
}

// ---- the other process

static void stay_busy(const char *other, int ready)
{
	cudaDeviceProp device;
	cudaStream_t streams[2];
	cudaEvent_t done[64];
	float4 *data;
	CHECK(cudaGetDeviceProperties(&device, 0));
	CHECK(cudaMalloc(&data, STREAMED));
	CHECK(cudaMemset(data, 0, STREAMED));
	for (cudaStream_t &s : streams)
		CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
	for (cudaEvent_t &e : done)
		CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	CHECK(cudaDeviceSynchronize());
	int blocks = 2 * device.multiProcessorCount;
	for (long n = 0;; n++) {
		if (n == 32 || strcmp(other, "idle") == 0)
			if (write(ready, "r", 1) != 1)
				_exit(1);
		if (strcmp(other, "idle") == 0)
			for (;;)
				pause();
		if (n >= 16)
			CHECK(cudaEventSynchronize(done[(n - 16) % 64]));
		if (strcmp(other, "reads") == 0)
			read_all<<<blocks, 512, 0, streams[n % 2]>>>(nullptr, data, STREAMED / sizeof *data, nullptr);
		else
			spin<<<blocks, 512, 0, streams[n % 2]>>>(nullptr, strcmp(other, "long") == 0 ? 1000000 : 50000);
		CHECK(cudaEventRecord(done[n % 64], streams[n % 2]));
	}
}

// ---- the process that measures

static struct {
	cudaStream_t stream;
	u64 *ends, seen[2 * KERNELS_MOST];
	float4 *data;
	char *host, *device;
	int sms;
	FILE *file;
	const char *other;
	unsigned random;
} m;

static void pause_us(int least, int most)
{
	m.random = m.random * 1664525u + 1013904223u;
	usleep((useconds_t)(least + (int)(m.random >> 8) % (most - least)));
}

static void say(const char *test, int run, int count, size_t amount, u64 span, u64 gap)
{
	fprintf(m.file, "%s,%s,%d,%d,%zu,%llu,%llu\n", test, m.other, run, count, amount, span, gap);
}

static void issue(bool reads, int count, size_t amount)
{
	for (int i = 0; i < count; i++)
		if (reads)
			read_all<<<m.sms, 512, 0, m.stream>>>(m.ends + 2 * i, m.data, amount / sizeof *m.data, nullptr);
		else
			spin<<<m.sms, 256, 0, m.stream>>>(m.ends + 2 * i, amount);
	CHECK(cudaGetLastError());
}

static cudaGraphExec_t graph_of(bool reads, int count, size_t amount)
{
	cudaGraph_t graph;
	cudaGraphExec_t made;
	CHECK(cudaStreamBeginCapture(m.stream, cudaStreamCaptureModeThreadLocal));
	issue(reads, count, amount);
	CHECK(cudaStreamEndCapture(m.stream, &graph));
	CHECK(cudaGraphInstantiateWithFlags(&made, graph, 0));
	CHECK(cudaGraphDestroy(graph));
	return made;
}

static void job(const char *test, int run, cudaGraphExec_t graph, int count, size_t amount)
{
	for (int i = 0; i < count; i++) {
		m.seen[2 * i] = ~0ull;
		m.seen[2 * i + 1] = 0;
	}
	CHECK(cudaMemcpy(m.ends, m.seen, sizeof(u64) * 2 * (size_t)count, cudaMemcpyHostToDevice));
	CHECK(cudaStreamSynchronize(m.stream));
	pause_us(300, 4000);
	if (graph != nullptr)
		CHECK(cudaGraphLaunch(graph, m.stream));
	else
		issue(false, count, amount);
	CHECK(cudaStreamSynchronize(m.stream));
	CHECK(cudaMemcpy(m.seen, m.ends, sizeof(u64) * 2 * (size_t)count, cudaMemcpyDeviceToHost));
	u64 gap = 0;
	for (int i = 1; i < count; i++)
		if (m.seen[2 * i] > m.seen[2 * i - 1] && m.seen[2 * i] - m.seen[2 * i - 1] > gap)
			gap = m.seen[2 * i] - m.seen[2 * i - 1];
	if (run >= 0)
		say(test, run, count, amount, m.seen[2 * count - 1] - m.seen[0], gap);
}

static void copy(int run, bool up, size_t bytes)
{
	pause_us(300, 4000);
	u64 before = host_now();
	if (up)
		CHECK(cudaMemcpyAsync(m.device, m.host, bytes, cudaMemcpyHostToDevice, m.stream));
	else
		CHECK(cudaMemcpyAsync(m.host, m.device, bytes, cudaMemcpyDeviceToHost, m.stream));
	CHECK(cudaStreamSynchronize(m.stream));
	if (run >= 0)
		say(up ? "h2d" : "d2h", run, 1, bytes, host_now() - before, 0);
}

struct Job {
	const char *test;
	int count;
	size_t amount;
};

enum { JOBS = 8 };

static void measure(double seconds)
{
	static const Job jobs[JOBS] = {{"graph", 50, 10000}, {"graph", 120, 10000}, {"graph", 150, 30000}, {"launches", 50, 10000}, {"launches", 120, 10000},
		{"refill", 4, 1 << 20}, {"refill", 4, 16 << 20}, {"refill", 4, READ_MOST}};
	cudaGraphExec_t graphs[JOBS] = {};
	cudaDeviceProp device;
	CHECK(cudaGetDeviceProperties(&device, 0));
	m.sms = device.multiProcessorCount;
	CHECK(cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&m.ends, sizeof(u64) * 2 * KERNELS_MOST));
	CHECK(cudaMalloc(&m.data, READ_MOST));
	CHECK(cudaMemset(m.data, 0, READ_MOST));
	CHECK(cudaMalloc(&m.device, COPY_MOST));
	CHECK(cudaMallocHost(&m.host, COPY_MOST));
	memset(m.host, 1, COPY_MOST);
	for (int i = 0; i < JOBS; i++)
		if (strcmp(jobs[i].test, "launches") != 0)
			graphs[i] = graph_of(strcmp(jobs[i].test, "refill") == 0, jobs[i].count, jobs[i].amount);
	u64 stop = host_now() + (u64)(seconds * 1e9);
	for (int run = -3; run < 0 || host_now() < stop; run++) { // three to warm up
		for (int i = 0; i < JOBS; i++)
			job(jobs[i].test, run, graphs[i], jobs[i].count, jobs[i].amount);
		for (int up = 0; up < 2; up++) {
			copy(run, up, 1 << 16);
			copy(run, up, COPY_MOST);
		}
	}
}

// ---- both

static pid_t start_other(const char *other)
{
	int ends[2];
	char ready;
	if (strcmp(other, "none") == 0)
		return 0;
	if (pipe(ends) != 0)
		exit(1);
	pid_t child = fork();
	if (child == 0) {
		close(ends[0]);
		stay_busy(other, ends[1]);
	}
	close(ends[1]);
	if (read(ends[0], &ready, 1) != 1)
		fprintf(stderr, "pending: the other process did not start\n");
	close(ends[0]);
	return child;
}

static void record(const char *other, double seconds, std::vector<std::string> &rows)
{
	int ends[2], status = 0;
	char line[256];
	pid_t busy = start_other(other), child;
	if (pipe(ends) != 0)
		exit(1);
	child = fork();
	if (child == 0) {
		close(ends[0]);
		m.file = fdopen(ends[1], "w");
		m.other = other;
		measure(seconds);
		fclose(m.file);
		_exit(0);
	}
	close(ends[1]);
	FILE *file = fdopen(ends[0], "r");
	while (fgets(line, sizeof line, file) != nullptr)
		rows.push_back(line);
	fclose(file);
	waitpid(child, &status, 0);
	if (busy > 0) {
		kill(busy, SIGKILL);
		waitpid(busy, nullptr, 0);
	}
	if (status != 0)
		exit(1);
}

int main(int count, char **arguments)
{
	static const char *const others[] = {"none", "idle", "long", "short", "reads"};
	double seconds = 10;
	std::vector<std::string> rows;
	for (int i = 1; i + 1 < count; i++)
		if (strcmp(arguments[i], "--seconds") == 0)
			seconds = atof(arguments[i + 1]);
	for (const char *other : others) // before this process opens the GPU
		record(other, seconds / 5, rows);
	Probe p = probe_begin("pending", "test,other,run,count,amount,span_ns,gap_ns", count, arguments);
	for (const std::string &row : rows)
		p.row("%s", row.c_str());
	return p.finish();
}
