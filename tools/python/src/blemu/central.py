"""A central in memory, for devices on the loopback.

`blemu.aio` takes its methods from here: each returns what the device's `perform` returns.
"""
from __future__ import annotations

import contextlib
from types import TracebackType
from typing import TYPE_CHECKING, Optional, Type

from . import operations
from .errors import EndedError
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .operations import Attribute, Content, Scalar

if TYPE_CHECKING:
    from .device import Device

__all__ = ["Central"]


class Central:
    """A central of a device on the loopback. As a context manager it is connected, and disconnects at the end.

    What the device sends to it is in the journal: `device.expect("< FFE1 4F 4B")`.

    All methods raise `RefusedError` if the device refuses.
    """

    def __init__(self, device: Device, address: str, mtu: Optional[int] = None) -> None:
        self._device = device
        #: Its Bluetooth address.
        self.address = address
        #: The ATT_MTU with which it connects; None: the default.
        self.mtu = mtu

    def __enter__(self) -> Central:
        self.connect()
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        # The device may have ended the connection, or itself.
        with contextlib.suppress(EndedError):
            if self.address in self._device.status().centrals:
                self.disconnect()

    def connect(self, *, mtu: Optional[int] = None) -> None:
        """Connects. ATT_MTU is that of `central(mtu=…)` or 23 by default, and at most the device's."""
        mtu = self.mtu if mtu is None else mtu
        line = "connect" if mtu is None else f"connect mtu={mtu}"
        return self._device.perform(operations.step(line, self.address))

    def disconnect(self, *, reason: Optional[str] = None) -> None:
        """Disconnects. With a reason such as "supervision-timeout", the link ends for this reason."""
        line = "disconnect" if reason is None else f"disconnect reason={reason}"
        return self._device.perform(operations.step(line, self.address))

    def subscribe(self, characteristic: Attribute) -> None:
        """Subscribes to the notifications or indications of a characteristic, by its id or UUID."""
        return self._device.perform(operations.step(f"subscribe {characteristic}", self.address))

    def unsubscribe(self, characteristic: Attribute) -> None:
        """Ends the subscription to a characteristic."""
        return self._device.perform(operations.step(f"unsubscribe {characteristic}", self.address))

    def write(
        self, attribute: Attribute, content: Optional[Content] = None, /, *, text: Optional[str] = None,
        response: Optional[bool] = None, **fields: Scalar,
    ) -> None:
        """Writes a message with its fields, bytes or text to a characteristic, by its id or UUID, or to a descriptor ("FFE1/2901").

        With `response`, it is a write request, with `response=False` a command; by default a request where the
        characteristic takes one.
        """
        arrow = {None: ">", True: ">?", False: ">!"}[response]
        line = f"{arrow} {attribute} {operations.words_of(content, text, fields)}"
        return self._device.perform(operations.step(line, self.address))

    def read(self, attribute: Attribute) -> bytes:
        """Returns the value of a characteristic, by its id or UUID, or of a descriptor."""
        return self._device.perform(operations.act(f"read {attribute}", self.address))

    def pair(self) -> None:
        """Pairs."""
        return self._device.perform(operations.step("pair", self.address))

    def bond(self) -> None:
        """Pairs, and keeps the keys for the next connections."""
        return self._device.perform(operations.step("bond", self.address))

    def unpair(self) -> None:
        """Forgets the device: disconnects, and loses the keys, so that it pairs anew."""
        return self._device.perform(operations.step("unpair", self.address))

    def act(self, line: str) -> bytes:
        """Performs a line of a transcript, as in "> FFE1 41 54". Returns the value of a read."""
        return self._device.perform(operations.act(line, self.address))
