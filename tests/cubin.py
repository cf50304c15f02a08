"""A cubin as far as gpubound reads one: an ELF file of CUDA code with the section of one function, made from its disassembly."""
import re
import struct

INSTRUCTION = re.compile(r"^[ \t]*/\*([0-9a-f]{4,})\*/.*;[ \t]*(?:/\* (0x[0-9a-f]+) \*/)?[ \t]*(?:\n[ \t]*/\* (0x[0-9a-f]+) \*/)?", re.M)


def code(sass, function):
    """The encodings that the disassembly shows of the function, zeros where it shows none."""
    body = re.split(rf"Function : {re.escape(function)}\n|\.text\.{re.escape(function)}:\n", sass, maxsplit=1)
    body = re.split(r"Function : |\.text\.", body[-1] if len(body) > 1 else "", maxsplit=1)[0]
    return b"".join(struct.pack("<QQ", int(first or "0", 16), int(second or "0", 16)) for _, first, second in INSTRUCTION.findall(body))


def make(sass, function, target=90, machine=190, section=None, more=0, abi=8):
    text, names = code(sass, function) + bytes(16 * more), b"\0.shstrtab\0.text." + (section or function).encode() + b"\0"
    at = 64 + len(text) + len(names)
    sections = at + -at % 8
    header = b"\x7fELF" + bytes([2, 1, 1, 0x41, abi]) + bytes(7) + struct.pack("<HHIQQQIHHHHHH", 2, machine, 1, 0, 0, sections, (0x6000004 | target << 8 if abi > 7 else 0x500 | target << 16 | target), 64, 0, 0, 64,
                                                                            3, 1)

    def entry(name, kind, offset, size):
        return struct.pack("<IIQQQQIIQQ", name, kind, 0, 0, offset, size, 0, 0, 1, 0)
    table = entry(0, 0, 0, 0) + entry(1, 3, 64 + len(text), len(names)) + entry(11, 1, 64, len(text))
    return header + text + names + bytes(sections - at) + table
