"""gpubound models: the list, the tables, the check. Usage: cmd_models.py GPUBOUND SOURCE_ROOT"""
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(sys.argv.pop(2))
GPUBOUND = sys.argv.pop(1)
NS = "{urn:gpubound:platform:1}"
NAMES = sorted(path.stem for path in (ROOT / "models").glob("*.xml"))
SHORTEN = {"ns": {"ms": 10**6, "us": 1000, "s": 10**9, "ns": 1}, "B": {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20}}


def run(*words, **more):
    return subprocess.run([GPUBOUND, "models", *words], capture_output=True, text=True, timeout=60, **more)


def table(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--format=csv").stdout)))


def root(name):
    return ElementTree.parse(ROOT / "models" / (name + ".xml")).getroot()


class Models(unittest.TestCase):
    def test_list(self):
        result = run()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual([line.split()[0] for line in result.stdout.splitlines()[1:] if line[0] != " "], NAMES)
        rows = table()
        self.assertEqual([row["name"] for row in rows], NAMES)
        for row in rows:
            self.assertEqual((row["architecture"], row["compute_capability"]), (root(row["name"]).get("architecture"), root(row["name"]).get("compute-capability")))
        tx2 = next(row for row in rows if row["name"] == "jetson-tx2")
        self.assertEqual((tx2["sms"], tx2["placement"]), ("2", "most-room"))
        self.assertLess({"overhead.launch", "runlist.switch", "from=cpu"}, set(tx2["missing"].split()))
        self.assertFalse({"runlist.timeslice", "engine.h2d", "sm.count", "from=h2d"} & set(tx2["missing"].split()))
        self.assertIn("sm.count", next(row for row in rows if row["name"] == "jetson-orin-nano")["missing"].split())
        self.assertNotIn("from=cpu", next(row for row in rows if row["name"] == "h200")["missing"].split())

    def test_width_and_determinism(self):
        shown = run(*NAMES)
        self.assertEqual((shown.returncode, shown.stderr), (0, ""))
        for text in (run().stdout, shown.stdout, run("--check").stdout):
            for line in text.splitlines():
                self.assertLessEqual(len(line), 100, line)
                self.assertEqual(line, line.rstrip())
        self.assertEqual(shown.stdout, run(*NAMES).stdout)

    def test_every_number_is_shown(self):
        """With its unit and the text of its source; what the file has, the tables have."""
        for name in NAMES:
            file, rows, text = root(name), table(name), run(name).stdout
            sources = {source.get("id"): source.text for source in file.iter(NS + "source")}
            parameters = {row["name"]: row for row in rows if row["kind"] == "parameter"}
            self.assertEqual(set(parameters), {p.get("name") for p in file.iter(NS + "parameter")})
            for p in file.iter(NS + "parameter"):
                row = parameters[p.get("name")]
                number, unit = re.fullmatch(r"([0-9.]+)([A-Za-z]*)", p.get("value")).groups()
                self.assertEqual(int(row["value"]), float(number) * SHORTEN.get(row["unit"], {"": 1})[unit])
                self.assertEqual((row["source"], row["note"]), (sources[p.get("source")], p.get("note") or ""))
                self.assertRegex(text, re.escape("  " + p.get("name")) + r" +\d[^\n]* \[\d+\]")
            factors = [row for row in rows if row["kind"] == "interference" and row["name"] != "composition"]
            self.assertEqual([float(row["value"]) for row in factors], [float(f.get("value")) for f in file.iter(NS + "factor")])
            self.assertEqual([row["source"] for row in factors], [sources[f.get("source")] for f in file.iter(NS + "factor")])
            gpcs = [{int(s) for s in row["value"].split()} for row in rows if row["kind"] == "gpc"]
            self.assertEqual(gpcs, [{int(s) for tpc in gpc for s in tpc.text.split()} for gpc in file.iter(NS + "gpc")])
            states = {row["name"]: row for row in rows if row["kind"] == "assumption"}
            for a in file.iter(NS + "assumption"):
                self.assertEqual(states[a.get("id")]["value"], a.get("status"))
                self.assertIn(a.text, states[a.get("id")]["note"])
            self.assertIn("A-HOST-WCRT", states)

    def test_check(self):
        result = run("--check")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(re.findall(r"^(\S+): valid$", result.stdout, re.M), NAMES)
        self.assertEqual({row["verdict"] for row in table("--check")}, {"valid"})

    def test_check_of_a_file(self):
        text = (ROOT / "models" / "jetson-tx2.xml").read_text()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "board.xml")
            for wrong, right in (('value="2" source="rtss17"/>', None), ('name="sm.count" value="2"', 'name="sm.count" value="two"'),
                                 ('source="rtss17"/>', 'source="nobody"/>'), ("</platform>", "")):
                with open(path, "w") as file:
                    file.write(text if right is None else text.replace(wrong, right, 1))
                result = run("--check", path, "jetson-tx2")
                self.assertEqual(result.returncode, 0 if right is None else 3, wrong)
                self.assertIn(path + (": valid" if right is None else ": invalid"), result.stdout)
                self.assertIn("jetson-tx2: valid", result.stdout)
                self.assertEqual(result.stderr == "", right is None)
                if right is not None:
                    self.assertRegex(result.stderr, re.escape(path) + r":\d+: error: ")

    def test_unknown(self):
        for words in (["nosuch"], ["--check", "nosuch"], ["./nosuch.xml"]):
            result = run(*words)
            self.assertEqual(result.returncode, 3, words)
            self.assertIn("error: ", result.stderr)
        with tempfile.TemporaryDirectory() as folder:
            result = run(env={**os.environ, "GPUBOUND_DATA": folder})
            self.assertEqual(result.returncode, 3)
            self.assertIn("GPUBOUND_DATA", result.stderr)

    @unittest.skipIf(shutil.which("xmllint") is None, "there is no xmllint: no model is known to be valid")
    def test_known(self):
        """A shipped model is known to be valid by its bytes, without its schema; with a byte more it is not."""
        analyze = [GPUBOUND, "analyze", "-q", ROOT / "examples" / "two-streams.xml"]
        with tempfile.TemporaryDirectory() as name:
            data = pathlib.Path(name)
            for part in ("models", "schema"):
                shutil.copytree(ROOT / part, data / part)
            (data / "schema" / "platform-1.xsd").write_text("no schema\n")
            environment = {**os.environ, "GPUBOUND_DATA": name}
            self.assertEqual(subprocess.run(analyze, capture_output=True, timeout=60, env=environment).returncode, 0)
            model = data / "models" / "jetson-agx-xavier.xml"
            model.write_bytes(model.read_bytes() + b"\n")
            result = subprocess.run(analyze, capture_output=True, text=True, timeout=60, env=environment)
            self.assertEqual(result.returncode, 3)
            self.assertIn("platform-1.xsd", result.stderr)

    @unittest.skipIf(shutil.which("xmllint") is None, "there is no xmllint")
    def test_table(self):
        """The build's table: a model that is not valid stops it; where nothing validates none is called valid."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "models").mkdir()
            model = shutil.copy(ROOT / "models" / "jetson-tx2.xml", folder / "models")
            words = [sys.executable, ROOT / "src" / "input" / "shipped_models.py", folder / "table.c", folder / "table.d", folder / "models",
                     ROOT / "schema" / "platform-1.xsd"]
            for tool, valid in (([shutil.which("xmllint")], "true"), ([], "false")):
                subprocess.run([*words, *tool], check=True)
                self.assertIn(f", {valid}}},", (folder / "table.c").read_text())
            pathlib.Path(model).write_text(pathlib.Path(model).read_text().replace("<parameter ", "<parameters ", 1).replace("/>", "></parameters>", 1))
            self.assertNotEqual(subprocess.run([*words, shutil.which("xmllint")], stderr=subprocess.DEVNULL).returncode, 0)

    def test_usage(self):
        self.assertEqual(run("--format=xml").returncode, 2)


if __name__ == "__main__":
    unittest.main()
