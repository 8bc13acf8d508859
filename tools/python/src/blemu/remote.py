"""Runs a device on another machine, over ssh."""
from __future__ import annotations

import contextlib
import dataclasses
import pathlib
import secrets
import shlex
import subprocess
from typing import Any, List, Optional, Sequence, TypeVar, Union

from . import shipping
from .command import Definition, RunCommand
from .connection import Connection
from .device import Device
from .errors import EndedError, Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .operations import Steps
from .running import Run

__all__ = ["Host", "RemoteDevice", "RemoteRun"]

T = TypeVar("T")

#: The exit status of ssh if the connection fails. Neither blemu nor a shell has it.
CONNECTION_FAILED = 255
#: The exit status of a shell that does not find a program.
NOT_FOUND = 127
#: How long ssh may take to end after the socket that it forwards, in seconds.
SETTLE_TIME = 5.0


@dataclasses.dataclass(frozen=True)
class Host:
    """A machine, as ssh knows it."""

    name: str
    #: ssh and its options. By default it notices within 15 s that the machine is gone.
    ssh: Sequence[str] = ("ssh", "-x", "-o", "BatchMode=yes", "-o", "LogLevel=ERROR", "-o", "ServerAliveInterval=5")

    def command(self, *options: str, command: Sequence[str] = ()) -> List[str]:
        return [*self.ssh, *options, "--", self.name, *command]


class RemoteRun(Run):
    """`blemu run` on another machine. The device's socket there is forwarded to one here.

    It ends with the connection, because it watches its standard input.
    """

    #: sshd logs each attempt.
    _pause = 0.1

    def __init__(self, command: RunCommand, host: Union[str, Host], program: Optional[Definition] = None) -> None:
        super().__init__(command, program or "blemu")
        self.host = Host(host) if isinstance(host, str) else host
        #: A folder there, for the socket and the definition.
        self._there = f"/tmp/blemu-{secrets.token_hex(8)}"
        #: The definition and what it needs, if it is no bundled one.
        self._files = b""
        self._has_connected = False

    def spawn(self, **options: Any) -> None:
        if shipping.is_file(self.command.definition):
            self._files = shipping.archive(self.command.definition)
        super().spawn(stdin=subprocess.PIPE, **options)
        assert self.process is not None and self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # ssh has ended, and its exit status says why
            self.process.stdin.write(self._files)
            self.process.stdin.flush()

    def stop(self) -> None:
        try:
            super().stop()
        finally:
            self._end_forwarding()

    def abandon(self) -> None:
        super().abandon()
        self._end_forwarding()

    def reason(self, ended: EndedError) -> EndedError:
        """Why the device has ended: perhaps it has not, and only the connection has."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            if self.process is not None and self.process.wait(SETTLE_TIME) == CONNECTION_FAILED:
                return self._lost()
        return ended

    def _words(self) -> List[str]:
        command = self.command
        if self._files:
            command = dataclasses.replace(command, definition=f"{self._there}/{pathlib.Path(command.definition).name}")
        script = _script(self._there, len(self._files), command.words(self.program, self._socket_there))
        return self.host.command(
            "-T", "-o", "ExitOnForwardFailure=yes", "-L", self._forwarding, command=["sh", "-c", shlex.quote(script)])

    @property
    def _socket_there(self) -> str:
        return f"{self._there}/control.sock"

    @property
    def _forwarding(self) -> str:
        return f"{self.socket}:{self._socket_there}"

    def _end_forwarding(self) -> None:
        """ssh goes on forwarding if its connection is shared (ControlMaster)."""
        words = self.host.command("-O", "cancel", "-L", self._forwarding)
        with contextlib.suppress(subprocess.TimeoutExpired):
            subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=SETTLE_TIME)

    def _open(self) -> Device:
        with Device(self.socket) as device:
            device.status()  # ssh takes a connection before blemu does
        self._has_connected = True
        return RemoteDevice(self)

    def _failure(self, sentence: str) -> Error:
        status = None if self.process is None else self.process.poll()
        if status == CONNECTION_FAILED:
            return self._lost()
        error = super()._failure(f"{self.host.name}: {sentence}")
        if status == NOT_FOUND:
            error.hint = f"install blemu on {self.host.name}, or name its path there as the program"
        return error

    def _lost(self) -> EndedError:
        sentence = f"the connection to {self.host.name} is lost" if self._has_connected else f"cannot connect to {self.host.name}"
        errors = self._errors().strip()
        return EndedError(f"{sentence}:\n{errors}" if errors else sentence, hint=f"'ssh {self.host.name} blemu ps' shows whether it is back")


class RemoteDevice(Device):
    """A device on another machine. Its methods are those of any device."""

    def __init__(self, run: RemoteRun) -> None:
        self._run = run
        super().__init__(run.socket)

    def perform(self, steps: Steps[T], connection: Optional[Connection] = None) -> T:
        try:
            return super().perform(steps, connection)
        except EndedError as ended:
            raise self._run.reason(ended) from None


def _script(folder: str, size: int, words: Sequence[str]) -> str:
    """Runs blemu in a folder that is removed at its end. The standard input begins with an archive of this size, and ends with the connection.

    Without job control, a shell gives what it runs in the background no standard input, so that is kept as file 3.
    """
    unpack = f"head -c {size} | tar -x -C {folder} || exit" if size else ""
    return f"""
umask 077
mkdir {folder} || exit
trap 'rm -rf {folder}' EXIT
{unpack}
exec 3<&0
{shlex.join(words)} 3<&- &
device=$!
{{ cat; kill $device; }} <&3 >/dev/null 2>&1 &
wait $device
status=$?
kill $!
exit $status
"""
