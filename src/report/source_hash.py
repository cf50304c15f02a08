"""Writes a C file with the SHA-256 of the sources that a build is made of, and which files it read (a depfile).

usage: source_hash.py OUTPUT DEPFILE SOURCE_ROOT
       source_hash.py SOURCE_ROOT      prints it

It is the hash of the list of hashes: in the root of the sources

    LC_ALL=C find meson.build meson_options.txt include models src -type f ! -name '*.pyc' | LC_ALL=C sort | xargs sha256sum | sha256sum
"""
import hashlib
import os
import pathlib
import sys

PARTS = "meson.build", "meson_options.txt", "include", "models", "src"


def files_of(root):
    for part in PARTS:
        if (root / part).is_file():
            yield part
        for folder, _, names in os.walk(root / part):
            yield from (os.path.relpath(os.path.join(folder, name), root) for name in names if not name.endswith(".pyc"))


def source_hash(root, files):
    lines = (f"{hashlib.sha256((root / name).read_bytes()).hexdigest()}  {name}\n" for name in sorted(files, key=os.fsencode))
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def main():
    root = pathlib.Path(sys.argv[-1])
    files = list(files_of(root))
    found = source_hash(root, files)
    if len(sys.argv) == 2:
        print(found)
        return
    output, depfile = sys.argv[1:3]
    pathlib.Path(output).write_text('/* Written by source_hash.py. */\n#include "report/build_environment.h"\n\n'
                                    f'const char build_source_hash[] = "{found}";\n')
    names = (os.path.join(root, name).replace(" ", "\\ ") for name in files)
    pathlib.Path(depfile).write_text(f"{output}: {' '.join(names)}\n")


if __name__ == "__main__":
    main()
