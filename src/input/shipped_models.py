"""Writes the table of shipped.h from the models: their names, their ids and the hashes of their files, as they are when the program is built.

usage: shipped_models.py OUTPUT DEPFILE MODELS
"""
import hashlib
import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def main(output, depfile, folder):
    paths = sorted(pathlib.Path(folder).glob("*.xml"))
    rows = []
    for path in paths:
        rows.append(f'\t{{"{path.stem}", "{ElementTree.parse(path).getroot().get("id")}", "{hashlib.sha256(path.read_bytes()).hexdigest()}"}},')
    text = ["/* Written by shipped_models.py from the models. */", '#include "input/shipped.h"', "", "#include <stddef.h>", "",
            "const struct shipped_model shipped_models[] = {", *rows, "\t{NULL, NULL, NULL},", "};", ""]
    pathlib.Path(output).write_text("\n".join(text))
    pathlib.Path(depfile).write_text(f"{output}: " + " ".join(str(path).replace(" ", "\\ ") for path in [pathlib.Path(folder), *paths]) + "\n")


main(*sys.argv[1:])
