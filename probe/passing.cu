// Does a kernel begin while another one that came before it waits for room? What A-HOL denies, and A-FIT promises.
//
// usage: passing [--seconds S] [--seed N] > passing.csv
// Kernels are launched one after the other, each on a stream of its own. One of them, the `ahead`, has more blocks than there is room for;
// the last one, `behind`, is looked at. Tests, by what the kernel ahead waits for and who else is there:
//   warps, shared, registers   warps, shared memory or registers; for a block of the kernel behind every SM has room
//   middle        warps; behind it waits a kernel of such blocks, too, and then one whose blocks have room
//   same          both have blocks of one shape: where one has no room the other has none
//   high-ahead    the kernel ahead is of high priority, the one behind of low, and its blocks have room
//   high-middle   as middle, and the one in the middle is of high priority
//   high-behind   the kernel behind is of high priority, and its blocks have room
//   event         the kernel ahead waits for an event, too, which a kernel before it records: it is not at the head yet
//   carveout      kernels without shared memory, and the kernel ahead wants much of it, so that SMs must be configured anew for it
// waited_ns   from when the kernel behind was there for sure (GREATEST_IDLE after its launch call) to its first block; 0 if it began before
// room_ns     the longest time in that in which one SM had room for its next block, by the blocks that were recorded
// passed      its blocks that began more than CLOCKS before the last block of the kernel ahead; passed_ns by how much at most
// after_ns    from the last block of the kernel ahead to the first of the one behind, where none passed
#include "catalogue.h"

#include <algorithm>
#include <random>

enum { BLOCKS = 1 << 15, CLOCKS = 200, GREATEST_IDLE = 40000, STREAMS = 4 };

// Holds its SM as work<SPIN> does, with LIVE registers more and without shared memory.
template <int LIVE>
__global__ void __launch_bounds__(512) hold(Work w, int rounds)
{
	float live[LIVE + 1];
#pragma unroll
	for (int i = 0; i <= LIVE; i++)
		live[i] = (float)(threadIdx.x + i);
	if (threadIdx.x == 0) {
		Record r = {timer(), 0, this_sm(), 0};
		while (timer() - r.begin < w.amount)
			;
		r.end = timer();
		w.records[blockIdx.x] = r;
	}
	__syncthreads();
	for (int k = 0; k < rounds; k++)
#pragma unroll
		for (int i = 0; i <= LIVE; i++)
			live[i] = live[i] * live[(i + 1) % (LIVE + 1)] + live[(i + 7) % (LIVE + 1)];
	if (rounds > 1000000) {
		float sum = 0;
#pragma unroll
		for (int i = 0; i <= LIVE; i++)
			sum += live[i];
		w.data[threadIdx.x] = sum;
	}
}

enum Form { PLAIN, FAT, THIN, FORMS }; // work<SPIN>; hold with many registers; hold with few, and no shared memory preferred

struct Kernel {
	Form form;
	int blocks, threads, shared;
	u64 ns;
	bool high, waits; // for the event, which the first kernel records
	size_t offset;
};

struct Use {
	int warps, slots, shared, registers;
};

static struct {
	Record *records;
	cudaStream_t low[STREAMS], high[STREAMS];
	cudaEvent_t event;
	std::vector<Record> seen;
	int registers[FORMS], fixed[FORMS], reserved, capacity, optin;
	Use most; // of an SM
	u64 called, returned; // of the first and the last launch
} m;

static void launch(Kernel &k, int i)
{
	cudaStream_t stream = (k.high ? m.high : m.low)[i];
	Work w = {m.records + k.offset, nullptr, nullptr, k.ns};
	if (k.waits)
		CHECK(cudaStreamWaitEvent(stream, m.event, 0));
	if (k.form == PLAIN)
		work<SPIN><<<k.blocks, k.threads, k.shared, stream>>>(w);
	else if (k.form == FAT)
		hold<96><<<k.blocks, k.threads, k.shared, stream>>>(w, 0);
	else
		hold<0><<<k.blocks, k.threads, k.shared, stream>>>(w, 0);
	CHECK(cudaGetLastError());
	if (i == 0)
		CHECK(cudaEventRecord(m.event, stream));
}

static void run(std::vector<Kernel> &kernels)
{
	size_t total = 0;
	for (Kernel &k : kernels) {
		k.offset = total;
		total += (size_t)k.blocks;
	}
	m.called = host_now();
	for (size_t i = 0; i < kernels.size(); i++)
		launch(kernels[i], (int)i);
	m.returned = host_now();
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record) * total, cudaMemcpyDeviceToHost));
}

// ---- what was there

static Use use_of(const Kernel &k)
{
	int threads = (k.threads + 127) / 128 * 128; // a warp in each sub-partition
	return {threads / 32, 1, (k.shared + m.fixed[k.form] + m.reserved + 127) / 128 * 128, (m.registers[k.form] + 7) / 8 * 8 * threads};
}

static bool has_room(const Use &used, const Use &wanted)
{
	return used.warps + wanted.warps <= m.most.warps && used.slots + wanted.slots <= m.most.slots &&
	       used.shared + wanted.shared <= m.most.shared && used.registers + wanted.registers <= m.most.registers;
}

struct Change {
	u64 at;
	int sign;
	Use use;
};

// The longest time in [from, to) in which this SM, of which these are the changes, had room for such a block.
static u64 room_on(std::vector<Change> &changes, const Use &wanted, u64 from, u64 to)
{
	Use used = {0, 0, 0, 0};
	u64 since = from, longest = 0;
	std::sort(changes.begin(), changes.end(), [](const Change &a, const Change &b) { return a.at != b.at ? a.at < b.at : a.sign < b.sign; });
	for (const Change &c : changes) {
		bool before = has_room(used, wanted);
		used = {used.warps + c.sign * c.use.warps, used.slots + c.sign, used.shared + c.sign * c.use.shared,
			used.registers + c.sign * c.use.registers};
		u64 at = std::min(std::max(c.at, from), to);
		if (before && at > since)
			longest = std::max(longest, at - since);
		if (!before || !has_room(used, wanted))
			since = at;
	}
	return has_room(used, wanted) && to > since ? std::max(longest, to - since) : longest;
}

static u64 longest_room(const std::vector<Kernel> &kernels, u64 from, u64 to, int sms)
{
	std::vector<std::vector<Change>> changes((size_t)sms);
	u64 longest = 0;
	for (const Kernel &k : kernels)
		for (int b = 0; b < k.blocks; b++) {
			const Record &r = m.seen[k.offset + (size_t)b];
			changes[r.sm].push_back({r.begin, 1, use_of(k)});
			changes[r.sm].push_back({r.end, -1, use_of(k)});
		}
	for (std::vector<Change> &of : changes)
		longest = std::max(longest, from < to ? room_on(of, use_of(kernels.back()), from, to) : 0);
	return longest;
}

static void report(Probe &p, const char *test, int repetition, const std::vector<Kernel> &kernels, size_t which)
{
	const Kernel &ahead = kernels[which], &behind = kernels.back();
	u64 last = 0, first = ~0ull, begin = ~0ull, passed_ns = 0;
	int passed = 0;
	for (int b = 0; b < kernels[0].blocks; b++)
		begin = std::min(begin, m.seen[(size_t)b].begin);
	for (int b = 0; b < ahead.blocks; b++)
		last = std::max(last, m.seen[ahead.offset + (size_t)b].begin);
	for (int b = 0; b < behind.blocks; b++) {
		u64 at = m.seen[behind.offset + (size_t)b].begin;
		first = std::min(first, at);
		if (at + CLOCKS < last) {
			passed++;
			passed_ns = std::max(passed_ns, last - at);
		}
	}
	u64 there = begin + (m.returned - m.called) + GREATEST_IDLE, waited = first > there ? first - there : 0;
	p.row("%s,%d,%d,%d,%d,%d,%d,%d,%llu,%llu,%d,%llu,%lld\n", test, repetition, ahead.blocks, ahead.threads, ahead.shared,
		m.registers[ahead.form], behind.blocks, behind.threads, waited,
		longest_room(kernels, there, first, p.device.multiProcessorCount), passed, passed_ns,
		passed ? 0LL : (long long)first - (long long)last);
}

// ---- what is launched

struct Draw {
	std::mt19937 random;
	int sms;
	int pick(int a, int b) { return a + (int)(random() % (unsigned)(b - a + 1)); }
};

// Blocks of which as many as fit leave room on an SM, and twice to four times as many as there is room for.
static Kernel by_warps(Draw &d, int *left)
{
	static const int warps[] = {12, 20, 24, 28};
	int w, an_sm;
	do {
		w = warps[d.pick(0, 3)];
		an_sm = m.most.warps / w;
		*left = m.most.warps - w * an_sm;
	} while (*left < 4); // a warp in each sub-partition
	u64 ns = d.pick(0, 19) ? (u64)d.pick(100, 400) * 1000 : 4000000;
	return {PLAIN, an_sm * d.sms * d.pick(1, 3) + d.pick(1, an_sm * d.sms), 32 * w, 0, ns, false, false, 0};
}

static Kernel small(Draw &d, int most_warps, int most_blocks)
{
	return {PLAIN, d.pick(1, most_blocks), 128 * d.pick(1, most_warps / 4), 0, (u64)d.pick(10, 60) * 1000, false, false, 0};
}

static Kernel by_shared(Draw &d)
{
	int an_sm = d.pick(1, 3), each = m.capacity / an_sm / 1024 * 1024 - 4096 - m.reserved;
	return {PLAIN, an_sm * d.sms * d.pick(1, 2) + d.pick(1, an_sm * d.sms), 128, std::min(each, m.optin - 8192), (u64)d.pick(100, 400) * 1000,
		false, false, 0};
}

static void test(Probe &p, Draw &d, const char *name, int repetition)
{
	std::string test = name;
	int left;
	size_t which = 0;
	std::vector<Kernel> kernels = {by_warps(d, &left)};
	if (test == "shared") {
		kernels = {by_shared(d)};
		left = 4;
	} else if (test == "registers") {
		kernels = {Kernel{FAT, d.sms * d.pick(2, 4) - d.pick(0, d.sms - 1), 512, 0, 200000, false, false, 0}};
		left = 4;
	} else if (test == "middle" || test == "high-middle") {
		kernels.push_back(kernels[0]);
		kernels[1].high = test == "high-middle";
		which = 1;
	} else if (test == "event") {
		kernels.insert(kernels.begin(), Kernel{PLAIN, d.sms / 2, 1024, 0, 300000, false, false, 0});
		kernels[1].waits = true;
		which = 1;
	} else if (test == "carveout") {
		kernels = {Kernel{THIN, 3 * d.sms, 512, 0, (u64)d.pick(200, 400) * 1000, false, false, 0},
			Kernel{PLAIN, d.pick(1, d.sms), 128, 100 * 1024, 50000, false, false, 0}};
		left = 16;
		which = 1;
	}
	kernels[which].high |= test == "high-ahead";
	kernels.push_back(test == "same" ? kernels[0] : small(d, left, d.sms));
	kernels.back().form = test == "carveout" ? THIN : PLAIN;
	kernels.back().high = test == "high-behind";
	kernels.back().ns = std::min(kernels.back().ns, (u64)400000);
	run(kernels);
	report(p, name, repetition, kernels, which);
}

static void set_up(const Probe &p)
{
	const void *all[] = {(const void *)work<SPIN>, (const void *)hold<96>, (const void *)hold<0>};
	for (int i = 0; i < FORMS; i++) {
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, all[i]));
		m.registers[i] = attributes.numRegs;
		m.fixed[i] = (int)attributes.sharedSizeBytes;
		CHECK(cudaFuncSetAttribute(all[i], cudaFuncAttributePreferredSharedMemoryCarveout, i == THIN ? 0 : 100));
	}
	m.reserved = (int)p.device.reservedSharedMemPerBlock;
	m.capacity = (int)p.device.sharedMemPerMultiprocessor;
	m.optin = (int)p.device.sharedMemPerBlockOptin;
	m.most = {p.device.maxThreadsPerMultiProcessor / 32, p.device.maxBlocksPerMultiProcessor, m.capacity, p.device.regsPerMultiprocessor};
	for (int i = 0; i < STREAMS; i++) {
		CHECK(cudaStreamCreateWithPriority(&m.low[i], cudaStreamNonBlocking, p.least));
		CHECK(cudaStreamCreateWithPriority(&m.high[i], cudaStreamNonBlocking, p.greatest));
	}
	CHECK(cudaEventCreateWithFlags(&m.event, cudaEventDisableTiming));
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	m.seen.resize(BLOCKS);
}

int main(int count, char **arguments)
{
	static const char *const tests[] = {
		"warps", "shared", "registers", "middle", "same", "high-ahead", "high-middle", "high-behind", "event", "carveout"};
	Probe p = probe_begin("passing",
		"test,repetition,ahead_blocks,ahead_threads,ahead_shared,ahead_registers,behind_blocks,behind_threads,waited_ns,room_ns,passed,passed_ns,"
		"after_ns",
		count, arguments);
	Draw draw = {std::mt19937(p.seed), p.device.multiProcessorCount};
	catalogue_prepare(p.device);
	set_up(p);
	for (const char *name : tests) // loaded and warm before it counts
		test(p, draw, name, -1);
	for (int r = 0; p.time_left(); r++) {
		for (const char *name : tests)
			test(p, draw, name, r);
		p.progress("who passes whom");
	}
	return p.finish();
}
