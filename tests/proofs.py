"""The proofs that Coq checks (proofs/): each file is accepted, uses no axiom, and is refused where it claims more.

usage: proofs.py SOURCE_ROOT
Exit status 77 (skipped) where coqc is not installed.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
FILES = sorted((ROOT / "proofs").glob("*.v"))
THEOREMS = {"list_scheduling.v": {"KW", "WAVES"}, "busy_interval.v": {"busy_interval", "busy_claim", "post_fixed_above", "least_below"},
            "arrivals.v": {"ARRIVALS"}}
# What weakens a hypothesis or strengthens a claim: no proof may be left of it.
PLANTS = {
    "list_scheduling.v": [("Q <= residents_before i u.", "Q - 1 <= residents_before i u."), ("finish j <= Nat.max (start j) t0 + C.", "finish j <= Nat.max (start j) t0 + C + 1."),
                          ("finish k <= t0 + ceiling N Q * C.", "finish k <= t0 + (N / Q) * C."), ("(if Q <? i then s (i - Q) + C else 0) + o.", "(if Q <? i then s (i - Q) + C + 1 else 0) + o.")],
    "arrivals.v": [("(D + J + T - 1) / T.", "(D + T - 1) / T."), ("nominal n + T <= nominal (S n).", "nominal n + T <= nominal (S n) + 1."),
                   ("t <= release n < t + D) ->", "t <= release n <= t + D) ->")],
    "busy_interval.v": [("1 + sum (fun j => left j (S t)) jobs <=", "sum (fun j => left j (S t)) jobs <="), ("cost j <= E (of_task j).", "cost j <= E (of_task j) + 1."),
                        ("exists u, t < u <= t + D /\\ clear u.", "exists u, t < u < t + D /\\ clear u."), ("eta k D.", "eta k D + 1."),
                        ("1 <= D -> W D <= D -> forall j, In j jobs ->", "W D <= D + 1 -> forall j, In j jobs ->")],
}


def check(name, text):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / name
        path.write_text(text)
        return subprocess.run(["coqc", "-q", name], cwd=folder, capture_output=True, text=True, timeout=300)


class Proofs(unittest.TestCase):
    def test_accepted(self):
        self.assertEqual({path.name for path in FILES}, set(THEOREMS))
        for path in FILES:
            text = path.read_text()
            result = check(path.name, text)
            self.assertEqual(result.returncode, 0, result.stderr)
            asked = re.findall(r"^Print Assumptions (\w+)\.$", text, re.M)
            self.assertEqual(set(asked), THEOREMS[path.name])
            self.assertEqual(result.stdout.splitlines(), ["Closed under the global context"] * len(asked))
            plain = re.sub(r"\(\*.*?\*\)", "", text, flags=re.S)
            self.assertIsNone(re.search(r"\b(Axiom|Axioms|Parameter|Parameters|Conjecture|Admitted|admit|give_up|Unset|bypass_check)\b", plain), path.name)
            imported = re.findall(r"Require (?:Import|Export)?([^.]*)\.", plain)
            self.assertLessEqual({word for words in imported for word in words.split()}, {"Arith", "Lia", "List", "Bool"})

    def test_refused(self):
        for name, plants in PLANTS.items():
            text = (ROOT / "proofs" / name).read_text()
            for before, after in plants:
                self.assertIn(before, text)
                self.assertNotEqual(check(name, text.replace(before, after)).returncode, 0, (name, after))

    def test_listed(self):
        """README and pages name each theorem."""
        listed = (ROOT / "proofs" / "README.md").read_text()
        pages = "".join(path.read_text() for path in (ROOT / "doc" / "theory").glob("*.md"))
        for theorems in THEOREMS.values():
            for theorem in theorems:
                self.assertIn(f"`{theorem}`", listed)
                self.assertIn(f"`{theorem}`", pages)


if __name__ == "__main__":
    if shutil.which("coqc") is None:
        print("skipped: coqc is not installed (Debian: apt install coq), so that no proof is checked by machine", file=sys.stderr)
        sys.exit(77)
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
