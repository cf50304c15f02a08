"""The studies of doc/studies.md, by one command: tables, pictures, and the page itself.

    studies.py build/gpubound --sets 60 --into doc

- slices: gpubound beside GCAPS' analysis of the driver's time slices (bench/gcaps.py) and the plain utilisation test, on GCAPS' sets
- networks: partitions, slices and a lock, on the same random sets of three networks, beside classical analysis of the lock
- slice lengths: weighted schedulability over them; robot: the Pareto front of two responses over slices
- shapes: the two launches of RTAS 2020, Figure 5, with other blocks and reordered

usage: studies.py GPUBOUND [--sets N] [--into FOLDER]; the same bytes for the same N
"""
import argparse
import csv
import io
import pathlib
import random
import re
import subprocess
import tempfile
from fractions import Fraction

import gcaps

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 0.55  # utilisation of one task's kernels in GCAPS' sets: with its host time more does not fit into a period
# How much longer a network takes in its partition of the example than on the whole GPU, by the longest that were seen (real-programs): control was
# no slower there.
STRETCH = {"control": Fraction(1), "detector": Fraction(1281, 1200), "segmentation": Fraction(6169, 4020)}


class Study:
    def __init__(self, options, work):
        self.gpubound, self.sets, self.into, self.work = options.gpubound, options.sets, pathlib.Path(options.into), work

    def run(self, *words, statuses=(0,)):
        result = subprocess.run([self.gpubound, *map(str, words)], cwd=ROOT, capture_output=True, text=True)
        assert result.returncode in statuses, (words, result.stderr)
        return result

    def plot(self, name, tables, *words):
        """The picture into the folder; its points as {series: [(x, y)]}."""
        operands = [f"{series}={path}" for series, path in tables.items()]
        self.run("plot", "-o", self.into / f"studies-{name}.svg", *words, *operands)
        points = {}
        for series, x, y in list(csv.reader(io.StringIO(self.run("plot", "-f", "csv", *words, *operands).stdout)))[1:]:
            points.setdefault(series, []).append((float(x), float(y)))
        return points

    def table(self, name, rows):
        """rows: (utilisation, accepted)."""
        path = self.work / f"{name}.csv"
        path.write_text("utilization,verdict\n" + "".join(f"{load},{'proven' if good else 'not-proven'}\n" for load, good in rows))
        return path

    def proven(self, path, *words):
        return self.run("analyze", "-q", "--format=csv", *words, path, statuses=(0, 1, 4, 7)).returncode in (0, 7)


def percents(points):
    """A table of acceptance, a row a utilisation."""
    loads = [load for load, _ in next(iter(points.values()))]
    lines = ["| utilisation | " + " | ".join(points) + " |", "| ---: |" + " ---: |" * len(points)]
    for i, load in enumerate(loads):
        lines.append(f"| {load:g} | " + " | ".join(f"{100 * series[i][1]:.1f}" for series in points.values()) + " |")
    return "\n".join(lines)


# ---- slices

def slices(study):
    loads, rows = (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5), {"utilisation test": [], "GCAPS Eq. 3": [], "Eq. 3, own switches": [], "gpubound": []}
    path, lost = study.work / "gcaps.xml", 0
    for load in loads:
        draw = random.Random(f"studies {load}")
        for _ in range(study.sets):
            parts = gcaps.divide(draw, load, 4)
            while max(parts) > MOST:
                parts = gcaps.divide(draw, load, 4)
            tasks = [gcaps.draw_task(draw, part, 0) for part in parts]
            gcaps.write(path, tasks)
            verdicts = (sum(sum(kernels) / period for period, _, kernels in tasks) <= 1, gcaps.accepts(tasks, False), gcaps.accepts(tasks, True),
                        study.proven(path))
            lost += verdicts[2] and not verdicts[3]
            for series, good in zip(rows.values(), verdicts):
                series.append((load, good))
    tables = {name: study.table(f"gcaps-{i}", series) for i, (name, series) in enumerate(rows.items())}
    return percents(study.plot("slices", tables, "--title=Four contexts in time slices, GCAPS' sets")), lost


# ---- networks

def implicit(study, design):
    """The example with deadlines that are the periods."""
    text = (ROOT / f"examples/networks-{design}.xml").read_text()
    path = study.work / f"{design}.xml"
    path.write_text(re.sub(r'(<task [^>]*?period="([^"]*)" deadline=)"[^"]*"', r'\1"\2"', text))
    return path


def read_set(text):
    """{task: (period, time)} in ns of a set that sweep --point wrote."""
    found = {}
    for task in re.findall(r"<task .*?</task>", text, re.S):
        name, period = re.search(r'<task id="([^"]*)" period="(\d+)ns"', task).groups()
        found[name] = int(period), int(re.search(r'<sequence [^>]*? wcet="(\d+)ns"', task).group(1))
    return found


def classical(tasks):
    """Non-preemptive fixed priorities, by period, without any overhead: George, Rivierre, Spuri, INRIA 2966, 1996; revised as by Davis, Burns, Bril,
    Lukkien, Real-Time Systems 35, 2007: all jobs of the busy period."""
    tasks = sorted(tasks)
    if sum(Fraction(time, period) for period, time in tasks) > 1:
        return False
    for i, (period, time) in enumerate(tasks):
        blocking = max((other for _, other in tasks[i + 1:]), default=0)
        busy, before = max(1, blocking), 0
        while busy != before:
            before, busy = busy, blocking + sum(-(-busy // other) * cost for other, cost in tasks[:i + 1])
        for job in range(-(-busy // period)):
            start, last = blocking + job * time, -1
            while start != last:
                last, start = start, blocking + job * time + sum((start // other + 1) * cost for other, cost in tasks[:i])
            if start + time > (job + 1) * period:
                return False
    return True


def networks(study):
    loads = "0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9,1"
    draw = [f"--draw={study.sets}", f"--utilization={loads}", "--periods=2ms:100ms"]
    designs = {design: implicit(study, design) for design in ("lock", "slices", "partitions")}
    names = {task: f"{task}-graph" for task in STRETCH}
    rows = {"utilisation test": [], "lock, classical": [], "lock": [], "slices": [], "partitions": []}
    points = list(csv.DictReader(io.StringIO(study.run("sweep", "-q", *draw, designs["lock"]).stdout)))
    for row in points:
        tasks = read_set(study.run("sweep", "-q", *draw, f"--point={row['point']}", designs["lock"]).stdout)

        def changes(stretch):
            for task, (period, time) in tasks.items():
                yield from (f"--set=task:{task}.period={period}ns", f"--set=task:{task}.deadline={period}ns")
                yield f"--set={names[task]}.wcet={-(-time * stretch[task].numerator // stretch[task].denominator)}ns"
        verdicts = (sum(Fraction(time, period) for period, time in tasks.values()) <= 1, classical(tasks.values()), row["verdict"] in ("proven", "conditional"),
                    study.proven(designs["slices"], *changes(dict.fromkeys(STRETCH, Fraction(1)))), study.proven(designs["partitions"], *changes(STRETCH)))
        for series, good in zip(rows.values(), verdicts):
            series.append((row["utilization"], good))
    tables = {name: study.table(f"networks-{i}", series) for i, (name, series) in enumerate(rows.items())}
    return percents(study.plot("networks", tables, "--title=Three networks on one GPU, deadlines are periods"))


def slice_lengths(study):
    path, table = implicit(study, "slices"), study.work / "lengths.csv"
    study.run("sweep", "-q", f"--draw={study.sets}", "--utilization=0.1:0.9:0.1", "--periods=2ms:100ms",
              "--set=platform.runlist.timeslice=0.25ms,0.5ms,1ms,2ms,3ms,4ms,6ms,8ms", "-o", table, path)
    points = study.plot("lengths", {"slices": table}, "--kind=weighted", "--over=set platform.runlist.timeslice", "--title=What the length of time slices changes")
    return "\n".join(["| slices, ms | weighted schedulability |", "| ---: | ---: |"] + [f"| {x:g} | {y:.3f} |" for x, y in points["slices"]])


def robot(study):
    design, table = study.work / "robot.xml", study.work / "robot.csv"
    study.run("advise", "-q", "-o", design, "examples/robot.xml", statuses=(0, 7))
    ids = re.findall(r'<application id="([^"]*)"', design.read_text())
    study.run("sweep", "-q", *(f"--set={one}.timeslice=0.5ms,1ms,2ms,4ms,8ms" for one in ids), "-o", table, design)
    study.plot("robot", {"slices of three processes": table}, "--kind=pareto", "--x=control_ns", "--y=detector_ns", "--title=A robot: what control gains, the detector pays")
    rows = [row for row in csv.DictReader(table.open()) if row["verdict"] in ("proven", "conditional")]
    best, lines = None, ["| slices, " + ", ".join(ids) + " | control, ms | detector, ms |", "| --- | ---: | ---: |"]
    for row in sorted(rows, key=lambda row: (int(row["control_ns"]), int(row["detector_ns"]))):
        if best is None or int(row["detector_ns"]) < best:
            best = int(row["detector_ns"])
            lengths = ", ".join(row[f"set {one}.timeslice"] for one in ids)
            lines.append(f"| {lengths} | {int(row['control_ns']) / 1e6:.3f} | {best / 1e6:.3f} |")
    return "\n".join(lines), len(rows)


# ---- shapes

def meetings(study, text):
    """On how many SMs blocks of both kernels are, as RTAS 2020's rules place them."""
    path = study.work / "shapes.xml"
    path.write_text(text)
    held = {}
    for row in csv.DictReader(io.StringIO(study.run("map", "-q", "--format=csv", path).stdout)):
        held.setdefault(row["sm"], set()).add(row["kernel"])
    return sum(len(kernels) > 1 for kernels in held.values())


def shapes(study):
    """In either order, the second kernel's blocks on SMs of the first; over the threads of their blocks."""
    sizes = [64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024]
    text = (ROOT / "examples/two-streams.xml").read_text()
    tasks = re.search(r'(  <task id="resize".*?</task>\n)(  <task id="filter".*?</task>\n)', text, re.S)
    table = {}
    for resize in sizes:
        for other in sizes:
            shaped = [re.sub(r'block="\d+"', f'block="{size}"', task) for size, task in zip((resize, other), tasks.groups())]
            table[resize, other] = [meetings(study, text[:tasks.start()] + "".join(order) + text[tasks.end():]) for order in (shaped, shaped[::-1])]
    lines = ["| resize \\ filter | " + " | ".join(map(str, sizes)) + " |", "| ---: |" + " --- |" * len(sizes)]
    for one in sizes:
        lines.append(f"| {one} | " + " | ".join("{}, {}".format(*table[one, other]) for other in sizes) + " |")
    both = sum(first > 0 and second > 0 for first, second in table.values())
    some = sum((first > 0) != (second > 0) for first, second in table.values())
    return "\n".join(lines), len(table), both, some, table[128, 160]


PAGE = """# Studies

What people compare, side by side, each by the ordinary analysis. All of this page is written by

    python3 bench/studies.py build/gpubound --sets {sets} --into doc

in which {sets} sets are drawn at each utilisation; the same command gives the same bytes. A set is accepted where every deadline is proven, or conditional on
assumptions that the task set names. The utilisation test, that kernels fill no more than the whole time, is necessary: nobody can accept more.
How gpubound's bounds stand beside the figures of other published analyses, bound by bound, is a subject of its own (peers.md).

## Time slices, on GCAPS' sets

Four contexts on the sets of GCAPS (ECRTS 2024), whose Eq. 3 leaves out that an own slice begins with a switch. With it Eq. 3 is a sound bound of the same
model, and no set that it accepts is refused by gpubound: {lost} of them here.

![Acceptance over utilisation](studies-slices.svg)

{slices}

## Partitions, slices or a lock, for three networks

The three networks of examples/networks-*.xml, closed programs of which only whole times are known. The sets are the same for the three designs: periods
from 2 to 100 ms, deadlines at their end, utilisations on the whole GPU. In its partition a network takes as much longer as was measured (detector
1,281 by 1,200 us, segmentation 6,169 by 4,020), and beside the others by the factors of the example. *Lock, classical* is the analysis of non-preemptive
fixed priorities with no cost of anything, which no lock can be better than; the distance to *lock* is what taking and giving the lock, launches and
dependencies cost.

![Acceptance over utilisation](studies-networks.svg)

{networks}

## How long slices should be

The same design in time slices, over the length of the driver's slices, with switches of 180 us: short ones are lost to switches, long ones are waited for.

![Weighted schedulability over the length of slices](studies-lengths.svg)

{lengths}

## A robot: what one task gains, another pays

The design that `gpubound advise examples/robot.xml` finds, with each combination of five lengths of slices for its three processes: {robot_rows} of 125 are
proven. Those than which none is better for both tasks:

![Pareto front of control and detector](studies-robot.svg)

{robot}

## RTAS 2020: which blocks meet

Two launches of four blocks on eight SMs (Olmedo et al., RTAS 2020, Figure 5; examples/two-streams.xml), over the threads of a block of each, and reordered, which the
paper leaves for later. There is an SM for every block, and blocks meet on one all the same where those of the first kernel leave as much room there for those of the second as an
empty SM has. A cell says on how many SMs they meet where resize is launched first, and where filter is, as `gpubound map` predicts it: the figure's
case, 128 and 160 threads, meets on {figure[0]} SMs, and reordered on {figure[1]}. Of {pairs} pairs {some} meet in one order alone and {both} in both: an order of launches that is
in one's hand, as in a CUDA graph, is worth as much as a block shape. A bound holds for any order and placement, so it gains only where a design
makes one of them impossible.

{shapes}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("gpubound", type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--sets", type=int, default=60)
    parser.add_argument("--into", default="doc", type=lambda path: str(pathlib.Path(path).resolve()))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        study = Study(options, pathlib.Path(folder))
        gcaps_table, lost = slices(study)
        robot_table, robot_rows = robot(study)
        shape_table, pairs, both, some, figure = shapes(study)
        page = PAGE.format(sets=options.sets, slices=gcaps_table, lost=lost, networks=networks(study), lengths=slice_lengths(study), robot=robot_table,
                           robot_rows=robot_rows, shapes=shape_table, pairs=pairs, both=both, some=some, figure=figure)
    (pathlib.Path(options.into) / "studies.md").write_text(page)


if __name__ == "__main__":
    main()
