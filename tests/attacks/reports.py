"""Attacks on reports: each is a report, a signature or a bundle that somebody made who wants another one to believe it.

- what stands in no vocabulary of ours, or is written as the program does not write: other namespaces, comments, references, encodings
- each attribute and each text of a report changed, removed and doubled, with the sums of the text written anew
- words that nothing is derived from, options in the recorded command line, inputs that are not the report's
- signatures by other keys, by all ways in which a signature may say which key it is by
- models and schemas that the sender sends along

usage: reports.py GPUBOUND SOURCE_ROOT quick|slow SERVE
(SERVE: gpubound as a server, tests/serve.c)
"""
import base64
import hashlib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import served
from forged import mended

GPUBOUND, ROOT, SLOW = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3] == "slow"
DATA = pathlib.Path(__file__).resolve().parent / "reports"
SERVE = os.path.abspath(sys.argv[4])
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
DSIG = "http://www.w3.org/2000/09/xmldsig#"


def run(*words, cwd=ROOT, text=None, data=None):
    if data is None:
        return SERVER.run(words, cwd, text)
    return subprocess.run([GPUBOUND, *map(str, words)], cwd=cwd, env={**ENVIRONMENT, "GPUBOUND_DATA": str(data)}, input=text, capture_output=True,
                          text=True, timeout=120)


def analyze(example, *words, **more):
    return run("analyze", "--quiet", "--format=xml", *words, example, **more).stdout


def verify(report, *words, **more):
    return run("verify", *words, "-", text=report, **more)


class Attacks(unittest.TestCase):
    def refuse(self, report, what, *words, code=None, statuses=(1, 3), **more):
        result = verify(report, *words, **more)
        self.assertIn(result.returncode, statuses, (what, result.stdout))
        self.assertRegex(result.stderr, r"error: .*\[[a-z-]+\]", what)
        self.assertNotIn("verified", result.stdout, what)
        if code:
            self.assertIn(f"[{code}]", result.stderr, what)

    def replace(self, report, before, after, count=1):
        self.assertIn(before, report)
        return report.replace(before, after, count)


class Form(Attacks):
    """Whatever another reader of XML may see otherwise: refused without the analysis that all words are compared with, too."""

    @classmethod
    def setUpClass(cls):
        cls.report = analyze("examples/two-streams.xml")

    def both(self, report, what, **more):
        for words in ((), ("--without-prose",)):
            self.refuse(mended(report) if isinstance(report, str) else report, what, *words, **more)

    def test_foreign(self):
        for part in sorted(DATA.glob("*.part")):
            self.both(self.replace(self.report, "</report>", part.read_text() + "</report>"), part.name)
            self.both(self.replace(self.report, "</derivation>\n", "</derivation>\n" + part.read_text()), part.name)
        programs = analyze("examples/programs.xml")
        own = re.search(r"  <programs>.*?</programs>\n", programs, re.S).group()
        moved = own.replace("<programs>", '<programs xmlns="urn:evil">')
        for certificates in (moved, re.sub("<certificate.*?</certificate>", "", moved)):
            self.both(programs.replace(own, "").replace("</report>", certificates + "</report>"), "programs of another vocabulary")
        for space in ("urn:x", "", DSIG, "urn:gpubound:report:2", "urn:gpubound:taskset:1"):
            for name in ("sensitivity", "programs", "note", "Object", "derivation", "results", "report"):
                self.both(self.replace(self.report, "</report>", f'<{name} xmlns="{space}"/></report>'), f"{name} of {space}")

    def test_every_element_elsewhere(self):
        """An element of each name, with all that is in it, in another namespace: by a default, by a prefix."""
        for name in dict.fromkeys(re.findall(r"<([a-z][a-z-]*)", self.report[self.report.index("<report"):])):
            self.both(re.sub(rf"<{name}\b", rf'<{name} xmlns="urn:x"', self.report, count=1), f"{name} elsewhere")
            whole = re.search(rf"<{name}\b[^>]*?(/>|>.*?</{name}>)", self.report, re.S).group()
            prefixed = re.sub(rf"(</?){name}\b", rf"\1p:{name}", whole).replace(f"<p:{name}", f'<p:{name} xmlns:p="urn:gpubound:report:1"', 1)
            self.both(self.report.replace(whole, prefixed, 1), f"{name} with a prefix")

    def test_ways_of_writing(self):
        task = re.search(r"    <task .*?>\n", self.report).group()
        same = {
            "a comment": (task, task + "      <!-- proven -->\n"), "a comment in a text": ("<argument>analyze", "<argument>ana<!-- -->lyze"),
            "a processing instruction": (task, task + "      <?xml-stylesheet type='text/xsl' href='other.xsl'?>\n"),
            "a CDATA section": ("<argument>analyze<", "<argument><![CDATA[analyze]]><"), "a reference": ('verdict="proven"', 'verdict="prove&#110;"'),
            "a reference in hexadecimal": ("<argument>analyze", "<argument>&#x61;nalyze"), "an apostrophe": ('verdict="proven"', 'verdict="&apos;proven"'),
            "other quotes": ('verdict="proven"', "verdict='proven'"), "more space": ('verdict="proven"', ' verdict="proven"'),
            "a line feed in a tag": (' verdict="proven"', '\nverdict="proven"'), "space behind a name": ("</task>", "</task >"),
            "space about =": ('verdict="proven"', 'verdict = "proven"'), "a start and an end tag": (task.strip(), task.strip() + " "),
            "xml:base": ("<results>", '<results xml:base="http://example.org/">'), "xml:lang": ("<results>", '<results xml:lang="en">'),
            "xml:space": ("<results>", '<results xml:space="preserve">'), "a schema elsewhere": (
                "<report ", '<report xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="urn:gpubound:report:1 x.xsd" '),
            "a type": ("<results>", '<results xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="results">'),
            "nothing": ("<results>", '<results xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:nil="false">'),
            "a prefix that nobody uses": ("<report ", '<report xmlns:x="urn:x" '), "the same default again": ("<results>", '<results xmlns="urn:gpubound:report:1">'),
            "a line less": (task, task.strip()), "a tab": ("    <task ", "\t<task "), "CR": ("\n    <task ", "\r\n    <task "),
        }
        for what, (before, after) in same.items():
            self.both(self.replace(self.report, before, after), what)
        element = re.search(r"<input [^>]*/>", self.report).group()
        self.refuse(mended(self.report.replace(element, element[:-2] + "></input>", 1)), "an empty element written long")

    def test_before_and_behind(self):
        begin, rest = self.report.split("\n", 1)
        for what, text in (
                ("a comment before", f"{begin}\n<!-- x -->\n{rest}"), ("an instruction before", f"{begin}\n<?x y?>\n{rest}"),
                ("a DOCTYPE", f"{begin}\n<!DOCTYPE report>\n{rest}"), ("an entity", f'{begin}\n<!DOCTYPE report [<!ENTITY p "proven">]>\n{rest}'),
                ("a comment behind", self.report + "<!-- x -->"), ("an instruction behind", self.report + "<?x y?>"),
                ("another root", self.report + "<report/>"), ("a comment inside, behind", self.replace(self.report, "</report>", "<!-- x --></report>")),
                ("an instruction inside, behind", self.replace(self.report, "</report>", "<?x y?></report>")),
                ("a text behind", self.replace(self.report, "</report>", "proven</report>")),
                ("CDATA behind", self.replace(self.report, "</report>", "<![CDATA[proven]]></report>")),
                ("XML 1.1", self.replace(self.report, 'version="1.0"', 'version="1.1"')), ("standalone", self.replace(self.report, '"UTF-8"?>', '"UTF-8" standalone="yes"?>')),
                ("another encoding", self.replace(self.report, "UTF-8", "ISO-8859-1")), ("UTF-7", self.replace(self.report, "UTF-8", "UTF-7")),
                ("ASCII", self.replace(self.report, "UTF-8", "US-ASCII"))):
            self.both(text, what)
        for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-7"):
            if encoding == "utf-7":
                continue
            self.both(self.report.encode(encoding), encoding)
        self.both(self.report.encode() + b"\0<report/>", "NUL")
        self.both(self.report.encode().replace(b"proven", b"pro\xc1\xb6en", 1), "an overlong sequence")

    def test_environment(self):
        tag = re.search(r"  <environment [^>]*/>\n", self.report).group()
        for what, other in (("twice", tag * 2), ("gone", ""), ("another program", tag.replace('tool="gpubound"', 'tool="certified"')),
                            ("no sum", re.sub(r' content-sha256="[^"]*"', "", tag)), ("no sums of lines", re.sub(r' line-crc32="[^"]*"', "", tag)),
                            ("other sums of lines", re.sub(r'line-crc32="........', 'line-crc32="00000000', tag)),
                            ("a date", tag.replace("/>", ' date="soon"/>')), ("a far date", tag.replace("/>", ' date="292277026596-12-04T15:30:07Z"/>')),
                            ("an attribute", tag.replace("/>", ' certified="yes"/>')), ("content", tag.replace("/>", ">proven</environment>")),
                            ("another place", None)):
            text = self.report.replace(tag, "" if other is None else other, 1)
            text = text.replace("  <inputs>", tag + "  <inputs>", 1) if other is None else text
            for words in ((), ("--without-prose",)):
                self.refuse(text, what, *words)


    def test_garbled_sums(self):
        """Sums of lines that are none hide no text with another sum as a whole."""
        changed = self.report.replace(" SMs get none of", " SMs get some of", 1)
        self.assertNotEqual(changed, self.report)
        for what, sums in (("longer", r"\g<0>&#10;"), ("shorter", 'line-crc32="1'), ("none", 'line-crc32="'), ("as they were", r"\g<0>"), ("words", 'line-crc32="fine ')):
            self.refuse(re.sub(r'line-crc32="[0-9a-f]{8}', sums, changed, count=1), what, "--without-prose")


TOKEN = re.compile(r'<(/?)([a-z0-9-]+)((?:\s+[a-zA-Z0-9:-]+="[^"]*")*)\s*(/?)>|([^<]+)', re.S)


def changes(report):
    """(what, start, end, text in its place) of each attribute and each text outside of <environment>, and of each element."""
    opened, last = [], {}
    for token in TOKEN.finditer(report, report.index("<report")):
        inside = [name for name, _ in opened]
        if token.group(5) is not None:
            if token.group(5).strip():
                yield f"text of {inside[-1]}", token.start(5), token.end(5), "x"
                yield f"text of {inside[-1]}", token.start(5), token.end(5), ""
                yield f"text of {inside[-1]}", token.start(5), token.end(5), token.group(5) + " (proven)"
        elif token.group(1):
            name, start = opened.pop()
            yield from around(report, name, start, token.end(), last)
        elif token.group(2) != "environment":
            for attribute in re.finditer(r'\s+([a-z0-9-]+)="([^"]*)"', token.group(3)):
                at, name, value = token.start(3), attribute.group(1), attribute.group(2)
                what = f"{token.group(2)}@{name}"
                yield what, at + attribute.start(), at + attribute.end(), ""
                for other in others(value):
                    yield what, at + attribute.start(2), at + attribute.end(2), other
            missing = {"bound": ' reason="x"', "step": ' source="x"', "chain": ' closed-form="1"', "task": ' best-effort="true"', "stream": ' response="1"',
                       "occupancy": ' least="1"', "diagnostic": ' line="7"', "hazard": ' line="7"', "resource": ' percent="1.0"',
                       "assumption": ' declared-by="x"'}.get(token.group(2), "")
            if missing and missing.split("=")[0] + "=" not in token.group(3):
                yield f"{token.group(2)} with{missing}", token.end(3), token.end(3), missing
            if token.group(4):
                yield from around(report, token.group(2), token.start(), token.end(), last)
            else:
                opened.append((token.group(2), token.start()))


def others(value):
    if re.fullmatch(r"-?\d+", value):
        return [str(int(value) + 1), str(int(value) - 1) if int(value) else "5", "0" + value, "+" + value, value + ".0"]
    flip = {"true": "false", "false": "true", "proven": "no-bound", "not-proven": "proven", "no-bound": "proven", "holds": "assumed", "assumed": "holds",
            "unstated": "holds", "conditional": "holds", "hazard": "note", "warning": "note"}
    return [flip[value]] if value in flip else [value + "x", "", value.upper() if value.upper() != value else value.lower()]


def around(report, name, start, end, last):
    """An element gone, twice, or in the place of the one before it of that name."""
    yield f"{name} gone", start, end, ""
    yield f"{name} twice", end, end, report[start:end]
    if name in last and last[name][1] <= start and report[last[name][0]:last[name][1]] != report[start:end]:
        first, behind = last[name]
        yield f"{name} swapped", first, end, report[start:end] + report[behind:start] + report[first:behind]
    last[name] = (start, end)


class Mutations(Attacks):
    def attack(self, report, every, shift):
        tried = 0
        for number, (what, start, end, other) in enumerate(changes(report)):
            if number % every == shift % every and report[start:end] != other:
                forged = mended(report[:start] + other + report[end:])
                self.refuse(forged, f"{what}: {report[max(0, start - 60):end + 20]} -> {other}")
                tried += 1
        self.assertGreater(tried, 20)

    def test_every_change(self):
        plan = {"two-streams": 7, "programs": 61, "chains": 61}
        for example in ["examples/two-streams.xml", "examples/programs.xml", "tests/golden/verdicts.xml", "examples/best-effort.xml",
                        "examples/cockpit.xml", "tests/golden/chains.xml"]:
            name = pathlib.Path(example).stem
            with self.subTest(name):
                every = (1 if name == "two-streams" else 7) if SLOW else plan.get(name, 101)
                self.attack(analyze(example), every, len(name))

    def test_one_spelling(self):
        """A number of a step has one spelling, whatever it is compared with."""
        report = analyze("examples/programs.xml")
        steps = list(re.finditer(r'(<step id="s\d+" rule="[^"]*" about="[^"]*" value=")(-?\d+)(/\d+)?"', report))
        for step in steps[:20] + [next(step for step in steps if step.group(2) == "0"), next((step for step in steps if step.group(3)), steps[0])]:
            number, rest = step.group(2), step.group(3) or ""
            for other in ("0" + number + rest, "+" + number + rest, number + ".0", number + (rest or "/1"), "-" + number, f"{2 * int(number)}/2", number + "/01"):
                if other != number + rest:
                    forged = report[:step.start(2)] + other + report[step.end(3) if rest else step.end(2):]
                    self.refuse(mended(forged), other, "--without-prose")

    def test_slack(self):
        self.attack(analyze("tests/golden/verdicts.xml", "--slack"), 67 if SLOW else 211, 3)


class Words(Attacks):
    """What no number is derived from, and somebody decides by it."""

    def test_of_programs(self):
        report = analyze("examples/programs.xml")
        part = re.search(r'<chain cycles="\d+" linear-program="\d+" [^>]*>', report).group()
        flipped = part.replace('attained="true"', 'attained="false"')
        for what, other in (("attained", flipped), ("solver", re.sub('solver="[^"]*"', 'solver="ALL DEADLINES PROVEN"', part)),
                            ("closed-form", part.replace(" solver=", ' closed-form="1" solver='))):
            self.assertNotEqual(other, part, what)
            self.refuse(mended(report.replace(part, other, 1)), what)

    def test_reasons(self):
        report = analyze("examples/best-effort.xml")
        reason = re.search(r' reason="([^"]*)"', report).group()
        self.refuse(mended(report.replace(reason, ' reason="ALL DEADLINES PROVEN"', 1)), "a reason")
        self.refuse(mended(report.replace(reason, reason + ' assumptions="A-WC"', 1)), "assumptions of no bound")

    def test_hazards(self):
        report = analyze("examples/two-streams.xml")
        hazard = re.search(r"    <hazard .*?</hazard>\n", report, re.S).group()
        for what, other in (("gone", ""), ("another line", hazard.replace('line="', 'line="1')), ("milder", hazard.replace('level="hazard"', 'level="note"'))):
            self.refuse(mended(report.replace(hazard, other, 1)), what)

    def test_conditions_are_said(self):
        """A verdict that rests on what nobody vouches for is not verified without a word of that."""
        for words, verdict, said in (((), "proven", None), (("--assume=A-WC", "--assume=A-PRIO"), "conditional", "condition: A-WC, for which nobody vouches")):
            output = verify(analyze("examples/two-streams.xml", *words)).stdout
            self.assertIn(f"verified: {verdict};", output)
            self.assertTrue(said in output if said else "condition" not in output, output)

    def test_unchecked_is_said(self):
        result = verify(analyze("examples/two-streams.xml"), "--without-prose")
        self.assertEqual(result.returncode, 0)
        self.assertIn("unchecked: hazards", result.stdout)
        self.assertNotIn("unchecked", verify(analyze("examples/two-streams.xml")).stdout)

    def test_other_version(self):
        """The words of another version differ, and the message says which version."""
        report = analyze("examples/two-streams.xml").replace(' version="0.1.0"', ' version="0.0.9"', 1)
        self.assertEqual(verify(report).returncode, 0, "its words are the same")
        hazard = re.search(r"(<hazard [^>]*>)", report).group()
        other = verify(mended(report.replace(hazard, hazard + "Once: ", 1)))
        self.assertEqual(other.returncode, 1)
        self.assertIn("gpubound 0.0.9 wrote it; this is gpubound 0.1.0", other.stderr)
        self.assertEqual(verify(mended(report.replace(hazard, hazard + "Once: ", 1)), "--without-prose").returncode, 0)


class CommandLine(Attacks):
    def test_arguments(self):
        report = analyze("examples/two-streams.xml")
        word, operand = "<argument>analyze</argument>", "<argument>examples/two-streams.xml</argument>"
        for argument in ("--limit=ALL DEADLINES PROVEN", "--limit=", "--limit=0", "--limit=-1", "--limit=1e9", "--limit=100000001", "--limit=99999999999999999999",
                         "--platform=jetson-tx2", "--platform=", "--assume=", "--assume=A-WC proven", "--assume=A-NONE", "--slack=proven", "--output=x", "-q",
                         "--limit", "", " ", "proven", "analyze", "examples/two-streams.xml", "--", "--explain=resize"):
            escaped = argument.replace("&", "&amp;")
            for words in ((), ("--without-prose",)):
                self.refuse(mended(report.replace(word, f"{word}\n    <argument>{escaped}</argument>")), argument, *words)
                self.refuse(mended(report.replace(operand, f"{operand}\n    <argument>{escaped}</argument>")), "behind: " + argument, *words)
        for twice in ("--limit=5", "--slack", "--platform=jetson-agx-xavier"):
            true = analyze("examples/two-streams.xml", twice)
            self.assertEqual(verify(true).returncode, 0, twice)
            argument = f"    <argument>{twice}</argument>\n"
            self.refuse(mended(self.replace(true, argument, argument * 2)), "twice " + twice, "--without-prose")
        for other in ("analyse", "falsify", "--slack", "ALL DEADLINES PROVEN"):
            self.refuse(mended(report.replace(word, f"<argument>{other}</argument>")), other, "--without-prose")
        self.refuse(mended(report.replace("    " + word + "\n", "")), "no command", "--without-prose")
        self.refuse(mended(report.replace("    " + operand + "\n", "")), "no task set", "--without-prose")

    def test_recorded_options_are_verified(self):
        for words in (("--limit=9",), ("--limit=100000000", "--limit=7"), ("-m", "jetson-tx2", "--assume=A-WC", "--assume=A-WC", "--assume=A-PRIO")):
            result = verify(analyze("examples/two-streams.xml", *words))
            self.assertEqual((result.returncode, result.stderr), (0, ""), words)

    def test_beyond_64_bits(self):
        """What is too long to be told has no value, in both."""
        with tempfile.TemporaryDirectory() as folder:
            text = (ROOT / "examples/two-streams.xml").read_text()
            (pathlib.Path(folder) / "set.xml").write_text(text.replace('wcet="800us"', 'wcet="9200000000s"', 1))
            report = analyze("set.xml", cwd=folder)
            self.assertIn("exceeds 64 bits", report)
            result = verify(report, cwd=folder)
            self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_odd_names(self):
        """What analyze writes for a file of whatever name, verify takes."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a  b.xml", " c.xml", "d&e<f>.xml", "g\th.xml", "'i\".xml", "jé.xml"):
                shutil.copy(ROOT / "examples/two-streams.xml", pathlib.Path(folder) / name)
                result = verify(analyze(name, cwd=folder), cwd=folder)
                self.assertEqual((result.returncode, result.stderr), (0, ""), name)


class Inputs(Attacks):
    """verify -i MINE says something of MINE."""

    def test_mine(self):
        report = analyze("examples/two-streams.xml")
        with tempfile.TemporaryDirectory() as folder:
            mine, same, report_path = (pathlib.Path(folder) / name for name in ("mine.xml", "another name.xml", "report.xml"))
            text = (ROOT / "examples/two-streams.xml").read_text()
            mine.write_text(text.replace('wcet="800us"', 'wcet="900us"'))
            same.write_text(text)
            report_path.write_text(report)
            for words, code in (([mine], "no-such-input"), ([same, mine], "no-such-input"), ([mine, same], "no-such-input"),
                                ([folder + "/nowhere.xml"], "file-unreadable"), ([folder], "file-unreadable"), ([report_path], "no-such-input"),
                                (["/dev/null"], "file-unreadable"), (["/dev/zero"], "file-unreadable"), ([ROOT / "models/jetson-tx2.xml"], "no-such-input"),
                                ([same, ROOT / "examples/waters2019.xml"], "no-such-input")):
                for more in ((), ("--without-prose",)):
                    self.refuse(report, words, *(f"--input={word}" for word in words), *more, code=code, statuses=(1,))
            for words in ([same], [same, same], [same, ROOT / "models/jetson-agx-xavier.xml"], [ROOT / "models/jetson-agx-xavier.xml"]):
                result = verify(report, *(f"--input={word}" for word in words))
                self.assertEqual((result.returncode, result.stderr), (0, ""), words)
            self.assertEqual(verify(report, "-i", "another name.xml", cwd=folder).returncode, 0)

    def test_every_role(self):
        """Frames, programs, code and binaries under other names in other folders."""
        for example in ("examples/cockpit.xml", "examples/programs.xml"):
            report = analyze(example)
            with tempfile.TemporaryDirectory() as folder:
                words = []
                for number, path in enumerate(re.findall(r'<input role="(?!platform)[^"]*" path="([^"]*)"', report)):
                    target = pathlib.Path(folder) / f"sub-{number}" / "input"
                    target.parent.mkdir()
                    shutil.copy(ROOT / path, target)
                    words.append(f"--input={target}")
                self.assertGreater(len(words), 1)
                result = verify(report, *words, cwd=folder)
                self.assertEqual((result.returncode, result.stderr), (0, ""), example)
                self.refuse(report, "one less", *words[:-1], cwd=folder)
                with open(target, "ab") as file:
                    file.write(b"\n")
                self.refuse(report, "one changed", *words, cwd=folder, code="no-such-input")

    def test_moved_folder(self):
        """What the task set names lies beside it, wherever that is now; the platform at a path, too."""
        with tempfile.TemporaryDirectory() as folder:
            then, now = pathlib.Path(folder) / "then", pathlib.Path(folder) / "now"
            shutil.copytree(ROOT / "examples/frames", then / "frames")
            text = (ROOT / "examples/cockpit.xml").read_text().replace('platform="8800-gts"', 'platform="./8800-gts.xml"')
            shutil.copy(ROOT / "models/8800-gts.xml", then)
            (then / "set.xml").write_text(text)
            reports = [analyze("set.xml", cwd=then), analyze("./set.xml", cwd=then), analyze("then/set.xml", cwd=folder), analyze(then / "set.xml")]
            shutil.move(then, now)
            for number, report in enumerate(reports):
                for word, cwd in (("set.xml", now), ("./set.xml", now), ("now/set.xml", folder), (now / "set.xml", ROOT)):
                    result = verify(report, f"--input={word}", cwd=cwd)
                    self.assertEqual((result.returncode, result.stderr), (0, ""), (number, word))

    def test_endless(self):
        """A report that names what has no end."""
        report = analyze("examples/programs.xml")
        with tempfile.TemporaryDirectory() as folder:
            os.mkfifo(pathlib.Path(folder) / "pipe")
            for path in ("../../../../../../../../../dev/zero", f"{folder}/pipe"):
                forged = mended(re.sub(r'(role="program" path=")[^"]*', rf"\g<1>{path}", report, count=1))
                self.refuse(forged, path, f"--input={ROOT}/examples/programs.xml")
                self.refuse(report, path, f"--input={path}", code="file-unreadable")

    def test_standard_input(self):
        """A task set that came from standard input is named, as nobody can read it again."""
        report = run("analyze", "-q", "-f", "xml", "-", text=(ROOT / "examples/two-streams.xml").read_text()).stdout
        self.assertEqual(verify(report, f"--input={ROOT}/examples/two-streams.xml").returncode, 0)
        for words in ((), ("--without-prose",)):
            self.refuse(report, "not there", *words)
            self.refuse(mended(analyze("examples/two-streams.xml").replace("examples/two-streams.xml", "-")), "said so", *words)


class Models(Attacks):
    """A changed model under a shipped name: 76.848 ms became 18.038, verified."""

    def changed(self, folder):
        for name in ("models", "schema"):
            shutil.copytree(ROOT / name, pathlib.Path(folder) / name)
        model = pathlib.Path(folder) / "models/jetson-agx-xavier.xml"
        text = re.sub(r'(name="queues.hardware" value=")\d+', r"\g<1>32", model.read_text())
        text = re.sub(r"<assumptions>", '<assumptions><assumption id="A-WC" status="assumed" source="rtas20">seen in all experiments.</assumption>', text)
        model.write_text(text)
        return model

    def response(self, report):
        return min(int(value) for value in re.findall(r' response="(\d+)"', report))

    def test_bundle(self):
        with tempfile.TemporaryDirectory() as folder:
            model = self.changed(folder)
            (pathlib.Path(folder) / "examples").mkdir()
            shutil.copy(ROOT / "examples/two-streams.xml", pathlib.Path(folder) / "examples")
            forged = analyze("examples/two-streams.xml", data=folder, cwd=folder)
            self.assertLess(self.response(forged), self.response(analyze("examples/two-streams.xml")))
            loud = re.search(r'<diagnostic code="platform-not-as-shipped" level="warning".*?</diagnostic>', forged).group()
            self.assertIn(hashlib.sha256(model.read_bytes()).hexdigest(), loud)
            (pathlib.Path(folder) / "report.xml").write_text(forged)
            made = run("report", "report.xml", "--bundle=b.tar", data=folder, cwd=folder)
            self.assertEqual(made.returncode, 0, made.stderr)
            with tarfile.open(pathlib.Path(folder) / "b.tar") as tar:
                tar.extractall(folder, filter="data") if hasattr(tarfile, "data_filter") else tar.extractall(folder)
            there = pathlib.Path(folder) / "gpubound-bundle"
            readme = (there / "README").read_text()
            self.assertIn("NOT as gpubound", readme)
            command = next(line.split() for line in readme.splitlines() if "gpubound verify" in line)
            self.assertNotIn("GPUBOUND_DATA=. ", readme)
            result = run(*command[1:], cwd=there / "inputs")
            self.assertEqual(result.returncode, 1)
            for said in (hashlib.sha256(model.read_bytes()).hexdigest(), hashlib.sha256((ROOT / "models/jetson-agx-xavier.xml").read_bytes()).hexdigest(),
                         "gpubound 0.1.0"):
                self.assertIn(said, result.stderr)
            for more in ({"data": there}, {}):  # who believes him is told
                words = [] if more else [f"--input={there}/models/jetson-agx-xavier.xml"]
                result = run("verify", *words, "../report.xml", cwd=there / "inputs", **more)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("[platform-not-as-shipped]", result.stderr)
                self.assertIn("NO model that this version ships", result.stdout)
                silent = mended(re.sub(r"\n *" + re.escape(loud), "", forged)).replace("<diagnostics dropped=\"0\">\n  </diagnostics>", '<diagnostics dropped="0"/>')
                (there / "report.xml").write_text(mended(silent))
                self.assertEqual(run("verify", *words, "../report.xml", cwd=there / "inputs", **more).returncode, 1, "the warning taken out")
                (there / "report.xml").write_text(forged)

    def test_own_name(self):
        """A copy at a path, as it is and changed; one with an id of its own."""
        with tempfile.TemporaryDirectory() as folder:
            model = self.changed(folder)
            same = ROOT / "models/jetson-agx-xavier.xml"
            own = pathlib.Path(folder) / "own.xml"
            own.write_text(model.read_text().replace('id="jetson-agx-xavier"', 'id="mine"'))
            for path, loud, ships in ((same, False, True), (model, True, False), (own, False, False)):
                report = analyze("examples/two-streams.xml", f"--platform={path}")
                self.assertEqual("platform-not-as-shipped" in report, loud, path)
                result = verify(report)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual("the model that this version ships" in result.stdout, ships)
                self.assertEqual("platform-not-as-shipped" in result.stderr, loud)
            # under the file name of a shipped one
            shutil.copy(own, model)
            self.assertIn("platform-not-as-shipped", analyze("examples/two-streams.xml", data=folder))

    def test_other_version(self):
        """A report of a version whose model was another one: refused with both hashes; its model as an input, and the words aside, it is verified,
        loudly."""
        with tempfile.TemporaryDirectory() as folder:
            model = self.changed(folder)
            report = re.sub(r'\n *<diagnostic code="platform-not-as-shipped".*?</diagnostic>', "", analyze("examples/two-streams.xml", data=folder))
            report = mended(report.replace('<diagnostics dropped="0">\n  </diagnostics>', '<diagnostics dropped="0"/>').replace(' version="0.1.0"', ' version="0.0.9"', 1))
            result = verify(report)
            self.assertEqual(result.returncode, 1)
            self.assertIn("says gpubound 0.0.9 wrote it", result.stderr)
            result = verify(report, f"--input={model}")
            self.assertEqual(result.returncode, 1)
            self.assertIn("gpubound 0.0.9 wrote it; this is gpubound 0.1.0", result.stderr)
            result = verify(report, f"--input={model}", "--without-prose")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("[platform-not-as-shipped]", result.stderr)


class Signatures(Attacks):
    """By the commands of gpubound-report(1): none but the key of the certificate."""

    @classmethod
    def setUpClass(cls):
        if shutil.which("xmlsec1") is None or shutil.which("openssl") is None:
            raise unittest.SkipTest("xmlsec1 or openssl is not installed: signatures are not attacked")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        for name in ("honest", "evil"):
            cls.tool("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", f"{name}.key", "-out", f"{name}.pem", "-subj", "/CN=J. Doe", "-days", "2")
        # an authority that the receiver's system knows, as it knows many, and what that has certified
        cls.tool("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "ca.key", "-out", "ca.pem", "-subj", "/CN=Some authority", "-days", "2")
        cls.tool("openssl", "req", "-newkey", "rsa:2048", "-nodes", "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=evil.example")
        cls.tool("openssl", "x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-out", "leaf.pem")
        cls.report = analyze("examples/two-streams.xml")
        cls.template = (ROOT / "schema/signature.xml").read_text()
        page = (ROOT / "man/gpubound-report.1").read_text()
        cls.recipe = [" ".join(text.replace("\\e\n", " ").split()) for text in re.findall(r"\.Bd -literal -offset indent -compact\n(.*?)\.Ed", page, re.S)
                      if "--verify" in text or "openssl verify" in text]

    @classmethod
    def tearDownClass(cls):
        cls.temporary.cleanup()

    @classmethod
    def tool(cls, *words, **more):
        done = subprocess.run([*map(str, words)], cwd=cls.folder, capture_output=True, text=True, timeout=60, **more)
        return done

    def certificate(self, name):
        return "".join((self.folder / f"{name}.pem").read_text().splitlines()[1:-1])

    def sign(self, key, template=None, report=None, name="signed.xml", certificates=True, where=None):
        report = report or self.report
        text = report.replace("</report>", (template or self.template) + "</report>") if where is None else report.replace(*where)
        (self.folder / "unsigned.xml").write_text(text)
        keys = f"{key}.key,{key}.pem" if certificates else f"{key}.key"
        done = self.tool("xmlsec1", "--sign", "--privkey-pem", keys, "--id-attr:Id", "urn:gpubound:report:1:results", "--output", name, "unsigned.xml")
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.folder / name).read_text()

    def by_recipe(self, text):
        """The manual's command for whoever has the certificate: the status."""
        (self.folder / "signed.xml").write_text(text)
        shutil.copy(self.folder / "honest.pem", self.folder / "cert.pem")
        command = next(one for one in self.recipe if "--pubkey-cert-pem" in one)
        return self.tool("sh", "-e", "-c", command, env={**ENVIRONMENT, "SSL_CERT_FILE": str(self.folder / "ca.pem")}).returncode

    def by_authority(self, text, authority="ca"):
        """The manual's commands for whoever has the certificate of an authority: the certificate is taken out, checked, shown, and then used."""
        (self.folder / "signed.xml").write_text(text)
        (self.folder / "cert.pem").unlink(missing_ok=True)
        shutil.copy(self.folder / f"{authority}.pem", self.folder / "authority.pem")
        command = next(one for one in self.recipe if "openssl verify" in one)
        verifying = next(one for one in self.recipe if "--pubkey-cert-pem" in one)
        return self.tool("sh", "-e", "-c", "\n".join([re.sub(r" (openssl (?:verify|x509 -noout))", r"\n\1", command), verifying]),
                         env={**ENVIRONMENT, "SSL_CERT_FILE": str(self.folder / "ca.pem")}).returncode

    def test_recipe(self):
        self.assertEqual(self.by_recipe(self.sign("honest")), 0)
        self.assertEqual(self.by_authority(self.sign("leaf")), 0)
        result = verify(self.sign("honest"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("unchecked: the signature", result.stdout)

    def test_kept(self):
        """The false report as it was found, with the certificate of then."""
        shutil.copy(DATA / "honest-cert.pem", self.folder / "kept.pem")
        command = next(one for one in self.recipe if "--pubkey-cert-pem" in one).replace("cert.pem", "kept.pem").replace("signed.xml", str(DATA / "false-signed.xml"))
        self.assertNotEqual(self.tool("sh", "-e", "-c", command).returncode, 0)
        self.refuse((DATA / "false-signed.xml").read_text(), "false-signed.xml", code="signature-form")

    def infos(self):
        """All that a KeyInfo may say of a key; what signs is the forger's."""
        x509, value, name = "<ds:X509Data/>", "<ds:KeyValue/>", "<ds:KeyName>{}</ds:KeyName>"
        own = f"<ds:X509Data><ds:X509Certificate>{self.certificate('evil')}</ds:X509Certificate></ds:X509Data>"
        honest = f"<ds:X509Data><ds:X509Certificate>{self.certificate('honest')}</ds:X509Certificate></ds:X509Data>"
        both = own.replace("</ds:X509Data>", honest.removeprefix("<ds:X509Data>"))
        der = self.tool("sh", "-c", "openssl rsa -in evil.key -pubout -outform DER | base64 -w0").stdout
        encoded = f'<d:DEREncodedKeyValue xmlns:d="http://www.w3.org/2009/xmldsig11#">{der}</d:DEREncodedKeyValue>'
        retrieval = (f'<ds:RetrievalMethod URI="file://{self.folder}/evil.der" Type="http://www.w3.org/2000/09/xmldsig#rawX509Certificate"/>')
        inner = '<ds:RetrievalMethod URI="#key" Type="http://www.w3.org/2000/09/xmldsig#RSAKeyValue"/>'
        return {"X509Data": x509, "KeyValue": value, "KeyValue, X509Data": value + x509, "X509Data, KeyValue": x509 + value,
                "KeyValue behind the honest certificate": honest + value, "KeyValue before it": value + honest, "the honest certificate": honest, "both": both,
                "no word": "", "KeyName": name.format("J. Doe"), "KeyName of a file": name.format("cert.pem"), "KeyName, KeyValue": name.format("x") + value,
                "DEREncodedKeyValue": encoded, "RetrievalMethod": retrieval, "RetrievalMethod inside": inner, "X509SubjectName": "<ds:X509Data><ds:X509SubjectName/></ds:X509Data>",
                "nested": "<ds:KeyInfo><ds:KeyValue/></ds:KeyInfo>", "MgmtData": "<ds:MgmtData>x</ds:MgmtData>" + value}

    def test_keys(self):
        """Somebody else's key, however the signature says so: a certificate that an authority of the system vouches for, too."""
        self.tool("openssl", "x509", "-in", "evil.pem", "-outform", "DER", "-out", "evil.der")
        info = re.search(r"<ds:KeyInfo>.*</ds:KeyInfo>", self.template).group()
        signed = 0
        for key in ("evil", "leaf"):
            for what, content in self.infos().items():
                try:
                    text = self.sign(key, self.template.replace(info, f"<ds:KeyInfo>{content}</ds:KeyInfo>"))
                except AssertionError:
                    continue  # such a thing xmlsec1 does not write
                signed += 1
                self.assertNotEqual(self.by_recipe(text), 0, (key, what))
                if key == "evil":
                    self.assertNotEqual(self.by_authority(text), 0, (key, what))
                    self.assertNotEqual(self.by_authority(text, "honest"), 0, (key, what))
            text = self.sign(key, self.template.replace(info, ""))
            self.assertNotEqual(self.by_recipe(text), 0, (key, "no KeyInfo"))
        self.assertGreater(signed, 20)

    def test_authority(self):
        """One that the system knows is none that the receiver named."""
        self.assertNotEqual(self.by_authority(self.sign("leaf"), "honest"), 0)

    def test_form(self):
        """What a signature may be made of, and what it must not: it does not protect what is in itself."""
        honest = self.sign("honest")
        element = re.search(r"<ds:Signature .*</ds:Signature>", honest, re.S).group()
        self.assertEqual((verify(honest).returncode, self.by_recipe(honest)), (0, 0))
        more = '<ds:Object><note xmlns="urn:x">anything</note></ds:Object>'
        unprotected = {
            "an object": ("</ds:KeyInfo>", "</ds:KeyInfo>" + more), "a text": ("<ds:KeyInfo>", "ALL DEADLINES PROVEN<ds:KeyInfo>"),
            "a subject": ("<ds:X509Certificate>", "<ds:X509SubjectName>CN=Authority</ds:X509SubjectName><ds:X509Certificate>"),
            "a name": ("<ds:KeyInfo>", "<ds:KeyInfo><ds:KeyName>Authority</ds:KeyName>"), "an attribute": ("<ds:KeyInfo>", '<ds:KeyInfo Id="proven">'),
            "an attribute elsewhere": ("<ds:KeyInfo>", '<ds:KeyInfo xmlns:x="urn:x" x:y="proven">'), "a comment": ("<ds:KeyInfo>", "<!-- x --><ds:KeyInfo>"),
            "a comment in it": ("<ds:X509Data>", "<!-- x --><ds:X509Data>"), "something of another vocabulary": ("</ds:X509Data>", '</ds:X509Data><x xmlns="urn:x"/>'),
            "an instruction": ("<ds:KeyInfo>", "<?x y?><ds:KeyInfo>")}
        for what, (before, after) in unprotected.items():
            text = self.replace(honest, before, after)
            self.refuse(text, what)
            self.refuse(text, what, "--without-prose")
        for what, text in (("two signatures", honest.replace(element, element * 2)), ("in the results", honest.replace(element, "").replace("<results>", "<results>" + element)),
                           ("before the environment", honest.replace(element, "").replace("  <environment", element + "\n  <environment")),
                           ("about the report", self.replace(honest, "<ds:Signature ", '<ds:Signature xmlns:x="urn:x" x:y="z" ')),
                           ("without certificate", re.sub(r"<ds:X509Data>.*?</ds:X509Data>", "<ds:X509Data/>", honest, flags=re.S)),
                           ("an object for a signature", honest.replace(element, more.replace("<ds:Object>", f'<ds:Object xmlns:ds="{DSIG}">')))):
            self.refuse(text, what, "--without-prose")

    def test_parts(self):
        """Signatures of less than the whole report, by an honest key even: not of the form."""
        reference, transform = '<ds:Reference URI="">', '<ds:Transform Algorithm="http://www.w3.org/2000/09/xmldsig#enveloped-signature"/>'
        canonical = '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>'
        path = '<ds:Transform Algorithm="http://www.w3.org/TR/1999/REC-xpath-19991116"><ds:XPath>{}</ds:XPath></ds:Transform>'
        less = {"XPath": (transform, transform + path.format("ancestor-or-self::*[local-name()='environment']")),
                "nothing": (transform, transform + path.format("false()")),
                "with comments": (canonical, canonical.replace("exc-c14n#", "exc-c14n#WithComments")),
                "without canonical": (canonical, ""),
                "SHA-1": ("http://www.w3.org/2001/04/xmlenc#sha256", DSIG + "sha1"),
                "SHA-1 with RSA": ("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", DSIG + "rsa-sha1"),
                "a reference more": ("</ds:Reference>", "</ds:Reference>" + re.search("<ds:Reference.*</ds:Reference>", self.template, re.S).group())}
        for what, (before, after) in less.items():
            text = self.sign("honest", self.replace(self.template, before, after))
            self.refuse(text, what, code="signature-form")
        part = self.replace(self.template, reference, '<ds:Reference URI="#part">').replace(transform, "")
        marked = self.report.replace("<results>", '<results Id="part">')
        try:
            text = self.sign("honest", part, marked)
        except AssertionError:
            text = None
        if text is not None:
            self.assertNotEqual(self.by_recipe(text), 0, "of a part")
            self.refuse(text, "of a part")

    def test_changed(self):
        """Any change of a signed report, comments too, is found by the one or by the other."""
        honest = self.sign("honest")
        for what, before, after in (("a digit", 'response="76848000"', 'response="16848000"'), ("a comment", "<results>", "<results><!-- proven -->"),
                                    ("white space", "    <task ", "     <task "), ("the environment", ' compiler="', ' compiler="certified '),
                                    ("a reference", 'verdict="proven"', 'verdict="prove&#110;"')):
            text = self.replace(honest, before, after)
            found = self.by_recipe(text) != 0 or verify(text).returncode != 0
            self.assertTrue(found, what)
        text = self.replace(honest, ' compiler="', ' compiler="certified ')
        self.assertNotEqual(self.by_recipe(text), 0, "what verify does not judge the signature protects")


if __name__ == "__main__":
    SERVER = served.Server(SERVE, ROOT, ENVIRONMENT)
    SERVER.test(sys.argv[5:])
