"""Reads the sports history of the bracelet."""
from __future__ import annotations

import functools
import operator
from typing import Optional

from .link import Damaged, Link

START = 0xA5
DAY, PACKET = 0x03, 0x04
#: A frame begins with START, its length and its command, and ends with its checksum.
SHORTEST = 4


class Bracelet:
    """The bracelet at the other end of a link."""

    def __init__(self, link: Link) -> None:
        self.link = link

    async def day(self, month: int, day: int) -> bytes:
        """Returns the samples of a day, in packets of 15. The last packet ends with zeros."""
        total = await self._ask(DAY, month, day)
        return b"".join([await self._packet(month, day, index) for index in range(total[0] + 256 * total[1])])

    async def _packet(self, month: int, day: int, index: int) -> bytes:
        return (await self._ask(PACKET, month, day, index, beginning=bytes([index])))[1:]

    async def _ask(self, command: int, *arguments: int, beginning: bytes = b"") -> bytes:
        """Sends a command, and returns the data of its answer, which begin with these bytes."""
        head = bytes([START, SHORTEST + len(arguments), command, *arguments])

        def take(received: bytearray) -> Optional[bytes]:
            while (frame := self.take(received)) is not None:
                if frame[2] == command | 0x80 and frame[3:].startswith(beginning):
                    return frame[3:-1]
            return None  # so far, or only answers to earlier requests

        return await self.link.ask(head + bytes([checksum(head)]), take)

    def take(self, received: bytearray) -> Optional[bytes]:
        """Takes a frame off these bytes. None: it is not complete."""
        del received[:_start(received)]
        if len(received) < 2 or len(received) < max(received[1], SHORTEST):
            return None
        frame = bytes(received[:received[1]])
        if not self.is_intact(frame):
            raise Damaged(frame.hex(" "))
        del received[:len(frame)]
        return frame

    def is_intact(self, frame: bytes) -> bool:
        """Bytes may arrive altered: the checksum tells."""
        return len(frame) >= SHORTEST and frame[-1] == checksum(frame[:-1])


def _start(received: bytearray) -> int:
    index = received.find(START)
    return len(received) if index < 0 else index


def checksum(data: bytes) -> int:
    """The XOR of all bytes."""
    return functools.reduce(operator.xor, data, 0)
