/* Puts an unmodified program into some of the GPU's SMs, and stresses it from the rest:
 *
 *   LD_PRELOAD=/path/to/libgpubound-stress.so GPUBOUND_SMS=56 GPUBOUND_STRESS=read ./program
 *
 * A program that says nothing of contexts works in the device's primary context, which has all SMs and whose kernels head every queue. The
 * CUDA runtime takes the context that is current, and the primary one only where there is none. So before the program begins this library
 * makes a green context of so many SMs current on its first thread: what that thread does by the runtime is in that partition. Aggressors
 * run in green contexts of the SMs that are left, on threads of the library. GPUBOUND_STRESS: none (default), l2, read, write, h2d, d2h,
 * both, all. GPUBOUND_STRESS_LOG: a file to which is appended what was done (default: standard error).
 *
 * cudaSetDevice makes the primary context current, and so does the first call on another thread: a program that does either is not in the
 * partition. Giving the green context to who asks the driver for the primary one (cuDevicePrimaryCtxRetain) did not help on an H100. A
 * recording (gpubound-recording(5)) says in which context its kernels were, and scripts/stress_factors.py refuses one in which they were
 * not in the partition. Source: CUDA Driver API, "Green Contexts": cuCtxFromGreenCtx makes one a context that can be made current. */
#define _GNU_SOURCE
#include "stress.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GROUPS_MOST = 128, PLACES_MOST = 2 };

static int program_sms, place_count;
static struct stress_place places[PLACES_MOST];

/* ---- the driver's functions, so that nothing needs to be linked with it */

static void *driver(const char *name)
{
	static void *library;
	if (library == NULL)
		library = dlopen("libcuda.so.1", RTLD_NOW);
	void *function = library == NULL ? NULL : dlsym(library, name);
	if (function == NULL) {
		fprintf(stderr, "libgpubound-stress: this driver has no %s\n", name);
		exit(1);
	}
	return function;
}

#define DRIVER(name, ...)                                                                                                                  \
	do {                                                                                                                               \
		CUresult status_ = ((__typeof__(&name))driver(#name))(__VA_ARGS__);                                                        \
		if (status_ != CUDA_SUCCESS) {                                                                                             \
			fprintf(stderr, "libgpubound-stress: %s: error %d\n", #name, (int)status_);                                        \
			exit(1);                                                                                                           \
		}                                                                                                                          \
	} while (0)

/* ---- partitions */

static CUcontext context_of(CUdevice device, CUdevResource *resources, int count, int *sms)
{
	CUdevResourceDesc description;
	CUgreenCtx green;
	CUcontext context;
	*sms = 0;
	for (int i = 0; i < count; i++)
		*sms += (int)resources[i].sm.smCount;
	DRIVER(cuDevResourceGenerateDesc, &description, resources, (unsigned)count);
	DRIVER(cuGreenCtxCreate, &green, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
	DRIVER(cuCtxFromGreenCtx, &context, green);
	return context;
}

static void say(void)
{
	const char *path = getenv("GPUBOUND_STRESS_LOG");
	FILE *log = path == NULL ? stderr : fopen(path, "a");
	if (log == NULL)
		log = stderr;
	const char *kind = getenv("GPUBOUND_STRESS");
	fprintf(log, "program_sms=%d stress=%s\n", program_sms, kind == NULL ? "none" : kind);
	stress_end(log);
	if (log != stderr)
		fclose(log);
}

/* The first groups of the smallest split are the program's, as many as make GPUBOUND_SMS; the aggressors have the others, and what no group
 * has. */
static CUcontext part(CUdevice device)
{
	const char *wanted = getenv("GPUBOUND_SMS");
	CUdevResource all, rest, groups[GROUPS_MOST];
	unsigned count = GROUPS_MOST;
	int own = 0, sms = 0;
	DRIVER(cuDeviceGetDevResource, device, &all, CU_DEV_RESOURCE_TYPE_SM);
	DRIVER(cuDevSmResourceSplitByCount, groups, &count, &all, &rest, 0, 1);
	for (; own < (int)count && sms < (wanted == NULL ? 0 : atoi(wanted)); own++)
		sms += (int)groups[own].sm.smCount;
	if (own == 0 || sms != atoi(wanted)) {
		fprintf(stderr, "libgpubound-stress: expected GPUBOUND_SMS, a multiple of %u below %u; got %s\n", groups[0].sm.smCount,
			all.sm.smCount, wanted == NULL ? "none" : wanted);
		exit(1);
	}
	CUcontext context = context_of(device, groups, own, &program_sms);
	if (own < (int)count) {
		places[place_count].context = context_of(device, groups + own, (int)count - own, &places[place_count].sms);
		place_count++;
	}
	if (rest.sm.smCount > 0) {
		places[place_count].context = context_of(device, &rest, 1, &places[place_count].sms);
		place_count++;
	}
	return context;
}

static void begin(void)
{
	const char *kind = getenv("GPUBOUND_STRESS");
	atexit(say);
	if (kind == NULL || strcmp(kind, "none") == 0)
		return;
	if (stress_begin(kind, places, place_count, (stress_enter)driver("cuCtxSetCurrent")) != 0) {
		fprintf(stderr, "libgpubound-stress: expected GPUBOUND_STRESS none, l2, read, write, h2d, d2h, both or all; got %s\n",
			kind);
		exit(1);
	}
}

/* ---- before the program */

__attribute__((constructor)) static void enter(void)
{
	CUdevice device;
	CUcontext primary;
	DRIVER(cuInit, 0);
	DRIVER(cuDeviceGet, &device, 0);
	DRIVER(cuDevicePrimaryCtxRetain, &primary, device);
	CUcontext context = part(device);
	begin();
	DRIVER(cuCtxSetCurrent, context);
}
