"""What `meson install` installs is complete and works from where it lies: program, library, manual, models, schemas, examples, completion.

- the library has its soname and exports what include/gpubound.h declares, nothing else
- examples/api/bounds.c, compiled by what pkg-config says and run against the installed library, says what the installed program says

usage: install.py SOURCE_ROOT BUILD_ROOT MESON CC [COMPILER FLAG...]
"""
import csv
import io
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
MESON, COMPILER = shlex.split(sys.argv[3]), sys.argv[4:]
TREE = BUILD / "tests" / "installed"
COLUMNS = ["task", "response_ns", "deadline_ns", "verdict", "bound"]


def output_of(*words, **more):
    done = subprocess.run([*map(str, words)], capture_output=True, text=True, timeout=120, **more)
    if done.returncode not in (0, 1, 4):
        raise AssertionError(f"{words}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def options():
    return {option["name"]: option["value"] for option in json.loads(output_of(*MESON, "introspect", "--buildoptions", BUILD))}


def rows(text):
    return [{name: row[name] for name in COLUMNS} for row in csv.DictReader(io.StringIO(text)) if row.get("kind", "task") == "task"]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(TREE, ignore_errors=True)
        output_of(*MESON, "install", "-C", BUILD, "--no-rebuild", "--quiet", "--destdir", TREE)
        cls.options = options()
        cls.prefix = TREE / cls.options["prefix"].lstrip("/")
        cls.library = cls.prefix / cls.options["libdir"]
        cls.data = cls.prefix / cls.options["datadir"] / "gpubound"
        cls.environment = {**os.environ, "GPUBOUND_DATA": str(cls.data), "LD_LIBRARY_PATH": str(cls.library)}

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(TREE)

    def test_manual(self):
        pages = {path.name.removesuffix(".in") for path in (ROOT / "man").glob("*.[1-8]*")}
        found = {path.name: path for path in (self.prefix / self.options["mandir"]).glob("man?/*")}
        self.assertEqual(pages, {name.removesuffix(".gz") for name in found})
        for name, path in found.items():
            self.assertEqual(path.parent.name, "man" + name.removesuffix(".gz")[-1])

    def test_data(self):
        for folder in ("models", "schema", "examples", "kit", "doc/theory"):
            above = (ROOT / folder).parent
            wanted = {path.relative_to(above) for path in (ROOT / folder).rglob("*") if path.is_file()}
            installed = self.data / pathlib.PurePath(folder).name
            self.assertEqual(wanted, {path.relative_to(self.data) for path in installed.rglob("*") if path.is_file()})

    def test_completion(self):
        for path in ("bash-completion/completions/gpubound", "zsh/site-functions/_gpubound", "fish/vendor_completions.d/gpubound.fish"):
            self.assertIn("analyze", (self.data.parent / path).read_text())

    def test_soname(self):
        """libgpubound.so is for linking, libgpubound.so.N for running; N is the version of the interface."""
        dynamic = output_of("readelf", "-dW", self.library / "libgpubound.so")
        soname = re.search(r"\(SONAME\).*\[(.*)\]", dynamic).group(1)
        self.assertEqual(soname, "libgpubound.so.0")
        self.assertNotRegex(dynamic, r"\((RPATH|RUNPATH)\)")
        self.assertEqual({path.resolve().name for path in self.library.glob("libgpubound.so*")}, {"libgpubound.so." + self.version()})
        self.assertTrue((self.library / soname).is_symlink())

    def version(self):
        return re.search(r"version: '(.*?)'", (ROOT / "meson.build").read_text()).group(1)

    def test_symbols(self):
        lines = output_of("nm", "-D", "--defined-only", self.library / "libgpubound.so").splitlines()
        symbols = {line.split()[2] for line in lines} - {"GPUBOUND_0"}
        declared = set(re.findall(r"^GPUBOUND_API [^(]*?\b(\w+)\(", (ROOT / "include/gpubound.h").read_text(), re.M))
        self.assertGreater(len(declared), 20)
        self.assertEqual(symbols, {name + "@@GPUBOUND_0" for name in declared})

    def test_one_header(self):
        self.assertEqual([path.name for path in (self.prefix / self.options["includedir"]).rglob("*.h")], ["gpubound.h"])

    def test_example(self):
        folder = {"PKG_CONFIG_PATH": str(self.library / "pkgconfig"), "PKG_CONFIG_SYSROOT_DIR": str(TREE)}
        ask = {**os.environ, **folder}
        self.assertEqual(output_of("pkg-config", "--modversion", "gpubound", env=ask).strip(), self.version())
        flags = shlex.split(output_of("pkg-config", "--cflags", "--libs", "gpubound", env=ask))
        program = TREE / "bounds"
        output_of(*COMPILER, "-std=c11", "-Wall", "-Wextra", "-Werror", self.data / "examples/api/bounds.c", "-o", program, *flags)
        self.assertIn("libgpubound.so.0", output_of("readelf", "-dW", program))
        for example in sorted((self.data / "examples").glob("*.xml")):
            command = output_of(self.prefix / self.options["bindir"] / "gpubound", "analyze", "-q", "-f", "csv", example, env=self.environment)
            self.assertTrue(rows(command))
            self.assertEqual(rows(output_of(program, example, env=self.environment)), rows(command), example.name)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
