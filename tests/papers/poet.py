#!/usr/bin/env python3
"""Response times of POET's task sets (fixed priorities without preemption, arrival curves): gpubound's against those that POET's analysis,
proved correct in Coq, has for them, and against a direct evaluation of the same equations. Tasks of one priority, which POET lets pass one
another, have less by H where their streams are served in order.

usage: poet.py GPUBOUND [--data=FOLDER] [--time]

FOLDER has expected_wcrt.csv and cases/*.yaml, or the cases beside it; without it the few sets in tests/papers/poet are used. Each bound has
to be that of the direct evaluation, and 90 % have to be the published ones. --time prints how long the direct evaluation takes.
"""
import csv
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "poet")


def read(path):
    """Tasks of a file: id, C, priority, and the arrivals as a horizon with (length, count) from which on they hold."""
    tasks, numbers = [], None
    for line in open(path, encoding="ascii"):
        text = line.strip().lstrip("- ")
        if ":" not in text:
            numbers.append(int(text))
            continue
        key, value = (part.strip() for part in text.split(":"))
        if key == "id":
            tasks.append({})
        if key == "arrival curve":
            numbers = tasks[-1]["curve"] = []
        elif tasks:
            tasks[-1][key] = int(value)
    for task in tasks:
        curve = task.get("curve")
        period = task.get("period", task.get("min interarrival"))
        task["horizon"], task["steps"] = (curve[0], list(zip(curve[1::2], curve[2::2]))) if curve else (period, [(1, 1)])
        task["cost"] = task["worst-case execution time"]
    return tasks


def arrivals(task, length):
    """At most so many releases in any `length` ticks."""
    whole, rest = divmod(length, task["horizon"])
    count = max([count for least, count in task["steps"] if least <= rest], default=0)
    return whole * task["steps"][-1][1] + count


def responses(tasks, task):
    """The busy interval of the task's level and its greatest response, by the equations, a tick at a time over the releases."""
    others = [other for other in tasks if other is not task and other["priority"] >= task["priority"]]
    blocking = max([other["cost"] - 1 for other in tasks if other["priority"] < task["priority"]], default=0)
    busy, before = 1, 0
    while busy != before:
        before, busy = busy, blocking + sum(arrivals(other, busy) * other["cost"] for other in [task] + others)
    worst, jobs, start = 0, 0, 0
    for release in range(busy):
        if arrivals(task, release + 1) == jobs:
            continue
        jobs = arrivals(task, release + 1)
        before = -1
        while start != before:
            before = start
            start = blocking + (jobs - 1) * task["cost"] + sum(arrivals(other, start + 1) * other["cost"] for other in others)
        worst = max(worst, start + task["cost"] - release)
    return busy, worst


def in_order(tasks, task):
    """POET lets a job wait for all that its equals release until it begins. Streams are served in the order in which their kernels come to
    the engine: of each of its equals one job is before it, at most, and H knows that. Of a task of the highest priority, or None."""
    equals = [other for other in tasks if other is not task and other["priority"] == task["priority"]]
    if not equals or any(other["priority"] > task["priority"] for other in tasks):
        return None
    lower = max([other["cost"] for other in tasks if other["priority"] < task["priority"]], default=0)
    return lower + sum(other["cost"] for other in equals) + task["cost"]


def bounds(program, path, folder):
    taskset, platform = os.path.join(folder, "set.xml"), os.path.join(folder, "processor.xml")
    subprocess.run([program, "import", "poet", path, "-o", taskset, "--platform-output=" + platform], check=True, stderr=subprocess.DEVNULL)
    result = subprocess.run([program, "analyze", "--format=csv", taskset], capture_output=True, text=True)
    rows = csv.DictReader(result.stdout.splitlines())
    return {int(row["task"][1:]): (int(row["response_ns"] or -1), row["bound"]) for row in rows if row["kind"] == "task"}


def main():
    program, data, timed = sys.argv[1], HERE, "--time" in sys.argv
    for argument in sys.argv[2:]:
        if argument.startswith("--data="):
            data = argument[len("--data="):]
    if data == "":
        print("SKIP: no folder of POET's task sets was given")
        return 77
    cases = os.path.join(data, "cases") if os.path.isdir(os.path.join(data, "cases")) else data
    expected = {}
    for row in csv.DictReader(open(os.path.join(data, "expected_wcrt.csv"), encoding="ascii")):
        expected.setdefault(row["file"], []).append((int(row["task_id"]), int(row["wcrt_bound"]), int(row["busy_window_bound"])))
    equal = total = failures = 0
    direct = 0.0
    with tempfile.TemporaryDirectory() as folder:
        for name, rows in sorted(expected.items()):
            path = os.path.join(cases, name)
            tasks = read(path)
            ours = bounds(program, path, folder)
            for number, published, interval in rows:
                before = time.perf_counter()
                task = next(task for task in tasks if task["id"] == number)
                busy, own = responses(tasks, task)
                direct += time.perf_counter() - before
                value, bound = ours[number]
                total += 1
                equal += value == published * 1000
                ordered = in_order(tasks, task)
                if bound == "H" and ordered is not None and value == ordered * 1000 < own * 1000 and own == published:
                    print(f"{name} task {number}: {ordered} us by H, published {own} us, which is not in the order of arrival")
                elif value != own * 1000 or bound != "FP" or busy != interval:
                    failures += 1
                    print(f"{name} task {number}: {value} ns by {bound}, directly {own} us in a busy interval of {busy} us, published {published} us in {interval} us")
                elif own != published:
                    print(f"{name} task {number}: {own} us, published {published} us, which is {'below' if published < own else 'not the least solution'}")
                    failures += published < own
    print(f"{equal} of {total} bounds are the published ones; {failures} failures")
    if timed:
        print(f"direct evaluation: {direct * 1e3:.1f} ms")
    return 0 if failures == 0 and equal * 10 >= total * 9 and total > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
