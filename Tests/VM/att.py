"""A central that sends raw ATT PDUs on the kernel's L2CAP channel 4, so that a test controls every PDU."""
import ctypes
import dataclasses
import errno
import os
import queue
import select
import socket
import struct
import threading
import time
import uuid as uuids

import bluez
import hci
from patience import PATIENCE, eventually

LIBC = ctypes.CDLL(None, use_errno=True)
AF_BLUETOOTH, BTPROTO_L2CAP, ATT_CID, LE_PUBLIC, LE_RANDOM = 31, 0, 4, 1, 2
# An ATT bearer has no flow control: Linux drops PDUs when a socket's receive buffer is full, and the link continues
# (net/bluetooth/l2cap_core.c, l2cap_att_channel). A central that stops reading loses values, whatever the server does:
# of 300,000 bytes in values of 244 it received 54,000 with a buffer of 4 KiB, and 84,000 with one of 64 KiB. So the
# buffer here holds everything. hci.standstill() makes the other side wait.
SO_RCVBUFFORCE, RECEIVE_BUFFER = 33, 32 << 20
SOL_BLUETOOTH, BT_SECURITY = 274, 4
PRIMARY_SERVICE, SECONDARY_SERVICE, INCLUDE, CHARACTERISTIC, CCCD = "2800", "2801", "2802", "2803", "2902"
PROPERTIES = ["broadcast", "read", "write-without-response", "write", "notify", "indicate",
              "authenticated-signed-writes", "extended-properties"]


class ATTError(Exception):
    """An Error Response (Core Specification Vol 3, Part F, 3.4.1.1)."""

    def __init__(self, request, handle, code):
        super().__init__(f"error 0x{code:02X} for request 0x{request:02X} on handle 0x{handle:04X}")
        self.request, self.handle, self.code = request, handle, code


def assert_refused(code, request, *arguments):
    """Checks that the request is refused with this error."""
    try:
        answer = request(*arguments)
    except ATTError as error:
        assert error.code == code, error
    else:
        raise AssertionError(f"answered {answer!r}, not refused with 0x{code:02X}")


@dataclasses.dataclass
class Attribute:
    """A row of the attribute table. A characteristic declaration has `properties`, `value_handle` and `uuid`; a
    service declaration has a `uuid`."""

    handle: int
    type: str
    uuid: str = None
    properties: list = None
    value_handle: int = None


class Central:
    """Connects `own` to the peripheral: an adapter, or a static address. A context manager.

    mtu: the answer when the server requests an MTU exchange, as bluetoothd does; 0 refuses.
    answers: whether it answers requests of the server.
    takes_over: whether it ends a link that another program has to the peripheral. A link has one ATT bearer, so that the kernel
        refuses a second with EBUSY.
    """

    def __init__(self, peripheral="hci0", own="hci1", mtu=517, answers=True, takes_over=False):
        self.own, self.peripheral, self.mtu_answer, self.answers, self._takes_over = own, peripheral, mtu, answers, takes_over
        self.disconnected = threading.Event()
        self.confirms = True  # confirms indications at once
        self.joined = []  # how many values each Multiple Handle Value Notification has had
        self._responses, self._values = queue.Queue(), queue.Queue()
        self._socket = socket.socket(AF_BLUETOOTH, socket.SOCK_SEQPACKET, BTPROTO_L2CAP)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", PATIENCE, 0))
        self._socket.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, RECEIVE_BUFFER)
        self._call(LIBC.bind, own)
        # bluetoothd takes 100 ms to notice that attributes have changed, and refuses the next request of a central that was there
        # already (src/gatt-database.c, HASH_UPDATE_TIMEOUT).
        time.sleep(.2)
        self._connect(peripheral)
        threading.Thread(target=self._receive, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        """Disconnects, and returns when both sides have noticed, so that the next central can connect at once."""
        bluez.disconnect(self.own, self.peripheral)
        self.await_disconnection()
        self._socket.close()

    def await_disconnection(self):
        assert self.disconnected.wait(PATIENCE), "the central is still connected"

    # Requests. Each raises ATTError for an Error Response, ConnectionError when the link ends, and TimeoutError if there
    # is no response.

    def send(self, pdu):
        self._socket.send(pdu)

    def request(self, pdu):
        self.send(pdu)
        response = self._next(self._responses, PATIENCE, f"no response to {pdu.hex(' ')}")
        if response[0] == 0x01:
            raise ATTError(*struct.unpack_from("<BHB", response, 1))
        return response

    def require_encryption(self):
        """Asks the kernel to encrypt the link, and to pair if there is no key. Meanwhile nothing can be sent."""
        self._socket.setsockopt(SOL_BLUETOOTH, BT_SECURITY, bytes([2, 0]))

    def exchange_mtu(self, mtu):
        """Requests an MTU, and returns the server's."""
        return struct.unpack_from("<H", self.request(struct.pack("<BH", 0x02, mtu)), 1)[0]

    def read(self, handle):
        return self.request(struct.pack("<BH", 0x0A, handle))[1:]

    def read_blob(self, handle, offset):
        return self.request(struct.pack("<BHH", 0x0C, handle, offset))[1:]

    def read_long(self, handle):
        """Reads the whole value: a read, then blobs until one adds nothing."""
        value = self.read(handle)
        part = value
        while part:
            try:
                part = self.read_blob(handle, len(value))
            except ATTError as error:
                if error.code in (0x07, 0x0B):  # Invalid Offset, Attribute Not Long
                    return value
                raise
            value += part
        return value

    def write(self, handle, value):
        self.request(struct.pack("<BH", 0x12, handle) + value)

    def write_command(self, handle, value):
        self.send(struct.pack("<BH", 0x52, handle) + value)

    def prepare_write(self, handle, offset, value):
        """Queues a part of a long write, and returns the part that the server reports."""
        return self.request(struct.pack("<BHH", 0x16, handle, offset) + value)[5:]

    def execute_write(self, execute=True):
        self.request(bytes([0x18, 1 if execute else 0]))

    def write_long(self, handle, value, part=18):
        for offset in range(0, len(value), part):
            self.prepare_write(handle, offset, value[offset:offset + part])
        self.execute_write()

    # The attribute table.

    def find_information(self, start=1):
        """Returns (handle, type) of every attribute from that handle on."""
        return ((handle, _uuid(kind)) for handle, kind in self._listed(0x04, start))

    def characteristics(self):
        """Returns every characteristic declaration as an Attribute."""
        return (_declaration(handle, value) for handle, value in self._listed(0x08, 1, struct.pack("<H", int(CHARACTERISTIC, 16))))

    def _listed(self, opcode, start, what=b""):
        """Repeats a request until it finds no more, and returns (handle, the other bytes) of all results."""
        while start <= 0xFFFF:
            try:
                answer = self.request(struct.pack("<BHH", opcode, start, 0xFFFF) + what)
            except ATTError as error:
                if error.code == 0x0A:  # Attribute Not Found
                    return
                raise
            size = answer[1] if opcode == 0x08 else 4 if answer[1] == 1 else 18
            for at in range(2, len(answer), size):
                handle = struct.unpack_from("<H", answer, at)[0]
                yield handle, answer[at + 2:at + size]
            start = handle + 1

    def attributes(self):
        """Returns the attribute table, a list of Attribute."""
        table = []
        for handle, kind in self.find_information():
            attribute = Attribute(handle, kind)
            if kind in (PRIMARY_SERVICE, SECONDARY_SERVICE):
                attribute.uuid = _uuid(self.read(handle))
            elif kind == CHARACTERISTIC:
                attribute = _declaration(handle, self.read(handle))
            table.append(attribute)
        return table

    def services(self):
        """Returns the services with a line per attribute: [(UUID, lines)]. Lines of descriptors begin with a space."""
        found = []
        for row in self.attributes():
            if row.type in (PRIMARY_SERVICE, SECONDARY_SERVICE):
                found.append((row.uuid, lines := ["secondary"] if row.type == SECONDARY_SERVICE else []))
            elif row.type == CHARACTERISTIC:
                lines.append(f"{row.uuid}: {', '.join(row.properties)}")
                value_handle = row.value_handle
            elif row.handle != value_handle:
                lines.append(f" {row.type}")
        return found

    def own_services(self):
        """Returns the device's services by UUID, without those that bluetoothd has on every adapter: Generic Access,
        Generic Attribute and Device Information."""
        return {uuid: lines for uuid, lines in self.services() if uuid not in ("1800", "1801", "180A")}

    def characteristic(self, uuid):
        """Returns the value handle of the first characteristic with that UUID."""
        return next(each.value_handle for each in self.characteristics() if each.uuid == uuid.upper())

    def descriptor(self, value_handle, type):
        """Returns the handle of the characteristic's descriptor of that type (2902 is the CCCD)."""
        for handle, kind in self.find_information(value_handle + 1):
            if kind == type.upper():
                return handle
            if kind in (PRIMARY_SERVICE, SECONDARY_SERVICE, CHARACTERISTIC):
                break
        raise LookupError(f"handle 0x{value_handle:04X} has no descriptor {type}")

    # Notifications and indications. While `confirms` is true, indications are confirmed as they arrive.

    def subscribe(self, value_handle, indications=False):
        """Subscribes. If the characteristic can be read, waits until blemu knows the subscription: bluetoothd (5.66)
        answers earlier, and loses an unsubscription that arrives in between."""
        self.write(self.descriptor(value_handle, CCCD), b"\2\0" if indications else b"\1\0")
        try:
            self.read(value_handle)
        except ATTError:
            pass

    def unsubscribe(self, value_handle):
        self.write(self.descriptor(value_handle, CCCD), b"\0\0")

    def notification(self, timeout=PATIENCE):
        """Returns the next notified or indicated value; its handle is in `last_handle`."""
        self.last_handle, value = self._next(self._values, timeout, "no notification")
        return value

    def values(self, length):
        """Returns the next values, with a total of `length` bytes."""
        values = []
        while sum(map(len, values)) < length:
            values.append(self.notification())
        return values

    def stream(self, length):
        """Returns the next `length` bytes."""
        return b"".join(self.values(length))

    def rest(self, seconds):
        """Returns all bytes until none arrive for this time."""
        data = b""
        try:
            while True:
                data += self.notification(seconds)
        except TimeoutError:
            return data

    def waiting(self):
        """Returns the values that have arrived but are not taken."""
        values = [self.notification() for _ in range(self._values.qsize() - self.disconnected.is_set())]
        return b"".join(values)

    def confirm(self):
        """Confirms an indication."""
        self.send(b"\x1e")

    def no_notification(self, seconds):
        """Fails if a value arrives within this time."""
        try:
            value = self.notification(seconds)
        except (TimeoutError, ConnectionError):
            return
        raise AssertionError(f"unexpected notification {value.hex(' ')}")

    # Implementation.

    def _next(self, queue_of_theirs, timeout, complaint):
        try:
            item = queue_of_theirs.get(timeout=timeout)
        except queue.Empty:
            raise TimeoutError(complaint) from None
        if item is None:
            queue_of_theirs.put(None)  # for other threads that wait
            raise ConnectionError(f"{complaint}: the link has ended")
        return item

    def _call(self, function, adapter):
        # struct sockaddr_l2: family, PSM, address, CID, address type. Python's version has no CID.
        address = struct.pack("<HH6sHBx", AF_BLUETOOTH, 0, hci.address(adapter), ATT_CID, LE_RANDOM if ":" in adapter else LE_PUBLIC)
        if function(self._socket.fileno(), address, len(address)):
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    def _connect(self, adapter):
        def is_connected():
            try:
                self._call(LIBC.connect, adapter)
                return True
            except OSError as error:
                errors.append(error)  # busy with another link, or not yet powered
                if self._takes_over and error.errno == errno.EBUSY:
                    hci.disconnect(self.own)

        errors = []
        try:
            eventually(is_connected, lambda: f"no connection to {adapter}: {errors[-1]}")
        except TimeoutError:
            self._socket.close()
            raise

    def _has_ended(self, within):
        """Whether the link ends within so many seconds. A socket whose link waits for encryption gives the same error as one whose link has ended."""
        descriptor = self._socket.fileno()
        if descriptor < 0:
            return True
        poll = select.poll()
        poll.register(descriptor, 0)
        return any(events & (select.POLLHUP | select.POLLNVAL) for _, events in poll.poll(within * 1000))

    def _receive(self):
        has_failed = False
        while True:
            # A process that waits in recv has the socket's lock on Linux 6.1.176, and the adapter's receiving waits for that (l2cap_sock_recv_cb).
            select.select([self._socket], [], [])
            try:
                pdu = self._socket.recv(1024, socket.MSG_DONTWAIT)
            except OSError as error:
                if error.errno == errno.ENOTCONN and not self._has_ended(within=0.01):
                    continue  # it waits for the encryption (require_encryption)
                if not has_failed:
                    has_failed = True
                    continue  # the socket reports the end of the link, once, before what has arrived before it (net/core/datagram.c)
                pdu = b""
            if not pdu:
                self.disconnected.set()
                self._responses.put(None)
                self._values.put(None)
                return
            try:
                self._received(pdu)
            except OSError:
                pass  # the link has ended; the next recv reports it

    def _joined(self, values):
        """Takes the values of a Multiple Handle Value Notification."""
        found = []
        while values:
            handle, size = struct.unpack_from("<HH", values)
            found.append((handle, values[4:4 + size]))
            values = values[4 + size:]
        self.joined.append(len(found))
        for each in found:
            self._values.put(each)

    def _received(self, pdu):
        opcode = pdu[0]
        if opcode in (0x1B, 0x1D):
            self._values.put((struct.unpack_from("<H", pdu, 1)[0], pdu[3:]))
            if opcode == 0x1D and self.confirms:
                self.confirm()
        elif opcode == 0x23:
            self._joined(pdu[1:])
        elif opcode & 1:
            self._responses.put(pdu)
        elif self.answers:
            # bluetoothd is also a client: without answers, its ATT bearer times out after 30 s.
            if opcode == 0x02 and self.mtu_answer:
                self.send(struct.pack("<BH", 0x03, self.mtu_answer))
            elif opcode == 0x02:
                self.send(b"\x01\x02\x00\x00\x06")  # Request Not Supported
            elif not opcode & 0x40:
                self.send(bytes([0x01, opcode]) + pdu[1:3] + b"\x0a")  # Attribute Not Found


def _declaration(handle, value):
    """Parses the value of a characteristic declaration: properties, value handle, UUID (Core Specification Vol 3, Part G, 3.3.1)."""
    properties, value_handle = struct.unpack_from("<BH", value)
    names = [name for bit, name in enumerate(PROPERTIES) if properties >> bit & 1]
    return Attribute(handle, CHARACTERISTIC, _uuid(value[3:]), names, value_handle)


def _uuid(data):
    if len(data) == 2:
        return f"{struct.unpack('<H', data)[0]:04X}"
    return str(uuids.UUID(bytes=data[::-1])).upper()
