// What a memset, or a copy inside the device, needs of an SM where it runs as a kernel: nobody says what blocks it has.
//
// usage: memsets [--seconds S] > memsets.csv       row: what,bytes,limit,free,tries,began
// Blocks hold every SM and leave `free` of one resource, the `limit`, on each: threads, registers, or B of shared memory. `began`: how often
// the memset was complete before they left. The least `free` at which it always was is what its blocks have at most.
#include "catalogue.h"

enum { HELD = 1500000, REGISTERS = 40 };

// 128 threads of at least REGISTERS registers each.
static __global__ void __launch_bounds__(128) hold_registers(u64 ns, float *sink)
{
	float live[REGISTERS];
	u64 begin = timer();
#pragma unroll
	for (int i = 0; i < REGISTERS; i++)
		live[i] = (float)(threadIdx.x * i);
	do
#pragma unroll
		for (int i = 0; i < REGISTERS; i++)
			live[i] = live[i] * live[(i + 1) % REGISTERS] + live[(i + 7) % REGISTERS];
	while (timer() - begin < ns);
	float sum = 0;
#pragma unroll
	for (int i = 0; i < REGISTERS; i++)
		sum += live[i];
	if (sum == 1.25f)
		*sink = sum;
}

static __global__ void hold(u64 ns)
{
	u64 begin = timer();
	while (timer() - begin < ns)
		;
}

static struct {
	char *a, *b;
	cudaStream_t holding, doing;
	cudaEvent_t held, done;
	int registers;
} m;

struct Case {
	const char *what;
	size_t bytes;
	const char *limit;
	int free; // asked for; what is really free is not less
};

// Leaves so much free on each SM; what is free then, or -1 if it cannot be left.
static int hold_all_but(const Probe &p, const Case &c)
{
	int sms = p.device.multiProcessorCount;
	if (strcmp(c.limit, "threads") == 0) {
		int held = p.device.maxThreadsPerMultiProcessor - c.free, blocks = (held + 1023) / 1024;
		if (held / blocks % 64 != 0) // so many warps that as many are free in each sub-partition
			return -1;
		hold<<<blocks * sms, held / blocks, 0, m.holding>>>(HELD);
		return c.free;
	}
	if (strcmp(c.limit, "registers") == 0) {
		int each = (m.registers + 7) / 8 * 8 * 128, blocks = (p.device.regsPerMultiprocessor - c.free) / each;
		if (128 * blocks > p.device.maxThreadsPerMultiProcessor - 512)
			return -1;
		hold_registers<<<blocks * sms, 128, 0, m.holding>>>(HELD, nullptr);
		return p.device.regsPerMultiprocessor - blocks * each;
	}
	size_t optin = p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock;
	hold<<<sms, 128, optin - (size_t)c.free, m.holding>>>(HELD);
	return c.free;
}

static int try_once(const Probe &p, const Case &c, int &free)
{
	float ms;
	free = hold_all_but(p, c);
	if (free < 0)
		return -1;
	CHECK(cudaGetLastError());
	CHECK(cudaEventRecord(m.held, m.holding));
	wait_us(150);
	if (strncmp(c.what, "memset", 6) == 0)
		CHECK(cudaMemsetAsync(m.a + (strcmp(c.what, "memset-odd") == 0), 1, c.bytes, m.doing));
	else
		CHECK(cudaMemcpyAsync(m.b, m.a, c.bytes, cudaMemcpyDeviceToDevice, m.doing));
	CHECK(cudaEventRecord(m.done, m.doing));
	CHECK(cudaDeviceSynchronize());
	CHECK(cudaEventElapsedTime(&ms, m.done, m.held));
	return ms > 0.1f;
}

int main(int count, char **arguments)
{
	enum { TRIES = 3 };
	static const size_t sizes[] = {256, 1 << 12, 1 << 16, 1 << 20, 1 << 23};
	Probe p = probe_begin("memsets", "what,bytes,limit,free,tries,began", count, arguments);
	cudaFuncAttributes attributes;
	std::vector<Case> cases;
	CHECK(cudaMalloc(&m.a, (1 << 23) + 256));
	CHECK(cudaMalloc(&m.b, (1 << 23) + 256));
	CHECK(cudaStreamCreateWithFlags(&m.holding, cudaStreamNonBlocking));
	CHECK(cudaStreamCreateWithFlags(&m.doing, cudaStreamNonBlocking));
	CHECK(cudaEventCreate(&m.held));
	CHECK(cudaEventCreate(&m.done));
	CHECK(cudaFuncGetAttributes(&attributes, (const void *)hold_registers));
	m.registers = attributes.numRegs;
	int optin = (int)(p.device.sharedMemPerBlockOptin ? p.device.sharedMemPerBlockOptin : p.device.sharedMemPerBlock);
	CHECK(cudaFuncSetAttribute((const void *)hold, cudaFuncAttributeMaxDynamicSharedMemorySize, optin));
	CHECK(cudaFuncSetAttribute((const void *)hold, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
	for (const char *what : {"memset", "memset-odd", "d2d"})
		for (size_t bytes : sizes) {
			for (int threads : {128, 256, 384, 512, 768, 1024})
				cases.push_back({what, bytes, "threads", threads});
			for (int registers : {2048, 8192, 16384, 32768, 49152})
				cases.push_back({what, bytes, "registers", registers});
			for (int shared : {0, 1024, 16384, 65536})
				cases.push_back({what, bytes, "shared", shared});
		}
	for (int repetition = -1; repetition < 0 || p.time_left(); repetition++) // one to warm up
		for (const Case &c : cases) {
			int free = 0, began = 0, tried = 0;
			for (int i = 0; i < TRIES && (repetition < 0 ? i < 1 : p.time_left()); i++) {
				int outcome = try_once(p, c, free);
				tried += outcome >= 0;
				began += outcome > 0;
			}
			if (repetition >= 0 && tried > 0)
				p.row("%s,%zu,%s,%d,%d,%d\n", c.what, c.bytes, c.limit, free, tried, began);
			p.progress("what memsets need");
		}
	return p.finish();
}
