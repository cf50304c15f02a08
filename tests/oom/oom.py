"""Each allocation of a whole run of analyze fails once (oom.c); libxml2 makes most of them, for the schemas.

usage: oom.py OOM SOURCE EVERY      EVERY: only each so-manieth allocation, 1: all
"""
import pathlib
import subprocess
import sys
import tempfile

LEAST = "2000"  # allocations there are, or this test misses some


def main():
    program, taskset, every = sys.argv[1], pathlib.Path(sys.argv[2]).resolve() / "examples" / "two-streams.xml", sys.argv[3]
    with tempfile.TemporaryDirectory() as folder:
        sys.exit(subprocess.run([program, every, LEAST, taskset, folder], timeout=1200).returncode != 0)


main()
