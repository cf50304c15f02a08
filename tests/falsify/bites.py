"""Runs a hunt with a planted fault, and wants it to end with status 1 and to print what was violated: a crash, or a wrong command line, bites nobody.

usage: bites.py HUNT ARGUMENT...
"""
import subprocess
import sys

VIOLATED = 1

result = subprocess.run(sys.argv[1:], capture_output=True, text=True)
print(result.stdout, result.stderr, sep="", end="")
if result.returncode != VIOLATED:
    sys.exit(f"{sys.argv[1]} ended with status {result.returncode}, not {VIOLATED}")
if not result.stdout + result.stderr:
    sys.exit(f"{sys.argv[1]} does not say what was violated")
