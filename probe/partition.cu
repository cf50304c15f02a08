// Whether partitions of SMs (green contexts) keep their kernels apart, and what stays shared.
//
// usage: partition [--seconds S] [--seed N] > partition.csv
//        partition [--seconds S] granularity > granularity.csv     row: flags,least,groups,size,rest
//        partition [--seconds S] processes > processes.csv
//        partition [--seconds S] clients NAME=VALUE NAME=VALUE > clients.csv
// The GPU is cut into groups of 8 SMs: partitions A and B of equally many groups, and C, what is left over. A row is
// test,repetition,tries,broken,longest_ns,begin_ns,spread_ns,detail: `broken` of `tries` went against the assumption, by longest_ns at most; begin_ns from the
// return of the launch call of the kernel that is looked at to its first block's begin, spread_ns from there to its last block's begin.
// partition-idle      a kernel in B, nothing beside it
// partition-wait      kernels in A, and often in C, of which some block waits for room; then one in B: does it begin before that block?
// partition-sms       blocks outside of their partition
// partition-order     kernels of two streams of A: does the later one begin before the earlier one's last block?
// partition-priority  low blocks in A that begin while a higher one there has blocks waiting
// partition-dispatch  a kernel of many blocks in B while A dispatches blocks of 10 us all the time; -idle: while nothing does
// partition-event     a kernel in B behind an event of A's kernel, and one in another stream of B, which has to begin before that event
// partition-memset    a memset in B while kernels of A wait for room: begin_ns from its call to its end
// full-memset         the same with B full: not against any assumption, as it runs on B's SMs
// primary-first       a kernel of the primary context waits for room, then one in B: broken, where it waits, too
// primary-later       kernels of B wait for room, then one in the primary context
// process-idle, process-wait   with the word processes: the later kernel in B, of this process; the earlier ones in A, of another one. A try is
//                     broken where it began more than 200 us late. Under MPS the two are one merged context
// client-idle, client-wait     with the word clients: the same without green contexts, each process with what the environment variable gives it
//                     of the GPU under MPS, the first one the crowd's (CUDA_MPS_ACTIVE_THREAD_PERCENTAGE=50, CUDA_MPS_SM_PARTITION=...)
#include "partitions.h"

#ifndef HAS_PARTITIONS
int main()
{
	fprintf(stderr, "partition: this toolkit has no green contexts\n");
	return 2;
}
#else
#include <fcntl.h>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

enum { BLOCKS = 1 << 16, CLOCKS = 200, CALL = 50000, AHEAD = 100000, STREAMS = 4, FAR = 200000 };

static struct {
	Record *records;
	std::vector<Record> seen;
	std::vector<Partition> parts; // A, B, and C if anything is left over
	cudaStream_t low[3][STREAMS], high[3], primary[2];
	int64_t offset; // GPU minus host
	char *data;
} m;

struct Launch {
	cudaStream_t stream;
	int blocks, threads;
	u64 ns;
	int part; // -1: the primary context
	int first;
};

struct Span {
	u64 first, last, end;
};

static void launch(const Launch &l)
{
	stay<<<l.blocks, l.threads, 0, l.stream>>>(m.records + l.first, l.ns);
}

static Span span_of(const Launch &l)
{
	Span s = {~0ull, 0, 0};
	for (int i = l.first; i < l.first + l.blocks; i++) {
		s.first = std::min(s.first, m.seen[i].begin);
		s.last = std::max(s.last, m.seen[i].begin);
		s.end = std::max(s.end, m.seen[i].end);
	}
	return s;
}

static void fetch(int blocks)
{
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record) * blocks, cudaMemcpyDeviceToHost));
}

static void relate()
{
	u64 least = ~0ull;
	for (int i = 0; i < 100; i++) {
		u64 before = host_now();
		stay<<<1, 1, 0, m.low[1][0]>>>(m.records, 0);
		CHECK(cudaStreamSynchronize(m.low[1][0]));
		u64 after = host_now();
		CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record), cudaMemcpyDeviceToHost));
		if (after - before < least) {
			least = after - before;
			m.offset = (int64_t)(m.seen[0].begin - before) - (int64_t)least / 2;
		}
	}
}

// ---- tests

static int outside(const std::vector<Launch> &all)
{
	int blocks = 0;
	for (const Launch &l : all)
		for (int i = l.first; l.part >= 0 && i < l.first + l.blocks; i++)
			blocks += !m.parts[l.part].has(m.seen[i].sm);
	return blocks;
}

struct Seen {
	bool tried; // the host was not in the way, and an earlier kernel still had a block waiting when the later one came
	Span later;
	u64 waiting; // the last begin of a block of the earlier ones
	int64_t begin;
};

// The earlier ones, then the later one.
static Seen beside(Probe &p, int repetition, std::vector<Launch> earlier, Launch later)
{
	int blocks = 0;
	for (Launch &l : earlier) {
		l.first = blocks;
		blocks += l.blocks;
	}
	later.first = blocks;
	for (const Launch &l : earlier)
		launch(l);
	if (!earlier.empty())
		wait_us(150);
	u64 called = host_now();
	launch(later);
	u64 returned = host_now();
	CHECK(cudaGetLastError());
	fetch(blocks + later.blocks);
	Seen s = {true, span_of(later), 0, 0};
	for (const Launch &l : earlier)
		s.waiting = std::max(s.waiting, span_of(l).last);
	u64 came = returned + (u64)m.offset;
	s.tried = returned - called < CALL && (earlier.empty() || came + AHEAD < s.waiting);
	s.begin = (int64_t)(s.later.first - came);
	earlier.push_back(later);
	p.row("partition-sms,%d,%d,%d,0,0,0,\n", repetition, blocks + later.blocks, outside(earlier));
	return s;
}

static void report(Probe &p, const char *test, int repetition, const Seen &s, bool broken, u64 by, const char *detail)
{
	p.row("%s,%d,%d,%d,%llu,%lld,%llu,%s\n", test, repetition, s.tried, s.tried && broken, s.tried && broken ? by : 0, (long long)s.begin,
		s.later.last - s.later.first, detail);
}

static void waiting(Probe &p, const char *test, int repetition, const std::vector<Launch> &earlier, const Launch &later, const char *detail)
{
	Seen s = beside(p, repetition, earlier, later);
	bool broken = !earlier.empty() && s.later.last >= s.waiting;
	report(p, test, repetition, s, broken, broken ? s.later.last - s.waiting : 0, detail);
}

static int pick(std::mt19937 &random, int a, int b)
{
	return a + (int)(random() % (unsigned)(b - a + 1));
}

static int resident(int threads)
{
	return std::min(32, 2048 / ((threads + 31) / 32 * 32));
}

// Kernels of one to four streams of a partition, one to three each, in all of three waves at least.
static void add_crowd(std::mt19937 &random, int part, std::vector<Launch> &crowd)
{
	int streams = pick(random, 1, STREAMS), each = pick(random, 1, 3);
	u64 ns = (u64)pick(random, 150, 500) * 1000;
	for (int i = 0; i < streams * each; i++) {
		int threads = pick(random, 0, 1) ? 1024 : pick(random, 64, 1024), room = m.parts[part].size * resident(threads);
		int blocks = i == 0 ? 3 * room + pick(random, 0, room) : pick(random, 1, room);
		cudaStream_t stream = pick(random, 0, 3) == 0 ? m.high[part] : m.low[part][i % streams];
		crowd.push_back(Launch{i == 0 ? m.low[part][0] : stream, std::min(blocks, 2000), threads, ns, part, 0});
	}
}

static Launch draw_later(std::mt19937 &random, int part)
{
	int threads = pick(random, 0, 1) ? 1024 : pick(random, 32, 1024), room = m.parts[part].size * resident(threads);
	return Launch{pick(random, 0, 3) ? m.low[part][0] : m.high[part], pick(random, 0, 1) ? std::min(room, 2000) : pick(random, 1, room), threads,
		20000, part, 0};
}

static void wait_beside(Probe &p, int r, std::mt19937 &random)
{
	std::vector<Launch> crowd;
	int part = pick(random, 0, 1);
	add_crowd(random, part, crowd);
	if (m.parts.size() > 2 && pick(random, 0, 1))
		add_crowd(random, 2, crowd);
	char detail[64];
	snprintf(detail, sizeof detail, "%zu kernels in %s", crowd.size(), part ? "B" : "A");
	waiting(p, "partition-wait", r, crowd, draw_later(random, 1 - part), detail);
	waiting(p, "partition-idle", r, {}, draw_later(random, 1), "");
}

static void order_within(Probe &p, int r, std::mt19937 &random)
{
	std::vector<Launch> crowd;
	int an_sm = pick(random, 2, 6), threads = (2048 / an_sm - 96) / 32 * 32, left = 2048 - an_sm * threads; // would take the later one's
	Launch later = {m.low[0][1], 8, pick(random, 3, std::min(32, left / 32)) * 32, 20000, 0, 0};
	crowd.push_back(Launch{m.low[0][0], an_sm * m.parts[0].size + 1, threads, 400000, 0, 0});
	Seen s = beside(p, r, crowd, later);
	bool broken = s.later.first + CLOCKS < s.waiting;
	report(p, "partition-order", r, s, broken, s.waiting - s.later.first, "");
}

static void priority_within(Probe &p, int r)
{
	int sms = m.parts[0].size;
	Launch low = {m.low[0][0], 12 * sms, 512, 60000 + (u64)(r % 7) * 3000, 0, 0}, high = {m.high[0], 2 * sms, 1024, 40000, 0, 12 * sms},
	       other = {m.low[1][0], 4 * m.parts[1].size, 1024, 80000, 1, 14 * sms};
	launch(other);
	launch(low);
	wait_us(30);
	launch(high);
	fetch(other.first + other.blocks);
	Span s = span_of(high);
	u64 longest = 0;
	for (int i = 0; i < low.blocks; i++)
		if (m.seen[i].begin > s.first + CLOCKS && m.seen[i].begin + CLOCKS < s.last)
			longest = std::max(longest, s.last - m.seen[i].begin);
	p.row("partition-priority,%d,1,%d,%llu,0,%llu,\n", r, longest > 0, longest, s.last - s.first);
}

static void dispatch(Probe &p, int r, bool busy)
{
	std::vector<Launch> crowd;
	if (busy)
		crowd.push_back(Launch{m.low[0][0], 60000, 32, 10000, 0, 0});
	Launch later = {m.low[1][0], 16 * m.parts[1].size, 128, 200000, 1, 0};
	Seen s = beside(p, r, crowd, later);
	report(p, busy ? "partition-dispatch" : "partition-dispatch-idle", r, s, false, 0, "");
}

static void event_across(Probe &p, int r, cudaEvent_t event)
{
	Launch x = {m.low[0][0], 2 * m.parts[0].size, 1024, 300000, 0, 0}, y = {m.low[1][0], m.parts[1].size, 1024, 20000, 1, 2 * m.parts[0].size},
	       z = {m.low[1][1], m.parts[1].size, 1024, 20000, 1, y.first + y.blocks};
	launch(x);
	CHECK(cudaEventRecord(event, x.stream));
	CHECK(cudaStreamWaitEvent(y.stream, event, 0));
	launch(y);
	u64 called = host_now();
	launch(z);
	bool tried = host_now() - called < CALL;
	fetch(z.first + z.blocks);
	u64 end = span_of(x).end, begun = span_of(y).first, other = span_of(z).last;
	tried = tried && called + CALL + (u64)m.offset < end;
	p.row("partition-event,%d,%d,%d,%llu,%lld,%llu,\n", r, tried, tried && (begun + CLOCKS < end || other >= end),
		tried && other >= end ? other - end : 0, (long long)(begun - end), other - span_of(z).first);
}

static void memset_beside(Probe &p, int r, int full)
{
	Launch x = {m.low[full][0], 4 * 2 * m.parts[full].size, 1024, 400000, full, 0};
	launch(x);
	wait_us(100);
	u64 called = host_now();
	CHECK(cudaMemsetAsync(m.data, 1, 64 << 20, m.low[1][1]));
	CHECK(cudaStreamSynchronize(m.low[1][1]));
	u64 done = host_now();
	fetch(x.blocks);
	u64 waiting = span_of(x).last;
	bool tried = full == 0 && called + (u64)m.offset + 3 * AHEAD < waiting;
	p.row("%s,%d,%d,%d,0,%lld,0,\n", full ? "full-memset" : "partition-memset", r, tried, tried && done + (u64)m.offset > waiting,
		(long long)(done - called));
}

static void primary_beside(Probe &p, int r, int sms)
{
	Launch x = {m.primary[r % 2], 3 * 2 * sms, 1024, 400000, -1, 0}, y = {m.low[1][0], m.parts[1].size, 1024, 50000, 1, 0};
	waiting(p, "primary-first", r, {x}, y, r % 2 ? "of high priority" : "of low priority");
	x = Launch{m.low[1][0], 3 * 2 * m.parts[1].size, 1024, 400000, 1, 0};
	y = Launch{m.primary[0], r % 2 ? sms : 20, 1024, 50000, -1, 0};
	waiting(p, "primary-later", r, {x}, y, r % 2 ? "as many blocks as SMs" : "20 blocks");
}

// ---- set-up

static void make_partitions(Probe &p)
{
	Split split(p.number, 8, 0);
	int half = (int)split.groups.size() / 2 * 8;
	m.parts = partitions_of(p.number, split, {half, half});
	if (split.rest.sm.smCount > 0)
		m.parts.emplace_back(p.number, std::vector<CUdevResource>{split.rest});
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	CHECK(cudaMalloc(&m.data, 64 << 20));
	m.seen.resize(BLOCKS);
	for (size_t i = 0; i < m.parts.size(); i++) {
		for (cudaStream_t &s : m.low[i])
			s = m.parts[i].stream(p.least);
		m.high[i] = m.parts[i].stream(p.greatest);
		m.parts[i].find(m.low[i][0], m.records);
		printf("# partition %c: %s\n", (char)('A' + i), m.parts[i].text().c_str());
	}
}

static int granularity(Probe &p)
{
	for (unsigned flags = 0; flags < 4; flags++)
		for (unsigned least = 0; least <= (unsigned)p.device.multiProcessorCount; least++) {
			Split split(p.number, least, flags);
			unsigned groups = (unsigned)split.groups.size();
			p.row("%u,%u,%u,%u,%u\n", flags, least, groups, groups ? split.groups[0].sm.smCount : 0, groups ? split.rest.sm.smCount : 0);
		}
	return p.finish();
}

// ---- two processes

static void make_streams(Probe &p)
{
	std::vector<Record> seen(2 * p.device.multiProcessorCount);
	std::string text;
	CHECK(cudaMalloc(&m.records, sizeof(Record) * BLOCKS));
	m.seen.resize(BLOCKS);
	for (cudaStream_t *s : {&m.low[0][0], &m.low[0][1], &m.low[1][0]})
		CHECK(cudaStreamCreateWithFlags(s, cudaStreamNonBlocking));
	stay<<<(int)seen.size(), 1024, 0, m.low[1][0]>>>(m.records, 50000); // two fit an SM
	CHECK(cudaStreamSynchronize(m.low[1][0]));
	CHECK(cudaMemcpy(seen.data(), m.records, sizeof(Record) * seen.size(), cudaMemcpyDeviceToHost));
	std::vector<bool> has(1024);
	for (const Record &r : seen)
		has[r.sm % 1024] = true;
	for (size_t i = 0; i < has.size(); i++)
		text += has[i] ? " " + std::to_string(i) : "";
	fprintf(stderr, "partition: a client of %d SMs runs on%s\n", p.device.multiProcessorCount, text.c_str());
}

// Until the pipe is closed: kernels of four waves in two streams of A, of which some wait at any time.
static void crowd_for_ever(Probe &p, int closed, bool green)
{
	cudaEvent_t done[4];
	green ? make_partitions(p) : make_streams(p);
	for (cudaEvent_t &e : done)
		CHECK(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
	char byte;
	int i = 0, sms = green ? m.parts[0].size : p.device.multiProcessorCount;
	fcntl(closed, F_SETFL, O_NONBLOCK);
	for (; read(closed, &byte, 1) != 0; i++) {
		launch(Launch{m.low[0][i % 2], 8 * sms, 1024, 400000, green ? 0 : -1, 0});
		CHECK(cudaEventRecord(done[i % 4], m.low[0][i % 2]));
		CHECK(cudaEventSynchronize(done[(i + 1) % 4]));
	}
	CHECK(cudaDeviceSynchronize());
	fprintf(stderr, "partition: the other process ran %d kernels of 1.6 ms at least\n", i);
}

static void process_tries(Probe &p, const char *test, int tries, bool green)
{
	int sms = green ? m.parts[1].size : p.device.multiProcessorCount;
	for (int r = 0; r < tries && p.time_left(); r++) {
		Seen s = beside(p, r, {}, Launch{m.low[1][0], sms, 1024, 50000, green ? 1 : -1, 0});
		report(p, test, r, s, s.begin > FAR, (u64)s.begin, getenv("CUDA_MPS_PIPE_DIRECTORY") ? "under MPS" : "taking turns");
		wait_us(100 + r % 17 * 50);
	}
}

// Words: green contexts' partitions of both processes, or (clients) what the environment gives each.
static int processes(int count, char **arguments, const char *others, const char *own)
{
	bool green = others == nullptr;
	int closing[2], status;
	if (pipe(closing) != 0)
		return 1;
	pid_t child = fork();
	if (!green)
		putenv(strdup(child == 0 ? others : own));
	if (child == 0) {
		close(closing[1]);
		if (freopen("/dev/null", "w", stdout) == nullptr)
			return 1;
		Probe p = probe_begin("other", "", count, arguments);
		crowd_for_ever(p, closing[0], green);
		return 0;
	}
	close(closing[0]);
	Probe p = probe_begin("partition", "test,repetition,tries,broken,longest_ns,begin_ns,spread_ns,detail", count, arguments);
	green ? make_partitions(p) : make_streams(p);
	relate();
	wait_us(1000000);
	process_tries(p, green ? "process-wait" : "client-wait", 2000, green);
	close(closing[1]);
	waitpid(child, &status, 0);
	process_tries(p, green ? "process-idle" : "client-idle", 300, green);
	return p.finish();
}

int main(int count, char **arguments)
{
	const char *word = count > 1 ? arguments[count - 1] : "";
	if (strcmp(word, "processes") == 0)
		return processes(count - 1, arguments, nullptr, nullptr);
	if (count > 3 && strcmp(arguments[count - 3], "clients") == 0)
		return processes(count - 3, arguments, arguments[count - 2], word);
	bool grains = strcmp(word, "granularity") == 0;
	Probe p = probe_begin(grains ? "granularity" : "partition",
		grains ? "flags,least,groups,size,rest" : "test,repetition,tries,broken,longest_ns,begin_ns,spread_ns,detail", count, arguments);
	if (grains)
		return granularity(p);
	cudaEvent_t event;
	std::mt19937 random(p.seed);
	CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	CHECK(cudaStreamCreateWithPriority(&m.primary[0], cudaStreamNonBlocking, p.least));
	CHECK(cudaStreamCreateWithPriority(&m.primary[1], cudaStreamNonBlocking, p.greatest));
	make_partitions(p);
	for (int r = 0; p.time_left(); r++) {
		if (r % 50 == 0)
			relate();
		for (int k = 0; k < 4; k++)
			wait_beside(p, 4 * r + k, random);
		order_within(p, r, random);
		priority_within(p, r);
		if (r % 4 < 2)
			dispatch(p, r, r % 2);
		event_across(p, r, event);
		memset_beside(p, r, r % 8 == 7);
		if (r % 4 == 0)
			primary_beside(p, r / 4, p.device.multiProcessorCount);
		p.progress("waiting across partitions");
	}
	return p.finish();
}
#endif
