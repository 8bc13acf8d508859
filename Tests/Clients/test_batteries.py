"""Batteries and power: aiobmsble, the library behind Home Assistant's BMS_BLE, renogy-ble, and Renogy's own SDK."""
import pytest

# Finds a device by its name, and lets aiobmsble choose the driver by the advertisement.
AIOBMSBLE = """
import json
from aiobmsble.basebms import BaseBMS
from aiobmsble.utils import bms_identify

# aiobmsble asks again after 0.7 s, and gives up waiting for a message after 5 s. On a slow machine, an answer takes longer.
BaseBMS._RETRY_TIMEOUT, BaseBMS.TIMEOUT = patience / 30, patience / 5

async def identify():
    async with asyncio.timeout(patience), BleakScanner(bluez={"adapter": "hci1"}) as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if device.name == name and (driver := await bms_identify(advertisement, device.address)):
                return device, driver

async def client():
    device, driver = await identify()
    assert device.address == address
    async with driver(device) as battery:
        seen = {
            "driver": driver.get_bms_module(),
            "info": await battery.device_info(),
            "sample": await battery.async_update(),
        }
        return json.loads(json.dumps(seen, default=float))  # a temperature as a number, without the kind of sensor
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


def assert_reads(reads, device, settings, name, expected):
    assert reads(device, AIOBMSBLE, settings, name=name)[0] == expected


@pytest.mark.repeats
def test_aiobmsble_reads_a_jbd_battery(reads):
    assert_reads(reads, "jbd-bms", SETTINGS | {"voltage": 13.2}, "JBD-SP04S020", {
        "driver": "aiobmsble.bms.jbd_bms",
        "info": {"sw_version": "2.0", "hw_version": "JBD-SP04S020"},
        "sample": SAMPLE | FOUR_CELLS | {"design_capacity": 120, "temp_sensors": 2, "temp_values": [21, 21], "temperature": 21},
    })


@pytest.mark.repeats
def test_aiobmsble_reads_a_daly_battery(reads):
    assert_reads(reads, "daly-bms", SETTINGS | {"voltage": 13.2}, "DL-40D12345678A", {
        "driver": "aiobmsble.bms.daly_bms",
        "info": {"sw_version": "30_240105_1.0", "hw_version": "DL-BMS_4S_100A"},
        "sample": SAMPLE | FOUR_CELLS | TEMPERATURES | {"temp_sensors": 2},
    })


def test_aiobmsble_reads_a_jk_battery(reads):
    assert_reads(reads, "jk-bms", SETTINGS | {"voltage": 26.4}, "JK-B2A8S20P", {
        "driver": "aiobmsble.bms.jikong_bms",
        "info": {"model": "JK-B2A8S20P", "hw_version": "11.XW", "sw_version": "11.26", "name": "JK-B2A8S20P", "serial_number": "40318301"},
        # 'temp_sensors' has a bit for each sensor.
        "sample": SAMPLE | EIGHT_CELLS | TEMPERATURES | {
            "temp_sensors": 7, "design_capacity": 120, "battery_health": 100, "balance_current": 0, "heater": False, "heater_current": 0,
        },
    })


RENOGY = """
from renogy_ble.ble import RenogyBLEDevice, RenogyBleClient

async def client():
    device, renogy = RenogyBLEDevice(await find()), RenogyBleClient(max_notification_wait_time=patience)
    before = await renogy.read_device(device)
    assert before.success, before.error
    values = dict(before.parsed_data)
    written = await renogy.write_single_register(device, 0x010A, 0)
    assert written.success, written.error
    refused = await renogy.write_single_register(device, 0x010A, 7)
    after = await renogy.read_device(device)
    return {"before": values, "refused": str(refused.error), "after": after.parsed_data["load_status"]}
"""


@pytest.mark.repeats
def test_renogy_ble_reads_the_charge_controller_and_switches_the_load(reads):
    saw, _ = reads("renogy-bt-1", RENOGY, {
        "level": 61, "battery-voltage": 12.9, "panel-voltage": 19.5, "panel-current": 3.2, "ripple": 0, "load-current": 1.25,
        "controller-temperature": -5, "battery-temperature": 18, "charging": 4, "battery-type": 3}, name="BT-TH-B00FC0DE")
    expected = {
        "model": "RNG-CTRL-RVR40", "device_id": 1, "battery_percentage": 61, "battery_voltage": 12.9, "controller_temperature": -5,
        "battery_temperature": 18, "load_status": "on", "load_voltage": 12.9, "load_current": 1.25, "load_power": 16, "pv_voltage": 19.5,
        "pv_current": 3.2, "pv_power": 62, "charging_status": "boost", "battery_type": "gel",
    }
    assert {key: round(value, 2) if isinstance(value, float) else value for key, value in saw["before"].items() if key in expected} == expected
    assert saw["refused"] == "Modbus exception code 3 for register 266"
    assert saw["after"] == "off"


SDK = """
import contextlib, sys
from renogy_lib_python.modbus_comm import EnhancedModbusClient

async def client():
    controller = EnhancedModbusClient(slave_address=255)
    with contextlib.redirect_stdout(sys.stderr):  # where it says what it does
        assert await controller.connect(address)
        try:
            return {key: value for each in await controller.get_hole_original_data("controller") for key, value in each.items()}
        finally:
            await controller.disconnect()
"""


@pytest.mark.repeats
def test_renogys_sdk_reads_the_charge_controller(reads):
    saw, _ = reads("renogy-bt-1", SDK, {"level": 61, "battery-voltage": 12.9, "panel-voltage": 19.5, "panel-current": 3.2, "ripple": 0})
    expected = {
        "Rated_Voltage_Current": "24V-40A", "SKU": "RNG-CTRL-RVR40", "Protocol_Version": "00010000", "Device_ID": "00000001", "Battery_SOC": 61,
        "Battery_Voltage": 12.9, "Panel_Voltage": 19.5, "Panel_Current": 3.2, "Total_Days": 365,
    }
    assert {key: round(value, 2) if isinstance(value, float) else value for key, value in saw.items() if key in expected} == expected
    assert len(bytes.fromhex(saw["SN_Number"])) == 18
