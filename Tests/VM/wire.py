"""A blemu with something at its serial side, and what the tests of that have in common."""
import contextlib
import os
import pathlib
import random
import re
import signal
import socket

from att import Central
from blemu import Blemu
from serial_line import SerialLine

LINK, PORT = "/tmp/wire", 4000
# What a program reads goes into the one pipe, and it writes what comes out of the other.
FROM_WIRE, TO_WIRE = "/tmp/from-wire", "/tmp/to-wire"
RELAY = f"cat <{TO_WIRE} & exec cat >{FROM_WIRE}"
# bluetoothd's L2CAP socket drops write commands that come faster than it reads them. A request
# between windows of them waits until it has read all before.
WINDOW = 20


def random_bytes(length, seed):
    return random.Random(seed).randbytes(length)


def parts(data, longest, seed=1):
    """The data in pieces of random lengths."""
    source, at = random.Random(seed), 0
    while at < len(data):
        length = source.randint(1, longest)
        yield data[at:at + length]
        at += length


def send(central, handle, data, longest=20):
    """Writes all of the data by write commands."""
    for number, part in enumerate(parts(data, longest)):
        central.write_command(handle, part)
        if number % WINDOW == WINDOW - 1:
            central.read(handle)
    central.read(handle)


def send_fast(central, handle, data):
    """Writes all of the data by write commands as long as the link allows, in windows as send() does."""
    for at in range(0, len(data), 10_000):
        for start in range(at, min(at + 10_000, len(data)), 500):
            central.write_command(handle, data[start:start + 500])
        central.read(handle)


def same(received, sent):
    """Whether they are; where and how they differ goes without saying all of it."""
    if received == sent:
        return True
    at = next((at for at, (one, other) in enumerate(zip(received, sent)) if one != other), min(len(received), len(sent)))
    print(f"{len(received)} bytes, where {len(sent)} should be; from byte {at} on {received[at:at + 20].hex(' ')}, "
          f"not {sent[at:at + 20].hex(' ')}")
    return False


class Wire:
    """A blemu with something at its serial side, and a central that has subscribed. All that is made here is closed after the test."""

    def __init__(self, contexts, meanwhile):
        self._enter, self.close, self.meanwhile = contexts.enter_context, contexts.close, meanwhile

    def start(self, definition, *options):
        self.blemu = self._enter(Blemu(definition, *options))

    def central(self, mtu=None, **options):
        central = self._enter(Central())
        self.subscribe(central, **options)
        if mtu:
            central.exchange_mtu(mtu)
        return central

    def subscribe(self, central, **options):
        self.ffe1 = central.characteristic("FFE1")
        central.subscribe(self.ffe1, **options)

    def line(self, *descriptors):
        return self._enter(SerialLine(*descriptors))

    def terminal(self):
        return self._enter(SerialLine.terminal(LINK))

    def program(self):
        """Our ends of a program's pipes, open both ways so that they outlive it."""
        for path in (FROM_WIRE, TO_WIRE):
            pathlib.Path(path).unlink(missing_ok=True)
            os.mkfifo(path)
        return self.line(*(os.open(path, os.O_RDWR) for path in (FROM_WIRE, TO_WIRE)))

    def peer(self, receive_buffer=None):
        connection = socket.socket()
        if receive_buffer:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        connection.connect(("127.0.0.1", PORT))
        return self.line(connection.fileno(), connection.detach())

    @contextlib.contextmanager
    def stopped(self):
        """A time in which blemu does nothing, so that it can be said what has left it and what has not."""
        self.blemu.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.blemu.process.send_signal(signal.SIGCONT)

    def event(self, change, **fields):
        return self.blemu.await_event("wire", change=change, **fields)

    def resident(self):
        """The resident memory of blemu, KiB."""
        status = pathlib.Path(f"/proc/{self.blemu.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])
