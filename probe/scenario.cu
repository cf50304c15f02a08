// Runs task sets on the GPU, one host thread a task, and records every job and every operation.
//
// usage: scenario [--seconds S] [--blocks FILE] [--stamps FILE] [--company] SCENARIOS [FIRST [COUNT]] > jobs.csv
// SCENARIOS is what scripts/soundness.py writes:
//   scenario ID LAG             LAG ns: up to so much later than nominal is a job released, on purpose, so that orders change
//   partition SMS               a green context of so many SMs, a multiple of 8; partitions are numbered from 1 and are disjoint
//   stream PRIORITY             0 the lowest; of the primary context
//   stream PRIORITY PARTITION
//   task ID PERIOD OFFSET JOBS STREAM
//   kernel NAME GRID AMOUNT     NAME of the catalogue; AMOUNT 0: the catalogue's
//   spin GRID THREADS SHARED NS
//   copy h2d|d2h BYTES          pinned
//   memset BYTES
//   on STREAM                   what follows, of this task, is for that stream
//   record EVENT, wait EVENT    one event of that name a scenario, recorded again by each job
//   stamp                       a record of an event of its own, which tells when it was reached (--stamps)
// In the j-th job every other time one task in turn comes LAG later than all others, so that it finds them all before it; between these
// the lags are drawn. What a task does on a stream must end in a kernel: it notes the end by the GPU's clock, and the last of them is
// the job's. Where tasks share a stream a job's launch calls are not mixed with another's. Times are in ns from the scenario's
// start, responses from the nominal release; `issued` is when the last launch call had returned. Nothing that runs touches host memory.
// Host and GPU clocks are related before and after each scenario. With --blocks each block's SM, begin and end are written, too; with
// --stamps when the stamps were reached, by the host's clock within what a record on an idle GPU takes (some 10 us), among themselves
// within 0.5 us.
// With --company nothing is released by time: in each of ROUNDS rounds all tasks issue their operations at once, in drawn orders, some more than
// once, so that each kernel meets all others of its task set in many ways. The longest block of each operation is written: its WCET in the
// company of this task set, as measured; where no kernel is of the catalogue none is. Then each copy runs as often between two stamps while
// the other streams have their kernels and their copies of the other direction: its longest time is written likewise.
#include "catalogue.h"
#include "partitions.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <mutex>
#include <random>
#include <set>
#include <sstream>
#include <thread>

enum { ROUNDS = 30 };

struct Operation {
	enum { KERNEL, UP, DOWN, SET, RECORD, WAIT, STAMP } what;
	int entry; // of the catalogue; -1: spin
	int grid, threads, shared;
	u64 amount; // of a block; bytes of a copy or memset
	int stream, event; // of a stamp: its number in the job
};

struct Task {
	std::string id;
	u64 period, offset;
	int jobs;
	std::vector<Operation> operations;
	std::vector<u64> lag, released, called, issued; // a job
	size_t first_record = 0, records = 0;         // records a job
	int stamps = 0;                               // a job
	std::vector<cudaEvent_t> stamped;
	char *host = nullptr, *device = nullptr;
};

struct Scenario {
	std::string id;
	u64 lag;
	std::vector<int> sizes;      // of partitions
	std::vector<int> priorities; // of streams
	std::vector<int> parts;      // of streams; 0: the primary context
	std::vector<Task> tasks;
	std::map<std::string, int> names; // of events
	std::vector<cudaEvent_t> events;
	bool shared; // a stream, by tasks
};

static Operation parse_operation(const std::string &word, std::istringstream &in, Scenario &s, int stream)
{
	Operation o = {Operation::KERNEL, -1, 0, 0, 0, 0, stream, 0};
	std::string name;
	if (word == "kernel") {
		in >> name >> o.grid >> o.amount;
		o.entry = entry_find(name.c_str());
		if (o.entry < 0) {
			fprintf(stderr, "no kernel %s in the catalogue\n", name.c_str());
			exit(3);
		}
		o.threads = catalogue[o.entry].threads;
		o.shared = catalogue[o.entry].shared;
		o.amount = o.amount ? o.amount : catalogue[o.entry].amount;
	} else if (word == "spin") {
		in >> o.grid >> o.threads >> o.shared >> o.amount;
	} else if (word == "copy") {
		in >> name >> o.amount;
		o.what = name == "h2d" ? Operation::UP : Operation::DOWN;
	} else if (word == "record" || word == "wait") {
		in >> name;
		o.what = word == "record" ? Operation::RECORD : Operation::WAIT;
		o.event = s.names.emplace(name, (int)s.names.size()).first->second;
	} else if (word == "stamp") {
		o.what = Operation::STAMP;
		o.event = s.tasks.back().stamps++;
	} else {
		in >> o.amount;
		o.what = Operation::SET;
	}
	return o;
}

static std::vector<Scenario> read(const char *path)
{
	std::vector<Scenario> all;
	std::ifstream file(path);
	if (!file) {
		fprintf(stderr, "%s: cannot be read\n", path);
		exit(3);
	}
	int stream = 0;
	for (std::string line, word; std::getline(file, line);) {
		std::istringstream in(line);
		in >> word;
		if (word == "scenario") {
			all.emplace_back();
			in >> all.back().id >> all.back().lag;
		} else if (word == "stream") {
			all.back().priorities.push_back(0);
			all.back().parts.push_back(0);
			in >> all.back().priorities.back() >> all.back().parts.back();
		} else if (word == "partition") {
			all.back().sizes.push_back(0);
			in >> all.back().sizes.back();
		} else if (word == "task") {
			all.back().tasks.emplace_back();
			Task &t = all.back().tasks.back();
			in >> t.id >> t.period >> t.offset >> t.jobs >> stream;
		} else if (word == "on") {
			in >> stream;
		} else if (!line.empty()) {
			all.back().tasks.back().operations.push_back(parse_operation(word, in, all.back(), stream));
		}
	}
	return all;
}

// ---- clocks

struct Clock {
	int64_t offset; // GPU minus host, middle of the narrowest bracket
	int64_t error;  // half of that bracket
};

static __global__ void read_timer(u64 *out)
{
	*out = timer();
}

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

// ---- a run

static struct {
	Record *records;
	size_t capacity;
	float *data;
	u64 *mapped;
	std::vector<Record> seen;
	FILE *blocks, *stamps;
	cudaEvent_t base; // of the stamps
	std::mutex turn; // of the host threads of a scenario whose tasks share a stream
} m;

static bool is_copy(const Operation &o)
{
	return o.what == Operation::UP || o.what == Operation::DOWN;
}

static void issue(const Operation &o, const Scenario &s, const Task &task, int job, Record *records, cudaStream_t stream)
{
	if (o.what == Operation::RECORD)
		CHECK(cudaEventRecord(s.events[o.event], stream));
	else if (o.what == Operation::WAIT)
		CHECK(cudaStreamWaitEvent(stream, s.events[o.event], 0));
	else if (o.what == Operation::STAMP)
		CHECK(cudaEventRecord(task.stamped[(size_t)(job * task.stamps + o.event)], stream));
	else if (o.what == Operation::UP)
		CHECK(cudaMemcpyAsync(task.device, task.host, o.amount, cudaMemcpyHostToDevice, stream));
	else if (o.what == Operation::DOWN)
		CHECK(cudaMemcpyAsync(task.host, task.device, o.amount, cudaMemcpyDeviceToHost, stream));
	else if (o.what == Operation::SET)
		CHECK(cudaMemsetAsync(task.device, 0, o.amount, stream));
	else
		functions[o.entry < 0 ? SPIN : catalogue[o.entry].kind]<<<o.grid, o.threads, o.shared, stream>>>(
			Work{records, nullptr, m.data, o.amount});
}

static void issue_job(const Scenario &s, Task &task, int job, const std::vector<cudaStream_t> &streams)
{
	std::unique_lock<std::mutex> lock(m.turn, std::defer_lock);
	if (s.shared)
		lock.lock();
	task.called[job] = host_now();
	size_t record = task.first_record + (size_t)job * task.records;
	for (const Operation &o : task.operations) {
		issue(o, s, task, job, m.records + record, streams[o.stream]);
		record += o.what == Operation::KERNEL ? (size_t)o.grid : 0;
	}
	task.issued[job] = host_now();
	CHECK(cudaGetLastError());
}

static void release(const Scenario &s, Task &task, const std::vector<cudaStream_t> &streams, u64 start)
{
	for (int job = 0; job < task.jobs; job++) {
		u64 nominal = start + task.offset + (u64)job * task.period, at = nominal + task.lag[job];
		while (host_now() + 300000 < at)
			std::this_thread::sleep_for(std::chrono::microseconds(100));
		while (host_now() < at)
			;
		task.released[job] = nominal;
		issue_job(s, task, job, streams);
	}
}

static void draw_lags(Scenario &s)
{
	std::mt19937 random(17);
	size_t n = s.tasks.size();
	for (size_t i = 0; i < n; i++)
		for (int job = 0; job < s.tasks[i].jobs; job++) {
			u64 drawn = s.lag ? random() % (s.lag + 1) : 0;
			s.tasks[i].lag.push_back(job % 2 ? drawn : (size_t)job / 2 % n == i ? s.lag : s.lag * 3 / 4);
		}
}

static void prepare_events(Scenario &s)
{
	std::vector<std::set<int>> users(s.priorities.size());
	s.events.resize(s.names.size());
	for (cudaEvent_t &event : s.events)
		CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
	for (size_t i = 0; i < s.tasks.size(); i++) {
		Task &t = s.tasks[i];
		t.stamped.resize((size_t)(t.jobs * t.stamps));
		for (cudaEvent_t &event : t.stamped)
			CHECK(cudaEventCreate(&event));
		for (const Operation &o : t.operations)
			users[o.stream].insert((int)i);
	}
	s.shared = std::any_of(users.begin(), users.end(), [](const std::set<int> &of) { return of.size() > 1; });
}

static void prepare(Scenario &s)
{
	size_t records = 0;
	prepare_events(s);
	for (Task &t : s.tasks) {
		u64 bytes = 0;
		t.records = 0;
		for (const Operation &o : t.operations) {
			t.records += o.what == Operation::KERNEL ? (size_t)o.grid : 0;
			bytes = std::max(bytes, o.what == Operation::KERNEL ? 0 : o.amount);
		}
		t.first_record = records;
		records += t.records * (size_t)t.jobs;
		t.released.resize(t.jobs);
		t.called.resize(t.jobs);
		t.issued.resize(t.jobs);
		if (bytes > 0) {
			CHECK(cudaHostAlloc(&t.host, bytes, cudaHostAllocDefault));
			CHECK(cudaMalloc(&t.device, bytes));
		}
	}
	if (records > m.capacity) {
		CHECK(cudaFree(m.records));
		CHECK(cudaMalloc(&m.records, sizeof(Record) * records));
		m.capacity = records;
	}
	m.seen.resize(records);
	draw_lags(s);
}

static const char *name_of(const Operation &o)
{
	static const char *const names[] = {"", "h2d", "d2h", "memset", "record", "wait", "stamp"};
	return o.what != Operation::KERNEL ? names[o.what] : o.entry < 0 ? "spin" : catalogue[o.entry].name;
}

struct Span {
	int64_t begin, end, longest;
	int sms;
};

static Span span_of(const Record *records, int count)
{
	Span span = {INT64_MAX, 0, 0, 0};
	std::vector<bool> used(1024);
	for (int i = 0; i < count; i++) {
		span.begin = std::min(span.begin, (int64_t)records[i].begin);
		span.end = std::max(span.end, (int64_t)records[i].end);
		span.longest = std::max(span.longest, (int64_t)(records[i].end - records[i].begin));
		span.sms += used[records[i].sm] ? 0 : 1;
		used[records[i].sm] = true;
	}
	return span;
}

static void report_job(Probe &p, const Scenario &s, const Task &t, int job, int64_t zero, u64 start, int64_t error)
{
	const Record *record = m.seen.data() + t.first_record + (size_t)job * t.records;
	int64_t nominal = (int64_t)(t.released[job] - start), began = INT64_MAX, ended = 0;
	for (size_t o = 0; o < t.operations.size(); o++) {
		const Operation &operation = t.operations[o];
		if (operation.what != Operation::KERNEL)
			continue;
		Span span = span_of(record, operation.grid);
		began = std::min(began, span.begin - zero);
		ended = std::max(ended, span.end - zero);
		p.row("%s,%s,%d,%zu,%s,%d,%lld,%lld,%lld,%lld,%lld,%lld,%d,%lld\n", s.id.c_str(), t.id.c_str(), job, o, name_of(operation),
			operation.grid, (long long)nominal, (long long)(t.issued[job] - start), (long long)(span.begin - zero),
			(long long)(span.end - zero), (long long)(span.end - zero - nominal), (long long)span.longest, span.sms, (long long)error);
		for (int b = 0; m.blocks != nullptr && b < operation.grid; b++)
			fprintf(m.blocks, "%s,%s,%d,%zu,%d,%u,%lld,%lld\n", s.id.c_str(), t.id.c_str(), job, o, b, record[b].sm,
				(long long)record[b].begin - zero, (long long)record[b].end - zero);
		record += operation.grid;
	}
	p.row("%s,%s,%d,job,,0,%lld,%lld,%lld,%lld,%lld,0,0,%lld\n", s.id.c_str(), t.id.c_str(), job, (long long)nominal,
		(long long)(t.issued[job] - start), (long long)began, (long long)ended, (long long)(ended - nominal), (long long)error);
}

#ifdef HAS_PARTITIONS
// Contexts are kept for all scenarios of the same sizes.
static cudaStream_t stream_of_partition(const Probe &p, const std::vector<int> &sizes, int number, int priority)
{
	static std::map<std::vector<int>, std::vector<Partition>> known;
	static const Split split(p.number, 8, 0);
	if (known.find(sizes) == known.end())
		known.emplace(sizes, partitions_of(p.number, split, sizes));
	return known.at(sizes).at((size_t)number - 1).stream(priority);
}
#else
static cudaStream_t stream_of_partition(const Probe &, const std::vector<int> &, int, int)
{
	fprintf(stderr, "scenario: this toolkit has no green contexts\n");
	exit(3);
}
#endif

static std::vector<cudaStream_t> create_streams(const Probe &p, const Scenario &s)
{
	std::vector<cudaStream_t> streams;
	for (size_t i = 0; i < s.priorities.size(); i++) {
		int priority = s.priorities[i] ? p.greatest : p.least;
		streams.emplace_back();
		if (s.parts[i] > 0)
			streams.back() = stream_of_partition(p, s.sizes, s.parts[i], priority);
		else
			CHECK(cudaStreamCreateWithPriority(&streams.back(), cudaStreamNonBlocking, priority));
	}
	return streams;
}

static void release_memory(Scenario &s, std::vector<cudaStream_t> &streams)
{
	for (Task &t : s.tasks) {
		for (cudaEvent_t event : t.stamped)
			CHECK(cudaEventDestroy(event));
		if (t.host != nullptr) {
			CHECK(cudaFreeHost(t.host));
			CHECK(cudaFree(t.device));
		}
	}
	for (cudaEvent_t event : s.events)
		CHECK(cudaEventDestroy(event));
	for (cudaStream_t stream : streams)
		CHECK(cudaStreamDestroy(stream));
}

// ---- company

// Kernels of the other streams, and their copies of the other direction. What is measured waits behind a short kernel until they are issued.
static void beside_copy(const Scenario &s, const Operation &copy, const std::vector<cudaStream_t> &streams, std::mt19937 &random)
{
	for (const Task &t : s.tasks) {
		size_t record = t.first_record;
		for (const Operation &o : t.operations) {
			bool other = o.what == Operation::KERNEL || (is_copy(o) && o.what != copy.what);
			if (other && o.stream != copy.stream && random() % 4 != 0)
				issue(o, s, t, 0, m.records + record, streams[o.stream]);
			record += o.what == Operation::KERNEL ? (size_t)o.grid : 0;
		}
	}
}

static long long longest_copy(const Scenario &s, const Task &task, const Operation &copy, const std::vector<cudaStream_t> &streams)
{
	std::mt19937 random(31);
	cudaEvent_t before, after;
	float longest = 0, ms;
	CHECK(cudaEventCreate(&before));
	CHECK(cudaEventCreate(&after));
	for (int round = 0; round < ROUNDS; round++) {
		work<SPIN><<<1, 32, 0, streams[copy.stream]>>>(Work{m.records, nullptr, nullptr, 60000});
		beside_copy(s, copy, streams, random);
		CHECK(cudaEventRecord(before, streams[copy.stream]));
		issue(copy, s, task, 0, nullptr, streams[copy.stream]);
		CHECK(cudaEventRecord(after, streams[copy.stream]));
		CHECK(cudaDeviceSynchronize());
		CHECK(cudaEventElapsedTime(&ms, before, after));
		longest = round > 0 ? std::max(longest, ms) : 0; // the first of a buffer
	}
	CHECK(cudaEventDestroy(before));
	CHECK(cudaEventDestroy(after));
	return (long long)(longest * 1e6f);
}

// A kernel that only holds its SM takes the same time in any company.
static bool has_library(const Scenario &s)
{
	for (const Task &t : s.tasks)
		for (const Operation &o : t.operations)
			if (o.what == Operation::KERNEL && o.entry >= 0)
				return true;
	return false;
}

// Each operation of a task owns a part of its first job's records; the last of its launches in a round is the one that counts.
static void company(Probe &p, Scenario &s)
{
	std::vector<cudaStream_t> streams = create_streams(p, s);
	std::mt19937 random(29);
	std::vector<std::vector<int64_t>> longest;
	prepare(s);
	for (const Task &t : s.tasks)
		longest.emplace_back(t.operations.size(), 0);
	for (int round = 0; round < ROUNDS && has_library(s); round++) {
		CHECK(cudaMemset(m.records, 0, sizeof(Record) * m.seen.size()));
		CHECK(cudaDeviceSynchronize());
		std::vector<std::vector<size_t>> turns;
		size_t most = 0;
		for (const Task &t : s.tasks) {
			std::vector<size_t> order;
			for (size_t i = 0; i < t.operations.size() + 2; i++)
				order.push_back(i < t.operations.size() ? i : random() % t.operations.size());
			std::shuffle(order.begin(), order.end(), random);
			most = std::max(most, order.size());
			turns.push_back(order);
		}
		for (size_t turn = 0; turn < most; turn++)
			for (size_t k = 0; k < s.tasks.size(); k++) {
				const Task &t = s.tasks[k];
				if (turn >= turns[k].size())
					continue;
				size_t record = t.first_record;
				for (size_t o = 0; o < turns[k][turn]; o++)
					record += t.operations[o].what == Operation::KERNEL ? (size_t)t.operations[o].grid : 0;
				const Operation &operation = t.operations[turns[k][turn]];
				if (operation.what < Operation::RECORD)
					issue(operation, s, t, 0, m.records + record, streams[operation.stream]);
			}
		CHECK(cudaGetLastError());
		CHECK(cudaDeviceSynchronize());
		for (size_t k = 0; k < s.tasks.size(); k++) {
			size_t record = s.tasks[k].first_record;
			for (size_t o = 0; o < s.tasks[k].operations.size(); o++) {
				const Operation &operation = s.tasks[k].operations[o];
				if (operation.what != Operation::KERNEL)
					continue;
				CHECK(cudaMemcpy(m.seen.data(), m.records + record, sizeof(Record) * (size_t)operation.grid, cudaMemcpyDeviceToHost));
				longest[k][o] = std::max(longest[k][o], span_of(m.seen.data(), operation.grid).longest);
				record += (size_t)operation.grid;
			}
		}
	}
	for (size_t k = 0; k < s.tasks.size(); k++)
		for (size_t o = 0; o < s.tasks[k].operations.size(); o++)
			if (s.tasks[k].operations[o].what == Operation::KERNEL && has_library(s))
				p.row("%s,%s,%zu,%s,%d,%lld\n", s.id.c_str(), s.tasks[k].id.c_str(), o, name_of(s.tasks[k].operations[o]), ROUNDS,
					(long long)longest[k][o]);
	for (const Task &t : s.tasks)
		for (size_t o = 0; o < t.operations.size(); o++)
			if (is_copy(t.operations[o]))
				p.row("%s,%s,%zu,%s,%d,%lld\n", s.id.c_str(), t.id.c_str(), o, name_of(t.operations[o]), ROUNDS,
					longest_copy(s, t, t.operations[o], streams));
	release_memory(s, streams);
}

// The first launch and the first copy of a stream cost more; so does the first copy from or to a buffer.
static void warm_up(Scenario &s, std::vector<cudaStream_t> &streams)
{
	for (cudaStream_t stream : streams)
		work<SPIN><<<1, 32, 0, stream>>>(Work{m.records, nullptr, nullptr, 1000});
	for (const Task &t : s.tasks)
		for (const Operation &o : t.operations)
			if (o.what != Operation::KERNEL)
				issue(o, s, t, 0, nullptr, streams[o.stream]);
	CHECK(cudaDeviceSynchronize());
}

static void report_stamps(const Scenario &s, const Task &t, cudaEvent_t base, int64_t zero)
{
	float ms;
	for (int job = 0; job < t.jobs; job++)
		for (size_t o = 0; o < t.operations.size(); o++)
			if (t.operations[o].what == Operation::STAMP) {
				CHECK(cudaEventElapsedTime(&ms, base, t.stamped[(size_t)(job * t.stamps + t.operations[o].event)]));
				fprintf(m.stamps, "%s,%s,%d,%zu,%lld\n", s.id.c_str(), t.id.c_str(), job, o, zero + (long long)((double)ms * 1e6));
			}
}

static FILE *open_file(const char *path, const char *columns)
{
	FILE *file = fopen(path, "w");
	if (file == nullptr) {
		perror(path);
		exit(1);
	}
	fprintf(file, "%s\n", columns);
	return file;
}

static void run(Probe &p, Scenario &s)
{
	std::vector<cudaStream_t> streams = create_streams(p, s);
	prepare(s);
	warm_up(s, streams);
	Clock before = relate(m.mapped);
	u64 based = host_now();
	CHECK(cudaEventRecord(m.base, streams[0]));
	CHECK(cudaDeviceSynchronize());
	u64 start = host_now() + 2000000;
	std::vector<std::thread> threads;
	for (Task &t : s.tasks)
		threads.emplace_back(release, std::cref(s), std::ref(t), std::cref(streams), start);
	for (std::thread &thread : threads)
		thread.join();
	CHECK(cudaDeviceSynchronize());
	Clock after = relate(m.mapped);
	int64_t offset = (before.offset + after.offset) / 2;
	int64_t error = std::max(before.error, after.error) + std::llabs(before.offset - after.offset) / 2;
	CHECK(cudaMemcpy(m.seen.data(), m.records, sizeof(Record) * m.seen.size(), cudaMemcpyDeviceToHost));
	for (const Task &t : s.tasks) {
		for (int job = 0; job < t.jobs; job++)
			report_job(p, s, t, job, (int64_t)start + offset, start, error);
		if (m.stamps != nullptr)
			report_stamps(s, t, m.base, (int64_t)(based - start));
	}
	release_memory(s, streams);
}

int main(int count, char **arguments)
{
	std::vector<char *> rest;
	bool in_company = false;
	for (int i = 0; i < count; i++)
		if (strcmp(arguments[i], "--company") == 0)
			in_company = true;
		else if (strcmp(arguments[i], "--blocks") == 0 && i + 1 < count)
			m.blocks = open_file(arguments[++i], "scenario,task,job,operation,block,sm,begin_ns,end_ns");
		else if (strcmp(arguments[i], "--stamps") == 0 && i + 1 < count)
			m.stamps = open_file(arguments[++i], "scenario,task,job,operation,reached_ns");
		else
			rest.push_back(arguments[i]);
	Probe p = probe_begin(in_company ? "company" : "scenario",
		in_company ? "scenario,task,operation,kernel,rounds,longest_ns" :
		"scenario,task,job,operation,kernel,blocks,nominal_ns,issued_ns,begin_ns,end_ns,response_ns,longest_ns,sms,clock_error_ns",
		(int)rest.size(), rest.data());
	if (p.words.empty()) {
		fprintf(stderr, "usage: scenario [--seconds S] [--blocks FILE] [--stamps FILE] [--company] SCENARIOS [FIRST [COUNT]] > jobs.csv\n");
		return 2;
	}
	std::vector<Scenario> scenarios = read(p.words[0].c_str());
	size_t first = p.words.size() > 1 ? (size_t)atoi(p.words[1].c_str()) : 0;
	size_t most = p.words.size() > 2 ? (size_t)atoi(p.words[2].c_str()) : scenarios.size();
	catalogue_prepare(p.device);
	CHECK(cudaEventCreate(&m.base));
	CHECK(cudaHostAlloc(&m.mapped, sizeof *m.mapped, cudaHostAllocMapped));
	CHECK(cudaMalloc(&m.data, sizeof(float) * (PROBE_WORDS + (1 << 20))));
	CHECK(cudaMemset(m.data, 0, sizeof(float) * (PROBE_WORDS + (1 << 20))));
	CHECK(cudaDeviceSynchronize());
	relate(m.mapped);
	size_t done = 0;
	for (size_t i = first; i < scenarios.size() && done < most && p.time_left(); i++, done++) {
		if (in_company)
			company(p, scenarios[i]);
		else
			run(p, scenarios[i]);
		p.progress((std::to_string(i + 1) + " of " + std::to_string(scenarios.size()) + " scenarios").c_str());
	}
	if (first + done < scenarios.size() && done < most)
		fprintf(stderr, "scenario: out of time; go on with: scenario SCENARIOS %zu\n", first + done);
	return p.finish();
}
