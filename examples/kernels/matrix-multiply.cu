// c = a * b by tiles of 16x16 in shared memory: two barriers a tile. Blocks of 16x16 threads, n a multiple of 16, at most 1024.
#define TILE 16

extern "C" __global__ void matrix_multiply(const float *a, const float *b, float *c, int n)
{
	__shared__ float left[TILE][TILE], right[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
	float sum = 0.0f;
#pragma unroll 1
	for (int tile = 0; tile < n; tile += TILE) {
		left[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
		right[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
		__syncthreads();
#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += left[threadIdx.y][k] * right[k][threadIdx.x];
		__syncthreads();
	}
	c[row * n + column] = sum;
}
