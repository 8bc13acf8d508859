"""colmi_r02_client finds the ring and reads it. It names no adapter, so bleak chooses hci1 (PYTHONHASHSEED in tools/vm.d/guest)."""
import pathlib
import sys

import pytest

import bluez
import hci
from device import Blemu

pytestmark = bluez.with_bleak_022

PROGRAM = pathlib.Path(sys.executable).parent / "colmi_r02_client"


@pytest.fixture(autouse=True)
def ring():
    bluez.forget_devices()
    with Blemu("colmi-r02", "--set", "level=42") as blemu:
        yield blemu


def client(*arguments):
    """Runs a command of the client, and returns the lines that it prints."""
    try:
        return bluez.run(PROGRAM, *arguments).splitlines()
    finally:
        bluez.disconnect("hci1")


def test_the_client_finds_it_by_name(ring):
    assert client("--name", "R02_341C", "info") == [
        "device info {'hw_version': 'R02_V3.0', 'fw_version': 'R02_3.00.06_240523'}",
        "battery: BatteryInfo(battery_level=42, charging=False)"]
    assert {event["central"] for event in ring.happened("connected")} == {hci.address_text("hci1")}


def test_the_client_sets_the_clock_and_reads_the_heart_rates_of_that_day(ring):
    address = "--address", hci.address_text("hci0")
    client(*address, "set-time", "--when", "2026-01-05T12:00:00")
    assert client(*address, "get-heart-rate-log", "--target", "2026-01-05")[1:5] == ["00:00, 58", "01:00, 53", "02:00, 53", "03:00, 57"]
