/* A CUPTI of our own in place of libcupti, and a program that the recorder records: it feeds the recorder activity records as CUPTI lays
 * them out, in several buffers, and says that some were dropped where asked to. Needs the headers of CUPTI, no GPU.
 *
 * usage: GPUBOUND_RECORDING=FILE fake_cupti [dropped N | refuse KIND | unreadable | killed | register | together]... */
#define _GNU_SOURCE
#include <cupti.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if CUPTI_API_VERSION >= 130000
typedef CUpti_ActivityKernel10 kernel_record;
#else
typedef CUpti_ActivityKernel9 kernel_record;
#endif

#define MOST_RECORDS 256

int InitializeInjection(void);

/* ---- the library */

static CUpti_BuffersCallbackRequestFunc request;
static CUpti_BuffersCallbackCompleteFunc complete;
static long dropped, refused = -1;
static int unreadable, register_fails, together, flushed;

/* What the program does, in order: records and their sizes. */
static struct {
	void *record;
	size_t size;
} records[MOST_RECORDS];
static int record_count;

CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc wanted, CUpti_BuffersCallbackCompleteFunc completed)
{
	request = wanted;
	complete = completed;
	return register_fails ? CUPTI_ERROR_UNKNOWN : CUPTI_SUCCESS;
}

CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind)
{
	return (long)kind == refused ? CUPTI_ERROR_NOT_COMPATIBLE : CUPTI_SUCCESS;
}

static size_t size_at(const uint8_t *at)
{
	for (int i = 0; i < record_count; i++)
		if (((const CUpti_Activity *)records[i].record)->kind == ((const CUpti_Activity *)(const void *)at)->kind)
			return records[i].size;
	return 0;
}

CUptiResult cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CUpti_Activity **record)
{
	uint8_t *next = *record == NULL ? buffer : (uint8_t *)*record + size_at((uint8_t *)*record);
	if (unreadable && *record != NULL)
		return CUPTI_ERROR_INVALID_KIND;
	if (next >= buffer + valid)
		return CUPTI_ERROR_MAX_LIMIT_REACHED;
	*record = (CUpti_Activity *)(void *)next;
	return CUPTI_SUCCESS;
}

CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext context, uint32_t stream, size_t *number)
{
	(void)context;
	(void)stream;
	*number = (size_t)dropped;
	dropped = 0;
	return CUPTI_SUCCESS;
}

/* Gives what is there in buffers of at most a third of it each, one after another, or all of them when all are full; what it gets no buffer
 * for it drops. */
CUptiResult cuptiActivityFlushAll(uint32_t flag)
{
	(void)flag;
	uint8_t *buffers[3];
	size_t sizes[3], used[3];
	int part = record_count / 3 + 1, count = 0;
	for (int from = 0; !flushed && from < record_count; from += part, count++) {
		size_t most;
		used[count] = 0;
		request(&buffers[count], &sizes[count], &most);
		for (int i = from; i < record_count && i < from + part; i++) {
			if (buffers[count] == NULL || used[count] + records[i].size > sizes[count]) {
				dropped++;
				continue;
			}
			memcpy(buffers[count] + used[count], records[i].record, records[i].size);
			used[count] += records[i].size;
		}
		if (!together)
			complete(NULL, 0, buffers[count], sizes[count], used[count]);
	}
	for (int i = 0; together && i < count; i++)
		if (buffers[i] != NULL)
			complete(NULL, 0, buffers[i], sizes[i], used[i]);
	flushed = 1;
	return CUPTI_SUCCESS;
}

static const struct {
	CUpti_CallbackId number;
	const char *name;
} names[] = {{11, "cudaLaunchKernel_v7000"}, {12, "cudaGraphLaunch_v10000"}, {13, "cudaMemcpyAsync_v3020"},
	{14, "cudaStreamSynchronize_v3020"}, {15, "cudaGetLastError_v3020"}, {16, "cudaMemset_v3020"}};

CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain domain, uint32_t number, const char **name)
{
	for (size_t i = 0; domain == CUPTI_CB_DOMAIN_RUNTIME_API && i < sizeof names / sizeof *names; i++)
		if (names[i].number == number) {
			*name = names[i].name;
			return CUPTI_SUCCESS;
		}
	return CUPTI_ERROR_INVALID_PARAMETER;
}

CUptiResult cuptiGetResultString(CUptiResult result, const char **text)
{
	(void)result;
	*text = "this is the library of a test";
	return CUPTI_SUCCESS;
}

/* ---- the program */

static void *add(CUpti_ActivityKind kind, size_t size)
{
	CUpti_Activity *record = calloc(1, size);
	record->kind = kind;
	records[record_count].record = record;
	records[record_count++].size = size;
	return record;
}

static void call(uint64_t start, uint64_t end, uint32_t correlation, CUpti_CallbackId function)
{
	CUpti_ActivityAPI *record = add(CUPTI_ACTIVITY_KIND_RUNTIME, sizeof *record);
	record->start = start;
	record->end = end;
	record->cbid = function;
	record->processId = 70;
	record->threadId = 71;
	record->correlationId = correlation;
}

static void kernel(uint64_t start, uint64_t end, uint32_t correlation, const char *name, uint32_t graph, uint64_t node)
{
	kernel_record *record = add(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, sizeof *record);
	record->start = start;
	record->end = end;
	record->contextId = 1;
	record->streamId = 13;
	record->correlationId = correlation;
	record->name = name;
	record->gridX = 64;
	record->gridY = record->gridZ = record->blockY = record->blockZ = 1;
	record->blockX = 128;
	record->registersPerThread = 40;
	record->staticSharedMemory = 256;
	record->dynamicSharedMemory = 4096;
	record->graphId = graph;
	record->graphNodeId = node;
	record->clusterX = record->clusterY = record->clusterZ = 1;
}

static void transfers(uint64_t t, uint32_t correlation)
{
	CUpti_ActivityMemcpy5 *copy = add(CUPTI_ACTIVITY_KIND_MEMCPY, sizeof *copy);
	copy->copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
	copy->srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
	copy->dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
	copy->bytes = 4096;
	copy->start = t;
	copy->end = t + 1500;
	copy->contextId = 1;
	copy->streamId = 13;
	copy->correlationId = correlation;
	CUpti_ActivityMemset4 *set = add(CUPTI_ACTIVITY_KIND_MEMSET, sizeof *set);
	set->bytes = 1024;
	set->start = t + 2000;
	set->end = t + 3000;
	set->contextId = 1;
	set->streamId = 13;
	set->correlationId = correlation + 1;
	set->memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
}

static void job(uint64_t t, uint32_t correlation)
{
	call(t, t + 3000, correlation, 13);
	call(t + 3000, t + 3500, correlation + 1, 16);
	transfers(t + 4000, correlation);
	call(t + 3500, t + 9000, correlation + 2, 12);
	kernel(t + 10000, t + 50000, correlation + 2, "_Z4convPf", 3, 17);
	kernel(t + 51000, t + 70000, correlation + 2, "_Z4reluPf", 3, 18);
	call(t + 9500, t + 80000, correlation + 3, 14);
	call(t + 99000, t + 99100, correlation + 4, 15);
	call(t + 100000, t + 104000, correlation + 5, 11);
	kernel(t + 106000, t + 130000, correlation + 5, "_Z3nmsPKfPi", 0, 0);
	call(t + 104500, t + 140000, correlation + 6, 14);
}

static void places(void)
{
	CUpti_ActivityDevice4 *device = add(CUPTI_ACTIVITY_KIND_DEVICE, sizeof *device);
	device->computeCapabilityMajor = 9;
	device->numMultiprocessors = 132;
	device->maxWarpsPerMultiprocessor = 64;
	device->maxRegistersPerMultiprocessor = 65536;
	device->maxThreadsPerBlock = 1024;
	device->name = "Demo GPU";
	CUpti_ActivityContext2 *context = add(CUPTI_ACTIVITY_KIND_CONTEXT, sizeof *context);
	context->contextId = 1;
	context->nullStreamId = 7;
	CUpti_ActivityStream *stream = add(CUPTI_ACTIVITY_KIND_STREAM, sizeof *stream);
	stream->contextId = 1;
	stream->streamId = 13;
	stream->priority = (uint32_t)-3;
	stream->flag = CUPTI_ACTIVITY_STREAM_CREATE_FLAG_NON_BLOCKING;
}

int main(int count, char **words)
{
	int killed = 0;
	for (int i = 1; i < count; i++) {
		dropped = strcmp(words[i], "dropped") == 0 && i + 1 < count ? atol(words[i + 1]) : dropped;
		refused = strcmp(words[i], "refuse") == 0 && i + 1 < count ? atol(words[i + 1]) : refused;
		unreadable |= strcmp(words[i], "unreadable") == 0;
		register_fails |= strcmp(words[i], "register") == 0;
		together |= strcmp(words[i], "together") == 0;
		killed |= strcmp(words[i], "killed") == 0;
	}
	places();
	for (int i = 0; i < 3; i++)
		job((uint64_t)i * 4000000 + 10000, 100 * (uint32_t)i + 10);
	if (InitializeInjection() != 1)
		return 2;
	if (killed)
		_exit(0); /* as a signal would end it: no handler runs */
	return 0;         /* the recorder's handler flushes */
}
