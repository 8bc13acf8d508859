"""A shell in a folder of its own, which runs the commands of a page."""
import functools
import importlib.util
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import pages

PROGRAM = pathlib.Path(os.environ.get("BLEMU", pages.REPOSITORY / ".build/release/blemu"))
PATIENCE = float(os.environ.get("PATIENCE", 120))  # seconds, only against hanging
QUIET = 0.3  # seconds without output, after which a command that goes on has said what it says first
#: What runs until Ctrl-C.
ENDLESS = re.compile(r"blemu (run|up|web)\b|blemu (logs|test|check|play) .*(-f|--follow|--watch)\b")


@functools.cache
def python():
    """The Python of the pages, which has bleak: this one, if it has."""
    if importlib.util.find_spec("bleak") is not None:
        return sys.executable
    return subprocess.check_output([pages.REPOSITORY / "tools/test-python"], text=True).strip()


class Shell:
    """bash without the settings of a person, with blemu and pytest on its PATH. A context manager that ends what it has started."""

    def __init__(self, folder):
        self.folder, self.running, self.count = folder, [], 0
        programs = folder / ".programs"
        (folder / ".run").mkdir(mode=0o700)
        programs.mkdir()
        (programs / "blemu").symlink_to(PROGRAM)
        for name, arguments in ("python3", ""), ("pytest", "-m pytest -p no:cacheprovider -p blemu.pytest_plugin"):
            (programs / name).write_text(f'#!/bin/sh\nexec {python()} {arguments} "$@"\n')
            (programs / name).chmod(0o755)
        environment = {name: value for name, value in os.environ.items() if name in ("TMPDIR", "SOURCE_DATE_EPOCH")} | {
            "PATH": f"{programs}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "HOME": str(folder), "XDG_RUNTIME_DIR": str(folder / ".run"),
            "LANG": "C.UTF-8", "TERM": "dumb", "PAGER": "cat", "BLEMU": str(PROGRAM), "PYTHONPATH": str(pages.REPOSITORY / "tools/python/src"),
            "PYTHONDONTWRITEBYTECODE": "1"}
        ours, theirs = os.pipe()
        self.process = subprocess.Popen(["bash", "--norc", "--noprofile"], stdin=subprocess.PIPE, cwd=folder, env=environment, text=True,
                                        pass_fds=[theirs], start_new_session=True)
        os.close(theirs)
        os.set_blocking(ours, False)
        self.statuses, self.numbers = theirs, open(ours, "rb", buffering=0)
        self.arrived = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.process.wait()
        self.process.stdin.close()
        self.numbers.close()

    def run(self, command, *, goes_on=False, is_last=False):
        """Runs a command, and returns its exit status and its output. One that goes on (&) has had time to begin; one that runs until
        Ctrl-C is ended if it is the last."""
        self.count += 1
        output = self.folder / ".run" / f"output-{self.count}"
        output.touch()
        note = f'echo "$? $!" >&{self.statuses}'
        print(f"{{ {command}\n}} </dev/null >{output} 2>&1; {note}", file=self.process.stdin, flush=True)
        if goes_on:
            _, child = self._status(command)
            self.running.append((command, child))
            self._await_quiet(output, child)
            return 0, output.read_text()
        if is_last and ENDLESS.search(command):
            self._await_quiet(output)
            self._interrupt()
        status, _ = self._status(command)
        return status, output.read_text()

    def end(self):
        """Ends what goes on, as `kill` does, and returns the commands that did not end well, each with its status."""
        statuses = []
        for command, child in self.running:
            print(f'kill {child} 2>/dev/null; wait {child}; echo "$? 0" >&{self.statuses}', file=self.process.stdin, flush=True)
            statuses.append((command, self._status(command)[0]))
        return [(command, status) for command, status in statuses if status != 0]

    def _status(self, command):
        deadline = time.monotonic() + PATIENCE
        while b"\n" not in self.arrived:
            assert self.process.poll() is None, f"the shell has ended at '{command}'"
            assert time.monotonic() < deadline, f"'{command}' does not end; write ' &' after it if it runs until Ctrl-C"
            self.arrived += self.numbers.read() or b""
            time.sleep(0.01)
        line, _, self.arrived = self.arrived.partition(b"\n")
        status, _, child = line.decode().partition(" ")
        return int(status), child

    def _await_quiet(self, output, child=None):
        """Waits until a command has written something, and nothing more for a moment; or until it has ended."""
        deadline = time.monotonic() + PATIENCE
        size, since = 0, time.monotonic()
        while time.monotonic() < deadline and not (size and time.monotonic() - since > QUIET):
            time.sleep(0.02)
            if child and _has_ended(child):
                return
            if output.stat().st_size != size:
                size, since = output.stat().st_size, time.monotonic()

    def _interrupt(self):
        """What Ctrl-C does to the command that the shell waits for."""
        known = {child for _, child in self.running}
        for process in (each.name for each in pathlib.Path("/proc").iterdir() if each.name.isdigit()):
            if process not in known and _state(process)[1] == str(self.process.pid):
                os.kill(int(process), signal.SIGINT)


def _state(process):
    """The state of a process (proc(5)) and the number of its parent. One that is gone is a zombie here, too."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[:2]
    except (FileNotFoundError, ProcessLookupError):
        return ["Z", "0"]


def _has_ended(process):
    return _state(process)[0] == "Z"
