"""The links of --on exact: how they begin, change and end, as the controllers on both sides tell."""
import socket
import struct

import pytest

import bluez
import hci
from att import Central
from device import DEFINITIONS, Blemu
from patience import PATIENCE

ASKING = DEFINITIONS / "asking.yaml"
DISCONNECTION_COMPLETE, LE_META = 0x05, 0x3E  # events (Vol 4, Part E, 7.7)
SET_PHY = 0x2032  # a command
LE_2M = 1 << 1


def exact(*arguments):
    return Blemu(*arguments, on="exact:hci0")


class Events:
    """The disconnections and LE events that a controller reports from now on. A context manager."""

    def __init__(self, adapter):
        self._socket = socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI)
        # struct hci_filter: types of packets, events, an opcode
        self._socket.setsockopt(socket.SOL_HCI, socket.HCI_FILTER,
                                struct.pack("<IQHxx", 1 << 4, 1 << DISCONNECTION_COMPLETE | 1 << LE_META, 0))
        self._socket.bind((hci.index(adapter),))
        self._socket.settimeout(PATIENCE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._socket.close()

    def await_event(self, code, *subevents):
        """Returns the parameters of the next such event, for LE Meta without the subevent."""
        while True:
            packet = self._socket.recv(258)
            if packet[1] == code and (not subevents or packet[3] in subevents):
                return packet[4 if subevents else 3:]

    def await_reason(self):
        """Returns the reason of the next disconnection."""
        status, _, reason = struct.unpack("<BHB", self.await_event(DISCONNECTION_COMPLETE))
        assert status == 0
        return reason

    def await_connection(self):
        """Returns the interval, in milliseconds, the latency and the timeout of the next connection."""
        event = self.await_event(LE_META, 0x01, 0x0A)  # Connection Complete, Enhanced Connection Complete
        interval, latency, timeout = struct.unpack_from("<HHH", event, 23 if len(event) > 18 else 11)
        return interval * 1.25, latency, timeout * 10


def parameters(event):
    return tuple(event.get(name) for name in ("interval-milliseconds", "latency", "timeout-milliseconds"))


@pytest.fixture(autouse=True)
def unknown():
    """No adapter knows others: the kernel and bluetoothd would begin a link with the parameters that the last one had."""
    bluez.forget_devices()
    for own in ("hci1", "hci2"):
        hci.forget_parameters(own, "hci0")
    yield
    bluez.forget_devices()


class TestBeginnings:
    def test_a_connection_shows_the_parameters_of_the_link(self):
        with exact("bracelet") as blemu, Events("hci1") as events, Central() as central:
            connected = blemu.await_event("connected", central=hci.address_text("hci1"))
            central.read(central.characteristic("FFE1"))
            assert connected["address-type"] == "public"
            assert parameters(connected) == events.await_connection()
            link = blemu.await_event("link", central=hci.address_text("hci1"))
            assert (link["tx-phy"], link["rx-phy"]) == ("LE 1M", "LE 1M")
            # Every packet in the virtual air arrives with -50 dBm (tools/radio.d/radio.c). Without data, RootCanal says 0.
            assert link["rssi"] in (-50, 0)
            assert blemu.warnings() == []

    def test_bluez_knows_nothing_of_links(self):
        with Blemu("bracelet") as blemu:
            with Central():
                assert blemu.await_event("connected").keys() == {"time", "event", "central"}
            assert blemu.await_event("disconnected").keys() == {"time", "event", "central"}
            assert blemu.happened("link") == []


class TestEnds:
    # A central says goodbye with a reason of HCI Disconnect. RootCanal has no supervision timeout: here the central's controller
    # gives this reason itself. The event at the peripheral is the same.
    @pytest.mark.parametrize("reason, name", [
        (0x13, "remote-user-terminated"), (0x14, "remote-low-resources"), (0x15, "remote-power-off"), (0x05, "authentication-failure"),
        (0x3B, "unacceptable-connection-parameters"), (0x08, "supervision-timeout")])
    def test_a_central_leaves_for_a_reason(self, reason, name):
        with exact("bracelet") as blemu, Central() as central:
            blemu.await_event("connected")
            hci.disconnect("hci1", reason)
            central.await_disconnection()
            ended = blemu.await_event("disconnected", central=hci.address_text("hci1"))
            assert (ended["reason"], ended["code"]) == (name, reason)
            assert blemu.warnings() == []

    def test_a_central_is_switched_off(self, contexts):
        with exact("bracelet") as blemu, Central():
            blemu.await_event("connected")
            contexts.callback(bluez.wait_for_adapter, "hci1", Powered=True)
            contexts.callback(hci.set_powered, "hci1", True)
            hci.set_powered("hci1", False)
            assert blemu.await_event("disconnected")["reason"] == "remote-power-off"

    @pytest.mark.parametrize("asked, reason", [(0, 0x13)] + [(code, code) for code in (0x05, 0x13, 0x14, 0x15, 0x1A, 0x29, 0x3B)])
    def test_the_device_ends_links_for_a_reason(self, contexts, asked, reason):
        with exact(ASKING) as blemu:
            ends = []
            for own in ("hci1", "hci2"):
                central = contexts.enter_context(Central(own=own))
                ends.append((central, contexts.enter_context(Events(own))))
                blemu.await_event("connected")
            central.write(central.characteristic("FFE1"), bytes([asked]))
            for central, events in ends:
                assert events.await_reason() == reason
                central.await_disconnection()
            for _ in ends:
                ended = blemu.await_event("disconnected")
                assert (ended["reason"], ended["code"]) == ("local-host", 0x16)
            assert blemu.warnings() == []

    def test_each_of_many_links_has_its_reason(self):
        """The controller gives a handle again as soon as its link has ended."""
        with exact("bracelet") as blemu:
            for number in range(20):
                with Central() as central:
                    blemu.await_event("connected")
                    reason = 0x14 if number % 2 else 0x13
                    hci.disconnect("hci1", reason)
                    central.await_disconnection()
                assert blemu.await_event("disconnected")["code"] == reason


class TestChanges:
    def test_the_device_gets_the_parameters_that_it_asks_for(self, air):
        with exact(ASKING) as blemu, Central() as central:
            first = blemu.await_event("connected")
            changed = blemu.await_event("link", latency=2)
            interval, latency, timeout = parameters(changed)
            assert 43.75 <= interval <= 50 and (latency, timeout) == (2, 3000), (first, changed)
            while air.wait_for_interval(hci.links("hci1")[0], "hci1") != interval:  # there may be an earlier change
                pass
            # Peripheral Preferred Connection Parameters: 43.75 ms, 50 ms, 2, 3 s
            assert central.read(central.characteristic("2A04")) == struct.pack("<HHHH", 35, 40, 2, 300)
            assert blemu.warnings() == []

    def test_a_link_changes_to_le_2m(self):
        with exact("bracelet") as blemu, Central():
            blemu.await_event("connected")
            blemu.await_event("link", **{"tx-phy": "LE 1M"})
            hci.command("hci1", SET_PHY, struct.pack("<HBBBH", hci.links("hci1")[0], 0, LE_2M, LE_2M, 0))
            assert blemu.await_event("link", **{"tx-phy": "LE 2M"})["rx-phy"] == "LE 2M"
