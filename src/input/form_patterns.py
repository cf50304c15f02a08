"""A pattern of XML Schema as a table of states, by the derivatives of Brzozowski (1964).

A set of texts is ("set", bytes), a single byte of them; ("cat", sets in a row); ("alt", any of the sets); ("star", set). ASCII only: a text
with other bytes matches no pattern here. What this file does not know of patterns it refuses.
"""
EMPTY, NOTHING = ("cat", ()), ("alt", frozenset())
LETTERS = frozenset(range(ord("A"), ord("Z") + 1)) | frozenset(range(ord("a"), ord("z") + 1))
FIRST_OF_NAME = LETTERS | frozenset(b"_:")
OF_NAME = FIRST_OF_NAME | frozenset(b"-.0123456789")


def cat(*parts):
    flat = [inner for part in parts for inner in (part[1] if part[0] == "cat" else (part,))]
    if NOTHING in flat:
        return NOTHING
    return flat[0] if len(flat) == 1 else ("cat", tuple(flat))


def alt(*parts):
    flat = frozenset(inner for part in parts for inner in (part[1] if part[0] == "alt" else (part,)))
    return next(iter(flat)) if len(flat) == 1 else ("alt", flat)


def has_empty(node):
    kind, value = node
    if kind == "cat":
        return all(has_empty(part) for part in value)
    if kind == "alt":
        return any(has_empty(part) for part in value)
    return kind == "star"


def derive(node, byte):
    """The texts that follow the byte in a text of the set."""
    kind, value = node
    if kind == "set":
        return EMPTY if byte in value else NOTHING
    if kind == "alt":
        return alt(*(derive(part, byte) for part in value))
    if kind == "star":
        return cat(derive(value, byte), node)
    if not value:
        return NOTHING
    rest = ("cat", value[1:])
    first = cat(derive(value[0], byte), rest)
    return alt(first, derive(cat(rest), byte)) if has_empty(value[0]) else first


def repeat(node, least, most):
    """most None: without end."""
    if most is None:
        return cat(*[node] * least, ("star", node))
    tail = EMPTY
    for _ in range(most - least):
        tail = alt(EMPTY, cat(node, tail))
    return cat(*[node] * least, tail)


class Reader:
    """Reads a pattern from the left."""

    def __init__(self, text):
        self.text, self.at = text, 0

    def refuse(self):
        raise ValueError(f"pattern {self.text!r}: not known here at {self.at}: {self.text[self.at:]!r}")

    def peek(self):
        return self.text[self.at:self.at + 1]

    def take(self, wanted=None):
        got = self.peek()
        if got == "" or wanted is not None and got != wanted:
            self.refuse()
        self.at += 1
        return got

    def escape(self):
        """Behind a backslash: a set of bytes."""
        got = self.take()
        if got not in "ic-.+":
            self.refuse()
        return {"i": FIRST_OF_NAME, "c": OF_NAME}.get(got, frozenset(got.encode()))

    def brackets(self):
        """Behind an opening bracket: a set of bytes."""
        found = frozenset()
        while self.peek() != "]":
            got = self.peek()
            self.at += 1
            if got == "-" and self.peek() == "[":
                self.at += 1
                found -= self.brackets()
                continue
            if got in ("", "^", "[", "-") or not got.isascii():
                self.refuse()
            if got == "\\":
                found |= self.escape()
            elif self.peek() == "-" and self.text[self.at + 1:self.at + 2] != "[":
                self.at += 1
                found |= frozenset(range(ord(got), ord(self.take()) + 1))
            else:
                found |= frozenset(got.encode())
        self.at += 1
        return found

    def atom(self):
        got = self.take()
        if got == "(":
            inner = self.pattern()
            self.take(")")
            return inner
        if got == "[":
            return ("set", self.brackets())
        if got == "\\":
            return ("set", self.escape())
        if got in "*+?{}])^$." or not got.isascii():
            self.refuse()
        return ("set", frozenset(got.encode()))

    def braces(self):
        """Behind an opening brace: the least and the most."""
        end = self.text.index("}", self.at)
        least, comma, most = self.text[self.at:end].partition(",")
        self.at = end + 1
        return int(least), int(most) if comma else int(least)

    def piece(self):
        node = self.atom()
        limits = {"?": (0, 1), "*": (0, None), "+": (1, None)}
        if self.peek() and self.peek() in limits:
            return repeat(node, *limits[self.take()])
        if self.peek() == "{":
            self.at += 1
            return repeat(node, *self.braces())
        return node

    def branch(self):
        pieces = []
        while self.peek() not in ("", "|", ")"):
            pieces.append(self.piece())
        return cat(*pieces)

    def pattern(self):
        branches = [self.branch()]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.branch())
        return alt(*branches)


def read(text):
    reader = Reader(text)
    node = reader.pattern()
    if reader.at != len(text):
        reader.refuse()
    return node


def bytes_apart(node):
    """The sets of bytes in it: what no set tells apart leads to the same state."""
    kind, value = node
    if kind == "set":
        yield value
    elif kind == "star":
        yield from bytes_apart(value)
    else:
        for part in value:
            yield from bytes_apart(part)


def classes(nodes):
    """A class for each of the 256 bytes; 0 is of those in no set."""
    sets = sorted({found for node in nodes for found in bytes_apart(node)}, key=sorted)
    known = {(False,) * len(sets): 0}
    return [known.setdefault(tuple(byte in found for found in sets), len(known)) for byte in range(256)]


def states(node, of_byte):
    """Rows: does the set hold the empty text, then the next row for each class. Row 0 is where nothing matches, row 1 the beginning."""
    byte_of = {group: byte for byte, group in enumerate(of_byte)}
    known, rows = {NOTHING: 0, node: 1}, []
    waiting = [NOTHING, node]
    for state in waiting:
        row = [int(has_empty(state))]
        for group in range(len(byte_of)):
            following = derive(state, byte_of[group])
            if following not in known:
                known[following] = len(known)
                waiting.append(following)
            row.append(known[following])
        rows.append(row)
    return rows
