"""The time of devices whose clocks stand until they are advanced (`hold_clock`)."""
from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, TypeVar

from .errors import EndedError, Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .protocol import Request

if TYPE_CHECKING:
    from .connection import Connection

__all__ = ["CLOCK", "Clock"]

T = TypeVar("T")

#: How long to wait until a thread may have answered a device's question, in seconds.
_PAUSE = 0.001


class Clock:
    """The time that all devices of this program have in common whose clocks stand, and an event loop that moves it."""

    def __init__(self) -> None:
        #: How much time has passed, in milliseconds.
        self.now = 0
        #: The thread of the loop that moves it, while one runs.
        self.loop_thread: Optional[int] = None
        #: A connection to each of the devices, by the paths of their sockets.
        self._devices: Dict[str, Connection] = {}
        #: The threads that answer questions of devices in place of their rules, and their connections.
        self.answering: Dict[Connection, threading.Thread] = {}

    def join(self, path: str, connection: Connection) -> None:
        """Lets a device have this time from now on."""
        self._devices[path] = connection

    def leave(self, path: str) -> None:
        """A device ends, or is about to."""
        connection = self._devices.pop(path, None)
        if connection is not None:
            connection.close()

    def has(self, path: str) -> bool:
        """Whether a device has this time."""
        return path in self._devices

    @property
    def is_mine(self) -> bool:
        """Whether this thread may let time pass."""
        return self.loop_thread in (None, threading.get_ident())

    def check(self) -> None:
        """Raises an error if this thread may not let time pass."""
        if not self.is_mine:
            raise Error("only the event loop lets time pass while it runs, and this is another thread",
                        hint="await the methods of blemu.aio in the loop instead")

    def advance(self, by: int) -> Optional[int]:
        """Lets time pass, in milliseconds, and the devices do all that they have to do until then.

        Returns the time until their next timer; None: they have none.
        """
        while True:
            asked = [each for each, thread in list(self.answering.items()) if thread is not threading.current_thread()]
            reads = [each.reads for each in asked if each.is_idle()]
            results = self._advance(by)
            self.now += by
            # Otherwise, a thread has answered meanwhile, or is about to: there is more to do.
            if reads == [each.reads for each in asked if each.is_idle()] and len(reads) == len(asked):
                return min((max(1, each["next"]) for each in results if "next" in each), default=None)
            by = 0
            time.sleep(_PAUSE)

    def wait_for(self, poll: Callable[[], Optional[T]], within: float) -> Optional[T]:
        """Lets time pass until a function returns something. None: it has not in time."""
        left, following = round(within * 1000), self.advance(0)
        while (found := poll()) is None and left > 0:
            step = left if following is None else min(following, left)
            following = self.advance(step)
            left -= step
        return found

    def _advance(self, by: int) -> List[Dict[str, Any]]:
        results = []
        for path, connection in list(self._devices.items()):
            try:
                results.append(connection.ask(Request("advance", {"by": by})))
            except EndedError:
                self.leave(path)
        return results


#: There is one for each program.
CLOCK = Clock()
