// Does a gap between two kernels of a graph, or of single launches, end its process's turn? Beside a process that always has work (A-PENDING).
//
// usage: pending [--seconds S] [--seed N] > pending.csv
// Row: beside,kind,kernels,kernel_ns,span_ns,longest_gap_ns,gaps,host_ns. beside: none, or ns of the other process's kernels, of which two streams
// always have some; kind: graph (a linear one) or launches; kernel_ns: how long each of `kernels` holds its blocks; span_ns: from the first
// begin to the last end; gaps: those of more than LOST ns between two kernels: turns that were lost there; host_ns: from the launch to its
// end as the host sees it, which is longer than the span by the wait for the turn: it shows that the other process was there. A span longer than a slice is cut by
// the slice as well, so that the longest of them say something of their gaps only beside `none`.
#include "probe.h"

#include <random>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOST = 200000, KERNELS = 64, ROUND = 20 };

static __global__ void hold(u64 *times, u64 ns)
{
	u64 begin = timer();
	while (timer() - begin < ns)
		;
	if (times != nullptr && blockIdx.x == 0 && threadIdx.x == 0) {
		times[0] = begin;
		times[1] = timer();
	}
}

// Until it is killed.
static void work_always(u64 ns)
{
	enum { AHEAD = 16 };
	cudaStream_t streams[2];
	cudaEvent_t done[AHEAD];
	CHECK(cudaSetDevice(0));
	for (cudaStream_t &stream : streams)
		CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	for (cudaEvent_t &event : done)
		CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	for (long n = 0;; n++) {
		if (n >= AHEAD)
			CHECK(cudaEventSynchronize(done[n % AHEAD]));
		hold<<<264, 512, 0, streams[n % 2]>>>(nullptr, ns);
		CHECK(cudaEventRecord(done[n % AHEAD], streams[n % 2]));
	}
}

struct Work {
	cudaStream_t stream;
	cudaGraphExec_t graph;
	u64 *times; // of each kernel its begin and its end
	int kernels;
	u64 ns;
};

static void launch_all(const Work &w)
{
	for (int i = 0; i < w.kernels; i++)
		hold<<<132, 256, 0, w.stream>>>(w.times + 2 * i, w.ns);
}

static Work prepare(int kernels, u64 ns)
{
	Work w = {nullptr, nullptr, nullptr, kernels, ns};
	cudaGraph_t graph;
	CHECK(cudaStreamCreateWithFlags(&w.stream, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&w.times, sizeof(u64) * 2 * KERNELS));
	CHECK(cudaStreamBeginCapture(w.stream, cudaStreamCaptureModeThreadLocal));
	launch_all(w);
	CHECK(cudaStreamEndCapture(w.stream, &graph));
	CHECK(cudaGraphInstantiate(&w.graph, graph, 0));
	return w;
}

static void run_once(Probe &p, const Work &w, bool as_graph, u64 beside)
{
	u64 seen[2 * KERNELS], longest = 0, launched = host_now();
	int gaps = 0;
	if (as_graph)
		CHECK(cudaGraphLaunch(w.graph, w.stream));
	else
		launch_all(w);
	CHECK(cudaStreamSynchronize(w.stream));
	u64 host = host_now() - launched;
	CHECK(cudaMemcpy(seen, w.times, sizeof(u64) * 2 * (size_t)w.kernels, cudaMemcpyDeviceToHost));
	for (int i = 1; i < w.kernels; i++) {
		u64 gap = seen[2 * i] > seen[2 * i - 1] ? seen[2 * i] - seen[2 * i - 1] : 0;
		longest = gap > longest ? gap : longest;
		gaps += gap > LOST;
	}
	char company[24] = "none";
	if (beside > 0)
		snprintf(company, sizeof company, "%llu", beside);
	p.row("%s,%s,%d,%llu,%llu,%llu,%d,%llu\n", company, as_graph ? "graph" : "launches", w.kernels, w.ns, seen[2 * w.kernels - 1] - seen[0],
		longest, gaps, host);
}

int main(int count, char **arguments)
{
	static const u64 companies[] = {0, 1000000, 50000};
	enum { COMPANIES = sizeof companies / sizeof *companies };
	pid_t busy[COMPANIES] = {0};
	for (int i = 1; i < COMPANIES; i++) { // before this process opens the GPU; each waits until it is its turn
		busy[i] = fork();
		if (busy[i] == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			raise(SIGSTOP);
			work_always(companies[i]);
		}
	}
	Probe p = probe_begin("pending", "beside,kind,kernels,kernel_ns,span_ns,longest_gap_ns,gaps,host_ns", count, arguments);
	std::mt19937 draw(p.seed);
	std::vector<Work> works;
	for (int kernels : {25, 50})
		for (u64 ns : {10000ull, 30000ull})
			works.push_back(prepare(kernels, ns));
	for (int i = 0; i < COMPANIES; i++) {
		double until = p.seconds * (i + 1) / COMPANIES;
		if (busy[i] > 0) {
			kill(busy[i], SIGCONT);
			usleep(1500000); // it opens the GPU
		}
		while (p.elapsed() < until)
			for (const Work &work : works)
				for (int k = 0; k < 2 * ROUND && p.elapsed() < until; k++) {
					run_once(p, work, k < ROUND, companies[i]);
					usleep(500 + draw() % 3000);
				}
		if (busy[i] > 0) {
			kill(busy[i], SIGKILL);
			waitpid(busy[i], nullptr, 0);
		}
	}
	return p.finish();
}
