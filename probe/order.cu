// Who goes first: head of line, priorities, what leaving blocks leave behind, and whether running blocks stop.
//
// usage: order [--seconds S] [--host-traffic] > order.csv          row: test,repetition,tries,broken,longest_ns,detail
// A row's `tries` were looked at and `broken` of them went against the assumption; longest_ns by how much at most (0 where none did).
// hol            K1 leaves one block waiting, a kernel behind it would fit beside K1: blocks of the later kernel that begin more than
//                CLOCKS before K1's last. detail: what K1 waits for
// hol-two-warps  the same with blocks of two warps, which some chips begin late
// priority       blocks of a low kernel that begin while a higher one has blocks waiting
// fragmentation  blocks that leave free just what a further block on each SM needs: SMs on which it did not begin before the rest left.
//                detail: what leaves
// fragmentation-registers  the same with a warp of each block in each sub-partition, so that what leaves and what comes need the same there
// copy-order     copies of one direction on streams of their own, two a stream, ready one after the other: pairs of which the one that was
//                ready more than READY later was complete first, by at most longest_ns
// copy-idle      longest_ns: for how long nothing was copied while one was ready, for each of them: what all took beyond the time of one alone
// engine         a copy issued while a kernel fills the GPU: broken 1 if it was done only after the kernel, so that it needs SMs. detail: which
// stops          kernels that fill the GPU: blocks that ran longer than CLOCKS beyond their time, by at most longest_ns. detail: what runs
// stops-two-warps  the same with blocks of two warps
// host-traffic   only with that word: as stops, while blocks use system-scope atomics on host memory; and as fragmentation, where the blocks
//                that leave learn of it from host memory: longest_ns is how late the last of them left
#include "catalogue.h"

#include <algorithm>
#include <random>

enum { BLOCKS = 1 << 15, CLOCKS = 200, STRETCH = 1000, STREAMS = 4, READY = 5000, COPIED = 4 << 20 };

static struct {
	Record *records;
	unsigned *rank, *mapped;
	char *host, *device;
	cudaStream_t low[STREAMS], high;
	cudaEvent_t kernel_done, copy_done, ready[STREAMS], copied[2 * STREAMS];
	std::vector<Record> seen;
} m;

// A block stays `early` ns, or until *go where that is given, if the bit of its place among the blocks of its SM is set in `mask`, else
// `late`.
template <int REGISTERS>
__global__ void leave(Record *records, unsigned *rank, unsigned mask, u64 early, u64 late, const volatile int *go, float *sink, int rounds)
{
	float live[REGISTERS + 1];
#pragma unroll
	for (int i = 0; i <= REGISTERS; i++)
		live[i] = (float)(threadIdx.x + i);
	if (threadIdx.x == 0) {
		Record r = {timer(), 0, this_sm(), 0};
		r.ticket = atomicAdd(rank + r.sm, 1u);
		bool first = mask >> (r.ticket & 31) & 1;
		u64 stay = first && go == nullptr ? early : late;
		while (timer() - r.begin < stay && !(first && go != nullptr && *go))
			;
		r.end = timer();
		records[blockIdx.x] = r;
	}
	__syncthreads();
	for (int k = 0; k < rounds; k++)
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			live[i] = live[i] * live[(i + 1) % (REGISTERS + 1)] + live[(i + 7) % (REGISTERS + 1)];
	if (rounds > 1000000) {
		float sum = 0;
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			sum += live[i];
		sink[threadIdx.x] = sum;
	}
}

static __global__ void host_atomics(Record *records, unsigned *mapped, u64 stay)
{
	if (threadIdx.x == 0) {
		Record r = {timer(), 0, this_sm(), 0};
#if __CUDA_ARCH__ >= 600
		atomicAdd_system(mapped, 1u);
#else
		*(volatile unsigned *)mapped = r.sm;
#endif
		while (timer() - r.begin < stay)
			;
		r.end = timer();
		records[blockIdx.x] = r;
	}
}

static void spin(int blocks, int threads, int shared, u64 ns, int offset, cudaStream_t stream)
{
	work<SPIN><<<blocks, threads, shared, stream>>>(Work{m.records + offset, nullptr, nullptr, ns});
	CHECK(cudaGetLastError());
}

static void fetch(int blocks)
{
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record) * blocks, cudaMemcpyDeviceToHost));
}

static u64 first_begin(int from, int to)
{
	u64 first = ~0ull;
	for (int i = from; i < to; i++)
		first = std::min(first, m.seen[i].begin);
	return first;
}

static u64 last_begin(int from, int to)
{
	u64 last = 0;
	for (int i = from; i < to; i++)
		last = std::max(last, m.seen[i].begin);
	return last;
}

static void head_of_line(Probe &p, const char *test, int repetition, const char *detail, int blocks, int threads, int shared, int later_threads)
{
	int all = blocks + 8;
	spin(blocks, threads, shared, 300000, 0, m.low[0]);
	spin(8, later_threads, 0, 20000, blocks, m.low[1]);
	fetch(all);
	u64 waiting = last_begin(0, blocks), begun = first_begin(blocks, all);
	bool broken = begun + CLOCKS < waiting;
	p.row("%s,%d,1,%d,%llu,%s\n", test, repetition, broken, broken ? waiting - begun : 0, detail);
}

static void priority(Probe &p, int repetition, int sms)
{
	int low = 12 * sms, high = 2 * sms;
	spin(low, 512, 0, 60000 + (u64)(repetition % 7) * 3000, 0, m.low[0]);
	wait_us(30);
	spin(high, 1024, 0, 40000, low, m.high);
	fetch(low + high);
	u64 from = first_begin(low, low + high), to = last_begin(low, low + high), longest = 0;
	int broken = 0;
	for (int i = 0; i < low; i++)
		if (m.seen[i].begin > from + CLOCKS && m.seen[i].begin + CLOCKS < to) {
			broken++;
			longest = std::max(longest, to - m.seen[i].begin);
		}
	p.row("priority,%d,1,%d,%llu,low blocks among high\n", repetition, broken > 0, longest);
}

struct Leaving {
	int an_sm, threads, shared; // blocks that fill an SM
	unsigned mask;
	int new_threads, new_shared;
};

// Blocks fill each SM, those of `mask` leave, then a block that needs no more than they held comes for each SM.
template <int REGISTERS>
static void fragmentation(Probe &p, const char *test, int repetition, const Leaving &l, bool polled)
{
	int sms = p.device.multiProcessorCount, old = l.an_sm * sms, all = old + sms;
	CHECK(cudaMemset(m.rank, 0, 4096 * sizeof(unsigned)));
	*(volatile int *)m.mapped = 0;
	CHECK(cudaDeviceSynchronize());
	const volatile int *go = polled ? (const volatile int *)m.mapped : nullptr;
	leave<REGISTERS><<<old, l.threads, l.shared, m.low[0]>>>(m.records, m.rank, l.mask, 200000, 1500000, go, nullptr, 0);
	wait_us(200);
	*(volatile int *)m.mapped = 1;
	wait_us(150);
	leave<REGISTERS><<<sms, l.new_threads, l.new_shared, m.low[1]>>>(m.records + old, m.rank, 0, 0, 1000, nullptr, nullptr, 0);
	CHECK(cudaGetLastError());
	fetch(all);
	u64 rest_left = ~0ull, first_left = ~0ull, last_left = 0, full = last_begin(0, old);
	for (int i = 0; i < old; i++)
		if (!(l.mask >> (m.seen[i].ticket & 31) & 1))
			rest_left = std::min(rest_left, m.seen[i].end);
		else {
			first_left = std::min(first_left, m.seen[i].end);
			last_left = std::max(last_left, m.seen[i].end);
		}
	int entered = 0;
	for (int i = old; i < all; i++)
		entered += m.seen[i].begin < rest_left;
	if (full < first_left) // all of them were resident at once
		p.row("%s,%d,%d,%d,%llu,%s of blocks %#x of %d\n", test, repetition, sms, sms - entered, polled ? last_left - first_left : 0,
			REGISTERS > 50 ? "registers" : "shared memory", l.mask, l.an_sm);
}

// Blocks of equal size fill the SM's shared memory; what some of them held, a larger one wants, without the driver's reserve.
static Leaving share(Probe &p, std::mt19937 &random)
{
	int capacity = (int)p.device.sharedMemPerMultiprocessor, reserve = (int)p.device.reservedSharedMemPerBlock;
	int optin = (int)(p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock);
	Leaving l = {3 + (int)(random() % 6), 64, 0, 0, 64, 0};
	int each = capacity / l.an_sm / 1024 * 1024, leaving = 0;
	while (leaving < 2 || leaving == l.an_sm || leaving * each - reserve > optin) {
		l.mask = random() % (1u << l.an_sm);
		leaving = 0;
		for (int i = 0; i < l.an_sm; i++)
			leaving += l.mask >> i & 1;
	}
	l.shared = each - reserve;
	l.new_shared = leaving * each - reserve;
	return l;
}

// Of blocks with a warp in each sub-partition some leave; a block of as many times as many warps wants what they had.
static Leaving quarters(int an_sm, std::mt19937 &random)
{
	Leaving l = {an_sm, 128, 0, 1 + (unsigned)(random() % ((1u << an_sm) - 2)), 0, 0};
	for (int i = 0; i < an_sm; i++)
		l.new_threads += l.mask >> i & 1 ? 128 : 0;
	l.new_threads = std::min(l.new_threads, 512);
	return l;
}

// ---- who serves copies

static void engine(Probe &p, int repetition, const char *name)
{
	const size_t bytes = 1 << 16;
	float ms;
	spin(2 * p.device.multiProcessorCount, 1024, 0, 1500000, 0, m.low[0]);
	CHECK(cudaEventRecord(m.kernel_done, m.low[0]));
	wait_us(100);
	if (strcmp(name, "h2d") == 0)
		CHECK(cudaMemcpyAsync(m.device, m.host, bytes, cudaMemcpyHostToDevice, m.low[1]));
	else if (strcmp(name, "d2h") == 0)
		CHECK(cudaMemcpyAsync(m.host, m.device, bytes, cudaMemcpyDeviceToHost, m.low[1]));
	else if (strcmp(name, "d2d") == 0)
		CHECK(cudaMemcpyAsync(m.device + bytes, m.device, bytes, cudaMemcpyDeviceToDevice, m.low[1]));
	else
		CHECK(cudaMemsetAsync(m.device, 0, bytes, m.low[1]));
	CHECK(cudaEventRecord(m.copy_done, m.low[1]));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventElapsedTime(&ms, m.copy_done, m.kernel_done)); // > 0: the copy was done before the kernel
	p.row("engine,%d,1,%d,0,%s\n", repetition, ms < 0.1f, name);
}

struct Copy {
	double ready, done; // us from the first kernel's end
};

static double since_first(cudaEvent_t event)
{
	float ms;
	CHECK(cudaEventElapsedTime(&ms, m.ready[0], event));
	return ms * 1000;
}

static void issue_copy(bool up, int i, cudaStream_t stream)
{
	char *host = m.host + (size_t)i * COPIED, *device = m.device + (size_t)i * COPIED;
	CHECK(cudaMemcpyAsync(up ? device : host, up ? host : device, COPIED, cudaMemcpyDefault, stream));
}

// Was one of them ready all the time?
static bool continuous(const Copy *copies, int count)
{
	std::vector<Copy> sorted(copies, copies + count);
	std::sort(sorted.begin(), sorted.end(), [](const Copy &a, const Copy &b) { return a.ready < b.ready; });
	double until = sorted[0].done;
	for (const Copy &copy : sorted) {
		if (copy.ready > until)
			return false;
		until = std::max(until, copy.done);
	}
	return true;
}

// Stream i's first copy is ready when its kernel is done, its second one when the first is.
static void copy_order(Probe &p, int repetition, bool up)
{
	Copy copies[2 * STREAMS];
	int broken = 0, pairs = 0;
	double passed = 0, least = 1e9, from = 1e9, to = 0;
	for (int i = 0; i < STREAMS; i++) {
		spin(1, 32, 0, 100000 + (u64)i * 60000, i, m.low[i]);
		CHECK(cudaEventRecord(m.ready[i], m.low[i]));
		for (int k = 0; k < 2; k++) {
			issue_copy(up, 2 * i + k, m.low[i]);
			CHECK(cudaEventRecord(m.copied[2 * i + k], m.low[i]));
		}
	}
	CHECK(cudaDeviceSynchronize());
	for (int i = 0; i < 2 * STREAMS; i++) {
		copies[i].done = since_first(m.copied[i]);
		copies[i].ready = i % 2 ? copies[i - 1].done : since_first(m.ready[i / 2]);
		least = std::min(least, copies[i].done - copies[i].ready);
	}
	for (const Copy &one : copies)
		for (const Copy &other : copies)
			if (one.ready + READY / 1000.0 < other.ready && other.ready < one.done) {
				pairs++;
				broken += other.done < one.done;
				passed = std::max(passed, one.done - other.done);
			}
	p.row("copy-order,%d,%d,%d,%.0f,%s\n", repetition, pairs, broken, passed * 1000, up ? "h2d" : "d2h");
	if (continuous(copies, 2 * STREAMS)) {
		for (const Copy &copy : copies) {
			from = std::min(from, copy.ready);
			to = std::max(to, copy.done);
		}
		p.row("copy-idle,%d,%d,0,%.0f,%s\n", repetition, 2 * STREAMS, std::max(0.0, (to - from) / (2 * STREAMS) - least) * 1000,
			up ? "h2d" : "d2h");
	}
}

static void stretch(Probe &p, const char *test, int repetition, int blocks, u64 ns, const char *detail)
{
	int broken = 0;
	u64 longest = 0;
	fetch(blocks);
	for (int i = 0; i < blocks; i++) {
		u64 time = m.seen[i].end - m.seen[i].begin;
		broken += time > ns + STRETCH;
		longest = std::max(longest, time > ns + STRETCH ? time - ns : 0);
	}
	p.row("%s,%d,%d,%d,%llu,%s\n", test, repetition, blocks, broken, longest, detail);
}

static void stops(Probe &p, int repetition, int sms)
{
	spin(2 * sms, 1024, 0, 200000, 0, m.low[0]);
	stretch(p, "stops", repetition, 2 * sms, 200000, "1024 threads a block");
	spin(8 * sms, 64, 0, 100000, 0, m.low[0]);
	spin(4 * sms, 256, 0, 100000, 8 * sms, m.low[1]);
	stretch(p, "stops-two-warps", repetition, 12 * sms, 100000, "beside others");
}

int main(int count, char **arguments)
{
	std::vector<char *> rest;
	bool host_traffic = false;
	for (int i = 0; i < count; i++)
		if (strcmp(arguments[i], "--host-traffic") == 0)
			host_traffic = true;
		else
			rest.push_back(arguments[i]);
	Probe p = probe_begin("order", "test,repetition,tries,broken,longest_ns,detail", (int)rest.size(), rest.data());
	int n = p.device.multiProcessorCount;
	catalogue_prepare(p.device);
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	CHECK(cudaMalloc(&m.rank, sizeof(unsigned) * 4096));
	CHECK(cudaHostAlloc(&m.mapped, sizeof(unsigned), cudaHostAllocMapped));
	CHECK(cudaHostAlloc(&m.host, (size_t)2 * STREAMS * COPIED, cudaHostAllocDefault));
	CHECK(cudaMalloc(&m.device, (size_t)2 * STREAMS * COPIED));
	CHECK(cudaEventCreate(&m.kernel_done));
	CHECK(cudaEventCreate(&m.copy_done));
	for (cudaEvent_t &e : m.ready)
		CHECK(cudaEventCreate(&e));
	for (cudaEvent_t &e : m.copied)
		CHECK(cudaEventCreate(&e));
	m.seen.resize(BLOCKS);
	for (cudaStream_t &s : m.low)
		CHECK(cudaStreamCreateWithPriority(&s, cudaStreamNonBlocking, p.least));
	CHECK(cudaStreamCreateWithPriority(&m.high, cudaStreamNonBlocking, p.greatest));
	int optin = (int)p.device.sharedMemPerBlockOptin;
	CHECK(cudaFuncSetAttribute((const void *)leave<0>, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
	CHECK(cudaFuncSetAttribute((const void *)leave<0>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
	CHECK(cudaFuncSetAttribute((const void *)leave<96>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
	int fat = 0, quads = 0;
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fat, leave<96>, 64, 0));
	CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&quads, leave<96>, 128, 0));
	std::mt19937 random(p.seed);
	for (int r = 0; p.time_left(); r++) {
		head_of_line(p, "hol", r, "warps", 2 * n + 1, 768, 0, 512);
		head_of_line(p, "hol", r, "warps; one warp behind", 2 * n + 1, 1024, 0, 32);
		head_of_line(p, "hol", r, "shared memory", n + 1, 96, optin - 4096, 96);
		head_of_line(p, "hol-two-warps", r, "warps", 32 * n + 1, 64, 0, 64);
		priority(p, r, n);
		unsigned halves[] = {0x55, 0x33, 0x0f, 0xf0, 0xaa, 0x3c, 0x99};
		Leaving shares = share(p, random), fat_leaves = {fat, 64, 0, halves[r % 7], 256, 0};
		fragmentation<0>(p, "fragmentation", r, shares, false);
		fragmentation<96>(p, "fragmentation", r, fat_leaves, false);
		if (quads > 1)
			fragmentation<96>(p, "fragmentation-registers", r, quarters(quads, random), false);
		copy_order(p, r, r % 2 == 0);
		stops(p, r, n);
		if (host_traffic) {
			host_atomics<<<4 * n, 256, 0, m.low[0]>>>(m.records, m.mapped, 100000);
			host_atomics<<<4 * n, 256, 0, m.low[1]>>>(m.records + 4 * n, m.mapped, 50000);
			stretch(p, "host-traffic", r, 4 * n, 100000, "system-scope atomics on host memory");
			fragmentation<0>(p, "host-fragmentation", r, shares, true);
			fragmentation<96>(p, "host-fragmentation", r, fat_leaves, true);
		}
		static const char *const copies[] = {"h2d", "d2h", "d2d", "memset"};
		engine(p, r, copies[r % 4]);
		p.progress("order, priorities, fragments, stops");
	}
	return p.finish();
}
