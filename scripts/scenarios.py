"""What scripts/soundness.py draws and writes: task sets as scenarios for probe/scenario.cu and as XML for the analyser.

A task is its period, its offset (None: unknown) and its operations, each on a stream. The families are told apart in soundness.py's own text.
"""
import collections
import csv
import gzip
import math

MARGIN = (11, 10)       # of recorded block times
BLOCK_EXTRA = 1000      # ns: from the end of a block to the begin of the next in its place, and what a record does not see
LAG = 250000            # ns: releases are late by up to this, on purpose
ORDERED_LAG = 150000    # of jobs with many launch calls
JITTER = 320000         # ns: that, and what the host may need for its launch calls
JOBS = 50
OVERLOAD = 1.5          # load of the lower level with --overload
SMS = 132
COPY_NS, COPY_BYTES_A_NS = 40000, 20
MEMSET_NS, MEMSET_BYTES_A_NS = 40000, 200
DECLARED = (("overhead.launch", "5us"), ("overhead.block", "1ns"), ("overhead.dependency", "3us"), ("overhead.copy", "15us"),
            ("queues.hardware", "32"), ("queues.resident-grids", "128"), ("concurrent-kernels", "yes"), ("copy-runlist", "own"),
            ("copy.engines", "2"), ("engine.h2d", "0"), ("engine.d2h", "1"))
FAMILIES = ("spin", "exclusive", "like", "any")
COMPANY = {"exclusive": ("alone", "same", "exclusive"), "like": ("alone", "same", "like"),
           "any": ("alone", "same", "like", "mixed")}
EXCLUSIVE_SHARED = 120 * 1024

PARTITIONS = ((56, 56), (40, 80), (16, 104), (24, 48, 48), (64, 32, 16), (8, 112))  # SMs, by groups of 8

Kernel = collections.namedtuple("Kernel", "name grid threads shared static wcet an_sm amount")
Task = collections.namedtuple("Task", "period offset operations")  # operations: (stream, Kernel or a tuple of words)


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


def grid(rng, an_sm, sms=SMS):
    """One to six waves, full or not."""
    waves = rng.randrange(1, 7)
    return waves * sms * an_sm if rng.random() < 0.5 else rng.randrange(1 + (waves - 1) * sms * an_sm, waves * sms * an_sm)


def spin(rng, sms=SMS):
    threads = rng.choice((128, 256, 384, 512, 768, 1024))
    an_sm = 64 // (threads // 32)
    ns = rng.randrange(20, 150) * 1000
    return Kernel("spin", grid(rng, an_sm, sms), threads, 0, 4, ns + BLOCK_EXTRA, an_sm, ns)


# ---- task sets

def waves(k, sms=SMS):
    return -(-k.grid // (sms * k.an_sm))


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


def level_work(tasks, sms=SMS):
    return sum(waves(k, sms) * k.wcet for t in tasks for k in t if isinstance(k, Kernel))


def chains(periods, tasks):
    """Each task with a stream of its own, at unknown phases."""
    return [Task(period, None, [(i, o) for o in operations_]) for i, (period, operations_) in enumerate(zip(periods, tasks))]


def overloaded(rng, family, library):
    """The first streams are of the higher level and share a load that can be borne; the others are issued faster than they can run."""
    count = rng.randrange(2, 6)
    like = rng.choice(library.names(family)) if family == "like" else None
    high = rng.randrange(1, count)
    tasks = [operations(rng, family, library, like) for _ in range(count)]
    periods = (max(3000000, int(level_work(tasks[:high]) / rng.uniform(0.1, 0.3)) // 100000 * 100000),
               max(100000, int(level_work(tasks[high:]) / OVERLOAD) // 10000 * 10000))
    return [int(i < high) for i in range(count)], chains([periods[i >= high] for i in range(count)], tasks)


def scenario(rng, family, library):
    count = rng.randrange(2, 6)
    like = rng.choice(library.names(family)) if family == "like" else None
    two = rng.random() < 0.4
    streams = [int(two and rng.random() < 0.35) for _ in range(count)]
    tasks = [operations(rng, family, library, like) for _ in range(count)]
    period = max(3000000, int(level_work(tasks) / rng.uniform(0.35, 0.6)) // 100000 * 100000)
    meet = rng.random() < 0.7
    periods = [period if meet else period * rng.choice((2, 3, 4)) // 2 for _ in tasks]
    return streams, chains(periods, tasks)


# ---- task sets of kernels that only hold their SMs: what is looked at is order

def holding(rng, threads, waves_, ns):
    """A kernel of at most so many waves, a third of them less than one."""
    an_sm = 64 // (threads // 32)
    count = rng.randrange(1, SMS) if rng.random() < 0.33 else rng.randrange(1, waves_ * SMS * an_sm + 1)
    amount = rng.randrange(*ns) * 1000
    return Kernel("spin", count, threads, 0, 4, amount + BLOCK_EXTRA, an_sm, amount)


def any_threads(rng):
    return rng.choice((128, 256, 512, 768, 1024))


def copied(direction, size):
    """A copy between two stamps, so that its time is known."""
    return [("stamp",), ("copy", direction, size), ("stamp",)]


def cost(o):
    return o.wcet * waves(o) if isinstance(o, Kernel) else copy_ns(o[2]) if o[0] == "copy" else 5000


def least_period(rng, tasks, load, line):
    """Such that kernels one after another take this part of it, the copies of an engine and the operations of a stream this one, at most."""
    streams, engines, kernels = collections.Counter(), collections.Counter(), 0
    for task in tasks:
        for stream, o in task:
            streams[stream] += cost(o)
            kernels += cost(o) if isinstance(o, Kernel) else 0
            if o[0] == "copy":
                engines[o[1]] += cost(o)
    most = max([*streams.values(), *engines.values()])
    return max(2500000, int(max(kernels / load, most / line)) // 50000 * 50000)


def numbered(tasks, periods, offsets):
    """Streams by number, in the order in which they come."""
    numbers = {}
    result = []
    for task, period, offset in zip(tasks, periods, offsets):
        result.append(Task(period, offset, [(numbers.setdefault(stream, len(numbers)), o) for stream, o in task]))
    return len(numbers), result


def pipeline(rng, task, others):
    """A job whose stages go from stream to stream; most of its streams are its own, and most changes are ordered by an event."""
    streams = [rng.choice(others) if others and rng.random() < 0.25 else (task, i) for i in range(rng.randrange(1 if task else 2, 4))]
    streams = list(dict.fromkeys(streams))
    turns = [rng.randrange(len(streams)) for _ in range(rng.randrange(0, 4))] + list(range(len(streams)))
    if rng.random() < 0.6:
        turns.sort()
    result, before = [], None
    for turn in turns:
        stream = streams[turn]
        if before not in (None, stream) and rng.random() < 0.85:
            event = f"t{task}e{len(result)}"
            result += [(before, ("record", event)), (stream, ("wait", event))]
        stage = [holding(rng, any_threads(rng), 2, (20, 250))]
        if rng.random() < 0.4:
            stage = copied(rng.choice(("h2d", "d2h")), rng.randrange(16, 16000) * 1024)
        result += [(stream, o) for o in stage]
        before = stream
    for stream in streams:  # each must end in a kernel
        if not isinstance([o for s, o in result if s == stream][-1], Kernel):
            result.append((stream, holding(rng, 128, 1, (5, 20))))
    return result


def several(rng):
    """Jobs on several streams with events, jobs of a task at once, streams of several tasks, waits for another task's event."""
    tasks = []
    for i in range(rng.randrange(2, 4)):
        tasks.append(pipeline(rng, i, sorted({s for task in tasks for s, _ in task})))
    one = rng.random() < 0.5
    if one and rng.random() < 0.6:
        tasks[0].append((tasks[0][-1][0], ("record", "done")))
        at = rng.randrange(len(tasks[1]))
        tasks[1].insert(at, (tasks[1][at][0], ("wait", "done")))
    period = least_period(rng, tasks, rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.6))
    count, result = numbered(tasks, [period if one else period * rng.choice((2, 3, 4)) // 2 for _ in tasks], [None] * len(tasks))
    return [0] * count if rng.random() < 0.6 else [int(rng.random() < 0.4) for _ in range(count)], result


def copying(rng):
    """Copies of both directions and kernels in turns, on several streams that share the copy engines."""
    tasks = []
    for i in range(rng.randrange(3, 7)):
        task = []
        for k in range(rng.randrange(1, 5)):
            if k > 0 or rng.random() < 0.8:
                task += copied(("h2d", "d2h")[(k + (rng.random() < 0.2)) % 2], rng.randrange(16, 12000) * 1024)
            task.append(holding(rng, any_threads(rng), 1, (10, 150)))
        tasks.append([((i, 0), o) for o in task])
    period = least_period(rng, tasks, rng.uniform(0.3, 0.6), rng.uniform(0.3, 0.6))
    count, result = numbered(tasks, [period if rng.random() < 0.7 else period * rng.choice((3, 4)) // 2 for _ in tasks], [None] * len(tasks))
    return [int(rng.random() < 0.25) for _ in range(count)], result


def phased(rng):
    """Tasks of known phases: some of the jobs meet, others never."""
    tasks = []
    for i in range(rng.randrange(2, 5)):
        task = [holding(rng, any_threads(rng), 5, (60, 400)) for _ in range(rng.randrange(1, 3))]
        if rng.random() < 0.4:
            task = copied("h2d", rng.randrange(16, 8000) * 1024) + task
        tasks.append([((i, 0), o) for o in task])
    period = least_period(rng, tasks, rng.uniform(0.3, 0.7), rng.uniform(0.4, 0.7))
    periods = [period * rng.choice((1, 1, 2)) for _ in tasks]
    offsets = [rng.randrange(0, period // 2 if rng.random() < 0.3 else period, 50000) for _ in tasks]
    count, result = numbered(tasks, periods, offsets)
    return [int(rng.random() < 0.2) for _ in range(count)], result


def fitting(rng):
    """Blocks of one shape: where one has no room none has, so that A-FIT follows from order."""
    threads, tasks = any_threads(rng), []
    for i in range(rng.randrange(2, 6)):
        task = [holding(rng, threads, 2, (40, 300)) for _ in range(rng.randrange(1, 3))]
        tasks.append([((i, 0), o) for o in task])
    period = least_period(rng, tasks, rng.uniform(0.12, 0.35), rng.uniform(0.3, 0.6))
    count, result = numbered(tasks, [period if rng.random() < 0.7 else period * rng.choice((3, 4)) // 2 for _ in tasks], [None] * len(tasks))
    return [int(rng.random() < 0.4) for _ in range(count)], result


def unfitting(rng):
    """Blocks of 768 threads, of which an SM holds two, and behind them blocks of 512 at most, for which it has room all the time."""
    tasks = [[((0, 0), holding(rng, 768, 4, (60, 150)))], [((1, 0), holding(rng, rng.choice((128, 256, 512)), 1, (20, 60)))]]
    period = least_period(rng, tasks, 0.3, 0.5)
    count, result = numbered(tasks, [period] * 2, [None] * 2)
    return [0] * count, result


# ---- partitions

Stream = collections.namedtuple("Stream", "priority partition")


def in_partition(rng, sms, copies):
    """One to three kernels, and sometimes copies round them."""
    task = [spin(rng, sms) for _ in range(rng.randrange(1, 4))]
    if copies and rng.random() < 0.5:
        task = copied("h2d", rng.randrange(4, 2000) * 1024) + task
    if copies and len(task) > 1 and rng.random() < 0.3:
        task[-1:-1] = copied("d2h", rng.randrange(4, 400) * 1024)
    return task


def partitioned(rng):
    """Partitions that are each loaded by more than a half, half of them with two or more streams; now and then copies on shared engines."""
    sizes, streams, tasks = rng.choice(PARTITIONS), [], []
    copies = rng.random() < 0.25
    for number, sms in enumerate(sizes, 1):
        count = 1 if rng.random() < 0.5 else rng.randrange(2, 4)
        two = count > 1 and rng.random() < 0.4
        own = [in_partition(rng, sms, copies) for _ in range(count)]
        while level_work(own, sms) < 1100000:
            rng.choice(own).append(spin(rng, sms))
        period = int(level_work(own, sms) / rng.uniform(0.52, 0.72)) // 50000 * 50000
        for i, task in enumerate(own):
            tasks.append(Task(period, None, [(len(streams), o) for o in task]))
            streams.append(Stream(int(two and i == 0), number))
    return streams, tasks, sizes


def crossing(rng):
    """Two partitions, and a task that goes from the one to the other by an event."""
    sizes, streams, tasks = rng.choice([s for s in PARTITIONS if len(s) == 2]), [Stream(0, 1), Stream(0, 2)], []
    first, then = [spin(rng, sizes[0])], [spin(rng, sizes[1])]
    tasks.append([(0, o) for o in first] + [(0, ("record", "half")), (1, ("wait", "half"))] + [(1, o) for o in then])
    for number, sms in enumerate(sizes, 1):
        if rng.random() < 0.6:
            tasks.append([(len(streams), spin(rng, sms)) for _ in range(rng.randrange(1, 3))])
            streams.append(Stream(0, number))
    work = sum(waves(o, sizes[streams[stream].partition - 1]) * o.wcet for task in tasks for stream, o in task if isinstance(o, Kernel))
    period = max(2500000, int(work / rng.uniform(0.4, 0.7)) // 50000 * 50000)
    return streams, [Task(period, None, task) for task in tasks], sizes


PARTED = {"partitioned": partitioned, "crossing": crossing}
ORDERED = {"several": several, "copying": copying, "phased": phased, "fitting": fitting, "unfitting": unfitting}


def work_ns(tasks):
    return max(t.period for t in tasks) * JOBS


def stream_line(stream):
    return f"stream {stream.priority} {stream.partition}" if isinstance(stream, Stream) else f"stream {stream}"


def scenario_text(name, family, streams, tasks, overload, sizes=()):
    longest = max(t.period for t in tasks)
    lines = [f"scenario {name} {ORDERED_LAG if family in ORDERED else LAG}"] + [f"partition {sms}" for sms in sizes]
    lines += [stream_line(s) for s in streams]
    for i, task in enumerate(tasks):
        jobs = min(4 * JOBS, JOBS * longest // task.period) if overload or sizes or task.offset is not None else JOBS  # all for as long
        lines.append(f"task t{i} {task.period} {task.offset or 0} {jobs} {task.operations[0][0]}")
        lines += operation_lines(task.operations[0][0], [(stream, operation_line(o)) for stream, o in task.operations])
    return "\n".join(lines) + "\n"


def operation_line(o):
    if not isinstance(o, Kernel):
        return " ".join(str(x) for x in o if x != "")
    return f"spin {o.grid} {o.threads} {o.shared} {o.amount}" if o.name == "spin" else f"kernel {o.name} {o.grid} 0"


def operation_lines(stream, operations_):
    """With a line where the stream changes; `stream` is where a task begins."""
    for of, text in operations_:
        if of != stream:
            yield f"on {of}"
        stream = of
        yield text


def copy_ns(size):
    return COPY_NS + size // COPY_BYTES_A_NS


def operation_xml(i, n, stream, o):
    where = f'id="t{i}o{n}" stream="s{stream}"'
    if o[0] in ("record", "wait", "stamp"):
        return f'    <{o[0].replace("stamp", "record")} {where} event="{o[1] if len(o) > 1 else f"t{i}o{n}"}"/>'
    if not isinstance(o, Kernel):
        what, direction, size = o
        ns = copy_ns(size) if what == "copy" else MEMSET_NS + size // MEMSET_BYTES_A_NS
        direction = f'direction="{direction}" ' if direction else ""
        return f'    <{what} {where} {direction}bytes="{size}B" wcet="{ns}ns"/>'
    bcet = f' bcet="{o.amount}ns"' if o.amount else ""
    return (f'    <kernel {where} scope="block" grid="{o.grid}" block="{o.threads}" registers="32" shared-static="{o.static}B" '
            f'shared-dynamic="{o.shared}B" carveout="100"{bcet} wcet="{o.wcet}ns"/>')


def interference_of_copies(family, by):
    if family in ORDERED or family in PARTED:
        by = 'source="copies were measured in company" by="gpubound"'
    return f'  <interference from="all" victim="transfer" value="{1.5 if family in FAMILIES else 1}" {by}/>'


def streams_xml(streams):
    levels = [s.priority if isinstance(s, Stream) else s for s in streams]
    both = len(set(levels)) > 1
    for i, (stream, level) in enumerate(zip(streams, levels)):
        partition = f' partition="p{stream.partition}"' if isinstance(stream, Stream) else ""
        yield f'    <stream id="s{i}" kind="non-blocking" priority="{int(both and not level)}"{partition}/>'


def taskset_xml(name, family, streams, tasks, sizes=()):
    by = 'source="measured by probe/overheads.cu and rounded up, scripts/soundness.py" by="gpubound"'
    lines = [f'<taskset xmlns="urn:gpubound:taskset:1" id="{name}" platform="h200" origin="blocks">',
             f"  <title>Random scenario {name}, family {family}</title>",
             '  <origins><origin id="blocks" kind="measured" source="block times in the company of the family, probe/blocks.cu; '
             f'{(MARGIN[0] - MARGIN[1]) * 100 // MARGIN[1]} % and {BLOCK_EXTRA} ns added" samples="1000"/></origins>']
    lines += [f'  <declare name="{n}" value="{v}" {by}/>' for n, v in DECLARED]
    lines += [f'  <interference from="all" victim="any" value="1" source="block times were measured in company" by="gpubound"/>',
              interference_of_copies(family, by)]
    lines += [f'  <partition id="p{i}" kind="green" size="{sms}"/>' for i, sms in enumerate(sizes, 1)]
    lines += ['  <application id="a">', *streams_xml(streams), "  </application>"]
    lines += [f'  <event id="{o[1] if len(o) > 1 else f"t{i}o{n}"}"/>' for i, task in enumerate(tasks)
              for n, (_, o) in enumerate(task.operations) if o[0] in ("record", "stamp")]
    for i, task in enumerate(tasks):
        offset = "" if task.offset is None else f' offset="{task.offset}ns"'
        lines.append(f'  <task id="t{i}" period="{task.period}ns"{offset} jitter="{JITTER}ns" deadline="{task.period}ns">')
        lines += [operation_xml(i, n, stream, o) for n, (stream, o) in enumerate(task.operations)]
        lines.append("  </task>")
    return "\n".join(lines + ["</taskset>\n"])
