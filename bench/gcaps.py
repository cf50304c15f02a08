"""Acceptance beside the analysis of GCAPS for contexts in time slices, on sets drawn as GCAPS draws them.

Y. Wang, C. Liu, D. Wong, H. Kim: GCAPS: GPU context-aware preemptive priority-based scheduling for real-time tasks, ECRTS 2024. Its analysis of the
default driver adds, to the host and the GPU segments of a job, for each GPU segment of G:

    Eq. 3         ceil(G / L) nu (L + theta)                 nu other contexts, slices of L, a switch of theta
    with switches ceil(G / L) (nu (L + theta) + theta)       each own slice begins with a switch, too, which Eq. 3 leaves out

Drawn as there: periods of 30 to 500 ms, 1 to 3 GPU segments a job, GPU to CPU time 0.2 to 2, of GPU segments 0.1 to 0.3 on the host, L = 1024 us,
theta = 200 us; each task is a context, on a core of its own. The load, the sum of kernel time over period, is divided by UUniFast.
A deadline is the period. A set is accepted if every task's bound is no more than its deadline.

usage: gcaps.py GPUBOUND [SETS] [--segments N] [--seed N]; exit status 1 where some set is accepted with switches, and not by gpubound
"""
import argparse
import math
import pathlib
import random
import subprocess
import tempfile

SLICE, SWITCH, MS = 1_024_000, 200_000, 1_000_000
MOST = 0.55  # of a period is kernels' of one task: with its host time at least 1.67 times as much has to fit
HEAD = """<taskset xmlns="urn:gpubound:taskset:1" id="drawn" platform="jetson-agx-xavier" origin="drawn">
<origins><origin id="drawn" kind="declared" source="drawn" by="bench/gcaps.py"/></origins>
<declare name="overhead.launch" value="0ns" source="in the times" by="bench/gcaps.py"/>
<declare name="overhead.block" value="0ns" source="in the times" by="bench/gcaps.py"/>
<declare name="overhead.dependency" value="0ns" source="in the times" by="bench/gcaps.py"/>
<declare name="runlist.switch" value="%dns" source="GCAPS" by="bench/gcaps.py"/>
<interference from="all" victim="any" value="1" source="contexts take turns" by="bench/gcaps.py"/>
"""


def divide(draw, total, count):
    """UUniFast."""
    parts = []
    for i in range(1, count):
        rest = total * draw.random() ** (1 / (count - i))
        parts.append(total - rest)
        total = rest
    return parts + [total]


def draw_task(draw, load, segments):
    """(period, host times, kernel times): a host segment before each kernel and behind the last one."""
    while True:
        period = draw.randrange(30, 501) * MS
        share = [draw.uniform(0.1, 0.3) for _ in range(segments or draw.randint(1, 3))]
        kernels = [max(1, int(part)) for part in divide(draw, load * period, len(share))]
        staging = [int(kernel * part / (1 - part)) for kernel, part in zip(kernels, share)]
        host = [int(part) for part in divide(draw, (sum(kernels) + sum(staging)) / draw.uniform(0.2, 2), len(share) + 1)]
        hosts = [part + more for part, more in zip(host, staging + [0])]
        if sum(hosts) + sum(kernels) <= period:
            return period, hosts, kernels


def draw_set(draw, load, contexts, segments):
    parts = divide(draw, load, contexts)
    while max(parts) > MOST:
        parts = divide(draw, load, contexts)
    return [draw_task(draw, part, segments) for part in parts]


def accepts(tasks, own_switch):
    for period, hosts, kernels in tasks:
        others = (len(tasks) - 1) * (SLICE + SWITCH) + own_switch * SWITCH
        if sum(hosts) + sum(kernel + math.ceil(kernel / SLICE) * others for kernel in kernels) > period:
            return False
    return True


def write(path, tasks):
    text = [HEAD % SWITCH]
    for i in range(len(tasks)):
        text.append(f'<application id="a{i}" timeslice="{SLICE}ns"><stream id="s{i}"/></application>')
    for i, (period, hosts, kernels) in enumerate(tasks):
        text.append(f'<task id="t{i}" period="{period}ns" deadline="{period}ns">')
        for k, host in enumerate(hosts):
            if host > 0:
                text.append(f'<host id="t{i}h{k}" bcet="0ns" wcet="{host}ns"/>')
            if k < len(kernels):
                text.append(f'<kernel id="t{i}k{k}" stream="s{i}" scope="grid" bcet="0ns" wcet="{kernels[k]}ns"/>')
        text.append("</task>")
    path.write_text("\n".join(text + ["</taskset>"]))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gpubound")
    parser.add_argument("sets", nargs="?", type=int, default=200)
    parser.add_argument("--segments", type=int, default=0, help="of each job; 0: 1 to 3")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    lost = 0
    print(f"{options.sets} sets a point; accepted, in percent: Eq. 3, with own switches, gpubound")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "set.xml"
        for contexts in (4, 8):
            for load in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
                draw = random.Random(f"{options.seed} {contexts} {load}")
                counts = [0, 0, 0]
                for _ in range(options.sets):
                    tasks = draw_set(draw, load, contexts, options.segments)
                    write(path, tasks)
                    status = subprocess.run([options.gpubound, "analyze", "-q", "--format=csv", path], stdout=subprocess.DEVNULL).returncode
                    assert status in (0, 1, 4), status
                    verdicts = accepts(tasks, False), accepts(tasks, True), status == 0
                    counts = [count + verdict for count, verdict in zip(counts, verdicts)]
                    lost += verdicts[1] and not verdicts[2]
                print(f"{contexts} contexts, load {load}: " + "  ".join(f"{100 * count / options.sets:5.1f}" for count in counts), flush=True)
    print(f"accepted with switches, not by gpubound: {lost}")
    return lost > 0


if __name__ == "__main__":
    raise SystemExit(main())
