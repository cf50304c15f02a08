/* Schedules of one core that can be worked out by hand: [CORES], A-DEADLINE. Who executes when stands beside each. */
#include "simulate/core_scheduler.h"

#include "run.h"

#include <inttypes.h>

#define THREADS 3
#define SEGMENTS 6

/* Ready from `at` on; behind it the thread spins until `spins`, or leaves. */
struct segment {
	int thread;
	int64_t at, time, spins, ends;
};

struct row {
	struct task threads[THREADS];
	struct segment segments[SEGMENTS];
	int64_t blocking; /* of each that becomes ready */
	int64_t overrun;  /* likewise */
	int64_t unit;
};

#define FIFO(p)                                                                                                                            \
	{                                                                                                                                  \
		.core = 1, .fifo = (p)                                                                                                     \
	}
#define RESERVES(q, d, p)                                                                                                                  \
	{                                                                                                                                  \
		.core = 1, .sched_runtime = (q), .sched_deadline = (d), .sched_period = (p)                                                \
	}

static const struct row ROWS[] = {
	/* priorities: [0, 2), 1 [2, 5), [5, 8) */
	{{FIFO(1), FIFO(2)}, {{0, 0, 5, 0, 8}, {1, 2, 3, 0, 5}}, 0},
	/* above all of them, 2 in 6: [0, 2), 1 [2, 6), [6, 8), 1 [8, 12), [12, 13), 1 [13, 25) */
	{{RESERVES(2, 6, 6), FIFO(99)}, {{0, 0, 5, 0, 13}, {1, 0, 20, 0, 25}}, 0},
	/* 12 is behind 10: [0, 3), 1 [3, 7), [7, 10) */
	{{RESERVES(3, 6, 6), RESERVES(5, 10, 10)}, {{0, 0, 6, 0, 10}, {1, 0, 4, 0, 7}}, 0},
	/* an earlier deadline preempts: [0, 1), 1 [1, 2), [2, 5) */
	{{RESERVES(6, 10, 10), RESERVES(1, 3, 3)}, {{0, 0, 4, 0, 5}, {1, 1, 1, 0, 2}}, 0},
	/* D < P, by deadlines 4 and 12, a runtime in 8: [0, 2), [8, 10), [16, 17) */
	{{RESERVES(2, 4, 8)}, {{0, 0, 5, 0, 17}}, 0},
	/* used up by spinning: [0, 1) and until 3, and from 9 on */
	{{RESERVES(3, 9, 9)}, {{0, 0, 1, 4, 1}, {0, 4, 1, 0, 10}}, 0},
	/* suspended it has two left by 9; 2 / 5 is above 3 / 9, a new deadline at 13: [0, 1), [4, 7), [13, 14) */
	{{RESERVES(3, 9, 9)}, {{0, 0, 1, 0, 1}, {0, 4, 4, 0, 14}}, 0},
	/* 2 / 6 is not: [0, 1), [3, 5), [9, 11) */
	{{RESERVES(3, 9, 9)}, {{0, 0, 1, 0, 1}, {0, 3, 4, 0, 11}}, 0},
	/* D < P: of the two that are left floor(3 / 9 * 5) = 1 by 9: [0, 1), [4, 5), [12, 15) */
	{{RESERVES(3, 9, 12)}, {{0, 0, 1, 0, 1}, {0, 4, 4, 0, 15}}, 0},
	/* floor(3 / 9 * 2) = 0: [12, 15) */
	{{RESERVES(3, 9, 12)}, {{0, 0, 1, 0, 1}, {0, 7, 3, 0, 15}}, 0},
	/* D <= t < P waits for the next period, in which 4 are too many: [12, 15), [24, 25) */
	{{RESERVES(3, 9, 12)}, {{0, 0, 1, 0, 1}, {0, 9, 4, 0, 25}}, 0},
	/* and from P on begins a new one: [13, 16), [25, 26) */
	{{RESERVES(3, 9, 12)}, {{0, 0, 1, 0, 1}, {0, 13, 4, 0, 26}}, 0},
	/* used up as it leaves, 4 by 18 come at 10 while it sleeps, of which floor(4 / 8 * 3) = 1 is left at 15: [0, 4), [15, 16), [20, 21)
	 */
	{{RESERVES(4, 8, 10)}, {{0, 0, 4, 0, 4}, {0, 15, 2, 0, 21}}, 0},
	/* and at 19 these are past: [0, 4), [20, 22) */
	{{RESERVES(4, 8, 10)}, {{0, 0, 4, 0, 4}, {0, 19, 2, 0, 22}}, 0},
	/* nobody's work delays who wakes, and who is given runtime, as no other one was ready: [2, 4), [8, 9) */
	{{RESERVES(2, 6, 6)}, {{0, 0, 3, 0, 9}}, 2},
	/* the lower one's before each of them: nobody [0, 1), 1 [1, 4), 0 [4, 6), 1 [6, 11), 0 [11, 13) */
	{{RESERVES(2, 7, 7), FIFO(1)}, {{1, 0, 8, 0, 11}, {0, 3, 4, 0, 13}}, 1},
	/* as one ends at 9, and runtime is due, the next is of who comes then: nobody [0, 2), 1 [2, 5), 0 [5, 7), 1 [7, 9), 2 [9, 10), 0
	   [10, 12), 1 [12, 13) */
	{{RESERVES(2, 6, 6), FIFO(1), FIFO(2)}, {{1, 0, 6, 0, 13}, {0, 3, 4, 0, 12}, {2, 7, 1, 0, 10}}, 2},
	/* it is over with the runtime of who executes it: nobody [0, 2), 0 [2, 5), 1 [5, 6), nobody [10, 12), 0 [12, 14) */
	{{RESERVES(3, 10, 10), RESERVES(2, 4, 4)}, {{0, 0, 5, 0, 14}, {1, 4, 1, 0, 6}}, 2},
	/* 1 behind a runtime, which the next one lacks: [0, 3), 1 [3, 8), [8, 10), 1 [10, 16), [16, 17), 1 [17, 26) */
	{{RESERVES(2, 6, 8), FIFO(1)}, {{0, 0, 6, 0, 17}, {1, 0, 20, 0, 26}}, 0, 1},
	/* it ends where an earlier deadline preempts, and the next runtime is whole: [0, 2), 1 [2, 3), [8, 11), [16, 17) */
	{{RESERVES(2, 8, 8), RESERVES(2, 4, 4)}, {{0, 0, 6, 0, 17}, {1, 2, 1, 0, 3}}, 0, 1},
	/* as it sleeps in an overrun it owes that, too: [0, 3), until 8; [8, 10), [16, 17) */
	{{RESERVES(2, 6, 8)}, {{0, 0, 3, 0, 3}, {0, 4, 3, 0, 17}}, 0, 1},
	/* all of a runtime is owed, so that 15 is the deadline of the next: [0, 4), [5, 9), [15, 16) */
	{{RESERVES(2, 5, 5)}, {{0, 0, 9, 0, 16}}, 0, 2},
	/* units of 4: 5 of 9 by 24 at 11 are 1 and 3 * 2 of 6 is 1, kept though 13 * 9 / 24 = 4.875: [0, 4), [11, 16), [24, 25) */
	{{RESERVES(9, 24, 24)}, {{0, 0, 4, 0, 4}, {0, 11, 6, 0, 25}}, 0, 0, 4},
	/* 8 of 9 by 24 at 1 are 2, of which 5 * 2 of 6 is 1: new ones by 25, which end at 10, the next at 25: [0, 1), [1, 10), [25, 26) */
	{{RESERVES(9, 24, 24)}, {{0, 0, 1, 0, 1}, {0, 1, 10, 0, 26}}, 0, 0, 4},
	/* D < P, units of 8: 16 of 18 by 48 at 2 are 2, of which 5 * 2 of 6 is 1: 17 by 48, one more than there was: [0, 2), [2, 19), [50,
	   51) */
	{{RESERVES(18, 48, 50)}, {{0, 0, 2, 0, 2}, {0, 2, 18, 0, 51}}, 0, 0, 8},
};

static int64_t starts(const struct row *row, const bool *begun, int *which)
{
	int64_t next = NONE;
	for (int i = 0; i < SEGMENTS; i++)
		if (row->segments[i].time > 0 && !begun[i] && (next == NONE || row->segments[i].at < next)) {
			next = row->segments[i].at;
			*which = i;
		}
	return next;
}

START_TEST(schedule)
{
	const struct row *row = &ROWS[_i];
	struct core_state core = {.next = NONE};
	struct core_thread threads[THREADS];
	const struct segment *under_way[THREADS] = {NULL};
	bool begun[SEGMENTS] = {false};
	for (int i = 0; i < THREADS; i++) {
		threads[i] = core_thread_of(&row->threads[i], row->unit);
		threads[i].blocking = row->blocking;
		threads[i].overrun = row->overrun;
	}
	int which = 0, ended = 0, segments = 0;
	for (int i = 0; i < SEGMENTS; i++)
		segments += row->segments[i].time > 0;
	while (ended < segments) {
		int64_t start = starts(row, begun, &which), now = checked_min(start, core.next);
		ck_assert_int_lt(now, 1000);
		struct core_thread *over = core.next == now ? core_ended(&core, now) : NULL;
		if (over != NULL) {
			const struct segment *segment = under_way[over - threads];
			ck_assert_msg(now == segment->ends, "segment %td: got %" PRId64 ", expected %" PRId64, segment - row->segments, now,
				segment->ends);
			ended++;
			if (segment->spins == 0)
				core_leave(&core, now, over);
			core_go_on(&core, now);
		} else if (start == now) {
			const struct segment *segment = &row->segments[which];
			begun[which] = true;
			under_way[segment->thread] = segment;
			core_execute(&core, now, &threads[segment->thread], segment->time);
		}
	}
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("core_scheduler");
	TCase *tests = tcase_create("schedules");
	tcase_add_loop_test(tests, schedule, 0, sizeof ROWS / sizeof *ROWS);
	suite_add_tcase(suite, tests);
	return run_suite(suite);
}
