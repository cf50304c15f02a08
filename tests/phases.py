"""Task sets of known phases, drawn: for tests that need what the examples do not have.

taskset(seed, kind): kind is one of KINDS
"""
import random

KINDS = ["grids", "beside", "slots", "levels", "levels-slots"]
DECLARED = """<?xml version="1.0" encoding="UTF-8"?>
<taskset xmlns="urn:gpubound:taskset:1" id="drawn" platform="jetson-agx-orin" origin="drawn">
  <title>Drawn: {kind}</title>
  <origins><origin id="drawn" kind="declared" source="drawn for a test" by="gpubound tests"/></origins>
  {declared}
  <declare name="concurrent-kernels" value="yes" source="drawn" by="gpubound tests"/>
  {assumed}
  <interference from="all" victim="any" value="1" source="drawn" by="gpubound tests"/>
  <interference from="all" victim="transfer" value="1" source="drawn" by="gpubound tests"/>
  <application id="app">{streams}</application>
{tasks}
</taskset>
"""


def declare(name, value):
    return f'<declare name="{name}" value="{value}" source="drawn" by="gpubound tests"/>'


def kernel(draw, kind, name, stream):
    wcet = draw.randint(200, 2500)
    times = f'wcet="{wcet}us" bcet="{draw.randint(wcet // 2, wcet)}us"'
    if kind in ("grids", "levels"):
        return f'<kernel id="{name}" stream="{stream}" scope="grid" {times}/>'
    blocks = 1 if kind == "levels-slots" else draw.randint(1, 40)
    return (f'<kernel id="{name}" stream="{stream}" scope="block" grid="{blocks}" block="1024" registers="32" shared-static="0B" '
            f'shared-dynamic="0B" {times}/>')


def task(draw, kind, number, stream, alone):
    period = draw.choice([20, 40])
    # Some of the sets have jitters, hosts between segments, copies before and after.
    jitter = f' jitter="{draw.randint(1, 900)}us"' if draw.random() < 0.5 else ""
    lines = []
    if draw.random() < 0.5:
        lines.append(f'<copy id="in{number}" stream="{stream}" direction="h2d" bytes="1MiB" wcet="{draw.randint(100, 900)}us" bcet="50us"/>')
    lines.append(kernel(draw, kind, f"first{number}", stream))
    if alone and draw.random() < 0.3:
        lines.append(f'<host id="between{number}" wcet="400us" bcet="100us"/>')
    if draw.random() < 0.4:
        lines.append(kernel(draw, kind, f"second{number}", stream))
    elif draw.random() < 0.5:
        lines.append(f'<copy id="out{number}" stream="{stream}" direction="d2h" bytes="64KiB" wcet="{draw.randint(50, 300)}us" bcet="20us"/>')
    if lines[-1].startswith("<host"):
        lines.pop()
    head = f'<task id="task{number}" period="{period}ms" offset="{draw.randint(0, 6000)}us"{jitter} deadline="{period}ms">'
    return "  " + head + "".join(lines) + "</task>"


def taskset(seed, kind):
    draw = random.Random(f"{kind} {seed}")
    count = draw.randint(2, 4)
    shared = draw.random() < 0.4
    quick = kind in ("slots", "levels-slots")
    stream_of = [f"s{0 if shared and i < 2 else i}" for i in range(count)]
    levels = {stream: draw.randint(0, 2) if kind.startswith("levels") else 0 for stream in stream_of}
    streams = "".join(f'<stream id="{stream}" kind="non-blocking" priority="{levels[stream]}"/>' for stream in dict.fromkeys(stream_of))
    declared = [declare("overhead.launch", "0us" if quick else "10us"), declare("overhead.block", "0us" if quick else "2us"),
                declare("overhead.dependency", draw.choice(["0us", "7us"])), declare("overhead.copy", "20us"),
                declare("engine.h2d", 0), declare("engine.d2h", draw.randint(0, 1)), declare("queues.hardware", 32), declare("queues.priorities", 3),
                declare("queues.resident-grids", 32)]
    assumed = "".join(f'<assume id="{name}" source="drawn" by="gpubound tests"/>' for name in ("A-HOL", "A-WC", "A-FRAG", "A-CE", "A-PRIO"))
    tasks = [task(draw, kind, i, stream_of[i], stream_of.count(stream_of[i]) == 1) for i in range(count)]
    return DECLARED.format(kind=kind, declared="\n  ".join(declared), assumed=assumed, streams=streams, tasks="\n".join(tasks))
