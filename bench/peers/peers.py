"""gpubound beside the tools that others use, on the models that they know: values, time, memory, acceptance.

Fetches nothing. Each option names the folder of a peer where it is installed; of a peer that is not named the tables say so. All do the same work in turns
in one run. What is compared, and with what:

    fixed priorities without preemption, sporadic tasks    pyRTA, pyCPA (SPNP), MAST (non_preemptive_rm), SchedCAT (its CAN bus)
    first in, first out                                    pyRTA
    contexts in time slices, one kernel a job              pyCPA (RoundRobinScheduler)
    contexts in time slices, 1 to 3 kernels a job          GCAPS (analysis/default_driver.py), as published and with the switches of own slices
    job sets on one and on several processors              SAG (nptest)

pyRTA's time has a tick, of which what blocks is one short; gpubound is told so for it (time.tick), and not for the others, whose time has none.

usage: peers.py GPUBOUND [--pyrta FOLDER] [--pycpa FOLDER] [--mast FOLDER] [--schedcat FOLDER] [--sag FOLDER] [--gcaps FOLDER] [...]; --help
Exit status 1: gpubound is below a peer whose values are exact or proved (pyRTA, SAG), or a set accepted by GCAPS with switches is not accepted.
"""
import argparse
import collections
import csv
import io
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
import gcaps  # noqa: E402
import round_robin as turns  # noqa: E402

Run = collections.namedtuple("Run", "output seconds kilobytes")  # of one process, from its start to its end


def run(command, text=None, folder=None):
    """The memory is told by time(1), whose own is small; 0 where it is not installed."""
    with tempfile.TemporaryFile("w+") as given, tempfile.TemporaryFile("w+") as output:
        given.write(text or "")
        given.seek(0)
        begin = time.perf_counter()
        with tempfile.NamedTemporaryFile("r") as memory:
            timed = ["time", "-q", "-f", "%M", "-o", memory.name] if shutil.which("time") else []
            subprocess.run(timed + [str(word) for word in command], stdin=given, stdout=output, stderr=subprocess.DEVNULL, cwd=folder)
            seconds = time.perf_counter() - begin
            kilobytes = int(memory.read() or 0)
        output.seek(0)
        return Run(output.read(), seconds, kilobytes)


class Table:
    """Rows of text; the first one is the head."""

    def __init__(self, title, *head):
        self.title, self.rows = title, [head]

    def add(self, *row):
        self.rows.append(tuple(str(cell) for cell in row))
        print("  " + "  ".join(self.rows[-1]), flush=True)

    def markdown(self):
        lines = ["| " + " | ".join(row) + " |" for row in self.rows]
        lines.insert(1, "| " + " | ".join("---" for _ in self.rows[0]) + " |")
        return f"### {self.title}\n\n" + "\n".join(lines) + "\n"


VALUES = ("peer", "bounds", "equal", "peer less", "peer more", "mean peer / gpubound", "only peer", "only gpubound", "peer, ms", "gpubound, ms", "peer, MB",
    "gpubound, MB")


def compare(table, name, theirs, ours, least):
    """Rows of responses, None where there is none, and the least (seconds, kilobytes) of each side. How many are less than ours."""
    pairs = [(a, b) for first, second in zip(theirs, ours, strict=True) for a, b in zip(first, second, strict=True)]
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    less = sum(a < b for a, b in both)
    table.add(name, len(both), sum(a == b for a, b in both), less, sum(a > b for a, b in both),
        f"{sum(a / b for a, b in both) / max(1, len(both)):.4f}", sum(b is None and a is not None for a, b in pairs),
        sum(a is None and b is not None for a, b in pairs), *(f"{1000 * side[0]:.1f}" for side in least),
        *(f"{side[1] / 1024:.1f}" for side in least))
    return sum(a > b for a, b in both)


def missing(table, name, option):
    table.add(f"{name}: not given ({option})", *[""] * (len(table.rows[0]) - 1))


# ---- tasks on one processor; a tick is 1 us


def draw_tasks(draw, count, load):
    """[C, T], the shortest period first: C by UUniFast, T log-uniform from 10 to 1000 ms in whole milliseconds."""
    while True:
        periods = sorted(1000 * round(10 ** draw.uniform(1, 3)) for _ in range(count))
        tasks = [[int(part * period), period] for part, period in zip(gcaps.divide(draw, load, count), periods)]
        if all(cost > 0 for cost, period in tasks):
            return tasks


def draw_all(options):
    draw = random.Random(f"{options.seed} processor")
    return [draw_tasks(draw, count, load) for count in (5, 10, 20) for load in (0.5, 0.7, 0.9) for _ in range(max(1, options.sets // 9))]


def write_processor(options, folder, name, tasks, policy, tick):
    """As gpubound import poet writes it; for fifo with all tasks on one stream. The path of the task set."""
    path = folder / f"{name}.xml"
    lines = ["scheduling policy: FP\npreemption model: NP\ntask set:"]
    for i, (cost, period) in enumerate(tasks):
        level = len(tasks) - i if policy == "fp" else 1
        lines.append(f"- id: {i + 1}\n  worst-case execution time: {cost}\n  period: {period}\n  deadline: {period}\n  priority: {level}")
    (folder / "poet.yaml").write_text("\n".join(lines) + "\n")
    platform = folder / f"{name}-platform.xml"
    run([options.gpubound, "import", "poet", folder / "poet.yaml", "-o", path, "--platform-output=" + str(platform)])
    if policy == "fifo":
        text = re.sub(r'<stream id="cpu-t(?!1")\d+"[^>]*/>\s*', "", path.read_text())
        path.write_text(re.sub(r'stream="cpu-t\d+"', 'stream="cpu-t1"', text))
    if not tick:
        platform.write_text(re.sub(r"\s*<parameter name=\"time.tick\"[^>]*/>", "", platform.read_text()))
    return path


def read_responses(text, counts, unit):
    """Of tasks, set by set."""
    values = [row["response_ns"] for row in csv.DictReader(io.StringIO(text)) if row["kind"] == "task"]
    values = [int(value) / unit if value else None for value in values]
    assert len(values) == sum(counts), (len(values), sum(counts))
    return [[values.pop(0) for _ in range(count)] for count in counts]


def analyse(options, paths, counts, unit=1000):
    """(responses, Run); all task sets in one process, in units of so many ns."""
    done = run([options.gpubound, "analyze", "-q", "--format=csv", *paths])
    return read_responses(done.output, counts, unit), done


def library(options, peer, folder, work):
    python = options.python2 if peer == "schedcat" else sys.executable
    done = run([python, HERE / "libraries.py", peer, folder], json.dumps(work))
    if not done.output:
        raise SystemExit(f"{peer} in {folder} does not run: {python} {HERE / 'libraries.py'} {peer} {folder} says why")
    return [[value and round(value, 6) for value in row] for row in json.loads(done.output)["responses"]], done


def mast_model(tasks):
    parts = ["Model (Model_Name => drawn, Model_Date => 2026-01-01);", "Processing_Resource (Type => Regular_Processor, Name => gpu);",
        "Scheduler (Type => Primary_Scheduler, Name => levels, Host => gpu, Policy => (Type => Fixed_Priority));"]
    for i, (cost, period) in enumerate(tasks):
        parts.append(f"""Scheduling_Server (Type => Regular, Name => s{i}, Scheduler => levels, Server_Sched_Parameters =>
 (Type => Non_Preemptible_FP_Policy, The_Priority => {len(tasks) - i}, Preassigned => Yes));
Operation (Type => Simple, Name => o{i}, Worst_Case_Execution_Time => {cost});
Transaction (Type => Regular, Name => t{i}, External_Events => ((Type => Sporadic, Name => e{i}, Min_Interarrival => {period})),
 Internal_Events => ((Type => Regular, Name => f{i}, Timing_Requirements => (Type => Hard_Global_Deadline, Deadline => {period}, Referenced_Event => e{i}))),
 Event_Handlers => ((Type => Activity, Input_Event => e{i}, Output_Event => f{i}, Activity_Operation => o{i}, Activity_Server => s{i})));""")
    return "\n".join(parts)


def with_mast(options, folder, sets):
    """One process a set, as it is made: the seconds are their sum."""
    responses, seconds, kilobytes = [], 0, 0
    for tasks in sets:
        (folder / "model.txt").write_text(mast_model(tasks))
        (folder / "result.txt").unlink(missing_ok=True)
        done = run([options.mast / "mast_analysis", "non_preemptive_rm", "-f", "100", folder / "model.txt", folder / "result.txt"], folder=folder)
        seconds, kilobytes = seconds + done.seconds, max(kilobytes, done.kilobytes)
        text = (folder / "result.txt").read_text() if (folder / "result.txt").exists() else ""
        found = dict(re.findall(r"Event_Name\s*=>\s*f(\d+),.*?Worst_Global_Response_Times.*?Time_Value\s*=>\s*([\d.E+]+)", text, re.S))
        responses.append([float(found[str(i)]) if str(i) in found else None for i in range(len(tasks))])
    return responses, Run("", seconds, kilobytes)


def in_turns(rounds, *sides):
    """Each side is called in turn, so many times; the results of the last calls and the least (seconds, kilobytes) of each."""
    least = [(float("inf"), float("inf"))] * len(sides)
    results = [None] * len(sides)
    for _ in range(rounds):
        for i, side in enumerate(sides):
            results[i], done = side()
            least[i] = min(least[i][0], done.seconds), min(least[i][1], done.kilobytes)
    return results, least


def processors(options, folder, policy):
    """One processor; how many of gpubound's responses are below what is proved."""
    title = "Fixed priorities without preemption" if policy == "fp" else "First in, first out"
    sets = draw_all(options)
    print(f"{title}: {len(sets)} sets")
    table = Table(f"{title}: {len(sets)} task sets of 5, 10 and 20 tasks, load 0.5, 0.7 and 0.9", *VALUES)
    counts = [len(tasks) for tasks in sets]
    paths = {tick: [write_processor(options, folder, f"{policy}-{tick}-{i}", tasks, policy, tick) for i, tasks in enumerate(sets)]
        for tick in (True, False)}
    below = 0
    for name, peer, tick in (("pyRTA", "pyrta", True), ("pyCPA", "pycpa", False), ("SchedCAT", "schedcat", False), ("MAST", "mast", False)):
        if policy == "fifo" and peer != "pyrta":
            continue
        where = getattr(options, peer)
        if where is None:
            missing(table, name, f"--{peer}")
            continue
        work = {"policy": policy, "sets": sets}
        theirs = (lambda: with_mast(options, folder, sets)) if peer == "mast" else (lambda: library(options, peer, where, work))
        results, least = in_turns(options.rounds, theirs, lambda: analyse(options, paths[tick], counts))
        more = compare(table, name, *results, least)
        below += more if peer == "pyrta" else 0
    return [table], below


# ---- contexts in time slices


def round_robin(options, folder):
    """One kernel a job, no switches."""
    gcaps.SWITCH = 0
    table = Table(f"Time slices without switches, one kernel a job, 8 contexts, {options.sets} sets a point: responses", *VALUES)
    accepted = Table("The same: accepted, in percent", "load", "pyCPA", "gpubound")
    print("Time slices beside round robin")
    if options.pycpa is None:
        missing(table, "pyCPA", "--pycpa")
        return [table], 0
    for load in (0.5, 0.6, 0.7, 0.8, 0.9):
        draw = random.Random(f"{options.seed} {load}")
        sets, paths = [], []
        for i in range(options.sets):
            tasks = [turns.draw_task(draw, part) for part in gcaps.divide(draw, load, 8)]
            sets.append([[kernels[0], period] for period, _, kernels in tasks])
            paths.append(folder / f"turns-{i}.xml")
            gcaps.write(paths[-1], tasks)
        work = {"policy": "turns", "slice": gcaps.SLICE, "sets": sets}
        results, least = in_turns(1, lambda: library(options, "pycpa", options.pycpa, work), lambda: analyse(options, paths, [8] * len(sets), 1))
        compare(table, f"pyCPA, load {load}", *results, least)
        accepted.add(load, *(percent([all(r is not None and r <= period for r, (_, period) in zip(row, tasks, strict=True))
            for row, tasks in zip(side, sets, strict=True)]) for side in results))
    return [table, accepted], 0


def percent(verdicts):
    return f"{100 * sum(verdicts) / len(verdicts):.1f}"


def published_acceptance(driver, tasks):
    """GCAPS' own code: each task on a core of its own, the transfers of a segment in its host time, milliseconds."""
    import sched_common

    models = []
    for i, (period, hosts, kernels) in enumerate(tasks):
        model = sched_common.Task()
        model.id = model.cpu = i
        model.T, model.C_hi = period / gcaps.MS, sum(hosts) / gcaps.MS
        model.ges = [sched_common.GPUseg(G=kernel / gcaps.MS, Ge=kernel / gcaps.MS) for kernel in kernels]
        model.G_hi = model.Ge_hi = sum(kernels) / gcaps.MS
        models.append(model)
    return driver.rt_test(models)


def slices(options, folder):
    """1 to 3 kernels a job, switches; how many sets GCAPS with the switches of own slices accepts and gpubound does not."""
    gcaps.SWITCH = 200_000
    table = Table(f"Time slices of {gcaps.SLICE / 1000:.0f} us, switches of {gcaps.SWITCH / 1000:.0f} us, 1 to 3 kernels a job, {options.sets} sets a "
        "point: accepted, in percent", "contexts", "load", "GCAPS, its code", "Eq. 3", "Eq. 3 and own switches", "gpubound", "only with own switches",
        "only gpubound")
    print("Time slices beside GCAPS")
    driver = None
    if options.gcaps is not None:
        sys.path.insert(0, str(options.gcaps / "analysis"))
        import default_driver as driver

        driver.L, driver.theta = gcaps.SLICE / gcaps.MS, gcaps.SWITCH / gcaps.MS
    lost = 0
    for contexts in (4, 8):
        for load in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
            draw = random.Random(f"{options.seed} {contexts} {load}")
            sets = [gcaps.draw_set(draw, load, contexts, 0) for _ in range(options.sets)]
            paths = [folder / f"slices-{i}.xml" for i in range(len(sets))]
            for path, tasks in zip(paths, sets):
                gcaps.write(path, tasks)
            responses, _ = analyse(options, paths, [contexts] * len(sets), 1)
            ours = [all(r is not None and r <= task[0] for r, task in zip(row, tasks, strict=True)) for row, tasks in zip(responses, sets, strict=True)]
            switched = [gcaps.accepts(tasks, True) for tasks in sets]
            only = [sum(a and not b for a, b in zip(first, second)) for first, second in ((switched, ours), (ours, switched))]
            lost += only[0]
            code = percent([published_acceptance(driver, tasks) for tasks in sets]) if driver else "not given (--gcaps)"
            table.add(contexts, load, code, percent([gcaps.accepts(tasks, False) for tasks in sets]), percent(switched), percent(ours), *only)
    return [table], lost


# ---- job sets


def draw_jobs(draw, cores):
    """Jobs of a hyperperiod: (task, number, release, latest release, C least, C, deadline, priority), the shortest period first."""
    periods = sorted(draw.choice((1000, 2000, 4000, 5000, 10000)) for _ in range(draw.randint(4, 10)))
    jobs = []
    for task, (period, part) in enumerate(zip(periods, gcaps.divide(draw, draw.uniform(0.3, 0.6) * cores, len(periods)))):
        cost = min(period, max(2, int(part * period)))
        least, jitter = draw.randint(cost // 2 + 1, cost), draw.choice((0, period // 10))
        jobs += [(task + 1, k + 1, k * period, k * period + jitter, least, cost, (k + 1) * period, task + 1) for k in range(20000 // period)]
    return jobs


def read_completions(path):
    """{(task, job): (worst completion, worst response)}"""
    rows = list(csv.reader(path.open()))[1:]
    return {(int(row[0]), int(row[1])): (int(row[3]), int(row[5])) for row in rows}


def job_sets(options, folder):
    table = Table("Job sets of which SAG proves every deadline", "processors", "sets", "jobs", "equal", "SAG less", "SAG more", "mean SAG / gpubound",
        "SAG, ms", "gpubound, ms", "SAG, MB", "gpubound, MB")
    print("Job sets beside SAG")
    if options.sag is None or options.explore is None:
        missing(table, "SAG", "--sag and --explore")
        return [table], 0
    below = 0
    for cores in (1, 2, 4):
        draw = random.Random(f"{options.seed} jobs {cores}")
        sets = seconds_peer = seconds_own = memory_peer = memory_own = 0
        pairs = []
        for _ in range(max(1, options.sets // 2)):
            jobs = folder / "jobs.csv"
            jobs.write_text("Task ID, Job ID, Arrival min, Arrival max, Cost min, Cost max, Deadline, Priority\n"
                + "".join(", ".join(map(str, job)) + "\n" for job in draw_jobs(draw, cores)))
            theirs = run([options.sag / "nptest", "-m", cores, "-r", jobs], folder=folder)
            if theirs.output.split(",")[1].strip() != "1":
                continue
            ours = run([options.explore, jobs, "-", cores, "--print"])
            values = {(int(row[0]), int(row[1])): int(row[2]) for row in csv.reader(ours.output.splitlines()[1:])}
            peers = read_completions(folder / "jobs.rta.csv")
            assert values.keys() == peers.keys(), (len(values), len(peers))
            pairs += [(peers[job][1], values[job] - peers[job][0] + peers[job][1]) for job in values]
            sets += 1
            seconds_peer, seconds_own = seconds_peer + theirs.seconds, seconds_own + ours.seconds
            memory_peer, memory_own = max(memory_peer, theirs.kilobytes), max(memory_own, ours.kilobytes)
        below += sum(a > b for a, b in pairs) if cores == 1 else 0  # for several its values are no exact ones
        table.add(cores, sets, len(pairs), sum(a == b for a, b in pairs), sum(a < b for a, b in pairs), sum(a > b for a, b in pairs),
            f"{sum(a / b for a, b in pairs) / max(1, len(pairs)):.4f}", f"{1000 * seconds_peer:.1f}", f"{1000 * seconds_own:.1f}",
            f"{memory_peer / 1024:.1f}", f"{memory_own / 1024:.1f}")
    return [table], below


# ---- what peers printed, kept with the tests


def published(options, folder):
    """pyRTA's bounds of POET's task sets in which each task has a priority of its own, as POET takes equals in any order, and SAG's of its examples."""
    table = Table("Published bounds", "source", "bounds", "equal", "published less", "published more")
    print("Published bounds")
    poet, pairs, equals = options.poet, [], 0
    names = collections.defaultdict(dict)
    for row in csv.DictReader((poet / "expected_wcrt.csv").open()):
        names[row["file"]][int(row["task_id"])] = int(row["wcrt_bound"])
    for name, expected in sorted(names.items()):
        path = poet / "cases" / name if (poet / "cases").exists() else poet / name
        levels = collections.Counter(re.findall(r"priority: *(\d+)", path.read_text()))
        if max(levels.values()) > 1:
            equals += 1
            continue
        run([options.gpubound, "import", "poet", path, "-o", folder / "poet.xml", f"--platform-output={folder / 'poet-platform.xml'}"])
        rows = csv.DictReader(io.StringIO(run([options.gpubound, "analyze", "-q", "--format=csv", folder / "poet.xml"]).output))
        ours = {int(row["task"][1:]): int(row["response_ns"] or -1000) / 1000 for row in rows if row["kind"] == "task"}
        pairs += [(bound, ours[task]) for task, bound in expected.items()]
    count_published(table, f"pyRTA, {len(names) - equals} of POET's task sets", pairs)  # some are not the least: tests/papers/poet.py
    below = 0
    if options.explore:
        pairs = []
        for expected in sorted(HERE.parents[1].glob("tests/papers/sag/expected_*.txt")):
            jobs = expected.with_name(expected.stem[len("expected_"):] + ".csv")
            edges = jobs.with_name(jobs.stem.split("-400MHz")[0] + ".prec.csv")
            done = run([options.explore, jobs, edges if edges.exists() else "-", 2 if "global" in jobs.name else 1, "--print"])
            ours = {tuple(map(int, row[:2])): int(row[2]) for row in csv.reader(done.output.splitlines()[1:])}
            pairs += [(completion, ours[job]) for job, (completion, _) in read_completions(expected).items()]
        below = count_published(table, "SAG, its examples", pairs)
    else:
        missing(table, "SAG", "--explore")
    return [table], below


def count_published(table, name, pairs):
    more = sum(a > b for a, b in pairs)
    table.add(name, len(pairs), sum(a == b for a, b in pairs), sum(a < b for a, b in pairs), more)
    return more


def write_into(path, tables):
    """Between the lines <!-- tables --> and <!-- end of tables -->; all else stays."""
    begin, end = "<!-- tables -->\n", "<!-- end of tables -->"
    text = path.read_text()
    head, rest = text.split(begin)
    path.write_text(head + begin + "\n" + "\n".join(table.markdown() for table in tables) + "\n" + end + rest.split(end)[1])


PARTS = {"published": published, "priorities": lambda options, folder: processors(options, folder, "fp"), "fifo": lambda options, folder: processors(options, folder, "fifo"),
    "round-robin": round_robin, "gcaps": slices, "jobs": job_sets}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("gpubound")
    for peer, what in (("pyrta", "pyRTA"), ("pycpa", "pyCPA"), ("mast", "MAST, with the program mast_analysis in it"), ("schedcat", "SchedCAT"),
            ("sag", "SAG, with the program nptest in it"), ("gcaps", "gcaps-super-repo")):
        parser.add_argument(f"--{peer}", type=lambda text: pathlib.Path(text).resolve(), metavar="FOLDER", help=f"the folder of {what}")
    parser.add_argument("--python2", default="python2", help="runs SchedCAT")
    parser.add_argument("--explore", help="tests/papers/sag of a build with -Dtesting=true, which reads SAG's job sets")
    parser.add_argument("--poet", type=pathlib.Path, default=HERE.parents[1] / "tests/papers/poet", metavar="FOLDER",
        help="POET's task sets with expected_wcrt.csv; without it those of tests/papers/poet")
    parser.add_argument("--sets", type=int, default=200, help="a point")
    parser.add_argument("--rounds", type=int, default=3, help="times that each has its turn; the least time counts")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=PARTS, action="append", help="this part alone")
    parser.add_argument("--into", type=pathlib.Path, metavar="FILE", help="write the tables into FILE, such as doc/peers.md")
    options = parser.parse_args()
    tables, failures = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for part in options.only or PARTS:
            found, failed = PARTS[part](options, pathlib.Path(folder))
            tables += found
            failures += failed
    if options.into:
        write_into(options.into, tables)
    print("\n".join(table.markdown() for table in tables))
    print(f"below what is proved, or rejected where GCAPS with own switches accepts: {failures}")
    return failures > 0


if __name__ == "__main__":
    raise SystemExit(main())
