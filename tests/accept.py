"""gpubound accept: a report is taken only if it is about the receiver's inputs, signed by whom he trusts, and true; each refusal has its code.

usage: accept.py GPUBOUND SOURCE_ROOT
"""
import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from forged import mended

GPUBOUND, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in ("SOURCE_DATE_EPOCH", "GPUBOUND_DATA")}
EXAMPLE, MODEL = "two-streams.xml", "jetson-agx-xavier.xml"


class Accept(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for needed in ("xmlsec1", "openssl"):
            if shutil.which(needed) is None:
                raise unittest.SkipTest(f"{needed} is not installed: nothing is signed, and nothing accepted")
        cls.temporary = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.temporary.name)
        cls.addClassCleanup(cls.temporary.cleanup)
        for authority in ("ca", "other"):
            cls.tool("openssl", "req", "-x509", *cls.key(authority), "-out", f"{authority}.pem", "-subj", f"/CN={authority}", "-days", "2")
        (cls.folder / "authority.ext").write_text("basicConstraints=critical,CA:TRUE\n")
        cls.certify("analyst", "ca")
        cls.certify("colleague", "ca")
        cls.certify("stranger", "other")
        cls.certify("between", "ca", "-extfile", "authority.ext")
        cls.certify("far", "between")
        cls.certify("below", "analyst")
        cls.certify("late", "ca", "-days", "-1")
        shutil.copytree(ROOT / "models", cls.folder / "trusted")
        shutil.copytree(ROOT / "examples", cls.folder, dirs_exist_ok=True)
        cls.plain = cls.analyze(EXAMPLE)
        cls.signed = cls.sign(cls.plain)

    @staticmethod
    def key(name):
        return "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", f"{name}.key"

    @classmethod
    def tool(cls, *words):
        done = subprocess.run([*map(str, words)], cwd=cls.folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        return done.stdout

    @classmethod
    def certify(cls, name, authority, *words):
        days = () if "-days" in words else ("-days", "2")
        cls.tool("openssl", "req", *cls.key(name), "-out", f"{name}.csr", "-subj", f"/CN={name}")
        cls.tool("openssl", "x509", "-req", "-in", f"{name}.csr", "-CA", f"{authority}.pem", "-CAkey", f"{authority}.key", "-CAcreateserial",
                 *days, *words, "-out", f"{name}.pem")

    @classmethod
    def analyze(cls, example, *words, cwd=None, data=None):
        environment = {**ENVIRONMENT, "GPUBOUND_DATA": str(data)} if data else ENVIRONMENT
        return subprocess.run([GPUBOUND, "analyze", "-q", "-f", "xml", *map(str, words), str(example)], cwd=cwd or cls.folder, env=environment,
                              capture_output=True, text=True, timeout=60).stdout

    @classmethod
    def sign(cls, report, key="analyst", chain=()):
        template = (ROOT / "schema/signature.xml").read_text().replace("rsa-sha256", "ecdsa-sha256")
        (cls.folder / "unsigned.xml").write_text(report.replace("</report>", template + "</report>"))
        cls.tool("xmlsec1", "--sign", "--privkey-pem", ",".join([f"{key}.key", f"{key}.pem", *(f"{name}.pem" for name in chain)]), "--output",
                 "signed.xml", "unsigned.xml")
        return (cls.folder / "signed.xml").read_text()

    def accept(self, report, *words, mine=EXAMPLE, models="trusted", certificate="ca.pem", environment=ENVIRONMENT):
        (self.folder / "received.xml").write_text(report)
        return subprocess.run([GPUBOUND, "accept", "received.xml", f"--task-set={mine}", f"--models={models}", f"--certificate={certificate}",
                               *words], cwd=self.folder, env=environment, capture_output=True, text=True, timeout=120)

    def taken(self, report, *words, **more):
        result = self.accept(report, *words, **more)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def refused(self, code, report, *words, status=1, **more):
        result = self.accept(report, *words, **more)
        self.assertEqual(result.returncode, status, (code, result.stdout, result.stderr))
        self.assertIn(f"[{code}]", result.stderr)
        self.assertNotIn("accepted", result.stdout)
        if status == 1:
            self.assertEqual(result.stdout, "refused: do not rely on this report\n")
        return result

    # ---- what is taken

    def test_taken(self):
        said = self.taken(self.signed)
        self.assertIn("accepted: proven", said)
        self.assertIn("signed by: CN=analyst\n", said)
        self.assertIn(f"platform: trusted/{MODEL}\n", said)
        self.assertIn(f"report: received.xml, SHA-256 {hashlib.sha256(self.signed.encode()).hexdigest()}\n", said)
        self.assertRegex(said, r"assumptions:( A-[A-Zg()-]+)+\n")
        result = subprocess.run([GPUBOUND, "accept", "-", "-t", EXAMPLE, "-m", "trusted", "-c", "ca.pem"], cwd=self.folder, env=ENVIRONMENT,
                                input=self.signed, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_elsewhere(self):
        """Analysed in another folder, under another name; the receiver has the file under a name of his own."""
        with tempfile.TemporaryDirectory() as folder:
            shutil.copy(ROOT / "examples" / EXAMPLE, pathlib.Path(folder) / "theirs.xml")
            shutil.copy(ROOT / "examples" / EXAMPLE, self.folder / "mine.xml")
            report = self.sign(self.analyze("theirs.xml", cwd=folder))
        self.taken(report, mine="mine.xml")
        self.taken(report, mine=self.folder / "mine.xml")

    def test_model_by_path(self):
        """A task set that names its model by a path: the file of that name in the trusted folder, wherever the path led."""
        with tempfile.TemporaryDirectory() as folder:
            text = (ROOT / "examples" / EXAMPLE).read_text().replace(f'platform="{MODEL[:-4]}"', 'platform="../boards/mine.xml"')
            there = pathlib.Path(folder) / "work"
            for path in (there, there.parent / "boards", self.folder / "boards-of-mine"):
                path.mkdir(exist_ok=True)
            shutil.copy(ROOT / "models" / MODEL, there.parent / "boards" / "mine.xml")
            (there / "set.xml").write_text(text)
            (self.folder / "by-path.xml").write_text(text)
            report = self.sign(self.analyze("set.xml", cwd=there))
            self.refused("accept-platform", report, mine="by-path.xml")
            shutil.copy(ROOT / "models" / MODEL, self.folder / "boards-of-mine" / "mine.xml")
            self.assertIn("platform: boards-of-mine/mine.xml\n", self.taken(report, mine="by-path.xml", models="boards-of-mine"))
        self.taken(report, mine="by-path.xml", models="boards-of-mine")

    def test_chain(self):
        """An authority between, whose certificate the report brings; without it nobody vouches."""
        report = self.sign(self.plain, "far", ["between"])
        self.assertIn("signed by: CN=far\n", self.taken(report))
        certificates = re.findall(r"<ds:X509Certificate>.*?</ds:X509Certificate>\n?", report, re.S)
        self.assertEqual(len(certificates), 2)
        self.refused("accept-certificate", report.replace(certificates[1], ""))
        self.refused("accept-signature", report.replace(certificates[0], "").replace(certificates[1], certificates[1] + certificates[0]))

    def test_further_inputs(self):
        for example in ("cockpit.xml", "programs.xml"):
            report = self.sign(self.analyze(example))
            verdict = re.search(r'<report [^>]*verdict="([^"]*)"', report).group(1)
            if verdict == "proven":
                self.taken(report, mine=example)
            path = re.search(r'<input role="(?:frame|program)" path="([^"]*)"', report).group(1)
            before = (self.folder / path).read_bytes()
            with tempfile.TemporaryDirectory() as folder:  # the sender's, where the report says; the receiver's, beside the task set
                shutil.copy(ROOT / "examples" / example, folder)
                there = pathlib.Path(folder) / path
                shutil.copytree((self.folder / path).parent, there.parent)
                there.write_bytes(before + b"\n")
                result = self.refused("accept-input", report, mine=pathlib.Path(folder) / example)
                self.assertNotIn("accept-task-set", result.stderr)

    def test_condition(self):
        report = self.sign(self.analyze(EXAMPLE, "--assume=A-WC"))
        verdict = re.search(r'<report [^>]*verdict="([^"]*)"', report).group(1)
        self.assertEqual(verdict, "conditional")
        for words in ((), ("--assume=A-W",), ("--assume=A-WC-G", "--assume=A-HOL")):
            self.refused("accept-verdict", report, *words)
        self.assertIn("conditions, for which nobody vouches: A-WC\n", self.taken(report, "--assume=A-WC"))

    # ---- what is refused

    def test_signature(self):
        self.refused("accept-unsigned", self.plain)
        self.refused("accept-certificate", self.sign(self.plain, "stranger"))
        self.refused("accept-certificate", self.signed, certificate="other.pem")
        self.refused("accept-certificate", self.sign(self.plain, "late"))
        self.refused("accept-certificate", self.sign(self.plain, "below", ["analyst"]))
        self.refused("accept-signature", self.signed.replace(' compiler="', ' compiler="certified '))
        own, others = (re.search(r"<ds:X509Certificate>.*?</ds:X509Certificate>", text, re.S).group()
                       for text in (self.signed, self.sign(self.plain, "stranger")))
        self.refused("accept-signature", self.sign(self.plain, "stranger").replace(others, own))
        self.refused("accept-certificate", self.signed.replace(own, "<ds:X509Certificate>AAAA</ds:X509Certificate>"))

    def test_system_authority(self):
        """One that the system or the environment names is none that the receiver named."""
        environment = {**ENVIRONMENT, "SSL_CERT_FILE": str(self.folder / "other.pem"), "SSL_CERT_DIR": str(self.folder)}
        self.refused("accept-certificate", self.sign(self.plain, "stranger"), environment=environment)

    def test_key_in_report(self):
        """With a key of its own, as KeyValue: not of the form."""
        forged = self.sign(self.plain, "stranger").replace("<ds:X509Data>", "<ds:KeyValue/><ds:X509Data>")
        self.refused("signature-form", forged, status=3)

    def test_signer(self):
        self.taken(self.signed, "--signer=CN=analyst")
        self.taken(self.sign(self.plain, "colleague"))
        self.refused("accept-signer", self.sign(self.plain, "colleague"), "--signer=CN=analyst")

    def test_tool(self):
        with tempfile.TemporaryDirectory() as folder:
            for present in ([], ["openssl"], ["xmlsec1"]):
                for name in present:
                    os.symlink(shutil.which(name), pathlib.Path(folder) / name)
                result = self.refused("accept-tool", self.signed, environment={**ENVIRONMENT, "PATH": folder})
                self.assertIn("openssl" if present != ["openssl"] else "xmlsec1", result.stderr)
                for name in present:
                    (pathlib.Path(folder) / name).unlink()

    def test_task_set(self):
        text = (self.folder / EXAMPLE).read_text()
        (self.folder / "slower.xml").write_text(text.replace('wcet="800us"', 'wcet="900us"'))
        (self.folder / "spaced.xml").write_text(text + "\n")
        for mine in ("slower.xml", "spaced.xml", "nowhere.xml", ".", "/dev/zero"):
            self.refused("accept-task-set", self.signed, mine=mine)
        swapped = re.sub(r'(role="taskset" [^>]*sha256=")[0-9a-f]*', rf"\g<1>{hashlib.sha256((self.folder / 'slower.xml').read_bytes()).hexdigest()}",
                         self.plain)
        self.refused("not-reproduced", self.sign(mended(swapped)), mine="slower.xml")

    def test_changed(self):
        """The file is the receiver's, the analysis is of another one that the command line made of it."""
        self.refused("accept-changed", self.sign(self.analyze(EXAMPLE, "--scale=resize_kernel.wcet=0.5")))
        other = self.folder / "theirs" / MODEL
        other.parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / "models" / MODEL, other)
        self.refused("accept-changed", self.sign(self.analyze(EXAMPLE, f"--platform=theirs/{MODEL}")))

    def test_platform(self):
        """A model of the sender's under a shipped name, and a true one under another's name."""
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder)
            for name in ("models", "schema"):
                shutil.copytree(ROOT / name, data / name)
            model = data / "models" / MODEL
            model.write_text(model.read_text() + "\n")
            report = self.sign(self.analyze(EXAMPLE, data=data))
            self.refused("accept-platform", report)
            self.refused("accept-platform", report, environment={**ENVIRONMENT, "GPUBOUND_DATA": folder})
            shutil.copytree(data / "models", self.folder / "as-theirs", dirs_exist_ok=True)
            result = self.accept(report, models="as-theirs")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("[platform-not-as-shipped]", result.stderr)
            shutil.copytree(ROOT / "models", self.folder / "another-name")
            shutil.copy(model, self.folder / "another-name" / "mine.xml")
            self.refused("accept-platform", report, models="another-name")
        self.refused("accept-platform", self.signed, models="nowhere")

    def test_untrue(self):
        """Signed by whom the authority vouches for, about the right files, and wrong."""
        response = re.search(r'response="(\d+)"', self.plain).group(1)
        forged = mended(self.plain.replace(f'"{response}"', f'"{int(response) - 1000}"'))
        self.refused("report-inconsistent", self.sign(forged), status=3)
        given = re.search(r'<step [^>]*rule="given"[^>]*about="[^"]*wcet"[^>]*>', self.plain).group()
        self.refused("not-reproduced", self.sign(mended(self.plain.replace(given, given.replace('value="800000"', 'value="700000"')))))
        self.refused("not-reproduced", self.sign(mended(re.sub("<hazard .*?</hazard>\n *", "", self.plain, count=1, flags=re.S))))

    def test_verdict(self):
        tight = self.analyze("waters2019-overload.xml")
        self.assertNotIn(re.search(r'<report [^>]*verdict="([^"]*)"', tight).group(1), ("proven", "conditional"))
        self.refused("accept-verdict", self.sign(tight), mine="waters2019-overload.xml")

    def test_no_report(self):
        for text in ("", "<report/>", self.plain[:2000], (ROOT / "examples" / EXAMPLE).read_text()):
            result = self.accept(text)
            self.assertEqual((result.returncode, result.stdout), (3, ""), text[:40])

    def test_hostile_files(self):
        """An authority's certificate, a task set, a folder of models that are none: an answer at once."""
        os.mkfifo(self.folder / "pipe")
        (self.folder / "noise.pem").write_bytes(bytes(i * 7919 % 251 for i in range(5000)))
        for name in ("pipe", "/dev/zero", "nowhere.pem", "."):
            self.refused("file-unreadable", self.signed, certificate=name)
        for name in ("noise.pem", "/dev/null" if os.path.isfile("/dev/null") else EXAMPLE, "analyst.key"):
            self.refused("accept-certificate", self.signed, certificate=name)
        self.refused("accept-task-set", self.signed, mine="pipe")
        self.refused("accept-platform", self.signed, models="pipe")

    def test_usage(self):
        for words in ((), ("--task-set=x",), ("--task-set=x", "--models=y"), ("--models=y", "--certificate=z")):
            result = subprocess.run([GPUBOUND, "accept", "received.xml", *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 2)
            self.assertIn("missing option", result.stderr)

    def test_leaves_nothing(self):
        """Neither a temporary file nor a process."""
        with tempfile.TemporaryDirectory() as folder:
            environment = {**ENVIRONMENT, "TMPDIR": folder}
            self.taken(self.signed, environment=environment)
            self.assertEqual(os.listdir(folder), [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
