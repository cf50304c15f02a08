/* The states of a small system, and the longest way through those with a tagged job. */
#include "falsify/exact.h"

#include <inttypes.h>
#include <string.h>

#define FIRST_ROOM 4096
#define UNKNOWN (-1)
#define OPEN (-2) /* on the way that is being followed */

struct node {
	struct small_state state;
	int32_t value; /* with a tag: ns until the job is complete, at worst */
	int32_t from;  /* without: the state it was first reached from */
};

struct frame { /* a state whose followers are being looked at */
	int32_t node, first, next, best;
};

struct follower {
	int32_t node; /* NO_ID: the job is complete */
	int32_t time;
};

struct exact {
	struct small small;
	struct node *nodes;
	int32_t node_count, node_room, most;
	uint64_t *index; /* the state's hash, and 1 + node in the lower half; 0: nothing */
	uint32_t mask;
	struct frame *frames;
	struct follower *followers;
	int32_t frame_count, frame_room, follower_count, follower_room;
	bool too_large, endless;
	int32_t worst[SMALL_TASKS], before[SMALL_TASKS]; /* the tagged state, and the one its job was released in */
};

struct exact *exact_create(void)
{
	struct exact *exact = memory_allocate(sizeof *exact);
	*exact = (struct exact){.node_room = 0};
	return exact;
}

void exact_destroy(struct exact *exact)
{
	memory_free(exact->nodes);
	memory_free(exact->index);
	memory_free(exact->frames);
	memory_free(exact->followers);
	memory_free(exact);
}

/* ---- states, each once */

static uint32_t hash_of(const struct small_state *state)
{
	uint64_t words[sizeof *state / sizeof(uint64_t)], sum = 0;
	_Static_assert(sizeof words == sizeof *state, "whole words");
	memcpy(words, state, sizeof words);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		sum = (sum ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return (uint32_t)(sum >> 32);
}

static void put(struct exact *exact, uint32_t hash, int32_t node)
{
	uint32_t at = hash & exact->mask;
	while (exact->index[at] != 0)
		at = (at + 1) & exact->mask;
	exact->index[at] = (uint64_t)hash << 32 | (uint32_t)(node + 1);
}

static void clear(struct exact *exact)
{
	memset(exact->index, 0, ((size_t)exact->mask + 1) * sizeof *exact->index);
}

static void make_room(struct exact *exact)
{
	exact->node_room = exact->node_room == 0 ? FIRST_ROOM : 2 * exact->node_room;
	exact->nodes = memory_resize(exact->nodes, (size_t)exact->node_room * sizeof *exact->nodes);
	exact->mask = (uint32_t)exact->node_room * 2 - 1;
	exact->index = memory_resize(exact->index, ((size_t)exact->mask + 1) * sizeof *exact->index);
	clear(exact);
	for (int32_t i = 0; i < exact->node_count; i++)
		put(exact, hash_of(&exact->nodes[i].state), i);
}

/* The state's node, a new one where it was not seen. NO_ID: there are too many. */
static int32_t find(struct exact *exact, const struct small_state *state, int32_t from)
{
	uint32_t hash = hash_of(state), at = hash & exact->mask;
	for (; exact->index[at] != 0; at = (at + 1) & exact->mask) {
		int32_t node = (int32_t)(uint32_t)exact->index[at] - 1;
		if (exact->index[at] >> 32 == hash && memcmp(&exact->nodes[node].state, state, sizeof *state) == 0)
			return node;
	}
	exact->too_large |= exact->node_count >= exact->most;
	if (exact->too_large)
		return NO_ID;
	if (exact->node_count == exact->node_room)
		make_room(exact);
	int32_t node = exact->node_count++;
	exact->nodes[node] = (struct node){*state, UNKNOWN, from};
	put(exact, hash, node);
	return node;
}

/* ---- the longest way from a tagged state to its job's end */

static void open_frame(struct exact *exact, int32_t node)
{
	struct small_step steps[SMALL_ROOM];
	int count = 0;
	struct small_state state = exact->nodes[node].state;
	exact->too_large |= !small_next(&exact->small, &state, steps, &count);
	while (exact->frame_count >= exact->frame_room)
		exact->frames =
			memory_resize(exact->frames, (size_t)(exact->frame_room = 2 * exact->frame_room + 256) * sizeof *exact->frames);
	while (exact->follower_count + count > exact->follower_room)
		exact->followers = memory_resize(
			exact->followers, (size_t)(exact->follower_room = 2 * exact->follower_room + 1024) * sizeof *exact->followers);
	exact->frames[exact->frame_count++] = (struct frame){node, exact->follower_count, exact->follower_count, 0};
	exact->nodes[node].value = OPEN;
	for (int i = 0; i < count && !exact->too_large; i++)
		exact->followers[exact->follower_count++] =
			(struct follower){steps[i].complete ? NO_ID : find(exact, &steps[i].state, NO_ID), steps[i].kind == SMALL_TICK};
}

static void close_frame(struct exact *exact)
{
	const struct frame *frame = &exact->frames[--exact->frame_count];
	exact->nodes[frame->node].value = frame->best;
	exact->follower_count = frame->first;
}

/* A state that is reached again from itself has let time pass: the job need never end. */
static int32_t longest(struct exact *exact, int32_t start)
{
	exact->frame_count = exact->follower_count = 0;
	if (exact->nodes[start].value == UNKNOWN)
		open_frame(exact, start);
	while (exact->frame_count > 0 && !exact->too_large && !exact->endless) {
		struct frame *frame = &exact->frames[exact->frame_count - 1];
		if (frame->next == exact->follower_count) {
			close_frame(exact);
			continue;
		}
		const struct follower *follower = &exact->followers[frame->next];
		int32_t value = follower->node == NO_ID ? 0 : exact->nodes[follower->node].value;
		exact->endless |= value == OPEN;
		if (value == UNKNOWN) {
			open_frame(exact, follower->node);
			continue;
		}
		frame->best = value + follower->time > frame->best ? value + follower->time : frame->best;
		frame->next++;
	}
	return exact->nodes[start].value;
}

/* ---- all states without a tag, and each release in them */

static void take_release(struct exact *exact, struct exact_result *result, int32_t from, const struct small_step *step)
{
	struct small_state tagged = step->state;
	small_tag(&exact->small, &tagged, step->task);
	int32_t node = find(exact, &tagged, NO_ID);
	if (exact->too_large || result->worst[step->task] == NONE)
		return;
	int32_t value = longest(exact, node);
	if (exact->endless) {
		for (int32_t i = 0; i < exact->frame_count; i++)
			exact->nodes[exact->frames[i].node].value = UNKNOWN;
		exact->endless = false;
		result->worst[step->task] = result->nominal[step->task] = NONE;
		return;
	}
	result->nominal[step->task] = checked_max(result->nominal[step->task], value + step->late);
	if (value > result->worst[step->task]) {
		result->worst[step->task] = value;
		exact->worst[step->task] = node;
		exact->before[step->task] = from;
	}
}

static void explore(struct exact *exact, struct exact_result *result)
{
	struct small_state first;
	struct small_step steps[SMALL_ROOM];
	small_begin(&exact->small, &first);
	find(exact, &first, NO_ID);
	/* Nodes with and without a tag share the table; those without are taken in the order in which they came. */
	for (int32_t i = 0; i < exact->node_count && !exact->too_large; i++) {
		struct small_state state = exact->nodes[i].state;
		if (small_is_tagged(&state) || (i > 0 && !exact->small.phased && small_is_idle(&exact->small, &state)))
			continue;
		int count = 0;
		exact->too_large |= !small_next(&exact->small, &state, steps, &count);
		for (int j = 0; j < count && !exact->too_large; j++) {
			if (steps[j].kind == SMALL_RELEASE)
				take_release(exact, result, i, &steps[j]);
			find(exact, &steps[j].state, i);
		}
	}
}

void exact_run(struct exact *exact, struct exact_result *result, struct arena *arena, const struct platform *platform,
	const struct taskset *set, const int64_t *longest_of, int64_t most_states)
{
	*result = (struct exact_result){.refusal = small_init(&exact->small, arena, platform, set, longest_of)};
	if (result->refusal != NULL)
		return;
	exact->node_count = exact->frame_count = exact->follower_count = 0;
	exact->too_large = exact->endless = false;
	exact->most = (int32_t)checked_min(most_states, INT32_MAX / 4);
	if (exact->node_room == 0)
		make_room(exact);
	clear(exact);
	explore(exact, result);
	result->too_large = exact->too_large;
	result->states = exact->node_count;
}

/* ---- the run */

static void say(struct output *output, const struct taskset *set, const struct small_step *step, int64_t now, int task)
{
	static const char *const words[] = {"", "release", "end", "ready", "place"};
	if (step->kind == SMALL_TICK)
		return;
	output_print(output, "%4" PRId64 "  %-8s", now, words[step->kind]);
	output_print(output, "%s%s\n", step->kind == SMALL_RELEASE ? set->tasks[step->task].id : set->operations[step->operation].id,
		step->complete  ? " (complete)"
		: task == NO_ID ? ""
				: " (the job)");
}

/* The step from one state to the next one; there is one. */
static struct small_step step_between(struct exact *exact, const struct small_state *from, const struct small_state *to)
{
	struct small_step steps[SMALL_ROOM];
	int count = 0, i = 0;
	small_next(&exact->small, from, steps, &count);
	while (i + 1 < count && memcmp(&steps[i].state, to, sizeof *to) != 0)
		i++;
	return steps[i];
}

static int64_t tell_before(struct exact *exact, struct output *output, const struct taskset *set, int32_t node)
{
	int32_t from = exact->nodes[node].from;
	if (from == NO_ID)
		return 0;
	int64_t now = tell_before(exact, output, set, from);
	struct small_step step = step_between(exact, &exact->nodes[from].state, &exact->nodes[node].state);
	now += step.kind == SMALL_TICK;
	say(output, set, &step, now, NO_ID);
	return now;
}

void exact_tell(struct exact *exact, struct output *output, const struct taskset *set, int task)
{
	int64_t now = tell_before(exact, output, set, exact->before[task]);
	struct small_step steps[SMALL_ROOM], release = {.kind = SMALL_RELEASE, .task = task};
	int32_t node = exact->worst[task];
	say(output, set, &release, now, task);
	while (node != NO_ID) {
		struct small_state state = exact->nodes[node].state;
		int count = 0, i = 0;
		int32_t next = NO_ID;
		small_next(&exact->small, &state, steps, &count);
		for (; i < count; i++) {
			next = steps[i].complete ? NO_ID : find(exact, &steps[i].state, NO_ID);
			int32_t value = (next == NO_ID ? 0 : exact->nodes[next].value) + (steps[i].kind == SMALL_TICK);
			if (value == exact->nodes[node].value)
				break;
		}
		now += steps[i].kind == SMALL_TICK;
		say(output, set, &steps[i], now, NO_ID);
		node = next;
	}
}
