"""Moments at which a program is killed: each is just before a system call.

In user-mode Linux, programs take no time, so that a timer would find few moments. strace lists the system calls instead, and kills the
program in place of one of them.
"""
import collections
import dataclasses
import os
import re
import stat

# The calls after which something is different outside of the program, or that give back what it holds. Between two of them, one
# moment is like another.
CALLS = ("openat,mkdir,unlink,rename,symlink,fchmod,fsync,flock,ftruncate,write,close,socket,bind,listen,connect,shutdown,"
         "sendto,sendmsg,setsockopt,ioctl,clone3,exit_group")


@dataclasses.dataclass(frozen=True)
class Moment:
    """Just before a thread makes this call for the time with this number."""

    call: str
    number: int

    def environment(self):
        """The environment of a traced program that is killed then."""
        return os.environ | {"STRACE": f"-o /dev/null -e trace={self.call} -e inject={self.call}:signal=KILL:when={self.number}"}


class Calls:
    """The calls of a program. `program` runs it traced, in the environment of this or of a moment."""

    def __init__(self, folder, program):
        folder.mkdir()
        self._log, self.program = folder / "calls", folder / "traced"
        # With -D, strace is not the parent: signals reach the program. With -b, it leaves alone what the program starts: the guard of the
        # adapter.
        self.program.write_text(f'#!/bin/sh\nexec strace -D -f -b execve -qqq $STRACE "{program}" "$@"\n')
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)

    def environment(self):
        return os.environ | {"STRACE": f"-o {self._log} -e trace={CALLS}"}

    def moments(self):
        """Returns those so far, in order."""
        seen, found = collections.Counter(), []
        for thread, call in re.findall(r"^(\d+) +(\w+)\(", self._log.read_text(), re.MULTILINE):
            seen[thread, call] += 1
            found.append(Moment(call, seen[thread, call]))
        return found
