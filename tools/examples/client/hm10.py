"""Talks to an HM-10, and to what is behind its serial port."""
from __future__ import annotations

import re
from typing import Optional

from .link import Link


class HM10:
    """The module at the other end of a link."""

    def __init__(self, link: Link) -> None:
        self.link = link

    async def set_pin(self, number: int, level: bool) -> None:
        """Sets one of the module's pins, 2 to 11. The module takes commands from the air in modes 1 and 2."""
        await self.command(f"AT+PIO{number:X}{level:d}", rf"OK\+PIO{number:X}:{level:d}")

    async def pin(self, number: int) -> bool:
        """Returns the level of a pin."""
        return (await self.command(f"AT+PIO{number:X}?", rf"OK\+PIO{number:X}:[01]")).endswith("1")

    async def command(self, command: str, answer: str) -> str:
        """Sends a command, and returns its answer, which has no end of its own: it is complete when it matches this expression."""
        def take(received: bytearray) -> Optional[str]:
            found = re.search(answer.encode(), received)
            return None if found is None else found[0].decode()

        return await self.link.ask(command.encode(), take)

    async def line(self, question: str) -> str:
        """Sends a line to what is behind the serial port, and returns the line that it answers."""
        def take(received: bytearray) -> Optional[str]:
            line, end, _ = received.partition(b"\r\n")
            return line.decode() if end else None

        return await self.link.ask(f"{question}\r\n".encode(), take)
