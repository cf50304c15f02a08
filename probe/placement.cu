// Records on which SM each block of concurrently held or running kernels begins, but for `traffic` without any traffic to host memory.
//
// usage: placement [--seconds S] [--seed N] [--partitions] EXPERIMENT [CONFIGURATIONS] > trace.csv
//   next       held: n blocks of 1,024 threads and then one, for every n: in which order an empty GPU's SMs are given out
//   pairs      two held kernels of one block, every pair of 1 to 32 warps: the same SM or not
//   random     small held kernels            wide       held kernels of up to a block an SM
//   deep       held kernels of small blocks, several layers of them
//   rests      held: whole layers and a rest of so many blocks, in an empty GPU and beside a kernel that stays
//   registers  held kernels with many register counts a thread      static   held kernels with static and dynamic shared memory
//   carveout   held kernels, each with its own carveout preference  fresh    small held kernels: the pointers a new process starts with
//   waves      timed kernels back to back    prio       with one of high priority
//   late       timed kernels back to back, block sizes around two warps: who begins late
//   traffic    as late, and half of the kernels' blocks add to host memory when they begin and when they end, with system scope
//   traffic-read, traffic-write   the same, but that they read or write it
//   holes-shared, holes-warps, holes-registers   a block of each kernel on every SM, kernels leaving in random order: what fits into what
//              they leave of shared memory; of registers, blocks of four warps or multiples; of registers, blocks of 1 to 12 warps
//   holes-layers   a kernel that fills every SM, block upon block; layers of it leave, and others come
//   holes-same     the same with blocks of 64, then of 256 threads of one function, with the default carveout preference
// A held kernel's blocks stay until all kernels of the configuration have been launched, or in the last three until its own leave is given.
// The go flags lie in device memory and are set by a copy; the host never waits for a block by memory that blocks write to. Output: the trace format of gpubound-validate(1), with the
// columns registers, static and carveout added, and with --partitions the column partition: the SMs of a kernel's partition. Then the GPU is cut
// into partitions (green contexts), drawn from the seed, and each kernel is of a drawn one. The first configurations, of experiment sets, are one block for each SM of a partition.
#include "partitions.h"

#include <algorithm>
#include <random>

// REGISTERS live values a thread and STATIC bytes a block make the kernel's demand; VARIANT tells otherwise equal kernels apart.
template <int REGISTERS, int STATIC, int VARIANT>
__global__ void hold(
	Record *records, unsigned *ticket, const volatile int *go, int layer, unsigned long long duration, float *sink, int rounds)
{
	__shared__ char fixed[STATIC + 1];
	float live[REGISTERS + 1];
	go += blockIdx.x / layer; // blocks of a layer leave together
#pragma unroll
	for (int i = 0; i <= REGISTERS; i++)
		live[i] = (float)(threadIdx.x + i);
	if (threadIdx.x == 0) {
		Record record = {timer(), 0, this_sm(), atomicAdd(ticket, 1u)};
		unsigned long long limit = duration ? duration : 20000000ull;
		while (timer() - record.begin < limit && (duration || !*go))
			;
		record.end = timer();
		records[blockIdx.x] = record;
		fixed[rounds & 1 ? STATIC : 0] = 1;
	}
	__syncthreads();
	for (int k = 0; k < rounds; k++)
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			live[i] = live[i] * live[(i + 1) % (REGISTERS + 1)] + live[(i + 7) % (REGISTERS + 1)] + fixed[0];
	if (rounds > 1000000) {
		float sum = VARIANT;
#pragma unroll
		for (int i = 0; i <= REGISTERS; i++)
			sum += live[i];
		sink[threadIdx.x] = sum;
	}
}

// A timed block that adds to a word of host memory (`sink`), reads or writes one, as it begins and as it ends.
enum { ADD, READ, WRITE, HOST_WORDS = 1024 };

template <int HOW> static __device__ unsigned touch(unsigned *words)
{
	volatile unsigned *own = words + blockIdx.x % HOST_WORDS;
	if (HOW == ADD)
		return atomicAdd_system(words, 1u);
	if (HOW == WRITE)
		*own = blockIdx.x;
	return HOW == READ ? *own : 0;
}

template <int HOW>
static __global__ void talk(
	Record *records, unsigned *ticket, const volatile int *, int, unsigned long long duration, float *sink, int)
{
	if (threadIdx.x == 0) {
		Record record = {timer(), 0, this_sm(), atomicAdd(ticket, 1u)};
		unsigned seen = touch<HOW>((unsigned *)sink);
		while (timer() - record.begin < duration)
			;
		seen += touch<HOW>((unsigned *)sink);
		record.end = timer() + (HOW == READ && seen == ~0u); // not before what was read has come
		records[blockIdx.x] = record;
	}
	__syncthreads();
}

typedef void (*Function)(Record *, unsigned *, const volatile int *, int, unsigned long long, float *, int);

struct Variant {
	Function function;
	int carveout; // percent, -1: the default preference
	int registers, fixed; // read back from the compiler
};

static std::vector<Variant> by_registers = {{hold<0, 0, 0>, -1}, {hold<8, 0, 0>, -1}, {hold<14, 0, 0>, -1}, {hold<22, 0, 0>, -1},
	{hold<30, 0, 0>, -1}, {hold<38, 0, 0>, -1}, {hold<46, 0, 0>, -1}, {hold<54, 0, 0>, -1}, {hold<62, 0, 0>, -1}, {hold<78, 0, 0>, -1},
	{hold<94, 0, 0>, -1}, {hold<110, 0, 0>, -1}, {hold<142, 0, 0>, -1}, {hold<190, 0, 0>, -1}, {hold<230, 0, 0>, -1}};
static std::vector<Variant> by_static = {{hold<0, 0, 0>, -1}, {hold<0, 512, 0>, -1}, {hold<0, 1500, 0>, -1}, {hold<0, 4000, 0>, -1},
	{hold<0, 8000, 0>, -1}, {hold<0, 16000, 0>, -1}, {hold<0, 40000, 0>, -1}};
static std::vector<Variant> by_carveout = {{hold<0, 0, 1>, -1}, {hold<0, 0, 2>, 0}, {hold<0, 0, 3>, 14}, {hold<0, 0, 4>, 28},
	{hold<0, 0, 5>, 50}, {hold<0, 0, 6>, 71}, {hold<0, 0, 7>, 86}, {hold<0, 0, 8>, 100}};
static std::vector<Variant> plain = {{hold<0, 0, 0>, -1}};
static std::vector<Variant> talking = {{hold<0, 0, 0>, -1}, {talk<ADD>, -1}};
static std::vector<Variant> reading = {{hold<0, 0, 0>, -1}, {talk<READ>, -1}};
static std::vector<Variant> writing = {{hold<0, 0, 0>, -1}, {talk<WRITE>, -1}};

struct Kernel {
	int blocks, threads, shared, variant, priority;
	unsigned long long duration;
	int layers = 1;
	int partition = 0; // of machine.parts
};

enum { STREAMS = 16, BLOCKS = 32768, FLAGS = 128, SAME_VARIANT = 10 /* of by_registers */ };

struct Part { // the whole GPU, or a partition
	int sms;
	std::string text; // the partition's SMs; empty: the whole GPU
	std::vector<cudaStream_t> low, high;
};

static struct {
	Record *records;
	unsigned *ticket;
	int *go; // one a layer of a kernel
	std::vector<Part> parts;
	cudaStream_t control;
	std::vector<Record> host;
	float *mapped; // host memory
} machine;

static void add_whole(const Probe &p)
{
	Part whole = {p.device.multiProcessorCount, "", {}, {}};
	whole.low.resize(STREAMS);
	whole.high.resize(STREAMS);
	for (int i = 0; i < STREAMS; i++) {
		CHECK(cudaStreamCreateWithPriority(&whole.low[i], cudaStreamNonBlocking, p.least));
		CHECK(cudaStreamCreateWithPriority(&whole.high[i], cudaStreamNonBlocking, p.greatest));
	}
	machine.parts.push_back(whole);
}

static void set_up(std::vector<Variant> &variants, int optin)
{
	CHECK(cudaStreamCreateWithFlags(&machine.control, cudaStreamNonBlocking));
	CHECK(cudaMalloc(&machine.records, sizeof(Record) * BLOCKS));
	CHECK(cudaMalloc(&machine.ticket, sizeof(unsigned)));
	CHECK(cudaMalloc(&machine.go, sizeof(int) * FLAGS));
	CHECK(cudaHostAlloc(&machine.mapped, sizeof *machine.mapped * HOST_WORDS, cudaHostAllocMapped));
	machine.host.resize(BLOCKS);
	for (Variant &v : variants) {
		cudaFuncAttributes attributes;
		CHECK(cudaFuncGetAttributes(&attributes, (const void *)v.function));
		v.registers = attributes.numRegs;
		v.fixed = (int)attributes.sharedSizeBytes;
		CHECK(cudaFuncSetAttribute((const void *)v.function, cudaFuncAttributeMaxDynamicSharedMemorySize, optin - v.fixed));
		if (v.carveout >= 0)
			CHECK(cudaFuncSetAttribute((const void *)v.function, cudaFuncAttributePreferredSharedMemoryCarveout, v.carveout));
	}
}

static void set_go(int first, int count)
{
	int values[FLAGS];
	std::fill(values, values + count, 1);
	CHECK(cudaMemcpyAsync(machine.go + first, values, sizeof *values * count, cudaMemcpyHostToDevice, machine.control));
	CHECK(cudaStreamSynchronize(machine.control));
}

static unsigned started()
{
	unsigned blocks;
	CHECK(cudaMemcpyAsync(&blocks, machine.ticket, sizeof blocks, cudaMemcpyDeviceToHost, machine.control));
	CHECK(cudaStreamSynchronize(machine.control));
	return blocks;
}

static void print(Probe &p, const char *name, int configuration, bool held, const std::vector<Kernel> &kernels, const std::vector<Variant> &variants)
{
	unsigned long long base = ~0ull;
	int total = 0;
	for (const Kernel &k : kernels)
		total += k.blocks;
	CHECK(cudaMemcpy(machine.host.data(), machine.records, sizeof(Record) * total, cudaMemcpyDeviceToHost));
	for (int i = 0; i < total; i++)
		base = machine.host[i].begin < base ? machine.host[i].begin : base;
	int row = 0;
	for (size_t i = 0; i < kernels.size(); i++)
		for (int b = 0; b < kernels[i].blocks; b++, row++) {
			const Record &r = machine.host[row];
			const Variant &v = variants[kernels[i].variant];
			p.row("%s,%d,0,%d,%zu,%zu,%d,%d,1,1,%d,%d,%d,%d,%u,%u,%llu,%llu,%d,%d,%d%s%s\n", name, configuration, held ? 0 : 1, i, i,
				kernels[i].priority, kernels[i].blocks, kernels[i].threads, kernels[i].shared, 0, b, r.sm, r.ticket,
				r.begin - base, r.end - base, v.registers, v.fixed, v.carveout, machine.parts[0].text.empty() ? "" : ",",
				machine.parts[kernels[i].partition].text.c_str());
		}
}

// By copies: a memset would be a kernel beside partitions.
static void prepare()
{
	static const int zeros[FLAGS] = {0};
	CHECK(cudaMemcpy(machine.ticket, zeros, sizeof(unsigned), cudaMemcpyHostToDevice));
	CHECK(cudaMemcpy(machine.go, zeros, sizeof zeros, cudaMemcpyHostToDevice));
	CHECK(cudaDeviceSynchronize());
}

static void launch(const Kernel &k, size_t i, int flag, int offset, const std::vector<Variant> &variants)
{
	const Part &part = machine.parts[k.partition];
	const std::vector<cudaStream_t> &streams = k.priority ? part.high : part.low;
	variants[k.variant].function<<<k.blocks, k.threads, k.shared, streams[i % streams.size()]>>>(
		machine.records + offset, machine.ticket, machine.go + flag, k.blocks / k.layers, k.duration, machine.mapped, 0);
	CHECK(cudaGetLastError());
}

static void run(Probe &p, const char *name, int configuration, bool held, const std::vector<Kernel> &kernels, const std::vector<Variant> &variants)
{
	prepare();
	int offset = 0;
	for (size_t i = 0; i < kernels.size(); i++) {
		launch(kernels[i], i, (int)i, offset, variants);
		offset += kernels[i].blocks;
		if (held)
			wait_us(60);
	}
	if (held)
		set_go(0, FLAGS);
	CHECK(cudaDeviceSynchronize());
	print(p, name, configuration, held, kernels, variants);
}

// ---- what is launched

typedef std::vector<Kernel> Kernels;

struct Draw {
	std::mt19937 random;
	int sms;
	const std::vector<Variant> *variants;
	int partitions = 1;
	int pick(int a, int b) { return a + (int)(random() % (unsigned)(b - a + 1)); }
	u64 time(int a, int b) { return (u64)pick(a, b) * 1000; }
	// The partition of a configuration's next kernel: one for all of them (one >= 0), or another one each time.
	int partition(int one)
	{
		int drawn = partitions < 2 ? 0 : one >= 0 ? one : pick(0, partitions - 1);
		sms = machine.parts[drawn].sms;
		return drawn;
	}
	int one_partition() { return partitions < 2 || pick(0, 2) ? -1 : pick(0, partitions - 1); }
};

// Kernels whose blocks all stay until the last has come: together they must leave room.
static Kernels held(Draw &d, const std::string &experiment)
{
	Kernels kernels;
	std::vector<double> filled(machine.parts.size());
	for (int i = 0, n = d.pick(2, 8), one = d.one_partition(); i < n; i++) {
		int partition = d.partition(one);
		Kernel k = {d.pick(1, std::min(60, d.sms)), d.pick(1, 1024), 0, d.pick(0, (int)d.variants->size() - 1), 0, 0};
		const Variant &v = (*d.variants)[k.variant];
		int unit = (v.registers + 7) / 8 * 8, most = 65536 / (unit * 32) / 4 * 4 * 32;
		k.threads = k.threads > most ? d.pick(1, most) : k.threads;
		if (experiment == "fresh" || experiment == "random")
			k = {d.pick(1, 4), d.pick(1, 1024), 0, 0, 0, 0};
		if (experiment == "wide")
			k = {d.pick(1, d.sms), d.pick(1, 1024), 0, 0, 0, 0};
		if (experiment == "deep")
			k = {d.pick(1, 5 * d.sms), d.pick(1, 320), 0, 0, 0, 0};
		if (experiment == "static")
			k.shared = d.pick(0, 1) ? 0 : d.pick(0, 30000);
		if (experiment == "carveout")
			k.shared = d.pick(0, 1) ? 0 : d.pick(1, 60000);
		int warps = (k.threads + 31) / 32;
		double share = std::max({warps / 64.0, warps * unit * 32 / 65536.0, (k.shared + v.fixed + 1024) / 233472.0}) * k.blocks;
		if (filled[partition] + share > d.sms * 0.6)
			continue;
		filled[partition] += share;
		k.partition = partition;
		kernels.push_back(k);
	}
	return kernels;
}

static bool traffic(const std::string &experiment)
{
	return experiment.compare(0, 7, "traffic") == 0;
}

// Two kernels of one block each, every pair of block sizes in turn: on the same SM or not.
static Kernels pair(int configuration)
{
	return {Kernel{1, configuration / 32 % 32 * 32 + 32, 0, 0, 0, 0}, Kernel{1, configuration % 32 * 32 + 32, 0, 0, 0, 0}};
}

// So many blocks, and then one, of which two fit an SM: which SM is the next?
static Kernels next(int configuration)
{
	int parts = (int)machine.parts.size(), part = configuration % parts, blocks = configuration / parts + 1;
	Kernel first = {blocks, 1024, 0, 0, 0, 0}, then = {1, 1024, 0, 0, 0, 0};
	first.partition = then.partition = part;
	return blocks < machine.parts[part].sms ? Kernels{first, then} : Kernels{};
}

// Layers of a block on each SM and a rest: every rest in an empty GPU, then beside a kernel that stays.
static Kernels rest(Draw &d, int configuration)
{
	int round = configuration / (d.sms - 1), blocks = configuration % (d.sms - 1) + 1, layers = round % 2 ? d.pick(1, 12) : 28;
	Kernels kernels;
	if (round > 1)
		kernels.push_back({d.pick(1, d.sms), d.pick(1, 1024), 0, 0, 0, 0});
	kernels.push_back({layers * d.sms + blocks, 32, 0, 0, 0, 0});
	return kernels;
}

// Timed kernels back to back.
static Kernels timed(Draw &d, const std::string &experiment)
{
	Kernels kernels;
	for (int i = 0, n = d.pick(2, 5), one = d.one_partition(); i < n; i++) {
		int partition = d.partition(one);
		if (experiment == "waves")
			kernels.push_back(Kernel{d.pick(50, 900), d.pick(32, 1024), 0, 0, 0, d.time(20, 120)});
		else if (experiment == "prio")
			kernels.push_back(Kernel{i ? d.pick(1, 300) : d.pick(200, 900), d.pick(i ? 32 : 128, 1024), 0, 0, i == 1, d.time(20, 120)});
		else
			kernels.push_back(Kernel{d.pick(50, 900), d.pick(0, 2) ? d.pick(1, 4) * 32 - d.pick(0, 31) : d.pick(32, 1024), 0, 0,
				d.pick(0, 3) == 0, d.time(20, 120)});
		kernels.back().variant = traffic(experiment) && d.pick(0, 1);
		kernels.back().partition = partition;
	}
	return kernels;
}

// ---- holes: a block of each kernel on every SM

static Kernel hole(Draw &d, const std::string &experiment, size_t place)
{
	Kernel k = {d.sms, 32, 0, 0, 0, 0};
	if (experiment == "holes-shared")
		k.shared = d.pick(0, 2) ? d.pick(1, 80) * 1024 : d.pick(1, 80000);
	else {
		k.variant = d.pick(0, (int)d.variants->size() - 1);
		int most = 65536 / (((*d.variants)[k.variant].registers + 7) / 8 * 8 * 32) / 4 * 4;
		k.threads = 32 * (experiment == "holes-warps" ? 4 * d.pick(1, std::min(4, most / 4)) : d.pick(1, std::min(12, most)));
		bool same = experiment == "holes-same";
		if (same) {
			k.variant = SAME_VARIANT;
			k.threads = place == 0 ? 64 : 256;
		}
		if ((same || experiment == "holes-layers") && place == 0) {
			k.variant = same ? SAME_VARIANT : d.pick(3, (int)d.variants->size() - 1);
			k.threads = same ? 64 : 32 * d.pick(1, 4);
			CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&k.layers, (const void *)(*d.variants)[k.variant].function, k.threads, 0));
			k.blocks = k.layers * d.sms;
		}
	}
	return k;
}

static void give_leave(Draw &d, std::vector<int> &live)
{
	int i = d.pick(0, (int)live.size() - 1);
	set_go(live[i], 1);
	live.erase(live.begin() + i);
	wait_us(30);
}

// Kernels come and leave in a random order, those of several layers one layer after another. A kernel that does not begin waits for others
// to leave.
static void run_holes(Probe &p, const std::string &experiment, int configuration, Draw &d)
{
	std::vector<Kernel> kernels;
	std::vector<int> live;
	int offset = 0, flags = 0;
	prepare();
	while (kernels.size() < STREAMS) {
		if (!live.empty() && d.pick(0, 9) < 3) {
			give_leave(d, live);
			continue;
		}
		Kernel k = hole(d, experiment, kernels.size());
		if (flags + k.layers > FLAGS || offset + k.blocks > BLOCKS)
			break;
		launch(k, kernels.size(), flags, offset, *d.variants);
		kernels.push_back(k);
		offset += k.blocks;
		wait_us(50);
		while (started() < (unsigned)offset && !live.empty())
			give_leave(d, live);
		for (int i = 0; i < k.layers; i++)
			live.push_back(flags++);
		for (int i = d.pick(0, k.layers - 1); i > 0 && k.layers > 1; i--)
			give_leave(d, live);
	}
	set_go(0, FLAGS);
	CHECK(cudaDeviceSynchronize());
	print(p, experiment.c_str(), configuration, true, kernels, *d.variants);
}

#ifdef HAS_PARTITIONS
// Of a drawn split: groups in a drawn order, dealt to one to four partitions in drawn numbers; sometimes what is left over is one, too.
static void draw_partitions(Probe &p, Draw &d)
{
	static const unsigned sizes[] = {8, 8, 8, 16, 24, 56}, fine[] = {2, 4, 6, 10};
	bool ignore = d.pick(0, 3) == 0;
	Split split(p.number, ignore ? fine[d.pick(0, 3)] : sizes[d.pick(0, 5)], ignore ? CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING : 0);
	int groups = (int)split.groups.size(), most = std::min(d.pick(1, 4), groups);
	if (d.pick(0, 1))
		std::shuffle(split.groups.begin(), split.groups.end(), d.random);
	std::vector<Partition> made;
	for (int i = 0, next = 0; i < most; i++) {
		int left = groups - next - (most - i - 1), taken = i == most - 1 ? left : d.pick(1, std::max(1, left / 2));
		made.emplace_back(p.number, std::vector<CUdevResource>(split.groups.begin() + next, split.groups.begin() + next + taken));
		next += taken;
	}
	if (split.rest.sm.smCount >= 2 && d.pick(0, 1))
		made.emplace_back(p.number, std::vector<CUdevResource>{split.rest});
	for (Partition &q : made) {
		Part part = {q.size, "", {}, {}};
		for (int i = 0; i < 8; i++)
			part.low.push_back(q.stream(p.least));
		for (int i = 0; i < 5; i++)
			part.high.push_back(q.stream(p.greatest));
		q.find(part.low[0], machine.records);
		part.text = q.text();
		if (!q.sms.empty() && (int)q.sms.size() != q.size)
			fprintf(stderr, "placement: %d SMs granted, blocks on %zu\n", q.size, q.sms.size());
		machine.parts.push_back(part);
		for (int b = 0; b < q.size; b++) {
			const Record &r = q.found[b];
			p.row("sets,%zu,0,0,0,0,0,%d,1,1,1024,0,0,%d,%u,%d,%llu,%llu,16,0,-1,%s\n", machine.parts.size() - 1, q.size, b, r.sm, b,
				r.begin - q.found[0].begin + 100000, r.end - q.found[0].begin + 100000, part.text.c_str());
		}
	}
}
#else
static void draw_partitions(Probe &, Draw &)
{
	fprintf(stderr, "placement: this toolkit has no green contexts\n");
	exit(2);
}
#endif

int main(int count, char **arguments)
{
	std::vector<char *> rest;
	bool parted = false;
	for (int i = 0; i < count; i++)
		if (strcmp(arguments[i], "--partitions") == 0)
			parted = true;
		else
			rest.push_back(arguments[i]);
	std::string columns = "exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1,registers,static,carveout";
	bool talks = std::any_of(rest.begin(), rest.end(), traffic);
	Probe p = probe_begin(parted ? "partition-placement" : talks ? "traffic-placement" : "placement", (columns + (parted ? ",partition" : "")).c_str(), (int)rest.size(), rest.data());
	if (p.words.empty()) {
		fprintf(stderr, "usage: placement [--seconds S] [--seed N] [--partitions] EXPERIMENT [CONFIGURATIONS] > trace.csv\n");
		return 2;
	}
	std::string experiment = p.words[0];
	int most = p.words.size() > 1 ? atoi(p.words[1].c_str()) : 1000000;
	std::vector<Variant> &variants =
		experiment == "registers" || (experiment.compare(0, 5, "holes") == 0 && experiment != "holes-shared") ? by_registers : experiment == "static" ? by_static : experiment == "carveout" ? by_carveout : experiment == "traffic" ? talking : experiment == "traffic-read" ? reading : experiment == "traffic-write" ? writing : plain;
	bool holes = experiment.compare(0, 5, "holes") == 0 && !parted;
	for (Variant &v : variants)
		v.carveout = holes && experiment != "holes-same" ? 100 : v.carveout;
	bool times = experiment == "late" || experiment == "waves" || experiment == "prio" || traffic(experiment);
	Draw draw = {std::mt19937(p.seed), p.device.multiProcessorCount, &variants};
	set_up(variants, (int)(p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock));
	if (parted)
		draw_partitions(p, draw);
	else
		add_whole(p);
	draw.partitions = (int)machine.parts.size();
	most = experiment == "pairs" ? 1024 : experiment == "next" ? p.device.multiProcessorCount * draw.partitions : most;
	for (int c = 0; c < most && p.time_left(); c++) {
		p.progress("configurations");
		if (holes) {
			run_holes(p, experiment, c, draw);
			continue;
		}
		Kernels kernels = experiment == "pairs" ? pair(c) : experiment == "next" ? next(c) : experiment == "rests" ? ::rest(draw, c) : times ? timed(draw, experiment) : held(draw, experiment);
		if (!kernels.empty())
			run(p, experiment.c_str(), c, !times, kernels, variants);
	}
	return p.finish();
}
