"""Writes examples/dnn-inference.xml from the kernel files of Orion: one task a network, one kernel of scope grid a row.

The files (Name,Profile,Memory_footprint,SM_usage,Duration; durations in ns) are in artifact_evaluation/example of
https://github.com/eth-easl/orion, commit aded65d, under the MIT licence. SM_usage is an estimate that may exceed the GPU's SMs: not used.

usage: orion-to-taskset.py resnet50_4_fwd.csv mobilenetv2_4_fwd.csv >examples/dnn-inference.xml
"""
import csv
import sys

ACCESS = {"1": "compute", "0": "any", "-1": "any"}

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<!-- Written by scripts/orion-to-taskset.py.

     Inference of two networks, ResNet-50 and MobileNetV2 at batch size 4, by one server process in one stream: every kernel with its
     measured duration, in the order of its launch. A kernel's id has the row of its file (the header is row 1). In one stream nothing
     runs beside a kernel, so no factor and no assumption about the order of kernels is needed. As two processes there would be a
     context switch for each kernel at worst, more than the period holds.

     The durations are those of Orion (Strati et al., EuroSys 2024): github.com/eth-easl/orion, commit aded65d, MIT licence, (c) its authors.
     The names of the matrix kernels (volta_sgemm) say that the GPU was a Volta; the paper evaluates on a V100. No model of the V100 is
     shipped. The nearest is the TITAN V, which has the same chip with the same 80 SMs and a narrower memory: durations on a TITAN V
     differ, so this example shows the analysis and certifies nothing. The durations are single figures a kernel, not maxima
     of a campaign. The periods are 30 frames a second, as in Orion's configuration; overheads are declared. -->
<taskset xmlns="urn:gpubound:taskset:1" id="dnn-inference" platform="titan-v" origin="example">
  <title>Inference of two networks in one stream</title>
  <origins>
    <origin id="example" kind="declared" source="chosen for this example" by="gpubound examples"/>
"""

MIDDLE = """  </origins>
  <declare name="overhead.launch" value="10us" source="chosen for this example" by="gpubound examples"/>
  <declare name="overhead.block" value="0ns" source="the durations are those of whole kernels: the dispatch of blocks is in them" by="gpubound examples"/>
  <declare name="overhead.dependency" value="2us" source="chosen for this example" by="gpubound examples"/>
  <application id="server">
    <stream id="inference"/>
  </application>
"""


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def short(name):
    """A kernel's name without return type, namespaces and template arguments."""
    word = name.split("(anonymous namespace)::")[-1].split("<")[0].split("::")[-1].split()[-1]
    return "".join(letter if letter.isalnum() or letter == "_" else "_" for letter in word)


def network(path):
    return path.split("/")[-1].split("_")[0]


def task(path, table):
    name = network(path)
    yield f'  <task id="{name}" origin="{name}" period="33ms" deadline="33ms">'
    for number, row in enumerate(table, 2):
        if int(row["Duration"]) <= 0:
            raise SystemExit(f"{path}:{number}: no duration")
        yield (f'    <kernel id="{name}-{number}-{short(row["Name"])}" stream="inference" scope="grid" '
               f'access="{ACCESS[row["Profile"]]}" wcet="{row["Duration"]}ns"/>')
    yield "  </task>"


def main(paths):
    tables = [rows(path) for path in paths]
    print(HEAD, end="")
    for path, table in zip(paths, tables):
        print(f'    <origin id="{network(path)}" kind="measured" source="Orion, duration of each kernel on a Volta GPU, one figure a kernel" '
              f'file="{path.split("/")[-1]}" row="2-{len(table) + 1}"/>')
    print(MIDDLE, end="")
    for path, table in zip(paths, tables):
        print("\n".join(task(path, table)))
    print("</taskset>")


if __name__ == "__main__":
    main(sys.argv[1:])
