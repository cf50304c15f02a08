#!/usr/bin/env python3
"""What each refinement of interference buys: one kernel of the Xavier, one refinement more in each row.

usage: refinements.py GPUBOUND SOURCE_ROOT

Prints the table of tests/papers/README.md and holds it: no refinement may make a factor greater. The kernel has two blocks of 100 us; beside it
other streams of its context have kernels, a copy and a memset. Factors from the sources that the Xavier and TX2 models name (RTAS 2020,
figures 7 and 9): memcpy 3, memset 8, GPC 10; the others are made up. Columns: the block's time; the response of the kernel's task.
"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

PROGRAM, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
SINGLE = [("sm", "1.3"), ("tpc", "2.5"), ("gpc", "10"), ("out", "1.2"), ("h2d", "3"), ("memset", "8"), ("cpu", "1.6"), ("other", "1")]


def factor(source, value, more=""):
    return f'<interference victim="any" from="{source}" value="{value}" {more} source="example" by="example"/>'


def taskset(factors, blocks=2, neighbour=True):
    kernel = 'scope="block" registers="32" footprint="1MB" block="256" bcet="1us"'
    other = "".join(f'<task id="other-{name}" period="100ms"><kernel id="k-{name}" stream="{name}" grid="16" wcet="50us" {kernel.replace("256", block)}/></task>'
                    for name, block in (("s1", "640"), ("s3", "768"))) if neighbour else ""
    streams = '<stream id="s3"/>' if neighbour else ""
    return f"""<taskset xmlns="urn:gpubound:taskset:1" id="refinements" platform="./platform.xml" origin="o">
<origins><origin id="o" kind="declared" source="example" by="example"/></origins>
<declare name="overhead.launch" value="10us" source="example" by="example"/>
<declare name="overhead.block" value="1us" source="example" by="example"/>
<declare name="overhead.dependency" value="10us" source="example" by="example"/>
<declare name="overhead.copy" value="10us" source="example" by="example"/>
<declare name="runlist.timeslice" value="2ms" source="example" by="example"/>
<declare name="runlist.switch" value="100us" source="example" by="example"/>
<declare name="runlist.copy-timeslice" value="2ms" source="example" by="example"/>
{"".join(factors)}<interference victim="transfer" from="all" value="1" source="example" by="example"/>
<application id="a"><stream id="s0"/><stream id="s1"/><stream id="s2"/>{streams}</application>
<task id="victim" period="100ms"><kernel id="k1" stream="s0" grid="{blocks}" wcet="100us" {kernel}/></task>{other}
<task id="copies" period="100ms"><copy id="c" stream="s2" direction="h2d" bytes="1MB" wcet="100us" bcet="1us"/>
<memset id="m" stream="s2" bytes="1MB" wcet="100us" bcet="1us"/></task>
</taskset>
"""


ALL = [factor(source, value) for source, value in SINGLE]
SMALL = [factor("h2d", "1.4", 'footprint="1MB"'), factor("memset", "2", 'footprint="1MB"')]
ONE = [factor("h2d", "1.2", 'footprint="1MB" count="1"'), factor("memset", "1.5", 'footprint="1MB" count="1"')]
BLOCKS = [factor("sm", value, f'count="{count}"') for count, value in ((1, "1.05"), (2, "1.1"), (5, "1.25"))]
ROWS = [  # what, composition, factors, more of the task set
    ("factors of single sources, multiplied (A-MULT)", "multiplicative", ALL, {}),
    ("the same, no more than everything at once, 40", "multiplicative", ALL + [factor("all", "40")], {}),
    ("the same added up (A-ADD)", "additive", ALL + [factor("all", "40")], {}),
    ("blocks beside it counted, five by the closed form", "additive", ALL + BLOCKS + [factor("all", "40")], {"limit": 1}),
    ("counted by ILP-ENV: two", "additive", ALL + BLOCKS + [factor("all", "40")], {}),
    ("copies measured for a working set of 1 MB", "additive", ALL + BLOCKS + SMALL + [factor("all", "40")], {}),
    ("and for one process that copies", "additive", ALL + BLOCKS + SMALL + ONE + [factor("all", "40")], {}),
    ("the greatest only (A-SAT)", "maximum", ALL + BLOCKS + SMALL + ONE + [factor("all", "40")], {}),
    ("no other kernel, one block: nobody in its GPC", "maximum", ALL + BLOCKS + SMALL + ONE, {"blocks": 1, "neighbour": False}),
]


def run(folder, composition, factors, more):
    model = (ROOT / "models/jetson-agx-xavier.xml").read_text(encoding="utf-8")
    model = re.sub(r"<interference composition.*?</interference>", f'<interference composition="{composition}"><factor victim="transfer" from="other" value="1" source="rtas20-fig9"/></interference>', model, flags=re.S)
    (folder / "platform.xml").write_text(model, encoding="utf-8")
    path, report, limit = folder / "taskset.xml", folder / "report.xml", more.get("limit")
    path.write_text(taskset(factors, **{name: value for name, value in more.items() if name != "limit"}), encoding="utf-8")
    options = [f"--limit={limit}"] if limit else []
    result = subprocess.run([PROGRAM, "analyze", "-q", "-f", "csv", "-o", report, *options, path], capture_output=True, text=True)
    rows = {row["task"]: row for row in csv.DictReader(result.stdout.splitlines()) if row["kind"] == "task"}
    if not report.exists():
        raise AssertionError(result.stderr)
    root = tree.parse(report).getroot()
    for element in root.iter():
        if element.tag.endswith("}operation") and element.get("id") == "k1":
            unexpected = "" if limit and "solver-fallback" in result.stderr else result.stderr
            return int(element.get("inflated")), rows["victim"]["response_ns"], unexpected
    raise AssertionError(result.stderr)


def microseconds(ns):
    return f"{int(ns) / 1000:,.0f}" if ns else "none"


def main():
    before, failures = None, 0
    with tempfile.TemporaryDirectory() as folder:
        for what, composition, factors, more in ROWS:
            inflated, response, errors = run(pathlib.Path(folder), composition, factors, more)
            print(f"| {what} | {microseconds(inflated)} | {microseconds(response)} |")
            if errors or (before is not None and inflated > before):
                failures += 1
                print(errors, "expected no more than before")
            before = inflated
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
