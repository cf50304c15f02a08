"""Makes the i-th allocation of a whole run of the command line fail, for every i or for a sample of them.

usage: oom.py GPUBOUND SOURCE [--runs N]      N: about so many runs, the last allocations always among them; absent: all
Whichever allocation fails, the exit status is 5, the message stands on standard error once, standard output is empty, the report that
was there before is untouched, and no temporary file is left. Two task sets: one as it is, and one that is read with its schema, too, which
libxml2 allocates most for. Needs a build with -Dtesting=true.
"""
import os
import subprocess
import sys
import tempfile

OUT_OF_MEMORY = 5
MESSAGE = b"gpubound: out of memory\n"
OLD = b"the report of an earlier run\n"
LAST = 50  # the allocations while the report is written
SLACK = 100  # libxml2 seeds its hash tables by the clock, so that two runs differ by a few allocations: the last may not be reached


def start(program, taskset, folder, environment):
    report = os.path.join(folder, "out.xml")
    with open(report, "wb") as file:
        file.write(OLD)
    process = subprocess.run([program, "analyze", taskset, "-o", report], cwd=folder, env=dict(os.environ, **environment),
                             stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
    with open(report, "rb") as file:
        return process, file.read()


def run(program, taskset, allocation, folder):
    """The exit status and what is wrong with the run, None where nothing is."""
    process, report = start(program, taskset, folder, {"GPUBOUND_FAIL_ALLOCATION": str(allocation)})
    if process.returncode != OUT_OF_MEMORY:
        return process.returncode, "exit status %d" % process.returncode
    faults = [
        (process.stderr.count(MESSAGE) != 1 or not process.stderr.endswith(MESSAGE), "the message stands not once, at the end"),
        (process.stdout != b"", "something was printed"),
        (report != OLD, "the report was written"),
        (os.listdir(folder) != ["out.xml"], "files were left: %s" % os.listdir(folder)),
    ]
    return OUT_OF_MEMORY, next((text for wrong, text in faults if wrong), None)


def count_allocations(program, taskset, folder):
    """The greatest i that a run reaches: below it all runs fail for want of memory, above it none does."""
    low, high = 0, 1
    while run(program, taskset, high, folder)[0] == OUT_OF_MEMORY:
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        if run(program, taskset, middle, folder)[0] == OUT_OF_MEMORY:
            low = middle
        else:
            high = middle
    return low


def sample(total, runs):
    if runs is None:
        return range(1, total + 1)
    step = max(1, total // max(1, runs - LAST))
    return sorted(set(range(1, total + 1, step)) | set(range(max(1, total - LAST + 1), total + 1)))


def check(program, taskset, least, runs):
    """Returns how many allocations are wrongly handled; there are `least` of them at least."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        normal = start(program, taskset, folder, {})[0].returncode
        total = count_allocations(program, taskset, folder)
        if total < least:
            sys.exit("only %d allocations failed: is this a build with -Dtesting=true?" % total)
        chosen = sample(total, runs)
        for allocation in chosen:
            status, fault = run(program, taskset, allocation, folder)
            beyond = status == normal and allocation > total - min(SLACK, total // 10)
            if fault is not None and not beyond:
                failed += 1
                print("allocation %d: %s" % (allocation, fault))
    print("%d of %d allocations made to fail, %d wrongly handled" % (len(chosen), total, failed))
    return failed


def main():
    program, source = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    runs = int(sys.argv[4]) // 2 if sys.argv[3:4] == ["--runs"] else None
    plain = os.path.join(source, "examples", "two-streams.xml")
    with tempfile.TemporaryDirectory() as folder:
        with open(plain) as file:
            text = file.read()
        marked = os.path.join(folder, "two-streams.xml")
        with open(marked, "w") as file:
            file.write(text.replace("<title>", "<title><![CDATA[]]>", 1))
        failed = check(program, plain, 60, runs) + check(program, marked, 2000, runs)
    sys.exit(1 if failed else 0)


main()
