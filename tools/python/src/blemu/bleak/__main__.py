"""Runs a program that uses bleak with devices in memory."""
import os
import runpy
import sys

from . import VARIABLE, replace_when_imported

USAGE = """Usage: python -m blemu.bleak FILE [ARGUMENT...]
       python -m blemu.bleak -m MODULE [ARGUMENT...]

Runs a Python program whose bleak finds devices in memory in place of those around an adapter:
all that 'blemu ps' lists on the loopback, or those that the environment variable BLEMU_BLEAK
names, as in BLEMU_BLEAK=hm-10:lamp."""


def main(arguments: "list[str]") -> int:
    if arguments[:1] in (["-h"], ["--help"]):
        print(USAGE)
        return 0
    is_module = arguments[:1] == ["-m"]
    program = arguments[1 if is_module else 0:]
    if not program or program[0].startswith("-"):
        print(USAGE, file=sys.stderr)
        return 64
    os.environ.setdefault(VARIABLE, "1")  # also for the programs that it starts
    replace_when_imported()
    sys.argv = program
    if is_module:
        runpy.run_module(program[0], run_name="__main__", alter_sys=True)
    else:
        sys.path[0] = os.path.dirname(os.path.abspath(program[0]))
        runpy.run_path(program[0], run_name="__main__")
    return 0


sys.exit(main(sys.argv[1:]))
