// How much slower a block, or a copy, is while others use the memory: victim x footprint x source x how many.
//
// usage: interference [--seconds S] [MAP.csv] > interference.csv         (MAP.csv: what `map` recorded; without it GPCs are not told apart)
// columns: victim (read, write, copy, compute: one block; h2d, d2h: a copy of `footprint` bytes), footprint bytes, threads a block, sm (of the
// victim; -1: any), source, count, operation of the aggressors, repetition, ns.
// source   none; tpc, gpc, out: `count` SMs of the same TPC, of the rest of the GPC, of other GPCs; all: all SMs (joint);
//          h2d, d2h, bidirectional, d2d, memset: `count` streams with copies of 64 MiB one after another; cpu: `count` host threads that stream
//          through 64 MiB each, beside blocks and beside copies; ee: kernels on all SMs (victims h2d, d2h)
// The first repetition counts: the victim's data has been evicted from the caches then, and that is interference.
#include "catalogue.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <thread>

enum { AGGRESSOR = 64 << 20, MOST_VICTIM = 128 << 20, REPETITIONS = 6, OPS = 4 };
static const char *const op_names[OPS] = {"read", "write", "copy", "compute"};

static struct {
	int sms, *role, *flags; // flags: done, ready
	float4 *victim, *aggressors;
	char *host, *host2, *device, *device2;
	u64 *ns;
	float *sink;
	cudaStream_t stream, others[4];
	std::vector<int> gpc; // of an SM; -1: unknown
} m;

static __device__ float once(int op, float4 *p, size_t n, int round)
{
	float sum = 0;
	if (op == 0)
		for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
			float4 v = __ldcg(p + i);
			sum += v.x + v.y + v.z + v.w;
		}
	else if (op == 1)
		for (size_t i = threadIdx.x; i < n; i += blockDim.x)
			__stcg(p + i, make_float4(threadIdx.x, round, 1, 2));
	else if (op == 2)
		for (size_t i = threadIdx.x; i < n / 2; i += blockDim.x)
			__stcg(p + n / 2 + i, __ldcg(p + i));
	else {
		float a = threadIdx.x;
		for (size_t i = 0; i < n / 64; i++)
			a = a * 0.999f + 0.5f;
		sum = a;
	}
	return sum;
}

// One block an SM: role 1 is measured, role 2 goes through its words again and again until that is done, 0 leaves. Without roles a single block anywhere is measured.
static __global__ void beside(const int *role, int op, float4 *victim, size_t words, int other, float4 *aggressors, size_t other_words,
	volatile int *flags, int ready, u64 *ns, float *sink)
{
	__shared__ int over;
	int sm = (int)this_sm(), own = role == nullptr ? 1 : role[sm];
	float sum = 0;
	if (own == 1) {
		sum = once(op, victim, words, 0);
		if (threadIdx.x == 0)
			for (u64 begin = timer(); flags[1] < ready && timer() - begin < 20000000;)
				;
		__syncthreads();
		for (int k = 0; k < REPETITIONS; k++) {
			u64 begin = timer();
			sum += once(op, victim, words, k);
			__syncthreads();
			if (threadIdx.x == 0)
				ns[k] = timer() - begin;
			__syncthreads();
		}
		if (threadIdx.x == 0)
			flags[0] = 1;
	} else if (own == 2) {
		u64 begin = timer();
		for (int k = 0;; k++) {
			sum += once(other, aggressors + (size_t)sm % 64 * other_words + k % 16 * (other_words / 16), other_words / 16, k);
			if (threadIdx.x == 0) {
				if (k == 15) // once through all of its words: by now they have evicted the victim's
					atomicAdd((int *)flags + 1, 1);
				over = flags[0] || timer() - begin > 200000000;
			}
			__syncthreads();
			if (over)
				break;
			__syncthreads();
		}
	}
	if (sum == -1.2345e30f)
		*sink = sum;
}

static __global__ void fill(int op, float4 *p, size_t words, volatile int *flags, u64 limit)
{
	u64 begin = timer();
	float sum = 0;
	while (!flags[0] && timer() - begin < limit)
		sum += once(op, p + (size_t)blockIdx.x % 64 * (AGGRESSOR / 16), words, 1);
	if (sum == -1.2345e30f)
		p[0].x = sum;
}

struct Victim {
	int op, threads, sm;
	size_t bytes;
};

static void rows(Probe &p, const Victim &v, const char *source, int count, const char *operation, const u64 *ns)
{
	for (int k = 0; k < REPETITIONS; k++)
		p.row("%s,%zu,%d,%d,%s,%d,%s,%d,%llu\n", op_names[v.op], v.bytes, v.threads, v.sm, source, count, operation, k, ns[k]);
}

static void measure(Probe &p, const Victim &v, const char *source, const std::vector<int> &aggressors, int other, int count)
{
	std::vector<int> role(m.sms, 0);
	u64 ns[REPETITIONS];
	for (int sm : aggressors)
		role[sm] = 2;
	role[v.sm] = 1;
	CHECK(cudaMemcpyAsync(m.role, role.data(), sizeof(int) * m.sms, cudaMemcpyHostToDevice, m.stream));
	CHECK(cudaMemsetAsync(m.flags, 0, 2 * sizeof(int), m.stream));
	CHECK(cudaStreamSynchronize(m.stream));
	size_t shared = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	beside<<<m.sms, v.threads, shared - 2048, m.stream>>>(m.role, v.op, m.victim, v.bytes / 16, other, m.aggressors, AGGRESSOR / 16, m.flags,
		(int)aggressors.size(), m.ns, m.sink);
	CHECK(cudaGetLastError());
	CHECK(cudaStreamSynchronize(m.stream));
	CHECK(cudaMemcpy(ns, m.ns, sizeof ns, cudaMemcpyDeviceToHost));
	rows(p, v, source, count, other < 0 ? "-" : op_names[other], ns);
}

static void neighbours(Probe &p, const Victim &v)
{
	std::map<std::string, std::vector<int>> sets;
	for (int sm = 0; sm < m.sms; sm++)
		if (sm != v.sm) {
			bool known = m.gpc[v.sm] >= 0;
			sets[sm == (v.sm ^ 1) ? "tpc" : known && m.gpc[sm] == m.gpc[v.sm] ? "gpc" : "out"].push_back(sm);
			sets["all"].push_back(sm);
		}
	for (const auto &set : sets)
		for (int other = 0; other < OPS && p.time_left(); other++)
			if (other < 3 || set.first == "all")
				measure(p, v, set.first.c_str(), set.second, other, (int)set.second.size());
}

// ---- copies, memsets, the CPU

static void traffic(const std::string &source, int count)
{
	for (int k = 0; k < count; k++) {
		if (source == "h2d" || source == "bidirectional")
			CHECK(cudaMemcpyAsync(m.device, m.host, AGGRESSOR, cudaMemcpyHostToDevice, m.others[k]));
		if (source == "d2h" || source == "bidirectional")
			CHECK(cudaMemcpyAsync(m.host2, m.device2, AGGRESSOR, cudaMemcpyDeviceToHost, m.others[k + 2]));
		for (int again = 0; again < 12; again++) {
			if (source == "d2d")
				CHECK(cudaMemcpyAsync(m.device, m.device2, AGGRESSOR, cudaMemcpyDeviceToDevice, m.others[k]));
			if (source == "memset")
				CHECK(cudaMemsetAsync(m.device2, k, AGGRESSOR, m.others[k + 2]));
		}
	}
}

static void stream_memory(std::atomic<bool> *over)
{
	std::vector<char> a(AGGRESSOR, 1), b(AGGRESSOR, 2);
	while (!*over) {
		memcpy(a.data(), b.data(), AGGRESSOR);
		memcpy(b.data(), a.data(), AGGRESSOR);
	}
}

// Host threads that use the memory for as long as this lives.
struct Streamers {
	std::atomic<bool> over{false};
	std::vector<std::thread> threads;

	explicit Streamers(int count)
	{
		for (int i = 0; i < count; i++)
			threads.emplace_back(stream_memory, &over);
		if (count > 0)
			wait_us(100000);
	}
	~Streamers()
	{
		over = true;
		for (std::thread &t : threads)
			t.join();
	}
};

static void beside_traffic(Probe &p, const Victim &v, const char *source, int count)
{
	Victim anywhere = {v.op, v.threads, -1, v.bytes};
	u64 ns[REPETITIONS];
	bool cpu = strcmp(source, "cpu") == 0;
	{
		Streamers streamers(cpu ? count : 0);
		CHECK(cudaMemsetAsync(m.flags, 0, 2 * sizeof(int), m.stream));
		CHECK(cudaStreamSynchronize(m.stream));
		if (!cpu)
			traffic(source, count);
		// Anywhere: copies that run as kernels may share the victim's SM, and that is part of what is measured.
		beside<<<1, v.threads, 0, m.stream>>>(nullptr, v.op, m.victim, v.bytes / 16, 0, m.aggressors, AGGRESSOR / 16, m.flags, 0, m.ns, m.sink);
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
	}
	CHECK(cudaMemcpy(ns, m.ns, sizeof ns, cudaMemcpyDeviceToHost));
	rows(p, anywhere, source, count, "-", ns);
}

static void copies(Probe &p, bool up, size_t bytes, const char *source, int count, const char *operation)
{
	cudaEvent_t before, after;
	CHECK(cudaEventCreate(&before));
	CHECK(cudaEventCreate(&after));
	for (int k = 0; k < REPETITIONS; k++) {
		CHECK(cudaEventRecord(before, m.stream));
		CHECK(cudaMemcpyAsync(up ? m.device : m.host2, up ? m.host : m.device2, bytes, up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, m.stream));
		CHECK(cudaEventRecord(after, m.stream));
		CHECK(cudaStreamSynchronize(m.stream));
		float ms;
		CHECK(cudaEventElapsedTime(&ms, before, after));
		p.row("%s,%zu,0,-1,%s,%d,%s,%d,%.0f\n", up ? "h2d" : "d2h", bytes, source, count, operation, k, ms * 1e6);
	}
	CHECK(cudaEventDestroy(before));
	CHECK(cudaEventDestroy(after));
}

static void transfer(Probe &p, bool up, size_t bytes, int other)
{
	int over = 1;
	CHECK(cudaMemsetAsync(m.flags, 0, 2 * sizeof(int), m.stream));
	CHECK(cudaStreamSynchronize(m.stream));
	if (other >= 0)
		fill<<<m.sms, 1024, 0, m.others[0]>>>(other, m.aggressors, AGGRESSOR / 16 / 16, m.flags, 30000000);
	wait_us(20);
	copies(p, up, bytes, other < 0 ? "none" : "ee", other < 0 ? 0 : m.sms, other < 0 ? "-" : op_names[other]);
	CHECK(cudaMemcpyAsync(m.flags, &over, sizeof over, cudaMemcpyHostToDevice, m.stream));
	CHECK(cudaDeviceSynchronize());
}

// ---- what is measured

static void read_map(const char *path)
{
	std::ifstream file(path);
	std::map<std::string, std::vector<int>> groups;
	for (std::string line; std::getline(file, line);) {
		char method[32];
		int repetition, group, rank, sm;
		if (sscanf(line.c_str(), "%31[^,],%d,%d,%d,%d", method, &repetition, &group, &rank, &sm) == 5 && strncmp(method, "cluster-", 8) == 0 && sm < m.sms)
			groups[std::string(method) + "/" + std::to_string(repetition) + "/" + std::to_string(group)].push_back(sm);
	}
	for (bool changed = true; changed;) { // the least SM of a group names it
		changed = false;
		for (const auto &g : groups) {
			int least = m.sms;
			for (int sm : g.second)
				least = std::min(least, m.gpc[sm] < 0 ? sm : m.gpc[sm]);
			for (int sm : g.second)
				if (m.gpc[sm] != least) {
					m.gpc[sm] = least;
					changed = true;
				}
		}
	}
}

// The least SM of the GPC with most SMs: its neighbours are the most that any SM has.
static int in_largest_gpc()
{
	int best = 0;
	for (int sm = 0; sm < m.sms; sm++)
		if (std::count(m.gpc.begin(), m.gpc.end(), m.gpc[sm]) > std::count(m.gpc.begin(), m.gpc.end(), m.gpc[best]))
			best = sm;
	return best;
}

static void prepare(const Probe &p)
{
	size_t shared = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	CHECK(cudaFuncSetAttribute((const void *)beside, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared - 2048));
	CHECK(cudaMalloc(&m.role, sizeof(int) * m.sms));
	CHECK(cudaMalloc(&m.flags, 2 * sizeof(int)));
	CHECK(cudaMalloc(&m.victim, MOST_VICTIM));
	CHECK(cudaMalloc(&m.aggressors, (size_t)64 * AGGRESSOR));
	CHECK(cudaMemset(m.aggressors, 0, (size_t)64 * AGGRESSOR));
	CHECK(cudaMalloc(&m.ns, sizeof(u64) * REPETITIONS));
	CHECK(cudaMalloc(&m.sink, sizeof(float)));
	CHECK(cudaHostAlloc(&m.host, AGGRESSOR, cudaHostAllocDefault));
	CHECK(cudaHostAlloc(&m.host2, AGGRESSOR, cudaHostAllocDefault));
	CHECK(cudaMalloc(&m.device, AGGRESSOR));
	CHECK(cudaMalloc(&m.device2, AGGRESSOR));
	CHECK(cudaStreamCreateWithFlags(&m.stream, cudaStreamNonBlocking));
	for (cudaStream_t &s : m.others)
		CHECK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
}

static void one_victim(Probe &p, const Victim &v)
{
	static const char *const sources[] = {"h2d", "d2h", "bidirectional", "d2d", "memset"};
	measure(p, v, "none", {}, -1, 0);
	neighbours(p, v);
	beside_traffic(p, v, "none", 0);
	for (const char *source : sources)
		for (int count = 1; count <= 2 && p.time_left(); count++)
			beside_traffic(p, v, source, count);
	p.progress("victims");
}

int main(int count, char **arguments)
{
	Probe p = probe_begin("interference", "victim,footprint,threads,sm,source,count,operation,repetition,ns", count, arguments);
	m.sms = p.device.multiProcessorCount;
	m.gpc.assign(m.sms, -1);
	if (!p.words.empty())
		read_map(p.words[0].c_str());
	prepare(p);
	int cores = (int)std::thread::hardware_concurrency();
	for (size_t bytes : {(size_t)1 << 16, (size_t)1 << 20, (size_t)32 << 20})
		for (int other = -1; other < 3; other++) {
			transfer(p, true, bytes, other);
			transfer(p, false, bytes, other);
		}
	for (int threads = 1; threads < cores && threads <= 16; threads *= 4) {
		Streamers streamers(threads);
		for (size_t bytes : {(size_t)1 << 16, (size_t)1 << 20, (size_t)32 << 20})
			for (bool up : {true, false})
				copies(p, up, bytes, "cpu", threads, "-");
	}
	for (int threads : {1024, 128})
		for (int sm : {0, in_largest_gpc(), m.sms / 2 & ~1, m.sms - 2 & ~1})
			for (int op = 0; op < OPS; op++)
				for (size_t bytes : {(size_t)1 << 16, (size_t)1 << 20, (size_t)8 << 20, (size_t)MOST_VICTIM})
					if (p.time_left() && (bytes < MOST_VICTIM || (threads == 1024 && sm == 0)))
						one_victim(p, Victim{op, threads, sm, bytes});
	for (int op = 0; op < 3; op++)
		for (int threads = 1; threads < cores && threads <= 16 && p.seconds > p.elapsed() - 10; threads *= 4) {
			beside_traffic(p, Victim{op, 1024, 0, (size_t)1 << 20}, "cpu", threads);
			beside_traffic(p, Victim{op, 1024, 0, (size_t)8 << 20}, "cpu", threads);
		}
	return p.finish();
}
