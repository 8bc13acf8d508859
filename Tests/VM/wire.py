"""A blemu with something at its serial side, and what the tests of that have in common."""
import contextlib
import hashlib
import os
import pathlib
import re
import signal
import socket

from att import Central
from blemu import REPOSITORY, Blemu
from meanwhile import MeanwhileCase
from serial_line import SerialLine

DEFINITIONS = REPOSITORY / "Tests/VM/definitions"
LINK, PORT = "/tmp/wire", 4000
# What a program reads goes into the one pipe, and it writes what comes out of the other.
FROM_WIRE, TO_WIRE = "/tmp/from-wire", "/tmp/to-wire"
RELAY = f"cat <{TO_WIRE} & exec cat >{FROM_WIRE}"


def send_fast(central, handle, data):
    """Writes all of the data by write commands as long as the link allows, in windows as send() does."""
    for at in range(0, len(data), 10_000):
        for start in range(at, min(at + 10_000, len(data)), 500):
            central.write_command(handle, data[start:start + 500])
        central.read(handle)


class Wire(MeanwhileCase):
    """A blemu with something at its serial side, and a central that has subscribed."""

    def start(self, definition, *options):
        self.blemu = self.enterContext(Blemu(definition, "--on", "bluez:hci0", *options))

    def central(self, mtu=None, **options):
        central = self.enterContext(Central())
        self.subscribe(central, **options)
        if mtu:
            central.exchange_mtu(mtu)
        return central

    def subscribe(self, central, **options):
        self.ffe1 = central.characteristic("FFE1")
        central.subscribe(self.ffe1, **options)

    def terminal(self):
        return self.enterContext(SerialLine.terminal(LINK))

    def program(self):
        """Our ends of a program's pipes, open both ways so that they outlive it."""
        for path in (FROM_WIRE, TO_WIRE):
            pathlib.Path(path).unlink(missing_ok=True)
            os.mkfifo(path)
        ends = [os.open(path, os.O_RDWR) for path in (FROM_WIRE, TO_WIRE)]
        return self.enterContext(SerialLine(*ends))

    def peer(self, receive_buffer=None):
        connection = socket.socket()
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect(("127.0.0.1", PORT))
        return self.enterContext(SerialLine(connection.fileno(), connection.detach()))

    @contextlib.contextmanager
    def stopped(self):
        """A time in which blemu does nothing, so that it can be said what has left it and what has not."""
        self.blemu.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.blemu.process.send_signal(signal.SIGCONT)

    def wire_event(self, change, **fields):
        return self.blemu.await_event("wire", change=change, **fields)

    def resident(self):
        """The resident memory of blemu, KiB."""
        status = pathlib.Path(f"/proc/{self.blemu.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def assertSame(self, received, sent):
        self.assertEqual(len(received), len(sent))
        self.assertEqual(hashlib.sha256(received).hexdigest(), hashlib.sha256(sent).hexdigest())
