"""A device on exact that is the GATT client of its central: bluetoothd on hci1, which serves attributes of this program."""
import asyncio
import pathlib
import shutil

from bleak import BleakClient, BleakScanner
from dbus_fast import BusType
from dbus_fast.aio import MessageBus
from dbus_fast.constants import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_property, method

import bluez
import hci
from device import REPOSITORY, Blemu
from patience import PATIENCE

CLIENT = pathlib.Path(REPOSITORY) / "Tests/Radio/definitions/client.yaml"
LONG = bytes(range(200))
NOON = bytes.fromhex("E9070B1D0C0000060000")

#: The device asks as soon as the central has connected.
AT_ONCE = """
blemu: 1
extends: client.yaml
rules:
  - { on: connect, do: discover }
  - { on: { found: time }, do: { read: time } }
  - { on: { found: long }, do: { read: long } }
  - { on: { receive: any-bytes, from: long }, do: { send: { bytes: "01 {data}" }, to: long } }
  - { on: { found: alarm }, do: { subscribe: alarm } }
  - { on: { found: command }, do: { send: { text: "hurry" }, to: command } }
  - { on: { found: locked }, do: { read: locked } }
"""


class Service(ServiceInterface):
    def __init__(self, uuid):
        super().__init__("org.bluez.GattService1")
        self.uuid = uuid

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Primary(self) -> "b":
        return True


class Characteristic(ServiceInterface):
    def __init__(self, service, uuid, flags, value=b""):
        super().__init__("org.bluez.GattCharacteristic1")
        self.service, self.uuid, self.flags, self.value = service, uuid, flags, value
        self.written, self.is_notifying = asyncio.Queue(), asyncio.Event()

    @dbus_property(access=PropertyAccess.READ)
    def UUID(self) -> "s":
        return self.uuid

    @dbus_property(access=PropertyAccess.READ)
    def Service(self) -> "o":
        return self.service

    @dbus_property(access=PropertyAccess.READ)
    def Flags(self) -> "as":
        return self.flags

    @dbus_property(access=PropertyAccess.READ)
    def Value(self) -> "ay":
        return self.value

    @method()
    def ReadValue(self, options: "a{sv}") -> "ay":
        offset = options["offset"].value if "offset" in options else 0
        return self.value[offset:]

    @method()
    def WriteValue(self, value: "ay", options: "a{sv}"):
        self.written.put_nowait(bytes(value))

    @method()
    def StartNotify(self):
        self.is_notifying.set()

    @method()
    def StopNotify(self):
        self.is_notifying.clear()

    def notify(self, value):
        self.emit_properties_changed({"Value": value})


async def serve(bus, services):
    """Lets bluetoothd serve these services on hci1: characteristics by UUID. Returns the characteristics by UUID."""
    found = {}
    for number, (uuid, characteristics) in enumerate(services.items()):
        path = f"/phone/service{number}"
        bus.export(path, Service(uuid))
        for index, (uuid, *facts) in enumerate(characteristics):
            found[uuid] = Characteristic(path, uuid, *facts)
            bus.export(f"{path}/characteristic{index}", found[uuid])
    adapter = "/org/bluez/hci1"
    manager = bus.get_proxy_object("org.bluez", adapter, await bus.introspect("org.bluez", adapter))
    await manager.get_interface("org.bluez.GattManager1").call_register_application("/phone", {})
    return found


async def be_a_phone(device):
    bus = await MessageBus(bus_type=BusType.SYSTEM).connect()
    attributes = await serve(bus, {
        "1805": [("2a2b", ["read"], NOON)],
        "fff0": [("fff1", ["read", "write"], LONG), ("fff2", ["indicate"]), ("fff3", ["write-without-response"]), ("fff4", ["encrypt-read"], b"secret")]})

    def event(name, **fields):
        return asyncio.to_thread(device.await_event, name, **fields)

    found = await BleakScanner.find_device_by_address(hci.address_text("hci0"), adapter="hci1", timeout=PATIENCE)
    async with BleakClient(found, adapter="hci1", timeout=PATIENCE):
        assert (await event("discovered"))["found"] == "time long alarm command locked"
        assert (await event("client-in", attribute="time"))["value"] == NOON.hex(" ").upper()
        assert bytes.fromhex((await event("client-in", attribute="long"))["value"]) == LONG
        assert await attributes["fff1"].written.get() == b"\1" + LONG
        assert await attributes["fff3"].written.get() == b"hurry"
        await event("log", message="refused: insufficient-encryption")
        await attributes["fff2"].is_notifying.wait()
        for number in range(3):
            attributes["fff2"].notify(bytes([number]))
            await event("client-in", attribute="alarm", value=f"0{number}")
    bus.disconnect()


@bluez.with_bleak_022
def test_bluetoothd_serves_the_device(tmp_path):
    definition = tmp_path / "hurried.yaml"
    definition.write_text(AT_ONCE)
    shutil.copy(CLIENT, tmp_path)
    bluez.forget_devices()
    with Blemu(definition, on="exact:hci0") as device:
        asyncio.run(asyncio.wait_for(be_a_phone(device), PATIENCE))
