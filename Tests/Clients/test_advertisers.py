"""Parsers decode what the devices advertise and bleak hears."""
import pathlib

import pytest

KEY = "00112233445566778899AABBCCDDEEFF"
PARSERS = pathlib.Path(__file__).with_name("parsers.py").read_text()


def assert_decodes(reads, device, settings, parser, expected, **options):
    """Checks that the parser decodes at least the expected values of the device with these settings."""
    decoded, _ = reads(device, PARSERS, settings, parser=parser, options=options, wanted=expected)
    assert isinstance(decoded, dict) and decoded | expected == decoded, decoded


@pytest.mark.transports("bluez", "exact")
def test_ruuvitag_ble_decodes_a_ruuvitag(reads):
    settings = {"temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "drift": 0, "voltage": 2500, "movements": 7, "x": 1000, "z": 0}
    assert_decodes(reads, "ruuvitag", settings, "ruuvitag-ble", {
        "temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "voltage": 2500, "movement_counter": 7,
        "acceleration_x": 9.81, "acceleration_y": -0.04, "acceleration_z": 0,
    })


@pytest.mark.repeats
def test_bthome_ble_decodes_a_bthome_sensor(reads):
    settings = {"temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42, "voltage": 2100, "is-open": True}
    assert_decodes(reads, "bthome-sensor", settings, "bthome-ble", {
        "temperature": -5.5, "humidity": 50.55, "battery": 42, "voltage": 2.1, "opening": True,
    })


@pytest.mark.repeats
def test_bthome_ble_decrypts_a_bthome_sensor(reads):
    settings = {"is-encrypted": True, "key": KEY, "counter": 0x33221100, "temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42}
    assert_decodes(reads, "bthome-sensor", settings, "bthome-ble", {"temperature": -5.5, "humidity": 50.55, "battery": 42}, key=KEY)


@pytest.mark.repeats
@pytest.mark.parametrize("format, firmware, humidity", [("custom", "ATC (Custom)", 51.3), ("atc1441", "ATC (Atc1441)", 51)])
def test_bleparser_decodes_a_lywsd03mmc_with_pvvx_firmware(reads, format, firmware, humidity):
    settings = {"format": format, "temperature": -3.2, "humidity": 51.3, "drift": 0, "battery": 42, "voltage": 2950}
    assert_decodes(reads, "lywsd03mmc", settings, "bleparser", {
        "firmware": firmware, "temperature": -3.2, "humidity": humidity, "battery": 42, "voltage": 2.95,
    })


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_xiaomi_ble_decodes_a_lywsd03mmc(reads):
    settings = {"format": "mibeacon", "temperature": -3.2, "humidity": 51.3, "drift": 0}
    assert_decodes(reads, "lywsd03mmc", settings, "xiaomi-ble", {"temperature": -3.2, "humidity": 51.3})


@pytest.mark.repeats
@pytest.mark.parametrize("value", [{"temperature": -3.2}, {"humidity": 51}], ids=["temperature", "humidity"])
def test_xiaomi_ble_decrypts_a_lywsd03mmc(reads, value):
    settings = {"format": "encrypted", "key": KEY, "temperature": -3.2, "humidity": 51.3, "drift": 0}
    assert_decodes(reads, "lywsd03mmc", settings, "xiaomi-ble", value, key=KEY)


@pytest.mark.repeats
@pytest.mark.transports("bluez", "exact")
def test_victron_ble_decrypts_a_smartshunt(reads):
    settings = {
        "key": KEY, "voltage": 12.53, "current": -15.25, "ripple": 0, "level": 40.5, "consumed": 61.2, "remaining": 321, "alarm": 1,
        "input": "starter", "auxiliary": 1280,
    }
    assert_decodes(reads, "victron-smartshunt", settings, "victron-ble", {
        "voltage": 12.53, "current": -15.25, "soc": 40.5, "consumed_ah": -61.2, "remaining_mins": 321, "alarm": "LOW_VOLTAGE",
        "aux_mode": "STARTER_VOLTAGE", "starter_voltage": 12.8, "model_name": "SmartShunt 500A/50mV",
    }, key=KEY)


@pytest.mark.transports("bluez", "exact")
def test_govee_ble_decodes_an_h5075(reads):
    settings = {"temperature": -4.3, "humidity": 60.5, "drift": 0, "battery": 42}
    assert_decodes(reads, "govee-h5075", settings, "govee-ble", {"temperature": -4.3, "humidity": 60.5, "battery": 42})


@pytest.mark.repeats
def test_thermobeacon_ble_decodes_a_thermobeacon(reads):
    settings = {"temperature": -10.5, "humidity": 43.375, "drift": 0, "voltage": 2700, "is-pressed": True}
    assert_decodes(reads, "thermobeacon", settings, "thermobeacon-ble", {
        "temperature": -10.5, "humidity": 43.38, "battery": 70, "voltage": 2.7, "occupancy": True,
    })


@pytest.mark.transports("bluez", "exact")
def test_pyswitchbot_decodes_a_meter(reads):
    settings = {"temperature": -3.2, "humidity": 53, "drift": 0, "battery": 42, "scale": "fahrenheit"}
    assert_decodes(reads, "switchbot-meter", settings, "pyswitchbot", {
        "model": "Meter", "temperature": -3.2, "humidity": 53, "battery": 42, "fahrenheit": True,
    })


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_pyswitchbot_decodes_a_bot(reads):
    settings = {"mode": "switch", "is-on": True, "battery": 42}
    assert_decodes(reads, "switchbot-bot", settings, "pyswitchbot", {
        "model": "Bot", "switchMode": True, "isOn": True, "battery": 42,
    })


@pytest.mark.repeats
def test_oralb_ble_decodes_a_toothbrush(reads):
    assert_decodes(reads, "oral-b", {"seconds": 95, "mode": 3, "pressure": "high"}, "oralb-ble", {
        "time": 95, "toothbrush_state": "idle", "mode": "massage", "pressure": "high", "number_of_sectors": 4, "sector_timer": 5,
        "brushing": False,
    })


@pytest.mark.transports("exact")
def test_oralb_ble_sees_a_toothbrush_count(reads):
    assert_decodes(reads, "oral-b", {"doing": "running", "seconds": 29}, "oralb-ble", {
        "time": 31, "toothbrush_state": "running", "sector": "sector 2", "brushing": True,
    })


def test_beacontools_decodes_an_ibeacon(reads):
    settings = {"uuid": "CBA20D00224D11E69FB80002A5D5C51B", "major": 0x1234, "minor": 65535, "power": -61}
    assert_decodes(reads, "ibeacon", settings, "beacontools", {
        "frame": "IBeaconAdvertisement", "uuid": "cba20d00-224d-11e6-9fb8-0002a5d5c51b", "major": 0x1234, "minor": 65535, "tx_power": -61,
    })


@pytest.mark.repeats
@pytest.mark.parametrize("frame", [
    {"frame": "EddystoneUIDFrame", "namespace": "8b0ca750095477cb3e77", "instance": "0102030405ff", "tx_power": -20},
    {"frame": "EddystoneURLFrame", "url": "http://www.blemu.com/", "tx_power": -20},
    {"frame": "EddystoneTLMFrame", "temperature": 10.5, "voltage": 2500},
], ids=lambda frame: frame["frame"])
def test_beacontools_decodes_each_frame_of_eddystone(reads, frame):
    assert_decodes(reads, "eddystone", {
        "scheme": "http://www.", "url": "blemu", "ending": ".com/", "instance": "0102030405FF", "power": -20, "temperature": 10.5,
        "voltage": 2500,
    }, "beacontools", frame)


@pytest.mark.repeats
def test_ibeacon_ble_decodes_an_ibeacon(reads):
    settings = {"uuid": "CBA20D00224D11E69FB80002A5D5C51B", "major": 0x1234, "minor": 65535, "power": -61}
    assert_decodes(reads, "ibeacon", settings, "ibeacon-ble", {
        "uuid": "cba20d00-224d-11e6-9fb8-0002a5d5c51b", "major": 0x1234, "minor": 65535, "power": -61,
    })


@pytest.mark.repeats
def test_tilt_ble_decodes_an_ibeacon_with_a_tilts_uuid(reads):
    # 68 °F, 1.016 times as dense as water
    settings = {"uuid": "A495BB30C5B14B44B5121370F02D74DE", "major": 68, "minor": 1016}
    assert_decodes(reads, "ibeacon", settings, "tilt-ble", {"temperature": 68, "specific_gravity": 1.016})


@pytest.mark.repeats
@pytest.mark.parametrize("format", ["custom", "atc1441"])
def test_atc_ble_decodes_a_lywsd03mmc_with_pvvx_firmware(reads, format):
    settings = {"format": format, "temperature": -3.2, "humidity": 51, "drift": 0, "battery": 42, "voltage": 2950}
    assert_decodes(reads, "lywsd03mmc", settings, "atc-ble", {"temperature": -3.2, "humidity": 51, "battery": 42, "voltage": 2.95})


@pytest.mark.repeats
def test_victron_ble_ha_parser_decrypts_a_smartshunt(reads):
    settings = {"key": KEY, "voltage": 12.53, "current": -15.25, "ripple": 0, "level": 40.5, "consumed": 61.2, "remaining": 321, "alarm": 1}
    assert_decodes(reads, "victron-smartshunt", settings, "victron-ble-ha-parser", {
        "voltage": 12.53, "current": -15.25, "state_of_charge": 40.5, "consumed_ampere_hours": -61.2, "remaining_minutes": 321, "alarm": "low_voltage",
    }, key=KEY)


RUUVI = """
import os
os.environ["RUUVI_BLE_ADAPTER"] = "bleak"
from ruuvitag_sensor.ruuvi import RuuviTagSensor

async def client():
    async for mac, data in RuuviTagSensor.get_data_async([address]):
        return data
"""


@pytest.mark.repeats
def test_ruuvitag_sensor_decodes_a_ruuvitag(reads):
    saw, _ = reads("ruuvitag", RUUVI, {"temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "drift": 0, "voltage": 2500, "movements": 7})
    expected = {"data_format": 5, "temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "battery": 2500, "movement_counter": 7}
    assert saw | expected == saw


PLANT = PARSERS + """
from xiaomi_ble.parser import XiaomiBluetoothDeviceData

async def client():
    plant, values = XiaomiBluetoothDeviceData(), {}
    async with asyncio.timeout(patience), BleakScanner(bluez=EVERYTHING) as scanner:
        async for heard in scanner.advertisement_data():
            update = plant.update(Report(*heard))
            values |= {key.key: value.native_value for key, value in update.entity_values.items()}
            if len(values) >= 5:
                break
    update = await plant.async_poll(heard[0])
    values |= {key.key: value.native_value for key, value in update.entity_values.items()}
    return values | {"firmware": update.devices[None].sw_version, "model": update.devices[None].model}
"""


@pytest.mark.repeats
def test_xiaomi_ble_hears_a_plant_sensor_and_reads_its_battery(reads):
    saw, _ = reads("flower-care", PLANT, {"temperature": -3.2, "drift": 0, "light": 70000, "moisture": 42, "conductivity": 599, "battery": 17})
    saw.pop("signal_strength")
    assert saw == {"temperature": -3.2, "illuminance": 70000, "moisture": 42, "conductivity": 599, "battery": 17,
                   "firmware": "3.1.9", "model": "HHCCJCY01"}
