// How the GPU is shared between processes: the slices that each gets and how long it waits in between.
//
// usage: slices [--seconds S] [PROCESSES] [clients N] > slices.csv      (2 processes without it)
// The first N processes are clients of the MPS server whose pipes CUDA_MPS_PIPE_DIRECTORY names, the others are not; without it all are what the
// environment makes of them.
// Every process keeps one kernel of `sms` blocks running, of which one watches the GPU's clock and notes, in device memory, each interval of more
// than GAP ns in which it was not running. Row: processes,process,begin_ns,gap_ns,ran_ns (since the gap before).
#include "catalogue.h"

#include <sys/wait.h>
#include <unistd.h>

enum { GAPS = 1 << 16, GAP = 5000 };

static __global__ void watch(u64 until, u64 *gaps, int *count)
{
	u64 last = timer();
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		int n = 0;
		while (last < until) {
			u64 now = timer();
			if (now - last > GAP && n < GAPS) {
				gaps[2 * n] = last;
				gaps[2 * n + 1] = now - last;
				n++;
			}
			last = now;
		}
		*count = n;
	} else
		while (timer() < until)
			;
}

static __global__ void now_of(u64 *out)
{
	*out = timer();
}

// Runs `launches` kernels of 50 ms, one after another, and writes "begin gap" lines to the pipe.
static int one(double seconds, int out)
{
	u64 *gaps, *cell, now;
	int *count, n;
	cudaDeviceProp device;
	CHECK(cudaGetDeviceProperties(&device, 0));
	CHECK(cudaMalloc(&gaps, sizeof(u64) * 2 * GAPS));
	CHECK(cudaMalloc(&cell, sizeof *cell));
	CHECK(cudaMalloc(&count, sizeof *count));
	std::vector<u64> seen(2 * GAPS);
	FILE *file = fdopen(out, "w");
	for (u64 stop = host_now() + (u64)(seconds * 1e9); host_now() < stop;) {
		now_of<<<1, 1>>>(cell);
		CHECK(cudaMemcpy(&now, cell, sizeof now, cudaMemcpyDeviceToHost));
		watch<<<device.multiProcessorCount, 32>>>(now + 100000000, gaps, count);
		CHECK(cudaMemcpy(&n, count, sizeof n, cudaMemcpyDeviceToHost));
		CHECK(cudaMemcpy(seen.data(), gaps, sizeof(u64) * 2 * (size_t)n, cudaMemcpyDeviceToHost));
		for (int i = 0; i < n; i++)
			fprintf(file, "%llu %llu %llu\n", seen[2 * i], seen[2 * i + 1], i ? seen[2 * i] - seen[2 * i - 2] - seen[2 * i - 1] : 0ull);
	}
	fclose(file);
	return 0;
}

int main(int count, char **arguments)
{
	int processes = 2, clients = -1;
	double seconds = 2;
	for (int i = 1; i < count; i++) {
		if (strcmp(arguments[i], "--seconds") == 0 && i + 1 < count)
			seconds = atof(arguments[i + 1]);
		else if (strcmp(arguments[i], "clients") == 0 && i + 1 < count)
			clients = atoi(arguments[++i]);
		else if (atoi(arguments[i]) > 1 && strncmp(arguments[i - 1], "--", 2) != 0)
			processes = atoi(arguments[i]);
	}
	std::vector<int> pipes;
	for (int i = 0; i < processes; i++) { // before this process opens the GPU
		int ends[2];
		if (pipe(ends) != 0)
			return 1;
		if (fork() == 0) {
			close(ends[0]);
			if (clients >= 0 && i >= clients)
				setenv("CUDA_MPS_PIPE_DIRECTORY", "/nonexistent", 1);
			_exit(one(seconds, ends[1]));
		}
		close(ends[1]);
		pipes.push_back(ends[0]);
	}
	std::vector<std::string> rows;
	for (int i = 0; i < processes; i++) {
		FILE *file = fdopen(pipes[i], "r");
		u64 begin, gap, ran;
		while (fscanf(file, "%llu %llu %llu", &begin, &gap, &ran) == 3)
			rows.push_back(std::to_string(processes) + "," + std::to_string(i) + "," + std::to_string(begin) + "," + std::to_string(gap) + "," + std::to_string(ran));
		fclose(file);
	}
	while (wait(nullptr) > 0)
		;
	Probe p = probe_begin(clients < 0 ? "slices" : "clients", "processes,process,begin_ns,gap_ns,ran_ns", count, arguments);
	for (const std::string &row : rows)
		p.row("%s\n", row.c_str());
	return p.finish();
}
