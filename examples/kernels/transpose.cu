// The transpose of a square matrix by tiles in shared memory. Blocks of 32x8 threads, n a multiple of 32.
#define TILE 32
#define ROWS 8

extern "C" __global__ void transpose(const float *from, float *to, int n)
{
	__shared__ float tile[TILE][TILE + 1];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll 1
	for (int i = 0; i < TILE; i += ROWS)
		tile[threadIdx.y + i][threadIdx.x] = from[(y + i) * n + x];
	__syncthreads();
	x = blockIdx.y * TILE + threadIdx.x;
	y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll 1
	for (int i = 0; i < TILE; i += ROWS)
		to[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
