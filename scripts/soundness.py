#!/usr/bin/env python3
"""Bounds held against silicon: random task sets, run on a GPU by probe/scenario.cu, their jobs compared with what the analyser printed.

usage: soundness.py generate [--overload] SEED COUNT FOLDER BLOCKS       writes FOLDER/scenarios.txt and FOLDER/ID.xml for each scenario
       soundness.py convert FOLDER TASKSET...               the same of task sets of your own
       soundness.py refine FOLDER COMPANY                   gives the kernels of FOLDER/ID.xml the block times that COMPANY has
       soundness.py curves BLOCKS                           the kernels of BLOCKS as elements of a task set, with their curves
       soundness.py check [-v] [--tasks FILE] [--conditions A-X,...] [--fit] [--stamps FILE] [--model FILE] GPUBOUND FOLDER JOBS...

BLOCKS is a recording of probe/blocks.cu: the WCET of a kernel's block is the longest that was recorded of it in the company that the
scenario's family allows, and MARGIN more. COMPANY is a recording of `scenario --company`: the longest of a block in the company of its own task set, which is
what an engineer would measure of his; with MARGIN more it is the WCET then. JOBS are recordings of probe/scenario.cu. Recordings may be compressed by gzip. The families:

  spin        blocks hold their SM for a fixed time; many shapes mix on an SM
  exclusive   kernels of the library whose blocks fill an SM each by their shared memory: they meet in the memory system only; and memsets,
              whose blocks are the driver's: nobody says what shape they have, so that beside them an SM surely holds one block of a kernel
  like        streams that all run one kernel of the library: its blocks share SMs with their like only
  any         any kernels of the library, which share SMs: a warp scheduler lets some of them starve

and, where --families names them, of blocks that hold their SM for a fixed time, with a stamp before and behind each copy:

  several     jobs on several streams with events, several of a task at once, streams of several tasks, waits for another task's event
  copying     copies of both directions and kernels in turns, on 3 to 6 streams that share the copy engines
  phased      tasks of known phases
  fitting     blocks of one shape: A-FIT follows from order
  unfitting   blocks that do not fit and wait, and behind them blocks that do: the H200 serves them in order, against A-FIT
  partitioned two or three partitions of SMs (green contexts), each loaded by more than a half
  crossing    two partitions, and a task that goes from the one to the other

With --overload the lower of two levels gets half as much again to do as the whole GPU could, so that its backlog grows all the time; the
higher level's bounds must hold whatever it does.

`convert` takes any task set of one application with periodic tasks of copies, memsets and kernels of scope block, records and waits; what a task
does on a stream must end in a kernel. A kernel whose id ends in a dot and a name of probe/catalogue.h is that kernel; any other holds its SM for
its bcet, or its wcet where it has none: the schedule is the machine's then, the block times are the file's.

What else the bounds need is declared with the figures below, measured by probe/overheads.cu on the machine in question and rounded up.
`check` holds each job against the bounds: those by volume alone (the model without A-ORDER), those of the model as it is, and those under
--conditions (default: A-HOL, A-PRIO, A-WC), and with --fit those under A-FIT without A-ORDER, and prints how many tasks have one and how far
it is from the worst observed. A job above its bound is looked into: was a job released later than its jitter (A-HOST) or did a block run longer
than its WCET (A-WCET) in the time that the bound looks at, or is the bound wrong? With --stamps, a recording of `scenario --stamps`, copies, too:
were they there, without a gap, for longer than their WCETs and what is declared for each? It also tells how many were passed, against A-CE. With
--model, bounds are those of that model, such as gpubound-calibrate(1) writes, and of its own overheads where it has them, in place of
models/h200.xml and of what the task sets declare.
Exit status: 1 if a job exceeded a bound while all of what was declared held.
"""
import argparse
import collections
import csv
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

from scenarios import DECLARED, FAMILIES, JITTER, JOBS, LAG, MARGIN, ORDERED, PARTED, BLOCK_EXTRA, Library, enlarged, operation_lines, overloaded, read_blocks, rows, \
    scenario, scenario_text, taskset_xml, work_ns

CONDITIONS = "A-HOL,A-PRIO,A-WC"
CLOCK = 1000            # ns: within which stamps tell which of two was first
STAMP_ERROR = 15000     # ns: of a stamp by the host's clock
COPY_OVERHEAD = 15000   # ns: as declared
MODEL = pathlib.Path(__file__).resolve().parent.parent / "models" / "h200.xml"

Job = collections.namedtuple("Job", "task number response error nominal end")
Breach = collections.namedtuple("Breach", "assumption what begin end")  # of what was declared


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


def generate(arguments):
    rng = random.Random(arguments.seed)
    library = Library(arguments.blocks)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    seconds = 0
    with open(arguments.folder / "scenarios.txt", "w", encoding="utf-8") as out:
        for i in range(arguments.count):
            family = arguments.families.split(",")[i % len(arguments.families.split(","))]
            sizes = ()
            if family in PARTED:
                streams, tasks, sizes = PARTED[family](rng)
            elif family in ORDERED:
                streams, tasks = ORDERED[family](rng)
            else:
                streams, tasks = (overloaded if arguments.overload else scenario)(rng, family, library)
            name = f"{family}-{'overload-' * arguments.overload}{arguments.seed}-{i}"
            out.write(scenario_text(name, family, streams, tasks, arguments.overload, sizes))
            (arguments.folder / f"{name}.xml").write_text(taskset_xml(name, family, streams, tasks, sizes), encoding="utf-8")
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


def operation_text(path, node, waited):
    kind = node.tag.removeprefix(NS)
    if kind == "record" and node.get("event") not in waited:
        return "stamp"
    if kind in ("record", "wait"):
        return f'{kind} {node.get("event")}'
    if kind in ("copy", "memset"):
        return " ".join(w for w in (kind, node.get("direction"), str(quantity(node.get("bytes"), SIZE))) if w)
    if kind != "kernel" or node.get("scope") != "block":
        sys.exit(f"{path}: {kind} {node.get('id')}: expected copies, memsets, records, waits and kernels of scope block")
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
    waited = {n.get("event") for n in root.iter(NS + "wait")}
    jitters = [quantity(t.get("jitter", "0ns"), TIME) for t in root.iter(NS + "task")]
    lines = [f"scenario {root.get('id')} {min(jitters, default=0) * LAG // JITTER}"]
    lines += [f"stream {int(level == min(levels) < max(levels))}" for level in levels]
    for task in root.iter(NS + "task"):
        operations_ = [n for n in task if n.get("stream")]
        last = {n.get("stream"): n.tag.removeprefix(NS) for n in operations_ if n.tag not in (NS + "record", NS + "wait")}
        if task.get("arrival", "periodic") != "periodic" or set(last.values()) != {"kernel"}:
            sys.exit(f"{path}: task {task.get('id')}: expected a periodic task whose work on each stream ends in a kernel")
        numbers = [s.get("id") for s in streams]
        stream = numbers.index(operations_[0].get("stream"))
        lines.append(f"task {task.get('id')} {quantity(task.get('period'), TIME)} {quantity(task.get('offset', '0ns'), TIME)} {JOBS} {stream}")
        lines += operation_lines(stream, [(numbers.index(n.get("stream")), operation_text(path, n, waited)) for n in operations_])
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
                text, count = re.subn(rf'(<(?:kernel|copy) id="{re.escape(node.get("id"))}"[^>]*? wcet=")[^"]*"', rf'\g<1>{enlarged(ns)}ns"', text)
                if count != 1:
                    sys.exit(f"{path}: no operation {node.get('id')} with its id before its wcet")
        text = text.replace("block times in the company of the family, probe/blocks.cu", "block times in the company of this task set, scenario --company")
        path.write_text(text, encoding="utf-8")
    return 0


# ---- partitions

def partitions_of(path):
    """(streams, load) of each partition: the WCETs of its kernels' waves, as blocks of whole SMs' warps, over their tasks' periods."""
    root = ElementTree.parse(path).getroot()
    size = {p.get("id"): int(p.get("size")) for p in root.iter(NS + "partition")}
    of = {s.get("id"): s.get("partition") for s in root.iter(NS + "stream")}
    load = collections.Counter()
    for task in root.iter(NS + "task"):
        for kernel in task.iter(NS + "kernel"):
            part = of[kernel.get("stream")]
            if part:
                an_sm = 64 // -(-extent(kernel.get("block")) // 32)
                waves_ = -(-extent(kernel.get("grid")) // (size[part] * an_sm))
                load[part] += waves_ * quantity(kernel.get("wcet"), TIME) / quantity(task.get("period"), TIME)
    return [(sum(p == part for p in of.values()), load[part]) for part in size]


def tell_partitions(folder, names):
    families = collections.defaultdict(list)
    for name in names:
        families[name.split("-")[0]] += partitions_of(folder / f"{name}.xml")
    for family, of in sorted(families.items()):
        if of:
            loads = sorted(load for _, load in of)
            print(f"partitions of {family}: {len(of)}, {sum(streams > 1 for streams, _ in of)} with two or more streams; load least {loads[0]:.2f} "
                  f"median {percentile(loads, .5):.2f} greatest {loads[-1]:.2f}")


# ---- jobs against bounds

def own_numbers(taskset, model):
    """The task set without what it declares and the model says, but where that is the shipped one."""
    for name, _ in DECLARED if model != MODEL else ():
        if f'<parameter name="{name}"' in model.read_text(encoding="utf-8"):
            taskset = re.sub(rf'  <declare name="{re.escape(name)}".*\n', "", taskset)
    return taskset


def bounds(gpubound, path, assume, denied, model=MODEL):
    command = [gpubound, "analyze", "--quiet", "--format=csv", *(f"--assume={a}" for a in assume if a)]
    if not denied and model == MODEL:
        text = subprocess.run([*command, str(path)], capture_output=True, text=True, check=False).stdout
    else:
        with tempfile.TemporaryDirectory() as folder:
            copy, platform = pathlib.Path(folder) / path.name, model.read_text(encoding="utf-8")
            platform = re.sub(r'.*<assumption id="A-ORDER".*\n', "", platform) if denied else platform
            (pathlib.Path(folder) / "model.xml").write_text(platform, encoding="utf-8")
            taskset = own_numbers(path.read_text(encoding="utf-8"), model)
            copy.write_text(taskset.replace('platform="h200"', 'platform="./model.xml"', 1), encoding="utf-8")
            text = subprocess.run([*command, str(copy)], capture_output=True, text=True, check=False).stdout
    return {r["task"]: (int(r["response_ns"]), r["bound"]) for r in csv.DictReader(io.StringIO(text)) if r["kind"] == "task" and r["response_ns"]}


def declared(path):
    """(task, operation) -> WCET of a block, or of a copy."""
    return {key: quantity(node.get("wcet"), TIME) for key, node in operations_of(path).items() if node.get("wcet")}


class Observed:
    """What was recorded of one scenario."""

    def __init__(self, wcets):
        self.wcets, self.longest = wcets, collections.defaultdict(int)
        self.worst, self.jobs, self.late, self.long, self.responses = {}, 0, [], [], []
        self.issued = {}  # (task, job) -> when its last launch call had returned, by the stamps' clock at the latest

    def wcet_share(self):
        """How much of a ratio is due to block times that were longer in company than in this run: the mean over the kernels."""
        shares = [self.wcets[k] / self.longest[k] for k in self.wcets if self.longest.get(k)]
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
            one.issued[task, int(row["job"])] = int(row["issued_ns"]) + STAMP_ERROR
            one.responses.append(Job(task, int(row["job"]), response, error, nominal, end))
            if lateness > JITTER:
                one.late.append(Breach("A-HOST", f'job {row["job"]} of {task} was released {lateness} ns late', nominal, end))
            else:  # a job released later than declared says nothing of how tight a bound is
                one.worst[task] = max(one.worst.get(task, 0), response)
    return seen


Copy = collections.namedtuple("Copy", "task job operation direction ready sure end")


def stamped(path, folder, seen):
    """Scenario -> its copies, each with the stamps before and behind it; not those behind which it waits for an event first. A stamp that was
    reached before the job's last launch call had returned may have been reached before the copy's: `sure` is when the copy was there."""
    stamps = {}
    for row in rows(path):
        stamps.setdefault(row["scenario"], {})[row["task"], int(row["job"]), int(row["operation"])] = int(row["reached_ns"])
    for name, reached in stamps.items():
        nodes, issued = operations_of(folder / f"{name}.xml"), seen[name].issued
        yield name, [Copy(task, job, i + 1, nodes[task, i + 1].get("direction"), ns, max(ns, issued[task, job]), reached[task, job, i + 2])
                     for (task, job, i), ns in reached.items()
                     if (task, i + 1) in nodes and nodes[task, i + 1].tag == NS + "copy" and (task, job, i + 2) in reached]


def overlapping(copies, begin):
    """In runs of which each is without a gap, if they begin so."""
    runs, end = [], 0
    for copy in sorted(copies, key=begin):
        if not runs or begin(copy) > end:
            runs.append([])
            end = 0
        runs[-1].append(copy)
        end = max(end, copy.end)
    return runs


def busy(copies):
    """Of one direction: from, to, and the copies that may have been served then; all the time one was there for sure."""
    for run in overlapping(copies, lambda c: c.ready):
        for part in overlapping([c for c in run if c.sure < c.end], lambda c: c.sure):
            begin, end = part[0].sure, max(c.end for c in part)
            yield begin, end, [c for c in run if c.ready < end and c.end > begin]


def passed(copies):
    """Of one direction: those of which one that came later was done before, and how much later that one came."""
    latest = 0
    for copy in sorted(copies, key=lambda c: c.end):
        if copy.sure < min(copy.end, latest - CLOCK):
            yield copy, latest - copy.sure
        latest = max(latest, copy.ready)


def observe_copies(path, folder, seen):
    """An engine needs the WCETs of the copies that are there for as long as one is there, whatever their order, and what was declared of it for each."""
    count, alone, runs, later = 0, 0, 0, []
    for name, copies in stamped(path, folder, seen):
        one = seen[name]
        for direction in ("h2d", "d2h"):
            of = [c for c in copies if c.direction == direction]
            count, later = count + len(of), later + [ns for _, ns in passed(of)]
            for begin, end, served in busy(of):
                alone, runs = alone + (len(served) == 1), runs + (len(served) > 1)
                if len(served) == 1 and served[0].sure == served[0].ready:
                    key = served[0].task, served[0].operation
                    one.longest[key] = max(one.longest[key], end - begin)
                if end - begin > sum(one.wcets[c.task, c.operation] + COPY_OVERHEAD for c in served):
                    one.long.append(Breach("A-WCET", f"{len(served)} copies {direction} took {end - begin} ns", begin, end))
    print(f"copies: {count}, {alone} of them alone on their engine, the others in {runs} runs; {len(later)} were passed by one that came later "
          f"(A-CE), by {max(later, default=0)} ns at most")


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
        behind = {}  # the last job of a task that was above and why: who comes before it has ended is in its backlog
        for job in one.responses:
            if job.task not in limits[name] or job.response - job.error <= limits[name][job.task][0]:
                continue
            why = excuse(one, job, limits[name][job.task][0])
            if why is None and job.task in behind and behind[job.task][0].end > job.nominal:
                why = behind[job.task][1]
            behind[job.task] = job, why
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
    if arguments.stamps:
        observe_copies(arguments.stamps, arguments.folder, seen)
    tell_partitions(arguments.folder, seen)
    table, status = [], 0
    rests = [("by volume", "", True), ("as the model is", "", False), ("under " + arguments.conditions, arguments.conditions, False)]
    for title, assume, denied in rests + [("under A-FIT", "A-FIT", True)] * arguments.fit:
        def limits_of(name, assume=assume, denied=denied):
            return name, bounds(arguments.gpubound, arguments.folder / f"{name}.xml", assume.split(","), denied, arguments.model)
        with ThreadPoolExecutor(2) as pool:
            limits = dict(pool.map(limits_of, sorted(seen)))
        status |= judge(title, seen, limits, arguments.verbose, table) > 0
    compare(table, sum(len(one.worst) for one in seen.values()))
    late, long = sum(len(o.late) for o in seen.values()), sum(len(o.long) for o in seen.values())
    print(f"what was declared: {late} jobs released later than {JITTER} ns (A-HOST), {long} kernels or runs of copies longer than their WCETs "
          "say (A-WCET)")
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
    one.add_argument("--fit", action="store_true")
    one.add_argument("--stamps", type=pathlib.Path)
    one.add_argument("--model", type=pathlib.Path, default=MODEL)
    one.add_argument("gpubound")
    one.add_argument("folder", type=pathlib.Path)
    one.add_argument("jobs", nargs="+", type=pathlib.Path)
    one.set_defaults(run=check)
    arguments = parser.parse_args()
    return arguments.run(arguments)


if __name__ == "__main__":
    sys.exit(main())
