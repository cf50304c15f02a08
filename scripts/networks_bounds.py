#!/usr/bin/env python3
"""Holds what probe/networks.py measured against the bounds: a task set a discipline, its analysis, its verification, and the jobs that were run.

usage: networks_bounds.py GPUBOUND FOLDER [--margin PERCENT] [--late NS] [--platform MODEL] [--own-company] [--output FOLDER]

FOLDER has the JSON files of networks.py. WCETs are the longest spans of `measure`, never those of the jobs, and the margin; hold times and launch
overheads are the greatest of each discipline's calibration, and the margin. With --own-company WCETs in partitions are those of the calibration:
in the company of the task set itself, not of networks that run without pause. A job's response counts from when its launch had
reached the GPU (partitions, slices) or from when it asked for the lock, so that the host's lateness is no part of it; the bound is the
response from the actual release. What exceeded its figure is listed, and then the bounds of the figures that were seen have to hold.
The exit status is 1 where a job took longer than its bound though nothing exceeded its figure, or a report was not verified.
"""
import argparse
import json
import os
import subprocess
import sys
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

HEAD = """<?xml version="1.0" encoding="UTF-8"?>
<taskset xmlns="urn:gpubound:taskset:1" id="{id}" platform="{platform}" origin="declared">
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

    def __init__(self, name, spans, calibration, jobs, margin, late=0, platform=None):
        self.name, self.spans, self.jobs, self.margin, self.platform = name, spans, jobs, margin, platform
        self.wcet = {task: enlarge(greatest(spans[task]['span']), margin) for task in jobs}
        measured = calibration or jobs
        self.launch = max(enlarge(greatest(said['launch']), margin) for said in measured.values())
        self.hold = {task: enlarge(greatest(said['hold']), margin) for task, said in measured.items()}
        self.late = {task: late or greatest(said['late']) for task, said in measured.items()}

    def observe(self, lateness):
        """Takes the figures that the jobs themselves showed where these are more: how late they came, or all others."""
        seen = Discipline(self.name, self.spans, None, self.jobs, 0)
        spans = {task: greatest(said['span']) for task, said in self.jobs.items()}
        for mine, theirs in [(self.late, seen.late)] if lateness else [(self.wcet, spans), (self.hold, seen.hold)]:
            for task in mine:
                mine[task] = max(mine[task], theirs[task])
        if not lateness and self.name != 'slices':
            self.launch = max(self.launch, seen.launch)

    def exceeded(self):
        """Lines that say what jobs took more of than is declared."""
        lines = []
        for task, said in self.jobs.items():
            figures = [('span', self.wcet[task]), ('late', self.late[task])]
            figures += [('hold', self.hold[task])] if self.name == 'lock' else [('launch', self.launch)] if self.name != 'slices' else []
            for what, declared in figures:  # under slices the wait for the turn is in the launch
                above = [value for value in said[what].get('greatest', []) if value > declared]
                if above:
                    lines.append(f'{self.name}: {what} of {task} exceeded {declared} ns in {len(above)}{" or more" if len(above) == 20 else ""} of '
                                 f'{said[what]["count"]} jobs: {", ".join(map(str, above[:5]))}' +
                                 ('; more than 1 in 10,000' if what in ('span', 'hold') and len(above) * 10000 > said[what]['count'] else ''))
        return lines

    def response(self, task):
        return self.jobs[task]['unit' if self.name == 'lock' else 'response']

    def write(self, path):
        def attributes(**given):
            return ''.join(f' {name.replace("_", "-")}={quoteattr(str(value))}' for name, value in given.items())

        origins = ''.join('    <origin' + attributes(
            id='span-' + task, kind='measured', source=f'probe/networks.py: the longest span of {task} is {greatest(self.spans[task]["span"])} ns; '
            f'{self.margin} % margin added', samples=self.spans[task]['span']['count']) + '/>\n' for task in self.jobs)
        text = HEAD.format(id='networks-' + self.name, platform=self.platform, title='Real networks: ' + self.name, origins=origins)
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
                linear='true' if nodes['linear'] else 'false', launch='single' if nodes['memsets'] + nodes['copies'] else 'graph', wcet=f'{self.wcet[task]}ns', origin='span-' + task) + '/>\n'
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


def above(discipline, bounds):
    """How many jobs took longer than their bound, by task."""
    return {task: sum(bounds[task] is not None and value > bounds[task] for value in discipline.response(task)['greatest'])
            for task in discipline.jobs}


def compare(gpubound, discipline, folder):
    """Prints a row a task. How many jobs were above bounds that nothing explains, or 1 for what was not verified."""
    path = os.path.join(folder, discipline.name + '.xml')
    lines = discipline.exceeded()
    discipline.write(path)
    bounds, verified, said = analyse(gpubound, path)
    if not bounds:
        print(f'{discipline.name}: not analysed: {said.strip()}')
        return 1
    ratios = []
    for task in discipline.jobs:
        seen, bound = discipline.response(task), bounds[task]
        ratios += [bound / greatest(seen)] if bound else []
        print(f'| {discipline.name} | {task} | {seen["count"]} | {seen["median"] / 1000:.1f} | {greatest(seen) / 1000:.1f} | ' +
              (f'{bound / 1000:.1f} | {ratios[-1]:.2f} |' if bound else 'none | |'))
    over = above(discipline, bounds)
    for lateness in (False, True):
        if sum(over.values()) == 0:
            break
        discipline.observe(lateness)
        discipline.write(path[:-4] + '-observed.xml')
        again, checked, _ = analyse(gpubound, path[:-4] + '-observed.xml')
        verified = verified and checked
        for task, count in over.items():
            if count:
                bound = f'the bound is {again[task] / 1000:.1f} us' if again[task] else 'there is no bound'
                lines.append(f'{discipline.name}: {count} jobs of {task} above; {bound} with the '
                             f'{"lateness" if lateness else "spans and host times"} that were seen')
        over = above(discipline, again)
    print('\n'.join(lines + [f'{discipline.name}: ' + (
        f'ratio median {sorted(ratios)[len(ratios) // 2]:.2f}, greatest {max(ratios):.2f}; ' if ratios else '') +
        f'{sum(over.values())} jobs above that nothing explains; ' + ('verified' if verified else 'NOT VERIFIED')]))
    return sum(over.values()) + (not verified)


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
                if not more['span']['count']:
                    sys.exit(f'networks_bounds.py: {name} has no sample of {task} ({phase}): measure again, with more --seconds')
                mine = spans.setdefault(phase, {}).setdefault(task, {'span': {'count': 0, 'greatest': []}})['span']
                mine['count'] += more['span']['count']
                mine['greatest'] = sorted(mine['greatest'] + more['span']['greatest'], reverse=True)[:20]
    return spans


def collect(options):
    """The disciplines of which both spans and jobs are there."""
    folder, figures = options.folder, (options.margin, options.late, options.platform)
    spans, found = all_spans(folder), []
    for said in (phases(folder, 'partitions'), phases(folder, 'lock')):
        for phase in said:
            measured = spans.get(phase.replace('partitions', 'company') if phase != 'lock' else 'alone')
            if options.own_company and phase != 'lock':
                measured = said.get(phase + '-calibration')
            if not phase.endswith('-calibration') and measured:
                found.append(Discipline(phase, measured, said.get(phase + '-calibration'), said[phase], *figures))
    sliced = {}
    for name in sorted(os.listdir(folder)):
        if name.startswith('slices-') and name.endswith('.json'):
            sliced.update(phases(folder, name[:-5]).get('slices', {}))
    if sliced and 'alone' in spans:
        calibration = phases(folder, 'lock').get('lock-calibration') or phases(folder, 'lock').get('lock')
        found.append(Discipline('slices', spans['alone'], {task: calibration[task] for task in sliced} if calibration else None, sliced, *figures))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n', maxsplit=1)[0])
    parser.add_argument('gpubound')
    parser.add_argument('folder')
    parser.add_argument('--margin', type=int, default=10, help='added to each measured figure, percent (default 10)')
    parser.add_argument('--late', type=int, default=400000, help='how late a job may be released, the drawn lag in it, ns (default 400000)')
    parser.add_argument('--platform', default='h200', help='the model: a name or an absolute path (default h200)')
    parser.add_argument('--own-company', action='store_true', help='WCETs in partitions from the calibration, in the company of the task set itself')
    parser.add_argument('--output', help='where task sets and reports go (default: FOLDER)')
    options = parser.parse_args()
    output = options.output or options.folder
    os.makedirs(output, exist_ok=True)
    found = collect(options)
    if not found:
        sys.exit(f'networks_bounds.py: {options.folder} has no spans with the jobs of a discipline')
    print('| discipline | task | jobs | median, us | worst, us | bound, us | bound over worst |\n| --- | --- | --- | --- | --- | --- | --- |')
    wrong = sum(compare(options.gpubound, discipline, output) for discipline in found)
    sys.exit(1 if wrong else 0)


if __name__ == '__main__':
    main()
