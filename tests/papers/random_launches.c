/* RTAS'20, Figure 3: configurations of random kernels placed by a model's rule, written as a trace.
 *
 * Usage: random_launches MODEL SEED CONFIGURATIONS. 2 to 8 streams with a kernel each of 1 to 4 blocks and 1 to 1024 threads, launched one
 * after the other and all resident together; a draw that does not fit the chip is drawn again. */
#include "input/input.h"
#include "papers/chips.h"
#include "base/random.h"
#include "simulate/trace.h"

#include <stdio.h>
#include <stdlib.h>

#define STREAMS_LEAST 2
#define STREAMS_MOST 8
#define BLOCKS_A_KERNEL 4
#define REGISTERS 18
#define DISTANCE 100000 /* ns from launch to launch */

struct scene {
	struct bench bench;
	struct trace_kernel kernels[STREAMS_MOST];
	struct trace_block blocks[STREAMS_MOST * BLOCKS_A_KERNEL];
	struct trace_configuration configuration;
};

static struct trace_kernel draw_kernel(struct random *random, int stream)
{
	int64_t blocks = random_between(random, 1, BLOCKS_A_KERNEL);
	return (struct trace_kernel){.stream = stream,
		.grid = {blocks, 1, 1},
		.blocks = blocks,
		.threads = random_between(random, 1, 1024),
		.registers = REGISTERS,
		.shared_static = NONE,
		.carveout = NONE};
}

static bool place(struct scene *scene, struct trace_kernel *kernel)
{
	struct trace_configuration *configuration = &scene->configuration;
	struct kernel launched = bench_kernel(kernel->blocks, kernel->threads);
	int sms[BLOCKS_A_KERNEL];
	launched.registers = REGISTERS;
	kernel->first_block = configuration->block_count;
	if (bench_launch(&scene->bench, &launched, sms) < kernel->blocks)
		return false;
	for (int64_t i = 0; i < kernel->blocks; i++)
		scene->blocks[configuration->block_count++] = (struct trace_block){.begin = kernel->stream * DISTANCE,
			.end = STREAMS_MOST * DISTANCE,
			.ticket = kernel->first_block + i,
			.sm = sms[i]};
	return true;
}

static bool draw(struct scene *scene, struct random *random)
{
	int streams = (int)random_between(random, STREAMS_LEAST, STREAMS_MOST);
	chip_reset(&scene->bench.chip);
	scene->configuration.kernels = scene->kernels;
	scene->configuration.blocks = scene->blocks;
	scene->configuration.kernel_count = scene->configuration.block_count = 0;
	for (int stream = 0; stream < streams; stream++) {
		struct trace_kernel *kernel = &scene->kernels[scene->configuration.kernel_count++];
		*kernel = draw_kernel(random, stream);
		if (!place(scene, kernel))
			return false;
	}
	return true;
}

int main(int count, char **words)
{
	struct arena *arena = arena_create();
	struct diagnostics diagnostics;
	struct output output = {0};
	static struct scene scene;
	struct random random;
	diagnostics_init(&diagnostics, arena);
	struct input_folders folders = input_find_folders(arena);
	const struct platform *platform = count == 4 ? input_read_platform(arena, &diagnostics, &folders, words[1]) : NULL;
	if (platform == NULL) {
		fprintf(stderr, "usage: random_launches MODEL SEED CONFIGURATIONS\n");
		return 2;
	}
	struct platform own = *platform; /* of the bench */
	random_seed(&random, strtoull(words[2], NULL, 10), 0);
	trace_write_header(&output);
	for (int c = 0; c < atoi(words[3]); c++) {
		struct arena *drawn = arena_create();
		bench_open_platform(&scene.bench, &own, drawn, NULL);
		while (!draw(&scene, &random))
			;
		snprintf(scene.configuration.experiment, sizeof scene.configuration.experiment, "random");
		scene.configuration.configuration = c;
		trace_write(&output, &scene.configuration);
		arena_destroy(drawn);
	}
	bool written = output_write(&output, "-");
	output_finish(&output);
	arena_destroy(arena);
	return written ? 0 : 1;
}
