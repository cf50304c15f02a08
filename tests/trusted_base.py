"""What a verified report rests on (scripts/trusted-base.py): from verify_report no object of the analysis can be reached, whatever headers say.

usage: trusted_base.py SOURCE_ROOT BUILD_ROOT
"""
import importlib.util
import pathlib
import subprocess
import sys
import unittest

ROOT, BUILD = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
SCRIPT = ROOT / "scripts" / "trusted-base.py"
TRUSTED = {"base", "model", "input", "verify"}
LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "libnettle.so.8", "libxml2.so.2", "libz.so.1"}


def script():
    spec = importlib.util.spec_from_file_location("trusted_base", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode = True
    spec.loader.exec_module(module)
    return module


class TrustedBase(unittest.TestCase):
    def folders(self, roots):
        module = script()
        module.ROOTS = roots
        root, files, headers, libraries = module.measure(BUILD)
        paths = [path for path in files.values() if path is not None] + list(headers)
        return {path.relative_to(root / "src").parts[0] for path in paths}, libraries

    def test_no_analysis(self):
        folders, libraries = self.folders({"verify_report"})
        self.assertEqual(folders - {"config.h"}, TRUSTED)
        self.assertLessEqual(set(libraries), LIBRARIES, "a library that nobody listed")
        self.assertIn("libxml2.so.2", libraries)

    def test_would_be_seen(self):
        """The analysis, and verify beside it, lead to what they lead to."""
        folders, libraries = self.folders({"analysis_compute"})
        self.assertLessEqual({"response", "interference", "lp"}, folders)
        self.assertNotIn("verify", folders)
        self.assertTrue(any(name.startswith("libglpk") for name in libraries))
        self.assertIn("response", self.folders({"verify_report", "analysis_compute"})[0])

    def test_printed(self):
        lines = subprocess.run([sys.executable, SCRIPT, BUILD, "--files"], capture_output=True, text=True, check=True).stdout.splitlines()
        table = {line.split()[0]: tuple(map(int, line.split()[1:])) for line in lines[1:6]}
        self.assertEqual(set(table), TRUSTED | {"all"})
        self.assertEqual(table["all"], tuple(map(sum, zip(*(table[name] for name in TRUSTED)))))
        listed = [line.split() for line in lines[8:]]
        self.assertEqual((len(listed), sum(int(count) for count, _ in listed)), table["all"])
        self.assertIn("src/verify/verify.c", [path for _, path in listed])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
