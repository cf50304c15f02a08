#!/usr/bin/env python3
"""Two platform models on the same task sets: does the one give the bounds that the other gives, and how far above?

usage: compare-models.py [--seed N] [--count N] [--families F,...] [--least SHARE] [--most SHARE] GPUBOUND BLOCKS MODEL OTHER

MODEL is a shipped model, by name or path, OTHER one of the same compute capability, such as gpubound-calibrate(1) writes of a board of one's
own. The task sets are those of scripts/soundness.py, drawn from the seed with the block times of BLOCKS, a recording of probe/blocks.cu; only the
line that names the platform differs. First both get the overheads that the task sets declare: the models alone differ then. Then each gets its own
overheads, where it has them.

Exit status: 1 if OTHER gives less than --least of MODEL's bounds (default 0.95), or where only the models differ, a bound more than --most above
(default 0.10).
"""
import argparse
import csv
import io
import pathlib
import random
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

from scenarios import DECLARED, FAMILIES, ORDERED, Library, scenario, taskset_xml


def task_sets(seed, count, families, blocks):
    rng, library = random.Random(seed), Library(blocks)
    for i in range(count):
        family = families[i % len(families)]
        streams, tasks = ORDERED[family](rng) if family in ORDERED else scenario(rng, family, library)
        name = f"{family}-{seed}-{i}"
        yield name, taskset_xml(name, family, streams, tasks)


def stated(gpubound, model):
    """The parameters and choices that a model has."""
    listed = subprocess.run([gpubound, "models", "--format=csv", model], capture_output=True, text=True, check=True).stdout
    return {row["name"] for row in csv.DictReader(io.StringIO(listed)) if row["kind"] == "parameter"}


def bounds(gpubound, folder, name, text, model, leave_out):
    for parameter in leave_out:
        text = re.sub(rf'  <declare name="{re.escape(parameter)}".*\n', "", text)
    path = pathlib.Path(folder) / f"{name}.xml"
    path.write_text(text.replace('platform="h200"', f'platform="{model}"', 1), encoding="utf-8")
    result = subprocess.run([gpubound, "analyze", "--quiet", "--format=csv", str(path)], capture_output=True, text=True, check=False)
    if not result.stdout:
        sys.exit(f"{name}: {result.stderr}")
    return {(name, r["task"]): int(r["response_ns"]) if r["response_ns"] else None
            for r in csv.DictReader(io.StringIO(result.stdout)) if r["kind"] == "task"}


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def compare(title, one, other):
    """How many tasks have a bound by each; of those that have both, how far OTHER's is above."""
    with_one, with_other = ({key for key, ns in of.items() if ns is not None} for of in (one, other))
    ratios = {key: other[key] / one[key] for key in with_one & with_other}
    share = len(ratios) / len(with_one) if with_one else 1
    print(f"{title}: {len(one)} tasks, {len(with_one)} with a bound by the first model, {len(with_other)} by the other, {len(ratios)} by both "
          f"({100 * share:.1f} % of the first's)")
    if not ratios:
        return share, 1
    worst = max(ratios, key=ratios.get)
    print("  the other's over the first's: " + " ".join(f"{label} {percentile(list(ratios.values()), at):.3f}" for label, at in
          (("least", 0), ("10 %", .1), ("median", .5), ("90 %", .9), ("99 %", .99), ("greatest", 1))) + f" ({worst[0]} {worst[1]})")
    print(f"  more than 10 % above: {sum(r > 1.1 for r in ratios.values())}")
    return share, ratios[worst]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=24)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--families", default=",".join(FAMILIES) + ",several,copying,phased")
    parser.add_argument("--least", type=float, default=0.95)
    parser.add_argument("--most", type=float, default=0.10)
    for name in ("gpubound", "blocks", "model", "other"):
        parser.add_argument(name)
    arguments = parser.parse_args()
    sets = list(task_sets(arguments.seed, arguments.count, arguments.families.split(","), arguments.blocks))
    models = [m if "/" not in m and not m.endswith(".xml") else str(pathlib.Path(m).resolve()) for m in (arguments.model, arguments.other)]
    print(f"seed {arguments.seed}: {len(sets)} task sets")
    declared = {name for name, _ in DECLARED}
    failed = False
    for title, own in (("with the declared overheads", False), ("with each model's own", True)):
        found = []
        for model in models:
            leave_out = stated(arguments.gpubound, model) & declared if own else set()
            with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
                parts = pool.map(lambda item, m=model, out=leave_out, f=folder: bounds(arguments.gpubound, f, *item, m, out), sets)
                found.append({key: ns for part in parts for key, ns in part.items()})
        share, worst = compare(title, *found)
        failed |= share < arguments.least or (not own and worst > 1 + arguments.most)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
