"""What rules know of the link to their central."""
import struct

import pytest

import bluez
import hci
from att import CCCD, Central
from device import DEFINITIONS, Blemu
from pairing import Control, KernelPairing, without_bluetoothd
from patience import eventually


@pytest.fixture
def pairing_device(tmp_path):
    """Returns a function that runs the device with a policy for pairing."""
    definition = tmp_path / "links.yaml"
    definition.write_text((DEFINITIONS / "links.yaml").read_text() + "security: {}\n")
    return lambda on: Blemu(definition, on=on)


def device(on):
    return Blemu(DEFINITIONS / "links.yaml", on=on)


def state(central):
    """Returns the ATT_MTU of the link, and whether it is encrypted."""
    mtu, is_encrypted = struct.unpack("<HB", central.read(central.characteristic("FFF1")))
    return mtu, bool(is_encrypted)


def test_the_mtu_on_exact():
    with device("exact:hci0"), Central(mtu=0) as central:
        assert state(central) == (23, False)
        central.exchange_mtu(185)
        assert state(central) == (185, False)


def test_the_mtu_on_bluez():
    """bluetoothd exchanges it by itself."""
    with device("bluez:hci0"), Central(mtu=185) as central:
        eventually(lambda: state(central) == (185, False), lambda: f"{state(central)}")


def test_encryption_without_bluetoothd(pairing_device):
    with without_bluetoothd(), pairing_device("exact:hci0") as blemu, KernelPairing() as pairing, Central() as central:
        assert state(central) == (23, False)
        pairing.pair()
        blemu.await_event("encrypted")
        assert state(central) == (23, True)


@pytest.mark.parametrize("on", ["exact:hci0", "bluez:hci0"])
def test_encryption_beside_bluetoothd(on, pairing_device):
    bluez.forget_devices()
    with pairing_device(on) as blemu, Control() as control:
        control.find()
        control.begin()
        control.await_output("Pairing successful")
        blemu.await_event("bonded")
        assert bluez.read_remote("0000fff1-0000-1000-8000-00805f9b34fb")[2:] == b"\1"
    bluez.forget_devices()


def test_handles():
    with device("exact:hci0"), Central() as central:
        handles = struct.unpack("<4H", central.read(central.characteristic("FFF2")))
        value = central.characteristic("FFF2")
        assert handles == (central.characteristic("FFF1"), value, central.descriptor(value, CCCD), central.descriptor(value, "2901"))


def test_bluez_does_not_tell_handles():
    with device("bluez:hci0"), Central() as central:
        assert central.read(central.characteristic("FFF2")) == bytes(8)


# As in test_links.py, the central's controller itself gives the reason of a supervision timeout.
@pytest.mark.parametrize("on, reason, name", [
    ("exact:hci0", 0x13, "remote-user-terminated"), ("exact:hci0", 0x08, "supervision-timeout"), ("bluez:hci0", 0x13, "unknown"),
    ("bluez:hci0", 0x08, "unknown")])
def test_why_a_link_has_ended(on, reason, name):
    with device(on) as blemu, Central() as central:
        state(central)
        hci.disconnect("hci1", reason)
        blemu.await_event("log", message=f"ended: {name}")
