"""Runs the devices of a stand for as long as a program needs them."""
from __future__ import annotations

import difflib
import os
import pathlib
import signal
import subprocess
import time
from typing import Dict, List, Optional, TypeVar

from .command import Definition, UpCommand
from .device import Device
from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .running import STOP_TIME, Run, is_held

__all__ = ["Stand", "StandRun", "up"]

T = TypeVar("T")


class Stand(Dict[str, T]):
    """The devices of a stand, by their names: `stand["left"]`."""

    def __missing__(self, name: str) -> T:
        similar = difflib.get_close_matches(name, self, 1)
        raise Error(f"the stand has no device '{name}'", hint=f"did you mean '{similar[0]}'?" if similar else f"known: {', '.join(self)}")


class StandRun(Run):
    """A process of `blemu up`. As a context manager, it returns its devices, on the air, and stops them at the end."""

    def __init__(self, command: UpCommand, program: Optional[Definition] = None) -> None:
        super().__init__(command, program)
        self._asked = command.names
        #: The paths of the devices' sockets by their names, once it has started.
        self.sockets: Dict[str, str] = {}

    def __enter__(self) -> Stand[Device]:  # type: ignore[override]
        try:
            self.start()
            stand = Stand({name: Device(socket) for name, socket in self.sockets.items()})
            self._opened = list(stand.values())
            return stand
        except BaseException:
            self.abandon()
            raise

    def start(self) -> None:
        """Starts blemu, and returns when all devices are on the air. If one of them fails, none stays there."""
        self.spawn()
        folder = pathlib.Path(self.socket).parent / "blemu"
        for name in self._names():
            self.socket = self.sockets[name] = str(folder / f"{name}.sock")
            if not self._gets_on_air():
                raise self._reason()
        if not self.sockets:
            self._await_end()
            raise self._failure("blemu did not start")

    def _names(self) -> List[str]:
        """The names of the devices that run, as a shell completes them. None: the stand has a mistake, which blemu reports."""
        if self._asked:
            return list(self._asked)
        words = [self.program, "completion", "words", "--", "up", os.fspath(self.command.definition), ""]
        try:
            lines = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
        except OSError:
            return []  # the stand does not run either
        return [line.partition("\t")[0] for line in lines.splitlines()]

    def _has_failed(self) -> bool:
        # The other devices keep running if one has a mistake.
        return super()._has_failed() or bool(self._errors())

    def _reason(self) -> Error:
        """The error of a device that has ended. blemu says why a moment later."""
        deadline = time.monotonic() + STOP_TIME
        while not self._has_failed() and time.monotonic() < deadline:
            time.sleep(self._pause)
        return self._failure("blemu did not start")

    def _failure(self, sentence: str) -> Error:
        # blemu says why, and perhaps has not ended yet.
        errors = self._errors().rstrip()
        return Error(f"{sentence}:\n{errors}") if errors else super()._failure(sentence)

    def _ask_to_end(self) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)


def up(
    stand: Definition, *names: str, on: str = "loopback", log: str = "none", hold_clock: Optional[bool] = None,
    program: Optional[Definition] = None,
) -> StandRun:
    """Runs the devices of a stand as long as a `with` statement lasts, and returns them by their names, on the air.

        with blemu.up("desk.yaml") as stand:
            stand["scale"].set(weight=70)

    Args:
        stand: the path of the stand's file.
        names: the devices that run; by default all.
        on: the transport of devices without `on` in the stand: "loopback" (in memory), "bluez", "exact".
        log: "text" or "json" shows the log on standard output.
        hold_clock: holds the clocks of the devices in memory, as in `blemu.run`.
        program: the path of blemu; by default that of the environment variable BLEMU, or the one on the PATH.

    Raises:
        Error: one of them does not get on the air or, at the end, has not ended well. It has the message of blemu.
    """
    if os.path.isdir(stand):
        raise Error(f"{os.fspath(stand)} is a folder", hint="name the file of a stand, as in desk.yaml")
    return StandRun(UpCommand(stand, names, on, log, is_held(hold_clock, on)), program)
