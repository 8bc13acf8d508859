"""The command lines of `blemu run` and `blemu up`."""
from __future__ import annotations

import os
import pathlib
import shlex
import shutil
from dataclasses import dataclass, field
from typing import Iterable, List, Mapping, Optional, Sequence, Union

from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .operations import Scalar

__all__ = ["Definition", "RunCommand", "UpCommand", "find_program"]

#: The name of a bundled definition, or the path of a file.
Definition = Union[str, "os.PathLike[str]"]

_WIRE_KINDS = ("exec", "pty", "serial", "tcp")


@dataclass(frozen=True)
class RunCommand:
    """`blemu run` with its options."""

    definition: Definition
    on: str
    settings: Mapping[str, Scalar] = field(default_factory=dict)
    seed: Optional[int] = None
    state: Optional[Definition] = None
    #: A text is one fault.
    faults: Union[str, Sequence[str]] = ()
    wire: Optional[str] = None
    log: str = "none"
    hold_clock: bool = False
    link_time: bool = False
    #: Further arguments, as they are.
    arguments: Sequence[str] = ()

    def words(self, program: str, socket: str) -> List[str]:
        """All words of the command line, of a device that listens at `socket`."""
        words = [program, "run", os.fspath(self.definition), "--on", self.on, "--log", self.log, "--control", socket]
        for name, value in self.settings.items():
            words += ["--set", f"{name}={_text(value)}"]
        if self.seed is not None:
            words += ["--seed", str(self.seed)]
        if self.state is not None:
            words += ["--state", os.fspath(self.state)]
        for fault in [self.faults] if isinstance(self.faults, str) else self.faults:
            words += ["--fault", fault]
        if self.hold_clock:
            words.append("--hold-clock")
        if self.link_time:
            words.append("--link-time")
        # --exec takes all words that follow.
        return words + list(self.arguments) + (_wire_words(self.wire) if self.wire else [])


@dataclass(frozen=True)
class UpCommand:
    """`blemu up` with its options."""

    #: The stand's file.
    definition: Definition
    #: The devices that run; none: all.
    names: Sequence[str] = ()
    on: str = "loopback"
    log: str = "none"
    hold_clock: bool = False

    def words(self, program: str, socket: str) -> List[str]:
        """All words of the command line. The devices listen in the folder `blemu` next to `socket`."""
        held = ["--hold-clock"] if self.hold_clock else []
        place = f"XDG_RUNTIME_DIR={os.path.dirname(socket)}"
        return ["env", place, program, "up", os.fspath(self.definition), *self.names, "--on", self.on, "--log", self.log, *held]


def _wire_words(wire: str) -> List[str]:
    kind, _, rest = wire.partition(" ")
    if kind not in _WIRE_KINDS or not rest.strip():
        raise ValueError(f"'{wire}' is no wire side: it begins with {', '.join(_WIRE_KINDS)}, as in 'pty hm10'")
    try:
        return [f"--{kind}", *(shlex.split(rest) if kind == "exec" else [rest.strip()])]
    except ValueError as error:
        raise ValueError(f"'{wire}' is no wire side: {error}") from None


def _text(value: Scalar) -> str:
    """A value as --set takes it."""
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex(" ")
    return str(value).lower() if isinstance(value, bool) else str(value)


def find_program(program: Optional[Definition] = None) -> str:
    """The path of blemu: the one given, that of the environment variable BLEMU, the one that pip installed with this package,
    the one on the PATH, or that of the repository which this package lies in."""
    chosen = program or os.environ.get("BLEMU") or _installed() or shutil.which("blemu") or _built()
    if chosen is None:
        raise Error("blemu is not on the PATH", hint="install it, or set the environment variable BLEMU to its path")
    return os.fspath(chosen)


def _installed() -> Optional[str]:
    """The program of the wheel: in the folder above lib/python3.N/site-packages or, after 'pip install --target', above this one."""
    folders = pathlib.Path(__file__).resolve().parents
    return _first_file(folders[level] / "bin/blemu" for level in (4, 1) if level < len(folders))


def _built() -> Optional[str]:
    return _first_file(parent / ".build/release/blemu" for parent in pathlib.Path(__file__).resolve().parents)


def _first_file(paths: Iterable[pathlib.Path]) -> Optional[str]:
    return next((str(each) for each in paths if each.is_file()), None)
