"""The programs under test: tools/radio, and `blemu run`."""
import asyncio
import contextlib
import json
import os
import pathlib
import random
import signal
import socket
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
DEFINITIONS = pathlib.Path(__file__).resolve().parent / "definitions"
BLEMU = os.environ.get("BLEMU", str(REPOSITORY / ".build/release/blemu"))
RADIO = REPOSITORY / "tools/radio"

#: Seconds. Only against hanging.
PATIENCE = float(os.environ.get("PATIENCE", 120))


def free_port():
    """Returns a port that is free with its neighbours: a radio has four. No other process of these tests gets it meanwhile."""
    worker, workers = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0")[2:]), int(os.environ.get("PYTEST_XDIST_WORKER_COUNT", 1))
    while True:
        port = random.randrange(20_000 + 4 * worker, 28_000, 4 * workers)
        with contextlib.ExitStack() as held, contextlib.suppress(OSError):
            for each in range(port - 1, port + 3):
                held.enter_context(socket.create_server(("127.0.0.1", each)))
            return port


def take_interrupts():
    """Lets a program end on Ctrl-C, which a shell without job control has its background jobs ignore."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


class Program:
    """A program whose output is followed line by line. An asynchronous context manager that ends it."""

    def __init__(self, *words):
        self.words, self.lines = list(map(str, words)), []
        self._news, self._has_ended = asyncio.Condition(), False

    async def __aenter__(self):
        self.process = await asyncio.create_subprocess_exec(
            *self.words, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT, limit=1 << 24,
            preexec_fn=take_interrupts)
        self._reader = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_):
        await self.end()

    async def end(self, by=signal.SIGTERM):
        """Ends it, and returns its exit status."""
        if self.process.returncode is None:
            self.process.send_signal(by)
        await self._reader
        return await self.process.wait()

    async def line(self, find):
        """Waits for a line of which `find` says something, and returns that. Each line is found only once."""
        async with self._news:
            while True:
                for number, line in enumerate(self.lines):
                    if found := find(line):
                        del self.lines[number]
                        return found
                if self._has_ended:
                    raise AssertionError(f"{self.words[0]} has ended before it said that:\n" + "\n".join(self.lines[-30:]))
                await self._news.wait()

    async def _read(self):
        async for line in self.process.stdout:
            async with self._news:
                self.lines.append(line.decode().rstrip("\n"))
                self._news.notify_all()
        async with self._news:
            self._has_ended = True
            self._news.notify_all()


class Board(Program):
    """A board with HCI firmware at a serial port, and a controller for the phone at a TCP port, imitated by Bumble."""

    def __init__(self, path, port):
        super().__init__(sys.executable, "-m", "bumble.apps.controllers", f"pty:{path}", f"tcp-server:127.0.0.1:{port}")
        self.path = pathlib.Path(path)

    async def __aenter__(self):
        await super().__aenter__()
        while not self.path.is_symlink():
            await asyncio.sleep(.05)
        return self


class Device(Program):
    """`blemu run DEFINITION --on exact:PLACE`, on the air when the context begins."""

    def __init__(self, place, definition, *arguments):
        bundled = not (DEFINITIONS / f"{definition}.yaml").exists()
        super().__init__(BLEMU, "run", definition if bundled else DEFINITIONS / f"{definition}.yaml",
                         "--on", f"exact:{place}", "--log", "json", *arguments)

    async def __aenter__(self):
        await super().__aenter__()
        try:
            self.on_air = await self.event("on-air")
        except BaseException:
            await self.end()
            raise
        return self

    async def event(self, name, **fields):
        """Waits for an event of the log with this name and these fields."""
        wanted = {"event": name} | fields

        def find(line):
            with contextlib.suppress(ValueError):
                event = json.loads(line)
                return event if wanted.items() <= event.items() else None

        return await self.line(find)

    def has_said(self, name):
        """Whether the log has an event of this name that nobody has awaited."""
        return any(f'"event":"{name}"' in line for line in self.lines)


class Relay(Device):
    """`blemu relay DEVICE`, each side on a controller of its own, on the air when the context begins."""

    def __init__(self, place, device, *arguments):
        Program.__init__(self, BLEMU, "relay", device, "--on", f"exact:{place}", "--through", f"exact:{place}", "--log", "json", *arguments)
