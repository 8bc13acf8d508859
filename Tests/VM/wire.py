"""A blemu with an attachment at its wire side, and helpers for its tests."""
import contextlib
import os
import pathlib
import random
import re
import signal
import socket

from att import Central
from device import Blemu
from serial_line import SerialLine

LINK, PORT = "/tmp/wire", 4000
# The program copies its input to one pipe, and sends the bytes of the other.
FROM_WIRE, TO_WIRE = "/tmp/from-wire", "/tmp/to-wire"
RELAY = f"cat <{TO_WIRE} & exec cat >{FROM_WIRE}"
# bluetoothd's L2CAP socket drops write commands that it does not read in time. A request after
# each window of commands waits until bluetoothd has read them all.
WINDOW = 20


def random_bytes(length, seed):
    return random.Random(seed).randbytes(length)


def parts(data, longest, seed=1):
    """Splits the data into pieces of random lengths."""
    source, at = random.Random(seed), 0
    while at < len(data):
        length = source.randint(1, longest)
        yield data[at:at + length]
        at += length


def send(central, handle, data, longest=20):
    """Writes the data by write commands."""
    for number, part in enumerate(parts(data, longest)):
        central.write_command(handle, part)
        if number % WINDOW == WINDOW - 1:
            central.read(handle)
    central.read(handle)


def send_fast(central, handle, data):
    """Writes the data by the longest write commands that the link allows, in windows like send()."""
    for at in range(0, len(data), 10_000):
        for start in range(at, min(at + 10_000, len(data)), 500):
            central.write_command(handle, data[start:start + 500])
        central.read(handle)


def same(received, sent):
    """Whether the bytes are equal. Prints the first difference instead of all bytes."""
    if received == sent:
        return True
    at = next((at for at, (one, other) in enumerate(zip(received, sent)) if one != other), min(len(received), len(sent)))
    print(f"{len(received)} bytes instead of {len(sent)}; from byte {at} on {received[at:at + 20].hex(' ')}, "
          f"not {sent[at:at + 20].hex(' ')}")
    return False


class Wire:
    """A blemu with an attachment at its wire side, and a subscribed central. Everything is closed after the test."""

    def __init__(self, contexts, meanwhile):
        self._enter, self.close, self.meanwhile = contexts.enter_context, contexts.close, meanwhile

    def start(self, definition, *options, on="bluez:hci0"):
        self.blemu = self._enter(Blemu(definition, *options, on=on))

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
        """Opens our ends of a program's pipes, in both directions so that they outlive the program."""
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
        """A context in which blemu is stopped, so that the bytes that have left it do not change."""
        self.blemu.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.blemu.process.send_signal(signal.SIGCONT)

    def event(self, change, **fields):
        return self.blemu.await_event("wire", change=change, **fields)

    def resident(self):
        """Returns the resident memory of blemu, KiB."""
        status = pathlib.Path(f"/proc/{self.blemu.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])
