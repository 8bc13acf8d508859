"""Credit-based channels of L2CAP, with the kernel as the central."""
import contextlib
import ctypes
import errno
import itertools
import os
import pathlib
import select
import socket
import struct
import threading

import pytest

import hci
from att import AF_BLUETOOTH, BTPROTO_L2CAP, LE_PUBLIC, LIBC, Central
from device import REPOSITORY, Blemu
from patience import PATIENCE

CHANNELS = pathlib.Path(REPOSITORY) / "Tests/Radio/definitions/channels.yaml"
BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 200_000))  # 251 is prime: no two SDUs are the same
SDU = 300  # the MTU of the channel 'stream'


class Channel:
    """A channel of a central that is connected. A context manager that closes it."""

    def __init__(self, psm, peripheral="hci0", own="hci1"):
        self.socket = socket.socket(AF_BLUETOOTH, socket.SOCK_SEQPACKET, BTPROTO_L2CAP)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", int(PATIENCE), 0))
        self._call(LIBC.bind, own, 0)
        try:
            self._call(LIBC.connect, peripheral, psm)
        except OSError:
            self.socket.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def _call(self, function, adapter, psm):
        # struct sockaddr_l2: family, PSM, address, CID, address type. The kernel chooses LE credit-based mode for a PSM on LE.
        address = struct.pack("<HH6sHBx", AF_BLUETOOTH, psm, hci.address(adapter), 0, LE_PUBLIC)
        if function(self.socket.fileno(), address, len(address)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def receive(self):
        """The next SDU; empty: the channel has closed."""
        assert select.select([self.socket], [], [], PATIENCE)[0], "nothing has arrived"
        try:
            return self.socket.recv(1024, socket.MSG_DONTWAIT)
        except ConnectionResetError:
            return b""

    def receive_all(self, count):
        received = b""
        while len(received) < count:
            sdu = self.receive()
            assert sdu, "the channel has closed"
            received += sdu
        return received


@contextlib.contextmanager
def device(transport="exact"):
    with Blemu(CHANNELS, on=f"{transport}:hci0") as blemu, Central() as central:
        yield blemu, central


def test_bytes_come_back_unchanged():
    with device(), Channel(0x80) as channel:
        def send():
            for start in range(0, len(BYTES), SDU):
                channel.socket.send(BYTES[start:start + SDU])

        sender = threading.Thread(target=send, daemon=True)
        sender.start()
        assert channel.receive_all(len(BYTES)) == BYTES
        sender.join(PATIENCE)


def test_a_central_opens_the_channel_whose_number_it_reads():
    with device() as (_, central):
        stream, lines = central.read(central.characteristic("FFE2"))
        with Channel(stream) as channel:
            channel.socket.send(b"Hello")
            assert channel.receive() == b"Hello"
        with Channel(lines) as channel:
            channel.socket.send(b"Hello\n")
            assert channel.receive() == b"5"


def test_on_bluez_a_central_reads_the_number_and_opens_nothing():
    with device("bluez") as (_, central):
        number, _ = central.read(central.characteristic("FFE2"))
        with pytest.raises(OSError) as refusal:
            Channel(number)
        assert refusal.value.errno == errno.ECONNREFUSED


def test_a_channel_that_there_is_not_is_refused():
    with device(), pytest.raises(OSError) as refusal:
        Channel(0x90)
    assert refusal.value.errno == errno.ECONNREFUSED


def test_either_side_closes_the_channel():
    with device():
        for _ in range(2):
            with Channel(0x80) as channel:
                channel.socket.send(b"Hello")
                assert channel.receive() == b"Hello"
        with Channel(0x80) as channel:
            channel.socket.send(b"END")
            assert channel.receive() == b""
