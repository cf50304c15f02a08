"""Acceptance beside round robin as pyCPA computes it, for contexts in time slices without switches.

Loads and periods as in bench/gcaps.py; a job is one kernel and nothing else. Of q jobs of task i in a row (pyCPA, RoundRobinScheduler):

    w(q) = q C + sum over others of min(ceil(q C / L) L, eta(w) C')          R = max w(q) - (q - 1) T, up to the first q with w(q) <= q T

eta counts arrivals in the window only: nothing that others have left from before it. Nobody has proved that, so it is what to compare with and
no bound. A deadline is the period; a set is accepted if every task's response is no more than its deadline.

usage: round_robin.py GPUBOUND [SETS] [--contexts N] [--seed N]
"""
import argparse
import csv
import io
import pathlib
import random
import subprocess
import tempfile

import gcaps


def round_robin(tasks, index):
    """None: the window outgrows a hundred of the longest periods."""
    period, _, kernels = tasks[index]
    worst, window, jobs, limit = 0, 1, 1, 100 * max(task[0] for task in tasks)
    while True:
        turns = -(-jobs * kernels[0] // gcaps.SLICE)
        while window <= limit:
            others = sum(min(turns * gcaps.SLICE, -(-window // task[0]) * task[2][0]) for i, task in enumerate(tasks) if i != index)
            if jobs * kernels[0] + others <= window:
                break
            window = jobs * kernels[0] + others
        if window > limit:
            return None
        worst = max(worst, window - (jobs - 1) * period)
        if window <= jobs * period:
            return worst
        jobs += 1


def draw_task(draw, load):
    period = draw.randrange(30, 501) * gcaps.MS
    return period, [0], [max(1, int(load * period))]


def responses(gpubound, path):
    text = subprocess.run([gpubound, "analyze", "-q", "--format=csv", path], stdout=subprocess.PIPE, text=True).stdout
    return [int(row["response_ns"]) if row["response_ns"] else None for row in csv.DictReader(io.StringIO(text)) if row["task"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gpubound")
    parser.add_argument("sets", nargs="?", type=int, default=60)
    parser.add_argument("--contexts", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    gcaps.SWITCH = 0
    print(f"{options.contexts} contexts, {options.sets} sets a point; accepted, in percent, by round robin and gpubound; responses over round robin's")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "set.xml"
        for load in (0.5, 0.6, 0.7, 0.8, 0.9):
            draw = random.Random(f"{options.seed} {load}")
            counts, ratios = [0, 0], []
            for _ in range(options.sets):
                tasks = [draw_task(draw, part) for part in gcaps.divide(draw, load, options.contexts)]
                gcaps.write(path, tasks)
                both = [round_robin(tasks, i) for i in range(len(tasks))], responses(options.gpubound, path)
                for k, found in enumerate(both):
                    counts[k] += all(value is not None and value <= task[0] for value, task in zip(found, tasks, strict=True))
                ratios += [ours / theirs for theirs, ours in zip(*both, strict=True) if ours is not None and theirs is not None]
            print(f"load {load}: " + "  ".join(f"{100 * count / options.sets:5.1f}" for count in counts)
                  + f"   mean {sum(ratios) / len(ratios):.3f}, greatest {max(ratios):.3f}", flush=True)


if __name__ == "__main__":
    main()
