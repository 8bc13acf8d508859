"""Centrals that pair: with the kernel's management interface, which answers for its adapter, or with bluetoothctl."""
import contextlib
import errno
import queue
import struct
import threading

import bluez
import hci
from patience import PATIENCE, eventually

DISPLAY_ONLY, DISPLAY_YES_NO, KEYBOARD_ONLY, NO_INPUT_NO_OUTPUT, KEYBOARD_DISPLAY = range(5)
AGENTS = ["DisplayOnly", "DisplayYesNo", "KeyboardOnly", "NoInputNoOutput", "KeyboardDisplay"]
USER_CONFIRMATION, USER_PASSKEY, PASSKEY_NOTIFY, NEW_LONG_TERM_KEY = 0x000F, 0x0010, 0x0017, 0x000A
AUTHENTICATION_FAILED = 5


@contextlib.contextmanager
def without_bluetoothd():
    """A time in which no bluetoothd runs. At the end the adapters forget each other."""
    bluez.run("bluetoothd-stop")
    hci.set_powered("hci1", True)
    try:
        yield
    finally:
        forget("hci0", "hci1")
        forget("hci1", "hci0")
        bluez.run("bluetoothd-start")
        bluez.wait_for_adapter("hci0", Powered=True)


def forget(own, other):
    """Makes the kernel forget the keys of one adapter with the other, if there are any."""
    with contextlib.suppress(hci.Refused):
        unpair(own, other)


def unpair(own, other):
    """Likewise. Raises hci.Refused where there are none: status 6, Not Paired."""
    hci.manage(own, 0x001B, hci.address(other) + bytes([1, 0]))  # Unpair Device


def encrypt(central):
    """Encrypts the link with the key that both sides have."""
    def goes_on():
        try:
            central.read(1)
            return True
        except OSError as error:
            if error.errno != errno.ENOTCONN:  # it waits for the encryption
                raise
            return False

    with contextlib.suppress(OSError):  # it is encrypted already (net/bluetooth/l2cap_sock.c)
        central.require_encryption()
    eventually(goes_on, lambda: "the link is not encrypted")


class KernelPairing:
    """Answers what the kernel asks about one adapter. A context manager. Only where no bluetoothd runs, which answers, too.

    `shown` gets the passkeys that the adapter shows or compares, `keys` the kinds of new keys; the passkeys in `typed` are
    entered.
    """

    def __init__(self, own="hci1", capability=NO_INPUT_NO_OUTPUT, bondable=True, answers=True):
        self.own, self.capability, self.answers = own, capability, answers
        self.shown, self.typed, self.keys = queue.Queue(), queue.Queue(), queue.Queue()
        hci.manage(own, 0x0009, bytes([bondable]))  # Set Bondable
        self._socket = hci.control_channel()

    def __enter__(self):
        threading.Thread(target=self._receive, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._socket.close()

    def pair(self, peripheral="hci0"):
        """Pairs with the device to which the adapter is connected. Raises hci.Refused if that fails."""
        hci.manage(self.own, 0x0019, hci.address(peripheral) + bytes([1, self.capability]))  # Pair Device

    def _receive(self):
        while True:
            try:
                packet = self._socket.recv(1024)
            except OSError:
                return
            event, index, _ = struct.unpack_from("<HHH", packet)
            if index == hci.index(self.own):
                self._received(event, packet[6:])

    def _received(self, event, fields):
        if event == USER_CONFIRMATION:
            if not fields[7]:
                self.shown.put(struct.unpack_from("<I", fields, 8)[0])
            if self.answers:
                self._send(0x001C, fields[:7])
        elif event == USER_PASSKEY:
            threading.Thread(target=lambda: self._send(0x001E, fields[:7] + struct.pack("<I", self.typed.get(timeout=PATIENCE))),
                             daemon=True).start()
        elif event == PASSKEY_NOTIFY:
            self.shown.put(struct.unpack_from("<I", fields, 7)[0])
        elif event == NEW_LONG_TERM_KEY:
            self.keys.put(fields[8])

    def _send(self, opcode, parameters):
        self._socket.send(struct.pack("<HHH", opcode, hci.index(self.own), len(parameters)) + parameters)


class Control(bluez.Dialogue):
    """bluetoothctl on hci1 with an agent of its own. A context manager."""

    def __init__(self, capability=NO_INPUT_NO_OUTPUT, own="hci1"):
        super().__init__("bluetoothctl", "--agent", AGENTS[capability], own=own)
        self.await_output("Agent registered")
        self.send(f"select {hci.address_text(own)}")
        self.send("show")
        self.await_output(f"Controller {hci.address_text(own)}")

    def find(self, peripheral="hci0"):
        """Scans until the device advertises. It may be known from an earlier link, without having been heard of since."""
        device = rf"Device {hci.address_text(peripheral)}"
        self.forget_output()
        self.send("scan le")
        self.await_output(rf"(?s)(?=.*Discovery started).*(\[NEW\] {device}|\[CHG\] {device} RSSI: )")
        self.send("scan off")
        self.await_output("Discovery stopped")

    def begin(self, peripheral="hci0"):
        self.send(f"pair {hci.address_text(peripheral)}")
