"""What tests/silicon/networks.py needs of the JSON files of probe/networks.py: excerpt.py FROM TO; each network on a line."""
import json
import os
import sys

KEPT = ('nodes', 'sms', 'period', 'lag', 'span', 'late', 'launch', 'hold', 'unit', 'response')
FIGURES = ('count', 'median', 'greatest')


def short(said):
    return {name: {figure: value[figure] for figure in FIGURES if figure in value} if isinstance(value, dict) and name != 'nodes' else value
            for name, value in said.items() if name in KEPT}


def write(path, said):
    phases = []
    for phase, what in said['phases'].items():
        networks = ',\n'.join(f'{json.dumps(name)}: {json.dumps(short(network), separators=(",", ":"))}' for name, network in what['networks'].items())
        phases.append(f'{json.dumps(phase)}: {{"board": {json.dumps(what["board"])}, "networks": {{\n{networks}}}}}')
    with open(path, 'w', encoding='ascii') as file:
        file.write('{"board": ' + json.dumps(said['board']) + ', "phases": {\n' + ',\n'.join(phases) + '}}\n')


def main():
    for name in sorted(os.listdir(sys.argv[1])):
        if name.endswith('.json'):
            with open(os.path.join(sys.argv[1], name), encoding='ascii') as file:
                write(os.path.join(sys.argv[2], name), json.load(file))


if __name__ == '__main__':
    main()
