"""gpubound analyze: its options, its exit statuses, what it writes and what not. Usage: analyze.py GPUBOUND SOURCE_ROOT XMLLINT"""
import os
import pathlib
import pty
import re
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, ROOT, XMLLINT = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
EXAMPLE = ROOT / "examples" / "two-streams.xml"


def run(*words, **more):
    return subprocess.run([GPUBOUND, "analyze", *map(str, words)], capture_output=True, text=True, timeout=60, **more)


class Analyze(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.report = pathlib.Path(self.folder.name) / "report.xml"
        self.addCleanup(self.folder.cleanup)

    def test_output(self):
        plain, both = run(EXAMPLE), run("-o", self.report, EXAMPLE)
        self.assertEqual((plain.returncode, plain.stdout), (both.returncode, both.stdout))
        self.assertEqual(self.report.read_text(), run("--format=xml", EXAMPLE).stdout)
        self.assertEqual(self.report.read_text(), run("--output=-", EXAMPLE).stdout)

    def test_presentation_is_not_recorded(self):
        plain = run("-f", "xml", EXAMPLE).stdout
        for words in (["--color=always"], ["-q"], ["-v"], ["--", ]):
            self.assertEqual(run("-f", "xml", *words, EXAMPLE).stdout, plain, words)
        self.assertIn("<argument>--assume=A-WC</argument>", run("-f", "xml", "-a", "A-WC", EXAMPLE).stdout)

    def test_condition(self):
        plain, conditional = run(EXAMPLE).stdout, run("-a", "A-WC", EXAMPLE).stdout
        self.assertNotIn("*", plain)
        self.assertIn("conditional; what is marked * holds only if these do: A-WC\n", conditional)
        rows = [line for line in conditional.splitlines() if " conditional  " in line]
        self.assertTrue(rows and all(row.endswith("*") for row in rows), conditional)

    def test_stops_and_an_unknown_dispatch(self):
        """A stop breaks a dispatch off, which then takes overhead.block again: where nobody says how long that is, whole kernels have no bound either."""
        stops = "".join(f'<declare name="stops.{name}" value="{value}" source="s" by="b"/>' for name, value in (("length", "100us"), ("distance", "10ms")))
        for example in ("known-phases", "masks", "partitions", "waters2019"):
            text = (ROOT / f"examples/{example}.xml").read_text().replace("  <declare", stops + "  <declare", 1)
            self.assertIn(run("-q", "-f", "csv", "-", input=text).returncode, (0, 1), example)
            unknown = re.sub(r'<declare name="overhead.block"[^>]*/>', "", text)
            self.assertNotEqual(unknown, text)
            result = run("-q", "-", input=unknown)
            self.assertEqual(result.returncode, 4, example)
            self.assertIn("overhead.block is not known", result.stdout)

    def test_dispatches_of_whole_kernels(self):
        """Where nothing charges or breaks off single dispatches, nobody is asked how long one takes."""
        text = re.sub(r'<declare name="overhead.block"[^>]*/>', "", (ROOT / "examples/waters2019.xml").read_text())
        self.assertNotIn("overhead.block", run("-f", "csv", "-", input=text).stderr)
        stops = '<declare name="stops.length" value="1us" source="s" by="b"/><declare name="stops.distance" value="1s" source="s" by="b"/>'
        self.assertIn("overhead.block is not known", run("-f", "csv", "-", input=text.replace("  <declare", stops + "  <declare", 1)).stderr)

    def test_standard_input(self):
        text = EXAMPLE.read_text()
        self.assertEqual(run("-f", "csv", "-", input=text).stdout, run("-f", "csv", EXAMPLE).stdout)
        self.assertIn('role="taskset" path="-"', run("-f", "xml", "-", input=text).stdout)

    def test_date(self):
        environment = dict(os.environ, SOURCE_DATE_EPOCH="86400")
        self.assertIn('date="1970-01-02T00:00:00Z"', run("-f", "xml", EXAMPLE, env=environment).stdout)
        environment = dict(os.environ, SOURCE_DATE_EPOCH="yesterday")
        self.assertNotIn(" date=", run("-f", "xml", EXAMPLE, env=environment).stdout)

    def test_inputs(self):
        report = run("-f", "xml", EXAMPLE).stdout
        self.assertIn(f'bytes="{EXAMPLE.stat().st_size}"', report)
        self.assertEqual(len(re.findall(r'<input [^>]*sha256="[0-9a-f]{64}"', report)), 2)

    def test_colour(self):
        self.assertNotIn("\033", run(EXAMPLE).stdout)
        self.assertNotIn("\033", run("--color=never", EXAMPLE).stdout)
        self.assertIn("\033", run("--color=always", EXAMPLE).stdout)

    def on_terminal(self, *words, **variables):
        try:
            master, slave = pty.openpty()
        except OSError as error:  # a bare system without /dev/pts
            print(f"skipped: colour on a terminal: {error}")
            self.skipTest(str(error))
        environment = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
        with open(self.folder.name + "/terminal", "wb") as copy:
            process = subprocess.Popen([GPUBOUND, "analyze", *map(str, words)], stdout=slave,
                                       stderr=subprocess.DEVNULL, env=environment | variables)
            os.close(slave)
            try:
                while block := os.read(master, 65536):
                    copy.write(block)
            except OSError:
                pass  # how a pty says that its other end is closed
        process.wait()
        os.close(master)
        return pathlib.Path(self.folder.name, "terminal").read_text()

    def test_colour_on_a_terminal(self):
        self.assertIn("\033", self.on_terminal(EXAMPLE, TERM="xterm"))
        self.assertNotIn("\033", self.on_terminal(EXAMPLE, TERM="xterm", NO_COLOR="1"))
        self.assertNotIn("\033", self.on_terminal(EXAMPLE, TERM="dumb"))
        self.assertIn("\033", self.on_terminal("--color=always", EXAMPLE, NO_COLOR="1"))

    def test_usage(self):
        for words, said in (
            ([], "missing operand"),
            (["--assume=A-WX", EXAMPLE], "A-WCET"),
            (["--assum=A-WC", EXAMPLE], "did you mean '--assume'?"),
            (["-f", "json", EXAMPLE], "text|csv|xml"),
            (["-f", "xml", EXAMPLE, EXAMPLE], "several"),
            (["-o", self.report, EXAMPLE, EXAMPLE], "several"),
            (["-o", "/nowhere/report.xml", EXAMPLE], "/nowhere/report.xml"),
            (["-o"], "wants FILE"),
        ):
            result = run(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(said, result.stderr)
            self.assertEqual(result.stdout, "")

    def test_refused(self):
        bad = pathlib.Path(self.folder.name) / "bad.xml"
        bad.write_text("<taskset/>")
        for words in ([bad], ["nowhere.xml"], ["-m", "no-such-board", EXAMPLE], [EXAMPLE, bad]):
            result = run("-o", self.report, *words) if len(words) != 2 else run(*words)
            self.assertEqual((result.returncode, result.stdout), (3, ""), words)
            self.assertRegex(result.stderr, r"error: .*\[[a-z-]+\]")
            self.assertFalse(self.report.exists())

    def test_several(self):
        one, two = run("-q", EXAMPLE), run("-q", EXAMPLE, EXAMPLE)
        self.assertEqual(two.returncode, one.returncode)
        self.assertTrue(two.stdout.startswith(one.stdout.rsplit("\n\n", 1)[0]))
        self.assertRegex(two.stdout, r"\n\d proven, \d conditional, \d not proven, \d no bound\n$")
        rows = run("-q", "-f", "csv", EXAMPLE, EXAMPLE).stdout.splitlines()
        self.assertEqual(sum(row.startswith("kind,") for row in rows), 1)

    def test_one_after_another(self):
        """What is printed of a file is the same whatever was read before it: what a process keeps of one is for the next as if it were read again."""
        model = pathlib.Path(self.folder.name) / "jetson-agx-xavier.xml"
        model.write_text((ROOT / "models" / model.name).read_text() + "<!-- another file -->")
        changed = pathlib.Path(self.folder.name) / "changed.xml"
        changed.write_text(EXAMPLE.read_text().replace('"jetson-agx-xavier"', f'"{model}"'))
        fine = [*sorted((ROOT / "examples").glob("[a-m]*.xml")), changed, EXAMPLE, changed]
        refused = sorted((ROOT / "tests" / "reject").glob("*.xml"))[::12]
        alone = {path: run("-f", "csv", path) for path in {*fine, *refused}}
        self.assertIn("[platform-not-as-shipped]", alone[changed].stderr)
        self.assertEqual(sum(alone[path].returncode == 3 for path in fine), 0)
        for paths in (fine, fine[::-1]):
            rows = "".join(alone[path].stdout.split("\n", 1)[1] for path in paths)
            together = run("-f", "csv", *paths)
            self.assertEqual(together.stdout.split("\n", 1)[1], rows)
            self.assertEqual(together.stderr, "".join(alone[path].stderr for path in paths))
        mixed = [path for pair in zip(refused, fine * len(refused)) for path in pair]
        for paths in (mixed, mixed[::-1]):
            self.assertEqual(run("-f", "csv", *paths).stderr, "".join(alone[path].stderr for path in paths))

    def test_solver_that_gets_no_further(self):
        """The closed form stands in, with a warning in the report; nothing is proven by what was not checked."""
        example = ROOT / "tests" / "golden" / "cover.xml"

        def responses(*words):
            rows = [line.split(",") for line in run("-f", "csv", *words, example).stdout.splitlines()]
            return {row[1]: int(row[3]) for row in rows if row[0] == "task"}
        fine, stopped = responses(), responses("--limit=1")
        self.assertTrue(all(stopped[task] >= fine[task] for task in fine))
        self.assertGreater(stopped["many"], fine["many"])
        result = run("-q", "-f", "xml", "--limit=1", example)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r'<diagnostic code="solver-fallback" level="warning"')
        self.assertNotIn('rule="cover"', result.stdout.split("<derivation>")[1])
        self.assertNotIn("solver-fallback", run("-f", "xml", example).stdout)
        for wrong in ("0", "-1", "x", "1000000000000"):
            self.assertEqual(run(f"--limit={wrong}", example).returncode, 2, wrong)

    def test_names_that_are_not_utf8(self):
        name = os.fsencode(self.folder.name) + b"/a\xff<&.xml"
        with open(name, "wb") as file:
            file.write(EXAMPLE.read_bytes())
        report = subprocess.run([GPUBOUND, "analyze", "-f", "xml", name], capture_output=True).stdout
        result = subprocess.run([XMLLINT, "--noout", "--schema", ROOT / "schema/report-1.xsd", "-"], input=report, capture_output=True)
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
