"""The files that a definition on another machine needs."""
from __future__ import annotations

import io
import os
import pathlib
import re
import tarfile
from typing import Iterator, Set

from .command import Definition
from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401

__all__ = ["archive", "is_file"]

#: Another definition, or a table. blemu looks for both next to the definition that names them.
_NAMED = re.compile(r"\b(?:extends|file):\s*[\"']?([^\s\"',}#/]+)")


def is_file(definition: Definition) -> bool:
    """Whether a definition is a file: any path, and a text with a slash or with the suffix of YAML. Others are names of bundled definitions."""
    return not isinstance(definition, str) or "/" in definition or definition.endswith((".yaml", ".yml"))


def archive(definition: Definition) -> bytes:
    """Returns a tar archive of a definition's file, of those that it extends, and of their tables and faces."""
    path = pathlib.Path(os.fspath(definition))
    if not path.is_file():
        raise Error(f"there is no file {path}", hint="'blemu list' shows the names of the bundled definitions")
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w") as tar:
        for each in sorted(set(_files(path, set()))):
            tar.add(each, arcname=each.name)
    return data.getvalue()


def _files(path: pathlib.Path, seen: Set[pathlib.Path]) -> Iterator[pathlib.Path]:
    """The file and those that it names, which name others. A name without a file is that of a bundled definition."""
    if path in seen or not path.is_file():
        return
    seen.add(path)
    yield path
    if path.suffix in (".yaml", ".yml"):
        for name in [f"{path.stem}.svg", *_NAMED.findall(path.read_text(errors="replace"))]:
            yield from _files(path.with_name(name), seen)
