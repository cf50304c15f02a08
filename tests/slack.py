"""gpubound analyze --slack, --explain, --compare, and stale evidence.

- slack: the task set is changed by the figure, and by one unit more, and analysed again: proven, and then not
- explain: each step in brackets is a step of the report (tests/explain.py adds up what is printed)
- compare: what was changed is named, and nothing else; a report of the same inputs differs in nothing

usage: slack.py GPUBOUND SOURCE_ROOT quick|slow
"""
import fractions
import math
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
SETS = ["examples/two-streams.xml", "tests/golden/verdicts.xml"] + (["examples/waters2019-one-context.xml"] if sys.argv[3] == "slow" else [])
EXPLAINED = ["examples/cockpit.xml", "examples/two-streams.xml", "examples/waters2019.xml"] if sys.argv[3] == "quick" else sorted(
    path.relative_to(ROOT) for path in (ROOT / "examples").glob("*.xml"))
SLACK = re.compile(r'<slack task="([^"]*)"((?: [a-z-]+="-?\d+")*)/>')
UNITS = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def run(*words, text=None):
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=ROOT, input=text, capture_output=True, text=True, timeout=120)


def report(path, *words, text=None):
    return run("analyze", "-q", "--format=xml", *words, path, text=text).stdout


def ns(text):
    number, unit = re.fullmatch(r"([0-9./]+) ?([a-z]+)", text).groups()
    return fractions.Fraction(number) * UNITS[unit]


def scaled(text, thousandths, task=None):
    def change(match):
        wcet = ns(re.search(r'\bwcet="([^"]*)"', match.group()).group(1)) * (1000 + thousandths) / 1000
        best = re.search(r'\bbcet="([^"]*)"', match.group())
        element = re.sub(r'\bwcet="[^"]*"', f'wcet="{wcet}ns"', match.group())
        return element if best is None or ns(best.group(1)) <= wcet else element.replace(best.group(), f'bcet="{math.floor(wcet)}ns"')
    if task is None:
        return re.sub(r'<[a-z]+ [^>]*\bwcet="[^>]*>', change, text)
    return re.sub(rf'<task id="{task}".*?</task>', lambda match: scaled(match.group(), thousandths), text, flags=re.S)


def in_ns(path):
    """The task set with each operation's WCET in whole nanoseconds, as it was read; cycles of the TX2's 1.3005 GHz for a BCET, likewise."""
    read = dict(re.findall(r'<operation id="([^"]*)"[^>]*? wcet="(\d+)"', report(path)))
    text = re.sub(r'\bbcet="(\d+)cycles"', lambda match: f'bcet="{int(match.group(1)) * 10000 // 13005}ns"', (ROOT / path).read_text())
    return re.sub(r'(<[a-z]+ id="([^"]*)"[^>]*? wcet=)"[^"]*"', lambda match: f'{match.group(1)}"{read[match.group(2)]}ns"', text)


def shrunk(text, attribute, by, task):
    def change(match):
        value = re.search(rf'\b{attribute}="([^"]*)"', match.group())
        return match.group().replace(value.group(), f'{attribute}="{ns(value.group(1)) - by}ns"')
    return re.sub(rf'<task id="{task}"[^>]*>', change, text)


class Slack(unittest.TestCase):
    def proven(self, path, text, task):
        result = run("analyze", "-q", "--format=csv", "-", text=text.replace('platform="./', f'platform="{ROOT / pathlib.Path(path).parent}/'))
        rows = [row.split(",") for row in result.stdout.splitlines()]
        return next(row[5] for row in rows if row[0] == "task" and row[1] == task) == "proven"

    def hold(self, path, task, change, figure):
        self.assertTrue(self.proven(path, change(figure), task), (path, task, figure))
        self.assertFalse(self.proven(path, change(figure + 1), task), (path, task, figure))

    def test_exact(self):
        held = 0
        for path in SETS:
            text = in_ns(path)
            found = {task: {name: int(value) for name, value in re.findall(r'([a-z-]+)="(-?\d+)"', rest)}
                     for task, rest in SLACK.findall(report(path, "--slack"))}
            self.assertEqual(list(found), re.findall(r'<task id="([^"]*)"', text))
            for task, slack in found.items():
                moves = {"all-wcets": lambda by: scaled(text, by), "own-wcets": lambda by, task=task: scaled(text, by, task),
                         "period": lambda by, task=task: shrunk(text, "period", by, task),
                         "deadline": lambda by, task=task: shrunk(text, "deadline", by, task)}
                for name, figure in slack.items():
                    self.hold(path, task, moves[name], figure)
                    held += 1
        self.assertGreater(held, 12)

    def test_period_alone(self):
        """No figure that the task set would be refused with: down to the least distance, and none beside a phase, or where tasks share an event."""
        text = (ROOT / "examples/two-streams.xml").read_text()
        filter, resize = '"filter" period="100ms"', '"resize" period="100ms"'
        for of, to, moving in (("", "", {"resize", "filter"}), (resize, resize + ' offset="95ms"', {"filter"}),
                               (filter, '"filter" arrival="sporadic" period="100ms" jitter="1ms" min-distance="90ms"', {"resize"}),
                               (filter, '"filter" arrival="sporadic" period="100ms" jitter="1ms" min-distance="50ms"', {"resize", "filter"})):
            with self.subTest(to):
                found = SLACK.findall(report("-", "--slack", text=text.replace(of, to)))
                self.assertEqual({task for task, figures in found if " period=" in figures}, moving)
        found = SLACK.findall(report("examples/pipeline.xml", "--slack"))
        self.assertTrue(any(" period=" in figures for task, figures in found))  # events of its own
        joined = re.sub(r'(<task id="filter".*?>)', r'\1<wait id="w" stream="s-filter" event="e"/>', text)
        streams = re.findall(r'stream="([^"]*)"', text)
        joined = joined.replace("s-filter", streams[-1]).replace("  <task", '  <event id="e"/>\n  <task', 1)
        joined = re.sub(r'(<task id="resize".*?)</task>', rf'\1<record id="r" stream="{streams[0]}" event="e"/></task>', joined, flags=re.S)
        found = SLACK.findall(report("-", "--slack", text=joined))
        self.assertEqual(len(found), 2)
        self.assertFalse(any(" period=" in figures for task, figures in found))

    def test_text(self):
        table = run("analyze", "-q", "--slack", "examples/two-streams.xml").stdout
        self.assertIn("all WCETs", table)
        self.assertNotIn("all WCETs", run("analyze", "-q", "examples/two-streams.xml").stdout)
        self.assertNotIn("<sensitivity", report("examples/two-streams.xml"))
        self.assertTrue(all(len(line) <= 100 for line in table.splitlines()))


class Explain(unittest.TestCase):
    def explain(self, path, task):
        result = run("analyze", "-q", "--explain", task, path)
        self.assertTrue(all(len(line) <= 100 or line.lstrip().startswith("<") for line in result.stdout.splitlines()), path)
        return re.sub(r"\n {6,}", " ", result.stdout)

    def test_steps(self):
        """Each number in brackets is that of a step of the report, with this value; tests/explain.py adds up the rest."""
        seen = 0
        for path in [*EXPLAINED, "tests/golden/verdicts.xml"]:
            given = report(path)
            steps = dict(re.findall(r'<step id="s(\d+)" [^>]*?value="([^"]*)"', given))
            for task in re.findall(r'<task id="([^"]*)"', given):
                for number, value in re.findall(r"= \[(\d+)\] (-?\d+(?:/\d+)?)", self.explain(path, task)):
                    self.assertEqual(steps[number], value, (path, task, number))
                    seen += 1
        self.assertGreater(seen, 20)

    def test_missed_deadline(self):
        text = self.explain("examples/waters2019-one-context.xml", "SFM")
        self.assertIn("What would have to change", text)
        self.assertIn("-78.6 %", text)

    def test_usage(self):
        for words in (("--explain", "nobody", "examples/cockpit.xml"), ("--explain", "picture", "--format=csv", "examples/cockpit.xml"),
                      ("--explain", "picture", "examples/cockpit.xml", "examples/two-streams.xml")):
            result = run("analyze", *words)
            self.assertEqual((result.returncode, result.stdout), (2, ""), words)


class Compare(unittest.TestCase):
    def compare(self, old, path):
        with tempfile.NamedTemporaryFile("w", suffix=".xml") as file:
            file.write(old)
            file.flush()
            return run("analyze", "-q", "--compare", file.name, path)

    def test_same(self):
        for path in ("examples/two-streams.xml", "examples/cockpit.xml"):
            self.assertEqual(self.compare(report(path), path).stdout, "Nothing differs.\n")

    def test_changed_wcet(self):
        path = "examples/cockpit.xml"
        old = report(path)
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.xml"
            text = (ROOT / path).read_text().replace('"frames/', f'"{ROOT}/examples/frames/')
            other.write_text(text.replace('wcet="6ms"', 'wcet="7ms"').replace('<stream id="filters"/>', '<stream id="filters"/><stream id="spare"/>'))
            result = self.compare(old, other)
        self.assertEqual(result.returncode, 0)
        for part in ("task:filter/op:smooth@wcet value: 6000000 -> 7000000 (+1000000)", "task filter, operation smooth wcet: 6000000 -> 7000000 (+1000000)",
                     "stream spare: new", "task filter response: 24780000 -> ", "input"):
            self.assertIn(part, result.stdout)
        self.assertNotIn("task:picture@period", result.stdout)

    def test_summary(self):
        """Verdicts and the greatest change come first; what may have been renamed is compared by what it is for."""
        path = "examples/waters2019.xml"
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.xml"
            other.write_text((ROOT / path).read_text().replace('bcet="10575000cycles" wcet="11850000cycles"', 'wcet="14850000cycles"'))
            lines = self.compare(report(path), other).stdout.splitlines()
        self.assertEqual(lines[0], "What it comes to")
        self.assertIn("  task Lane_detection: proven -> not-proven", lines[:5])
        self.assertTrue(any(re.fullmatch(r"  2 of 2 tasks respond later, by at most \d+ ns \(\w+\)", line) for line in lines[:5]), lines[:5])
        self.assertTrue(any(line.startswith("  input taskset path: examples/waters2019.xml -> ") for line in lines))
        self.assertFalse(any("input" in line and line.endswith(("new", "gone")) for line in lines))

    def test_hazards(self):
        path = "examples/two-streams.xml"
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder) / "other.xml"
            other.write_text((ROOT / path).read_text().replace('grid="4"', 'grid="3"', 1))
            text = self.compare(report(path), other).stdout
        hazards = text[text.index("\nHazards\n"):]
        self.assertRegex(hazards, r"hazard .* has 3 blocks for 8 SMs.*: new")
        self.assertRegex(hazards, r"hazard .* has 4 blocks for 8 SMs.*: gone")

    def test_assumption(self):
        path = "examples/two-streams.xml"
        lines = [line for line in run("analyze", "-q", "--assume=A-WC", "--compare", "-", path, text=report(path)).stdout.splitlines()]
        self.assertTrue(any(line.startswith("  assumption A-WC status: ") and line.endswith("-> conditional") for line in lines), lines)
        self.assertIn("  argument --assume=A-WC: new", lines)

    def test_no_report(self):
        result = self.compare("<report/>", "examples/two-streams.xml")
        self.assertEqual((result.returncode, result.stdout), (3, ""))


class Evidence(unittest.TestCase):
    def warnings(self, model, measured):
        """Of a measurement with these attributes on a model with those."""
        set_text = (ROOT / "examples/two-streams.xml").read_text()
        platform = re.search(r'<taskset [^>]*platform="([^"]*)"', set_text).group(1)
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "model.xml"
            path.write_text((ROOT / f"models/{platform}.xml").read_text().replace("<platform ", f"<platform {model} ", 1))
            text = set_text.replace(f'platform="{platform}"', f'platform="{path}"').replace(
                "<origins>", f'<origins><origin id="trace" kind="measured" source="t" file="f" samples="9" {measured}/>')
            result = run("analyze", "-", text=text)
        return re.findall(r"origin 'trace' was measured with (\S+) .* \[evidence-stale\]", result.stderr)

    def test_against_the_model(self):
        model = 'board="p3509" driver="540.3" power-mode="MAXN"'
        self.assertEqual(self.warnings(model, model), [])
        self.assertEqual(self.warnings(model, 'board="p3509" driver="535.104" power-mode="15W"'), ["driver", "power-mode"])
        self.assertEqual(self.warnings('board="p3509"', 'board="p3768" driver="540.3"'), ["board"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
