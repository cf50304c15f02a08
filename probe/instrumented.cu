// The longest blocks of kernels that probe/instrumented.py prepared, whatever they compute.
//
// usage: instrumented FOLDER FILE.csv [FIRST [RUN]]
// build: nvcc -arch=sm_90 -O2 -std=c++17 -o instrumented probe/instrumented.cu -lcuda
// FOLDER has kernels.txt and the cubins, and may have skip.txt, numbers of kernels and runs that are left out. FILE.csv is added to. Before each run standard error gets the kernel's number and the run's. Exit status 3: this one ended the context
// (a fault, or no end in time), and the next call begins behind it (scripts/measure-instrumented.sh). 0: all are done.
// A line: number,cubin,function,threads,ints,run,grid,resident,input,cycles,warm: the longest of all blocks of the launches, from the first reading of
// the clock by a warp of the block to the last one; `resident` blocks were on an SM; `warm`: the longest of the launches but the first after a filling.
//
// Pointers lead into one allocation, 32 MiB apart, which is filled before each input: zeros, small numbers, floats below one, words without order,
// descending numbers, numbers that differ between neighbours. Ints and words of 64 bits have the number `ints`, floats 0.5. The first launch after
// each filling finds little of it in the caches, the others find what they left.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

typedef unsigned long long u64;

#define REGION (1ull << 30)
#define FIRST_POINTER (256ull << 20)
#define APART (32ull << 20)
#define INPUTS 6
#define LAUNCHES 4
#define SLOTS (4194304 / 16)
#define PATIENCE_MS 60

struct Kernel {
	std::string cubin, function, arguments;
	unsigned x, y, z, dynamic;
};

struct Run {
	unsigned ints;
	bool full;
};
static const Run runs[] = {{64, false}, {64, true}, {1000, false}, {1000, true}};

static __global__ void fill(unsigned *words, size_t count, int input)
{
	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count; i += (size_t)gridDim.x * blockDim.x) {
		unsigned hash = (unsigned)i * 2654435761u ^ (unsigned)(i >> 7);
		hash ^= hash >> 15;
		hash *= 2246822519u;
		hash ^= hash >> 13;
		unsigned small = hash % 64, word = 0;
		switch (input) {
		case 1: word = small; break;
		case 2: word = __float_as_uint((hash >> 8) * (1.0f / 16777216)); break;
		case 3: word = hash; break;
		case 4: word = 65535 - (unsigned)(i % 65536); break;
		case 5: word = i % 2 == 0 ? 0 : 63; break;
		}
		words[i] = word;
	}
}

static int number, run_number;
static FILE *output; // not standard output: kernels may print

static void give_up(const char *why)
{
	fflush(output);
	fprintf(stderr, "%s: %d %d\n", why, number, run_number);
	_exit(3);
}

static bool ok(CUresult result)
{
	return result == CUDA_SUCCESS;
}

static std::vector<Kernel> read_list(const char *folder)
{
	std::vector<Kernel> kernels;
	std::ifstream file(std::string(folder) + "/kernels.txt");
	for (std::string line; std::getline(file, line);) {
		Kernel kernel;
		std::istringstream words(line);
		if (words >> kernel.cubin >> kernel.function >> kernel.x >> kernel.y >> kernel.z >> kernel.dynamic >> kernel.arguments)
			kernels.push_back(kernel);
	}
	return kernels;
}

/* The arguments' words, and where each is. */
static void fill_arguments(const Kernel &kernel, CUdeviceptr region, unsigned ints, std::vector<u64> *words, std::vector<void *> *places)
{
	words->clear();
	std::istringstream list(kernel.arguments);
	int pointers = 0;
	for (std::string word; std::getline(list, word, ',') && word != "-";) {
		float half = 0.5f;
		double whole = 0.5;
		u64 value = 0;
		switch (word[0]) {
		case 'p': value = region + FIRST_POINTER + (u64)(pointers++ % 20) * APART; break;
		case 'f': memcpy(&value, &half, sizeof half); break;
		case 'd': memcpy(&value, &whole, sizeof whole); break;
		default: value = ints;
		}
		words->push_back(value);
	}
	places->clear();
	for (u64 &word : *words)
		places->push_back(&word);
}

static void wait_for_end(CUstream stream)
{
	auto begin = std::chrono::steady_clock::now();
	for (;;) {
		CUresult result = cuStreamQuery(stream);
		if (result == CUDA_SUCCESS)
			return;
		if (result != CUDA_ERROR_NOT_READY)
			give_up("fault");
		if (std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(PATIENCE_MS))
			give_up("no end");
	}
}

static u64 longest_block(const std::vector<u64> &times, size_t blocks, unsigned warps)
{
	u64 longest = 0;
	for (size_t b = 0; b < blocks; b++) {
		u64 begin = ~0ull, end = 0;
		for (unsigned w = 0; w < warps; w++) {
			u64 from = times[(b * warps + w) * 2], to = times[(b * warps + w) * 2 + 1];
			begin = to > 0 && from < begin ? from : begin;
			end = to > end ? to : end;
		}
		longest = end > begin && end - begin > longest ? end - begin : longest;
	}
	return longest;
}

struct Loaded {
	CUfunction function;
	CUdeviceptr times;
	int resident;
};

static bool load(const Kernel &kernel, CUmodule module, Loaded *loaded)
{
	size_t bytes;
	if (!ok(cuModuleGetFunction(&loaded->function, module, kernel.function.c_str())) ||
		!ok(cuModuleGetGlobal(&loaded->times, &bytes, module, "instrumented_times")))
		return false;
	int threads = (int)(kernel.x * kernel.y * kernel.z);
	cuFuncSetAttribute(loaded->function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, (int)kernel.dynamic);
	return ok(cuOccupancyMaxActiveBlocksPerMultiprocessor(&loaded->resident, loaded->function, threads, kernel.dynamic)) && loaded->resident > 0;
}

static void measure(const Kernel &kernel, const Loaded &loaded, CUdeviceptr region, int sms, CUstream stream)
{
	const Run &run = runs[run_number];
	unsigned threads = kernel.x * kernel.y * kernel.z, warps = (threads + 31) / 32;
	unsigned grid = run.full ? (unsigned)(loaded.resident * sms) : 1;
	if (grid * (size_t)warps > SLOTS)
		return;
	std::vector<u64> words, times(grid * (size_t)warps * 2);
	std::vector<void *> places;
	u64 longest = 0, warm = 0;
	int worst = 0;
	fill_arguments(kernel, region, run.ints, &words, &places);
	fprintf(stderr, "%d %d\n", number, run_number);
	for (int input = 0; input < INPUTS; input++) {
		fill<<<sms * 8, 256, 0, stream>>>((unsigned *)region, REGION / 4, input);
		for (int launch = input == 0 ? -1 : 0; launch < LAUNCHES; launch++) { // the first of all brings the code into the caches
			cuMemsetD8Async(loaded.times, 0, times.size() * sizeof(u64), stream);
			if (!ok(cuLaunchKernel(loaded.function, grid, 1, 1, kernel.x, kernel.y, kernel.z, kernel.dynamic, stream, places.data(), NULL)))
				give_up("not launched");
			wait_for_end(stream);
			if (!ok(cuMemcpyDtoH(times.data(), loaded.times, times.size() * sizeof(u64))))
				give_up("fault");
			u64 cycles = longest_block(times, grid, warps);
			warm = launch > 0 && cycles > warm ? cycles : warm;
			if (launch < 0 || cycles <= longest)
				continue;
			worst = input;
			longest = cycles;
		}
	}
	fprintf(output, "%d,%s,%s,%ux%ux%u,%u,%s,%u,%d,%d,%llu,%llu\n", number, kernel.cubin.c_str(), kernel.function.c_str(), kernel.x, kernel.y, kernel.z, run.ints,
		run.full ? "full" : "alone", grid, run.full ? loaded.resident : 1, worst, longest, warm);
	fflush(output);
}

static bool is_skipped(const char *folder)
{
	std::ifstream file(std::string(folder) + "/skip.txt");
	for (int of, run; file >> of >> run;)
		if (of == number && run == run_number)
			return true;
	return false;
}

int main(int argc, char **argv)
{
	if (argc < 3 || (output = fopen(argv[2], "a")) == NULL)
		return fprintf(stderr, "usage: instrumented FOLDER FILE.csv [FIRST [RUN]]\n"), 2;
	std::vector<Kernel> kernels = read_list(argv[1]);
	int first = argc > 3 ? atoi(argv[3]) : 0, first_run = argc > 4 ? atoi(argv[4]) : 0, sms = 0;
	void *memory = NULL;
	if (cudaMalloc(&memory, REGION) != cudaSuccess || cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0) != cudaSuccess)
		return fprintf(stderr, "no GPU\n"), 1;
	cudaStream_t stream;
	cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
	CUmodule module = NULL;
	std::string open;
	for (number = first; number < (int)kernels.size(); number++) {
		const Kernel &kernel = kernels[number];
		Loaded loaded;
		if (kernel.cubin != open) {
			if (module != NULL)
				cuModuleUnload(module);
			module = NULL;
			open = kernel.cubin;
			if (!ok(cuModuleLoad(&module, (std::string(argv[1]) + "/" + kernel.cubin + ".cubin").c_str())))
				module = NULL;
		}
		if (module == NULL || !load(kernel, module, &loaded))
			continue;
		for (run_number = number == first ? first_run : 0; run_number < (int)(sizeof runs / sizeof *runs); run_number++)
			if (!is_skipped(argv[1]))
				measure(kernel, loaded, (CUdeviceptr)memory, sms, (CUstream)stream);
	}
	return 0;
}
