/* Puts an unmodified program into some of the GPU's SMs, and stresses it from the rest:
 *
 *   LD_PRELOAD=/path/to/libgpubound-stress.so GPUBOUND_SMS=56 GPUBOUND_STRESS=read ./program
 *
 * A program that says nothing of contexts works in the device's primary context, which has all SMs and whose kernels head every queue. Its
 * CUDA runtime asks the driver for that context by cuDevicePrimaryCtxRetain, which it finds by cuGetProcAddress, which it finds by dlsym.
 * This library stands in for these three, and gives it a green context of so many SMs in place of the primary one, before its first use.
 * All that the program does by the runtime is then in that partition. Aggressors run in green contexts of the SMs that are left, on threads
 * of the library. With GPUBOUND_VEHICLE=current the partition is only made current on the first thread, which serves a program of one
 * thread that names no device (cudaSetDevice goes to the primary context). GPUBOUND_STRESS: none (default), l2, read, write, h2d, d2h,
 * both, all. GPUBOUND_STRESS_LOG: a file to which is appended what was done (default: standard error).
 *
 * A program that makes contexts of its own (cuCtxCreate) is not in the partition; the log says how often the primary one was asked for.
 * Source: CUDA Driver API, "Green Contexts": cuCtxFromGreenCtx makes one a context that can be made current. */
#define _GNU_SOURCE
#include "stress.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))
enum { GROUPS_MOST = 128, PLACES_MOST = 2 };

typedef void *dlsym_function(void *, const char *);
typedef CUresult get_function(const char *, void **, int, cuuint64_t, CUdriverProcAddressQueryResult *);
typedef CUresult get_function_of_11(const char *, void **, int, cuuint64_t);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static CUcontext given; /* to the program; NULL: it has not asked */
static int given_sms, place_count;
static struct stress_place places[PLACES_MOST];
static long asked;
static get_function *next_get;
static get_function_of_11 *next_get_of_11;
static CUresult (*next_retain)(CUcontext *, CUdevice);
static CUresult (*next_set)(CUcontext);
static CUresult (*next_push)(CUcontext);
static CUcontext primary;        /* what the driver gave */
static long set_current, pushed; /* how often the primary context was to be current */

/* ---- the functions that this library stands before */

static dlsym_function *next_dlsym(void)
{
	static dlsym_function *next;
	static const char *const versions[] = {"GLIBC_2.34", "GLIBC_2.2.5", "GLIBC_2.17"};
	for (size_t i = 0; next == NULL && i < sizeof versions / sizeof *versions; i++)
		next = (dlsym_function *)dlvsym(RTLD_NEXT, "dlsym", versions[i]);
	if (next == NULL) {
		fputs("libgpubound-stress: this C library has no dlsym that is known here\n", stderr);
		abort();
	}
	return next;
}

static void *driver(const char *name)
{
	static void *library;
	if (library == NULL)
		library = dlopen("libcuda.so.1", RTLD_NOW);
	void *function = library == NULL ? NULL : next_dlsym()(library, name);
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
	fprintf(log, "program_sms=%d asked=%ld set=%ld pushed=%ld stress=%s\n", given_sms, asked, set_current, pushed,
		getenv("GPUBOUND_STRESS") == NULL ? "none" : getenv("GPUBOUND_STRESS"));
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
	CUcontext context = context_of(device, groups, own, &given_sms);
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

/* ---- what the program gets */

static bool is_current(void);

static CUresult retain(CUcontext *context, CUdevice device)
{
	CUresult status = next_retain(context, device);
	if (status != CUDA_SUCCESS || device != 0)
		return status;
	pthread_mutex_lock(&lock);
	primary = *context;
	bool first = asked++ == 0;
	if (first)
		given = part(device);
	*context = given;
	pthread_mutex_unlock(&lock);
	if (first)
		begin(); /* their threads may ask, too */
	return status;
}

/* Where the primary context is made current, however the program came by it, the partition is. */
static CUresult set(CUcontext context)
{
	bool is_primary = primary != NULL && context == primary;
	set_current += is_primary;
	return next_set(is_primary ? given : context);
}

static CUresult push(CUcontext context)
{
	bool is_primary = primary != NULL && context == primary;
	pushed += is_primary;
	return next_push(is_primary ? given : context);
}

static CUresult get(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *found);
static CUresult get_of_11(const char *symbol, void **function, int version, cuuint64_t flags);

/* In place of what was found; version: of CUDA, in which a function is asked for, 0 where dlsym finds it by its own name. */
static void *stand_in(const char *name, void *found, int version)
{
	if (found == NULL)
		return NULL;
	if (strcmp(name, "cuDevicePrimaryCtxRetain") == 0) {
		next_retain = (CUresult(*)(CUcontext *, CUdevice))found;
		return (void *)retain;
	}
	if (strcmp(name, "cuCtxSetCurrent") == 0) {
		next_set = (CUresult(*)(CUcontext))found;
		return (void *)set;
	}
	if (strcmp(name, "cuCtxPushCurrent") == 0) {
		next_push = (CUresult(*)(CUcontext))found;
		return (void *)push;
	}
	bool plain = strcmp(name, "cuGetProcAddress") == 0;
	if (strcmp(name, "cuGetProcAddress_v2") == 0 || (plain && version >= 12000)) {
		next_get = (get_function *)found;
		return (void *)get;
	}
	if (plain) {
		next_get_of_11 = (get_function_of_11 *)found;
		return (void *)get_of_11;
	}
	return found;
}

static CUresult get(const char *symbol, void **function, int version, cuuint64_t flags, CUdriverProcAddressQueryResult *found)
{
	CUresult status = next_get(symbol, function, version, flags, found);
	if (status == CUDA_SUCCESS && function != NULL)
		*function = stand_in(symbol, *function, version);
	return status;
}

static CUresult get_of_11(const char *symbol, void **function, int version, cuuint64_t flags)
{
	CUresult status = next_get_of_11(symbol, function, version, flags);
	if (status == CUDA_SUCCESS && function != NULL)
		*function = stand_in(symbol, *function, version);
	return status;
}

/* Of other names the C library's, by a jump: what RTLD_NEXT means it finds by who called. */
EXPORTED void *dlsym(void *handle, const char *name)
{
	if (strncmp(name, "cu", 2) != 0 || (strcmp(name, "cuDevicePrimaryCtxRetain") != 0 && strncmp(name, "cuGetProcAddress", 16) != 0))
		return next_dlsym()(handle, name);
	return stand_in(name, next_dlsym()(handle, name), 0);
}

/* For who is linked with the driver. */
EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device)
{
	if (next_retain == NULL)
		next_retain = (CUresult(*)(CUcontext *, CUdevice))driver("cuDevicePrimaryCtxRetain");
	return retain(context, device);
}

/* The other way: the partition is current on the first thread before the program begins, too. */
static bool is_current(void)
{
	const char *way = getenv("GPUBOUND_VEHICLE");
	return way != NULL && strcmp(way, "current") == 0;
}

__attribute__((constructor)) static void enter(void)
{
	if (!is_current())
		return;
	CUcontext context;
	DRIVER(cuInit, 0);
	if (cuDevicePrimaryCtxRetain(&context, 0) == CUDA_SUCCESS) /* and so begins */
		DRIVER(cuCtxSetCurrent, context);
}
