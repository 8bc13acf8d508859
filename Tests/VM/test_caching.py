"""A device on exact with a Database Hash and Client Supported Features, and centrals that remember its attributes."""
import contextlib

import dbus
import pytest

import bluez
import hci
from att import Central, assert_refused
from device import DEFINITIONS, REPOSITORY, Blemu
from pairing import Control, KernelPairing, without_bluetoothd
from patience import eventually
from test_bonds import encrypt

PING, PONG, CHANGE = b"\x01", b"\x02", b"\x03"
ROBUST_CACHING = b"\x01"
MULTIPLE = REPOSITORY / "Tests/Specification/multiple.yaml"
MULTIPLE_NOTIFICATIONS = 4
TWO_VALUES = b"\x02\x01AB"
OUT_OF_SYNC, VALUE_NOT_ALLOWED = 0x12, 0x13
EVERYTHING = b"\x01\x00\xff\xff"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.yaml"


def device(*arguments):
    return Blemu(DEFINITIONS / "caching.yaml", *arguments, on="exact:hci0")


def database_hash(central):
    """Reads the Database Hash as the specification asks of clients."""
    return central.request(b"\x08\x01\x00\xff\xff\x2a\x2b")[4:]


class TestWithoutBluetoothd:
    @pytest.fixture(autouse=True)
    def no_bluetoothd(self):
        with without_bluetoothd():
            yield

    def bond(self, blemu, pairing):
        """Pairs, asks for Robust Caching, subscribes to the answers, and returns the handles and the hash."""
        with Central() as central:
            pairing.pair()
            blemu.await_event("bonded")
            central.write(central.characteristic("2B29"), ROBUST_CACHING)
            central.subscribe(central.characteristic("FFF2"))
            handles = {uuid: central.characteristic(uuid) for uuid in ("2B29", "FFF1", "FFF2")}
            known = database_hash(central)
        blemu.await_event("disconnected")
        return handles, known

    def test_a_central_hears_once_that_it_is_out_of_sync(self, path):
        with KernelPairing() as pairing:
            with device("--state", path) as blemu:
                handles, known = self.bond(blemu, pairing)
                assert "    client-features: [robust-caching]\n" in path.read_text()
                with Central() as central:
                    encrypt(central)
                    assert central.read(handles["FFF2"]) == b"\0"
                    assert database_hash(central) == known
                blemu.kill()
            with device("--state", path, "--set", "has-more=true") as blemu, Central() as central:
                encrypt_raw(central)
                central.write_command(handles["FFF1"], PING)
                assert_refused(OUT_OF_SYNC, central.read, handles["FFF2"])
                assert central.read(handles["2B29"]) == ROBUST_CACHING
                assert_refused(VALUE_NOT_ALLOWED, central.write, handles["2B29"], b"\0")
                assert database_hash(central) != known
                assert blemu.happened("write") == []
                central.write_command(central.characteristic("FFF1"), PING)
                assert central.notification() == PONG
            with device("--state", path, "--set", "has-more=true"), Central() as central:
                encrypt(central)
                assert central.read(central.characteristic("FFF2")) == b"\0"

    def test_a_reset_changes_the_attributes(self, path):
        """The device ends the link, and the hash tells the central on the next one."""
        with KernelPairing() as pairing, device("--state", path) as blemu:
            handles, known = self.bond(blemu, pairing)
            with Central() as central:
                encrypt(central)
                central.write_command(handles["FFF1"], CHANGE)
                central.await_disconnection()
            blemu.await_event("disconnected")
            with Central() as central:
                encrypt_raw(central)
                assert database_hash(central) != known
                assert central.read(central.characteristic("FFF3")) == b"\3"
            blemu.await_event("disconnected")
            with Central() as central:
                encrypt(central)
                central.write_command(central.characteristic("FFF1"), CHANGE)
                central.await_disconnection()
            blemu.await_event("disconnected")
            with Central() as central:
                encrypt_raw(central)
                assert_refused(OUT_OF_SYNC, central.read, handles["FFF2"])
                assert database_hash(central) == known

    def test_the_log_shows_service_changed(self, path):
        with KernelPairing() as pairing, device("--state", path) as blemu:
            with Central() as central:
                pairing.pair()
                blemu.await_event("bonded")
                central.subscribe(central.characteristic("2A05"), indications=True)
                central.write_command(central.characteristic("FFF1"), CHANGE)
                central.await_disconnection()
            blemu.await_event("disconnected")
            with Central() as central:
                encrypt_raw(central)
                assert central.notification() == EVERYTHING
                event = blemu.await_event("indicate", attribute="2A05")
                assert (event["value"], event["message"]) == ("01 00 FF FF", "Service Changed")

    def test_a_central_that_is_not_bonded_is_in_sync(self):
        with device() as blemu:
            with Central() as central:
                central.write(central.characteristic("2B29"), ROBUST_CACHING)
                central.write_command(central.characteristic("FFF1"), CHANGE)
                central.await_disconnection()
            blemu.await_event("disconnected")
            with Central() as central:
                assert central.read(central.characteristic("FFF3")) == b"\3"
                assert central.read(central.characteristic("2B29")) == b"\0"


class TestBesideBluetoothd:
    """bluetoothd is the central, and keeps what it has discovered of a bonded device."""

    @pytest.fixture(autouse=True)
    def forget(self):
        bluez.forget_devices()
        yield
        bluez.forget_devices()

    def test_bluetoothd_finds_the_new_attributes(self, path):
        with Control() as control:
            with device("--state", path) as blemu:
                control.find()
                control.begin()
                control.await_output("Pairing successful")
                blemu.await_event("bonded")
                eventually(lambda: "robust-caching" in path.read_text(), lambda: path.read_text())
                eventually(lambda: characteristics() == {"fff1", "fff2"}, characteristics)
                assert '2A05: indicate' in path.read_text()
                hci.disconnect("hci1")
                blemu.await_event("disconnected")
            with device("--state", path, "--set", "has-more=true") as blemu:
                connect()
                eventually(lambda: characteristics() == {"fff1", "fff2", "fff3"}, characteristics)
                assert read("fff3") == b"\3"
                assert read("fff2") == b"\0"
                write("fff1", CHANGE)
                blemu.await_event("disconnected")
                connect()
                eventually(lambda: characteristics() == {"fff1", "fff2"}, characteristics)
                assert read("fff2") == b"\0"
                kept = path.read_text()
            assert 'table: "00 00 00 00 00 00 00 00"' not in kept

    def test_bluetoothd_takes_several_values_at_once(self):
        with Blemu(MULTIPLE, "--stdio", on="exact:hci0") as blemu, Control() as control:
            control.find()
            connect()
            assert read("2b29")[0] & MULTIPLE_NOTIFICATIONS
            for uuid in ("ffe1", "ffe2"):
                characteristic(uuid).StartNotify()
                blemu.await_event("subscribed")
            blemu.process.stdin.write(TWO_VALUES)
            eventually(lambda: (value("ffe1"), value("ffe2")) == (b"A", b"B"), lambda: f"{value('ffe1')} {value('ffe2')}")


def encrypt_raw(central):
    """Encrypts the link. What is sent waits until then."""
    central.require_encryption()
    eventually(lambda: hci.is_encrypted("hci1"), lambda: "the link is not encrypted")


def objects(interface):
    """Returns what bluetoothd knows of hci0: path and properties."""
    manager = dbus.Interface(dbus.SystemBus().get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager")
    place = f"/org/bluez/hci1/dev_{hci.address_text('hci0').replace(':', '_')}"
    return {path: found[interface] for path, found in manager.GetManagedObjects().items()
            if path.startswith(place) and interface in found}


def characteristics():
    """Returns the short UUIDs of the device's own characteristics."""
    found = {str(each["UUID"])[4:8] for each in objects("org.bluez.GattCharacteristic1").values()}
    return {uuid for uuid in found if uuid.startswith("fff")}


def characteristic(uuid):
    path = next(path for path, each in objects("org.bluez.GattCharacteristic1").items() if str(each["UUID"])[4:8] == uuid)
    return dbus.Interface(dbus.SystemBus().get_object("org.bluez", path), "org.bluez.GattCharacteristic1")


def read(uuid):
    return bytes(characteristic(uuid).ReadValue({}))


def value(uuid):
    """Returns the value that bluetoothd last heard."""
    return next(bytes(each.get("Value", b"")) for each in objects("org.bluez.GattCharacteristic1").values() if str(each["UUID"])[4:8] == uuid)


def write(uuid, value):
    with contextlib.suppress(dbus.DBusException):  # a reset ends the link before the response
        characteristic(uuid).WriteValue(value, {})


def connect():
    path, = objects("org.bluez.Device1")
    eventually(lambda: not objects("org.bluez.Device1")[path]["Connected"], lambda: "bluetoothd has not noticed that the last link has ended")
    dbus.Interface(dbus.SystemBus().get_object("org.bluez", path), "org.bluez.Device1").Connect()
    eventually(lambda: objects("org.bluez.Device1")[path]["ServicesResolved"], lambda: "the services are not resolved")
