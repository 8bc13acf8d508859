"""A device on a controller at a serial port, which is a pseudo-terminal, with Bumble as the board."""
import contextlib

import pytest

from phone import Phone
from programs import Board, Device, free_port


@pytest.fixture
def bench(tmp_path):
    return Bench(tmp_path / "ttyACM0")


class Bench(contextlib.AsyncExitStack):
    """A board and a phone."""

    def __init__(self, path):
        super().__init__()
        self.path, self.port = path, free_port()

    async def __aenter__(self):
        self.board = await self.enter_async_context(Board(self.path, self.port))
        self.phone = await self.enter_async_context(Phone(self.port))
        return self

    async def device(self, definition, place="{}"):
        return await self.enter_async_context(Device(place.format(self.path), definition))


async def test_bytes_come_back_unchanged(bench):
    async with bench:
        await bench.device("echo", "{}:115200")
        link = await bench.phone.connect("Echo")
        values = await link.subscribe(0xFFE1)
        for number in range(100):
            await link.write(0xFFE1, bytes([number]) * 20)
            assert await values.get() == bytes([number]) * 20


async def test_the_port_is_free_again(bench):
    async with bench:
        for _ in range(2):
            device = await bench.device("echo")
            await bench.phone.find("Echo")
            assert await device.end() == 0


async def test_the_device_says_that_its_board_has_gone(bench):
    async with bench:
        device = await bench.device("echo")
        await bench.board.end()
        assert str(bench.path) in (await device.event("off-air"))["reason"]
