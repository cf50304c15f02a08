"""What it is worth to know the grids of kernels of which only the whole time was measured ([SCOPE-GRID]), where networks mix.

Each trace (Kineto, one network alone) becomes a task on a stream of its own, all in one process. Printed is the load by P and by VOL-P: the sum of
all kernels' costs over their periods, with the factor that is given, once with the grids, blocks and resources that the trace states, once without:
above 1 there is no bound.

usage: whole_kernels.py GPUBOUND MODEL FACTOR LAUNCH DEPENDENCY TRACE=PERIOD... (times with units; copies and memsets are left out, and counted)
"""
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from fractions import Fraction
from pathlib import Path

SPACE = "{urn:gpubound:taskset:1}"
BY = 'source="chosen for this comparison" by="bench/whole_kernels.py"'
UNITS = {"ns": 1, "us": 1000, "ms": 1000000}


def nanoseconds(text):
    number, unit = re.fullmatch(r"([0-9.]+)(ns|us|ms)", text).groups()
    return Fraction(number) * UNITS[unit]


def imported(gpubound, model, trace, period, folder):
    out = folder / "one.xml"
    subprocess.run([gpubound, "import", "-q", "--margin=10%", "--by=bench", "-m", model, "--jobs=20", f"--period={period}", f"--deadline={period}",
                    "-o", out, "kineto", trace], check=True, stderr=subprocess.DEVNULL)
    return ET.parse(out).getroot()


def kernels_of(root):
    return [(dict(kernel.attrib), nanoseconds(kernel.get("wcet"))) for kernel in root.iter(SPACE + "kernel")]


def union(model, factor, launch, dependency, tasks, unknown):
    text = [f'<taskset xmlns="urn:gpubound:taskset:1" id="networks" platform="{model}" origin="o"><origins><origin id="o" kind="declared" {BY}/></origins>']
    for name, value in (("overhead.launch", launch), ("overhead.block", "0ns"), ("overhead.dependency", dependency), ("concurrent-kernels", "yes")):
        text.append(f'<declare name="{name}" value="{value}" {BY}/>')
    text += [f'<assume id="{name}" {BY}/>' for name in ("A-HOL", "A-PRIO", "A-WC")]
    text.append(f'<interference from="all" victim="any" value="{factor}" {BY}/><application id="all">')
    text += [f'<stream id="s{i}" kind="non-blocking"/>' for i in range(len(tasks))]
    text.append("</application>")
    for i, (period, kernels) in enumerate(tasks):
        text.append(f'<task id="t{i}" period="{period}" deadline="{period}">')
        for number, (attributes, _) in enumerate(kernels):
            said = {**attributes, "id": f"k{i}-{number}", "stream": f"s{i}"}
            said = {key: value for key, value in said.items() if key != "origin" and key not in unknown}
            text.append("<kernel " + " ".join(f'{key}="{value}"' for key, value in said.items()) + "/>")
        text.append("</task>")
    return "\n".join(text) + "\n</taskset>\n"


def loads(gpubound, text, folder):
    """Bound -> what its reason says of the load."""
    (folder / "all.xml").write_text(text)
    subprocess.run([gpubound, "analyze", "-q", "-o", folder / "all.report", folder / "all.xml"], check=False, stdout=subprocess.DEVNULL)
    found = {}
    for bound in ET.parse(folder / "all.report").getroot().iter():
        said = re.match(r"the load, the sum of cost over period, is ([0-9.]+)", bound.get("reason") or "")
        if said:
            found.setdefault(bound.get("name"), said.group(1))
    return found


def main():
    gpubound, model, factor, launch, dependency, *traces = sys.argv[1:]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tasks, alone = [], 0
        for pair in traces:
            trace, period = pair.rsplit("=", 1)
            root = imported(gpubound, model, trace, period, folder)
            left_out = sum(1 for kind in ("copy", "memset") for _ in root.iter(SPACE + kind))
            tasks.append((period, kernels_of(root)))
            alone += sum(wcet for _, wcet in tasks[-1][1]) / nanoseconds(period)
            print(f"{Path(trace).name}: {len(tasks[-1][1])} kernels, {left_out} copies and memsets left out, {period}")
        print(f"load of the kernels' WCETs alone, without factor and overheads: {float(alone):.3f}")
        for said, unknown in (("with grids", ()), ("without", ("grid", "block", "registers", "shared-static", "shared-dynamic"))):
            for bound, load in loads(gpubound, union(model, factor, launch, dependency, tasks, unknown), folder).items():
                print(f"load by {bound}, factor {factor}, {said}: {load}")


main()
