"""A device with its own Device Information (180A), with and without bluetoothd's."""
import re

import pytest

import bluez
from att import Central
from device import Blemu


def models(central):
    """Returns for each service 180A that a central finds whether it has a Model Number (2A24)."""
    return [any(line.startswith("2A24") for line in lines) for uuid, lines in central.services() if uuid == "180A"]


def test_without_a_device_id_there_is_only_the_device_s_own():
    """Tests/VM/run boots the machine with --no-device-id."""
    with Blemu("bluno") as blemu, Central() as central:
        assert models(central) == [True]
        assert central.read(central.characteristic("2A24")) == b"DF Bluno"
        assert blemu.warnings() == []


@pytest.fixture
def debian():
    """BlueZ's default"""
    with bluez.configured("[General]\nDeviceID = usb:1D6B:0246:0542"):
        yield


def test_bluetoothd_s_comes_first_and_a_warning_explains_what_to_do(debian):
    with Blemu("bluno") as blemu, Central() as central:
        assert models(central) == [False, True]
        assert ("180A", ["2A50: read"]) in central.services()  # bluetoothd's has the PnP ID alone
        assert re.fullmatch(r"BlueZ \d\.\d\d", blemu.happened("on-air")[0]["stack"])
        warnings = blemu.warnings()
        assert len(warnings) == 1
        assert "use --on exact, or set 'DeviceID = false' under [General] in /etc/bluetooth/main.conf" in warnings[0]
        assert "Rust clients (btleplug)" in warnings[0]


def test_a_device_without_one_has_no_warning(debian):
    with Blemu("bracelet") as blemu:
        assert blemu.warnings() == []
