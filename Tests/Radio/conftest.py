"""The air of each test, asynchronous tests, and the closing line that tools/test counts."""
import asyncio
import contextlib
import inspect

import pytest

from phone import ADDRESSES, Phone
from programs import PATIENCE, RADIO, Device, Program, Relay, free_port


class Air:
    """A radio, and what a test puts on its air. All of it ends with the test."""

    async def __aenter__(self):
        self._stack, self._phones = contextlib.AsyncExitStack(), 0
        self.port = free_port()
        self.radio = await self._stack.enter_async_context(Program(RADIO, "--port", self.port))
        await self.radio.line(lambda line: "The air is open" in line)
        return self

    async def __aexit__(self, *_):
        await self._stack.aclose()

    async def device(self, definition, *arguments):
        return await self._stack.enter_async_context(Device(f"tcp:127.0.0.1:{self.port}", definition, *arguments))

    async def relay(self, device, *arguments):
        return await self._stack.enter_async_context(Relay(f"tcp:127.0.0.1:{self.port}", device, *arguments))

    async def phone(self):
        self._phones += 1
        return await self._stack.enter_async_context(Phone(self.port, ADDRESSES[self._phones - 1]))


@pytest.fixture
def air():
    return Air()


def pytest_collection_modifyitems(items):
    """Begins with the transcripts, which take longest and mostly wait."""
    items.sort(key=lambda item: "runs" not in item.fixturenames)


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem):
    """Runs an asynchronous test, within the contexts that it names."""
    if not inspect.iscoroutinefunction(pyfuncitem.obj):
        return None
    arguments = {name: pyfuncitem.funcargs[name] for name in inspect.signature(pyfuncitem.obj).parameters}

    async def within():
        async with contextlib.AsyncExitStack() as stack:
            if "air" in arguments:
                await stack.enter_async_context(arguments["air"])
            async with asyncio.timeout(PATIENCE):
                await pyfuncitem.obj(**arguments)

    asyncio.run(within())
    return True


def pytest_terminal_summary(terminalreporter):
    counts = {name: len(terminalreporter.stats.get(name, ())) for name in ("passed", "failed", "error")}
    terminalreporter.write_line(f"{counts['passed']} passed, {counts['failed'] + counts['error']} failed")
