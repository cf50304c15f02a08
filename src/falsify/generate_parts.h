/* What the generators of platform and task set share; private to them and to the hunts of tests/falsify. */
#ifndef FALSIFY_GENERATE_PARTS_H
#define FALSIFY_GENERATE_PARTS_H

#include "falsify/draw.h"
#include "falsify/generate.h"

/* What a system is like, drawn first, so that many systems are simple in most respects. */
struct profile {
	struct arena *arena;
	struct draw *draw;
	int64_t scale; /* WCETs are from 1 to this */
	int applications, streams, levels;
	bool phased;  /* tasks on streams of their own, with offsets; most of what TT needs */
	bool crowded; /* of those some share a stream */
	bool simple;  /* two streams, a task each of one operation on the GPU, one feature */
	bool null_streams, grids, hosts, copies, events, jitter, registers, shared, curves;
};

void generate_set(struct platform *platform, enum parameter parameter, int64_t value);
void generate_platform(struct profile *profile, struct platform *platform);
/* work: its operations' serial time, from which the periods are drawn. */
void generate_taskset(struct profile *profile, const struct platform *platform, struct taskset *set);
/* A-ORDER in place of what says more, mostly with kernels of one configuration, which it is about, and with delays and stalls up to what
 * its operations take. */
void generate_delays(struct draw *draw, struct platform *platform, struct taskset *set);
/* A switch between contexts that is shorter than what it breaks off (switch-short) becomes so much longer. After all that draws either. */
void generate_switch(struct platform *platform, const struct taskset *set);
/* Bursts, great jitters, no overheads, kernels of scope grid with known blocks, factors by number and access, loads near one. */
void generate_variety(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set);
/* SMs whose shared memory kernels configure: by preference or need, per SM or for the chip, as Hopper does in some; scope grid, memsets. */
void generate_configured(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set);
/* Some copies and memsets become synchronous, and some tasks begin with such a copy. */
void generate_calls(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Two or three partitions of SMs, and streams in them; numbers of queues and grid slots that are enough as a rule. */
void generate_partitions(struct arena *arena, struct draw *draw, struct platform *platform, struct taskset *set);
void generate_crowd(struct draw *draw, struct taskset *set);
void generate_sizes(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Synchronous calls; streams without work where queues are scarce. */
void generate_host(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Of what comes one after the other on a stream a part is launched as graphs; nothing else changes. */
void generate_graphs(struct draw *draw, struct falsify_case *of);
/* Kernels become sequences and gangs, mostly all of a context in one stream; before graphs are drawn. */
void generate_sequences(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Kernels of an integrated GPU have data in host memory; before sizes are drawn, and behind what makes kernels something else. */
void generate_host_memory(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Work between host segments becomes units under one lock; behind all that adds operations. */
void generate_locks(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Tasks get threads on cores, and host segments that launch their work; not beside locks. */
void generate_cores(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Some threads on cores have a reservation in place of a priority; on a core their densities add up to `room` at most. */
void generate_reservations(struct draw *draw, struct taskset *set, int64_t room);
/* Contexts get priorities, and host segments around their work that hold the GPU; not beside locks, partitions or MPS. */
void generate_ranks(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Contexts get interleave levels; not beside priorities or MPS. */
void generate_levels(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* Some applications are clients of one MPS server. */
void generate_servers(struct arena *arena, struct draw *draw, struct falsify_case *of);
/* The operation is the task's, before the one at this place of all: its number and all later ones, and what names operations by them, move
 * up. */
void generate_insert(struct arena *arena, struct taskset *set, int task, int at, const struct operation *operation);
/* A host segment of the task at this place of all. */
void generate_host_segment(struct arena *arena, struct draw *draw, struct taskset *set, int task, int at, int64_t longest);
/* Chains over some of the tasks, across their rates; greatest distances of sporadic ones. Behind all that draws tasks. */
void generate_chains(struct arena *arena, struct draw *draw, struct taskset *set);
/* Makes all tasks periodic with offsets, and their hyperperiod short. */
void generate_phases(struct draw *draw, struct taskset *set);

#endif
