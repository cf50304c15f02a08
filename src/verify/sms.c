#include "verify/sms.h"

int64_t sms_of_stream(const struct check *check, int stream)
{
	(void)stream;
	return platform_value(check->platform, PARAMETER_SM_COUNT);
}

int64_t sms_of_context(const struct check *check, int context)
{
	(void)context;
	return platform_value(check->platform, PARAMETER_SM_COUNT);
}

struct fact sms_fact_of_stream(const struct work *work, int stream)
{
	(void)stream;
	return work->parameters[PARAMETER_SM_COUNT];
}

struct fact sms_fact_of_context(const struct work *work, int context)
{
	(void)context;
	return work->parameters[PARAMETER_SM_COUNT];
}
