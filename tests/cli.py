"""The command line: help, versions, usage errors with suggestions, exit statuses. Usage: cli.py GPUBOUND SOURCE_ROOT"""
import os
import pty
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = sys.argv.pop(2)
GPUBOUND = sys.argv.pop(1)


def run(*words, **more):
    return subprocess.run([GPUBOUND, *words], capture_output=True, text=True, timeout=60, **more)


def commands():
    lines = run("--help").stdout.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    return [line.split()[0] for line in lines if line[2] != " "]  # else an entry goes on


class Frame(unittest.TestCase):
    def test_help(self):
        for words in (["--help"], ["help"], ["-h"]):
            result = run(*words)
            self.assertEqual(result.returncode, 0)
            self.assertIn("usage: gpubound COMMAND", result.stdout)
            self.assertEqual(result.stderr, "")

    def test_help_of_each_command(self):
        self.assertIn("version", commands())
        for name in commands():
            first, second = run(name, "--help"), run("help", name)
            self.assertTrue(all(len(line) <= 80 for line in first.stdout.splitlines()), name)
            self.assertEqual((first.returncode, second.returncode), (0, 0))
            self.assertEqual(first.stdout, second.stdout)
            self.assertIn("usage: gpubound " + name, first.stdout)
            for line in first.stdout.splitlines():
                self.assertTrue(len(line) <= 80 or re.match(r" {6}--\S+$", line), line)

    def test_help_of_a_code(self):
        """Messages are looked up by their code without a build of the manual."""
        with open(f"{ROOT}/src/base/diagnostics.def", encoding="utf-8") as file:
            rows = re.findall(r'^DIAGNOSTIC\(\w+, "([^"]+)", \w+, "([^"]+)", "([^"]+)"\)', file.read(), re.M)
        self.assertGreater(len(rows), 100)
        for slug, meaning, remedy in rows[::7]:
            result = run("help", slug)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            flat = " ".join(result.stdout.split())
            self.assertIn(" ".join(meaning.split()), flat)
            self.assertIn(" ".join(remedy.split()), flat)
            self.assertTrue(all(len(line) <= 80 for line in result.stdout.splitlines()))
        result = run("help", "same-sn")
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn("did you mean 'same-sm'?", result.stderr)
        self.assertIn("did you mean 'analyze'?", run("help", "analyse").stderr)

    def test_help_of_assumptions_and_bounds(self):
        """What reports name is looked up by its name: every assumption, every bound."""
        for table, row, count in (("model/assumptions.def", r'^ASSUMPTION\(\w+, "([^"]+)", \w+, "((?:[^"\\]|\\.)+)", "((?:[^"\\]|\\.)+)"\)', 30),
                                  ("response/bounds/bounds.def", r'^BOUND\(\w+, "([^"]+)", \w+, \w+, "([^"]+)", "([^"]+)"\)', 10)):
            with open(f"{ROOT}/src/{table}", encoding="utf-8") as file:
                rows = re.findall(row, file.read(), re.M)
            self.assertGreaterEqual(len(rows), count)
            for name, meaning, action in rows:
                result = run("help", name)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                flat = " ".join(result.stdout.split())
                self.assertTrue(flat.startswith(f"{name}, a"), flat)
                self.assertIn(" ".join(meaning.replace('\\"', '"').split()), flat)
                self.assertIn(" ".join(action.replace('\\"', '"').split()), flat)
        self.assertIn("did you mean 'A-HOL'?", run("help", "A-HOLL").stderr)

    def test_version(self):
        self.assertRegex(run("--version").stdout, r"^gpubound \d+\.\d+\.\d+\n")

    def test_usage_errors(self):
        for words, said in (
            ([], "missing command"),
            (["versoin"], "did you mean 'version'?"),
            (["zzzzzzzz"], "unknown command 'zzzzzzzz'"),
            (["version", "--qiet"], "did you mean '--quiet'?"),
            (["version", "--zzzzzzzz"], "unknown option '--zzzzzzzz'"),
            (["version", "-Z"], "unknown option '-Z'"),
            (["validate", "-m", "h200"], "missing operand: TRACE..."),
            (["version", "extra"], "unexpected operand 'extra'"),
            (["version", "--color"], "wants auto|always|never"),
            (["version", "--color=blue"], "not 'blue'"),
            (["version", "--quiet=1"], "takes no argument"),
            (["help", "nothing"], "unknown command 'nothing'"),
            (["help", "analize"], "did you mean 'analyze'?"),
            (["--verison"], "did you mean '--version'?"),
            (["analyze", "--format=cvs", "x"], "did you mean 'csv'?"),
            (["analyze", "--assume", "A-HOLL", "x"], "unknown assumption 'A-HOLL'; did you mean 'A-HOL'? there are: A-WCET"),
            (["analyze", "--assume", "none", "x"], "unknown assumption 'none'; there are: A-WCET"),
            (["falsify", "--assume", "A-HOLL"], "did you mean 'A-HOL'?"),
            (["import", "nys", "x"], "did you mean 'nsys'? there are: "),
        ):
            result = run(*words)
            self.assertEqual(result.returncode, 2, words)
            self.assertIn(said, result.stderr)
            self.assertIn("Try 'gpubound", result.stderr)
            self.assertEqual(result.stdout, "")

    def test_forms_of_options(self):
        for words in (["--color=never"], ["--color", "never"], ["-qv"], ["--"], ["--color=auto", "--"]):
            self.assertEqual(run("version", *words).returncode, 0, words)

    def on_a_terminal(self, *words):
        """What a command prints there; standard error is the terminal."""
        try:
            ours, theirs = pty.openpty()
        except OSError as error:
            self.skipTest(f"there is no terminal to be had here: {error}")
        with subprocess.Popen([GPUBOUND, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=theirs) as process:
            os.close(theirs)
            text = b""
            while True:
                try:
                    part = os.read(ours, 65536)
                except OSError:  # the other end is closed
                    break
                if not part:
                    break
                text += part
            os.close(ours)
        return text.decode().replace("\r\n", "\n")

    def test_the_line_of_an_error(self):
        """A terminal shows it; a pipe does only with --verbose, so that a message stays one line for programs."""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "a.xml")
            with open(path, "w") as file:
                file.write('<taskset xmlns="urn:gpubound:taskset:1" id="a" platfrom="h200" origin="o">\n</taskset>\n')
            shown = '     1 | <taskset xmlns="urn:gpubound:taskset:1" id="a" platfrom="h200" origin="o">\n'
            self.assertIn(shown[:76] + " ...\n", self.on_a_terminal("analyze", "--color=never", path), "80 columns of it")
            self.assertIn("Did you mean 'platform'?", " ".join(self.on_a_terminal("analyze", path).split()))
            self.assertIn("\033[31merror\033[0m", self.on_a_terminal("analyze", path))
            self.assertNotIn("\033", self.on_a_terminal("analyze", "--color=never", path))
            self.assertNotIn(shown, run("analyze", path).stderr)
            self.assertIn(shown, run("analyze", "--verbose", path).stderr)

    def test_diagnostics_on_a_terminal(self):
        """A terminal's rows end between words and are the words of the one line that a pipe gets."""
        path = os.path.join(ROOT, "examples/pipeline.xml")
        piped, shown = run("analyze", path).stderr, self.on_a_terminal("analyze", "--color=never", path)
        self.assertEqual(shown.split(), piped.split())
        self.assertGreater(max(map(len, piped.splitlines())), 80)
        self.assertEqual(len(re.findall(r"^\S+: (?:hazard|warning): .*\[[a-z-]+\]$", piped, re.M)), len(piped.splitlines()))
        self.assertLessEqual(max(len(row) for row in shown.splitlines()), 80 + len(path))
        for row in shown.splitlines():
            self.assertTrue(len(row) <= 80 or len(row.split()[0]) > 40 and len(row) < 80 + len(row.split()[0]), row)
            self.assertRegex(row, r"^(?:/|    \S)")
        coloured = self.on_a_terminal("analyze", "--color=always", path)
        self.assertEqual(re.sub("\033\\[[0-9;]*m", "", coloured), shown)

    def test_files_on_standard_output(self):
        """A file written to standard output has it for itself, so that the next program can read it."""
        example = os.path.join(ROOT, "examples", "two-streams.xml")
        for words, begins in ((["simulate", "--trace=-"], "exp,cfg,"), (["simulate", "--chrome=-"], "{"), (["simulate", "--svg=-"], "<?xml"),
                              (["map", "--svg=-"], "<svg"), (["analyze", "-o", "-"], "<?xml"), (["report", "--bundle=-"], "gpubound-bundle/")):
            operand = "-" if words[0] == "report" else example
            report = run("analyze", "-qfxml", example).stdout if words[0] == "report" else None
            said = run(*words, "-q", operand, input=report).stdout
            self.assertTrue(said.startswith(begins), (words, said[:60]))
            if begins.startswith("<"):
                ElementTree.fromstring(said)
        self.assertEqual(run("simulate", "--trace=-", "--svg=-", example).returncode, 2)
        trace = run("simulate", "-q", "--trace=-", example).stdout
        self.assertIn("total", run("validate", "-m", "jetson-agx-xavier", "--format=csv", "-", input=trace).stdout)

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w") as full:
            result = subprocess.run([GPUBOUND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("cannot be written", result.stderr)


if __name__ == "__main__":
    unittest.main()
