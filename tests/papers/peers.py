#!/usr/bin/env python3
"""bench/peers/peers.py without any peer: what it says then, what it compares with published bounds, and that a difference is counted.

usage: peers.py GPUBOUND SAG SOURCE; SAG is tests/papers/sag of the build
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

GPUBOUND, SAG, SOURCE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.insert(0, str(SOURCE / "bench/peers"))
import peers  # noqa: E402


def run(*options):
    command = [sys.executable, SOURCE / "bench/peers/peers.py", GPUBOUND, "--explore", SAG, "--sets", "1", "--rounds", "1", *options]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    return done.returncode, [line for line in done.stdout.splitlines() if line.startswith("|")], done.stderr


class Peers(unittest.TestCase):
    def test_who_is_missing_is_named(self):
        status, rows, errors = run()
        self.assertEqual((status, errors), (0, ""))
        for peer in ("pyrta", "pycpa", "mast", "schedcat", "sag", "gcaps"):
            self.assertTrue(any(f"not given (--{peer}" in row for row in rows), peer)

    def test_published_bounds(self):
        status, rows, _ = run("--only", "published")
        self.assertEqual(status, 0)
        self.assertEqual(rows[2:], ["| pyRTA, 6 of POET's task sets | 27 | 25 | 0 | 2 |", "| SAG, its examples | 378 | 378 | 0 | 0 |"])

    def test_a_published_bound_that_is_less_is_counted(self):
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / "poet"
            shutil.copytree(SOURCE / "tests/papers/poet", copy)
            table = (copy / "expected_wcrt.csv").read_text().splitlines()
            first = table[1].split(",")
            column = table[0].split(",").index("wcrt_bound")
            first[column] = str(int(first[column]) - 1)
            (copy / "expected_wcrt.csv").write_text("\n".join([table[0], ",".join(first)] + table[2:]) + "\n")
            status, rows, _ = run("--only", "published", "--poet", copy)
        self.assertEqual((status, rows[2]), (0, "| pyRTA, 6 of POET's task sets | 27 | 24 | 1 | 2 |"))

    def test_what_a_row_counts(self):
        table = peers.Table("title", *peers.VALUES)
        more = peers.compare(table, "peer", [[1, 2, None], [6, 5]], [[1, 1, 3], [12, None]], [(0.5, 2048), (0.25, 1024)])
        self.assertEqual(more, 1)
        self.assertEqual(table.rows[1], ("peer", "3", "1", "1", "1", "1.1667", "1", "1", "500.0", "250.0", "2.0", "1.0"))

    def test_tables_go_between_their_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "page.md"
            page.write_text("before\n<!-- tables -->\nold\n<!-- end of tables -->\nbehind\n")
            peers.write_into(page, [peers.Table("new", "head")])
            self.assertEqual(page.read_text(), "before\n<!-- tables -->\n\n### new\n\n| head |\n| --- |\n\n<!-- end of tables -->\nbehind\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
