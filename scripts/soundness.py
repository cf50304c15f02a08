#!/usr/bin/env python3
"""Bounds held against silicon: random task sets, run on a GPU by probe/scenario.cu, their jobs compared with what the analyser printed.

usage: soundness.py generate [--overload] SEED COUNT FOLDER BLOCKS       writes FOLDER/scenarios.txt and FOLDER/ID.xml for each scenario
       soundness.py convert FOLDER TASKSET...               the same of task sets of your own
       soundness.py refine FOLDER COMPANY                   gives the kernels of FOLDER/ID.xml the block times that COMPANY has
       soundness.py curves BLOCKS                           the kernels of BLOCKS as elements of a task set, with their curves
       soundness.py check [-v] [--tasks FILE] [--conditions A-X,...] GPUBOUND FOLDER JOBS...

BLOCKS is a recording of probe/blocks.cu: the WCET of a kernel's block is the longest that was recorded of it in the company that the
scenario's family allows, and MARGIN more. COMPANY is a recording of `scenario --company`: the longest of a block in the company of its own task set, which is
what an engineer would measure of his; with MARGIN more it is the WCET then. JOBS are recordings of probe/scenario.cu. Recordings may be compressed by gzip. The families:

  spin        blocks hold their SM for a fixed time; many shapes mix on an SM
  exclusive   kernels of the library whose blocks fill an SM each by their shared memory: they meet in the memory system only; and memsets,
              whose blocks are the driver's: nobody says what shape they have, so that beside them an SM surely holds one block of a kernel
  like        streams that all run one kernel of the library: its blocks share SMs with their like only
  any         any kernels of the library, which share SMs: a warp scheduler lets some of them starve

With --overload the lower of two levels gets half as much again to do as the whole GPU could, so that its backlog grows all the time; the
higher level's bounds must hold whatever it does.

`convert` takes any task set of one application with periodic tasks of copies, memsets and kernels of scope block, the last of each task a
kernel. A kernel whose id ends in a dot and a name of probe/catalogue.h is that kernel; any other holds its SM for its bcet, or its wcet where it
has none: the schedule is the machine's then, the block times are the file's.

What else the bounds need is declared with the figures below, measured by probe/overheads.cu on the machine in question and rounded up.
`check` holds each job against the bounds: those by volume alone (the model without A-ORDER), those of the model as it is, and those under
--conditions (default: A-HOL, A-PRIO, A-WC), and prints how many tasks have one and how far it is from the worst observed. A job above its
bound is looked into: was a job released later than its jitter (A-HOST) or did a block run longer than its WCET (A-WCET) in the time that the
bound looks at, or is the bound wrong?
Exit status: 1 if a job exceeded a bound while all of what was declared held.
"""
import argparse
import collections
import csv
import gzip
import io
import math
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

MARGIN = (11, 10)       # of recorded block times
BLOCK_EXTRA = 1000      # ns: from the end of a block to the begin of the next in its place, and what a record does not see
LAG = 250000            # ns: releases are late by up to this, on purpose
JITTER = 320000         # ns: that, and what the host may need for its launch calls
JOBS = 50
OVERLOAD = 1.5          # load of the lower level with --overload
SMS = 132
COPY_NS, COPY_BYTES_A_NS = 40000, 20
MEMSET_NS, MEMSET_BYTES_A_NS = 40000, 200
DECLARED = (("overhead.launch", "5us"), ("overhead.block", "1ns"), ("overhead.dependency", "3us"), ("overhead.copy", "15us"),
            ("queues.hardware", "32"), ("queues.resident-grids", "128"), ("concurrent-kernels", "yes"), ("copy-runlist", "own"),
            ("copy.engines", "2"), ("engine.h2d", "0"), ("engine.d2h", "1"))
CONDITIONS = "A-HOL,A-PRIO,A-WC"
MODEL = pathlib.Path(__file__).resolve().parent.parent / "models" / "h200.xml"
FAMILIES = ("spin", "exclusive", "like", "any")
COMPANY = {"exclusive": ("alone", "same", "exclusive"), "like": ("alone", "same", "like"),
           "any": ("alone", "same", "like", "mixed")}
EXCLUSIVE_SHARED = 120 * 1024

Job = collections.namedtuple("Job", "task number response error nominal end")
Breach = collections.namedtuple("Breach", "assumption what begin end")  # of what was declared
Kernel = collections.namedtuple("Kernel", "name grid threads shared static wcet an_sm amount")


def rows(path):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(line for line in file if not line.startswith("#"))


# ---- what kernels there are, and how long a block of them takes

def read_blocks(path):
    """(kernel, environment) -> the longest; kernel -> its threads, shared memory and blocks an SM."""
    longest, shape = collections.defaultdict(int), {}
    for row in rows(path):
        key = row["kernel"], row["environment"]
        longest[key] = max(longest[key], int(row["longest_ns"]))
        shape[row["kernel"]] = int(row["threads"]), int(row["shared"]), int(row["static"]), int(row["fit"])
    return longest, shape


def enlarged(ns):
    return ns * MARGIN[0] // MARGIN[1] + BLOCK_EXTRA


class Library:
    def __init__(self, path):
        self.longest, self.shape = read_blocks(path)

    def names(self, family):
        return sorted(n for n in self.shape if n.endswith("-x") == (family == "exclusive"))

    def kernel(self, rng, family, name):
        threads, shared, static, fit = self.shape[name]
        wcet = enlarged(max(self.longest[name, e] for e in COMPANY[family]))
        return Kernel(name, grid(rng, fit), threads, shared, static, wcet, fit, 0)


def curves(arguments):
    """C_K[r]: a block's longest time with r blocks of its kernel on its SM, alone on the GPU; beside others it is what `company` says."""
    longest, shape = read_blocks(arguments.blocks)
    resident, samples = collections.defaultdict(dict), collections.Counter()
    for row in rows(arguments.blocks):
        samples[row["kernel"]] += 1
        if row["environment"] in ("alone", "same"):
            curve, r = resident[row["kernel"]], int(row["resident"])
            curve[r] = max(curve.get(r, 0), int(row["longest_ns"]))
    for name in sorted(shape):
        threads, shared, static, _ = shape[name]
        company = ", ".join(f"{e} {longest[name, e]}ns" for e in ("alone", "same", "like", "exclusive", "mixed") if longest[name, e])
        print(f"<!-- {name}: longest of {samples[name]} launches by company: {company} -->")
        print(f'<kernel id="{name}" scope="block" block="{threads}" shared-static="{static}B" shared-dynamic="{shared}B">')
        least = 0
        for r in sorted(resident[name]):
            least = max(least, enlarged(resident[name][r]))  # more blocks on an SM are no better
            print(f'  <resident blocks="{r}" wcet="{least}ns"/>')
        print("</kernel>")
    return 0


def grid(rng, an_sm):
    """One to six waves, full or not."""
    waves = rng.randrange(1, 7)
    return waves * SMS * an_sm if rng.random() < 0.5 else rng.randrange(1 + (waves - 1) * SMS * an_sm, waves * SMS * an_sm)


def spin(rng):
    threads = rng.choice((128, 256, 384, 512, 768, 1024))
    an_sm = 64 // (threads // 32)
    ns = rng.randrange(20, 150) * 1000
    return Kernel("spin", grid(rng, an_sm), threads, 0, 4, ns + BLOCK_EXTRA, an_sm, ns)


# ---- task sets

def waves(k):
    return -(-k.grid // (SMS * k.an_sm))


def operations(rng, family, library, like):
    result = []
    for _ in range(rng.randrange(1, 4)):
        if family == "spin":
            result.append(spin(rng))
        else:
            result.append(library.kernel(rng, family, like if family == "like" else rng.choice(library.names(family))))
    if rng.random() < 0.3:
        result.insert(0, ("copy", "h2d", rng.randrange(4, 1000) * 1024))
    if len(result) > 1 and rng.random() < 0.3:
        result.insert(len(result) - 1, ("copy", "d2h", rng.randrange(4, 200) * 1024))
    if family == "exclusive" and len(result) > 1 and rng.random() < 0.2:
        result.insert(len(result) - 1, ("memset", "", rng.randrange(4, 4000) * 1024))
    return result


def level_work(tasks):
    return sum(waves(k) * k.wcet for t in tasks for k in t if isinstance(k, Kernel))


def overloaded(rng, family, library):
    """The first streams are of the higher level and share a load that can be borne; the others are issued faster than they can run."""
    count = rng.randrange(2, 6)
    like = rng.choice(library.names(family)) if family == "like" else None
    high = rng.randrange(1, count)
    tasks = [operations(rng, family, library, like) for _ in range(count)]
    periods = (max(3000000, int(level_work(tasks[:high]) / rng.uniform(0.1, 0.3)) // 100000 * 100000),
               max(100000, int(level_work(tasks[high:]) / OVERLOAD) // 10000 * 10000))
    return [int(i < high) for i in range(count)], [(periods[i >= high], t) for i, t in enumerate(tasks)]


def scenario(rng, family, library):
    count = rng.randrange(2, 6)
    like = rng.choice(library.names(family)) if family == "like" else None
    two = rng.random() < 0.4
    streams = [int(two and rng.random() < 0.35) for _ in range(count)]
    tasks = [operations(rng, family, library, like) for _ in range(count)]
    period = max(3000000, int(level_work(tasks) / rng.uniform(0.35, 0.6)) // 100000 * 100000)
    meet = rng.random() < 0.7
    periods = [period if meet else period * rng.choice((2, 3, 4)) // 2 for _ in tasks]
    return streams, list(zip(periods, tasks))


def work_ns(tasks):
    return max(p for p, _ in tasks) * JOBS


def scenario_text(name, streams, tasks, overload):
    longest = max(p for p, _ in tasks)
    lines = [f"scenario {name} {LAG}"] + [f"stream {p}" for p in streams]
    for i, (period, operations_) in enumerate(tasks):
        jobs = min(4 * JOBS, JOBS * longest // period) if overload else JOBS  # as long as the higher level has jobs
        lines.append(f"task t{i} {period} 0 {jobs} {i}")
        for o in operations_:
            if not isinstance(o, Kernel):
                lines.append(" ".join(str(x) for x in o if x != ""))
            elif o.name == "spin":
                lines.append(f"spin {o.grid} {o.threads} {o.shared} {o.amount}")
            else:
                lines.append(f"kernel {o.name} {o.grid} 0")
    return "\n".join(lines) + "\n"


def operation_xml(i, n, o):
    where = f'id="t{i}o{n}" stream="s{i}"'
    if not isinstance(o, Kernel):
        what, direction, size = o
        fixed, rate = (COPY_NS, COPY_BYTES_A_NS) if what == "copy" else (MEMSET_NS, MEMSET_BYTES_A_NS)
        direction = f'direction="{direction}" ' if direction else ""
        return f'    <{what} {where} {direction}bytes="{size}B" wcet="{fixed + size // rate}ns"/>'
    bcet = f' bcet="{o.amount}ns"' if o.amount else ""
    return (f'    <kernel {where} scope="block" grid="{o.grid}" block="{o.threads}" registers="32" shared-static="{o.static}B" '
            f'shared-dynamic="{o.shared}B" carveout="100"{bcet} wcet="{o.wcet}ns"/>')


def taskset_xml(name, family, streams, tasks):
    by = 'source="measured by probe/overheads.cu and rounded up, scripts/soundness.py" by="gpubound"'
    lines = [f'<taskset xmlns="urn:gpubound:taskset:1" id="{name}" platform="h200" origin="blocks">',
             f"  <title>Random scenario {name}, family {family}</title>",
             '  <origins><origin id="blocks" kind="measured" source="block times in the company of the family, probe/blocks.cu; '
             f'{(MARGIN[0] - MARGIN[1]) * 100 // MARGIN[1]} % and {BLOCK_EXTRA} ns added" samples="1000"/></origins>']
    lines += [f'  <declare name="{n}" value="{v}" {by}/>' for n, v in DECLARED]
    lines += [f'  <interference from="all" victim="any" value="1" source="block times were measured in company" by="gpubound"/>',
              f'  <interference from="all" victim="transfer" value="1.5" {by}/>', '  <application id="a">']
    both = len(set(streams)) > 1
    lines += [f'    <stream id="s{i}" kind="non-blocking" priority="{int(both and not p)}"/>' for i, p in enumerate(streams)]
    lines.append("  </application>")
    for i, (period, operations_) in enumerate(tasks):
        lines.append(f'  <task id="t{i}" period="{period}ns" jitter="{JITTER}ns" deadline="{period}ns">')
        lines += [operation_xml(i, n, o) for n, o in enumerate(operations_)]
        lines.append("  </task>")
    return "\n".join(lines + ["</taskset>\n"])


def generate(arguments):
    rng = random.Random(arguments.seed)
    library = Library(arguments.blocks)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    seconds = 0
    with open(arguments.folder / "scenarios.txt", "w", encoding="utf-8") as out:
        for i in range(arguments.count):
            family = arguments.families.split(",")[i % len(arguments.families.split(","))]
            streams, tasks = (overloaded if arguments.overload else scenario)(rng, family, library)
            name = f"{family}-{'overload-' * arguments.overload}{arguments.seed}-{i}"
            out.write(scenario_text(name, streams, tasks, arguments.overload))
            (arguments.folder / f"{name}.xml").write_text(taskset_xml(name, family, streams, tasks), encoding="utf-8")
            seconds += work_ns(tasks) / 1e9 + 0.01
    print(f"{arguments.count} scenarios, about {seconds:.0f} s on the GPU")
    return 0


# ---- task sets of one's own

NS = "{urn:gpubound:taskset:1}"
TIME = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9}
SIZE = {"B": 1, "kB": 1000, "MB": 10**6, "GB": 10**9, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def quantity(text, units):
    number, unit = re.fullmatch(r"([0-9./]+) ?([A-Za-z]+)", text).groups()
    return int(Fraction(number) * units[unit])


def extent(text):
    return math.prod(int(n) for n in text.split("x"))


def operations_of(path):
    """(task, index) -> element of each operation that has a stream."""
    tasks = ElementTree.parse(path).getroot().iter(NS + "task")
    return {(task.get("id"), i): node for task in tasks for i, node in enumerate(n for n in task if n.get("stream"))}


def operation_text(path, node):
    kind = node.tag.removeprefix(NS)
    if kind in ("copy", "memset"):
        return " ".join(w for w in (kind, node.get("direction"), str(quantity(node.get("bytes"), SIZE))) if w)
    if kind != "kernel" or node.get("scope") != "block":
        sys.exit(f"{path}: {kind} {node.get('id')}: expected copies, memsets and kernels of scope block")
    name, grid_ = node.get("id").rpartition(".")[2], extent(node.get("grid"))
    if name != node.get("id"):
        return f"kernel {name} {grid_} 0"
    shared = sum(quantity(node.get(a, "0B"), SIZE) for a in ("shared-static", "shared-dynamic"))
    static = 4 if node.get("shared-static", "0B") == "4B" else 0  # the spinning kernel's own
    return f"spin {grid_} {extent(node.get('block'))} {shared - static} {quantity(node.get('bcet') or node.get('wcet'), TIME)}"


def convert_one(path):
    root = ElementTree.parse(path).getroot()
    streams = list(root.iter(NS + "stream"))
    levels = [int(s.get("priority", 0)) for s in streams]
    jitters = [quantity(t.get("jitter", "0ns"), TIME) for t in root.iter(NS + "task")]
    lines = [f"scenario {root.get('id')} {min(jitters, default=0) * LAG // JITTER}"]
    lines += [f"stream {int(level == min(levels) < max(levels))}" for level in levels]
    for task in root.iter(NS + "task"):
        operations_ = [n for n in task if n.get("stream")]
        if task.get("arrival", "periodic") != "periodic" or not operations_ or operations_[-1].tag != NS + "kernel":
            sys.exit(f"{path}: task {task.get('id')}: expected a periodic task that ends in a kernel")
        stream = [s.get("id") for s in streams].index(operations_[0].get("stream"))
        lines.append(f"task {task.get('id')} {quantity(task.get('period'), TIME)} {quantity(task.get('offset', '0ns'), TIME)} {JOBS} {stream}")
        lines += [operation_text(path, n) for n in operations_]
    return root.get("id"), "\n".join(lines) + "\n"


def convert(arguments):
    arguments.folder.mkdir(parents=True, exist_ok=True)
    made = [(*convert_one(path), path) for path in arguments.tasksets]
    (arguments.folder / "scenarios.txt").write_text("".join(text for _, text, _ in made), encoding="utf-8")
    for name, _, path in made:
        shutil.copy(path, arguments.folder / f"{name}.xml")
    return 0


# ---- block times in the company of the task set

def refine(arguments):
    longest = {(row["scenario"], row["task"], int(row["operation"])): int(row["longest_ns"])
               for row in rows(arguments.company) if row["kernel"] != "spin"}  # whose time is fixed
    for path in sorted(arguments.folder.glob("*.xml")):
        text = path.read_text(encoding="utf-8")
        for (task, operation), node in operations_of(path).items():
            ns = longest.get((path.stem, task, operation))
            if ns is not None:
                text, count = re.subn(rf'(<kernel id="{re.escape(node.get("id"))}"[^>]*? wcet=")[^"]*"', rf'\g<1>{enlarged(ns)}ns"', text)
                if count != 1:
                    sys.exit(f"{path}: no kernel {node.get('id')} with its id before its wcet")
        text = text.replace("block times in the company of the family, probe/blocks.cu", "block times in the company of this task set, scenario --company")
        path.write_text(text, encoding="utf-8")
    return 0


# ---- jobs against bounds

def bounds(gpubound, path, assume, denied):
    command = [gpubound, "analyze", "--quiet", "--format=csv", *(f"--assume={a}" for a in assume if a)]
    if not denied:
        text = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False).stdout
    else:
        with tempfile.TemporaryDirectory() as folder:
            copy, model = pathlib.Path(folder) / path.name, re.sub(r'.*<assumption id="A-ORDER".*\n', "", MODEL.read_text(encoding="utf-8"))
            (pathlib.Path(folder) / "model.xml").write_text(model, encoding="utf-8")
            copy.write_text(path.read_text(encoding="utf-8").replace('platform="h200"', 'platform="./model.xml"', 1), encoding="utf-8")
            text = subprocess.run([*command, str(copy)], capture_output=True, text=True, check=False).stdout
    return {r["task"]: (int(r["response_ns"]), r["bound"]) for r in csv.DictReader(io.StringIO(text)) if r["kind"] == "task" and r["response_ns"]}


def declared(path):
    """(task, operation) -> WCET of a block."""
    return {key: quantity(node.get("wcet"), TIME) for key, node in operations_of(path).items() if node.tag == NS + "kernel"}


class Observed:
    """What was recorded of one scenario."""

    def __init__(self, wcets):
        self.wcets, self.longest = wcets, collections.defaultdict(int)
        self.worst, self.jobs, self.late, self.long, self.responses = {}, 0, [], [], []

    def wcet_share(self):
        """How much of a ratio is due to block times that were longer in company than in this run: the mean over the kernels."""
        shares = [self.wcets[k] / self.longest[k] for k in self.wcets if self.longest[k]]
        return sum(shares) / len(shares) if shares else float("nan")


def observe(paths, folder):
    seen = {}
    for path in paths:
        for row in rows(path):
            name, task = row["scenario"], row["task"]
            if name not in seen:
                seen[name] = Observed(declared(folder / f"{name}.xml"))
            one = seen[name]
            if row["operation"] != "job":
                longest, operation = int(row["longest_ns"]), (task, int(row["operation"]))
                one.longest[operation] = max(one.longest[operation], longest)
                if longest > one.wcets[operation]:
                    one.long.append(Breach("A-WCET", f'a block of {row["kernel"]} ran {longest} ns', int(row["begin_ns"]), int(row["end_ns"])))
                continue
            response, error = int(row["response_ns"]), int(row["clock_error_ns"])
            one.jobs += 1
            nominal, end, lateness = int(row["nominal_ns"]), int(row["end_ns"]), int(row["issued_ns"]) - int(row["nominal_ns"])
            one.responses.append(Job(task, int(row["job"]), response, error, nominal, end))
            if lateness > JITTER:
                one.late.append(Breach("A-HOST", f'job {row["job"]} of {task} was released {lateness} ns late', nominal, end))
            else:  # a job released later than declared says nothing of how tight a bound is
                one.worst[task] = max(one.worst.get(task, 0), response)
    return seen


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))] if values else float("nan")


def spread(values):
    return " ".join(f"{label} {percentile(values, share):.2f}" for label, share in
                    (("least", 0), ("10 %", .1), ("median", .5), ("90 %", .9), ("greatest", 1)))


def excuse(one, job, limit):
    """What was declared and did not hold in the time that a bound on this job looks at: from a bound before its release to its end."""
    return next((b for b in one.late + one.long if b.begin < job.end and b.end > job.nominal - limit), None)


def judge(title, seen, limits, verbose, table):
    per_task, per_scenario, winners, above, broken = collections.defaultdict(list), collections.defaultdict(list), collections.Counter(), [], 0
    without = 0
    for name, one in sorted(seen.items()):
        family = name.split("-")[0]
        ratios = []
        for task, response in one.worst.items():
            if task not in limits[name]:
                without += 1
                continue
            limit, winner = limits[name][task]
            winners[winner] += 1
            ratios.append((limit / response, task, winner))
            per_task[family].append(limit / response)
            table.append((title, family, name, task, winner, limit, response, f"{one.wcet_share():.3f}"))
        if ratios:
            per_scenario[family].append(min(ratios)[0])
        for job in one.responses:
            if job.task not in limits[name] or job.response - job.error <= limits[name][job.task][0]:
                continue
            why = excuse(one, job, limits[name][job.task][0])
            if why is None:
                above.append((name, job, *limits[name][job.task]))
            else:
                broken += 1
                print(f"  {name}: job {job.number} of {job.task} took {job.response} ns, above {limits[name][job.task][0]}, but {why.assumption} "
                      f"did not hold: {why.what}")
    jobs = sum(one.jobs for one in seen.values())
    every, closest = [r for v in per_task.values() for r in v], [r for v in per_scenario.values() for r in v]
    print(f"{title}: {len(seen)} scenarios, {jobs} jobs; above their bound: {len(above)}, and {broken} where what was declared did not hold; "
          f"{len(every)} tasks with a bound, {without} without; winners {dict(sorted(winners.items()))}")
    for family in sorted(per_task) + [""]:
        tasks, scenarios = (per_task[family], per_scenario[family]) if family else (every, closest)
        print(f"  {family or 'all':10s} bound / worst observed by task: {spread(tasks)}; closest task of each scenario: {spread(scenarios)}")
    shares = {f: [seen[row[2]].wcet_share() for row in table if row[0] == title and row[1] == f] for f in per_task}
    for family in sorted(shares):
        print(f"  {family:10s} WCETs over the longest blocks of the run: {spread(shares[family])}")
    for name, job, limit, winner in above:
        print(f"  ABOVE: {name} {job.task} job {job.number}: {job.response} ns (clocks within {job.error}), bound {limit} ns by {winner}")
    if verbose:
        loosest(seen, limits)
    return len(above)


def loosest(seen, limits):
    """The loosest tasks, and why: how much of it is due to block times, and what is left to the schedule."""
    ranked = sorted(((limits[n][t][0] / r, n, t) for n, one in seen.items() for t, r in one.worst.items() if t in limits[n]), reverse=True)
    for ratio, name, task in ranked[:8]:
        share, (limit, winner) = seen[name].wcet_share(), limits[name][task]
        print(f"  loose: {ratio:.2f} {name} {task}: {seen[name].worst[task]} ns of {limit} by {winner}; block times {share:.2f}, "
              f"the schedule {ratio / share:.2f}, {len(seen[name].worst)} streams")


def compare(table, tasks):
    """Each kind of bound beside the next one: how many tasks have it, and how far off it is; and of tasks with two, by how much it is less."""
    kinds = {}
    for title, _, name, task, _, limit, response, _ in table:
        kinds.setdefault(title, {})[name, task] = limit, limit / response
    before = None
    print("bounds,tasks,with_a_bound,median_over_observed,median_of_what_the_kind_above_says")
    for title, of in kinds.items():
        both = [of[key][0] / before[key][0] for key in of if before and key in before]
        print(f'"{title}",{tasks},{len(of)},{percentile([r for _, r in of.values()], .5):.2f},' + (f"{percentile(both, .5):.3f}" if both else ""))
        before = of


def check(arguments):
    seen = observe(arguments.jobs, arguments.folder)
    table, status = [], 0
    for title, assume in (("by volume", ""), ("as the model is", ""), ("under " + arguments.conditions, arguments.conditions)):
        def limits_of(name, assume=assume, denied=title == "by volume"):
            return name, bounds(arguments.gpubound, arguments.folder / f"{name}.xml", assume.split(","), denied)
        with ThreadPoolExecutor(2) as pool:
            limits = dict(pool.map(limits_of, sorted(seen)))
        status |= judge(title, seen, limits, arguments.verbose, table) > 0
    compare(table, sum(len(one.worst) for one in seen.values()))
    late, long = sum(len(o.late) for o in seen.values()), sum(len(o.long) for o in seen.values())
    print(f"what was declared: {late} jobs released later than {JITTER} ns (A-HOST), {long} kernels with a block longer than its WCET (A-WCET)")
    if arguments.tasks:
        with open(arguments.tasks, "w", encoding="utf-8", newline="") as file:
            out = csv.writer(file, lineterminator="\n")
            out.writerow(("bounds", "family", "scenario", "task", "winner", "bound_ns", "worst_observed_ns", "wcet_over_observed"))
            out.writerows(table)
    return int(status)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    actions = parser.add_subparsers(required=True)
    one = actions.add_parser("generate")
    one.add_argument("seed", type=int)
    one.add_argument("count", type=int)
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("blocks", type=pathlib.Path)
    one.add_argument("--overload", action="store_true")
    one.add_argument("--families", default=",".join(FAMILIES))
    one.set_defaults(run=generate)
    one = actions.add_parser("convert")
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("tasksets", nargs="+", type=pathlib.Path)
    one.set_defaults(run=convert)
    one = actions.add_parser("refine")
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("company", type=pathlib.Path)
    one.set_defaults(run=refine)
    one = actions.add_parser("curves")
    one.add_argument("blocks", type=pathlib.Path)
    one.set_defaults(run=curves)
    one = actions.add_parser("check")
    one.add_argument("-v", "--verbose", action="store_true")
    one.add_argument("--tasks")
    one.add_argument("--conditions", default=CONDITIONS)
    one.add_argument("gpubound")
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("jobs", nargs="+", type=pathlib.Path)
    one.set_defaults(run=check)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
