"""An excerpt of a recording: the rows of its first configurations, or all but some rows, with the number of rows in its last line mended.

usage: excerpt.py RECORDING[.gz] EXCERPT.gz [COLUMN MOST | without COLUMN VALUE]
    COLUMN MOST           rows in which the number in COLUMN is below MOST
    without COLUMN VALUE  rows in which COLUMN is not VALUE
The compressed file has no time stamp, so that the same rows give the same bytes.
"""
import gzip
import re
import sys


def kept(column, value, words):
    if words[0] == "without":
        return value != words[2]
    return int(value) < int(words[1])


def main(source, target, *words):
    opener = gzip.open if source.endswith(".gz") else open
    with opener(source, "rt", encoding="utf-8") as file:
        lines = file.read().splitlines()
    head = [line for line in lines[:-1] if line.startswith("#")]
    columns, *rows = [line for line in lines if not line.startswith("#")]
    if words:
        place = columns.split(",").index(words[1] if words[0] == "without" else words[0])
        rows = [row for row in rows if kept(words, row.split(",")[place], words)]
    end = re.sub(r"rows=\d+", f"rows={len(rows)}", lines[-1])
    text = "\n".join(head + [columns] + rows + [end]) + "\n"
    with open(target, "wb") as raw, gzip.GzipFile(filename="", fileobj=raw, mode="wb", mtime=0, compresslevel=9) as file:
        file.write(text.encode())


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
