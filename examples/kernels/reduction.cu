// The sum of 256 values a block, halving in shared memory: a barrier in every turn, 8 turns. Blocks of 256 threads.
extern "C" __global__ void reduction(const float *from, float *sums)
{
	__shared__ float part[256];
	part[threadIdx.x] = from[blockIdx.x * 256 + threadIdx.x];
	__syncthreads();
#pragma unroll 1
	for (int half = 128; half > 0; half >>= 1) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		sums[blockIdx.x] = part[0];
}
