"""Writes the table of shipped.h from the models: their names, their ids, the hashes and the bytes of their files, as they are when the program is
built, and whether xmllint has found them valid. One that is not stops the build.

usage: shipped_models.py OUTPUT DEPFILE MODELS SCHEMA [XMLLINT]   (without XMLLINT none is known to be valid)
"""
import hashlib
import pathlib
import subprocess
import sys
import xml.etree.ElementTree as ElementTree


def literal(bytes_):
    return '"' + "".join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else f"\\{b:03o}" for b in bytes_) + '"'


def main(output, depfile, folder, schema, xmllint=None):
    paths = sorted(pathlib.Path(folder).glob("*.xml"))
    rows, valid = [], "true" if xmllint else "false"
    if xmllint:
        subprocess.run([xmllint, "--noout", "--nonet", "--schema", schema, *paths], stderr=subprocess.PIPE, check=True)
    for path in paths:
        bytes_ = path.read_bytes()
        rows.append(f'\t{{"{path.stem}", "{ElementTree.parse(path).getroot().get("id")}", "{hashlib.sha256(bytes_).hexdigest()}",')
        rows += [f"\t\t{literal(line)}" for line in bytes_.splitlines(keepends=True)]
        rows.append(f"\t\t, {len(bytes_)}, {valid}}},")
    text = ["/* Written by shipped_models.py from the models. */", '#include "input/shipped.h"', "", "#include <stddef.h>", "",
            "const struct shipped_model shipped_models[] = {", *rows, "\t{NULL, NULL, NULL, NULL, 0, false},", "};", ""]
    pathlib.Path(output).write_text("\n".join(text))
    pathlib.Path(depfile).write_text(f"{output}: " + " ".join(str(path).replace(" ", "\\ ") for path in [pathlib.Path(folder), schema, *paths]) + "\n")


main(*sys.argv[1:])
