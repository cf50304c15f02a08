// How many streams work before one waits behind another on which nothing depends, in a hardware queue that they share.
//
// usage: queues [partitions] CONNECTIONS > queues.csv       CONNECTIONS: hardware queues asked of the driver, CUDA_DEVICE_MAX_CONNECTIONS
// A row: as many streams, of one kind; `busy` of them get a kernel and one behind it, and then another stream gets one, so often; `waited`:
// how often one of the streams' first kernels began only when another one was complete. `late`: tries left out, as the host took more than half
// of the first kernel's time to launch all of them, so that the last one's wait could be the host's.
//   non-blocking, blocking   streams of one level
//   levels                   non-blocking, of all levels in turns
//   null                     non-blocking, the first one the NULL stream
//   partitions               non-blocking, one half of one partition of SMs, one of another (partitions.h)
//   across                   likewise; the busy ones are all of the one, the last one of the other
#include "partitions.h"

#include <chrono>

#define HOLD_NS 2000000
#define STREAMS_MOST 64

static __global__ void hold(Record *out, u64 ns)
{
	u64 begin = timer();
	while (timer() - begin < ns)
		;
	*out = Record{begin, timer(), this_sm(), 0};
}

struct Streams {
	std::vector<cudaStream_t> of;

	Streams(const Probe &p, const std::string &kind, int count)
	{
		int levels = p.least - p.greatest + 1;
#ifdef HAS_PARTITIONS
		if (kind == "partitions" || kind == "across") {
			static const Split split(p.number, 8, 0);
			static const int half = (int)split.groups.size() / 2 * 8;
			static const std::vector<Partition> parts = partitions_of(p.number, split, {half, half});
			for (int i = 0; i < count; i++)
				of.push_back(parts[i >= count / 2].stream(p.least));
			return;
		}
#endif
		for (int i = 0; i < count; i++) {
			cudaStream_t stream = cudaStreamLegacy;
			unsigned flags = kind == "blocking" ? cudaStreamDefault : cudaStreamNonBlocking;
			if (kind != "null" || i > 0)
				CHECK(cudaStreamCreateWithPriority(&stream, flags, kind == "levels" ? p.least - i % levels : p.least));
			of.push_back(stream);
		}
	}
	~Streams()
	{
		for (cudaStream_t stream : of)
			if (stream != cudaStreamLegacy)
				cudaStreamDestroy(stream);
	}
};

enum Outcome { PASSED, WAITED, LATE };

// Does a first kernel wait for another one's end, of `busy` streams from `first` on, of the first `count` ones, and the one behind them?
static Outcome waits(const Streams &streams, int one, int first, int count, int busy, Record *records)
{
	static Record seen[STREAMS_MOST];
	int begun = 0;
	auto begin = std::chrono::steady_clock::now();
	for (int k = 0; begun < busy; k++) {
		cudaStream_t other = streams.of[(first + k) % count];
		if (other == streams.of[one])
			continue;
		hold<<<1, 1, 0, other>>>(records + begun++, HOLD_NS);
		hold<<<1, 1, 0, other>>>(records + STREAMS_MOST, 0);
	}
	hold<<<1, 1, 0, streams.of[one]>>>(records + busy, 0);
	bool late = std::chrono::steady_clock::now() - begin > std::chrono::nanoseconds(HOLD_NS / 2);
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(seen, records, sizeof(Record) * (busy + 1), cudaMemcpyDeviceToHost));
	u64 last = seen[busy].begin, end = ~0ull;
	for (int k = 0; k < busy; k++) {
		last = seen[k].begin > last ? seen[k].begin : last;
		end = seen[k].end < end ? seen[k].end : end;
	}
	return late ? LATE : last >= end ? WAITED : PASSED;
}

static void try_streams(Probe &p, const char *kind, int connections, int count, int busy, Record *records)
{
	Streams streams(p, kind, count);
	int tries[3] = {0};
	bool across = strcmp(kind, "across") == 0;
	for (int warm = 0; warm < count; warm++)
		waits(streams, warm, warm + 1, count, busy, records);
	for (int one = across ? count / 2 : 0; one < count; one++)
		for (int first = 0; first < (across ? count / 2 : count) && p.time_left(); first++)
			tries[waits(streams, one, first, across ? count / 2 : count, busy, records)]++;
	p.row("%d,%d,%s,%d,%d,%d,%d\n", connections, count, kind, busy, tries[PASSED] + tries[WAITED], tries[WAITED], tries[LATE]);
	p.progress(kind);
}

int main(int count, char **arguments)
{
	bool parted = count > 2 && strcmp(arguments[count - 2], "partitions") == 0;
	int connections = count > 1 ? atoi(arguments[count - 1]) : 0;
	if (connections < 1) {
		fprintf(stderr, "usage: queues [--seconds S] [--device N] [--quiet] [partitions] CONNECTIONS > queues.csv\n");
		return 2;
	}
	Probe p = probe_begin("queues", "connections,streams,kind,busy,tries,waited,late", count, arguments, arguments[count - 1]);
	Record *records;
	CHECK(cudaMalloc(&records, sizeof(Record) * (STREAMS_MOST + 1)));
	std::vector<const char *> kinds = {"non-blocking", "blocking", "levels", "null"};
#ifdef HAS_PARTITIONS
	kinds = parted ? std::vector<const char *>{"across", "partitions"} : kinds;
#endif
	for (const char *kind : kinds)
		for (int streams : {connections - 1, connections, connections + 1, 2 * connections})
			for (int busy : {1, connections - 2, connections - 1, connections})
				if (streams >= 2 && streams <= STREAMS_MOST && busy >= 1 && busy < streams &&
					(strcmp(kind, "across") != 0 || busy <= streams / 2))
					try_streams(p, kind, connections, streams, busy, records);
	CHECK(cudaFree(records));
	return p.finish();
}
