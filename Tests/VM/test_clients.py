"""Programs that people use find the devices and talk to them: bleak, bluetoothctl and gatttool on hci1."""
import json
import pathlib
import unittest

import bluez
import hci
from air import air
from blemu import Blemu
from patience import PATIENCE

FFE0, FFE1 = (f"0000{short}-0000-1000-8000-00805f9b34fb" for short in ("ffe0", "ffe1"))

# Finds the device by its name or an advertised service, then does the steps; prints what it saw as JSON.
BLEAK = """
import asyncio, json, subprocess, sys, time
import bluez, dbus
from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError
from patience import PATIENCE

how, what, characteristic, *steps = sys.argv[1:]

async def find():
    again = asyncio.create_task(advertise_again())
    device = await scan(timeout=PATIENCE, adapter="hci1")
    again.cancel()
    return device

async def advertise_again():
    while True:
        await asyncio.sleep(0.5)
        subprocess.run(["advertise-again", "hci0"], check=True)

async def scan(**options):
    if how == "name":
        return await BleakScanner.find_device_by_name(what, **options)
    return await BleakScanner.find_device_by_filter(lambda *_: True, service_uuids=[what], **options)

# bluetoothd looks at one event of the kernel and then at each link. Slow enough, it finds the peripheral's event, its own
# event as the central and the central's link all there when it looks: then it never says that the device is Connected
# (BlueZ 5.66, src/device.c, att_connect_cb and device_add_connection), and bleak takes it for lost. On a very slow
# machine that is so each time; bleak is then given a connection that is there before it asks what there is.
def talk(device):
    for attempt in range(20):
        try:
            if attempt >= 5:
                bluez.connect(device.details["path"])
            return asyncio.run(connect_and_talk(device))
        except (NoConnection, dbus.DBusException) as error:
            print(error)
        time.sleep(0.5)  # bluetoothd is still ending that connection
    sys.exit("no connection")

async def connect_and_talk(device):
    client = await connect(device)
    table = {service.uuid: [[each.uuid, sorted(each.properties)] for each in service.characteristics]
             for service in client.services}
    results = [await step(client, *text.split(":")) for text in steps]
    await client.disconnect()
    return {"table": table, "results": results}

class NoConnection(Exception): pass

async def connect(device):
    client = BleakClient(device, adapter="hci1", timeout=PATIENCE)
    try:
        await client.connect()
        if client.services.get_characteristic(characteristic):
            return client
        # bluetoothd says that the services are resolved before it tells of them; by the next time they are known.
        await client.disconnect()
    except (BleakError, EOFError) as error:
        raise NoConnection(error)
    raise NoConnection("no such characteristic")

def main():
    device = asyncio.run(find())
    saw = {"found": device and [device.name, device.address]}
    if device and steps:
        saw |= talk(device)
    print(json.dumps(saw))

values = asyncio.Queue()

async def step(client, verb, argument=""):
    data = bytes.fromhex(argument)
    match verb:
        case "read": return (await client.read_gatt_char(characteristic)).hex()
        case "subscribe": await client.start_notify(characteristic, lambda _, value: values.put_nowait(bytes(value)))
        case "unsubscribe": await client.stop_notify(characteristic)
        case "request": await client.write_gatt_char(characteristic, data, response=True)
        case "command": await client.write_gatt_char(characteristic, data, response=False)
        case "receive": return (await asyncio.wait_for(values.get(), PATIENCE)).hex()

main()
"""


def bleak(*arguments):
    return json.loads(bluez.bleak(BLEAK, *arguments, timeout=4 * PATIENCE).splitlines()[-1])


CONFIGURATION = pathlib.Path("/etc/bluetooth/main.conf")


def setUpModule():
    # One bluetoothd is both sides here, and its two ends opening enhanced ATT channels to each other at
    # once make it lose the link.
    before = CONFIGURATION.read_text()
    unittest.addModuleCleanup(bluez.restart)
    unittest.addModuleCleanup(CONFIGURATION.write_text, before)
    CONFIGURATION.write_text(before + "\n[GATT]\nChannels = 1\n")
    bluez.restart()


class HM10(unittest.TestCase):
    def setUp(self):
        bluez.forget_devices()
        self.blemu = self.enterContext(Blemu("hm-10", "--on", "bluez:hci0", "--stdio"))
        self.address = hci.address_text("hci0")
        air.wait_for(lambda it: it.enabled)

    def assertReceived(self, data):
        """These bytes have come out at the serial side."""
        received = b""
        while len(received) < len(data):
            received += bytes.fromhex(self.blemu.await_event("wire-out")["value"])
        self.assertEqual(received, data)

    def test_bleak_finds_it_by_service_and_talks(self):
        self.blemu.process.stdin.write(b"OK\r\n")  # waits for the subscription
        saw = bleak("service", FFE0, FFE1, "read", "subscribe", "receive", "command:" + b"Hello\r\n".hex(), "unsubscribe")
        self.assertEqual(saw["found"], ["HMSoft", self.address])
        self.assertEqual(saw["table"][FFE0], [[FFE1, ["notify", "read", "write-without-response"]]])
        self.assertEqual(saw["results"], [self.address.replace(":", "").lower(), None, b"OK\r\n".hex(), None, None])
        self.assertReceived(b"Hello\r\n")

    def test_bleak_finds_it_by_name(self):
        self.assertEqual(bleak("name", "HMSoft", FFE1)["found"], ["HMSoft", self.address])

    def scan(self, control):
        control.await_output("Agent registered")
        control.send(f"select {hci.address_text('hci1')}")
        control.send("scan le")
        control.await_output("Discovery started")
        bluez.run("advertise-again", "hci0")
        control.await_output(rf"\[NEW\] Device {self.address} HMSoft")

    def test_bluetoothctl_scans_connects_and_reads(self):
        with bluez.Dialogue("bluetoothctl") as control:
            self.scan(control)
            control.send(f"info {self.address}")
            control.await_output(rf"UUID: .*\({FFE0}\)")
            control.send("scan off")
            control.await_output("Discovery stopped")
            control.send(f"connect {self.address}")
            control.await_output("Connection successful")
            control.await_output("ServicesResolved: yes")
            control.send("menu gatt")
            control.send(f"select-attribute {FFE1}")
            control.await_output(r"/char[0-9a-f]+")
            control.send("read")
            control.await_output(" ".join(self.address.lower().split(":")))

    def test_gatttool_lists_services_and_characteristics(self):
        self.assertRegex(bluez.gatttool("--primary"), rf"uuid: {FFE0}")
        # Properties 0x16: read 02, write without response 04, notify 10
        self.assertRegex(bluez.gatttool("--characteristics"), rf"char properties = 0x16, char value handle = 0x\w+, uuid = {FFE1}")

    def test_gatttool_reads_writes_and_listens(self):
        value = self.handle(FFE1)
        read = bluez.gatttool("--char-read", "--handle", value)
        self.assertIn(" ".join(self.address.lower().split(":")), read)
        with bluez.Dialogue("gatttool", "-i", "hci1", "-b", self.address, "-I") as interactive:
            interactive.send("connect")
            interactive.await_output("Connection successful")
            interactive.send(f"char-write-cmd {value} {b'AT'.hex()}")
            self.assertReceived(b"AT")
        configuration = hex(int(value, 16) + 1)
        command = ["gatttool", "-i", "hci1", "-b", self.address, "--char-write-req", "--handle", configuration,
                   "--value", "0100", "--listen"]
        with bluez.Dialogue(*command) as listener:
            listener.await_output("Characteristic value was written successfully")
            self.blemu.process.stdin.write(b"OK")
            listener.await_output(rf"Notification handle = 0x0*{value.removeprefix('0x').lstrip('0')} value: 4f 4b")

    def handle(self, uuid):
        lines = bluez.gatttool("--characteristics").splitlines()
        line = next(line for line in lines if uuid in line)
        return line.split("char value handle = ")[1].split(",")[0]


class Bracelet(unittest.TestCase):
    def test_bleak_asks_for_a_day_with_and_without_response(self):
        bluez.forget_devices()
        with Blemu("bracelet", "--on", "bluez:hci0") as blemu:
            air.wait_for(lambda it: it.enabled)
            # A5, length, command, month, day, XOR: 5 packets on 2 January, 300 on 3 January
            saw = bleak("name", "Bracelet", FFE1, "subscribe", "request:A506030102A3", "receive",
                        "command:A506030103A2", "receive")
            self.assertEqual(saw["results"], [None, None, "a50683050025", None, "a506832c010d"])
            self.assertEqual(saw["table"][FFE0], [[FFE1, ["notify", "read", "write", "write-without-response"]]])
            blemu.await_event("disconnected")


if __name__ == "__main__":
    unittest.main()
