"""Published parsers decode what the devices advertise and bleak hears on hci1, in Debian 13 (tools/debian)."""
import contextlib
import json
import pathlib
import subprocess

import pytest

import bluez
import debian13
import hci
from cloning import clone
from device import Blemu
from patience import PATIENCE

KEY = "00112233445566778899AABBCCDDEEFF"
SCRIPT = pathlib.Path(__file__).with_name("advertisement_parsers.py")


class Parsers:
    """Runs the script, for all tests of this file: it takes seconds to start. A context manager."""

    def __enter__(self):
        command = debian13.python("-c", SCRIPT.read_text(), PATIENCE / 5)
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait(PATIENCE)

    def ask(self, parser, options, wanted):
        """Returns what the parser decodes: soon the wanted values, or later something else. Or what a client reads at a wanted address."""
        self.process.stdin.write(json.dumps([parser, options, wanted]) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


@pytest.fixture(scope="module")
def parsers():
    with Parsers() as parsers:
        yield parsers


@contextlib.contextmanager
def running(device, settings, transport):
    """Runs the device, which no adapter knows yet, and gives the adapter's address."""
    bluez.forget_devices()
    assignments = [word for name, value in settings.items() for word in ("--set", f"{name.replace('_', '-')}={value}")]
    with Blemu(device, *assignments, on=f"{transport}:hci0") as blemu:
        yield blemu.happened("on-air")[0]["address"]


def assert_decodes(parsers, device, settings, parser, expected, transport="bluez", **options):
    """Checks that the parser decodes at least the expected values of the device with these settings."""
    with running(device, settings, transport):
        decoded = parsers.ask(parser, options, expected)
    assert isinstance(decoded, dict) and decoded | expected == decoded, decoded


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_ruuvitag_ble_decodes_a_ruuvitag(parsers, transport):
    settings = {"temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "drift": 0, "voltage": 2500, "movements": 7, "x": 1000, "z": 0}
    assert_decodes(parsers, "ruuvitag", settings, "ruuvitag-ble", {
        "temperature": -10.25, "humidity": 53.49, "pressure": 1000.44, "voltage": 2500, "movement_counter": 7,
        "acceleration_x": 9.81, "acceleration_y": -0.04, "acceleration_z": 0,
    }, transport)


def test_bthome_ble_decodes_a_bthome_sensor(parsers):
    settings = {"temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42, "voltage": 2100, "is_open": "true"}
    assert_decodes(parsers, "bthome-sensor", settings, "bthome-ble", {
        "temperature": -5.5, "humidity": 50.55, "battery": 42, "voltage": 2.1, "opening": True,
    })


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_bthome_ble_decodes_a_clone_of_a_bthome_sensor(parsers, tmp_path, transport):
    settings = {"temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42, "voltage": 2100, "is_open": "true"}
    with running("bthome-sensor", settings, transport) as address:
        definition, _ = clone(address, tmp_path)
    assert_decodes(parsers, definition, {}, "bthome-ble", {
        "temperature": -5.5, "humidity": 50.55, "battery": 42, "voltage": 2.1, "opening": True,
    }, "exact")  # which serves the clone of bluetoothd's own services, too


def test_bthome_ble_decrypts_a_bthome_sensor(parsers):
    settings = {"is_encrypted": "true", "key": KEY, "counter": 0x33221100, "temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42}
    assert_decodes(parsers, "bthome-sensor", settings, "bthome-ble", {"temperature": -5.5, "humidity": 50.55, "battery": 42}, key=KEY)


@pytest.mark.parametrize("format, firmware, humidity", [("custom", "ATC (Custom)", 51.3), ("atc1441", "ATC (Atc1441)", 51)])
def test_bleparser_decodes_a_lywsd03mmc_with_pvvx_firmware(parsers, format, firmware, humidity):
    settings = {"format": format, "temperature": -3.2, "humidity": 51.3, "drift": 0, "battery": 42, "voltage": 2950}
    assert_decodes(parsers, "lywsd03mmc", settings, "bleparser", {
        "firmware": firmware, "temperature": -3.2, "humidity": humidity, "battery": 42, "voltage": 2.95,
        "mac": hci.address_text("hci0").replace(":", ""),
    })


def test_xiaomi_ble_decodes_a_lywsd03mmc(parsers):
    settings = {"format": "mibeacon", "temperature": -3.2, "humidity": 51.3, "drift": 0}
    assert_decodes(parsers, "lywsd03mmc", settings, "xiaomi-ble", {"temperature": -3.2, "humidity": 51.3}, "exact")


@pytest.mark.parametrize("value", [{"temperature": -3.2}, {"humidity": 51}], ids=["temperature", "humidity"])
def test_xiaomi_ble_decrypts_a_lywsd03mmc(parsers, value):
    settings = {"format": "encrypted", "key": KEY, "temperature": -3.2, "humidity": 51.3, "drift": 0}
    assert_decodes(parsers, "lywsd03mmc", settings, "xiaomi-ble", value, key=KEY)


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_victron_ble_decrypts_a_smartshunt(parsers, transport):
    settings = {
        "key": KEY, "voltage": 12.53, "current": -15.25, "ripple": 0, "level": 40.5, "consumed": 61.2, "remaining": 321, "alarm": 1,
        "input": "starter", "auxiliary": 1280,
    }
    assert_decodes(parsers, "victron-smartshunt", settings, "victron-ble", {
        "voltage": 12.53, "current": -15.25, "soc": 40.5, "consumed_ah": -61.2, "remaining_mins": 321, "alarm": "LOW_VOLTAGE",
        "aux_mode": "STARTER_VOLTAGE", "starter_voltage": 12.8, "model_name": "SmartShunt 500A/50mV",
    }, transport, key=KEY)


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_govee_ble_decodes_an_h5075(parsers, transport):
    settings = {"temperature": -4.3, "humidity": 60.5, "drift": 0, "battery": 42}
    assert_decodes(parsers, "govee-h5075", settings, "govee-ble", {"temperature": -4.3, "humidity": 60.5, "battery": 42}, transport)


def test_thermobeacon_ble_decodes_a_thermobeacon(parsers):
    settings = {"temperature": -10.5, "humidity": 43.375, "drift": 0, "voltage": 2700, "is_pressed": "true"}
    assert_decodes(parsers, "thermobeacon", settings, "thermobeacon-ble", {
        "temperature": -10.5, "humidity": 43.38, "battery": 70, "voltage": 2.7, "occupancy": True,
    })


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_pyswitchbot_decodes_a_meter(parsers, transport):
    settings = {"temperature": -3.2, "humidity": 53, "drift": 0, "battery": 42, "scale": "fahrenheit"}
    assert_decodes(parsers, "switchbot-meter", settings, "pyswitchbot", {
        "model": "Meter", "temperature": -3.2, "humidity": 53, "battery": 42, "fahrenheit": True,
    }, transport)


def test_pyswitchbot_decodes_a_bot(parsers):
    settings = {"mode": "switch", "is_on": "true", "battery": 42}
    assert_decodes(parsers, "switchbot-bot", settings, "pyswitchbot", {
        "model": "Bot", "switchMode": True, "isOn": True, "battery": 42,
    }, "exact")


def test_pyswitchbot_controls_a_bot(parsers):
    with running("switchbot-bot", {"battery": 42, "hold": 3}, "bluez") as address:
        answers = parsers.ask("pyswitchbot", {"commands": ["press", "turn_on", "hand_down", "get_basic_info"]}, address)
        bluez.disconnect("hci1")
    assert answers == {"press": True, "turn_on": True, "hand_down": True, "get_basic_info": {
        "battery": 42, "firmware": 4.4, "strength": 100, "timers": 0, "switchMode": False, "inverseDirection": False, "holdSeconds": 3,
    }}


def test_pylywsdxx_reads_a_lywsd03mmc(parsers):
    with running("lywsd03mmc", {"temperature": -3.25, "humidity": 51, "drift": 0, "battery": 42, "voltage": 2950}, "exact") as address:
        answers = parsers.ask("pylywsdxx-async", {}, address)
        bluez.disconnect("hci1")
    assert answers == {"temperature": -3.25, "humidity": 51, "voltage": 2950, "battery": 42, "unit": "F", "clock": 1000}


def test_oralb_ble_decodes_a_toothbrush(parsers):
    assert_decodes(parsers, "oral-b", {"seconds": 95, "mode": 3, "pressure": "high"}, "oralb-ble", {
        "time": 95, "toothbrush_state": "idle", "mode": "massage", "pressure": "high", "number_of_sectors": 4, "sector_timer": 5,
        "brushing": False,
    })


def test_oralb_ble_sees_a_toothbrush_count(parsers):
    assert_decodes(parsers, "oral-b", {"doing": "running", "seconds": 29}, "oralb-ble", {
        "time": 31, "toothbrush_state": "running", "sector": "sector 2", "brushing": True,
    }, "exact")


def test_beacontools_decodes_an_ibeacon(parsers):
    settings = {"uuid": "CBA20D00224D11E69FB80002A5D5C51B", "major": 0x1234, "minor": 65535, "power": -61}
    assert_decodes(parsers, "ibeacon", settings, "beacontools", {
        "frame": "IBeaconAdvertisement", "uuid": "cba20d00-224d-11e6-9fb8-0002a5d5c51b", "major": 0x1234, "minor": 65535, "tx_power": -61,
    })


def test_beacontools_decodes_each_frame_of_eddystone(parsers, case):
    for frame in (
        {"frame": "EddystoneUIDFrame", "namespace": "8b0ca750095477cb3e77", "instance": "0102030405ff", "tx_power": -20},
        {"frame": "EddystoneURLFrame", "url": "http://www.blemu.com/", "tx_power": -20},
        {"frame": "EddystoneTLMFrame", "temperature": 10.5, "voltage": 2500},
    ):
        with case(frame["frame"]):
            assert_decodes(parsers, "eddystone", {
                "scheme": "http://www.", "url": "blemu", "ending": ".com/", "instance": "0102030405FF", "power": -20, "temperature": 10.5,
                "voltage": 2500,
            }, "beacontools", frame)
