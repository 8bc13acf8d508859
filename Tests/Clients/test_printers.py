"""Printers: dymo-bluetooth prints a label."""
import pytest

DYMO = """
leave_out("PIL")
from dymo_bluetooth.bluetooth import Printer
from dymo_bluetooth.printer import Canvas

async def client():
    printer = Printer(await BleakScanner.find_device_by_address(address, patience, bluez={"adapter": "hci1"}))
    label = Canvas()
    for x in range(columns):
        label.set_pixel(x, x % 30, True)
    await printer.connect()
    try:
        return (await printer.print(label)).name
    finally:
        await printer.disconnect()
"""


@pytest.mark.repeats
@pytest.mark.parametrize("settings, result, log", [
    ({}, "SUCCESS", "a label of 300 columns"), ({"battery": "low"}, "SUCCESS_LOW_BATTERY", "a label of 300 columns"),
    ({"has-cassette": False}, "FAILED_NO_CASETTE", "no label"),
], ids=["done", "low battery", "no cassette"])
def test_dymo_bluetooth_prints_a_label(reads, settings, result, log):
    # 1,200 bytes: in three pieces
    assert reads("dymo-letratag", DYMO, settings, columns=300) == (result, [log])
