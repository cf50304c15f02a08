"""The WATERS 2019 examples with the factors between kernels and copies that are published for their TX2 (RTAS 2020, figure 7: up to 3).

The challenge gives none, so the shipped examples declare 1. Here copies slow kernels, and kernels copies, by 1, 2 and 3; CPU cores, other masters
and other kernels by 1. What a kernel and a copy lose to one another is charged once ([ONCE]): without that the load is
3.29 with a factor of 2 and 7.34 with 3, and there is no bound.

usage: waters_factors.py GPUBOUND SOURCE_ROOT       prints the table and compares it with the figures below
"""
import csv
import io
import pathlib
import re
import subprocess
import sys
import tempfile

GPUBOUND, ROOT = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
VICTIMS = {"any": ("sm", "tpc", "gpc", "out", "h2d", "d2h", "d2d", "memset", "cpu", "other"),
           "transfer": ("ee", "h2d", "d2h", "d2d", "memset", "cpu", "other")}
MUTUAL = {("any", "h2d"), ("any", "d2h"), ("transfer", "ee")}
EXPECTED = {  # responses in ns; the others have no bound
    ("waters2019-one-context.xml", 1, "Detection"): 199377153,
    ("waters2019-one-context.xml", 1, "SFM"): 201377422,
    ("waters2019-one-context.xml", 2, "Detection"): 201336709,
    ("waters2019-one-context.xml", 2, "SFM"): 203336978,
    ("waters2019.xml", 1, "Lane_detection"): 63775156,
    ("waters2019.xml", 1, "SFM"): 23649166,
    ("waters2019.xml", 2, "Lane_detection"): 64710034,
    ("waters2019.xml", 2, "SFM"): 63187062,
    ("waters2019.xml", 3, "Lane_detection"): 66591417,
    ("waters2019.xml", 3, "SFM"): 65068445,
}


def factors(value):
    return "".join(f'<factor victim="{victim}" from="{source}" value="{value if (victim, source) in MUTUAL else 1}" source="rtas20-fig7"/>\n'
                   for victim, sources in VICTIMS.items() for source in sources)


def analyze(name, value):
    """Responses in ns by task; None: no bound."""
    model, count = re.subn(r'(<interference composition="multiplicative">).*?(</interference>)', lambda match: match[1] + factors(value) + match[2],
                           (ROOT / "models/jetson-tx2.xml").read_text(), flags=re.S)
    text, declared = re.subn(r'  <interference from="all"[^>]*/>\n', "", (ROOT / "examples" / name).read_text())
    assert (count, declared) == (1, 2), name
    with tempfile.TemporaryDirectory() as folder:
        path, platform = pathlib.Path(folder, name), pathlib.Path(folder, "jetson-tx2.xml")
        path.write_text(text)
        platform.write_text(model)
        result = subprocess.run([GPUBOUND, "analyze", "--format=csv", "--platform=" + str(platform), path], capture_output=True, text=True, env={"GPUBOUND_DATA": str(ROOT)})
    assert result.returncode in (0, 1, 4), result.stderr
    rows = [row for row in csv.DictReader(io.StringIO(result.stdout)) if row["kind"] == "task"]
    return {row["task"]: (int(row["response_ns"]) if row["response_ns"] else None, row["bound"]) for row in rows}


def main():
    found = {}
    print(f"{'task set':28}{'factor':>7}  {'task':16}{'response':>14}  bound")
    for name in ("waters2019.xml", "waters2019-one-context.xml"):
        for value in (1, 2, 3):
            for task, (response, bound) in analyze(name, value).items():
                found[name, value, task] = response
                print(f"{name:28}{value:>7}  {task:16}{response / 1e6 if response else float('nan'):>11.3f} ms  {bound}")
    wrong = {key: (found.get(key), EXPECTED.get(key)) for key in found.keys() | EXPECTED.keys()
             if found.get(key) != EXPECTED.get(key)}
    for key, pair in sorted(wrong.items()):
        print("differs:", *key, *pair)
    return 1 if wrong else 0


sys.exit(main())
