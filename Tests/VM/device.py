"""Runs the blemu under test and follows its log."""
import contextlib
import dataclasses
import io
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading

from blemu import Device, Run
from blemu.command import RunCommand
from patience import PATIENCE, eventually

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DEFINITIONS = REPOSITORY / "Tests/VM/definitions"
PROGRAM = os.environ.get("BLEMU", str(REPOSITORY / ".build/release/blemu"))


def guards():
    """Returns the processes that give the adapters of runs back if these are killed, by adapter, or end links, by its address."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            _, *words = path.read_text().split("\0")
            if words[:1] in (["adapter-guard"], ["link-guard"]):
                found[words[1]] = int(path.parent.name)
    return found


def wait_for_guards():
    """Waits until all of them have ended."""
    eventually(lambda: not guards(), lambda: f"guards are left: {guards()}")


class Blemu(Run):
    """`blemu run ARGUMENT...` on an adapter, with its log as JSON lines. A context manager that returns when
    the device is on the air, and takes it off at the end.

    await_event takes the events of the log in order, each only once. `device()` connects to the control side.
    With --stdio, `process.stdin` and `process.stdout` are the wire side: bytes, unbuffered.
    """

    def __init__(self, definition, *arguments, on="bluez:hci0", program=PROGRAM, **popen):
        self._run(RunCommand(definition, on, log="json", arguments=list(map(str, arguments))), program, **popen)

    def _run(self, command, program, **popen):
        super().__init__(command, program)
        self.events, self.other_lines, self.errors = [], [], []
        self._seen, self._has_ended, self._news = 0, False, threading.Condition()
        uses_streams = "--stdio" in command.arguments
        streams = {"stdin": subprocess.PIPE if uses_streams else subprocess.DEVNULL,
                   "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.spawn(**({"cwd": REPOSITORY, "bufsize": 0} | streams | popen))
        # With --stdio, the log goes to standard error.
        sources = [(self.process.stderr, self._output)] if uses_streams else \
            [(self.process.stdout, self._output), (self.process.stderr, self.errors.append)]
        self._readers = [threading.Thread(target=self._read, args=pair, daemon=True) for pair in sources]
        for reader in self._readers:
            reader.start()

    def __enter__(self):
        try:
            self.await_event("on-air")
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def device(self):
        """Returns a connection to the control side, a context manager."""
        return Device(self.socket)

    def await_event(self, event, **fields):
        """Waits for the next event of that name with these fields, and skips earlier ones."""
        wanted = {"event": event} | fields

        def look():
            while self._seen < len(self.events):
                self._seen += 1
                if wanted.items() <= self.events[self._seen - 1].items():
                    return self.events[self._seen - 1]
            return self._has_ended

        with self._news:
            found = self._news.wait_for(look, PATIENCE)
        assert isinstance(found, dict), f"no event {wanted}; {self.story()}"
        return found

    def happened(self, *events):
        """Returns all events of these names so far."""
        with self._news:
            return [event for event in self.events if event.get("event") in events]

    def warnings(self):
        """Returns the texts of all warnings so far."""
        return [event["message"] for event in self.happened("warning")]

    def wait(self):
        """Waits until blemu ends by itself, and returns its exit status."""
        return self.process.wait(PATIENCE)

    def stop(self, signal=signal.SIGINT):
        """Asks blemu to end, and returns its exit status. Kills it and raises an error if it does not end."""
        if self.process.poll() is None:
            self.process.send_signal(signal)
        try:
            self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"blemu did not end; {self.story()}") from None
        finally:
            self.kill()
            for reader in self._readers:
                reader.join(PATIENCE)
        return self.process.returncode

    def story(self):
        """Returns all output, for the message of a failed test."""
        status = self.process.poll()
        lines = ["blemu is running" if status is None else f"blemu has ended with status {status}"]
        lines += [f"... {len(self.events) - 30} events"] if len(self.events) > 30 else []
        lines += [json.dumps(event)[:300] for event in self.events[-30:]] + self.other_lines + self.errors
        return "\n  ".join(lines)

    def _read(self, stream, take):
        for line in io.BufferedReader(stream):
            with self._news:
                take(line.decode().rstrip("\n"))
                self._news.notify_all()
        with self._news:
            self._has_ended = self._has_ended or take == self._output
            self._news.notify_all()

    def _output(self, line):
        try:
            self.events.append(json.loads(line))
        except ValueError:
            self.other_lines.append(line)


@dataclasses.dataclass
class UpCommand:
    """`blemu up` with its arguments, a stand and names of its devices, or `blemu run` with several definitions."""

    arguments: list
    command: str = "up"
    log: str = "json"

    def words(self, program, _):
        return [program, self.command, "--log", self.log, *self.arguments]


class Stand(Blemu):
    """`blemu up ARGUMENT...`, likewise. Its events have the name of their device. The context manager returns at once."""

    def __init__(self, *arguments, command="up", program=PROGRAM, **popen):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="blemu-"))
        environment = os.environ | {"XDG_RUNTIME_DIR": str(self.folder)}
        self._run(UpCommand(list(map(str, arguments)), command), program, env=environment, **popen)

    def __enter__(self):
        return self

    def device(self, name):
        return Device(str(self.folder / "blemu" / f"{name}.sock"))

    def await_on_air(self, *names):
        """Waits until these devices have gone on the air, in any order."""
        eventually(lambda: set(names) <= {event["device"] for event in self.happened("on-air")}, self.story)

    def of(self, name, *events):
        """Returns all events of these names of one device so far."""
        return [event for event in self.happened(*events) if event["device"] == name]
