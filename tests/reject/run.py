"""Rejected input: every example in this folder is refused, or warned of, with exactly the message it should be.

usage: run.py GPUBOUND SOURCE_ROOT [--update]

CODE.xml (CODE-2.xml, ...) is named after the code in src/base/diagnostics.def that it must draw; CODE.expected holds what is printed,
with the base names of files. A task set is analysed as it is; a platform model is analysed with support/taskset.xml; a frame is given to
raster. Of an error the whole message must be equal, the status 3, and nothing written. Of a warning the lines with its code must be equal, and the analysis must go on.
Every error of the tables that come from reading input must have an example.
"""
import os
import re
import subprocess
import sys
import tempfile

FOLDER = os.path.dirname(os.path.abspath(__file__))
ROW = re.compile(r'^DIAGNOSTIC\(\w+, "([^"]+)", (\w+),', re.M)
NAME = re.compile(r'^([a-z0-9-]*?)(?:-[0-9]+)?\.xml$')
SECONDS = 60  # for busy machines; tests/hostile.py holds the limits

# Errors that no file in this folder can show, and how they are shown instead: the arguments, the environment.
ELSEWHERE = {
    'file-unreadable': lambda scratch: ([os.path.join(scratch, 'absent.xml')], {}),
    'file-too-large': lambda scratch: ([fill(os.path.join(scratch, 'large.xml'), 17 << 20)], {}),
    'schema-unusable': lambda scratch: ([os.path.join(FOLDER, 'support', 'taskset.xml')], {'GPUBOUND_DATA': scratch}),
}

# Errors of other commands: tests/silicon/placement.py, tests/cmd_map.py, tests/cmd_simulate.py and tests/render/run.py show them; those of gpubound import, which
# begin with import-, are shown by tests/import/run.py.
NOT_OF_ANALYZE = {'trace-column', 'trace-malformed', 'trace-truncated', 'trace-incomplete', 'trace-sm', 'trace-partition', 'trace-occupancy', 'platform-placement',
                  'map-impossible', 'not-simulated', 'simulation-limit',
                  'report-inconsistent', 'bundle-input-changed', 'stylesheet-unusable'}

# tests/kit.py shows these.
NOT_OF_ANALYZE |= {'kit-unusable', 'test-results'}

NOT_OF_ANALYZE |= {'library-missing'}  # tests/late.py

# tests/limits.py shows this.
NOT_OF_ANALYZE |= {'report-too-large'}
NOT_OF_ANALYZE |= {'loop-copies', 'source-unknown'}  # tests/loop_turns.py
NOT_OF_ANALYZE |= {'mast-missing', 'mast-open', 'mast-no-bound', 'mast-arrival', 'mast-reservation'}  # tests/mast.py

# tests/silicon/calibrate.py shows these.
NOT_OF_ANALYZE |= {'recording-head', 'recording-truncated', 'recording-boards', 'recording-clocks', 'recording-samples', 'recording-rare', 'recording-value',
                   'recording-contradiction'}

# tests/unit/test_api.c shows this: no input should.
NOT_OF_ANALYZE |= {'internal-error'}

# tests/forge.py shows these.
NOT_OF_ANALYZE |= {'not-reproduced', 'not-checked'}

# tests/attacks/reports.py shows these; the warning has the hash of a shipped model in it.
NOT_OF_ANALYZE |= {'platform-not-as-shipped', 'signature-form', 'no-such-input'}

# tests/accept.py shows these.
NOT_OF_ANALYZE |= {'accept-unsigned', 'accept-certificate', 'accept-signature', 'accept-signer', 'accept-tool', 'accept-task-set', 'accept-input',
                   'accept-platform', 'accept-changed', 'accept-verdict'}

# tests/advise.py and tests/sweep.py show these, which options of the command line draw, or tables.
NOT_OF_ANALYZE |= {'change-target', 'change-value', 'what-if', 'shards', 'table'}

# tests/cmd_wcet.py shows these.
NOT_OF_ANALYZE |= {'loop-unbounded', 'loop-unknown', 'block-unreachable', 'block-stuck', 'branch-unknown', 'facts-contradictory', 'cost-undeclared',
                   'divergence-unstructured', 'barrier-divergent', 'program-too-long', 'solver-fallback', 'hash-mismatch', 'sass-malformed', 'sass-function',
                   'sass-control', 'opcode-unknown', 'served-nothing'}

# tests/attacks/wcet.py shows these.
NOT_OF_ANALYZE |= {'sass-gap', 'sass-target', 'sass-twice', 'sass-waits', 'cubin-invalid', 'opcode-known', 'loop-polls'}

# tests/loop_turns.py shows this one.
NOT_OF_ANALYZE |= {'argument-impossible'}


def fill(path, size):
    with open(path, 'wb') as file:
        file.write(b' ' * size)
    return path


def read_table(root):
    with open(os.path.join(root, 'src/base/diagnostics.def'), encoding='utf-8') as file:
        return dict(ROW.findall(file.read()))


def shorten(message):
    """Base names in place of paths at the beginning of lines."""
    return re.sub(r'^[^\s:]*/', '', message, flags=re.M)


def analyze(gpubound, arguments, environment):
    """Status, diagnostics, and whether anything was written where nothing should be."""
    with tempfile.TemporaryDirectory() as scratch:
        output = os.path.join(scratch, 'output')
        command = ['raster', '--svg', output] if is_frame(arguments[-1]) else ['analyze', '-o', output]
        command = [gpubound, command[0], '--color=never'] + command[1:] + arguments
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, env={**os.environ, **environment}, check=False)
        return done.returncode, shorten(done.stderr.decode()), bool(done.stdout) or os.listdir(scratch) != []


def holds(path, text):
    if not os.path.exists(path):
        return False
    with open(path, 'rb') as file:
        return text in file.read()


def is_platform(path):
    return holds(path, b'<platform ')


def is_frame(path):
    return holds(path, b'<frame ')


def arguments_of(path):
    if is_platform(path):
        return ['--platform', path, os.path.join(FOLDER, 'support', 'taskset.xml')]
    return [path]


def lines_of(message, code):
    return ''.join(line for line in message.splitlines(True) if line.rstrip().endswith('[%s]' % code))


def check_golden(path, message, update):
    golden = path[:-len('.xml')] + '.expected'
    if update:
        with open(golden, 'w', encoding='utf-8') as file:
            file.write(message)
        return []
    if not os.path.exists(golden):
        return ['no %s; run with --update and read it' % os.path.basename(golden)]
    with open(golden, encoding='utf-8') as file:
        expected = file.read()
    return [] if expected == message else ['expected:\n%sgot:\n%s' % (expected, message)]


def check_error(status, message, wrote, code):
    faults = []
    if status != 3:
        faults.append('status %d in place of 3' % status)
    if wrote:
        faults.append('something was written')
    if not lines_of(message, code):
        faults.append('no %s in:\n%s' % (code, message))
    return faults


def check_warning(status, message, wrote, code):
    faults = []
    if status not in (0, 1, 4) or not wrote:
        faults.append('status %d, the analysis did not go on:\n%s' % (status, message))
    if not lines_of(message, code):
        faults.append('no %s in:\n%s' % (code, message))
    return faults


def check_example(gpubound, name, levels, update):
    code, path = NAME.match(name).group(1), os.path.join(FOLDER, name)
    if code not in levels:
        return ['there is no code %s' % code]
    status, message, wrote = analyze(gpubound, arguments_of(path), {})
    if levels[code] == 'ERROR':
        return check_error(status, message, wrote, code) + check_golden(path, message, update)
    return check_warning(status, message, wrote, code) + check_golden(path, lines_of(message, code), update)


def check_elsewhere(gpubound, code):
    with tempfile.TemporaryDirectory() as scratch:
        arguments, environment = ELSEWHERE[code](scratch)
        status, message, wrote = analyze(gpubound, arguments, environment)
        return check_error(status, message, wrote, code)


def check_fine(gpubound):
    """What the examples have in common is not what is refused: without their one fault they pass, without a warning."""
    status, message, wrote = analyze(gpubound, [os.path.join(FOLDER, 'support', 'taskset.xml')], {})
    return check_warning(status, message, wrote, '') if status not in (0, 1, 4) else ['warned of:\n' + message] * ('warning: ' in message)


def main():
    gpubound, root, update = sys.argv[1], sys.argv[2], '--update' in sys.argv
    levels = read_table(root)
    names = sorted(name for name in os.listdir(FOLDER) if NAME.match(name))
    faults = {name: check_example(gpubound, name, levels, update) for name in names}
    faults.update({code: check_elsewhere(gpubound, code) for code in ELSEWHERE})
    faults['support/taskset.xml'] = check_fine(gpubound)
    shown = {NAME.match(name).group(1) for name in names} | set(ELSEWHERE)
    for code, level in levels.items():
        if level in ('ERROR', 'WARNING') and code not in shown and code not in NOT_OF_ANALYZE and not code.startswith(('import-', 'export-')):
            faults[code] = ['no example']
    for name, found in faults.items():
        for fault in found:
            print('%s: %s' % (name, fault))
    print('%d examples of %d codes' % (len(names), len(shown)))
    return 1 if any(faults.values()) else 0


if __name__ == '__main__':
    sys.exit(main())
