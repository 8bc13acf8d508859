"""Where the sockets of running devices are."""
from __future__ import annotations

import os
import pathlib
from typing import List, Union

__all__ = ["Place", "folder", "names", "socket_of"]

#: The name of a running device, or the path of its socket.
Place = Union[str, "os.PathLike[str]"]


def folder() -> pathlib.Path:
    """The folder of the sockets: that of the XDG Base Directory Specification, or one in /tmp."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    return pathlib.Path(runtime, "blemu") if runtime.startswith("/") else pathlib.Path(f"/tmp/blemu-{os.getuid()}")


def socket_of(place: Place) -> str:
    """The path of a device's socket. A text with a slash is a path already."""
    path = os.fspath(place)
    return path if not isinstance(place, str) or "/" in path else str(folder() / f"{path}.sock")


def names() -> List[str]:
    """The names of all sockets there, sorted. Devices that were killed have left theirs."""
    return sorted(each.stem for each in folder().glob("*.sock"))
