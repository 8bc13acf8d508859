"""Puts the backends for devices in memory in the place of those for BlueZ, in every version of bleak."""
from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, List, Tuple

import bleak
from bleak.backends import client, scanner
from bleak.backends.bluezdbus import manager

from . import bluez
from .client import BleakClientBlemu
from .scanner import BleakScannerBlemu

__all__ = ["replace", "replaced"]


def replace() -> List[Tuple[Any, str, Any]]:
    """Replaces BlueZ, and returns what was there."""
    before = []
    for place, name, backend in [
        (client, "get_platform_client_backend_type", BleakClientBlemu),
        (scanner, "get_platform_scanner_backend_type", BleakScannerBlemu),
    ]:
        chosen = _choosing(getattr(place, name), backend)
        before += [_set(place, name, chosen), _set(bleak, name, chosen)]
    # Other libraries ask bleak's manager of BlueZ.
    before.append(_set(manager.BlueZManager, "async_init", _connect))
    return before


@contextlib.contextmanager
def replaced() -> Iterator[None]:
    """Replaces BlueZ as long as a `with` statement lasts."""
    before = replace()
    try:
        yield
    finally:
        for place, name, value in reversed(before):
            setattr(place, name, value)


def _set(place: Any, name: str, value: Any) -> Tuple[Any, str, Any]:
    before = getattr(place, name)
    setattr(place, name, value)
    return place, name, before


def _choosing(platform: Callable[[], Any], backend: type) -> Callable[[], Any]:
    """A function that chooses a backend, as bleak's own does: since 2.0, with the platform's name."""
    def choose() -> Any:
        chosen = platform()
        return (backend, *chosen[1:]) if isinstance(chosen, tuple) else backend

    return choose


async def _connect(self: Any) -> None:
    """In place of the manager's connection to D-Bus."""
    bluez.connect(self)
