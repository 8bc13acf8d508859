"""Makes BlueZ forget devices, so that a client meets them for the first time."""
from __future__ import annotations

import re
import subprocess

from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401

__all__ = ["forget"]


def forget(address: str) -> None:
    """Makes this machine's adapters forget the device with this address: its attributes and its bond.

    BlueZ keeps the name until the device advertises another. Where BlueZ does not run, there is nothing to forget.
    """
    objects = _call("/", "org.freedesktop.DBus.ObjectManager.GetManagedObjects")
    for path in re.findall(f'object path "(/org/bluez/[^/]+/dev_{address.replace(":", "_")})"', objects):
        _call(path.rpartition("/")[0], "org.bluez.Adapter1.RemoveDevice", f"objpath:{path}")


def _call(path: str, method: str, *arguments: str) -> str:
    """Calls a method of bluetoothd. Returns its answer, which is empty if there is none."""
    command = ["dbus-send", "--system", "--print-reply", "--dest=org.bluez", path, method, *arguments]
    try:
        return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True).stdout
    except FileNotFoundError:
        raise Error("there is no dbus-send, which lets BlueZ forget a device", hint="in Debian it is in the package dbus") from None
