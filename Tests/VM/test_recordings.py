"""`blemu run --capture` on the air: the recording has what bleak saw, and tshark understands all of it."""
import shutil
import struct
import subprocess

import pytest

import bluez
import hci
from device import Blemu
from patience import PATIENCE
from test_clients import FFE1, bleak

TO_CONTROLLER, TO_HOST = 0, 1
COMMAND, DATA, EVENT = 1, 2, 4
EXCHANGE_MTU, WRITE_REQUEST, NOTIFICATION, NOTIFICATIONS, WRITE_COMMAND = 0x02, 0x12, 0x1B, 0x23, 0x52
ENHANCED_PACKET, COMMENT = 6, 1


def blocks(data):
    """Returns the blocks of pcapng: their types and bodies."""
    while data:
        kind, length = struct.unpack_from("<II", data)
        assert length % 4 == 0 and data[length - 4:length] == data[4:8]
        yield kind, data[8:length - 4]
        data = data[length:]


def packets(path):
    """Returns the packets of a recording: the direction, the type, the bytes, the comment."""
    for kind, body in blocks(path.read_bytes()):
        if kind == ENHANCED_PACKET:
            length, = struct.unpack_from("<I", body, 12)
            packet, options = body[20:20 + length], body[20 + -(-length // 4) * 4:]
            comment = options[4:4 + struct.unpack_from("<H", options, 2)[0]].decode() if options[:2] == b"\1\0" else None
            yield packet[3], packet[4], packet[5:], comment


def attribute_packets(path):
    """Returns the ATT PDUs, which are short enough to be whole, with their direction and comment."""
    return [(way, packet[8:], comment) for way, kind, packet, comment in packets(path) if kind == DATA and packet[6:8] == b"\4\0"]


def written_values(path, opcode):
    return [pdu[3:].hex() for way, pdu, _ in attribute_packets(path) if (way, pdu[0]) == (TO_HOST, opcode)]


def notified_values(path):
    """Returns the values that went out. bluetoothd puts each into a Multiple Handle Value Notification if the central takes these, with
    its handle and length."""
    sent = [pdu for way, pdu, _ in attribute_packets(path) if way == TO_CONTROLLER]
    return [pdu[3 if pdu[0] == NOTIFICATION else 5:].hex() for pdu in sent if pdu[0] in (NOTIFICATION, NOTIFICATIONS)]


def assert_tshark_understands(path):
    if shutil.which("tshark"):
        def count(*arguments):
            read = subprocess.run(["tshark", "-r", path, *arguments], capture_output=True, text=True, check=True, timeout=PATIENCE)
            return len(read.stdout.splitlines())

        assert count("-Y", "_ws.malformed") == 0
        assert count() == len(list(packets(path)))


@pytest.mark.parametrize("transport", ["exact", "bluez"])
def test_a_recording_has_what_bleak_saw(transport, air, tmp_path):
    path = tmp_path / "bracelet.pcapng"
    bluez.forget_devices()
    with Blemu("bracelet", "--capture", path, on=f"{transport}:hci0") as blemu:
        air.wait_for()
        # A5, length, command, month, day, XOR: 5 packets on 2 January, 300 on 3 January
        saw = bleak("name", "Bracelet", FFE1, "subscribe", "request:A506030102A3", "receive", "command:A506030103A2", "receive")
        blemu.await_event("disconnected")
    assert saw["results"] == [None, None, "a50683050025", None, "a506832c010d"]
    assert written_values(path, WRITE_REQUEST)[-1] == "a506030102a3"
    assert written_values(path, WRITE_COMMAND) == ["a506030103a2"]
    assert notified_values(path) == ["a50683050025", "a506832c010d"]
    assert any(pdu[0] == EXCHANGE_MTU for _, pdu, _ in attribute_packets(path))
    events = [packet for way, kind, packet, _ in packets(path) if kind == EVENT]
    assert any(packet[0] == 0x3E and hci.address("hci1") in packet for packet in events)  # LE Connection Complete
    assert any(packet[0] == 0x05 for packet in events)  # Disconnection Complete
    commands = [packet for way, kind, packet, _ in packets(path) if kind == COMMAND]
    assert any(b"\x09\x09Bracelet" in packet for packet in commands)
    assert any(packet[:5] == b"\x0E\x0A\x01\x09\x10" and packet[6:12] == hci.address("hci0") for packet in events)  # Read BD_ADDR
    assert_tshark_understands(path)
    comments = [comment for _, pdu, comment in attribute_packets(path) if comment]
    assert comments == (["day-request", "day-total"] * 2 if transport == "exact" else [])
