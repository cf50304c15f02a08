// What every measurement shares: errors, the GPU's clock, command line, the head of a recording, progress, and a watch on the SM clock.
//
// A recording is CSV. Lines that begin with '#' say what board, driver and date it is of, and the last one says that it is complete:
//   # gpubound-probe 1
//   # measurement=NAME board=... uuid=... compute-capability=... sms=... driver=... runtime=... integrated=... date=... clock_khz=...
//   column,column,...
//   # complete rows=N seconds=S clock_khz=... clock_moved=yes|no
// Nothing here changes a setting of the GPU. Records stay in device memory until a measurement's kernels have ended: traffic to host memory
// from running blocks stops halves of some chips.
#ifndef PROBE_H
#define PROBE_H

#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "block.h"

#define CHECK(call)                                                                                                                        \
	do {                                                                                                                               \
		cudaError_t status_ = (call);                                                                                              \
		if (status_ != cudaSuccess) {                                                                                              \
			fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(status_));                        \
			exit(1);                                                                                                           \
		}                                                                                                                          \
	} while (0)

// ---- on the device

struct Record { // one block
	u64 begin, end;
	unsigned sm, ticket;
};

static __global__ void clock_rate(u64 *out)
{
	u64 t0 = timer();
	long long c0 = clock64();
	while (timer() - t0 < 200000)
		;
	u64 t1 = timer();
	out[0] = (u64)(clock64() - c0);
	out[1] = t1 - t0;
}

// ---- on the host

static inline u64 host_now()
{
	return (u64)std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static inline void wait_us(double us)
{
	u64 until = host_now() + (u64)(us * 1000);
	while (host_now() < until)
		;
}

struct Probe {
	const char *name;
	double seconds = 20; // stop after about this long
	unsigned seed = 1;
	bool quiet = false;
	std::vector<std::string> words; // the rest of the command line
	cudaDeviceProp device;
	int number = 0;      // of the device
	int least, greatest; // stream priorities
	u64 began, *cell, shown = 0;
	long rows = 0;
	double clock_khz;

	double elapsed() const
	{
		return (host_now() - began) / 1e9;
	}
	bool time_left() const
	{
		return elapsed() < seconds;
	}

	// The SM clock, from the cycles that pass in 200 us of %globaltimer; the greatest of five, as a busy GPU raises it.
	double measure_clock()
	{
		double best = 0;
		for (int i = 0; i < 5; i++) {
			u64 seen[2];
			clock_rate<<<1, 1>>>(cell);
			CHECK(cudaMemcpy(seen, cell, sizeof seen, cudaMemcpyDeviceToHost));
			double khz = seen[1] ? 1e6 * (double)seen[0] / (double)seen[1] : 0;
			best = khz > best ? khz : best;
		}
		return best;
	}

	void row(const char *format, ...) __attribute__((format(printf, 2, 3)))
	{
		va_list list;
		va_start(list, format);
		vprintf(format, list);
		va_end(list);
		rows++;
	}

	void progress(const char *what)
	{
		if (quiet || host_now() - shown < 1000000000ull)
			return;
		shown = host_now();
		fprintf(stderr, "%s: %.0f of at most %.0f s, %s\n", name, elapsed(), seconds, what);
	}

	int finish()
	{
		CHECK(cudaDeviceSynchronize());
		double now = measure_clock();
		bool moved = now < 0.99 * clock_khz || now > 1.01 * clock_khz;
		if (moved)
			fprintf(stderr,
				"%s: the SM clock moved from %.0f to %.0f kHz: fix the clocks, or the power mode, and record again\n", name,
				clock_khz, now);
		printf("# complete rows=%ld seconds=%.1f clock_khz=%.0f clock_moved=%s\n", rows, elapsed(), now, moved ? "yes" : "no");
		return fflush(stdout) == 0 ? 0 : 1;
	}
};

static std::string hexadecimal(const char *bytes, int count)
{
	std::string text;
	char two[3];
	for (int i = 0; i < count; i++) {
		snprintf(two, sizeof two, "%02x", (unsigned char)bytes[i]);
		text += two;
	}
	return text;
}

// Reads the command line (--seconds S, --seed N, --device N, --quiet, then words), opens the GPU with so many hardware queues, writes the
// head with these columns.
static Probe probe_begin(const char *name, const char *columns, int count, char **arguments, const char *connections = "32")
{
	Probe p;
	int driver = 0, runtime = 0;
	p.name = name;
	for (int i = 1; i < count; i++) {
		std::string word = arguments[i];
		bool more = i + 1 < count;
		if (word == "--seconds" && more)
			p.seconds = atof(arguments[++i]);
		else if (word == "--seed" && more)
			p.seed = (unsigned)atoi(arguments[++i]);
		else if (word == "--device" && more)
			p.number = atoi(arguments[++i]);
		else if (word == "--quiet")
			p.quiet = true;
		else if (word.compare(0, 2, "--") == 0) {
			fprintf(stderr, "usage: %s [--seconds S] [--seed N] [--device N] [--quiet] [word ...] > %s.csv\n", name, name);
			exit(2);
		} else
			p.words.push_back(word);
	}
	setenv("CUDA_DEVICE_MAX_CONNECTIONS", connections, 1);
	CHECK(cudaSetDevice(p.number));
	CHECK(cudaGetDeviceProperties(&p.device, p.number));
	CHECK(cudaDeviceGetStreamPriorityRange(&p.least, &p.greatest));
	CHECK(cudaDriverGetVersion(&driver));
	CHECK(cudaRuntimeGetVersion(&runtime));
	CHECK(cudaMalloc(&p.cell, 16 * sizeof(u64)));
	p.began = host_now();
	p.clock_khz = p.measure_clock();
	char date[32];
	time_t seconds = time(nullptr);
	strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
	std::string board = p.device.name;
	for (char &c : board)
		c = c == ' ' ? '_' : c;
	printf("# gpubound-probe 1\n# measurement=%s board=%s uuid=%s compute-capability=%d.%d sms=%d driver=%d runtime=%d integrated=%s "
	       "seed=%u date=%s clock_khz=%.0f\n%s\n",
		name, board.c_str(), hexadecimal(p.device.uuid.bytes, 16).c_str(), p.device.major, p.device.minor,
		p.device.multiProcessorCount, driver, runtime, p.device.integrated ? "yes" : "no", p.seed, date, p.clock_khz, columns);
	return p;
}

#endif
