#!/usr/bin/env python3
"""Results of cuda_scheduling_examiner as a placement trace. Usage: examiner-to-trace.py RESULT.json ... | gpubound validate -m MODEL -

All files of one scenario go together: each is a stream. Kernels are ordered by when their launch returned (the second of
cuda_launch_times: in recorded scenarios that is the order of the queue, where the first stamps tie). Where the GPU was idle a new
configuration begins. Results do not say registers and priorities: validate's --registers gives the former, the latter are taken to be
equal. Exit status 3, with the file's name, where a file is no such result."""
import json
import sys
from decimal import Decimal

COLUMNS = "exp,cfg,rep,mode,kernel,stream,prio,gx,gy,gz,threads,smem,variant,block,smid,ticket,t0,t1"


class Refused(Exception):
    pass


def nanoseconds(seconds):
    return int((Decimal(seconds) * 10**9).to_integral_value())


def kernel_of(item, stream):
    times = [nanoseconds(t) for t in item["block_times"]]
    sms = [int(sm) for sm in item["block_smids"]]
    if len(times) != 2 * len(sms) or len(sms) != item["block_count"] or not sms:
        raise Refused("a kernel's block_times, block_smids and block_count do not agree")
    if any(end < begin for begin, end in zip(times[::2], times[1::2])):
        raise Refused("a block ends before it begins")
    return {"stream": stream, "launched": nanoseconds(item["cuda_launch_times"][1]), "threads": int(item["thread_count"]),
            "shared": int(item["shared_memory"]), "blocks": list(zip(sms, times[::2], times[1::2]))}


def read(path, stream):
    try:
        with open(path, encoding="utf-8") as file:
            result = json.load(file, parse_float=Decimal, parse_int=Decimal)
        kernels = [kernel_of(item, stream) for item in result["times"] if "block_times" in item]
        return str(result["scenario_name"]), kernels
    except (OSError, ValueError, ArithmeticError, KeyError, IndexError, TypeError, Refused) as error:
        raise Refused(f"{path}: no result of cuda_scheduling_examiner: {error!r}") from None


def configurations(kernels):
    """Cut where every block so far has ended before any later one begins."""
    kernels = sorted(kernels, key=lambda k: (k["launched"], k["stream"]))
    later = [min((b[1] for k in kernels[i:] for b in k["blocks"])) for i in range(len(kernels))]
    start, end = 0, None
    for i, kernel in enumerate(kernels):
        if i > start and later[i] > end:
            yield kernels[start:i]
            start = i
        last = max(b[2] for b in kernel["blocks"])
        end = last if end is None else max(end, last)
    if kernels:
        yield kernels[start:]


def write(scenario, number, kernels):
    base = min(b[1] for k in kernels for b in k["blocks"])
    order = sorted((b[1], k, i) for k, kernel in enumerate(kernels) for i, b in enumerate(kernel["blocks"]))
    ticket = {(k, i): t for t, (_, k, i) in enumerate(order)}
    name = "".join(c if c.isalnum() else "-" for c in scenario)[:60] or "scenario"
    for k, kernel in enumerate(kernels):
        for i, (sm, begin, end) in enumerate(kernel["blocks"]):
            print(f"{name},{number},0,1,{k},{kernel['stream']},0,{len(kernel['blocks'])},1,1,{kernel['threads']},{kernel['shared']},0,{i},{sm},"
                  f"{ticket[k, i]},{begin - base},{end - base}")


def main(paths):
    if not paths:
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    scenarios = {}
    try:
        for stream, path in enumerate(paths):
            scenario, kernels = read(path, stream)
            scenarios.setdefault(scenario, []).extend(kernels)
    except Refused as error:
        print(error, file=sys.stderr)
        return 3
    print(COLUMNS)
    for scenario, kernels in scenarios.items():
        for number, configuration in enumerate(configurations(kernels)):
            write(scenario, number, configuration)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
