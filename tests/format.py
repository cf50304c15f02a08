"""Every .c and .h of the repository is as clang-format 14 with .clang-format writes it. Another version writes it otherwise: it is pinned.

usage: format.py SOURCE_ROOT CLANG_FORMAT      CLANG_FORMAT: "" where it is not installed, which skips the test
"""
import pathlib
import re
import subprocess
import sys

FOLDERS = ["bench", "examples", "include", "probe", "src", "tests"]
VERSION = "14"


def main():
    root, program = pathlib.Path(sys.argv[1]), sys.argv[2]
    if not program:
        print("SKIPPED: clang-format-14 is not installed (sh scripts/install-deps.sh test)")
        return 77
    version = re.search(r"version (\d+)", subprocess.run([program, "--version"], capture_output=True, text=True).stdout)
    if version is None or version.group(1) != VERSION:
        print(f"{program}: expected version {VERSION}")
        return 1
    files = sorted(path for folder in FOLDERS for path in (root / folder).rglob("*.[ch]"))
    done = subprocess.run([program, "--dry-run", "-Werror", *files], capture_output=True, text=True)
    wrong = sorted(set(re.findall(r"^(.+?):\d+:\d+: error", done.stderr, re.M)))
    for path in wrong:
        print(f"clang-format-14 -i {pathlib.Path(path).relative_to(root)}")
    print(f"{len(files)} files, {len(wrong)} not as .clang-format says")
    return 1 if done.returncode or len(files) < 700 else 0


sys.exit(main())
