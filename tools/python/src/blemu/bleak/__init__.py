"""bleak without Bluetooth: its `BleakScanner` and `BleakClient` find, connect and talk to devices in memory.

    with blemu.run("hm-10"), blemu.bleak.in_memory():
        asyncio.run(program_that_uses_bleak())

The program needs no change. `BLEMU_BLEAK=1 python app.py` and `python -m blemu.bleak app.py` do the same from outside. This package
imports bleak only where it is used.
"""
from __future__ import annotations

import contextlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any, Iterator, List, Optional, Sequence

from ..places import Place
from .air import Air

__all__ = ["Air", "current", "in_memory"]

#: Names a program's devices, as in "hm-10:/tmp/lamp.sock"; "1" stands for all that run in memory.
VARIABLE = "BLEMU_BLEAK"
#: The passkey that the program's user would enter.
PASSKEY = "BLEMU_BLEAK_PASSKEY"

_airs: List[Air] = []


def current() -> Air:
    """What bleak hears now: the devices of the innermost `in_memory`, otherwise those of the environment variable."""
    if not _airs:
        _airs.append(_air_of_environment())
    return _airs[-1]


@contextlib.contextmanager
def in_memory(*places: Place, running: bool = True, passkey: Optional[int] = None) -> Iterator[Air]:
    """Lets bleak use devices in memory as long as a `with` statement lasts, in place of the adapter.

    Args:
        places: the names of devices in `blemu ps`, or the paths of their sockets. Without any, bleak finds those that this process runs
            on the loopback.
        running: without places, bleak also finds those on the loopback in `blemu ps`.
        passkey: what the user enters when the device shows a passkey; by default, what it shows.
    """
    from . import replacing
    new = Air(places, running=running, passkey=passkey)
    _airs.append(new)
    try:
        with replacing.replaced():
            yield new
    finally:
        _airs.remove(new)


def replace_when_imported() -> None:
    """Lets bleak use devices in memory from its import on, until the process ends."""
    if "bleak" in sys.modules:
        _replace()
    else:
        sys.meta_path.insert(0, _Finder())


def _replace() -> None:
    from . import replacing
    replacing.replace()


def _air_of_environment() -> Air:
    value, passkey = os.environ.get(VARIABLE, "1"), os.environ.get(PASSKEY)
    places = [] if value == "1" else [each for each in value.split(":") if each]
    return Air(places, passkey=None if passkey is None else int(passkey))


class _Finder(importlib.abc.MetaPathFinder):
    """Notices when a program imports bleak, and replaces its backends once it is loaded."""

    def find_spec(
        self, fullname: str, path: Optional[Sequence[str]], target: Optional[ModuleType] = None
    ) -> Optional[importlib.machinery.ModuleSpec]:
        if fullname != "bleak":
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            loader: Any = spec.loader
            execute = loader.exec_module

            def exec_module(module: ModuleType) -> None:
                execute(module)
                _replace()

            loader.exec_module = exec_module
        return spec
