"""The devices in memory that bleak can hear, without bleak."""
from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Sequence, Set, Tuple

from .. import running
from ..aio import _Connection
from ..errors import Error
from ..places import Place, names, socket_of
from ..protocol import Request

if TYPE_CHECKING:
    from .client import BleakClientBlemu

__all__ = ["Air", "Link", "Listener"]

#: Further devices in memory with the same address differ in its second byte from the right.
_NEXT_ADDRESS = 0x100


class Link(_Connection):
    """A connection to a device's socket that plays a central.

    It calls `heard` with each notification, and with None if the device ends.
    """

    def __init__(self, path: str, heard: Callable[[Optional[Dict[str, Any]]], None]) -> None:
        super().__init__(path, heard)
        self.path = path

    async def central(self, do: str, **parameters: Any) -> Dict[str, Any]:
        """Lets the central do something. Raises an `Error` if it is not possible; a refusal is a result."""
        result: Dict[str, Any] = await self.call(Request("central", {"do": do, **parameters}))
        return result


class Listener:
    """Hears the advertising of one device.

    It calls `heard` for each of its advertising sets at the advertising interval, and as soon as anything changes.
    """

    def __init__(self, path: str, heard: Callable[[Dict[str, Any]], None]) -> None:
        self.path = path
        #: Whether the device has ended, or cannot be heard.
        self.is_over = False
        self._link = Link(path, self._take)
        self._heard = heard
        self._is_listening = False
        #: The last notification about each advertising set, and what comes next.
        self._sets: Dict[str, Dict[str, Any]] = {}
        self._timers: Dict[str, asyncio.Handle] = {}

    async def begin(self) -> bool:
        """Scans. Nothing is heard before `resume`. False: the device has ended, or is not in memory."""
        try:
            result = await self._link.central("scan")
        except BaseException as error:
            self.end()
            if isinstance(error, Error):
                return False
            raise
        self._sets.setdefault(_name(result), result)
        return True

    def resume(self) -> None:
        """Hears the device from the next turn of the loop on."""
        self._is_listening = True
        for name in self._sets:
            self._soon(name)

    def end(self) -> None:
        self.is_over = True
        self._link.shut()
        for timer in self._timers.values():
            timer.cancel()

    def _take(self, parameters: Optional[Dict[str, Any]]) -> None:
        if parameters is None:
            self.end()
        elif parameters["event"] == "advertising":
            name = _name(parameters)
            self._sets[name] = parameters
            if self._is_listening:
                self._soon(name)

    def _soon(self, name: str) -> None:
        if name in self._timers:
            self._timers[name].cancel()
        self._timers[name] = asyncio.get_running_loop().call_soon(self._hear, name)

    def _hear(self, name: str) -> None:
        advertising = self._sets[name]["advertising"]
        if advertising is not None:
            self._timers[name] = asyncio.get_running_loop().call_later(advertising["interval"] / 1000, self._hear, name)
            self._heard(self._sets[name])


def _name(heard: Dict[str, Any]) -> str:
    """What tells the advertising sets of a device apart."""
    name: str = heard.get("set", heard["address"])
    return name


class Air:
    """What bleak hears and connects to in memory."""

    def __init__(self, places: Sequence[Place] = (), *, running: bool = True, passkey: Optional[int] = None) -> None:
        #: The names or sockets of the devices; none: those that this process runs.
        self.places = list(places)
        #: Whether those in `blemu ps` belong to them as well.
        self.running = running
        #: What the user enters when a device shows a passkey. None: what it shows.
        self.passkey = passkey
        #: The objects that BlueZ would have on D-Bus, by their paths.
        self.objects: Dict[str, Dict[str, Dict[str, Any]]] = {}
        #: The paths of those whose services are known, as BlueZ's manager in bleak has them.
        self.discovered: Dict[str, Set[str]] = {}
        #: The clients that are connected.
        self.clients: List[BleakClientBlemu] = []
        #: The addresses of each device, by its socket and its own address. An advertising set may have another one.
        self._addresses: Dict[Tuple[str, str], str] = {}

    def sockets(self) -> List[str]:
        """The sockets of the devices, which may be on the loopback or not."""
        if self.places:
            return [socket_of(place) for place in self.places]
        others = [socket_of(name) for name in names()] if self.running else []
        return [*running.in_memory, *(each for each in others if each not in running.in_memory)]

    def address(self, path: str, own: str) -> str:
        """The address of a device: its own, unless another one has it. In memory, most devices have the same."""
        sockets = self.sockets()
        taken = [address for (socket, _), address in self._addresses.items() if socket != path and socket in sockets]
        address = own
        while address in taken:
            number = (int(address.replace(":", ""), 16) + _NEXT_ADDRESS) % (1 << 48)
            address = ":".join(f"{number:012X}"[index:index + 2] for index in range(0, 12, 2))
        self._addresses[path, own] = address
        return address

    def socket(self, address: str) -> Optional[str]:
        """The socket of the device that was heard with an address."""
        sockets = self.sockets()
        found = (socket for (socket, _), each in self._addresses.items() if each == address.upper() and socket in sockets)
        return next(found, None)
