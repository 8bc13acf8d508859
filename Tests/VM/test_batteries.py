"""aiobmsble, the library behind Home Assistant's BMS_BLE, finds the battery monitors and reads them on hci1."""
import json

import bluez
import debian13
import hci
from device import Blemu
from patience import PATIENCE

# Finds a device by its name, lets aiobmsble choose the driver by the advertisement, and prints what that reads as JSON.
AIOBMSBLE = """
import asyncio, json, sys
from aiobmsble.basebms import BaseBMS
from aiobmsble.utils import bms_identify
from bleak import BleakScanner

name, patience = sys.argv[1], float(sys.argv[2])

# aiobmsble asks again after 0.7 s, and gives up waiting for a message after 5 s. On a slow machine, an answer takes longer.
BaseBMS._RETRY_TIMEOUT, BaseBMS.TIMEOUT = patience / 30, patience / 5

async def find():
    async with asyncio.timeout(patience), BleakScanner(bluez={"adapter": "hci1"}) as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if device.name == name and (driver := await bms_identify(advertisement, device.address)):
                return device, driver

async def main():
    device, driver = await find()
    async with driver(device) as battery:
        return {
            "address": device.address,
            "driver": driver.get_bms_module(),
            "info": await battery.device_info(),
            "sample": await battery.async_update(),
        }

print(json.dumps(asyncio.run(main()), default=float))  # a temperature as a number, without the kind of sensor
"""

SETTINGS = {"current": -12.5, "ripple": 0, "level": 80, "capacity": 120, "cycles": 42, "temperature": 21}

# What aiobmsble reads and computes with these settings. 80 % of 120 Ah are 96 Ah, which last 7.68 h at 12.5 A.
SAMPLE = {
    "current": -12.5, "battery_level": 80, "cycle_charge": 96, "cycles": 42, "runtime": 27648, "battery_charging": False,
    "chrg_mosfet": True, "dischrg_mosfet": True, "balancer": False, "problem": False, "problem_code": 0,
}
FOUR_CELLS = {
    "cell_count": 4, "cell_voltages": [3.3, 3.301, 3.302, 3.303], "delta_voltage": 0.003,
    "voltage": 13.2, "power": -165, "cycle_capacity": 1267.2,
}
EIGHT_CELLS = {
    "cell_count": 8, "cell_voltages": [3.3, 3.301, 3.302, 3.303, 3.3, 3.299, 3.298, 3.297], "delta_voltage": 0.006,
    "voltage": 26.4, "power": -330, "cycle_capacity": 2534.4,
}
# The mean of the transistors' temperature and those of two sensors
TEMPERATURES = {"temp_values": [31, 21, 21], "temperature": 24.333}


def aiobmsble(name):
    """Runs aiobmsble in Debian 13 (tools/debian), and returns what it reads from the device of this name."""
    try:
        return json.loads(bluez.run(*debian13.python("-c", AIOBMSBLE, name, PATIENCE), timeout=3 * PATIENCE).splitlines()[-1])
    finally:
        bluez.disconnect("hci1")


def assert_reads(device, settings, name, expected):
    bluez.forget_devices()
    with Blemu(device, *(word for setting in settings.items() for word in ("--set", "{}={}".format(*setting)))):
        assert aiobmsble(name) == {"address": hci.address_text("hci0")} | expected


def test_aiobmsble_reads_a_jbd_battery():
    assert_reads("jbd-bms", SETTINGS | {"voltage": 13.2}, "JBD-SP04S020", {
        "driver": "aiobmsble.bms.jbd_bms",
        "info": {"sw_version": "2.0", "hw_version": "JBD-SP04S020"},
        "sample": SAMPLE | FOUR_CELLS | {"design_capacity": 120, "temp_sensors": 2, "temp_values": [21, 21], "temperature": 21},
    })


def test_aiobmsble_reads_a_daly_battery():
    assert_reads("daly-bms", SETTINGS | {"voltage": 13.2}, "DL-40D12345678A", {
        "driver": "aiobmsble.bms.daly_bms",
        "info": {"sw_version": "30_240105_1.0", "hw_version": "DL-BMS_4S_100A"},
        "sample": SAMPLE | FOUR_CELLS | TEMPERATURES | {"temp_sensors": 2},
    })


def test_aiobmsble_reads_a_jk_battery():
    assert_reads("jk-bms", SETTINGS | {"voltage": 26.4}, "JK-B2A8S20P", {
        "driver": "aiobmsble.bms.jikong_bms",
        "info": {"model": "JK-B2A8S20P", "hw_version": "11.XW", "sw_version": "11.26", "name": "JK-B2A8S20P", "serial_number": "40318301"},
        # 'temp_sensors' has a bit for each sensor.
        "sample": SAMPLE | EIGHT_CELLS | TEMPERATURES | {
            "temp_sensors": 7, "design_capacity": 120, "battery_health": 100, "balance_current": 0, "heater": False, "heater_current": 0,
        },
    })
