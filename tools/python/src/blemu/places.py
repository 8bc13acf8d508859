"""Where the sockets of running devices are."""
from __future__ import annotations

import os
import pathlib
import stat
from typing import List, Union

from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401

__all__ = ["Place", "folder", "names", "socket_of"]

#: The name of a running device, or the path of its socket.
Place = Union[str, "os.PathLike[str]"]


def folder() -> pathlib.Path:
    """The folder of the sockets: that of the XDG Base Directory Specification, or one in /tmp. Only this user may write in it."""
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    path = pathlib.Path(runtime, "blemu") if runtime.startswith("/") else pathlib.Path(f"/tmp/blemu-{os.getuid()}")
    try:
        file = path.lstat()
    except FileNotFoundError:
        return path
    if not stat.S_ISDIR(file.st_mode) or file.st_uid != os.geteuid() or file.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        raise Error(f"other users can write to {path}, so its sockets may be theirs", hint="remove the folder, or name the path of a socket")
    return path


def socket_of(place: Place) -> str:
    """The path of a device's socket. A text with a slash is a path already."""
    path = os.fspath(place)
    return path if not isinstance(place, str) or "/" in path else str(folder() / f"{path}.sock")


def names() -> List[str]:
    """The names of all sockets there, sorted. Devices that were killed have left theirs."""
    return sorted(each.stem for each in folder().glob("*.sock"))
