"""The events of a device's journal."""
from __future__ import annotations

import copy
import datetime
from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

__all__ = ["Event", "fields_of"]


@dataclass(frozen=True)
class Event:
    """Something that happened to a device: an entry of its journal."""

    #: Its place in the journal; the first event has the number 1.
    number: int
    #: When it happened, in UTC.
    time: datetime.datetime
    #: As in `blemu run --log json`: "connected", "write", "notify", "warning" and so on.
    kind: str
    #: The id of the characteristic or descriptor.
    attribute: Optional[str] = None
    #: The bytes that were written, sent or read; empty if it is about no bytes.
    value: bytes = b""
    #: The name of the message that the bytes are; the text of a "log", "warning" or "error".
    message: Optional[str] = None
    #: The values of that message's fields; those that are bytes, as `bytes`.
    fields: Dict[str, Any] = field(default_factory=dict)
    #: The address of the central.
    central: Optional[str] = None
    #: All members, as the device sent them.
    raw: Dict[str, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def read(cls, members: Mapping[str, Any]) -> Event:
        """Reads an object of the control protocol."""
        return cls(
            number=members["number"],
            # Python 3.9 and 3.10 do not know the Z.
            time=datetime.datetime.fromisoformat(members["time"].replace("Z", "+00:00")),
            kind=members["event"],
            attribute=members.get("attribute"),
            value=bytes.fromhex(members.get("value", "")),
            message=members.get("message"),
            fields=fields_of(members),
            central=members.get("central"),
            raw=dict(members),
        )


def fields_of(members: Mapping[str, Any]) -> Dict[str, Any]:
    """The fields of a message. The protocol has bytes in hex, and says which fields these are."""
    fields: Dict[str, Any] = copy.deepcopy(members.get("fields", {}))
    for name in members.get("byte-fields", []):
        _read_bytes(fields, name.split("."))
    return fields


def _read_bytes(value: Any, path: List[str]) -> None:
    """Reads the bytes at a path, of each row of a repeated part."""
    if isinstance(value, list):
        for row in value:
            _read_bytes(row, path)
    elif path[0] in value:
        if path[1:]:
            _read_bytes(value[path[0]], path[1:])
        else:
            value[path[0]] = bytes.fromhex(value[path[0]])
