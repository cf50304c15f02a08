// Iterations until a point leaves the circle, 255 at most: a loop that each thread leaves in a turn of its own. Blocks of 16x16 threads.
extern "C" __global__ void mandelbrot(unsigned char *image, int width, float step)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, turn = 0;
	float a = x * step - 2.0f, b = y * step - 1.0f, r = 0.0f, i = 0.0f;
#pragma unroll 1
	while (turn < 255 && r * r + i * i < 4.0f) {
		float next = r * r - i * i + a;
		i = 2.0f * r * i + b;
		r = next;
		turn++;
	}
	image[y * width + x] = (unsigned char)turn;
}
