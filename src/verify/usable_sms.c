#include "verify/usable_sms.h"

int64_t sms_of_stream(const struct check *check, int stream)
{
	int partition = check->set->streams[stream].partition;
	return partition > 0 ? check->set->partitions[partition - 1].size : platform_value(check->platform, PARAMETER_SM_COUNT);
}

int64_t sms_of_context(const struct work *work, int context)
{
	int stream = work->sharing->owners[context].narrowest;
	return stream == NO_ID ? platform_value(work->check->platform, PARAMETER_SM_COUNT) : sms_of_stream(work->check, stream);
}

bool sms_are_partitions(const struct work *work, int context)
{
	int stream = work->sharing->owners[context].narrowest;
	return stream != NO_ID && work->check->set->streams[stream].partition > 0;
}

struct fact sms_fact_of_stream(const struct work *work, int stream)
{
	int partition = work->check->set->streams[stream].partition;
	if (partition == 0)
		return work->parameters[PARAMETER_SM_COUNT];
	const struct partition *of = &work->check->set->partitions[partition - 1];
	return fact_given(work->check, of->size, "partition:%s@sms", of->id);
}

struct fact sms_fact_of_context(const struct work *work, int context)
{
	int stream = work->sharing->owners[context].narrowest;
	return stream == NO_ID ? work->parameters[PARAMETER_SM_COUNT] : sms_fact_of_stream(work, stream);
}
