"""Counts the outcomes in meson's test logs and prints `N passed, N failed`; what was skipped is neither, and is named before.

usage: count-tests.py BUILD_FOLDER...
Exit status: 0 when something passed and nothing failed, and every folder has a log.
"""
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def outcomes(folder):
    log = pathlib.Path(folder) / "meson-logs" / "testlog.json"
    if not log.is_file():
        return None
    return [json.loads(line) for line in log.read_text().splitlines() if line]


def main(folders):
    passed = failed = 0
    for folder in folders:
        entries = outcomes(folder)
        if entries is None:
            print(f"{folder}: no test was run")
            failed += 1
            continue
        for entry in entries:
            if entry["result"] in PASSED:
                passed += 1
            elif entry["result"] in SKIPPED:
                print(f"{folder}: skipped: {entry['name']}")
            else:
                print(f"{folder}: {entry['result']}: {entry['name']}")
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
