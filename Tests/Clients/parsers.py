"""Hears advertisements with bleak, and gives what it hears to published parsers. It is the code of a client (client.py).

It knows by name the parser with its options, and the values `wanted` of it.
"""
import asyncio
import importlib
import inspect
import struct
import time

from bleak import BleakScanner

# With an empty pattern, BlueZ also reports beacons. Without one, 5.67 and later leave out what is not discoverable on an adapter that
# has only LE, as those of the virtual machine (adapter.c, merge_discovery_filters).
EVERYTHING = {"adapter": "hci1", "filters": {"Pattern": ""}}


class Report:
    """What a scanner has heard, with the names of Home Assistant's libraries."""

    def __init__(self, device, advertisement):
        self.device, self.advertisement = device, advertisement
        self.name, self.address, self.rssi = advertisement.local_name or device.address, device.address, advertisement.rssi
        self.manufacturer_data, self.service_data = advertisement.manufacturer_data, advertisement.service_data
        self.service_uuids, self.tx_power = advertisement.service_uuids, advertisement.tx_power
        self.source, self.connectable, self.raw, self.time, self.manufacturer = "hci1", True, None, time.monotonic(), None

    def structures(self):
        """Returns the AD structures of the report as bytes: Flags, complete 16-bit services, service data, manufacturer data."""
        def short(uuid):
            return struct.pack("<H", int(uuid[4:8], 16))

        services = b"".join(short(each) for each in self.service_uuids if each.endswith("-0000-1000-8000-00805f9b34fb"))
        parts = [(0x01, b"\x06"), *([(0x03, services)] if services else ())]
        parts += [(0x16, short(uuid) + data) for uuid, data in self.service_data.items()]
        parts += [(0xFF, struct.pack("<H", company) + data) for company, data in self.manufacturer_data.items()]
        return b"".join(bytes([len(data) + 1, kind]) + data for kind, data in parts)

    def event(self):
        """Returns the HCI event of a legacy advertising report that has them."""
        data, address = self.structures(), bytes.fromhex(self.address.replace(":", ""))[::-1]
        event = b"\x02\x01\x00\x00" + address + bytes([len(data)]) + data + struct.pack("b", self.rssi)
        return b"\x04\x3E" + bytes([len(event)]) + event


leave_out("habluetooth", "home_assistant_bluetooth", "aiohttp", "yarl")


def home_assistant(module, name, taking=lambda key: {"bindkey": bytes.fromhex(key)}):
    """A parser of Home Assistant's: a class that makes an update of a report. With a key, it decrypts."""
    def parse(report, key=None):
        parser = getattr(importlib.import_module(module), name)(**(taking(key) if key else {}))
        update = parser.update(report)
        values = {**update.entity_values, **update.binary_entity_values}
        return {key.key: value.native_value for key, value in values.items()}

    return parse


def switchbot(report):
    from switchbot import parse_advertisement_data
    found = parse_advertisement_data(report.device, report.advertisement).data
    return {"model": found["modelFriendlyName"]} | found["data"]


def victron(report, key):
    from victron_ble.devices import detect_device_type
    data = report.manufacturer_data[0x02E1]
    parsed = detect_device_type(data)(key).parse(data)
    values = {name[4:]: getattr(parsed, name)() for name in dir(parsed) if name.startswith("get_")}
    return {name: getattr(value, "name", value) for name, value in values.items()}


def beacontools(report):
    from beacontools import parse_packet
    frame = parse_packet(report.structures())
    names = [name for name in dir(frame) if isinstance(getattr(type(frame), name, None), property)]
    return {"frame": type(frame).__name__} | {name: getattr(frame, name) for name in names}


def bleparser(report):
    from bleparser import BleParser
    found = BleParser().parse_raw_data(report.event())[0]
    assert found["mac"] == report.address.replace(":", "")
    return found


async def ibeacon(report):
    from ibeacon_ble import iBeaconParser
    parser = iBeaconParser()
    await parser.async_setup()
    found = parser.parse(report)
    return {"uuid": str(found.uuid), "major": found.major, "minor": found.minor, "power": found.power}


PARSERS = {
    "atc-ble": home_assistant("atc_ble", "ATCBluetoothDeviceData"),
    "beacontools": beacontools,
    "bleparser": bleparser,
    "bthome-ble": home_assistant("bthome_ble", "BTHomeBluetoothDeviceData"),
    "govee-ble": home_assistant("govee_ble", "GoveeBluetoothDeviceData"),
    "ibeacon-ble": ibeacon,
    "oralb-ble": home_assistant("oralb_ble", "OralBBluetoothDeviceData"),
    "pyswitchbot": switchbot,
    "ruuvitag-ble": home_assistant("ruuvitag_ble", "RuuvitagBluetoothDeviceData"),
    "thermobeacon-ble": home_assistant("thermobeacon_ble", "ThermoBeaconBluetoothDeviceData"),
    "tilt-ble": home_assistant("tilt_ble", "TiltBluetoothDeviceData"),
    "victron-ble": victron,
    "victron-ble-ha-parser": home_assistant("victron_ble_ha_parser", "VictronBluetoothDeviceData",
                                            lambda key: {"advertisement_key": key}),
    "xiaomi-ble": home_assistant("xiaomi_ble", "XiaomiBluetoothDeviceData"),
}


async def client():
    """Returns what the parser decodes: as wanted, or at last when the time is up."""
    decoded = None
    try:
        async with asyncio.timeout(patience / 5), BleakScanner(bluez=EVERYTHING) as scanner:
            async for device, advertisement in scanner.advertisement_data():
                try:
                    decoded = PARSERS[parser](Report(device, advertisement), **options)
                    decoded = await decoded if inspect.isawaitable(decoded) else decoded
                except Exception as error:  # of the advertisement of the device before it
                    decoded = decoded or repr(error)
                if isinstance(decoded, dict) and wanted.items() <= decoded.items():
                    break
    except TimeoutError:
        pass
    return decoded
