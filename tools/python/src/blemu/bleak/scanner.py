"""bleak's scanner of devices in memory."""
from __future__ import annotations

import asyncio
from typing import Any, Dict, List, Mapping, Optional

from bleak.backends.bluezdbus.scanner import BleakScannerBlueZDBus

from . import bluez, current
from .air import Listener

__all__ = ["BleakScannerBlemu"]

#: How often it looks for devices that have been started meanwhile, in seconds.
_PAUSE = 0.1

#: Which member of advertising the structures of a packet belong to.
_MEMBERS = {
    0x08: "local-name", 0x09: "local-name", 0x0A: "tx-power", 0x16: "service-data", 0x19: "appearance", 0x20: "service-data",
    0x21: "service-data", 0xFF: "manufacturer-data", **dict.fromkeys((0x02, 0x03, 0x04, 0x05, 0x06, 0x07), "services")}


class BleakScannerBlemu(BleakScannerBlueZDBus):
    """Hears devices in memory. What it makes of their advertising is the work of bleak's own scanner for BlueZ."""

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self._air = current()
        self._is_passive = self._scanning_mode == "passive"
        self._listeners: Dict[str, Listener] = {}
        self._looking: Optional[asyncio.Task[None]] = None

    async def start(self) -> None:
        self.seen_devices: Dict[str, Any] = {}
        found = await self._look()
        self._looking = asyncio.ensure_future(self._look_again())
        for listener in found:  # heard when the program runs on: it may register a callback first
            listener.resume()

    async def stop(self) -> None:
        looking, self._looking = self._looking, None
        if looking is not None:
            looking.cancel()
            await asyncio.wait([looking])
        for listener in self._listeners.values():
            listener.end()
        self._listeners.clear()

    async def _look(self) -> List[Listener]:
        """Listens to the devices that it does not listen to yet, and returns what it can hear of them."""
        self._listeners = {path: each for path, each in self._listeners.items() if not each.is_over}
        new = [self._listener(path) for path in self._air.sockets() if path not in self._listeners]
        self._listeners.update((each.path, each) for each in new)
        heard = await asyncio.gather(*(each.begin() for each in new))
        return [each for each, is_there in zip(new, heard) if is_there]

    async def _look_again(self) -> None:
        while True:
            await asyncio.sleep(_PAUSE)
            for listener in await self._look():
                listener.resume()

    def _listener(self, path: str) -> Listener:
        return Listener(path, lambda heard: self._hear(path, heard))

    def _hear(self, path: str, heard: Mapping[str, Any]) -> None:
        advertising = heard["advertising"]
        if self._is_passive:
            structures = _structures(bytes.fromhex(advertising["data"]))
            if not any(structures.get(kind, b"")[start:].startswith(content) for start, kind, content in self._or_patterns or []):
                return
            present = {_MEMBERS.get(kind) for kind in structures}
            advertising = {
                name: value for name, value in advertising.items() if name not in _MEMBERS.values() or name in present}
        threshold = self._filters.get("RSSI")
        if threshold is not None and advertising["rssi"] < threshold.value:
            return
        address = self._air.address(path, heard["address"])
        properties = bluez.update(self._air, address, {**heard, "advertising": advertising})
        if self._service_uuids and not set(self._service_uuids).intersection(properties["UUIDs"]):
            return  # as the filter of BlueZ; before 0.22.2, bleak relies on it
        self._handle_advertising_data(bluez.device_path(address), properties)


def _structures(packet: bytes) -> Dict[int, bytes]:
    """The structures of an advertising packet: a length, a type, and data."""
    structures = {}
    while len(packet) > 1 and packet[0]:
        structures[packet[1]] = packet[2:1 + packet[0]]
        packet = packet[1 + packet[0]:]
    return structures
