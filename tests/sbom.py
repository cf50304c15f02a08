"""The software bills of materials, SPDX and CycloneDX: true to the files, the same in both forms, of the form that the standards ask for.

- the hashes are those of program and library; the libraries are those that the dynamic linker loads for them, and nothing else is called linked;
  those that they load themselves are there, too (tests/late.py sees them loaded)
- versions are those that the libraries say of themselves when they are loaded, where they say it (gpubound version)
- each element has the fields that SPDX 2.3 and CycloneDX 1.5 require; every reference leads to an element; the same files give the same bytes
- a library without a version, and a version without a library, are errors

usage: sbom.py SOURCE_ROOT BUILD_ROOT
"""
import hashlib
import importlib.util
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCRIPT = ROOT / "sbom" / "sbom.py"


def load(name):
    return json.loads((BUILD / "sbom" / name).read_text())


def output_of(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, check=True, timeout=60).stdout


def library():
    """The shared library's file; beside it the build has links and folders of its objects."""
    return next(path for path in (BUILD / "src").glob("libgpubound.so*") if path.is_file() and not path.is_symlink())


class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spdx, cls.cyclonedx = load("gpubound.spdx.json"), load("gpubound.cdx.json")
        cls.own = next(one for one in cls.spdx["packages"] if one["name"] == "gpubound")
        cls.files = {path.name: path for path in (BUILD / "gpubound", library())}

    def versions(self):
        return {one["name"]: one["version"] for one in self.cyclonedx["components"] if one["scope"] == "required"}

    def test_files(self):
        self.assertEqual({one["fileName"].removeprefix("./") for one in self.spdx["files"]}, set(self.files))
        self.assertEqual({one["name"] for one in self.cyclonedx["metadata"]["component"]["components"]}, set(self.files))
        for one in self.spdx["files"]:
            bytes_ = self.files[one["fileName"].removeprefix("./")].read_bytes()
            self.assertEqual({sum_["algorithm"]: sum_["checksumValue"] for sum_ in one["checksums"]},
                             {"SHA1": hashlib.sha1(bytes_).hexdigest(), "SHA256": hashlib.sha256(bytes_).hexdigest()})
        for one in self.cyclonedx["metadata"]["component"]["components"]:
            self.assertIn({"alg": "SHA-256", "content": hashlib.sha256(self.files[one["name"]].read_bytes()).hexdigest()}, one["hashes"])
        self.assertIn(f"executable-sha256  {hashlib.sha256(self.files['gpubound'].read_bytes()).hexdigest()}", output_of(self.files["gpubound"], "version"))

    def test_linked(self):
        """By the dynamic linker: what is needed at once, not by what something else needs."""
        for name, path in self.files.items():
            wanted = set(re.findall(r"NEEDED\s+(\S+)", output_of("objdump", "-p", path)))
            links = {one["relatedSpdxElement"].removeprefix("SPDXRef-") for one in self.spdx["relationships"]
                     if one["relationshipType"] == "DYNAMIC_LINK" and one["spdxElementId"] == f"SPDXRef-file-{name}"}
            sonames = {soname for one in self.spdx["packages"] if one["name"] in links for soname in one["packageFileName"].split()}
            self.assertLessEqual(wanted, sonames, name)
            for library in links:
                of = next(one["packageFileName"].split() for one in self.spdx["packages"] if one["name"] == library)
                self.assertTrue(wanted & set(of), (name, library))

    def test_late(self):
        late = {one["spdxElementId"].removeprefix("SPDXRef-") for one in self.spdx["relationships"] if one["relationshipType"] == "RUNTIME_DEPENDENCY_OF"}
        self.assertEqual(late, {"glpk", "gmp", "jansson", "libcsv", "libxslt", "nettle", "sqlite"})
        program = self.files["gpubound"].read_bytes()
        for soname in (one["packageFileName"] for one in self.spdx["packages"] if one["name"] in late):
            self.assertTrue(soname.encode() in program, soname)

    def test_versions(self):
        said = dict(re.findall(r"^(libxml2|gmp|glpk|zlib|nettle) +(\S+)$", output_of(self.files["gpubound"], "version"), re.M))
        self.assertGreaterEqual(len(said), 5)
        for name, version in said.items():
            self.assertTrue(self.versions()[name].startswith(version), (name, version))

    def test_same_in_both(self):
        linked = {one["name"]: one["versionInfo"] for one in self.spdx["packages"] if one.get("primaryPackagePurpose") == "LIBRARY"}
        self.assertEqual(linked, self.versions())
        self.assertEqual({one["name"] for one in self.cyclonedx["components"]} | {"gpubound"}, {one["name"] for one in self.spdx["packages"]})
        source = output_of(sys.executable, ROOT / "src/report/source_hash.py", ROOT).strip()
        self.assertIn(source, self.own["sourceInfo"])
        self.assertIn({"name": "gpubound:source-sha256", "value": source}, self.cyclonedx["metadata"]["component"]["properties"])
        self.assertIn(f"source-sha256      {source}", output_of(self.files["gpubound"], "version"))

    def test_spdx_form(self):
        """SPDX 2.3, clauses 6 to 8 and 11: what is mandatory."""
        document = self.spdx
        self.assertEqual((document["spdxVersion"], document["dataLicense"], document["SPDXID"]), ("SPDX-2.3", "CC0-1.0", "SPDXRef-DOCUMENT"))
        self.assertRegex(document["documentNamespace"], r"^https://[^#]+$")
        self.assertRegex(document["creationInfo"]["created"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertRegex(document["creationInfo"]["creators"][0], r"^Tool: ")
        ids = [one["SPDXID"] for one in document["packages"] + document["files"]] + ["SPDXRef-DOCUMENT"]
        self.assertEqual(len(ids), len(set(ids)))
        for one in ids:
            self.assertRegex(one, r"^SPDXRef-[A-Za-z0-9.-]+$")
        for one in document["packages"]:
            self.assertLessEqual({"name", "SPDXID", "downloadLocation"}, set(one))
        for one in document["files"]:
            self.assertIn("SHA1", [sum_["algorithm"] for sum_ in one["checksums"]])
        sums = "".join(sorted(hashlib.sha1(path.read_bytes()).hexdigest() for path in self.files.values()))
        self.assertEqual(self.own["packageVerificationCode"]["packageVerificationCodeValue"], hashlib.sha1(sums.encode()).hexdigest())
        for one in document["relationships"]:
            self.assertIn(one["relationshipType"], {"DESCRIBES", "CONTAINS", "DYNAMIC_LINK", "RUNTIME_DEPENDENCY_OF", "OPTIONAL_DEPENDENCY_OF"})
            self.assertLessEqual({one["spdxElementId"], one["relatedSpdxElement"]}, set(ids))

    def test_cyclonedx_form(self):
        """CycloneDX 1.5: what its JSON schema requires."""
        document = self.cyclonedx
        self.assertEqual((document["bomFormat"], document["specVersion"], document["version"]), ("CycloneDX", "1.5", 1))
        self.assertRegex(document["serialNumber"], r"^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
        self.assertLessEqual(set(document), {"bomFormat", "specVersion", "serialNumber", "version", "metadata", "components", "dependencies"})
        own = document["metadata"]["component"]
        components = [own, *own["components"], *document["components"]]
        allowed = {"type", "bom-ref", "name", "version", "purl", "licenses", "externalReferences", "properties", "scope", "description", "components", "hashes"}
        for one in components:
            self.assertLessEqual({"type", "name"}, set(one))
            self.assertLessEqual(set(one), allowed)
            self.assertIn(one["type"], {"application", "library", "file"})
            self.assertIn(one.get("scope"), {None, "required", "optional"})
            for licence in one.get("licenses", []):
                self.assertIn(set(licence), ({"license"}, {"expression"}))
        refs = {one["bom-ref"] for one in components}
        self.assertEqual(len(refs), len(components))
        for one in document["dependencies"]:
            self.assertLessEqual({one["ref"], *one.get("dependsOn", [])}, refs)

    def make(self, folder, versions, **more):
        source = next((BUILD / "src").rglob("source_hash.c"))
        return subprocess.run([sys.executable, SCRIPT, folder / "a.json", folder / "b.json", self.own["versionInfo"], self.own["comment"].removeprefix("compiler: "),
                               source, BUILD / "src" / "libgpubound-late.so", BUILD / "gpubound", library(), "--", *versions],
                              capture_output=True, text=True, timeout=60, **more)

    def test_again(self):
        versions = [f"{name}={version}" for name, version in self.versions().items()]
        environment = {name: value for name, value in os.environ.items() if name != "SOURCE_DATE_EPOCH"}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            self.assertEqual(self.make(folder, reversed(versions), env={**environment, "SOURCE_DATE_EPOCH": "86400"}).returncode, 0)
            self.assertEqual(json.loads((folder / "a.json").read_text())["creationInfo"]["created"], "1970-01-02T00:00:00Z")
            self.assertEqual(self.make(folder, reversed(versions), env=environment).returncode, 0)
            if "SOURCE_DATE_EPOCH" not in os.environ:
                self.assertEqual((folder / "a.json").read_text(), (BUILD / "sbom" / "gpubound.spdx.json").read_text())
                self.assertEqual((folder / "b.json").read_text(), (BUILD / "sbom" / "gpubound.cdx.json").read_text())
            for wrong, said in ((versions[1:], "no version"), ([*versions, "libmd=1"], "nothing is linked with: libmd")):
                result = self.make(folder, wrong)
                self.assertEqual(result.returncode, 1)
                self.assertIn(said, result.stderr)

    def test_unknown_library(self):
        """A library that nobody entered into the table stops the build."""
        spec = importlib.util.spec_from_file_location("sbom", SCRIPT)
        module = importlib.util.module_from_spec(spec)
        sys.dont_write_bytecode = True
        spec.loader.exec_module(module)
        self.assertIsNone(module.library_of("libmd.so.0"))
        self.assertIsNone(module.library_of("libxml2-extra.so.2"))
        self.assertEqual(module.library_of("libxml2.so.2"), "libxml2")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
