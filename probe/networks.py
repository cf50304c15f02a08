"""Real networks on this machine's GPU: what they take alone and in company, and how long their jobs respond in each discipline.

usage: networks.py measure FOLDER [--samples N] [--seconds S]   spans alone on the whole GPU, and in the partitions of both splits, all at once
       networks.py partitions FOLDER [--seconds S]              periodic jobs, each network in a partition of its own, both splits
       networks.py lock FOLDER [--seconds S]                    periodic jobs under a lock by priority
       networks.py slices FOLDER [--seconds S]                  three of them periodically, a process each
       networks.py program [--jobs N] [--green]                 a plain program for the recorder: three networks, no stamps
FOLDER gets a JSON file of each phase, figures rounded to ns, and an .npz file with each sample and each job. --library is libnetworks.so
(probe/networks.cu); --periods is a JSON file of periods in ns by network.

The networks have random weights and inputs, which change nothing of their times: control (a perceptron), signal (a radar's transforms and
threshold), transformer (an encoder of 6 layers), post (a detector with its boxes decoded and suppressed), detector (ResNet-50), segment
(FCN-ResNet50). Each is captured as one linear CUDA graph with a stamp before and behind it. Nothing here changes a setting of the GPU.
"""
import argparse
import ctypes
import json
import os
import subprocess
import sys
import time

import numpy
import torch
from torch.nn import functional

NAMES = ['control', 'signal', 'transformer', 'post', 'detector', 'segment']
IN_SLICES = ['control', 'detector', 'segment']
SPLITS = {'even': [8, 8, 24, 16, 32, 32], 'skew': [8, 16, 16, 24, 16, 40]}
PERIODS = {'control': 1000000, 'signal': 2000000, 'transformer': 2000000, 'post': 4000000, 'detector': 4000000, 'segment': 4000000}
LAG = 100000
CONDITIONS = ['behind itself', 'caches flushed', 'behind another network', 'after idling']
CAPACITY = 1 << 17
HALF = torch.float16


# ---- networks

class Encoder(torch.nn.Module):
    """A layer of a transformer."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.behind = torch.nn.LayerNorm(width), torch.nn.LayerNorm(width)
        self.mix, self.out = torch.nn.Linear(width, 3 * width), torch.nn.Linear(width, width)
        self.up, self.down = torch.nn.Linear(width, 4 * width), torch.nn.Linear(4 * width, width)

    def forward(self, x):
        batch, tokens, width = x.shape
        q, k, v = (part.reshape(batch, tokens, self.heads, -1).transpose(1, 2) for part in self.mix(self.before(x)).chunk(3, 2))
        seen = functional.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(batch, tokens, width)
        x = x + self.out(seen)
        return x + self.down(functional.gelu(self.up(self.behind(x))))


class Boxes(torch.nn.Module):
    """A detector of one stage, and what is done with its boxes: decoded, the best kept, overlapping ones suppressed by their matrix of overlaps."""

    def __init__(self, kept=128):
        super().__init__()
        widths, layers = [3, 32, 64, 128, 256], []
        for i in range(4):
            layers += [torch.nn.Conv2d(widths[i], widths[i + 1], 3, 2, 1), torch.nn.ReLU(),
                       torch.nn.Conv2d(widths[i + 1], widths[i + 1], 3, 1, 1), torch.nn.ReLU()]
        self.body, self.head, self.kept = torch.nn.Sequential(*layers), torch.nn.Conv2d(256, 4 * 5, 1), kept

    def forward(self, image):
        return self.suppress(self.head(self.body(image)))

    def suppress(self, raw):
        rows, columns = raw.shape[2:]
        raw = raw.float().reshape(4, 5, rows * columns).permute(2, 0, 1).reshape(-1, 5)
        cell = torch.arange(rows * columns * 4, device=raw.device) // 4
        centre = torch.stack((cell % columns, torch.div(cell, columns, rounding_mode='floor')), 1).float() + raw[:, :2].sigmoid()
        size = raw[:, 2:4].clamp(-4, 4).exp()
        score, best = raw[:, 4].sigmoid().topk(self.kept)
        low, high = (centre - size / 2)[best], (centre + size / 2)[best]
        common = (torch.minimum(high[:, None], high) - torch.maximum(low[:, None], low)).clamp(min=0).prod(2)
        area = (high - low).prod(1)
        overlap = (common / (area[:, None] + area - common)).triu(1)
        return torch.cat((low, high, (score * (overlap.amax(0) < 0.5)).unsqueeze(1)), 1)


class Radar(torch.nn.Module):
    """Range and Doppler transforms of some antennas, the power, and a threshold from the cells around each."""

    def __init__(self, samples, chirps):
        super().__init__()
        self.register_buffer('window', torch.hann_window(samples))
        self.register_buffer('slow', torch.hann_window(chirps)[:, None])

    def forward(self, echo):
        spectrum = torch.fft.fft(torch.fft.rfft(echo * self.window, dim=2)[:, :, :-1] * self.slow, dim=1)
        power = (spectrum.real.square() + spectrum.imag.square()).sum(0)
        around = functional.avg_pool2d(power[None, None], 17, 1, 8)[0, 0]
        return (power * (power > 8 * around)).flatten().topk(64)


def build(names, device='cuda', half=HALF):
    """A function without arguments for each name."""
    torch.manual_seed(0)
    made = {}

    def add(name, module, *shape, layout=torch.contiguous_format):
        if name in names:
            module = module().eval().to(device).to(half).to(memory_format=layout)
            value = torch.randn(*shape, device=device).to(half)
            value = value.to(memory_format=layout) if len(shape) == 4 else value
            made[name] = lambda: module(value)

    def perceptron():
        layers = torch.nn
        return layers.Sequential(layers.Linear(512, 1024), layers.ReLU(), layers.Linear(1024, 1024), layers.ReLU(), layers.Linear(1024, 64))

    def residual():
        import torchvision
        return torchvision.models.resnet50(weights=None)

    def segmentation():
        import torchvision
        return torchvision.models.segmentation.fcn_resnet50(weights=None, weights_backbone=None)

    add('control', perceptron, 8, 512)
    add('transformer', lambda: torch.nn.Sequential(*[Encoder(512, 8) for _ in range(6)]), 1, 128, 512)
    add('post', Boxes, 1, 3, 320, 320, layout=torch.channels_last)
    add('detector', residual, 1, 3, 224, 224, layout=torch.channels_last)
    add('segment', segmentation, 1, 3, 256, 256)
    if 'signal' in names:
        radar, echo = Radar(1024, 64).to(device), torch.randn(8, 64, 1024, device=device)
        made['signal'] = lambda: radar(echo)
    return {name: made[name] for name in names}


# ---- the library

class Measured(ctypes.Structure):
    _fields_ = [('graph', ctypes.c_void_p), ('other', ctypes.c_void_p), ('stream', ctypes.c_void_p), ('count', ctypes.c_int64)]


class Task(ctypes.Structure):
    _fields_ = [('graph', ctypes.c_void_p), ('stream', ctypes.c_void_p), ('period', ctypes.c_int64), ('lag', ctypes.c_int64),
                ('priority', ctypes.c_int64), ('jobs', ctypes.c_int64), ('done', ctypes.c_int64), ('preempted', ctypes.c_int64),
                ('rows', ctypes.c_void_p)]


def open_library(path):
    library = ctypes.CDLL(path)
    library.networks_instantiate.restype = ctypes.c_void_p
    library.networks_instantiate.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    library.networks_replace_memsets.argtypes = [ctypes.c_void_p] * 2
    library.networks_stamp.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
    library.networks_partition.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.networks_census.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int]
    library.networks_read.argtypes = [ctypes.c_int] + [ctypes.c_void_p] * 3
    library.networks_measure.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_double]
    library.networks_run.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64, ctypes.c_double]
    return library


def load(options, networks):
    library = open_library(options.library)
    library.networks_open(networks)
    library.networks_cores(options.core)
    library.keeps_memsets = options.keep_memsets
    return library


def capture(library, function, stream, number):
    """One launch as a graph, with the stamps of this number (None: without): the instance, and what is in it. The graph is kept, as the
    memory of what was captured is its."""
    with torch.no_grad():
        with torch.cuda.stream(stream):
            for _ in range(4):
                function()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph(keep_graph=True)
        with torch.cuda.graph(graph, stream=stream):
            if number is not None:
                library.networks_stamp(stream.cuda_stream, number, 0)
            function()
            if number is not None:
                library.networks_stamp(stream.cuda_stream, number, 1)
    if not library.keeps_memsets:
        library.networks_replace_memsets(graph.raw_cuda_graph(), stream.cuda_stream)
    kinds = (ctypes.c_int * 5)()
    instance = library.networks_instantiate(graph.raw_cuda_graph(), kinds)
    return {'graph': graph, 'instance': instance, 'nodes': dict(zip(('kernels', 'memsets', 'copies', 'others', 'linear'), kinds))}


def read(library, number):
    begin, end, sms = numpy.zeros(CAPACITY, numpy.uint64), numpy.zeros(CAPACITY, numpy.uint64), (ctypes.c_uint * 2)()
    count = library.networks_read(number, begin.ctypes.data, end.ctypes.data, sms)
    return begin[:count].astype(numpy.int64), end[:count].astype(numpy.int64), list(sms)


def board():
    """What the GPU says of itself, its clocks and its power at this moment."""
    fields = 'name,uuid,driver_version,clocks.sm,clocks.max.sm,clocks.mem,power.draw,temperature.gpu,clocks_event_reasons.active'
    try:
        said = subprocess.run(['nvidia-smi', '--id=' + os.environ.get('CUDA_VISIBLE_DEVICES', '0'), '--query-gpu=' + fields,
                               '--format=csv,noheader'], capture_output=True, text=True)
    except OSError as problem:
        return str(problem)
    return said.stdout.strip() or said.stderr.strip()


def figures(values):
    values = numpy.asarray(values)
    if len(values) == 0:
        return {'count': 0}
    ordered = numpy.sort(values)
    at = lambda share: int(ordered[min(len(ordered) - 1, int(share * len(ordered)))])
    return {'count': len(values), 'least': int(ordered[0]), 'median': at(0.5), '99%': at(0.99), '99.9%': at(0.999), '99.99%': at(0.9999),
            'greatest': [int(value) for value in ordered[:-21:-1]]}


class Results:
    def __init__(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        self.path, self.said, self.arrays = os.path.join(folder, name), {'board': board(), 'phases': {}}, {}

    def phase(self, name, said):
        self.said['phases'][name] = {'board': board(), 'networks': said}
        self.write()
        print(name, json.dumps(said), flush=True)

    def write(self):
        with open(self.path + '.json', 'w', encoding='ascii') as file:
            json.dump(self.said, file, indent=1)
        numpy.savez_compressed(self.path + '.npz', **self.arrays)


# ---- where they run

def whole(library, functions):
    """Each network on the whole GPU, in a stream of its own."""
    places = {}
    for number, name in enumerate(functions):
        stream = torch.cuda.Stream()
        places[name] = dict(capture(library, functions[name], stream, number), stream=stream)
    return places


def another(name):
    """What runs before it, every fourth time it is measured."""
    return 'transformer' if name != 'transformer' else 'control'


def partitioned(library, functions, sizes, measured):
    """Each network in a partition of its own."""
    count = len(functions)
    streams, got = (ctypes.c_void_p * count)(), (ctypes.c_int * count)()
    if not library.networks_partition(count, (ctypes.c_int * count)(*sizes), streams, got):
        sys.exit('networks.py: no partitions')
    places, sets = {}, []
    sms = torch.cuda.get_device_properties(0).multi_processor_count
    for number, name in enumerate(functions):
        stream, seen = torch.cuda.ExternalStream(streams[number]), (ctypes.c_uint * sms)()
        library.networks_census(streams[number], seen, sms)
        sets.append([sm for sm in range(sms) if seen[sm]])
        places[name] = dict(capture(library, functions[name], stream, number), stream=stream, sms=sets[-1])
        if measured: # the other one without stamps, which are notes of one network
            places[name]['other'] = capture(library, functions[another(name)], stream, None)
    if sum(len(each) for each in sets) != len(set().union(*map(set, sets))) or [len(each) for each in sets] != sizes:
        sys.exit(f'networks.py: the partitions are {[len(each) for each in sets]} SMs, or not disjoint')
    return places


def describe(place):
    return {'nodes': place['nodes'], **({'sms': place['sms']} if 'sms' in place else {})}


def measure(library, places, together, samples, seconds, results, phase):
    names = list(places)
    runs = (Measured * len(names))()
    for number, name in enumerate(names):
        library.networks_reset(number)
        place = places[name]
        runs[number] = Measured(place['instance'], place['other']['instance'], place['stream'].cuda_stream, 0)
    library.networks_measure(len(names), runs, together, samples, seconds)
    said = {}
    for number, name in enumerate(names):
        begin, end, sms = read(library, number)
        span = end - begin
        results.arrays[phase + '.' + name] = span.astype(numpy.int32)
        said[name] = dict(describe(places[name]), last_sms=sms, span=figures(span),
                          by_condition={word: figures(span[i::4]) for i, word in enumerate(CONDITIONS)})
    results.phase(phase, said)


# ---- periodic jobs

def to_host(begin, end, rows):
    """The GPU's times by the host's clock. A launch begins after it was called, its end is seen after it was: of each half second the greatest
    difference that the ends allow, so that responses come out too long rather than too short; how far apart both limits are, too."""
    called, seen = rows[:, 2], rows[:, 4]
    shifted, widths = numpy.zeros_like(begin), []
    window = (called - called[0]) // 500000000
    for each in numpy.unique(window):
        at = window == each
        least = (end - seen)[at].max()
        widths.append(int((begin - called)[at].min() - least))
        shifted[at] = least
    return begin - shifted, end - shifted, max(widths)


def jobs_of(library, number, rows):
    begin, end, _ = read(library, number)
    count = min(len(begin), len(rows))
    rows = rows[:count].astype(numpy.int64)
    begin, end, width = to_host(begin[:count], end[:count], rows)
    nominal, asked, taken, issued, seen, handed = rows.T
    arrived = numpy.minimum(begin, issued)
    return {'late': asked - nominal, 'wait': taken - asked, 'call': issued - taken, 'launch': begin - arrived, 'span': end - begin,
            'notice': seen - end, 'response': end - arrived, 'hold': handed - taken - (end - begin), 'unit': handed - asked}, width


def periodic(library, places, periods, locked, seconds, results, phase, start=None, apart=0):
    names = list(places)
    tasks, rows = (Task * len(names))(), []
    start = start or time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 200000000
    for number, name in enumerate(names):
        library.networks_reset(number)
        jobs = min(CAPACITY, int(seconds * 1e9 / periods[name]) + 1)
        rows.append(numpy.zeros((jobs, 6), numpy.uint64))
        tasks[number] = Task(places[name]['instance'], places[name]['stream'].cuda_stream, periods[name], LAG, apart + number, jobs, 0, 0,
                             rows[-1].ctypes.data)
    library.networks_run(len(names), tasks, locked, start, seconds)
    said = {}
    for number, name in enumerate(names):
        jobs, width = jobs_of(library, number, rows[number][:tasks[number].done])
        for what, values in jobs.items():
            results.arrays[f'{phase}.{name}.{what}'] = values.clip(-2**31, 2**31 - 1).astype(numpy.int32)
        said[name] = dict(describe(places[name]), period=periods[name], lag=LAG, clock_width=width, preempted=tasks[number].preempted,
                          **{what: figures(values) for what, values in jobs.items()})
    results.phase(phase, said)


def calibrated(library, places, options, locked, results, phase):
    """A short run, of which the overheads and the hold times are that are declared, and the run that is held against the bounds."""
    periodic(library, places, options.periods, locked, options.calibration, results, phase + '-calibration')
    periodic(library, places, options.periods, locked, options.seconds, results, phase)


def warm(library, places):
    """Some launches of each, so that code is loaded and clocks are up."""
    for name, place in places.items():
        run = (Measured * 1)(Measured(place['instance'], place['instance'], place['stream'].cuda_stream, 0))
        library.networks_measure(1, run, 0, 200, 2.0)


# ---- commands

def do_measure(options):
    results = Results(options.folder, 'measure' + ('-company' if options.company else '-alone' if options.alone else ''))
    functions = build(NAMES)
    library = load(options, len(NAMES))
    if not options.company:
        places = whole(library, functions)
        for name in NAMES:
            places[name]['other'] = capture(library, functions[another(name)], places[name]['stream'], None)
        warm(library, places)
        measure(library, places, 0, options.samples, 2 * options.seconds, results, 'alone')
    for split, sizes in SPLITS.items() if not options.alone else ():
        places = partitioned(library, functions, sizes, True)
        warm(library, places)
        measure(library, places, 1, options.samples, options.seconds, results, 'company-' + split)


def do_partitions(options):
    results = Results(options.folder, 'partitions')
    functions = build(NAMES)
    library = load(options, len(NAMES))
    for split, sizes in SPLITS.items():
        places = partitioned(library, functions, sizes, False)
        warm(library, places)
        calibrated(library, places, options, 0, results, 'partitions-' + split)


def do_lock(options):
    results = Results(options.folder, 'lock')
    library = load(options, len(NAMES))
    places = whole(library, build(NAMES))
    warm(library, places)
    calibrated(library, places, options, 1, results, 'lock')


def do_slices(options):
    start = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + int(options.ready * 1e9)
    children = [subprocess.Popen([sys.executable, __file__, 'child', options.folder, '--name', name, '--start', str(start), '--seconds',
                                  str(options.seconds), '--library', options.library, '--core', str(options.core)] +
                                 (['--periods', options.periods_file] if options.periods_file else [])) for name in IN_SLICES]
    sys.exit(max(child.wait() for child in children))


def do_child(options):
    results = Results(options.folder, 'slices-' + options.name)
    library = load(options, 1)
    places = whole(library, build([options.name]))
    warm(library, places)
    if time.clock_gettime_ns(time.CLOCK_MONOTONIC) > options.start:
        sys.exit(f'networks.py: {options.name} was not ready in time')
    periodic(library, places, options.periods, 0, options.seconds, results, 'slices', options.start, 2 * IN_SLICES.index(options.name))


def do_program(options):
    """Nothing of the library's: what somebody's program may look like, with a host that waits inside a job of one network."""
    names = ['control', 'detector', 'post']
    functions = build(names)
    streams = {name: torch.cuda.Stream(priority=-(2 - i)) for i, name in enumerate(names)}
    if options.green:
        made, got = (ctypes.c_void_p * 3)(), (ctypes.c_int * 3)()
        if not open_library(options.library).networks_partition(3, (ctypes.c_int * 3)(8, 40, 32), made, got):
            sys.exit('networks.py: no partitions')
        streams = {name: torch.cuda.ExternalStream(made[i]) for i, name in enumerate(names)}
    graphs, times, marks = {}, {name: [] for name in names}, {name: [] for name in names}
    with torch.no_grad():
        for name in names[:2]:
            with torch.cuda.stream(streams[name]):
                for _ in range(4):
                    functions[name]()
            torch.cuda.synchronize()
            graphs[name] = torch.cuda.CUDAGraph()
            with torch.cuda.graph(graphs[name], stream=streams[name]):
                functions[name]()
        start = time.clock_gettime_ns(time.CLOCK_MONOTONIC) + 100000000
        for job in range(options.jobs):
            while time.clock_gettime_ns(time.CLOCK_MONOTONIC) < start + job * 8000000:
                pass
            for name in names:
                pair = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
                with torch.cuda.stream(streams[name]):
                    began = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                    if name in graphs:
                        pair[0].record()
                        graphs[name].replay()
                        pair[1].record()
                        called = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                        streams[name].synchronize()
                        marks[name].append(pair)
                    else:
                        kept = functions[name]()
                        called = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
                        kept[:16].cpu()
                times[name].append((called - began, time.clock_gettime_ns(time.CLOCK_MONOTONIC) - began))
    print(json.dumps({name: {'call': figures([c for c, _ in rows]), 'response': figures([r for _, r in rows]),
                             'device': figures([int(1e6 * first.elapsed_time(last)) for first, last in marks[name]])}
                      for name, rows in times.items()}))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('command', choices=['measure', 'partitions', 'lock', 'slices', 'child', 'program'])
    parser.add_argument('folder', nargs='?', default='.')
    parser.add_argument('--library', default='./libnetworks.so')
    parser.add_argument('--samples', type=int, default=10000)
    parser.add_argument('--seconds', type=float, default=30)
    parser.add_argument('--calibration', type=float, default=5, help='seconds of the run before, of which overheads are taken')
    parser.add_argument('--core', type=int, default=1, help='of the first network; each has the next one, slices every second')
    parser.add_argument('--jobs', type=int, default=100)
    parser.add_argument('--keep-memsets', action='store_true', help='as the graphs were captured; else kernels do what their memsets do')
    parser.add_argument('--company', action='store_true', help='measure only in company')
    parser.add_argument('--alone', action='store_true', help='measure only on the whole GPU')
    parser.add_argument('--green', action='store_true', help="the program's streams are in green contexts")
    parser.add_argument('--ready', type=float, default=20, help='seconds until all processes of slices are ready')
    parser.add_argument('--periods', dest='periods_file')
    parser.add_argument('--name')
    parser.add_argument('--start', type=int)
    options = parser.parse_args()
    options.periods = PERIODS
    if options.periods_file:
        with open(options.periods_file, encoding='ascii') as file:
            options.periods = json.load(file)
    {'measure': do_measure, 'partitions': do_partitions, 'lock': do_lock, 'slices': do_slices, 'child': do_child,
     'program': do_program}[options.command](options)


if __name__ == '__main__':
    main()
