"""Hears advertisements with bleak, and gives what it hears to published parsers. Runs in Debian 13 (tools/debian).

Each line of the standard input is a question in JSON: a parser with its options, and what it should decode. The answer is a line with
what it has decoded at last. With an address in place of what it should decode, a client connects to it, and says what it has read.
"""
import asyncio
import importlib
import json
import struct
import sys
import time
import types

from bleak import BleakScanner

TIME_LIMIT = float(sys.argv[1])  # seconds

# With an empty pattern, BlueZ also reports beacons. Without one, 5.67 and later leave out what is not discoverable on an adapter that
# has only LE, as those here (adapter.c, merge_discovery_filters).
EVERYTHING = {"adapter": "hci1", "filters": {"Pattern": ""}}


class Report:
    """What a scanner has heard, with the names of Home Assistant's libraries."""

    def __init__(self, device, advertisement):
        self.device, self.advertisement = device, advertisement
        self.name, self.address, self.rssi = advertisement.local_name or device.address, device.address, advertisement.rssi
        self.manufacturer_data, self.service_data = advertisement.manufacturer_data, advertisement.service_data
        self.service_uuids, self.tx_power = advertisement.service_uuids, advertisement.tx_power
        self.source, self.connectable, self.raw, self.time = "hci1", True, None, time.monotonic()

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


class Unused:
    """A name of a module that parsers import for annotations and for the makers' clouds."""

    def __init__(self, *_, **__):
        pass


for module in ("habluetooth", "home_assistant_bluetooth", "aiohttp", "yarl"):
    sys.modules[module] = types.ModuleType(module)
    sys.modules[module].__getattr__ = lambda name: Unused


def home_assistant(module, name):
    """A parser of Home Assistant's: a class that makes an update of a report. With a key, it decrypts."""
    def parse(report, key=None):
        make = getattr(importlib.import_module(module), name)
        parser = make(bindkey=bytes.fromhex(key)) if key else make()
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
    return BleParser().parse_raw_data(report.event())[0]


PARSERS = {
    "beacontools": beacontools,
    "bleparser": bleparser,
    "bthome-ble": home_assistant("bthome_ble", "BTHomeBluetoothDeviceData"),
    "govee-ble": home_assistant("govee_ble", "GoveeBluetoothDeviceData"),
    "oralb-ble": home_assistant("oralb_ble", "OralBBluetoothDeviceData"),
    "pyswitchbot": switchbot,
    "ruuvitag-ble": home_assistant("ruuvitag_ble", "RuuvitagBluetoothDeviceData"),
    "thermobeacon-ble": home_assistant("thermobeacon_ble", "ThermoBeaconBluetoothDeviceData"),
    "victron-ble": victron,
    "xiaomi-ble": home_assistant("xiaomi_ble", "XiaomiBluetoothDeviceData"),
}


async def lywsd03mmc(device):
    from pylywsdxx_async.lywsd03mmc_client import Lywsd03mmcClient
    client = Lywsd03mmcClient(device, TIME_LIMIT)
    await client.connect()
    try:
        await client.set_timestamp(1_000_000)
        await client.set_fahrenheit()
        data = await client.get_data()
        return {
            "temperature": data.temperature, "humidity": data.humidity, "voltage": data.bat_volt, "battery": await client.get_battery(),
            "unit": await client.get_temp_unit(), "clock": await client.get_timestamp() // 1000,
        }
    finally:
        await client.client.disconnect()


async def switchbot_bot(device, commands):
    from switchbot import Switchbot
    bot = Switchbot(device)
    try:
        return {command: await getattr(bot, command)() for command in commands}
    finally:
        await bot._execute_disconnect()  # which the client would do after 8.5 s


# Clients that connect.
CLIENTS = {"pylywsdxx-async": lywsd03mmc, "pyswitchbot": switchbot_bot}


async def answer(parser, options, wanted):
    """Returns what the parser decodes: as wanted, or at last when the time is up. Or what a client says that connects."""
    if isinstance(wanted, str):
        device = await BleakScanner.find_device_by_address(wanted, TIME_LIMIT, bluez={"adapter": "hci1"})
        return await asyncio.wait_for(CLIENTS[parser](device, **options), TIME_LIMIT)
    decoded = None
    try:
        async with asyncio.timeout(TIME_LIMIT), BleakScanner(bluez=EVERYTHING) as scanner:
            async for device, advertisement in scanner.advertisement_data():
                try:
                    decoded = PARSERS[parser](Report(device, advertisement), **options)
                except Exception as error:  # of the advertisement of the device before it
                    decoded = decoded or repr(error)
                if isinstance(decoded, dict) and wanted.items() <= decoded.items():
                    break
    except TimeoutError:
        pass
    return decoded


async def main():
    for line in sys.stdin:
        print(json.dumps(await answer(*json.loads(line)), default=repr), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
