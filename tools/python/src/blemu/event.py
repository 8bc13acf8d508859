"""The events of a device's journal."""
from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional

__all__ = ["Event"]


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
    #: The values of that message's fields.
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
            fields=members.get("fields", {}),
            central=members.get("central"),
            raw=dict(members),
        )
