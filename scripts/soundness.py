#!/usr/bin/env python3
"""Bounds held against silicon: random task sets, run on a GPU by probe/scenario.cu, their jobs compared with what the analyser printed.

usage: soundness.py generate SEED COUNT FOLDER        writes FOLDER/scenarios.txt and FOLDER/ID.xml for each scenario
       soundness.py check GPUBOUND FOLDER RECORDS     analyses each FOLDER/ID.xml and holds the records against the bounds

The task sets name the platform h200. A block holds its SM for a fixed time, so its WCET is known: that time and BLOCK_EXTRA for its
begin, its end and the refill of its slot. What else the bounds need is declared with the figures below, chosen by hand for this machine
and printed in every report; a job above its bound says that one of them, or an assumption, is wrong.
`check` exits with 1 if a job exceeded an unconditional bound; conditional ones (--assume A-HOL A-PRIO A-WC) are reported beside.
"""
import collections
import csv
import io
import pathlib
import random
import subprocess
import sys

BLOCK_EXTRA = 3000  # ns
JITTER_US = 300     # release: from the nominal instant to the last launch call done, on a machine that others share
COPY_BYTES_A_US = 10000
COPY_EXTRA_US = 40
DECLARED = (("overhead.launch", "15us"), ("overhead.block", "1ns"), ("overhead.dependency", "10us"), ("overhead.copy", "15us"),
            ("queues.hardware", "32"), ("queues.resident-grids", "128"), ("concurrent-kernels", "yes"), ("copy-runlist", "own"),
            ("copy.engines", "2"), ("engine.h2d", "0"), ("engine.d2h", "1"))
CONDITIONS = ("A-HOL", "A-PRIO", "A-WC")
TARGET_LOAD = (0.25, 0.7)  # of the volume over 66 SMs


def kernel(rng):
    threads = rng.choice((32, 64, 96, 128, 192, 256, 320, 512, 768, 1024))
    shared = rng.choice((0, 0, 0, rng.randrange(1, 48) * 1024))
    return ["kernel", rng.choice((1, 8, 33, 66, 132, 200, 264, 400, 800)), threads, shared, rng.randrange(20, 400) * 1000]


def task(rng, stream):
    operations = [kernel(rng) for _ in range(rng.randrange(1, 4))]
    if rng.random() < 0.4:
        operations.insert(0, ["copy", "h2d", rng.randrange(4, 1000) * 1024])
    if len(operations) > 2 and rng.random() < 0.3:
        operations.insert(len(operations) - 1, ["copy", "d2h", rng.randrange(4, 200) * 1024])
    return {"stream": stream, "period": rng.choice((5, 8, 10, 15, 20)) * 1000000, "offset": 0, "operations": operations}


def load(tasks):
    return sum(((o[1] - 1) / 66 + 1) * (o[4] + BLOCK_EXTRA) / t["period"] for t in tasks for o in t["operations"] if o[0] == "kernel")


def scenario(rng):
    low, high = TARGET_LOAD
    while True:
        streams = [int(rng.random() < 0.25) for _ in range(rng.randrange(2, 7))]
        tasks = [task(rng, s) for s in range(len(streams))]
        meet = rng.random() < 0.5  # at every release, or by chance
        for t in tasks:
            t["period"] = tasks[0]["period"] if meet else t["period"]
            t["offset"] = 0 if meet or rng.random() < 0.3 else rng.randrange(0, t["period"])
        if low <= load(tasks) <= high:
            return streams, tasks


def scenario_text(name, streams, tasks, jobs):
    lines = [f"scenario {name}"] + [f"stream {p}" for p in streams]
    for i, t in enumerate(tasks):
        lines.append(f"task t{i} {t['period']} {t['offset']} {jobs} {t['stream']}")
        lines += [" ".join(map(str, o)) for o in t["operations"]]
    return "\n".join(lines) + "\n"


def operation_xml(i, n, stream, o):
    if o[0] == "copy":
        wcet = o[2] // COPY_BYTES_A_US + COPY_EXTRA_US
        return f'    <copy id="t{i}o{n}" stream="s{stream}" direction="{o[1]}" bytes="{o[2]}B" wcet="{wcet}us"/>'
    return (f'    <kernel id="t{i}o{n}" stream="s{stream}" scope="block" grid="{o[1]}" block="{o[2]}" registers="16" shared-dynamic="{o[3]}B" '
            f'carveout="100" bcet="{o[4]}ns" wcet="{o[4] + BLOCK_EXTRA}ns" access="compute"/>')


def taskset_xml(name, streams, tasks):
    by = 'source="chosen by hand, scripts/soundness.py" by="gpubound"'
    lines = [f'<taskset xmlns="urn:gpubound:taskset:1" id="{name}" platform="h200" origin="spin">', f"  <title>Random scenario {name}</title>",
             '  <origins><origin id="spin" kind="declared" source="a block spins for a fixed time; probe/scenario.cu" by="gpubound"/></origins>']
    lines += [f'  <declare name="{n}" value="{v}" {by}/>' for n, v in DECLARED]
    lines += [f'  <interference from="all" victim="any" value="1" {by}/>', f'  <interference from="all" victim="transfer" value="2" {by}/>']
    lines.append('  <application id="a">')
    both = len(set(streams)) > 1
    lines += [f'    <stream id="s{i}" kind="non-blocking" priority="{int(both and not p)}"/>' for i, p in enumerate(streams)]
    lines.append("  </application>")
    for i, t in enumerate(tasks):
        lines.append(f'  <task id="t{i}" period="{t["period"]}ns" jitter="{JITTER_US}us" deadline="{t["period"]}ns">')
        lines += [operation_xml(i, n, t["stream"], o) for n, o in enumerate(t["operations"])]
        lines.append("  </task>")
    return "\n".join(lines + ["</taskset>\n"])


def generate(seed, count, folder):
    rng = random.Random(int(seed))
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "scenarios.txt", "w", encoding="utf-8") as out:
        for i in range(int(count)):
            streams, tasks = scenario(rng)
            out.write(scenario_text(f"r{seed}-{i}", streams, tasks, 50))
            (folder / f"r{seed}-{i}.xml").write_text(taskset_xml(f"r{seed}-{i}", streams, tasks), encoding="utf-8")
    return 0


def bounds(gpubound, path, assume):
    command = [gpubound, "analyze", "--quiet", "--format=csv", *(f"--assume={a}" for a in assume), str(path)]
    text = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {r["task"]: (int(r["response_ns"]), r["bound"]) for r in csv.DictReader(io.StringIO(text)) if r["kind"] == "task" and r["response_ns"]}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def report(title, worst, limits, jobs):
    ratios, above, winners = [], [], collections.Counter()
    for (name, task_id), (response, error) in worst.items():
        if task_id not in limits[name]:
            winners["no bound"] += 1
            continue
        limit, winner = limits[name][task_id]
        winners[winner] += 1
        ratios.append(limit / response)
        if response - error > limit:
            above.append((name, task_id, response, limit, winner))
    print(f"{title}: {len(limits)} scenarios, {jobs} jobs, {len(ratios)} tasks with a bound, {len(above)} above it; bound / worst observed: "
          f"least {min(ratios, default=float('nan')):.3f}, median {percentile(ratios, .5):.3f}, 90 % {percentile(ratios, .9):.3f}; "
          f"winners {dict(sorted(winners.items()))}")
    for name, task_id, response, limit, winner in above:
        print(f"  ABOVE: {name} {task_id}: {response} ns observed, bound {limit} ns by {winner}")
    return len(above)


def check(gpubound, folder, records):
    worst, jobs = {}, 0
    with open(records, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            jobs += 1
            key = (row["scenario"], row["task"])
            worst[key] = max(worst.get(key, (0, 0)), (int(row["response_ns"]), int(row["clock_error_ns"])))
    names = sorted({name for name, _ in worst})
    paths = {name: pathlib.Path(folder) / f"{name}.xml" for name in names}
    plain = report("unconditional", worst, {n: bounds(gpubound, paths[n], ()) for n in names}, jobs)
    report("under " + " ".join(CONDITIONS), worst, {n: bounds(gpubound, paths[n], CONDITIONS) for n in names}, jobs)
    return 1 if plain else 0


if __name__ == "__main__":
    actions = {"generate": generate, "check": check}
    if len(sys.argv) != 5 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    sys.exit(actions[sys.argv[1]](*sys.argv[2:]))
