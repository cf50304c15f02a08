/* Writes drawn systems as FOLDER/NUMBER.xml and FOLDER/NUMBER-platform.xml.
 *
 * usage: draw_sets SEED SYSTEMS FOLDER
 */
#include "falsify/generate.h"
#include "write/write.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool write_drawn(struct arena *arena, const char *folder, long index, const struct falsify_case *drawn)
{
	struct output platform = {0}, set = {0};
	write_platform(&platform, drawn->platform, NULL);
	write_taskset(&set, drawn->set, arena_format(arena, "./%ld-platform.xml", index), NULL);
	bool written = output_write(&platform, arena_format(arena, "%s/%ld-platform.xml", folder, index)) &&
		       output_write(&set, arena_format(arena, "%s/%ld.xml", folder, index));
	output_finish(&platform);
	output_finish(&set);
	return written;
}

int main(int count, char **words)
{
	if (count != 4 || (mkdir(words[3], 0777) != 0 && errno != EEXIST))
		return 2;
	for (long i = 0; i < strtol(words[2], NULL, 10); i++) {
		struct arena *arena = arena_create();
		struct falsify_case drawn = generate_case(arena, strtoull(words[1], NULL, 10), (uint64_t)i);
		if (drawn.set != NULL && !write_drawn(arena, words[3], i, &drawn))
			return 2;
		arena_destroy(arena);
	}
	return 0;
}
