"""gpubound report: what it writes is what the report says, and what is no report is refused.

- CSV equals analyze's; JUnit, SARIF and ReqIF are valid and hold the same verdicts; the page is complete, loads nothing and links nowhere
  that is not there; xsltproc with the shipped stylesheet gives the same page; every form is the same in a second run
- reports that are truncated, forged or none at all end in a diagnostic and status 3, and leave no file
- a bundle is whole, reproducible, refuses changed inputs; the commands of its README verify it with the receiver's own models, and the recorded
  command line, which is one of them, gives the same bytes again
- a report signed as gpubound-report(1) says verifies, and does not when one digit is changed

usage: run.py GPUBOUND SOURCE_ROOT
"""
import colorsys
import csv
import hashlib
import html.parser
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import served  # noqa: E402

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
PROGRAM = served.Program(GPUBOUND, ENVIRONMENT)
TASKSETS = [f"examples/{path.name}" for path in sorted((ROOT / "examples").glob("*.xml"))] + ["tests/golden/verdicts.xml"]
FORMATS = ("html", "csv", "junit", "sarif", "reqif", "gsn", "sacm")
NS = "{urn:gpubound:report:1}"
REQIF = "{http://www.omg.org/spec/ReqIF/20110401/reqif.xsd}"
VERDICTS = {"not-proven": "failure", "no-bound": "error"}


def run(*words, cwd=ROOT, **more):
    return PROGRAM.run(words, cwd=cwd, **more)


def tool(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=120, **more)


class Reports(unittest.TestCase):
    """A folder with the report of every task set, made once, and each form of a report that is asked for more than once."""
    made, forms = {}, {}

    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.reports = {}
        for name in TASKSETS:
            if name not in Reports.made:
                Reports.made[name] = run("analyze", "-q", "-f", "xml", name, env=ENVIRONMENT).stdout  # by the program itself, whose hash is in it
            cls.reports[name] = cls.folder / (pathlib.Path(name).stem + ".xml")
            cls.reports[name].write_bytes(Reports.made[name])

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    def render(self, report, form):
        result = run("report", report, "--format", form)
        self.assertEqual((result.returncode, result.stderr), (0, b""), (report, form))
        return result.stdout.decode()

    def page(self, name):
        """The page of a task set's report; test_deterministic is why one rendering serves all tests."""
        if name not in Reports.forms:
            Reports.forms[name] = self.render(self.reports[name], "html")
        return Reports.forms[name]


def judged(report):
    """Tasks and chains of a report."""
    return [one for one in ElementTree.parse(report).find(NS + "results") if one.tag != NS + "stream"]


class Forms(Reports):
    def test_deterministic(self):
        report = self.reports["tests/golden/verdicts.xml"]
        for form in FORMATS:
            self.assertEqual(self.render(report, form), self.render(report, form))
            target = self.folder / "target"
            self.assertEqual(run("report", report, "-f", form, "-o", target).stdout, b"")
            self.assertEqual(target.read_text(), self.render(report, form))
            self.assertEqual(run("report", "-", "-f", form, input=report.read_bytes()).stdout.decode(), self.render(report, form))

    def test_csv(self):
        for name, report in self.reports.items():
            self.assertEqual(self.render(report, "csv"), run("analyze", "-q", "-f", "csv", name).stdout.decode())

    def test_junit(self):
        for name, report in self.reports.items():
            text = self.render(report, "junit")
            checked = tool("xmllint", "--noout", "--schema", HERE / "junit.xsd", "-", input=text)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            suites = ElementTree.fromstring(text)
            cases = list(suites.iter("testcase"))
            self.assertEqual([case.get("name") for case in cases], [one.get("id") for one in judged(report)])
            for case, one in zip(cases, judged(report)):
                outcome = "skipped" if one.get("best-effort") and one.get("verdict") == "no-bound" else VERDICTS.get(one.get("verdict"))
                self.assertEqual([child.tag for child in case if child.tag != "system-out"], [outcome] if outcome else [], name)
                said = dict(line.split(": ", 1) for line in case.findtext("system-out").splitlines())
                self.assertEqual(said.get("response"), one.get("response"))
                self.assertEqual(said.get("requirement"), one.get("requirement"))
            for suite in [suites, *suites.iter("testsuite")]:
                for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
                    self.assertEqual(int(suite.get(attribute)), len(list(suite.iter(tag))), attribute)
                if suite.tag == "testsuite":
                    self.assertEqual(int(suite.get("skipped", 0)), len(list(suite.iter("skipped"))))
        self.assertIn(f'value="{hashlib.sha256(report.read_bytes()).hexdigest()}"', text)

    def test_reqif(self):
        for name, report in self.reports.items():
            text = self.render(report, "reqif")
            checked = tool("xmllint", "--noout", "--schema", HERE / "reqif.xsd", "-", input=text)
            self.assertEqual(checked.returncode, 0, checked.stderr)
            root = ElementTree.fromstring(text)
            ids = {node.get("IDENTIFIER"): node for node in root.iter() if node.get("IDENTIFIER")}
            for node in root.iter():
                if node.tag.endswith("-REF"):
                    self.assertEqual(ids[node.text].tag + "-REF", node.tag)
            names = {key: self.value(node, "gpubound-a-name") or self.value(node, "gpubound-a-foreign-id") for key, node in ids.items()}
            related = {(names[r.find(f"{REQIF}SOURCE/*").text], names[r.find(f"{REQIF}TARGET/*").text], r.find(f"{REQIF}TYPE/*").text)
                       for r in root.iter(REQIF + "SPEC-RELATION")}
            self.assertEqual(related, {(f"{one.tag.removeprefix(NS)} {one.get('id')}", one.get("requirement"),
                                        "gpubound-t-proves" if one.get("verdict") == "proven" else "gpubound-t-does-not-prove")
                                       for one in judged(report) if one.get("requirement")}, name)
            if name.endswith("verdicts.xml"):
                self.assertEqual({requirement for _, requirement, _ in related}, {"SYS-7", "SYS-9"})
        self.assertIn('LAST-CHANGE="1970-01-01T00:00:00Z"', text)

    def value(self, node, definition):
        for value in node.iter(REQIF + "ATTRIBUTE-VALUE-STRING"):
            if value.find(f"{REQIF}DEFINITION/*").text == definition:
                return value.get("THE-VALUE")
        return None

    def test_dates(self):
        path = self.folder / "dated.xml"
        run("analyze", "-q", "-o", path, "examples/two-streams.xml", env={**ENVIRONMENT, "SOURCE_DATE_EPOCH": "86400"})
        self.assertIn('LAST-CHANGE="1970-01-02T00:00:00Z"', self.render(path, "reqif"))
        for date in ("soon", "292277026596-12-04T15:30:07Z", "2026-13-01T00:00:00Z"):
            changed = self.folder / "another-date.xml"
            changed.write_text(path.read_text().replace('date="1970-01-02T00:00:00Z"', f'date="{date}"'))
            self.assertIn(b"[schema-violation]", run("report", changed).stderr, date)
        for epoch in ("9223372036854775807", "99999999999999999999", "253402300800", "-1", "soon", "1 "):
            result = run("analyze", "-q", "-f", "xml", "examples/two-streams.xml", env={**ENVIRONMENT, "SOURCE_DATE_EPOCH": epoch})
            self.assertEqual((result.returncode, result.stdout), (2, b""), epoch)
            self.assertIn(b"SOURCE_DATE_EPOCH", result.stderr)

    def test_escapes(self):
        """Texts of the user stay texts, whatever they hold."""
        text = (ROOT / "tests/golden/verdicts.xml").read_text()
        evil = "&lt;script&gt;alert(1)&lt;/script&gt;&lt;!-- &quot; ' ]]&gt; &#233;"
        text = text.replace('source="a trace"', f'source="{evil}"').replace('requirement="SYS-7"', f'requirement="{evil}"')
        path = self.folder / "evil&é.xml"
        path.write_text(text)
        report = self.folder / "evil.report"
        run("analyze", "-q", "-o", report, path)
        self.assertEqual(len(re.findall("<script", self.render(report, "html"))), 1)
        plain = "<script>alert(1)</script><!-- \" ' ]]> é"
        self.assertIn(plain, Page(self.render(report, "html")).text)
        self.assertIn(f"requirement: {plain}\n", "".join(out.text for out in ElementTree.fromstring(self.render(report, "junit")).iter("system-out")))
        self.assertIn(plain, [v.get("THE-VALUE") for v in ElementTree.fromstring(self.render(report, "reqif")).iter(REQIF + "ATTRIBUTE-VALUE-STRING")])
        sarif = json.loads(self.render(report, "sarif"))
        self.assertIn("evil%26%C3%A9.xml", sarif["runs"][0]["artifacts"][0]["location"]["uri"])

    def test_usage(self):
        report = self.reports["tests/golden/verdicts.xml"]
        for words in (["-f", "pdf", report], ["--figures", "-f", "csv", report], [], [report, report], ["--bundle", "x", "-o", "x", report]):
            self.assertEqual(run("report", *words).returncode, 2, words)
        self.assertEqual(run("report", report, "-o", "/no/such/folder/x").returncode, 2)


class Sarif(Reports):
    """By hand what the schema of OASIS demands of the parts that are used: it is not in Debian. Originals has the schema itself."""

    def test_structure(self):
        for name, report in self.reports.items():
            log = json.loads(self.render(report, "sarif"))
            self.assertEqual(set(log), {"$schema", "version", "runs"})
            self.assertEqual((log["version"], len(log["runs"])), ("2.1.0", 1))
            one = log["runs"][0]
            self.assertEqual(set(one), {"tool", "invocations", "artifacts", "columnKind", "results"})
            self.assertEqual(one["columnKind"], "unicodeCodePoints")
            driver = one["tool"]["driver"]
            self.assertEqual(driver["name"], "gpubound")
            self.assertEqual([i["executionSuccessful"] for i in one["invocations"]], [True])
            ids = [rule["id"] for rule in driver["rules"]]
            self.assertEqual(len(ids), len(set(ids)))
            for rule in driver["rules"]:
                self.assertTrue(rule["shortDescription"]["text"] and rule["help"]["text"], rule)
            for artifact in one["artifacts"]:
                self.assertRegex(artifact["hashes"]["sha-256"], "^[0-9a-f]{64}$")
                self.assertGreater(artifact["length"], 0)
            for result in one["results"]:
                self.assertEqual(ids[result["ruleIndex"]], result["ruleId"])
                self.assertIn(result["level"], ("note", "warning", "error"))
                self.assertTrue(result["message"]["text"])
                for location in result.get("locations", []):
                    place = location["physicalLocation"]
                    self.assertRegex(place["artifactLocation"]["uri"], "^[A-Za-z0-9._~/%-]+$")
                    self.assertGreater(place.get("region", {"startLine": 1})["startLine"], 0)

    def test_findings(self):
        for name, report in self.reports.items():
            root = ElementTree.parse(report).getroot()
            results = json.loads(self.render(report, "sarif"))["runs"][0]["results"]
            bad = [one for one in judged(report) if one.get("verdict") != "proven"]
            told = [item for part in ("hazards", "diagnostics") for item in root.find(NS + part)]
            self.assertEqual([r["ruleId"] for r in results], [one.get("verdict") for one in bad] + [item.get("code") for item in told], name)
            lines = (ROOT / name).read_text().splitlines()
            for one, result in zip(bad, results):
                place = result["locations"][0]["physicalLocation"]
                level = "note" if one.get("id") in (root.get("left-out") or "").split() else "error"
                self.assertEqual((result["level"], place["artifactLocation"]["uri"]), (level, name))
                self.assertIn(f'id="{one.get("id")}"', lines[place["region"]["startLine"] - 1])
            for item, result in zip(told, results[len(bad):]):
                self.assertEqual(result["level"], {"hazard": "warning"}.get(item.get("level"), item.get("level")))
                if item.get("line"):
                    self.assertEqual(str(result["locations"][0]["physicalLocation"]["region"]["startLine"]), item.get("line"))


class Originals(Reports):
    """Against the schemas of others, which cannot be kept here: GPUBOUND_SARIF_SCHEMA, GPUBOUND_JUNIT_SCHEMA and GPUBOUND_REQIF_SCHEMA name
    the files. doc/formats.md says where they are to be had, and which of them were tried."""

    def schema(self, form):
        path = os.environ.get(f"GPUBOUND_{form.upper()}_SCHEMA")
        if path is None:
            self.skipTest(f"GPUBOUND_{form.upper()}_SCHEMA is not set: {form} is checked against the schema of these tests only")
        return path

    def test_sarif(self):
        path = self.schema("sarif")
        try:
            import jsonschema
        except ImportError:
            self.skipTest("python3-jsonschema is not installed")
        with open(path, encoding="utf-8") as file:
            schema = json.load(file)
        validator = jsonschema.validators.validator_for(schema)(schema)
        for name, report in self.reports.items():
            log = json.loads(self.render(report, "sarif"))
            self.assertEqual([error.message for error in validator.iter_errors(log)], [], name)
            log["runs"][0]["results"].append({"ruleId": 5})
            self.assertNotEqual(list(validator.iter_errors(log)), [])

    def check_xml(self, form):
        path = self.schema(form)
        for name, report in self.reports.items():
            checked = tool("xmllint", "--nonet", "--noout", "--schema", path, "-", input=self.render(report, form))
            self.assertEqual(checked.returncode, 0, (name, checked.stderr))

    def test_junit(self):
        self.check_xml("junit")

    def test_reqif(self):
        self.check_xml("reqif")


class Page(html.parser.HTMLParser):
    VOID = {"meta", "link", "br", "hr", "img", "input"}

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loads, self.open, self.words, self.wrong, self.tags = [], [], [], [], [], [], {}
        self.feed(text)
        self.wrong += self.open
        self.text, self.at = "".join(self.words), set(self.ids)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a":
            self.links.append(given["href"])
        self.loads += [value for name, value in attributes if name in ("src", "data", "action") or (name == "href" and tag != "a")]
        self.wrong += [name for name in given if name.startswith("on")]
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)

    def handle_data(self, data):
        self.words.append(data)


class Html(Reports):
    def test_page(self):
        for name, report in self.reports.items():
            text = self.page(name)
            page = Page(text)
            self.assertEqual(page.wrong, [], name)
            self.assertEqual(len(page.ids), len(set(page.ids)), name)
            self.assertEqual([link for link in page.links if link[0] != "#" or link[1:] not in page.at], [], name)
            self.assertEqual(page.loads, ["data:,"])
            self.assertNotRegex(text.split("<style>")[1].split("</style>")[0], r"url\(|@import")
            root = ElementTree.parse(report).getroot()
            for step in root.iter(NS + "step"):
                self.assertIn(step.get("id"), page.at)
            words = " ".join(page.text.split())
            for said in {" ".join(node.text.split()) for node in root.iter() if node.text and node.tag != NS + "argument"}:
                self.assertIn(said, words)
            bars = [*root.find(NS + "results").iter(NS + "task"), *(chain for chain in root.iter(NS + "chain") if chain.find(NS + "member[@wait]") is not None)]
            self.assertEqual(page.tags["svg"], len(bars))

    def test_times_are_exact(self):
        """A time in another unit is the same number; what the page says of a result is what the report says."""
        for name, report in self.reports.items():
            text = self.page(name)
            shown = re.findall(r'title="(-?\d+) ns[^"]*">([^<]*)<', text)
            self.assertTrue(shown)
            for ns, words in shown:
                number, unit = words.replace("\u2212", "-").split("\u00a0")
                whole, _, fraction = number.partition(".")
                digits = {"s": 9, "ms": 6, "us": 3, "ns": 0}[unit]
                self.assertLessEqual(len(fraction), digits)
                self.assertEqual(int(whole + fraction.ljust(digits, "0")), int(ns), words)
            said = {ns for ns, _ in shown}
            for one in judged(report):
                for attribute in ("response", "deadline", "slack"):
                    self.assertTrue(one.get(attribute) is None or one.get(attribute) in said, (name, attribute))

    def test_bars(self):
        """The parts of a task's bar are as long as the response in parts of the deadline, or all of it where there is none, up to the bar's end."""
        for name, report in self.reports.items():
            bars = re.sub(r'(?s)<figure class="bar chain">.*?</figure>', "", self.page(name)).split("<svg")[1:]
            for one, bar in zip(ElementTree.parse(report).find(NS + "results").iter(NS + "task"), bars):
                widths = re.findall(r'<rect[^>]* class="(?:jitter|host|own|other)" x="[^"]*" y="6" width="([^"]*)"', bar.split("</svg>")[0])
                wanted = min(1250, 1000 * int(one.get("response")) / int(one.get("deadline") or one.get("response"))) if one.get("response") else 0
                self.assertAlmostEqual(sum(map(float, widths)), wanted, delta=0.1, msg=(name, one.get("id")))

    def test_figures(self):
        """Streams, timeline and placement stand inside of the page, drawn of the report's own inputs, or else the reason why not."""
        for name, drawn, missing in (("examples/two-streams.xml", 3, 0), ("examples/waters2019-one-context.xml", 2, 1), ("examples/cockpit.xml", 1, 3), ("examples/programs.xml", 3, 0)):
            result = run("report", self.reports[name], "--figures")
            self.assertEqual((result.returncode, result.stderr), (0, b""))
            text = result.stdout.decode()
            self.assertEqual(text, run("report", self.reports[name], "--figures").stdout.decode())
            page, tasks = Page(text), len(list(ElementTree.parse(self.reports[name]).find(NS + "results").iter(NS + "task")))
            self.assertEqual((page.wrong, page.loads, len(page.ids) - len(set(page.ids))), ([], ["data:,"], 0))
            self.assertEqual(page.tags["svg"], tasks + drawn)
            self.assertEqual(page.text.count("Not drawn."), missing, name)
            for picture in text.split('<figure class="picture">')[1:]:
                self.assertRegex(picture, r'^<div class="scroll"[^>]*><svg [^>]*role="img"[^>]*>\s*<title>[^<]+</title>\s*<desc>[^<]+</desc>')
            self.assertNotRegex(text, r"url\(|@import|xlink")
            for rules in re.findall("<style>(.*?)</style>", text.split("</head>")[1], re.S):
                plain = re.sub(r"@media[^{]*{(.*)}", r"\1", rules)
                for rule in re.findall(r"([^{}]+){", plain):
                    for selector in rule.split(","):
                        self.assertRegex(selector, r"^\.(placement|timeline|streams) ", "a rule for the whole page")
        picture = run("map", "examples/two-streams.xml", "-f", "svg").stdout.decode()
        text = run("report", self.reports["examples/two-streams.xml"], "--figures").stdout.decode()
        self.assertEqual(re.findall("<title>([^<]*SM [^<]*)</title>", picture), re.findall("<title>([^<]*on SM [^<]*)</title>", text))
        self.assertIn("gpubound map --platform=jetson-agx-xavier examples/two-streams.xml --svg=placement.svg", text)

    def figured(self, name, *words):
        """A report made by `words`, and its page with pictures."""
        report = self.folder / "figured.xml"
        run("analyze", "-q", "-o", report, *words, name)
        result = run("report", "--figures", report)
        self.assertEqual((result.returncode, result.stderr), (0, b""), name)
        tasks = {one.get("id"): one for one in ElementTree.parse(report).find(NS + "results").iter(NS + "task")}
        return tasks, result.stdout.decode()

    def given(self, result, role):
        """What the derivation has in this role of the response, or of the bound that is it."""
        steps = {step.get("id"): step for step in ElementTree.parse(self.folder / "figured.xml").getroot().iter(NS + "step")}
        won = next(bound.get("step") for bound in result.iter(NS + "bound") if bound.get("name") == result.get("bound"))
        froms = [one for step in {won, result.get("step")} for one in steps[step].iter(NS + "from") if one.get("role") == role]
        return sum({one.get("step"): int(steps[one.get("step")].get("value")) for one in froms}.values())

    def test_made_of(self):
        """The parts of a response add up to it, in the table and in the bar, whichever bound has it; the task's own work is among them."""
        tried = 0
        names = ("bursts", "waters2019", "waters2019-one-context", "passing", "known-phases", "late-blocks", "threads", "cockpit", "programs", "waters2019-overload")
        for name, words in [(f"examples/{name}.xml", []) for name in names] + [("tests/golden/verdicts.xml", []), ("examples/two-streams.xml", ["-a", "A-WC"])]:
            tasks, text = self.figured(name, *words)
            for task, result in tasks.items():
                part = text.split(f'<details class="task" id="task-{task}"')[1].split("</details>")[0]
                rows = re.findall(r'<th scope="row"><span class="key (\w+)[^"]*">.*?data-sort="(\d+)".*?</tr>', part.split("<h4>Bounds")[0], re.S)
                self.assertEqual(bool(rows), result.get("response") is not None, (name, task))
                if rows:
                    tried += 1
                    self.assertEqual(sum(int(ns) for _, ns in rows), int(result.get("response")), (name, task))
                    self.assertIn("own", [kind for kind, _ in rows], (name, task))
                    parts = {kind: int(ns) for kind, ns in rows}
                    self.assertEqual(parts.get("host", 0), self.given(result, "C"), (name, task))
                    if result.get("bound") != "TT":
                        self.assertEqual(parts.get("jitter", 0), self.given(result, "Jr"), (name, task))
                    if name in ("examples/waters2019.xml", "examples/passing.xml", "examples/threads.xml"):
                        self.assertNotIn("wait", parts, (name, task))
                    bar = text.split('<div class="bar">')[1 + list(tasks).index(task)].split("</svg>")[0]
                    widths = re.findall(r'<rect[^>]* class="(?:jitter|host|own|task|context|more|overhead|wait) [^"]*" x="[^"]*" y="6" width="([^"]*)"', bar)
                    share = int(result.get("response")) / int(result.get("deadline") or result.get("response"))
                    self.assertAlmostEqual(sum(map(float, widths)), min(1250, 1000 * share), delta=0.2, msg=(name, task))
        self.assertGreater(tried, 20)

    def test_culprits(self):
        """A part is of whoever's work it is: of the jobs of filter in one window, the alarms that come in it, and the blocks of log."""
        _, text = self.figured("examples/bursts.xml")
        part = text.split('id="task-filter"')[1].split("</details>")[0]
        parts = dict(re.findall(r'<th scope="row"><span class="key [^"]*">(.*?)</span></th><td class="number" data-sort="(\d+)">', part))
        self.assertEqual(parts, {
            "release jitter": "30000000", "own GPU work": "4474250", "work of alarm": "5484000", "work of log": "3091000"})

    def test_not_the_same_analysis(self):
        """Without the command line of the report, or with another's numbers, nothing is said of what responses are made of."""
        text = self.reports["examples/pipeline.xml"].read_text()
        for old, new, said in (("<argument>analyze</argument>", "<argument>library</argument>", "does not say which command line"),
                               ("<argument>analyze</argument>", "<argument>analyze</argument><argument>--assume=A-NONE</argument>", "does not say which command line")):
            changed = self.folder / "changed-line.xml"
            changed.write_text(text.replace(old, new))
            result = run("report", "--figures", changed)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(said, result.stdout.decode())
            self.assertNotIn("What the response is made of", result.stdout.decode())

    def test_seen(self):
        """What the page has as seen, the run by its options shows, and no more than the bound; the timeline is of such a run."""
        for name in ("examples/pipeline.xml", "examples/waters2019.xml", "examples/passing.xml", "examples/threads.xml"):
            tasks, text = self.figured(name)
            table = text.split('id="picture-seen"')[1].split("</table>")[0]
            rows = re.findall(r'href="#task-([^"]*)">.*?data-sort="(\d+)".*?<code>([^<]*)</code>', table, re.S)
            self.assertEqual([task for task, _, _ in rows], list(tasks))
            for task, ns, options in rows:
                self.assertLessEqual(int(ns), int(tasks[task].get("response")))
                jobs = csv.DictReader(io.StringIO(run("simulate", "-q", "-f", "csv", *options.split(), name).stdout.decode()))
                self.assertEqual(max(int(job["nominal_response_ns"]) for job in jobs if job["task"] == task), int(ns), (name, task))
            about = re.search("the response of ([^ ]*) was greatest", text).group(1)
            seen, options = next((int(ns), options) for task, ns, options in rows if task == about)
            self.assertIn(f"{options} --from=", text)
            milliseconds = f"{seen / 1e6:.6f}".rstrip("0").rstrip(".")
            self.assertIn(f">complete: {milliseconds} ms<", text)
            self.assertIn(f'>bound: {int(tasks[about].get("response")) / 1e6:.6f}'.rstrip("0").rstrip(".") + " ms<", text)

    def test_missed(self):
        """Where a simulated run misses a deadline the bar says so, with its mark at the edge, and so does the row; nowhere else."""
        tasks, text = self.figured("examples/robot.xml")
        table = text.split('id="picture-seen"')[1].split("</table>")[0]
        late = {task for task, ns in re.findall(r'href="#task-([^"]*)">.*?data-sort="(\d+)"', table.split("<tbody>")[1]) if int(ns) > int(tasks[task].get("deadline"))}
        self.assertEqual(late, {"control"})
        for task in tasks:
            bar = text.split(f'<div class="bar"><p><a href="#task-{task}">')[1].split("</svg>")[0]
            self.assertEqual("missed in a simulated run" in bar, task in late, task)
            self.assertEqual('<path class="saw" d="M1247 0V40">' in bar, task in late, task)
        self.assertEqual(table.count(", missed<"), 1)

    def test_streams(self):
        """Each operation is a box in its stream's row, and each wait has an arrow."""
        name = "examples/pipeline.xml"
        _, text = self.figured(name)
        picture = text.split('class="streams"')[1].split("</svg>")[0]
        root = ElementTree.parse(ROOT / name).getroot()
        space = root.tag[:root.tag.index("}") + 1]
        operations = [one for task in root.iter(space + "task") for one in task]
        self.assertEqual(len(re.findall('<rect class="box [^>]*><title>', picture)), len(operations))
        self.assertEqual(picture.count('class="edge"'), len([one for one in operations if one.tag == space + "wait"]))
        self.assertEqual(re.findall('class="task"[^>]*>([^<]*)<', picture), ["task camera", "task fuse"])
        self.assertEqual(set(re.findall('class="name"[^>]*>([^<]*)<', picture)), {"stream in", "stream work", "stream out", "stream lidar"})

    def test_one_meaning_a_colour(self):
        """A task has one colour in the bars, the streams, the timeline and the placement, and it is none of a verdict's."""
        style = (ROOT / "schema/report.xsl").read_text()
        page = dict(re.findall(r"--(c\d|good|bad|open): (#[0-9a-f]+)", style.split("prefers-color-scheme")[0]))
        palette = {f"c{i}": page[f"c{i}"] for i in range(8)}
        self.assertEqual(len(set(palette.values()) | {page["good"], page["bad"], page["open"]}), 11)
        for word in ("good", "bad", "open"):  # and none looks like one: hues of green, red and amber
            for colour in palette.values():
                red, green, blue = (int(colour[i:i + 2], 16) for i in (1, 3, 5))
                hue = colorsys.rgb_to_hsv(red / 255, green / 255, blue / 255)
                like = {"good": 0.25 < hue[0] < 0.45, "bad": min(hue[0], 1 - hue[0]) < 0.05, "open": 0.05 < hue[0] < 0.12}[word]
                self.assertFalse(like and hue[1] > 0.5, (word, colour))
        _, text = self.figured("examples/pipeline.xml")
        for picture in ("streams", "timeline", "placement"):
            self.assertEqual(dict(re.findall(rf"\.{picture} \.(c\d)\{{fill:(#[0-9a-f]+)", text)), palette, picture)
        boxes = re.findall(r'<rect class="box (?:kernel|copy) (c\d)"[^>]*><title>(\w+)', text)
        self.assertEqual({name: colour for colour, name in boxes}, {"frame": "c0", "detect": "c0", "boxes": "c0", "points": "c1", "match": "c1", "matches": "c1"})

    def test_many(self):
        """What a page cannot show it says it leaves out."""
        head = (ROOT / "examples/pipeline.xml").read_text().split("<application")[0]
        kernel = '<kernel id="k%d.%d" stream="s%d" scope="block" grid="4" block="128" registers="32" wcet="20us"/>'
        for tasks, operations, said in ((40, 1, "... and 16 more tasks"), (2, 100, "... and 76 more operations")):
            path = self.folder / "many.xml"
            streams = "".join(f'<stream id="s{t}" priority="0"/>' for t in range(tasks))
            body = "".join(f'<task id="t{t}" period="200ms" deadline="{190 - t}ms">' + "".join(kernel % (t, i, t) for i in range(operations)) + "</task>" for t in range(tasks))
            path.write_text(f'{head}<application id="a">{streams}</application>{body}</taskset>')
            _, text = self.figured(path)
            self.assertIn(said, text)
            self.assertEqual(re.findall(r"\.\.\. and (\d+) more tasks", text.split('class="timeline"')[1].split("</svg>")[0]), ["15"] if tasks > 24 else [], "24 tasks and the one that it is about")
            if tasks == 40:
                self.assertEqual(text.count('class="key more'), 2 * tasks)

    def test_slack(self):
        tasks, text = self.figured("examples/waters2019.xml", "--slack")
        table = text.split("<h3>Slack</h3>")[1].split("</table>")[0]
        for one in ElementTree.parse(self.folder / "figured.xml").getroot().iter(NS + "slack"):
            row = table.split(f'href="#task-{one.get("task")}"')[1].split("</tr>")[0]
            self.assertEqual(re.findall('<td[^>]* data-sort="([^"]*)"', row), [one.get(name) for name in ("all-wcets", "all-wcets", "own-wcets", "period", "deadline")])
            self.assertIn(f'>+{int(one.get("all-wcets")) / 10:.1f}\u00a0%<', row)

    def test_figures_of_other_inputs(self):
        report, target = self.reports["examples/two-streams.xml"], self.folder / "never.html"
        with tempfile.TemporaryDirectory() as elsewhere:
            absent = run("report", report, "--figures", "-o", target, cwd=elsewhere)
            self.assertEqual(absent.returncode, 3)
            self.assertIn(b"[file-unreadable]", absent.stderr)
            os.mkdir(os.path.join(elsewhere, "examples"))
            text = (ROOT / "examples/two-streams.xml").read_text().replace('wcet="800us"', 'wcet="801us"')
            (pathlib.Path(elsewhere) / "examples/two-streams.xml").write_text(text)
            changed = run("report", report, "--figures", "-o", target, cwd=elsewhere)
            self.assertEqual((changed.returncode, changed.stdout), (3, b""))
            self.assertIn(b"[bundle-input-changed]", changed.stderr)
        self.assertFalse(target.exists())

    def test_same_as_xsltproc(self):
        if shutil.which("xsltproc") is None:
            self.skipTest("xsltproc is not installed: the page is not compared with what it gives")
        report = self.reports["tests/golden/verdicts.xml"]
        self.assertEqual(tool("xsltproc", ROOT / "schema/report.xsl", report).stdout, self.render(report, "html"))

    def test_stylesheet(self):
        data = self.folder / "data"
        (data / "schema").mkdir(parents=True)
        (data / "models").mkdir()
        shutil.copy(ROOT / "schema/report-1.xsd", data / "schema")
        report = self.reports["tests/golden/verdicts.xml"]
        head = '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">'
        for sheet in (None, "<a/", head + f"<xsl:copy-of select=\"document('{ROOT}/schema/report-1.xsd')\"/></xsl:template></xsl:stylesheet>"):
            if sheet is not None:
                (data / "schema" / "report.xsl").write_text(sheet)
            result = run("report", report, env={**ENVIRONMENT, "GPUBOUND_DATA": str(data)})
            self.assertEqual((result.returncode, result.stdout), (3, b""), sheet)
            self.assertIn(b"[stylesheet-unusable]", result.stderr)


def get(tag, name):
    return re.search(f' {name}="([^"]*)"', tag).group(1)


def put(tag, name, value):
    """The tag with another value of an attribute, or without it (None)."""
    return re.sub(f' {name}="[^"]*"', "" if value is None else f' {name}="{value}"', tag, count=1)


class Refused(Reports):
    def refused(self, text, said):
        path, target = self.folder / "changed.xml", self.folder / "never"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        for words in (["-f", "csv", "-o", target], ["--bundle", target]):
            result = run("report", path, *words)
            self.assertEqual((result.returncode, result.stdout), (3, b""), result.stderr)
            self.assertIn(said, result.stderr.decode())
            self.assertIn("error: ", result.stderr.decode())
            self.assertFalse(target.exists())

    def test_forged(self):
        text = self.reports["tests/golden/verdicts.xml"].read_text()
        root, late = re.search("<report [^>]*>", text).group(), re.search('<task id="late"[^>]*>', text).group()
        bound = re.search('<bound name="[^"]*" value[^>]*>', text).group()
        operation = re.search('<operation [^>]* inflated=[^>]*>', text).group()
        coverage = re.search("<coverage [^>]*>", text).group()
        source = re.search('<from role="R" step="[^"]*"/>', text).group()
        deadline = int(get(late, "response")) + 1
        for tag, *changes in (
            (late, ("response", "1")),
            (late, ("response", str(int(get(late, "response")) - 1)), ("slack", str(int(get(late, "slack")) + 1))),
            (late, ("deadline", str(deadline)), ("slack", "1")),
            (late, ("slack", str(int(get(late, "slack")) + 1))),
            (late, ("verdict", "proven")),
            (late, ("bound", "Q")),
            (late, ("step", "s640000")),
            (late, ("step", "s99999999999999999999")),
            (late, ("step", None)),
            (root, ("verdict", "proven")),
            (root, ("verdict", "no-bound")),
            (bound, ("value", str(int(get(bound, "value")) - 1))),
            (bound, ("step", None)),
            (operation, ("inflated", "1")),
            (source, ("step", "s" + str(text.count("<step ")))),
            ('<step id="s57"', ("id", "s58")),
            (coverage, ("tasks-in", "3")),
            (coverage, ("operations-out", "5")),
        ):
            changed = tag
            for name, value in changes:
                changed = put(changed, name, value)
            self.assertEqual(text.count(tag) > 0, changed != tag)
            self.refused(text.replace(tag, changed, 1), "[report-inconsistent]")

    def test_not_valid(self):
        text = self.reports["tests/golden/verdicts.xml"].read_text()
        for old, new, said in (
            ("<coverage ", "<covered ", "schema-violation"),
            (' taskset="verdicts"', "", "schema-violation"),
            ('<step id="s1" ', '<step id="1" ', "schema-violation"),
            ("</report>", "", "xml-malformed"),
            ("</report>", "</report><report/>", "xml-malformed"),
            ("urn:gpubound:report:1", "urn:gpubound:report:2", "xml-version"),
            ("urn:gpubound:report:1", "urn:example", "xml-root"),
            ("<report ", '<!DOCTYPE report [<!ENTITY x SYSTEM "file:///etc/passwd">]><report ', "xml-doctype"),
        ):
            self.assertIn(old, text)
            self.refused(text.replace(old, new), f"[{said}]")
        for cut in range(0, len(text) - len("</report>"), len(text) // 12):
            self.refused(text[:cut], "[xml-malformed]")
        self.refused((ROOT / "examples/two-streams.xml").read_bytes(), "[xml-root]")
        self.refused(b"\x00\x01", "[xml-encoding]")
        self.assertIn(b"[file-unreadable]", run("report", self.folder / "nothing.xml").stderr)

    def test_large(self):
        """More than a task set may have, and still a report; in reasonable time."""
        text = self.reports["tests/golden/verdicts.xml"].read_text()
        first = len(re.findall("<step ", text)) + 1
        more = "".join(f'<step id="s{first + i}" rule="sum" about="task:late" value="1" unit="ns"><from role="c" step="s{1 + i}"/></step>'
                       for i in range(15000))
        path = self.folder / "large.xml"
        path.write_text(text.replace("</derivation>", more + "</derivation>"))
        self.assertEqual(self.render(path, "csv"), self.render(self.reports["tests/golden/verdicts.xml"], "csv"))
        self.assertIn(f'id="s{first + 14999}"', self.render(path, "html"))

    def test_too_large(self):
        text = self.reports["tests/golden/verdicts.xml"].read_text()
        self.refused(text.replace("</step>", "<a/>" * 12100000 + "</step>", 1), "[xml-too-large]")
        path = self.folder / "endless.xml"
        with open(path, "wb") as file:
            file.truncate((64 << 20) + (64 << 10) + 1)  # a signature has room beside the longest report
        result = run("report", path)
        self.assertEqual((result.returncode, result.stdout), (3, b""))
        self.assertIn(b"[file-too-large]", result.stderr)
        path.unlink()

    def test_memory(self):
        """Whichever allocation fails: status 5, one message, and the file that was there before."""
        report, target = self.reports["tests/golden/verdicts.xml"], self.folder / "old"
        for form in ("html", "sarif", "reqif"):
            for allocation in (1, 10, 100) + ((1000, 3000) if form == "html" else ()):
                target.write_text("old")
                result = run("report", report, "-f", form, "-o", target, env={**ENVIRONMENT, "GPUBOUND_FAIL_ALLOCATION": str(allocation)})
                if result.returncode == 0 and allocation == 1:
                    self.skipTest("a build without -Dtesting=true: allocations cannot be made to fail")
                self.assertEqual((result.returncode, result.stdout, result.stderr), (5, b"", b"gpubound: out of memory\n"), (form, allocation))
                self.assertEqual(target.read_text(), "old")


class Bundle(Reports):
    def bundle(self, name):
        target = self.folder / "bundle.tar"
        target.unlink(missing_ok=True)
        result = run("report", self.reports[name], "--bundle", target)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, b"", b""))
        return target.read_bytes()

    def test_whole(self):
        for name in ("tests/golden/verdicts.xml", "examples/waters2019.xml"):
            first = self.bundle(name)
            self.assertEqual(first, self.bundle(name))
            with tarfile.open(fileobj=io.BytesIO(first)) as tar:
                files = {member.name.removeprefix("gpubound-bundle/"): tar.extractfile(member).read() for member in tar}
                self.assertTrue(all(m.name.startswith("gpubound-bundle/") and (m.mtime, m.uid, m.gid, m.mode) == (0, 0, 0, 0o644) for m in tar))
            self.assertEqual(files["report.xml"], self.reports[name].read_bytes())
            self.assertEqual(files["inputs/" + name], (ROOT / name).read_bytes())
            for schema in ("taskset-1.xsd", "platform-1.xsd", "frame-1.xsd", "program-1.xsd", "report-1.xsd", "report.xsl", "signature.xml"):
                self.assertEqual(files["schema/" + schema], (ROOT / "schema" / schema).read_bytes())
            sums = dict(reversed(line.split("  ")) for line in files["SHA256SUMS"].decode().splitlines())
            self.assertEqual(sums, {path: hashlib.sha256(data).hexdigest() for path, data in files.items() if path != "SHA256SUMS"})

    def unpacked(self, name, folder):
        with tarfile.open(fileobj=io.BytesIO(self.bundle(name))) as tar:
            tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(folder)
        return folder / "gpubound-bundle"

    def readme(self, folder):
        """The commands of a README, in the receiver's shell, after each other; stops where one fails. What they say."""
        text = (folder / "README").read_text()
        commands = [line[2:] for line in text.split("'s word:\n")[1].splitlines() if re.match("  [a-z]|  SOURCE", line)]
        self.assertEqual([re.sub(r"^SOURCE.*?\) ", "", line).split()[0] for line in commands], ["sha256sum", "cd", "gpubound", "gpubound", "gpubound"])
        environment = {**ENVIRONMENT, "PATH": f"{os.path.dirname(GPUBOUND)}:{ENVIRONMENT['PATH']}"}
        analyze = next(line for line in commands if "gpubound analyze" in line)
        commands[commands.index(analyze)] = analyze + " >../table || [ $? = 1 -o $? = 4 ]"
        return subprocess.run(["sh", "-e", "-c", "\n".join(commands)], cwd=folder, env=environment, capture_output=True, text=True, timeout=120)

    def test_readme(self):
        """Typed in by a receiver who has his own models and schemas: everything is verified, and the recorded command line gives the same bytes."""
        for number, name in enumerate(("examples/waters2019.xml", "examples/programs.xml", "examples/cockpit.xml", "tests/golden/verdicts.xml")):
            folder = self.unpacked(name, self.folder / f"receiver-{number}")
            done = self.readme(folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("verified", done.stdout)
            self.assertEqual((folder / "again.xml").read_bytes(), (folder / "report.xml").read_bytes(), name)
            self.assertTrue((folder / "report.html").exists())
            self.assertNotIn("NOT", (folder / "README").read_text())

    def test_recorded_options(self):
        """With a date, options, and a platform model of the sender's own at a path."""
        here = self.folder / "options"
        (here / "the sets").mkdir(parents=True)
        (here / "boards").mkdir()
        shutil.copy(ROOT / "tests/golden/verdicts.xml", here / "the sets")
        (here / "boards/mine.xml").write_text((ROOT / "models/titan-v.xml").read_text().replace('id="titan-v"', 'id="mine"'))
        words = ["analyze", "-q", "--limit=9", "-a", "A-WC", "--slack", "-m", "jetson-tx2", "-m", "./boards/mine.xml", "-o", "report.xml"]
        dated = {**ENVIRONMENT, "SOURCE_DATE_EPOCH": "86400"}
        for number, path in enumerate(("boards/set.xml", "the sets/verdicts.xml")):
            shutil.copy(ROOT / "tests/golden/verdicts.xml", here / path)
            self.assertLess(run(*words, path, cwd=here, env=dated).returncode, 5)
            self.assertEqual(run("report", "report.xml", "--bundle", "b.tar", cwd=here).returncode, 0)
            there = here / f"there-{number}"
            with tarfile.open(here / "b.tar") as tar:
                tar.extractall(there, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(there)
            folder = there / "gpubound-bundle"
            text = (folder / "README").read_text()
            self.assertIn("NOT one that gpubound", text)
            if number == 0:
                done = self.readme(folder)
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("NO model that this version ships", done.stdout)
                self.assertEqual((folder / "again.xml").read_bytes(), (folder / "report.xml").read_bytes())
            else:  # a path that is not taken over: verified all the same, by the file's name here
                self.assertIn("'the sets/verdicts.xml'", text)
                command = next(line.split() for line in text.splitlines() if "gpubound verify" in line)
                self.assertEqual(run(*command[1:], cwd=folder / "inputs").returncode, 0)

    def test_verified_where_it_is_unpacked(self):
        """What the task set names lies where the report says, and has the names that the report has."""
        for name in ("examples/waters2019.xml", "examples/cockpit.xml", "examples/programs.xml"):
            folder = self.unpacked(name, self.folder / ("verify-" + pathlib.Path(name).stem))
            words = ["verify", "../report.xml"]
            self.assertEqual(run(*words, cwd=folder / "inputs").returncode, 0, name)
            report = (folder / "report.xml").read_text()
            for path in re.findall(r'path="(examples/(?:frames|kernels)/[^"]*)"', report)[:2]:
                (folder / "report.xml").write_text(report.replace(f'path="{path}"', f'path="{path.replace("examples/", "elsewhere/")}"'))
                self.assertIn(b"@path", run(*words, cwd=folder / "inputs").stderr, path)

    def test_paths_out_of_the_folder(self):
        """Absolute, or up and down: nothing is unpacked there, and the README's command finds it."""
        here = self.folder / "out"
        (here / "a/b").mkdir(parents=True)
        shutil.copytree(ROOT / "examples/frames", here / "a/frames")
        shutil.copy(ROOT / "examples/cockpit.xml", here / "a/cockpit.xml")
        for number, path in enumerate((here / "a/cockpit.xml", "../cockpit.xml", "b/../cockpit.xml", "README", "report.xml")):
            cwd = here / "a/b" if number == 1 else here / "a"
            if number > 2:
                shutil.copy(here / "a/cockpit.xml", cwd / path)
            run("analyze", "-q", "-o", here / "r.xml", path, cwd=cwd)
            self.assertEqual(run("report", here / "r.xml", "--bundle", here / "b.tar", cwd=cwd).returncode, 0)
            with tarfile.open(here / "b.tar") as tar:
                self.assertTrue(all(name.startswith("gpubound-bundle/") and ".." not in name for name in tar.getnames()))
                self.assertEqual(len(set(tar.getnames())), len(tar.getnames()))
                tar.extractall(here / f"un{number}", filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(here / f"un{number}")
            folder = here / f"un{number}/gpubound-bundle"
            command = next(line.split() for line in (folder / "README").read_text().splitlines() if "gpubound verify" in line)
            shutil.move(here / "a", here / "moved")
            result = run(*command[1:], cwd=folder / "inputs")
            shutil.move(here / "moved", here / "a")
            self.assertEqual(result.returncode, 0, (path, command, result.stderr))

    def test_changed_inputs(self):
        here = self.folder / "here"
        (here / "sub").mkdir(parents=True)
        taskset = (ROOT / "tests/golden/verdicts.xml").read_text().replace('platform="titan-v"', 'platform="sub/board.xml"')
        model = (ROOT / "models/titan-v.xml").read_text()
        (here / "set.xml").write_text(taskset)
        (here / "sub/board.xml").write_text(model)
        run("analyze", "-q", "-o", "report.xml", "set.xml", cwd=here)
        self.assertEqual(run("report", "report.xml", "--bundle", "b.tar", cwd=here).returncode, 0)
        with tarfile.open(here / "b.tar") as tar:
            self.assertIn("gpubound-bundle/inputs/sub/board.xml", tar.getnames())
        before = (here / "b.tar").read_bytes()
        for path, text, changed in (("set.xml", taskset, taskset.replace("500us", "501us")), ("set.xml", taskset, taskset + "\n"),
                                    ("sub/board.xml", model, model.replace("80", "81"))):
            (here / path).write_text(changed)
            result = run("report", "report.xml", "--bundle", "b.tar", cwd=here)
            self.assertEqual(result.returncode, 3)
            self.assertIn(f"{path}: error: ", result.stderr.decode())
            self.assertIn("[bundle-input-changed]", result.stderr.decode())
            self.assertEqual((here / "b.tar").read_bytes(), before)
            (here / path).write_text(text)
        report = (here / "report.xml").read_text()
        for name in ("bytes", "sha256"):
            line = re.search("<input [^>]*>", report).group()
            (here / "forged.xml").write_text(report.replace(line, put(line, name, "1" * len(get(line, name)))))
            self.assertIn(b"[bundle-input-changed]", run("report", "forged.xml", "--bundle", "b.tar", cwd=here).stderr)
        (here / "set.xml").unlink()
        self.assertEqual(run("report", "report.xml", "--bundle", "b.tar", cwd=here).returncode, 3)
        (here / "set.xml").mkdir()
        self.assertIn(b"no regular file", run("report", "report.xml", "--bundle", "b.tar", cwd=here).stderr)

    def test_standard_input(self):
        report = self.folder / "stdin.xml"
        run("analyze", "-q", "-o", report, "-", input=(ROOT / "tests/golden/verdicts.xml").read_bytes())
        self.assertIn(b"standard input", run("report", report, "--bundle", self.folder / "b.tar").stderr)


class Signed(Reports):
    def setUp(self):
        if shutil.which("xmlsec1") is None or shutil.which("openssl") is None:
            self.skipTest("xmlsec1 or openssl is not installed: signing is not tested")

    def verify(self, path):
        return tool("xmlsec1", "--verify", "--enabled-reference-uris", "empty", "--enabled-key-data", "key-name", "--pubkey-cert-pem", "cert.pem", path, cwd=self.folder).returncode

    def test_recipe(self):
        """The commands of gpubound-report(1), with a key that is thrown away."""
        page = (ROOT / "man/gpubound-report.1").read_text()
        recipe = "\n".join(re.findall(r"\.Bd -literal -offset indent -compact\n(.*?)\.Ed", page, re.S))
        recipe = recipe.replace("SCHEMA", str(ROOT / "schema")).replace("\\e", "\\")
        shutil.copy(self.reports["tests/golden/verdicts.xml"], self.folder / "report.xml")
        made = tool("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=nobody",
                    "-days", "2", cwd=self.folder)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(recipe.count("xmlsec1"), 2)
        shutil.copy(self.folder / "cert.pem", self.folder / "authority.pem")  # its own
        done = tool("sh", "-e", "-c", recipe, cwd=self.folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("OK", done.stdout + done.stderr)
        signed = (self.folder / "signed.xml").read_text()
        self.assertEqual(self.verify("signed.xml"), 0)
        self.still_a_report()
        self.only_signed("tests/golden/verdicts.xml", signed)
        late = re.search('<task id="late"[^>]*>', signed).group()
        for old, new in ((late, put(late, "response", str(int(get(late, "response")) + 1))), ("<statement>The head", "<statement>the head"),
                         ("</derivation>", "</derivation><more xmlns='urn:x'/>"), ('samples="2000"', 'samples="3000"')):
            self.assertIn(old, signed)
            (self.folder / "changed.xml").write_text(signed.replace(old, new, 1))
            self.assertNotEqual(self.verify("changed.xml"), 0, old)

    def only_signed(self, name, signed):
        """Signing adds, and changes no byte of what was there: else a signed report could not be verified by its text's hash."""
        self.assertEqual(signed[:signed.index("<ds:Signature")].rstrip(), self.reports[name].read_text().removesuffix("</report>\n").rstrip())
        self.assertEqual(run("verify", self.folder / "signed.xml").returncode, 0)

    def test_any_report(self):
        """Whatever the texts hold, an XML serialiser writes the report as it is."""
        path, source = self.folder / "odd.report", self.folder / "odd.xml"
        odd = "&quot;'&lt;&gt;&amp;&#9;&#10;&#13;\u00e9\u20ac\u0085]]&gt;"
        text = (ROOT / "tests/golden/verdicts.xml").read_text()
        source.write_text(text.replace("a proof &lt;by hand&gt;", odd))
        for name, report in [*self.reports.items(), ("odd", path)]:
            if name == "odd":
                self.assertLess(run("analyze", "-q", "-o", path, source).returncode, 3)
            written = tool("xmllint", "--nonet", "--huge", report).stdout
            self.assertEqual(written, report.read_text(), name)

    def still_a_report(self):
        checked = tool("xmllint", "--noout", "--schema", ROOT / "schema/report-1.xsd", self.folder / "signed.xml")
        self.assertEqual(checked.returncode, 0, checked.stderr)
        self.assertEqual(self.render(self.folder / "signed.xml", "csv"), self.render(self.reports["tests/golden/verdicts.xml"], "csv"))
        self.assertIn("carries a signature", Page(self.render(self.folder / "signed.xml", "html")).text)
        self.assertNotIn("carries a signature", Page(self.render(self.reports["tests/golden/verdicts.xml"], "html")).text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
