"""Writes the sonames of the libraries that a file is linked with as macros, for base/late.h.

usage: late.py FILE HEADER
"""
import os
import pathlib
import re
import subprocess
import sys


def main():
    text = subprocess.run(["readelf", "-dW", sys.argv[1]], capture_output=True, text=True, check=True, env={**os.environ, "LC_ALL": "C"}).stdout
    sonames = re.findall(r"\(NEEDED\)\s+Shared library: \[(lib(\w+)\.so[^\]]*)\]", text)
    pathlib.Path(sys.argv[2]).write_text("".join(f'#define LATE_{stem.upper()} "{soname}"\n' for soname, stem in sonames))


if __name__ == "__main__":
    main()
