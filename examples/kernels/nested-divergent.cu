// The double loop of seed 004: both bounds differ from thread to thread, 32 at most. Blocks of 32 threads.
extern "C" __global__ void nested_divergent(const int *limits, float *out)
{
	int limit = min(limits[threadIdx.x], 32);
	float sum = 0.0f;
#pragma unroll 1
	for (int i = 0; i < limit; i++)
#pragma unroll 1
		for (int j = 0; j < limit; j++)
			sum += sum * 0.5f + 1.0f;
	out[threadIdx.x] = sum;
}
