"""A central in memory, for devices on the loopback.

`blemu.aio` takes its methods from here: each returns what `perform` returns.
"""
from __future__ import annotations

import contextlib
import uuid
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Collection, Dict, List, Mapping, Optional, Type, TypeVar

from . import operations
from .connection import Connection
from .errors import EndedError, Error, ExpectationError, ended_already
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import fields_of
from .operations import Attribute, Content, Scalar, Steps
from .protocol import Request

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Central", "Value"]

T = TypeVar("T")

#: The ATT_MTU with which a central connects that is given no other.
DEFAULT_MTU = 23
#: How many of the values that came instead an error shows.
SHOWN = 12


@dataclass(frozen=True)
class Value:
    """A value that a central has received."""

    #: The id of the characteristic that it came from.
    attribute: str
    #: The bytes.
    value: bytes
    #: "notification" or "indication".
    delivery: str
    #: The name of the message that the bytes are, and the values of its fields.
    message: Optional[str] = None
    fields: Dict[str, Any] = field(default_factory=dict)
    #: All members, as the device sent them.
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, members: Mapping[str, Any]) -> Value:
        """Reads an object of the control protocol."""
        return cls(
            attribute=members["attribute"],
            value=bytes.fromhex(members["value"]),
            delivery=members["delivery"],
            message=members.get("message"),
            fields=fields_of(members),
            raw=dict(members),
        )

    def __str__(self) -> str:
        words = [self.attribute, self.value.hex(" ").upper() or '""']
        fields = " ".join(f"{name}={value}" for name, value in self.fields.items())
        return "  ".join([*words, f"{self.message} {fields}".strip()] if self.message else words)


class Session:
    """What a central is and has received, without its connection."""

    def __init__(self, address: Optional[str], mtu: Optional[int]) -> None:
        self.address = address or ""
        self.mtu = mtu
        self.is_connected = False
        #: Why the device has ended the connection, and whether it has ended itself.
        self._reason: Optional[str] = None
        self._has_ended = False
        #: All values of this connection, and those that no `next` has returned.
        self._values: List[Value] = []
        self._left: List[Value] = []

    def take(self, parameters: Optional[Dict[str, Any]]) -> None:
        """Takes what the device sends unasked. None: it has ended."""
        if parameters is None:
            self.is_connected, self._has_ended = False, True
        elif parameters["event"] == "value":
            value = Value.read(parameters)
            self._values.append(value)
            self._left.append(value)
        elif parameters["event"] == "disconnected":
            self.is_connected, self._reason = False, parameters.get("reason")

    def connect(self, mtu: Optional[int]) -> Steps[None]:
        address = {"as": self.address} if self.address else {}
        self._values, self._left = [], []
        result = yield Request("central", {"do": "connect", **address, "mtu": mtu or self.mtu or DEFAULT_MTU})
        self.address, self.is_connected, self._reason = result["as"], True, None

    def act(self, line: str) -> Steps[bytes]:
        """Performs a line of a transcript."""
        if not self.address:
            raise Error("the central is not connected", hint="call connect() first")
        return (yield from operations.act(line, self.address))

    def step(self, line: str) -> Steps[None]:
        """Performs a line that reads nothing."""
        yield from self.act(line)

    def leave(self, line: str) -> Steps[None]:
        """Performs a line that ends the connection."""
        yield from self.act(line)
        self.is_connected = False

    def pair(self, line: str, passkey: Optional[int]) -> Steps[None]:
        if passkey is not None and not 0 <= passkey <= 999_999:
            raise ValueError(f"a passkey is a number from 0 to 999999, not {passkey}")
        yield from self.act(line if passkey is None else f"{line} passkey={passkey:06}")

    def handles(self, characteristic: Optional[Attribute]) -> Steps[Optional[Collection[int]]]:
        """The handles of the characteristics with this id or UUID; None: any. What the device has sent before has then come."""
        described: Dict[str, Any] = yield Request("describe", {})
        if characteristic is None:
            return None
        name, number = str(characteristic), _uuid(str(characteristic))
        known = [each for service in described["services"] for each in service["characteristics"]]
        found = ({each["handle"] for each in known if each["id"] == name}
                 or {each["handle"] for each in known if _uuid(each["uuid"]) == number})
        if not found:
            raise Error(f"no characteristic is called '{name}'", hint=f"known: {', '.join(each['id'] for each in known)}")
        return found

    def received(self, characteristic: Optional[Attribute]) -> Steps[List[Value]]:
        """All values that have come from a characteristic."""
        return _of(self._values, (yield from self.handles(characteristic)))

    def poll(self, handles: Optional[Collection[int]]) -> Optional[List[Value]]:
        """The next value from one of these handles, alone; none, if the central is not connected; None: it may still come."""
        values = _of(self._left, handles)[:1]
        for value in values:
            self._left.remove(value)
        return values if values or not self.is_connected else None

    def arrived(
        self, characteristic: Optional[Attribute], handles: Optional[Collection[int]], values: Optional[List[Value]], within: float
    ) -> Value:
        """The value that has been polled within this time, or an error."""
        if values:
            return values[0]
        if self._has_ended:
            raise EndedError()
        if values is not None:
            if self._reason is None:
                raise Error("the central is not connected", hint="call connect() first")
            raise Error(f"the connection has ended ({self._reason}), and nothing more comes", hint="connect() begins another")
        place = "" if characteristic is None else f" from '{characteristic}'"
        more = " more" if _of(self._values, handles) else ""
        came = [f"  {value}\n" for value in self._values[-SHOWN:]]
        raise ExpectationError(
            f"nothing{more} came{place} within {within:.3f} s",
            "".join(["the last values that the central got:\n", *came]) if came else "the central got no value\n")


class Central:
    """A central of a device on the loopback. As a context manager it is connected, and disconnects at the end.

    What the device sends to it comes from `next` and `notifications`, unless a fault has dropped it.

    All methods raise `RefusedError` if the device refuses.
    """

    def __init__(self, device: Device, address: Optional[str] = None, mtu: Optional[int] = None) -> None:
        self._connection: Optional[Connection] = None
        self._device = device
        self._session = Session(address, mtu)

    @property
    def address(self) -> str:
        """Its Bluetooth address; empty if it has none yet, because it has not connected."""
        return self._session.address

    @property
    def mtu(self) -> Optional[int]:
        """The ATT_MTU with which it connects; None: the default."""
        return self._session.mtu

    def __enter__(self) -> Central:
        self.connect()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        # The device may have ended the connection, or itself.
        with ended_already():
            if self.address in self._device.status().centrals:
                self.disconnect()
        self._close()

    def connect(self, *, mtu: Optional[int] = None) -> None:
        """Connects. ATT_MTU is that of `central(mtu=…)` or 23 by default, and at most the device's."""
        return self._perform(self._session.connect(mtu))

    def disconnect(self, *, reason: Optional[str] = None) -> None:
        """Disconnects. With a reason such as "supervision-timeout", the link ends for this reason."""
        return self._perform(self._session.leave("disconnect" if reason is None else f"disconnect reason={reason}"))

    def subscribe(self, characteristic: Attribute) -> None:
        """Subscribes to the notifications or indications of a characteristic, by its id or UUID."""
        return self._perform(self._session.step(f"subscribe {characteristic}"))

    def unsubscribe(self, characteristic: Attribute) -> None:
        """Ends the subscription to a characteristic."""
        return self._perform(self._session.step(f"unsubscribe {characteristic}"))

    def notifications(self, characteristic: Optional[Attribute] = None) -> List[Value]:
        """Returns all values that have come from a characteristic, by its id or UUID, since the central connected. Without one, all values.

        What a fault has dropped is not there; what it has changed is there as it came.
        """
        return self._perform(self._session.received(characteristic))

    def next(self, characteristic: Optional[Attribute] = None, *, within: float = operations.WAIT) -> Value:
        """Returns the next value from a characteristic, by its id or UUID, or from any: the first that no `next` has returned. Waits for it.

        Args:
            within: how long to wait, in seconds.

        Raises:
            ExpectationError: it did not come.
        """
        handles = self._perform(self._session.handles(characteristic))
        values = self._link().wait_for(lambda: self._session.poll(handles), within)
        return self._session.arrived(characteristic, handles, values, within)

    def write(
        self, attribute: Attribute, content: Optional[Content] = None, /, *, text: Optional[str] = None,
        response: Optional[bool] = None, **fields: Scalar,
    ) -> None:
        """Writes a message with its fields, bytes or text to a characteristic, by its id or UUID, or to a descriptor ("FFE1/2901").

        With `response`, it is a write request, with `response=False` a command; by default a request where the
        characteristic takes one.
        """
        arrow = {None: ">", True: ">?", False: ">!"}[response]
        return self._perform(self._session.step(f"{arrow} {attribute} {operations.words_of(content, text, fields)}"))

    def read(self, attribute: Attribute) -> bytes:
        """Returns the value of a characteristic, by its id or UUID, or of a descriptor."""
        return self._perform(self._session.act(f"read {attribute}"))

    def pair(self, *, passkey: Optional[int] = None) -> None:
        """Pairs. It enters the passkey, or shows it if the device has a keyboard; by default, it knows the device's."""
        return self._perform(self._session.pair("pair", passkey))

    def bond(self, *, passkey: Optional[int] = None) -> None:
        """Pairs, and keeps the keys for the next connections."""
        return self._perform(self._session.pair("bond", passkey))

    def unpair(self) -> None:
        """Forgets the device: disconnects, and loses the keys, so that it pairs anew."""
        return self._perform(self._session.leave("unpair"))

    def act(self, line: str) -> bytes:
        """Performs a line of a transcript, as in "> FFE1 41 54". Returns the value of a read."""
        return self._perform(self._session.act(line))

    def _perform(self, steps: Steps[T]) -> T:
        """Performs an operation of this central."""
        return self._device.perform(steps, self._link())

    def __del__(self) -> None:
        self._close()

    def _close(self) -> None:
        """Closes its connection to the control socket. If it is connected to the device, it disconnects."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _link(self) -> Connection:
        """Its own connection to the control socket, which the device sends its values on."""
        if self._connection is None:
            self._connection = Connection(self._device.path, self._session.take)
        return self._connection


def _of(values: List[Value], handles: Optional[Collection[int]]) -> List[Value]:
    return [each for each in values if handles is None or each.raw["handle"] in handles]


def _uuid(text: str) -> str:
    """A UUID in full; any other text as it is."""
    with contextlib.suppress(ValueError):
        if len(text) in (4, 8):
            return f"{int(text, 16):08x}-0000-1000-8000-00805f9b34fb"
        return str(uuid.UUID(text))
    return text
