/* Records what a program does with the GPU, without a change to the program:
 *
 *   CUDA_INJECTION64_PATH=/path/to/libgpubound-recorder.so GPUBOUND_RECORDING=run.rec ./program
 *
 * CUDA loads the library before its first context and calls InitializeInjection. From then on CUPTI's activity records become lines of
 * run.rec (gpubound-recording(5)), which gpubound import recorder reads. "%p" in the file's name is the process; without
 * GPUBOUND_RECORDING it is gpubound-%p.rec. GPUBOUND_RECORDER_BUFFER is the size of CUPTI's buffers in MiB (8), GPUBOUND_RECORDER_LIMIT how
 * many MiB all of them may have at once (no limit): beyond it records are lost, as they are where memory is short.
 *
 * Source: CUDA Toolkit, cupti.h and cupti_activity.h. Graphs are recorded node by node, which costs time at each launch: measure the
 * overhead by a run without the library. What CUPTI dropped, what it cannot say and what could not be written is counted and written, and
 * the import refuses a recording that lost anything. */
#define _GNU_SOURCE
#include "record_writer.h"

#include <cupti.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ALIGNMENT 8
#define FUNCTIONS 4096 /* numbers of functions, of the runtime and of the driver */

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
#define IS_DEVICE_LAUNCHED(kernel) ((kernel)->isDeviceLaunched != 0)
#else /* of CUDA 12; each later record begins as the one before it */
typedef CUpti_ActivityKernel9 kernel_record;
#define IS_DEVICE_LAUNCHED(kernel) false
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct record_writer *writer; /* NULL: not yet, or no longer */
static char path[4096];
static size_t buffer_bytes = 8u << 20, limit_bytes = SIZE_MAX;
static atomic_size_t given_bytes; /* of buffers that CUPTI has */

/* ---- which calls matter: launches, copies, memsets, waits, captures, host functions */

enum wanted { NOT_ASKED, WANTED, NOT_WANTED };
static struct {
	enum wanted wanted;
	const char *name;
} functions[2][FUNCTIONS];

static bool is_wanted(const char *name)
{
	static const char *const words[] = {"Launch", "Memcpy", "Memset", "Synchronize", "Capture", "StreamAddCallback"};
	if (strstr(name, "IsCapturing") != NULL || strstr(name, "GetCaptureInfo") != NULL || strstr(name, "GraphAdd") != NULL)
		return false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (strstr(name, words[i]) != NULL)
			return true;
	return false;
}

/* NULL: its calls are left out. */
static const char *function_name(CUpti_CallbackDomain domain, CUpti_CallbackId number)
{
	int which = domain == CUPTI_CB_DOMAIN_DRIVER_API;
	const char *name = NULL;
	if (number >= FUNCTIONS)
		return NULL;
	if (functions[which][number].wanted == NOT_ASKED) {
		bool known = cuptiGetCallbackName(domain, number, &name) == CUPTI_SUCCESS && name != NULL;
		functions[which][number].name = known ? name : "";
		functions[which][number].wanted = known && is_wanted(name) ? WANTED : NOT_WANTED;
	}
	return functions[which][number].wanted == WANTED ? functions[which][number].name : NULL;
}

static void write_call(const CUpti_ActivityAPI *call)
{
	const char *name = function_name(
		call->kind == CUPTI_ACTIVITY_KIND_DRIVER ? CUPTI_CB_DOMAIN_DRIVER_API : CUPTI_CB_DOMAIN_RUNTIME_API, call->cbid);
	if (name != NULL)
		record_call(writer, &(struct record_call){.start = call->start,
					    .end = call->end,
					    .process = call->processId,
					    .thread = call->threadId,
					    .correlation = call->correlationId,
					    .function = name,
					    .result = call->returnValue});
}

/* ---- work */

static void write_kernel(const kernel_record *kernel)
{
	bool cooperative = kernel->launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_SINGLE_DEVICE ||
			   kernel->launchType == CUPTI_ACTIVITY_LAUNCH_TYPE_COOPERATIVE_MULTI_DEVICE;
	record_kernel(
		writer, &(struct record_kernel){.place = {kernel->start, kernel->end, kernel->deviceId, kernel->contextId, kernel->streamId,
							kernel->correlationId, kernel->graphId, kernel->graphNodeId},
				.name = kernel->name,
				.grid = {kernel->gridX, kernel->gridY, kernel->gridZ},
				.block = {kernel->blockX, kernel->blockY, kernel->blockZ},
				.cluster = {kernel->clusterX, kernel->clusterY, kernel->clusterZ},
				.registers = kernel->registersPerThread,
				.shared_static = (uint64_t)kernel->staticSharedMemory,
				.shared_dynamic = (uint64_t)kernel->dynamicSharedMemory,
				.launch = cooperative                  ? "cooperative"
					  : IS_DEVICE_LAUNCHED(kernel) ? "device"
								       : "regular"});
}

static const char *memory_name(uint8_t kind)
{
	switch (kind) {
	case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE: return "pageable";
	case CUPTI_ACTIVITY_MEMORY_KIND_PINNED: return "pinned";
	case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
	case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC:
	case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY: return "device";
	case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
	case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC: return "managed";
	default: return NULL;
	}
}

static const char *copy_name(uint8_t kind)
{
	switch (kind) {
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA: return "h2d";
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH: return "d2h";
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
	case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
	case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD: return "d2d";
	case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH: return "h2h";
	case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP: return "peer";
	default: return "unknown";
	}
}

static void write_copy(const CUpti_ActivityMemcpy5 *copy)
{
	record_transfer(writer, &(struct record_transfer){.place = {copy->start, copy->end, copy->deviceId, copy->contextId, copy->streamId,
								  copy->correlationId, copy->graphId, copy->graphNodeId},
					.kind = copy_name(copy->copyKind),
					.source = memory_name(copy->srcKind),
					.target = memory_name(copy->dstKind),
					.bytes = copy->bytes});
}

static void write_peer(const CUpti_ActivityMemcpyPtoP3 *copy)
{
	record_transfer(writer, &(struct record_transfer){.place = {copy->start, copy->end, copy->deviceId, copy->contextId, copy->streamId,
								  copy->correlationId, 0, copy->graphNodeId},
					.kind = "peer",
					.source = memory_name(copy->srcKind),
					.target = memory_name(copy->dstKind),
					.bytes = copy->bytes});
}

static void write_memset(const CUpti_ActivityMemset4 *set)
{
	record_transfer(writer, &(struct record_transfer){.place = {set->start, set->end, set->deviceId, set->contextId, set->streamId,
								  set->correlationId, set->graphId, set->graphNodeId},
					.kind = "memset",
					.target = memory_name((uint8_t)set->memoryKind),
					.bytes = set->bytes});
}

static void write_graph(const CUpti_ActivityGraphTrace *graph)
{
	record_graph(writer, &(struct record_place){graph->start, graph->end, graph->deviceId, graph->contextId, graph->streamId,
				     graph->correlationId, graph->graphId, 0});
}

/* ---- what runs where */

static void write_device(const CUpti_ActivityDevice4 *device)
{
	record_device(writer, &(struct record_device){.id = device->id,
				      .major = device->computeCapabilityMajor,
				      .minor = device->computeCapabilityMinor,
				      .sms = device->numMultiprocessors,
				      .warps = device->maxWarpsPerMultiprocessor,
				      .registers = device->maxRegistersPerMultiprocessor,
				      .shared = device->maxSharedMemoryPerMultiprocessor,
				      .block_threads = device->maxThreadsPerBlock,
				      .block_registers = device->maxRegistersPerBlock,
				      .block_shared = device->maxSharedMemoryPerBlock,
				      .name = device->name});
}

static void write_context(const CUpti_ActivityContext2 *context)
{
	record_context(writer, &(struct record_context){.id = context->contextId,
				       .device = context->deviceId,
				       .null_stream = context->nullStreamId,
				       .green = context->isGreenContext != 0,
				       .sms = context->numMultiprocessors,
				       .parent = context->parentContextId});
}

static void write_stream(const CUpti_ActivityStream *stream)
{
	const char *kind = stream->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING ? "non-blocking"
			   : stream->flag == CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NULL       ? "null"
											  : "blocking";
	record_stream(
		writer, &(struct record_stream){
				.context = stream->contextId, .id = stream->streamId, .priority = (int32_t)stream->priority, .kind = kind});
}

static void write_record(const CUpti_Activity *record)
{
	const void *whole = record;
	switch (record->kind) {
	case CUPTI_ACTIVITY_KIND_KERNEL:
	case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: write_kernel(whole); break;
	case CUPTI_ACTIVITY_KIND_MEMCPY: write_copy(whole); break;
	case CUPTI_ACTIVITY_KIND_MEMCPY2: write_peer(whole); break;
	case CUPTI_ACTIVITY_KIND_MEMSET: write_memset(whole); break;
	case CUPTI_ACTIVITY_KIND_GRAPH_TRACE: write_graph(whole); break;
	case CUPTI_ACTIVITY_KIND_RUNTIME:
	case CUPTI_ACTIVITY_KIND_DRIVER: write_call(whole); break;
	case CUPTI_ACTIVITY_KIND_DEVICE: write_device(whole); break;
	case CUPTI_ACTIVITY_KIND_CONTEXT: write_context(whole); break;
	case CUPTI_ACTIVITY_KIND_STREAM: write_stream(whole); break;
	default: break; /* nothing else was asked for; a synchronisation is the call that waits */
	}
}

/* ---- CUPTI's buffers */

static void CUPTIAPI on_buffer_wanted(uint8_t **buffer, size_t *size, size_t *records)
{
	void *memory = NULL;
	*size = buffer_bytes;
	*records = 0;
	/* CUPTI drops what it has no buffer for, and counts it */
	if (atomic_fetch_add(&given_bytes, buffer_bytes) > limit_bytes - buffer_bytes ||
		posix_memalign(&memory, ALIGNMENT, buffer_bytes) != 0) {
		atomic_fetch_sub(&given_bytes, buffer_bytes);
		memory = NULL;
		*size = 0;
	}
	*buffer = memory;
}

static void write_buffer(uint8_t *buffer, size_t valid)
{
	CUpti_Activity *record = NULL;
	CUptiResult status;
	while (valid > 0 && (status = cuptiActivityGetNextRecord(buffer, valid, &record)) != CUPTI_ERROR_MAX_LIMIT_REACHED) {
		if (status != CUPTI_SUCCESS) {
			record_lost(writer, 1, "unreadable-buffer"); /* one at least: the rest of it */
			return;
		}
		write_record(record);
	}
}

static void CUPTIAPI on_buffer_full(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	size_t dropped = 0;
	(void)size;
	pthread_mutex_lock(&lock);
	if (writer != NULL) {
		write_buffer(buffer, valid);
		if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) != CUPTI_SUCCESS)
			dropped = 0;
		record_lost(writer, dropped, "dropped-by-cupti");
	}
	pthread_mutex_unlock(&lock);
	free(buffer);
	atomic_fetch_sub(&given_bytes, buffer_bytes);
}

/* ---- the program's begin and end */

static void finish(void)
{
	cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
	pthread_mutex_lock(&lock);
	uint64_t lost = writer == NULL ? 0 : record_writer_close(writer);
	writer = NULL;
	pthread_mutex_unlock(&lock);
	if (lost > 0)
		fprintf(stderr, "gpubound-recorder: %llu records at least were lost: %s is no whole recording\n", (unsigned long long)lost,
			path);
}

static void name_file(void)
{
	const char *pattern = getenv("GPUBOUND_RECORDING");
	pattern = pattern != NULL && *pattern != '\0' ? pattern : "gpubound-%p.rec";
	const char *process = strstr(pattern, "%p");
	if (process == NULL)
		snprintf(path, sizeof path, "%s", pattern);
	else
		snprintf(path, sizeof path, "%.*s%ld%s", (int)(process - pattern), pattern, (long)getpid(), process + 2);
}

static size_t megabytes_of(const char *variable, long greatest, size_t otherwise)
{
	const char *text = getenv(variable);
	long megabytes = text == NULL ? 0 : strtol(text, NULL, 10);
	return megabytes >= 1 && megabytes <= greatest ? (size_t)megabytes << 20 : otherwise;
}

static void size_buffers(void)
{
	buffer_bytes = megabytes_of("GPUBOUND_RECORDER_BUFFER", 1024, buffer_bytes);
	limit_bytes = megabytes_of("GPUBOUND_RECORDER_LIMIT", 1 << 20, limit_bytes);
	limit_bytes = limit_bytes < buffer_bytes ? buffer_bytes : limit_bytes;
}

static bool enable(CUpti_ActivityKind kind, const char *what)
{
	CUptiResult status = cuptiActivityEnable(kind);
	const char *text = "unknown error";
	if (status == CUPTI_SUCCESS)
		return true;
	cuptiGetResultString(status, &text);
	fprintf(stderr, "gpubound-recorder: CUPTI does not record %s: %s\n", what, text);
	return false;
}

static bool start(void)
{
	static const struct {
		CUpti_ActivityKind kind;
		const char *what;
	} kinds[] = {
		{CUPTI_ACTIVITY_KIND_DEVICE, "devices"},
		{CUPTI_ACTIVITY_KIND_CONTEXT, "contexts"},
		{CUPTI_ACTIVITY_KIND_STREAM, "streams"},
		{CUPTI_ACTIVITY_KIND_RUNTIME, "calls of the runtime"},
		{CUPTI_ACTIVITY_KIND_DRIVER, "calls of the driver"},
		{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels"},
		{CUPTI_ACTIVITY_KIND_MEMCPY, "copies"},
		{CUPTI_ACTIVITY_KIND_MEMCPY2, "copies between GPUs"},
		{CUPTI_ACTIVITY_KIND_MEMSET, "memsets"},
	};
	if (cuptiActivityRegisterCallbacks(on_buffer_wanted, on_buffer_full) != CUPTI_SUCCESS) {
		fprintf(stderr, "gpubound-recorder: CUPTI refuses: is another profiler there?\n");
		return false;
	}
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (!enable(kinds[i].kind, kinds[i].what))
			record_lost(writer, 1, "not-enabled"); /* so that nobody takes the recording for a whole one */
	return true;
}

/* CUDA calls it, once. 1: go on. */
__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
	if (writer != NULL)
		return 1;
	name_file();
	size_buffers();
	writer = record_writer_open(path);
	if (writer == NULL) {
		fprintf(stderr, "gpubound-recorder: %s: %s; nothing is recorded\n", path, strerror(errno));
		return 1;
	}
	if (start())
		atexit(finish);
	else
		record_lost(writer, 1, "not-started");
	return 1;
}
