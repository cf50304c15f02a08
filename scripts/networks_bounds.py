#!/usr/bin/env python3
"""Holds what probe/networks.py measured against the bounds: a task set a discipline, its analysis, its verification, and the jobs that were run.

usage: networks_bounds.py GPUBOUND FOLDER [--margin PERCENT] [--output FOLDER]

FOLDER has the JSON files of networks.py. WCETs are the longest spans of `measure`, never those of the jobs, and the margin; hold times, launch
overheads and lateness are the greatest of each discipline's calibration, and the margin. A job's response counts from when its launch had
reached the GPU (partitions, slices) or from when it asked for the lock, so that the host's lateness is no part of it; the bound is the
response from the actual release. What exceeded its figure is listed, and then the bounds of the figures that were seen have to hold.
The exit status is 1 where a job took longer than its bound though nothing exceeded its figure, or a report was not verified.
"""
import argparse
import json
import math
import os
import subprocess
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<taskset xmlns="urn:gpubound:taskset:1" id="{id}" platform="h200" origin="declared">
  <title>{title}</title>
  <origins>
    <origin id="declared" kind="declared" source="scripts/networks_bounds.py" by="the user"/>
{origins}  </origins>
"""
NAMESPACE = '{urn:gpubound:report:1}'
# The disciplines beyond their tasks: what was measured elsewhere.
SLICES = [('runlist.timeslice', '2071us', 'the shortest slice seen on an H200, doc/silicon.md'),
          ('runlist.switch', '180us', 'the longest wait seen on an H200, cold caches in it, doc/silicon.md'),
          ('copy-runlist', 'own', 'there are no copies'), ('preemption', 'instruction', 'compute capability 6.0 and later')]
ASSUMED = [('A-RUNLIST', 'doc/silicon.md, A model of the board'), ('A-PENDING', 'probe/pending.cu, doc/silicon.md')]


def enlarge(value, margin):
    return -(-value * (100 + margin) // 100)


def greatest(said):
    return said['greatest'][0] if said['count'] else 0


class Discipline:
    """What was measured of one, and the task set of it."""

    def __init__(self, name, spans, calibration, jobs, margin):
        self.name, self.spans, self.jobs, self.margin = name, spans, jobs, margin
        self.wcet = {task: enlarge(greatest(spans[task]['span']), margin) for task in jobs}
        measured = calibration or jobs
        self.launch = max(enlarge(greatest(said['launch']), margin) for said in measured.values())
        self.hold = {task: enlarge(greatest(said['hold']), margin) for task, said in measured.items()}
        self.late = {task: enlarge(max(greatest(said['late']), said['lag']), margin) for task, said in measured.items()}

    def observed(self):
        """The same with the figures that the jobs themselves showed where these are more."""
        seen = Discipline(self.name, self.spans, None, self.jobs, 0)
        for mine, theirs in ((self.wcet, {task: greatest(said['span']) for task, said in self.jobs.items()}), (self.hold, seen.hold),
                             (self.late, seen.late)):
            for task in mine:
                mine[task] = max(mine[task], theirs[task])
        self.launch = max(self.launch, seen.launch)
        return self

    def exceeded(self):
        """Lines that say what a job took more of than is declared, and how many did."""
        lines = []
        for task, said in self.jobs.items():
            figures = [('span', self.wcet[task]), ('late', self.late[task])]
            figures.append(('hold', self.hold[task]) if self.name == 'lock' else ('launch', self.launch))
            for what, declared in figures:
                above = [value for value in said[what].get('greatest', []) if value > declared]
                if what == 'launch' and self.name == 'slices':
                    continue  # the wait for the turn is in it
                if above:
                    more = ' or more' if len(above) == 20 else ''
                    lines.append((f'{self.name}: {what} of {task} exceeded {declared} ns in {len(above)}{more} of {said[what]["count"]} jobs: '
                                  + ', '.join(map(str, above[:5])), len(above), said[what]['count']))
        return lines

    def response(self, task):
        return self.jobs[task]['unit' if self.name == 'lock' else 'response']

    def write(self, path):
        def attributes(**given):
            return ''.join(f' {name.replace("_", "-")}={quoteattr(str(value))}' for name, value in given.items())

        origins = ''.join('    <origin' + attributes(
            id='span-' + task, kind='measured', source=f'probe/networks.py: the longest span of {task} is {greatest(self.spans[task]["span"])} ns; '
            f'{self.margin} % margin added', samples=self.spans[task]['span']['count']) + '/>\n' for task in self.jobs)
        text = HEAD.format(id='networks-' + self.name, title='Real networks: ' + self.name, origins=origins)
        zero = self.name == 'lock'  # H has all that is outside of the spans
        for name, value, source in [('overhead.launch', f'{0 if zero else self.launch}ns', 'in the hold time' if zero else 'calibration'),
                                    ('overhead.block', '0ns', 'in the spans'),
                                    ('overhead.dependency', '0ns', 'in the hold time' if zero else 'one operation a job, launched on an idle stream'),
                                    ('queues.hardware', '32', 'CUDA_DEVICE_MAX_CONNECTIONS')] + (SLICES if self.name == 'slices' else []):
            text += '  <declare' + attributes(name=name, value=value, source=source, by='the user') + '/>\n'
        if self.name == 'slices':
            text += ''.join('  <assume' + attributes(id=name, source=source, by='the user') + '/>\n' for name, source in ASSUMED)
        if self.name.startswith('partitions'):
            text += '  <interference' + attributes(**{'from': 'all'}, victim='any', value='1', source='WCETs were measured in the company of all others',
                                                   by='the user') + '/>\n'
            for task, said in self.jobs.items():
                text += '  <partition' + attributes(id='sms-' + task, kind='green', sms=' '.join(map(str, said['sms']))) + '/>\n'
        streams = {task: '    <stream' + attributes(id='s-' + task, kind='non-blocking', **(
            {'partition': 'sms-' + task} if self.name.startswith('partitions') else {})) + '/>\n' for task in self.jobs}
        if self.name == 'slices':
            text += ''.join(f'  <application id="p-{task}">\n{stream}  </application>\n' for task, stream in streams.items())
        else:
            text += '  <application id="networks">\n' + ''.join(streams.values()) + '  </application>\n'
        if self.name == 'lock':
            text += '  <lock id="gpu" protocol="priority"/>\n'
        for number, (task, said) in enumerate(self.jobs.items()):
            nodes = said['nodes']
            sequence = '    <sequence' + attributes(
                id=task + '-graph', stream='s-' + task, operations=nodes['kernels'] + nodes['memsets'] + nodes['copies'],
                linear='true' if nodes['linear'] else 'false', wcet=f'{self.wcet[task]}ns', origin='span-' + task) + '/>\n'
            if self.name == 'lock':
                sequence = ('    <locked' + attributes(lock='gpu', hold=f'{self.hold[task]}ns', priority=number) + '>\n  ' + sequence + '    </locked>\n')
            text += ('  <task' + attributes(id=task, period=f'{said["period"]}ns', jitter=f'{self.late[task]}ns', deadline=f'{4 * said["period"]}ns') +
                     '>\n' + sequence + '  </task>\n')
        with open(path, 'w', encoding='ascii') as file:
            file.write(text + '</taskset>\n')


def analyse(gpubound, path):
    """Bounds by task from the actual release, ns, None where there is none; whether the report was verified; and all that was said."""
    report = path[:-4] + '.report'
    done = subprocess.run([gpubound, 'analyze', '-q', '-o', report, path], capture_output=True, text=True)
    if done.returncode == 3:
        return {}, False, done.stderr
    bounds = {}
    for task in ElementTree.parse(report).getroot().iter(NAMESPACE + 'task'):
        values = [int(bound.get('value')) for bound in task.iter(NAMESPACE + 'bound') if bound.get('value')]
        bounds[task.get('id')] = min(values, default=None)
    checked = subprocess.run([gpubound, 'verify', report], capture_output=True, text=True)
    return bounds, checked.stdout.startswith('verified'), done.stderr


def compare(gpubound, discipline, folder):
    """Prints a row a task; how many jobs were above their bounds though nothing else exceeded, and the ratios."""
    path = os.path.join(folder, discipline.name + '.xml')
    lines = discipline.exceeded()
    discipline.write(path)
    bounds, verified, said = analyse(gpubound, path)
    if not bounds:
        print(f'{discipline.name}: not analysed: {said.strip()}')
        return 1, []
    held = bounds
    if lines:
        again = path[:-4] + '-observed.xml'
        discipline.observed().write(again)
        held, checked, _ = analyse(gpubound, again)
        verified = verified and checked
    ratios, above = [], 0
    for task in discipline.jobs:
        seen = discipline.response(task)
        bound, worst = bounds.get(task), greatest(seen)
        over = [value for value in seen['greatest'] if held.get(task) is not None and value > held[task]]
        above += len(over)
        ratio = bound / worst if bound else math.nan
        ratios += [ratio] if bound else []
        print(f'| {discipline.name} | {task} | {seen["count"]} | {seen["median"] / 1000:.1f} | {worst / 1000:.1f} | '
              f'{bound / 1000:.1f} | {ratio:.2f} |' if bound else f'| {discipline.name} | {task} | {seen["count"]} | {seen["median"] / 1000:.1f} | '
              f'{worst / 1000:.1f} | no bound | |', end='')
        print(f' {len(over)} above' + ('' if not lines else f' the bound of what was seen, {held[task] / 1000:.1f}') if over else '')
    for line, count, jobs in lines:
        print(line + ('' if count * 10000 <= jobs else '; that is more than 1 in 10,000'))
    print(f'{discipline.name}: ' + (f'ratio median {sorted(ratios)[len(ratios) // 2]:.2f}, greatest {max(ratios):.2f}; ' if ratios else '') +
          ('verified' if verified else 'NOT VERIFIED'))
    return above + (not verified), ratios


def phases(folder, name):
    path = os.path.join(folder, name + '.json')
    if not os.path.exists(path):
        return {}
    with open(path, encoding='ascii') as file:
        return {phase: said['networks'] for phase, said in json.load(file)['phases'].items()}


def all_spans(folder):
    """Those of one run, and of further ones (measure-2.json): the greatest of all, and how many there are."""
    spans = {}
    for name in sorted(os.listdir(folder)):
        if not name.startswith('measure') or not name.endswith('.json'):
            continue
        for phase, said in phases(folder, name[:-5]).items():
            for task, more in said.items():
                mine = spans.setdefault(phase, {}).setdefault(task, {'span': {'count': 0, 'greatest': []}})['span']
                mine['count'] += more['span']['count']
                mine['greatest'] = sorted(mine['greatest'] + more['span']['greatest'], reverse=True)[:20]
    return spans


def collect(folder, margin):
    """The disciplines of which both spans and jobs are there."""
    spans, found = all_spans(folder), []
    for said in (phases(folder, 'partitions'), phases(folder, 'lock')):
        for phase in said:
            measured = spans.get(phase.replace('partitions', 'company') if phase != 'lock' else 'alone')
            if not phase.endswith('-calibration') and measured:
                found.append(Discipline(phase, measured, said.get(phase + '-calibration'), said[phase], margin))
    sliced = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith('slices-') and name.endswith('.json'):
            sliced.update(phases(folder, name[:-5]).get('slices', {}))
    if sliced and 'alone' in spans:
        calibration = phases(folder, 'lock').get('lock-calibration') or phases(folder, 'lock').get('lock')
        found.append(Discipline('slices', spans['alone'], {task: calibration[task] for task in sliced} if calibration else None, sliced, margin))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('gpubound')
    parser.add_argument('folder')
    parser.add_argument('--margin', type=int, default=10, help='added to each measured figure, percent (default 10)')
    parser.add_argument('--output', help='where task sets and reports go (default: FOLDER)')
    options = parser.parse_args()
    output = options.output or options.folder
    os.makedirs(output, exist_ok=True)
    found = collect(options.folder, options.margin)
    if not found:
        sys.exit(f'networks_bounds.py: {options.folder} has no spans with the jobs of a discipline')
    print('| discipline | task | jobs | median, us | worst, us | bound, us | bound over worst |\n| --- | --- | --- | --- | --- | --- | --- |')
    wrong = sum(compare(options.gpubound, discipline, output)[0] for discipline in found)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
