"""What fits into what others leave on an SM. Usage: holes.py registers|shared TRACE.csv[.gz] ...

For recordings of probe/placement.cu, holes-*: kernels come and leave one after another, and one that does not fit waits for others to leave.
A kernel waited where its first block began within 3 us of a block's end: the program launches 30 us after it let one leave.

registers: P4 of gpubound-machine(7), replayed by itself: four sub-partitions with 16 warps and 64 units of 256 registers each, a start that
moves on. Prints the kernels, how many of them waited, how many of those by the rule, and how many blocks the rule would not admit.
shared: the sequence of kernels that put one block on every SM. Prints how many sequences there are, how many a ring of 228 KiB allows
(each block directly after another one), how many a line does (any hole, either end), and how many first fit explains on each."""
import collections
import csv
import gzip
import sys

SMS = 132
PARTS, PART_WARPS, PART_UNITS, SLOTS = 4, 16, 64, 32
SPACE, UNIT, RESERVE = 228 * 1024 // 128, 128, 1024
WAITED = 3000
BURST = 2000  # blocks that leave together end within so many ns

Block = collections.namedtuple("Block", "sm begin end warps shared units")


def configurations(path):
    """name -> kernel -> blocks in index order"""
    found = collections.defaultdict(lambda: collections.defaultdict(list))
    for row in csv.DictReader(gzip.open(path, "rt") if path.endswith(".gz") else open(path)):
        found[row["exp"], int(row["cfg"])][int(row["kernel"])].append(Block(
            int(row["smid"]), int(row["t0"]), int(row["t1"]), -(-int(row["threads"]) // 32),
            -(-(int(row["smem"]) + int(row["static"]) + RESERVE) // UNIT), -(-int(row["registers"]) * 32 // 256)))
    return found


def waiting(kernels):
    """kernel -> (did it wait, the last instant at which it surely could not begin or had not begun)"""
    result = {}
    for k, blocks in kernels.items():
        first = min(b.begin for b in blocks)
        ends = [b.end for other in kernels.values() for b in other if b.end <= first]
        waited = bool(ends) and first - max(ends) < WAITED
        result[k] = waited, min(e for e in ends if e > max(ends) - BURST) - 1 if waited else first - 1
    return result


# ---- registers

class Sm:
    def __init__(self):
        self.start, self.slots = 0, SLOTS
        self.warps, self.units = [PART_WARPS] * PARTS, [PART_UNITS] * PARTS

    def shares(self, block):
        rest = [(q - self.start) % PARTS < block.warps % PARTS for q in range(PARTS)]
        return [block.warps // PARTS + r for r in rest]

    def fits(self, block):
        return self.slots > 0 and all(self.warps[q] >= n and self.units[q] >= n * block.units for q, n in enumerate(self.shares(block)))

    def move(self, shares, block, sign):
        self.slots -= sign
        for q, n in enumerate(shares):
            self.warps[q] -= sign * n
            self.units[q] -= sign * n * block.units


def events_of(kernels):
    """Blocks of a kernel come to an SM in index order: each no later than those behind it begin."""
    END, ASK, BEGIN = range(3)
    events = [(at, ASK, k, 0) for k, (_, at) in waiting(kernels).items()]
    for k, blocks in kernels.items():
        earliest = {}
        for i in reversed(range(len(blocks))):
            b = blocks[i]
            earliest[b.sm] = min(earliest.get(b.sm, b.begin), b.begin)
            events += [(earliest[b.sm], BEGIN, k, i), (b.end, END, k, i)]
    return sorted(events)


def replay_registers(paths):
    count = collections.Counter()
    for path in paths:
        sms = [Sm() for _ in range(SMS)]  # the start is kept from configuration to configuration
        for _, kernels in sorted(configurations(path).items()):
            waited, placed = waiting(kernels), {}
            for _, what, k, i in events_of(kernels):
                block = kernels[k][i]
                sm = sms[block.sm]
                if what == 0:
                    sm.move(placed[k, i], block, -1)
                elif what == 1:
                    fits = any(s.fits(block) for s in sms)
                    count["kernels"] += 1
                    count["waited"] += waited[k][0]
                    count["as the rule says"] += waited[k][0] != fits
                else:
                    count["blocks"] += 1
                    count["not admitted"] += not sm.fits(block)
                    placed[k, i] = sm.shares(block)
                    sm.move(placed[k, i], block, 1)
                    sm.start = (sm.start + (block.warps % PARTS or 1)) % PARTS
    return count


# ---- shared memory

def sequence(kernels):
    """Takes (kernel, units, waited) and gives (kernel,) of one SM, up to the first kernel that does not have one block on each."""
    waited, whole = waiting(kernels), []
    for k, blocks in sorted(kernels.items()):
        if len({b.sm for b in blocks}) != SMS:
            break
        whole.append(k)
    cut = min((b.begin for k, blocks in kernels.items() if k not in whole for b in blocks), default=float("inf"))
    events = []
    for k in whole:
        events.append((max(b.begin for b in kernels[k]), (k, kernels[k][0].shared, waited[k][0])))
        events.append((min(b.end for b in kernels[k]), (k,)))
    return [step for time, step in sorted(events) if time < cut]


def holes_on_line(at):
    end = 0
    for begin, size, _ in sorted((p, n, k) for k, (p, n) in at.items()):
        if begin > end:
            yield end, begin - end
        end = begin + size
    if end < SPACE:
        yield end, SPACE - end


def holes_on_ring(at):
    used = sorted(at.values())
    for i, (begin, size) in enumerate(used):
        hole = (used[(i + 1) % len(used)][0] - begin - size) % SPACE if len(used) > 1 else SPACE - size
        if hole:
            yield (begin + size) % SPACE, hole
    if not used:
        yield 0, SPACE


def choices(holes, at, size, ends, first):
    fitting = [(p, n) for p, n in sorted(holes(at)) if n >= size]
    for p, n in fitting[:1] if first else fitting:
        yield p
        if ends == 2:
            yield (p + n - size) % SPACE


def possible(steps, holes, ends, first=False):
    """Is there a way to choose holes so that everything that came fits, and nothing that waited did?"""
    states = {frozenset(): {}}
    for i, step in enumerate(steps):
        following = {}
        for at in states.values():
            if len(step) == 1:
                after = steps[i + 1] if i + 1 < len(steps) else step
                if len(after) == 3 and after[2] and any(n >= after[1] for _, n in holes(at)):
                    continue
                rest = {k: where for k, where in at.items() if k != step[0]}
                following[frozenset(rest.items())] = rest
            else:
                for p in choices(holes, at, step[1], ends, first):
                    more = {**at, step[0]: (p, step[1])}
                    following[frozenset(more.items())] = more
        states = following
        if not states or len(states) > 60000:
            return bool(states)
    return True


def replay_shared(paths):
    count = collections.Counter()
    for path in paths:
        for _, kernels in sorted(configurations(path).items()):
            steps = sequence(kernels)
            count["sequences"] += 1
            count["ring"] += possible(steps, holes_on_ring, 1)
            count["line"] += possible(steps, holes_on_line, 2)
            count["first fit on a ring"] += possible(steps, holes_on_ring, 1, True)
            count["first fit on a line"] += possible(steps, holes_on_line, 1, True)
    return count


if __name__ == "__main__":
    counted = {"registers": replay_registers, "shared": replay_shared}[sys.argv[1]](sys.argv[2:])
    print("\n".join(f"{name},{number}" for name, number in counted.items()))
