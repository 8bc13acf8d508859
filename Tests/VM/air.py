"""Reads from the kernel's monitor channel what the host tells the controllers to advertise, what they hear of each other, and how
links change.

(btmon of BlueZ 5.66, which could record it, crashes with some links.)
"""
import contextlib
import ctypes
import dataclasses
import functools
import os
import select
import socket
import struct
import threading
import time

import hci
from patience import PATIENCE

MONITOR_CHANNEL, NO_DEVICE = 2, 0xFFFF
COMMAND, EVENT = 2, 3  # packet types of the monitor
COMMAND_COMPLETE, LE_META = 0x0E, 0x3E  # events (Vol 4, Part E, 7.7)
CONNECTION_UPDATED, PHY_UPDATED = bytes((LE_META, 0x03)), bytes((LE_META, 0x0C))
SET_PARAMETERS, SET_DATA, SET_SCAN_RESPONSE, SET_ENABLE, RESET = 0x2006, 0x2008, 0x2009, 0x200A, 0x0C03
SET_EXTENDED_PARAMETERS, SET_EXTENDED_DATA, SET_EXTENDED_SCAN_RESPONSE, SET_EXTENDED_ENABLE = 0x2036, 0x2037, 0x2038, 0x2039
SET_RANDOM_ADDRESS = 0x2035
REMOVE_SET, CLEAR_SETS = 0x203C, 0x203D
# Subevents of LE Meta (7.7.65.2 and 7.7.65.13), and the kinds of PDU in each. The scan response to a scannable PDU has its own number.
ADVERTISING_REPORT, EXTENDED_ADVERTISING_REPORT = 0x02, 0x0D
KINDS = {0: "ADV_IND", 2: "ADV_SCAN_IND", 3: "ADV_NONCONN_IND", 4: "SCAN_RSP"}
EXTENDED_KINDS = {0x13: "ADV_IND", 0x12: "ADV_SCAN_IND", 0x10: "ADV_NONCONN_IND", 0x15: "ADV_DIRECT_IND", 0x1B: "SCAN_RSP", 0x1A: "SCAN_RSP"}
# With PDUs of extended advertising, whose reports also have the primary and the secondary PHY.
KINDS_ON_PHYS = {0: "broadcast", 1: "connectable", 2: "scannable", 5: "directed", 0xA: "scan response"}
PHYS = {0: "none", 1: "1M", 2: "2M", 3: "coded"}
MORE_TO_COME, LEGACY = 1, 0x10


@dataclasses.dataclass
class Advertising:
    """An advertising set as the host configured it. Intervals are in milliseconds."""

    data: bytes = b""
    scan_response: bytes = b""
    interval: tuple = None
    enabled: bool = False
    connectable: bool = None
    channels: set = None
    address: bytes = None  # as on the air; None: the adapter's


class Air:
    """Follows the advertising sets and the links of all adapters. Each answer takes into account what the kernel has reported until
    it was asked for."""

    def __init__(self):
        self._sets, self._intervals, self._phys, self._lock = {}, {}, {}, threading.Lock()
        self._fragments = {}  # of reports that are not complete
        self._unanswered = {}  # the sets whose first parameters the controller has not taken yet
        self._heard = set()  # adapter, address of the advertiser, kind of PDU, data
        self._socket = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI)
        self._socket.setsockopt(socket.SOL_SOCKET, 33, 4 << 20)  # SO_RCVBUFFORCE: the socket drops packets when its buffer is full
        _attach_filter(self._socket)
        # struct sockaddr_hci: family, device, channel. Python's version has no channel.
        address = struct.pack("<HHH", socket.AF_BLUETOOTH, NO_DEVICE, MONITOR_CHANNEL)
        if ctypes.CDLL(None, use_errno=True).bind(self._socket.fileno(), address, len(address)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
        threading.Thread(target=self._follow, daemon=True).start()

    def wait_for(self, matches=lambda _: True, adapter="hci0"):
        """Returns the first enabled advertising set of the adapter for which `matches(set)` is true."""
        return self._wait(lambda sets: next((each for each in sets.values() if each.enabled and matches(each)), None), adapter)

    def wait_for_silence(self, adapter="hci0"):
        """Waits until no set of the adapter is enabled."""
        self.wait_for_sets(0, adapter)

    def wait_for_sets(self, count, adapter="hci0"):
        """Waits until this many sets of the adapter are enabled, and returns their numbers."""
        def look(sets):
            numbers = sorted(number for number, each in sets.items() if each.enabled)
            return len(numbers) == count and (numbers,)

        return self._wait(look, adapter)[0]

    def wait_for_interval(self, handle, adapter="hci0"):
        """Waits until the link with this handle has changed its connection interval, and returns it in milliseconds."""
        return self._wait_for_link(self._intervals, adapter, handle)

    def wait_for_phys(self, handle, adapter="hci0"):
        """Waits until the link with this handle has changed its PHYs, and returns those to send and to receive: 1 LE 1M, 2 LE 2M,
        3 LE Coded."""
        return self._wait_for_link(self._phys, adapter, handle)

    def forget_reports(self):
        """Forgets what has been heard, and what an earlier device has sent: a PDU is in the air for 2 ms."""
        time.sleep(.1)
        with self._up_to_date():
            self._heard.clear()

    def sets(self, adapter="hci0"):
        """Returns the numbers of the adapter's sets, enabled or not."""
        with self._up_to_date():
            return sorted(self._sets.get(hci.index(adapter), {}))

    def wait_to_hear(self, kind, data, of="hci0", by="hci1"):
        """Waits until `by`, which scans, has heard this PDU of the adapter `of`, or of an address in bytes; None: of any."""
        with self._up_to_date():
            found = self._wait_until(lambda: (kind, data) in self._pdus(of, by))
            assert found, f"{by} has heard {[(kind, data.hex(' ')) for kind, data in self._pdus(of, by)]}"

    def heard(self, of="hci0", by="hci1"):
        """Returns the PDUs that `by` has heard of the adapter or address `of`: {(kind, data)}."""
        with self._up_to_date():
            return self._pdus(of, by)

    def _pdus(self, of, by):
        wanted = hci.address(of) if isinstance(of, str) else of
        return {(kind, data) for adapter, address, kind, data in self._heard if adapter == by and wanted in (None, address)}

    def _wait_for_link(self, changes, adapter, handle):
        with self._up_to_date():
            assert self._wait_until(lambda: (adapter, handle) in changes), f"{adapter} has not changed link {handle}"
            return changes.pop((adapter, handle))

    def _wait(self, look, adapter):
        def sets():
            return self._sets.get(hci.index(adapter), {})

        with self._up_to_date():
            found = self._wait_until(lambda: look(sets()))
            assert found, f"{adapter} advertises {sets()}"
            return found

    @contextlib.contextmanager
    def _up_to_date(self):
        """Holds the lock, with everything taken that the kernel has reported."""
        with self._lock:
            self._take_all()
            yield

    def _wait_until(self, look):
        """Returns what `look` returns once that is true; at the end of the patience, what is not. The caller holds the lock."""
        deadline = time.monotonic() + PATIENCE
        while not (found := look()) and (left := deadline - time.monotonic()) > 0:
            select.select([self._socket], [], [], left)
            self._take_all()
        return found

    def _follow(self):
        """Empties the socket before its buffer is full. To wake for each packet, while nobody asks, would take a third of the
        emulated processor's time for the programs under test."""
        while True:
            time.sleep(.5)
            with self._lock:
                self._take_all()

    def _take_all(self):
        with contextlib.suppress(BlockingIOError):
            while True:
                self._take(self._socket.recv(4096, socket.MSG_DONTWAIT))

    def _take(self, packet):
        kind, index, _ = struct.unpack_from("<HHH", packet)
        sets = self._sets.setdefault(index, {})
        if kind == COMMAND:
            # After the monitor's header: opcode, length, parameters
            opcode, parameters = struct.unpack_from("<H", packet, 6)[0], packet[9:]
            if opcode == SET_EXTENDED_PARAMETERS:
                self._unanswered[index] = None if parameters[0] in sets else parameters[0]
            _apply(sets, opcode, parameters)
        elif packet[6] == COMMAND_COMPLETE:
            # Code, length, number of commands, opcode, status
            if packet[11]:
                sets.pop(self._unanswered[index], None)
        elif (handle := _ended_by_connection(packet[6:], sets)) in sets:
            sets[handle].enabled = False
        elif packet[6:10:2] == CONNECTION_UPDATED:
            status, handle, interval = struct.unpack_from("<BHH", packet, 9)
            if not status:
                self._intervals[f"hci{index}", handle] = interval * 1.25
        elif packet[6:10:2] == PHY_UPDATED:
            status, handle, *phys = struct.unpack_from("<BHBB", packet, 9)
            if not status:
                self._phys[f"hci{index}", handle] = tuple(phys)
        self._heard.update((f"hci{index}", *report) for report in _reports(packet[6:], self._fragments.setdefault(index, {})))


def _attach_filter(monitor):
    """Passes only what Air looks at: commands, LE Meta events, and the answers to LE Set Extended Advertising Parameters (socket(7),
    SO_ATTACH_FILTER). Before each packet are the monitor's opcode, its index and a length, 2 bytes each."""
    load_byte, load_half, jump_if_equal, let_go = 0x30, 0x28, 0x15, 0x06  # linux/bpf_common.h
    program = [  # struct sock_filter: code; jumps in instructions, if true and if false; operand
        (load_byte, 0, 0, 0),
        (jump_if_equal, 6, 0, COMMAND),
        (jump_if_equal, 0, 6, EVENT),
        (load_byte, 0, 0, 6),
        (jump_if_equal, 3, 0, LE_META),
        (jump_if_equal, 0, 3, COMMAND_COMPLETE),
        (load_half, 0, 0, 9),
        (jump_if_equal, 0, 1, int.from_bytes(struct.pack("<H", SET_EXTENDED_PARAMETERS), "big")),
        (let_go, 0, 0, 0xFFFF),
        (let_go, 0, 0, 0),
    ]
    instructions = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in program))
    # struct sock_fprog
    monitor.setsockopt(socket.SOL_SOCKET, 26, struct.pack("HP", len(program), ctypes.addressof(instructions)))


def structures(data):
    """Returns the AD structures of advertising data: [(type, bytes)]."""
    found, at = [], 0
    while at < len(data) and data[at]:
        found.append((data[at + 1], data[at + 2:at + 1 + data[at]]))
        at += 1 + data[at]
    return found


def _apply(sets, opcode, parameters):
    if opcode in (RESET, CLEAR_SETS):
        sets.clear()
    elif opcode == REMOVE_SET:
        sets.pop(parameters[0], None)
    elif opcode in (SET_PARAMETERS, SET_DATA, SET_SCAN_RESPONSE, SET_ENABLE):
        target = sets.setdefault(0, Advertising())
        if opcode == SET_PARAMETERS:
            target.interval = tuple(units * 0.625 for units in struct.unpack_from("<HH", parameters))
            target.connectable = parameters[4] in (0, 1, 4)  # ADV_IND, and both kinds of directed advertising
        elif opcode == SET_DATA:
            target.data = parameters[1:1 + parameters[0]]
        elif opcode == SET_SCAN_RESPONSE:
            target.scan_response = parameters[1:1 + parameters[0]]
        else:
            target.enabled = parameters[0] == 1
    elif opcode == SET_EXTENDED_PARAMETERS:
        low, high = (int.from_bytes(parameters[at:at + 3], "little") * 0.625 for at in (3, 6))
        target = sets.setdefault(parameters[0], Advertising())
        target.interval, target.connectable = (low, high), parameters[1] & 1 == 1
        target.channels = {37 + bit for bit in range(3) if parameters[9] >> bit & 1}
        target.address = target.address if parameters[10] else None
    elif opcode == SET_RANDOM_ADDRESS:
        sets.setdefault(parameters[0], Advertising()).address = parameters[1:7]
    elif opcode in (SET_EXTENDED_DATA, SET_EXTENDED_SCAN_RESPONSE):
        handle, operation, _, length = parameters[:4]
        name = "data" if opcode == SET_EXTENDED_DATA else "scan_response"
        target = sets.setdefault(handle, Advertising())
        # 0 and 2 are a middle and the last fragment.
        before = getattr(target, name) if operation in (0, 2) else b""
        setattr(target, name, before + parameters[4:4 + length])
    elif opcode == SET_EXTENDED_ENABLE:
        handles = [parameters[2 + 4 * n] for n in range(parameters[1])] or list(sets)
        # The controller refuses to enable a set without parameters (Vol 4 Part E 7.8.56). Linux asks for that at times, when the
        # link ends that has ended a set that is gone.
        for handle in set(handles) & set(sets):
            sets[handle].enabled = parameters[0] == 1


def _reports(event, fragments):
    """Yields the PDUs that an advertising report has: address, kind, data. The kind of extended advertising names its primary and
    secondary PHY: 'broadcast 1M/2M'. Data in several reports is joined; `fragments` keeps those that are not complete."""
    if event[0] != LE_META or event[2] not in (ADVERTISING_REPORT, EXTENDED_ADVERTISING_REPORT):
        return
    at = 4
    for _ in range(event[3]):
        if event[2] == ADVERTISING_REPORT:  # kind, kind of address, address, length; data, RSSI
            kind, start = KINDS.get(event[at]), at + 9
            address, data, at = event[at + 2:at + 8], event[start:start + event[at + 8]], start + event[at + 8] + 1
        else:  # kind of event (2), kind of address, address, PHYs (2), set; 11 bytes that do not matter here; length; data
            bits, start = struct.unpack_from("<H", event, at)[0], at + 24
            address, phys, number = event[at + 3:at + 9], event[at + 9:at + 11], event[at + 11]
            data, at = event[start:start + event[at + 23]], start + event[at + 23]
            if bits & LEGACY:
                kind = EXTENDED_KINDS.get(bits)
            else:
                kind = "{} {}/{}".format(KINDS_ON_PHYS.get(bits & 0xF), *(PHYS.get(phy) for phy in phys))
                key, status = (address, kind, number), bits >> 5 & 3
                data = fragments.pop(key, b"") + data
                if status == MORE_TO_COME:
                    fragments[key] = data
                    continue
        if kind:
            yield address, kind, data


def _ended_by_connection(event, sets):
    """Returns the advertising set that a connection has ended: after legacy commands, set 0 (Vol 4, Part E, 7.8.9)."""
    if event[0] == LE_META and event[2] == 0x12:  # LE Advertising Set Terminated: status, handle
        return event[4]
    # LE (Enhanced) Connection Complete, success; role at 4: peripheral
    if event[0] == LE_META and event[2] in (0x01, 0x0A) and event[3] == 0 and event[6] == 1:
        return 0 if 0 in sets and not sets[0].channels else None


@functools.cache
def air():
    """The Air that has followed from the beginning, because the kernel does not repeat commands to the controller."""
    return Air()
