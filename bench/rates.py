"""How many task sets of ten tasks sweep, analyze and the library analyse a second on a core, and how long advise takes, beside their targets.

Time is that of the processor, so that others on the machine do not count. The sets: ten tasks of one kernel each, in three streams, in six levels, and in
ten processes that take turns, where a bound is sought by many more steps. analyze and API, which are API_SETS, take files of such sets, each of which is
another one, in one process: they read and validate each. advise: three streams of three levels and forty kernels, in all designs there are.

usage: rates.py GPUBOUND API_SETS; exit status 1 where a target is missed
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ROBOT = (ROOT / "examples/robot.xml").read_text()
HEAD = ROBOT[:ROBOT.index("  <application")]
TASK = '  <task id="t{0}" period="{1}ms" deadline="{1}ms"><kernel id="k{0}" stream="s{2}" {3} wcet="{4}us"/></task>\n'
BLOCKS = 'scope="block" grid="16" block="256" registers="32"'
SETS, FILES, ADVISE = 5000, 1000, 10  # a second and core; of a run; seconds


def seconds(program, *words):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    result = subprocess.run([program, *map(str, words)], cwd=ROOT, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert result.returncode in (0, 1, 4, 7), (program, result.returncode)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ten(applications, stream_of, kernel, more=0):
    return HEAD + applications + "".join(TASK.format(i, 100 + 10 * i, stream_of(i), kernel, 200 + 10 * i + more) for i in range(10)) + "</taskset>\n"


def one_process(streams, levels):
    priority = 'priority="{}"' if levels else ""
    return '<application id="p">' + "".join(f'<stream id="s{i}" kind="non-blocking" {priority.format(i % 6)}/>' for i in range(streams)) + "</application>\n"


def forty():
    text = ROBOT[:ROBOT.index('  <task id="camera"')]
    for name, period, count, wcet in (("camera", 33, 13, 200), ("detector", 100, 14, 1000), ("control", 20, 13, 200)):
        text += f'<task id="{name}" period="{period}ms" deadline="{period}ms">' + "".join(
            f'<kernel id="{name}{i}" stream="{name}-stream" {BLOCKS} wcet="{wcet}us"/>' for i in range(count)) + "</task>\n"
    return text + "</taskset>\n"


def told(name, count, target, *command):
    """Prints the rate; true where it is missed."""
    rate = max(count / seconds(*command) for _ in range(3))
    print(f"{name}: {rate:,.0f} sets a second, at least {target:,}")
    return rate < target


def main():
    gpubound, api = sys.argv[1:]
    missed = False
    ten_processes = "".join(f'<application id="p{i}"><stream id="s{i}" kind="non-blocking"/></application>\n' for i in range(10))
    cases = (("three streams, one level, what ifs", ten(one_process(3, False), lambda i: i % 3, 'scope="grid"'), ["--set=t0.period=100ms:1100ms:1ms"], 1001, SETS),
             ("three streams, one level, drawn", ten(one_process(3, False), lambda i: i % 3, 'scope="grid"'), ["--draw=500"], 5000, SETS),
             ("ten streams, six levels, drawn", ten(one_process(10, True), lambda i: i, BLOCKS), ["--draw=500"], 5000, SETS),
             ("ten processes in time slices, drawn", ten(ten_processes, lambda i: i, 'scope="grid"'), ["--draw=50"], 500, SETS))
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "set.xml"
        for name, text, words, count, target in cases:
            path.write_text(text)
            missed |= told(name, count, target, gpubound, "sweep", "-q", "-j1", *words, path)
        files = [pathlib.Path(folder) / f"{i}.xml" for i in range(FILES)]
        for name, applications, stream_of, kernel in (("three streams, one level", one_process(3, False), lambda i: i % 3, 'scope="grid"'),
                                                      ("ten streams, six levels", one_process(10, True), lambda i: i, BLOCKS)):
            for i, file in enumerate(files):
                file.write_text(ten(applications, stream_of, kernel, i % 97))
            missed |= told(f"{name}, files of one analyze", FILES, SETS, gpubound, "analyze", "-q", "--format=csv", *files)
            missed |= told(f"{name}, files of one process by the API", FILES, SETS, api, *files)
        path.write_text(forty())
        time = min(seconds(gpubound, "advise", "-q", "-j1", path) for _ in range(3))
        missed |= time > ADVISE
        print(f"advise, 3 streams, 40 kernels: {time:.2f} s of one core, at most {ADVISE} s")
    return missed


if __name__ == "__main__":
    raise SystemExit(main())
