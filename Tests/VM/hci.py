"""Addresses, links and commands of the controllers, on HCI sockets, the kernel's management interface, and a way to stop the
controllers."""
import contextlib
import ctypes
import fcntl
import os
import pathlib
import signal
import socket
import struct

from patience import PATIENCE, eventually

HCI_LM_ENCRYPT = 4
HCIGETDEVINFO = 0x800448D3
NO_DEVICE, USER_CHANNEL, CONTROL_CHANNEL = 0xFFFF, 1, 3
HCIGETCONNLIST = 0x800448D4


def index(adapter):
    return int(adapter.removeprefix("hci"))


def adapters():
    """Returns the names of all adapters, in order."""
    return sorted((path.name for path in pathlib.Path("/sys/class/bluetooth").glob("hci*") if ":" not in path.name), key=index)


def address(adapter):
    """Returns the adapter's address as on the air: six bytes, the last one first. A text with an address stands for itself."""
    if ":" in adapter:
        return bytes(reversed(bytes.fromhex(adapter.replace(":", ""))))
    with _control() as control:
        info = bytearray(struct.pack("<H", index(adapter)) + bytes(270))
        fcntl.ioctl(control, HCIGETDEVINFO, info)
    return bytes(info[10:16])


def address_text(adapter):
    return ":".join(f"{byte:02X}" for byte in reversed(address(adapter)))


def links(adapter):
    """Returns the handles of the adapter's links."""
    return [handle for handle, _ in _connections(adapter)]


def is_encrypted(adapter):
    """Whether the adapter has links, each of which is encrypted."""
    modes = [mode for _, mode in _connections(adapter)]
    return bool(modes) and all(mode & HCI_LM_ENCRYPT for mode in modes)


def _connections(adapter):
    """Returns the handle and the link mode of each link."""
    with _control() as control:
        answer = bytearray(struct.pack("<HH", index(adapter), 16) + bytes(16 * 16))
        fcntl.ioctl(control, HCIGETCONNLIST, answer)
    count = struct.unpack_from("<H", answer, 2)[0]
    # struct hci_conn_info: handle, address, type, out, state, link mode
    return [struct.unpack_from("<H6sBBHI", answer, 4 + 16 * n)[::5] for n in range(count)]


def disconnect(adapter, reason=0x13):
    """Ends the adapter's links at once, for a reason of HCI Disconnect, and returns when they have ended.

    Otherwise the kernel keeps a link for 2 s after its last socket was closed, and a new connection would
    find it half closed.
    """
    for handle in links(adapter):
        command(adapter, 0x0406, struct.pack("<HB", handle, reason))  # Disconnect
    eventually(lambda: not links(adapter), lambda: f"{adapter} still has links")


def command(adapter, opcode, parameters):
    """Sends an HCI command to the controller."""
    with _control() as raw:
        raw.bind((index(adapter),))
        raw.send(struct.pack("<BHB", 0x01, opcode, len(parameters)) + parameters)


def control_channel():
    """Returns a socket of the kernel's management interface."""
    return _channel(NO_DEVICE, CONTROL_CHANNEL)


def _channel(device, channel):
    opened = _control()
    # struct sockaddr_hci: family, device, channel. Python's version has no channel.
    address = struct.pack("<HHH", socket.AF_BLUETOOTH, device, channel)
    if ctypes.CDLL(None, use_errno=True).bind(opened.fileno(), address, len(address)):
        opened.close()
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return opened


def manage(adapter, opcode, parameters=b""):
    """Performs a command of the kernel's management interface (bluez: doc/mgmt-api.txt), and returns its answer."""
    with control_channel() as control:
        control.settimeout(PATIENCE)
        control.send(struct.pack("<HHH", opcode, index(adapter), len(parameters)) + parameters)
        while True:
            answer = control.recv(1024)
            # Command Complete 1 or Command Status 2; controller, length; opcode, status
            if len(answer) < 9:
                continue
            event, _, _, answered = struct.unpack_from("<HHHH", answer)
            if event in (1, 2) and answered == opcode:
                if answer[8] != 0:
                    raise Refused(f"{adapter} refused command 0x{opcode:04X} with status {answer[8]}")
                return answer[9:]


def take(adapter):
    """Takes an adapter from the kernel, which has it again when the socket that this returns is closed."""
    def bind():
        try:
            return _channel(index(adapter), USER_CHANNEL)
        except OSError:  # it is not off yet
            return None

    set_powered(adapter, False)
    return eventually(bind, lambda: f"{adapter} is busy")


@contextlib.contextmanager
def taken(adapter):
    """A time in which the kernel does not have the adapter."""
    opened = take(adapter)
    try:
        yield
    finally:
        opened.close()
        eventually(lambda: _is_back(adapter), lambda: f"{adapter} is off")


@contextlib.contextmanager
def static_address(adapter, address):
    """A time in which the kernel gives the adapter's links and advertisements a static address."""
    set_bredr, set_static_address = 0x002A, 0x002B

    def change(address, has_bredr):
        set_powered(adapter, False)
        manage(adapter, set_static_address, address)
        set_powered(adapter, True)
        with contextlib.suppress(Refused):  # the controller is one for LE alone
            manage(adapter, set_bredr, bytes([has_bredr]))

    change(address, False)
    try:
        yield
    finally:
        change(bytes(6), True)


def _is_back(adapter):
    try:
        return is_powered(adapter)
    except Refused:  # the kernel does not have it yet
        return False


@contextlib.contextmanager
def discovery(adapter="hci1"):
    """A time, of 10 s at most, in which the kernel lets the adapter scan, with or without bluetoothd."""
    kinds = b"\6"  # LE Public, LE Random
    manage(adapter, 0x0023, kinds)  # Start Discovery
    try:
        yield
    finally:
        with contextlib.suppress(Refused):  # it has ended
            manage(adapter, 0x0024, kinds)  # Stop Discovery


class SilentCentral:
    """Takes an adapter from the kernel and connects it to a peripheral. No host answers there. A context manager."""

    def __init__(self, own, peripheral="hci0"):
        self._own, self._peripheral = own, address(peripheral)

    def __enter__(self):
        self._socket = take(self._own)
        self._socket.settimeout(PATIENCE)
        self._command(0x0C03)  # Reset
        self._command(0x0C01, b"\xff" * 8)  # Set Event Mask
        # LE Create Connection: scan interval and window; no filter; the peer; own address; interval of the link, latency, timeout,
        # lengths of its events
        self._command(0x200D, struct.pack("<HHBB6sB6H", 0x60, 0x60, 0, 0, self._peripheral, 0, 24, 40, 0, 500, 0, 0))
        self._await(0x3E)  # LE Connection Complete
        return self

    def __exit__(self, *_):
        self._socket.close()

    def await_disconnection(self):
        self._await(0x05)

    def _command(self, opcode, parameters=b""):
        self._socket.send(struct.pack("<BHB", 0x01, opcode, len(parameters)) + parameters)

    def _await(self, event):
        while self._socket.recv(2048)[:2] != bytes([0x04, event]):
            pass


class PairingPackets:
    """Hears the Security Manager's packets of an adapter, both ways. A context manager."""

    def __init__(self, adapter):
        self._socket = _control()
        self._socket.settimeout(PATIENCE)
        # struct hci_filter: packet types, events, opcode
        self._socket.setsockopt(0, 2, struct.pack("<IIIHxx", 1 << 2, 0, 0, 0))
        self._socket.bind((index(adapter),))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def authentication(self, code):
        """Returns the AuthReq of the next packet with this code (Core Specification, Vol 3 Part H 3.5.1)."""
        return self._next(code)[3]

    def _next(self, code):
        while True:
            packet = self._socket.recv(2048)  # 0x02, handle, length; length, channel 6, packet
            if packet[7:10] == bytes([6, 0, code]):
                return packet[9:]


class Refused(Exception):
    """The kernel has refused a command of its management interface."""


def settings(adapter):
    """Returns the adapter's current settings, a set of bits."""
    return struct.unpack_from("<I", manage(adapter, 0x0004), 13)[0]  # Read Controller Information: 6 + 1 + 2 + 4 bytes before them


def is_powered(adapter):
    return bool(settings(adapter) & 1)


def forget_parameters(own, peripheral):
    """Makes the kernel forget the connection parameters that links to a peripheral have had. It does so with a device that is added
    and removed (add_device and remove_device of net/bluetooth/mgmt.c)."""
    for opcode, action in ((0x0033, b"\0"), (0x0034, b"")):  # Add Device, for reports; Remove Device
        manage(own, opcode, address(peripheral) + b"\1" + action)


def set_powered(adapter, on):
    """Switches an adapter on or off.

    Just after another such command the kernel may answer without doing it, and its answer, the current settings, shows that.
    """
    eventually(lambda: manage(adapter, 0x0005, bytes([on]))[0] & 1 == on, lambda: f"{adapter} cannot be switched {on}")


def remove_advertising_instances(adapter="hci0"):
    """Removes the kernel's advertising instances, of all programs, and returns their numbers.

    Read Advertising Features does not show those with a number above their count (read_adv_features, net/bluetooth/mgmt.c).
    """
    found = []
    for number in range(1, 1 + maximum_advertising_instances(adapter)):
        with contextlib.suppress(Refused):  # there is none
            manage(adapter, 0x003F, bytes([number]))
            found.append(number)
    return found


def maximum_advertising_instances(adapter="hci0"):
    return manage(adapter, 0x003D)[6]  # Read Advertising Features: 4 bytes and two lengths before it


def block(adapter, blocked):
    """Blocks the adapter's radio, like a switch of a laptop, or unblocks it (Documentation/driver-api/rfkill.rst)."""
    switch, = pathlib.Path("/sys/class/bluetooth", adapter).glob("rfkill*/soft")
    switch.write_text(str(int(blocked)))


@contextlib.contextmanager
def standstill():
    """A context in which the virtual controllers stand still: nothing passes on the air, and no link ends."""
    controllers = int(pathlib.Path("/run/radio.pid").read_text())  # tools/vm.d/bin/radio-start
    os.kill(controllers, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(controllers, signal.SIGCONT)


def _control():
    return socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI)
