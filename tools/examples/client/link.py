"""A link to a device with one serial characteristic: it asks again, and it comes back after it was lost."""
from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Callable, Optional, Type, TypeVar

from bleak import BleakClient, BleakScanner
from bleak.backends.device import BLEDevice
from bleak.backends.scanner import AdvertisementData
from bleak.exc import BleakError

#: The characteristic of HM-10 and bracelet: a central writes requests to it, and answers are notified on it.
SERIAL = "0000ffe1-0000-1000-8000-00805f9b34fb"

#: How many bytes these devices take in one write.
LONGEST_WRITE = 20

T = TypeVar("T")


class NoAnswer(Exception):
    """The device has not answered, however often it was asked."""


class Damaged(Exception):
    """What has come is not what the device sent."""


class Link:
    """A link to the device that advertises this name. As a context manager, it is connected meanwhile."""

    #: How long the device may take for an answer, in seconds, and how often it is asked.
    answer_time, tries = 4.0, 3

    #: How long the device may take until it is found, and until it is connected, in seconds.
    search_time = connection_time = 60.0

    def __init__(self, name: str, adapter: Optional[str] = None) -> None:
        self.name = name
        self._adapter = adapter

    async def __aenter__(self) -> Link:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self._client.disconnect()

    async def ask(self, request: bytes, take: Callable[[bytearray], Optional[T]]) -> T:
        """Sends a request, and returns what `take` finds in the bytes that come. It finds None while they are not complete."""
        for _ in range(self.tries):
            try:
                await self.write(request)
                return await asyncio.wait_for(self.receive(take), self.answer_time)
            except asyncio.TimeoutError:
                self.nothing_came(request)
            except Damaged:
                pass
            except ConnectionError:
                await self.reconnect()
        raise NoAnswer(f"{self.name} has not answered {request!r}, asked {self.tries} times")

    def nothing_came(self, request: bytes) -> None:
        """A request or its answer may have been lost: it is sent again."""

    async def reconnect(self) -> None:
        """A device may end a connection, or restart: it comes back."""
        await self.connect()

    async def receive(self, take: Callable[[bytearray], Optional[T]]) -> T:
        """Returns what `take` finds in the bytes that come from now on."""
        received = bytearray()
        while (found := take(received)) is None:
            self.collect(received, await self._next_value())
        return found

    def collect(self, received: bytearray, value: bytes) -> None:
        """An answer may come in several notifications, cut anywhere."""
        received += value

    async def connect(self) -> None:
        """Finds the device, connects to it and subscribes. BlueZ does not always manage that at once."""
        for attempt in range(1, self.tries + 1):
            try:
                return await self._connect_once()
            except (BleakError, EOFError, asyncio.TimeoutError) as error:
                await self._client.disconnect()
                if attempt == self.tries:
                    raise NoAnswer(f"cannot connect to {self.name}: {error}") from error

    async def _connect_once(self) -> None:
        values: asyncio.Queue[Optional[bytes]] = asyncio.Queue()
        self._values = values
        self._client = BleakClient(
            await self._find(), lambda _: values.put_nowait(None), timeout=self.connection_time)
        await self._client.connect()
        await self._client.start_notify(SERIAL, lambda _, value: values.put_nowait(bytes(value)))

    async def write(self, data: bytes) -> None:
        """Writes these bytes, in pieces if need be."""
        try:
            for start in range(0, len(data), LONGEST_WRITE):
                await self._client.write_gatt_char(SERIAL, data[start:start + LONGEST_WRITE])
        except (BleakError, EOFError) as error:  # bleak raises the latter if the connection ends meanwhile
            raise ConnectionError(f"{self.name} does not take what is written: {error}") from error

    async def _find(self) -> BLEDevice:
        def has_name(_: BLEDevice, advertisement: AdvertisementData) -> bool:
            return advertisement.local_name == self.name

        options = {} if self._adapter is None else {"adapter": self._adapter}
        device = await BleakScanner.find_device_by_filter(has_name, timeout=self.search_time, **options)
        if device is None:
            raise NoAnswer(f"no device {self.name} has advertised within {self.search_time:g} s")
        return device

    async def _next_value(self) -> bytes:
        value = await self._values.get()
        if value is None:
            raise ConnectionError(f"{self.name} has ended the connection")
        return value
