"""Reads what was sent to a controller from the capture that btmon writes."""
import dataclasses
import os
import struct
import time

COMMAND = 2  # of the monitor's packet types
SET_PARAMETERS, SET_DATA, SET_SCAN_RESPONSE, SET_ENABLE = 0x2006, 0x2008, 0x2009, 0x200A
SET_EXTENDED_PARAMETERS, SET_EXTENDED_DATA, SET_EXTENDED_SCAN_RESPONSE, SET_EXTENDED_ENABLE = 0x2036, 0x2037, 0x2038, 0x2039
CAPTURE = os.path.join(os.environ.get("VM_LOGS", "."), "btsnoop")


@dataclasses.dataclass
class Advertising:
    """One advertising set as the controller was told. Intervals are in milliseconds."""

    data: bytes = b""
    scan_response: bytes = b""
    interval: tuple = None
    enabled: bool = False


def commands(adapter="hci0", capture=CAPTURE):
    """(opcode, parameters) of every HCI command to the adapter, in order."""
    with open(capture, "rb") as file:
        content = file.read()
    if content[:8] != b"btsnoop\0" or struct.unpack_from(">I", content, 12)[0] != 2001:
        raise ValueError(f"{capture} is no btmon capture")
    found, at = [], 16
    while at + 24 <= len(content):
        length, flags = struct.unpack_from(">4xII", content, at)
        packet = content[at + 24:at + 24 + length]
        at += 24 + length
        # The flags are the controller's index and the type of packet.
        if flags >> 16 == int(adapter.removeprefix("hci")) and flags & 0xFFFF == COMMAND and len(packet) >= 3:
            found.append((struct.unpack_from("<H", packet)[0], packet[3:]))
    return found


def advertising(adapter="hci0", capture=CAPTURE):
    """What each advertising set of the adapter was last told: {handle: Advertising}."""
    sets = {}
    for opcode, parameters in commands(adapter, capture):
        _apply(sets, opcode, parameters)
    return sets


def wait_for_advertising(matches, adapter="hci0", timeout=20, capture=CAPTURE):
    """The first advertising set of the adapter for which `matches(set)` holds."""
    deadline = time.monotonic() + timeout
    while True:
        sets = advertising(adapter, capture)
        for candidate in sets.values():
            if matches(candidate):
                return candidate
        if time.monotonic() > deadline:
            raise TimeoutError(f"{adapter} advertises {sets}")
        time.sleep(0.1)


def structures(data):
    """The AD structures of advertising data: [(type, bytes)]."""
    found, at = [], 0
    while at < len(data) and data[at]:
        found.append((data[at + 1], data[at + 2:at + 1 + data[at]]))
        at += 1 + data[at]
    return found


def _apply(sets, opcode, parameters):
    if opcode in (SET_PARAMETERS, SET_DATA, SET_SCAN_RESPONSE, SET_ENABLE):
        target = sets.setdefault(0, Advertising())
        if opcode == SET_PARAMETERS:
            target.interval = tuple(units * 0.625 for units in struct.unpack_from("<HH", parameters))
        elif opcode == SET_DATA:
            target.data = parameters[1:1 + parameters[0]]
        elif opcode == SET_SCAN_RESPONSE:
            target.scan_response = parameters[1:1 + parameters[0]]
        else:
            target.enabled = parameters[0] == 1
    elif opcode == SET_EXTENDED_PARAMETERS:
        low, high = (int.from_bytes(parameters[at:at + 3], "little") * 0.625 for at in (3, 6))
        sets.setdefault(parameters[0], Advertising()).interval = (low, high)
    elif opcode in (SET_EXTENDED_DATA, SET_EXTENDED_SCAN_RESPONSE):
        handle, operation, _, length = parameters[:4]
        name = "data" if opcode == SET_EXTENDED_DATA else "scan_response"
        target = sets.setdefault(handle, Advertising())
        # 0 and 2 are the middle and the last fragment.
        before = getattr(target, name) if operation in (0, 2) else b""
        setattr(target, name, before + parameters[4:4 + length])
    elif opcode == SET_EXTENDED_ENABLE:
        handles = [parameters[2 + 4 * n] for n in range(parameters[1])] or list(sets)
        for handle in handles:
            sets.setdefault(handle, Advertising()).enabled = parameters[0] == 1
