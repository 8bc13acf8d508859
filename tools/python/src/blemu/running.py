"""Runs a device for as long as a program needs it."""
from __future__ import annotations

import contextlib
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time
from types import TracebackType
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Type, Union

from .clock import CLOCK
from .command import Definition, RunCommand, UpCommand, find_program
from .connection import Connection
from .device import Device
from .errors import EndedError, Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .operations import Scalar

if TYPE_CHECKING:
    from .remote import Host

__all__ = ["Run", "run"]

#: How long blemu may take until it listens, and until it has ended, in seconds.
LISTEN_TIME = STOP_TIME = 60.0

#: The sockets of this process's devices in memory, in the order in which it has started them.
in_memory: List[str] = []


class Run:
    """A process of `blemu run`. As a context manager, it returns its device, on the air, and stops it at the end."""

    #: How long it waits before it tries again to connect, in seconds.
    _pause = 0.01

    def __init__(self, command: Union[RunCommand, UpCommand], program: Optional[Definition] = None) -> None:
        self.command = command
        self.program = find_program(program)
        #: The path of its socket, and its process, once it has started.
        self.socket = ""
        self.process: Optional[subprocess.Popen[bytes]] = None
        self._folder: Optional[pathlib.Path] = None
        #: The sockets of its devices in memory, while they are on the air.
        self._in_memory: List[str] = []
        #: The connections to its devices, which it closes at the end.
        self._opened: List[Device] = []

    def __enter__(self) -> Device:
        try:
            self.start()
            self._opened = [self._open()]
            return self._opened[0]
        except BaseException:
            self.abandon()
            raise

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        for device in self._opened:
            device.close()
        self.stop()

    def start(self) -> None:
        """Starts blemu, and returns when the device is on the air."""
        self.spawn()
        if self._gets_on_air():
            return
        self._await_end()
        raise self._failure("the device did not get on the air")

    def spawn(self, **options: Any) -> None:
        """Starts blemu, and does not wait for the device. The options are further ones of `subprocess.Popen`."""
        self._folder = pathlib.Path(tempfile.mkdtemp(prefix="blemu-"))
        self.socket = str(self._folder / "control.sock")
        if "user" in options:
            shutil.chown(self._folder, options["user"])  # blemu makes its socket there
        with open(self._folder / "errors", "wb") as errors:
            defaults: Dict[str, Any] = {
                "stdin": subprocess.DEVNULL, "stderr": errors,
                "stdout": subprocess.DEVNULL if self.command.log == "none" else None}
            try:
                self.process = subprocess.Popen(self._words(), **{**defaults, **options})
            except OSError as error:
                raise Error(f"cannot run {self.program}: {error.strerror}", hint="the environment variable BLEMU may name another program") from None

    def _arrive(self, device: Device) -> None:
        """A device of this process is on the air."""
        if device.status().transport == "loopback":
            self._in_memory.append(device.path)
            in_memory.append(device.path)
            if self.command.hold_clock:
                CLOCK.join(device.path, Connection(device.path))

    def _leave(self) -> None:
        """Its devices end, or are about to."""
        while self._in_memory:
            path = self._in_memory.pop()
            in_memory.remove(path)
            CLOCK.leave(path)

    def _words(self) -> List[str]:
        """All words of the command line."""
        return self.command.words(self.program, self.socket)

    def _open(self) -> Device:
        """Connects to the device."""
        return Device(self.socket)

    def _connect(self) -> Device:
        """Connects as soon as the process listens."""
        deadline = time.monotonic() + LISTEN_TIME
        while True:
            try:
                return self._open()
            except Error:
                if self._has_failed():
                    raise self._failure("blemu did not start") from None
                if time.monotonic() > deadline:
                    raise self._failure(f"blemu did not listen within {LISTEN_TIME:g} s") from None
            time.sleep(self._pause)

    def _gets_on_air(self) -> bool:
        """Waits until the device is on the air, or ends before that."""
        with self._connect() as device, contextlib.suppress(EndedError):
            if any(event.kind == "on-air" for event in device.events()):
                self._arrive(device)
                return True
        return False

    def _has_failed(self) -> bool:
        """Whether nothing will listen any more."""
        return self.process is None or self.process.poll() is not None

    def stop(self) -> None:
        """Takes the device off the air. Raises an error if blemu does not end, or has not ended well."""
        if self.process is None:
            return
        self._leave()
        self._ask_to_end()
        try:
            if self._await_end() != 0:
                raise self._failure("blemu did not end well")
        finally:
            self.kill()

    def _await_end(self) -> int:
        assert self.process is not None
        try:
            return self.process.wait(STOP_TIME)
        except subprocess.TimeoutExpired:
            raise self._failure(f"blemu did not end within {STOP_TIME:g} s") from None

    def _ask_to_end(self) -> None:
        try:
            with Device(self.socket) as device:
                device.stop()
        except Error:
            pass  # it has ended, or is about to

    def abandon(self) -> None:
        """Ends a device that is not on the air yet, in whatever way it ends."""
        self._leave()
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(STOP_TIME)
        self.kill()

    def kill(self) -> None:
        """Ends blemu at once, if it is still there. It restores nothing then."""
        self._leave()
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _errors(self) -> str:
        """What blemu has written to standard error."""
        file = None if self._folder is None else self._folder / "errors"
        return file.read_text(errors="replace") if file is not None and file.exists() else ""

    def _failure(self, sentence: str) -> Error:
        status = None if self.process is None else self.process.poll()
        if status is not None:
            sentence += f" (exit status {status})" if status >= 0 else f" (killed by signal {-status})"
        errors = self._errors().rstrip()
        return Error(f"{sentence}:\n{errors}" if errors else sentence)


def is_held(hold_clock: Optional[bool], on: str) -> bool:
    """Whether the clock of a device stands: unless a program says so, if it runs in memory and in a loop in virtual time."""
    return hold_clock if hold_clock is not None else on == "loopback" and CLOCK.loop_thread == threading.get_ident()


def run(
    definition: Definition, *, on: str = "loopback", settings: Optional[Mapping[str, Scalar]] = None,
    seed: Optional[int] = None, state: Optional[Definition] = None, faults: Union[str, Sequence[str]] = (),
    wire: Optional[str] = None, log: str = "none", hold_clock: Optional[bool] = None, link_time: bool = False,
    arguments: Sequence[str] = (), program: Optional[Definition] = None, host: Union[str, Host, None] = None,
) -> Run:
    """Runs a device as long as a `with` statement lasts, and returns it, on the air.

        with blemu.run("hm-10", on="bluez:hci0", settings={"local-name": "Robot"}) as device:
            device.expect("connect", within=30)

    Args:
        definition: the name of a bundled definition, or the path of a file.
        on: the transport: "loopback" (in memory), "bluez:hci0", "exact:hci0".
        settings: values of the definition's settings.
        seed: of random values.
        state: the file that keeps settings and bonds for the next run.
        faults: what goes wrong from the start, in the words of `faults:`: a text, or several in a list.
        wire: what is attached to the wire side: "pty PATH", "exec PROGRAM ARGUMENT…", "tcp PORT", "serial DEVICE".
        log: "text" or "json" shows the log on standard output.
        hold_clock: in memory, the device's time stands unless this program lets it pass: by waiting for something, with `advance`, or in
            an event loop in virtual time. All such devices of a program have the same time. In such a loop, this is the default.
        link_time: in memory, values wait for the connection events of their link, as on the air.
        arguments: further arguments of `blemu run`.
        program: the path of blemu; by default that of the environment variable BLEMU, or the one on the PATH.
        host: the machine that it runs on, as ssh knows it; by default this one. A definition's files are copied there. Other
            paths are those of that machine, and its blemu is the one on the PATH there.

    Raises:
        Error: it does not get on the air or, at the end, has not ended well. It has the message of blemu.
    """
    held = is_held(hold_clock, on)
    command = RunCommand(definition, on, settings or {}, seed, state, faults, wire, log, held, link_time, arguments)
    if host is None:
        return Run(command, program)
    from .remote import RemoteRun  # it is a Run
    return RemoteRun(command, host, program)
