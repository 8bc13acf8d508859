"""Answers of a device."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, List, Mapping, Optional

__all__ = ["Outcome", "Status"]


@dataclass(frozen=True)
class Status:
    """What a device is, whether it is on the air, and which centrals are connected."""

    #: The device's name for commands, as in `blemu ps`.
    name: str
    #: The name of its definition, and the definition's file.
    definition: str
    file: str
    #: As after `--on`.
    transport: str
    #: The number of its process.
    process: int
    on_air: bool
    #: The adapter's name, the device's address, and the name that it advertises, once it is on the air.
    adapter: Optional[str]
    address: Optional[str]
    device_name: Optional[str]
    #: How long it has been on the air.
    seconds: float
    #: The addresses of the centrals that are connected.
    centrals: List[str]
    values_in: int
    values_out: int
    values_lost: int
    #: The number of the journal's last event.
    events: int
    #: All members, as the device sent them.
    raw: Dict[str, Any] = field(repr=False, compare=False)

    @classmethod
    def read(cls, members: Mapping[str, Any]) -> Status:
        """Reads the result of the method `status`."""
        return cls(
            name=members["name"],
            definition=members["definition"],
            file=members["file"],
            transport=members["transport"],
            process=members["process"],
            on_air=members["on-air"],
            adapter=members.get("adapter"),
            address=members.get("address"),
            device_name=members.get("device-name"),
            seconds=members["milliseconds"] / 1000,
            centrals=members["centrals"],
            values_in=members["values-in"],
            values_out=members["values-out"],
            values_lost=members["values-lost"],
            events=members["events"],
            raw=dict(members),
        )


@dataclass(frozen=True)
class Outcome:
    """The result of an act on a device."""

    #: The number of the last event before it: `device.expect(…, after=outcome.after)` looks at what came of it.
    after: int
    #: What the device warned of meanwhile.
    warnings: List[str]

    @classmethod
    def read(cls, members: Mapping[str, Any]) -> Outcome:
        """Reads the result of a method that acts on the device."""
        return cls(after=members["after"], warnings=list(members.get("warnings", [])))
