"""What nobody knows lowers no bound: without one of its numbers a task set has each bound that it has with it, no lower, or none.

Of each set all numbers of its platform, published or declared, and all optional ones of its own are left out one by one; and again beside stops, start
delays and caches that go cold, which few sets have. Times of the platform are tried eight times as large, too, as nobody knows how large they are.
A bound that is there only without a number counts as lower. SAID: those for which the manual says what is taken where they are absent.

usage: unknown.py GPUBOUND SOURCE_ROOT [DRAW_SETS]   (DRAW_SETS: not the examples, but all that the falsifier found, and sets that it draws)
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import served

GPUBOUND, ROOT, DRAW_SETS = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]
PROGRAM = served.Program(GPUBOUND)
STOPS, DELAYS = {"stops.length": "7us", "stops.distance": "90ms"}, {"dispatch.delay": "1us", "dispatch.stall": "1us"}
BESIDE = {}, STOPS, {**STOPS, **DELAYS, "switch.refill": "3us"}
OPTIONAL = ("active-blocks bcet blocking branches bytes capacity carveout cluster count deadline footprint jitter longest max-distance min-distance offset "
            "percentage registers sched-overrun sched-period sched-unit shared-dynamic shared-static size sms submission take timeslice wcet").split()
SAID = {
    "application@timeslice": "that of the platform", "core@blocking": "0", "core@sched-overrun": "0", "core@submission": "A-HOST",
    "kernel@carveout": "the default preference", "kernel@shared-dynamic": "0", "kernel@shared-static": "0", "member@capacity": "as many as are needed",
    "queues.resident-grids": "the least of any GPU", "switch.refill": "part of runlist.switch", "task@jitter": "0", "task@sched-period": "sched-deadline"}


def without(text, platform):
    """Of each number: (its name, the task set and its platform without it, both with more of it or None)."""
    for name in sorted(set(re.findall(r'<(?:parameter|declare) name="([^"]*)"', text + platform))):
        begin = rf'<(?:parameter|declare) name="{re.escape(name)}"'
        less = [re.sub(rf"{begin}[^>]*?(?:/>|>.*?</(?:parameter|declare)>)", "", file, flags=re.S) for file in (text, platform)]
        more = [re.sub(rf'({begin} value=")([\d.]+)(?=[num]?s")', lambda m: f"{m[1]}{8 * float(m[2]):g}", file) for file in (text, platform)]
        yield name, less, more if more != [text, platform] else None
    for name in OPTIONAL:
        for element in sorted(set(re.findall(rf'<([\w-]+)\s[^>]*?\b{name}="', text))):
            yield f"{element}@{name}", [re.sub(rf'(<{element}\b[^>]*?)\s{name}="[^"]*"', r"\1", text), platform], None


class Unknown(unittest.TestCase):
    def bounds(self, folder, text, platform):
        """By task, stream or chain, and by the bound's name; None: refused."""
        self.model.write_text(platform, encoding="utf-8")
        done = PROGRAM.run(["analyze", "-q", "-f", "xml", f"--platform={self.model}", "-"], cwd=folder, input=text, text=True)
        if done.returncode not in (0, 1, 4, 7):
            return None
        found, of = {}, None
        for kind, words in re.findall(r"<(task|chain|stream|bound)\s([^>]*)>", done.stdout):
            at = dict(re.findall(r'([\w-]+)="([^"]*)"', words))
            of = of if kind == "bound" else (kind, at.get("id"))
            value = at.get("value" if kind == "bound" else "response", "")
            if value.isdigit():
                found[of, at["name"] if kind == "bound" else "response"] = int(value)
        return found

    def sets(self, folder):
        files = (ROOT / "examples").glob("*.xml")
        if DRAW_SETS:
            subprocess.run([*DRAW_SETS, "7", "60", folder], check=True)
            files = [*folder.glob("*.xml"), *(ROOT / "tests" / "falsify").glob("*.xml")]
        for path in sorted(files):
            text = path.read_text(encoding="utf-8")
            if "<taskset" in text:
                name = re.search(r'platform="([^"]*)"', text)[1]
                platform = path.parent / name if "/" in name else ROOT / "models" / f"{name}.xml"
                yield path, text, platform.read_text(encoding="utf-8")

    def compare(self, where, full, less):
        """Are bounds lower without the number?"""
        self.tried[where[-1]] = self.tried.get(where[-1], 0) + 1
        lower = {key: (full.get(key), value) for key, value in less.items() if key not in full or value < full[key]}
        if lower and where[-1] not in SAID:
            self.lower.append((where, lower))

    def leave_out(self, path, text, platform, beside):
        full = self.bounds(path.parent, text, platform)
        for name, less, more in without(text, platform) if full is not None else ():
            bounds = self.bounds(path.parent, *less)
            if bounds is None:
                continue
            self.compare((path.name, *beside, name), full, bounds)
            larger = self.bounds(path.parent, *more) if more else None
            if larger is not None:
                self.compare((path.name, *beside, "larger", name), larger, bounds)

    def test_left_out(self):
        self.tried, self.lower = {}, []
        with tempfile.TemporaryDirectory() as folder:
            self.model = pathlib.Path(folder) / "platform.xml"
            for path, text, platform in self.sets(pathlib.Path(folder) / "drawn"):
                for beside in BESIDE:
                    if not any(f'name="{name}"' in text + platform for name in beside):
                        declared = "".join(f'<declare name="{name}" value="{value}" source="s" by="b"/>' for name, value in beside.items())
                        self.leave_out(path, text.replace("</origins>", "</origins>" + declared, 1), platform, beside)
        self.assertEqual(self.lower, [])
        for name in ("overhead.launch", "overhead.block", "overhead.dependency", "overhead.copy", "runlist.switch", "queues.hardware", "dispatch.delay",
                     "sm.count", "kernel@bcet"):
            self.assertGreater(self.tried[name], 10, name)


if __name__ == "__main__":
    sys.argv[1:] = []
    unittest.main()
