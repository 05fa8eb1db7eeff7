#!/usr/bin/env python3
"""Changes the sources in ways that the tests must notice, one at a time, and demands that they do.

usage: mutants.py BUILD-DIRECTORY [WORD]

For each mutant of mutants.txt that is tried, the changed file alone is compiled and linked before the library,
so that its code takes the place of the library's; then the test program runs the test cases that are to
notice. That they pass without a mutant is for the suites to show. Needs the test programs of a build
without sanitizers.

Tried are those marked `core`, with WORKCTL_MUTANTS=all every one, with WORD those whose name holds it. Of
the others only the old text is looked up in the source.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SECONDS_MAX = 300
# Options that a mutant is compiled without: it is compiled once, quickly, and without the precompiled header.
NOT_FOR_MUTANTS = ('-MD', '-Werror', '-O2', '-g', '-Winvalid-pch', '-fpch-preprocess')
# The tests try as much as they do by default, whatever is set for this run.
FULL_TESTS = {name: value for name, value in os.environ.items() if not name.startswith('WORKCTL_')}


class Mutant:
    def __init__(self, name):
        self.name = name
        self.core = False
        self.file = self.program = self.filter = ''
        self.old = []
        self.new = []

    def source(self):
        """The changed text of its file; nothing when the old text is not there exactly once."""
        text = (ROOT / self.file).read_text()
        old = ''.join(line + '\n' for line in self.old)
        if text.count(old) != 1:
            return None
        return text.replace(old, ''.join(line + '\n' for line in self.new))


def read_mutants():
    mutants = []
    for line in (HERE / 'mutants.txt').read_text().splitlines():
        if line.startswith('== '):
            mutants.append(Mutant(line[3:]))
        elif line.startswith('#') or not line or not mutants:
            continue
        elif line == 'core':
            mutants[-1].core = True
        elif line.startswith('file '):
            mutants[-1].file = line[5:]
        elif line.startswith('test '):
            _, mutants[-1].program, mutants[-1].filter = line.split(' ', 2)
        else:
            if line[0] in ' -':
                mutants[-1].old.append(line[1:])
            if line[0] in ' +':
                mutants[-1].new.append(line[1:])
    return mutants


class Build:
    def __init__(self, directory):
        self.directory = pathlib.Path(directory).resolve()
        database = json.loads((self.directory / 'compile_commands.json').read_text())
        self.compilers = {
            str((self.directory / entry['file']).resolve()): shlex.split(entry['command'])
            for entry in database
        }
        self.links = {}

    def link_command(self, program):
        if program not in self.links:
            commands = subprocess.run(
                ['ninja', '-C', str(self.directory), '-t', 'commands', f'tests/{program}_test'],
                check=True, capture_output=True, text=True).stdout.splitlines()
            self.links[program] = shlex.split(commands[-1])
        return self.links[program]

    def make(self, mutant, text, folder):
        """Compiles the mutant and links its test program; the path of that."""
        # Beside the original, so that what it includes by a relative path is found.
        original = str(ROOT / mutant.file)
        changed = folder / pathlib.Path(mutant.file).name
        changed.write_text(text)
        compiled = folder / 'mutant.o'
        words = self.compilers[original]
        command = [word for word in words[:words.index('-o')] if word not in NOT_FOR_MUTANTS]
        for name, values in (('-MQ', 4), ('-include', 2)):
            if name in command:
                at = command.index(name)
                del command[at:at + values]
        self.run(command + ['-w', '-O0', '-iquote', str(pathlib.Path(original).parent), '-o', str(compiled),
                            '-c', str(changed)])
        link = self.link_command(mutant.program)
        at = link.index('-o')
        program = folder / 'program'
        self.run(link[:at] + ['-o', str(program), str(compiled)] + link[at + 2:])
        return program

    def run(self, command):
        done = subprocess.run(command, cwd=self.directory, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f'{shlex.join(command)}\n{done.stderr}')


def passes(program, test_filter):
    """Whether the test cases pass."""
    command = [str(program), f'--test-case={test_filter}', '--abort-after=1', '--no-path-filenames']
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX,
                              env=FULL_TESTS)
    except subprocess.TimeoutExpired:
        return False
    if re.search(r'test cases: +0 ', done.stdout):
        raise RuntimeError(f'{test_filter} names no test case')
    return done.returncode == 0


def stale(mutant):
    """Nothing when the mutant fits its source, else what is wrong."""
    return f'its old text is not once in {mutant.file}: mend the mutant' if mutant.source() is None else None


def survives(build, mutant):
    """Nothing when the tests noticed the mutant, else what is wrong."""
    wrong = stale(mutant)
    if wrong is not None:
        return wrong
    with tempfile.TemporaryDirectory() as folder:
        program = build.make(mutant, mutant.source(), pathlib.Path(folder))
        if passes(program, mutant.filter):
            return f'{mutant.program}_test --test-case={shlex.quote(mutant.filter)} passes'
    return None


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    build = Build(sys.argv[1])
    mutants = [one for one in read_mutants() if len(sys.argv) == 2 or sys.argv[2] in one.name]
    core_only = len(sys.argv) == 2 and os.environ.get('WORKCTL_MUTANTS') != 'all'
    tried = [one for one in mutants if one.core or not core_only]
    looked_up = [one for one in mutants if one not in tried]
    unfit = [one for one in looked_up if stale(one) is not None]
    for mutant in unfit:
        print(f'UNFIT: {mutant.name}: {stale(mutant)}', flush=True)
    missed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, wrong in zip(tried, pool.map(lambda one: survives(build, one), tried)):
            print(f'caught: {mutant.name}' if wrong is None else f'MISSED: {mutant.name}: {wrong}', flush=True)
            missed += wrong is not None
    kind = 'core mutants' if core_only else 'mutants'
    others = f', {len(looked_up)} others only looked up' if looked_up else ''
    print(f'{len(tried) - missed} of {len(tried)} {kind} caught{others}')
    sys.exit(1 if missed or unfit or not tried else 0)


main()
