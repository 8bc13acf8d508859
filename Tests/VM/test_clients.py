"""Common programs find the devices and use them: bleak, bluetoothctl and gatttool on hci1."""
import json
import re

import pytest

import bluez
import hci
from device import Blemu
from patience import PATIENCE

FFE0, FFE1 = (f"0000{short}-0000-1000-8000-00805f9b34fb" for short in ("ffe0", "ffe1"))

# Finds the device by its name or an advertised service, performs the steps, and prints the results as JSON.
BLEAK = """
import asyncio, contextlib, json, sys
from bleak import BleakClient, BleakScanner
from patience import PATIENCE

how, what, characteristic, *steps = sys.argv[1:]

async def find():
    options = {"timeout": PATIENCE, "adapter": "hci1"}
    if how == "name":
        return await BleakScanner.find_device_by_name(what, **options)
    return await BleakScanner.find_device_by_filter(lambda *_: True, service_uuids=[what], **options)

async def talk(device):
    # bleak 0.22 closes its connection to the bus before later versions of BlueZ have answered its Disconnect (bleak issue 1921).
    with contextlib.suppress(EOFError):
        async with BleakClient(device, adapter="hci1", timeout=PATIENCE) as client:
            table = {service.uuid: [[each.uuid, sorted(each.properties)] for each in service.characteristics]
                     for service in client.services}
            results = [await step(client, *text.split(":")) for text in steps]
    return {"table": table, "results": results}

async def main():
    device = await find()
    saw = {"found": device and [device.name, device.address]}
    if device and steps:
        saw |= await talk(device)
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

asyncio.run(main())
"""


def bleak(*arguments):
    return json.loads(bluez.bleak(BLEAK, *arguments, timeout=4 * PATIENCE).splitlines()[-1])


@pytest.fixture(params=["bluez", "exact"])
def run(request, air, contexts):
    """Runs a device that no adapter knows yet."""
    def run(*arguments):
        bluez.forget_devices()
        blemu = contexts.enter_context(Blemu(*arguments, on=f"{request.param}:hci0"))
        air.wait_for()
        return blemu

    return run


@pytest.fixture
def hm10(run):
    return run("hm-10", "--stdio")


def address():
    return hci.address_text("hci0")


def address_in_bytes():
    """Returns the address as clients print its bytes."""
    return address().lower().replace(":", " ")


def assert_received(blemu, data):
    """Checks that these bytes have come out of the wire side."""
    received = b""
    while len(received) < len(data):
        received += bytes.fromhex(blemu.await_event("wire-out")["value"])
    assert received == data


@bluez.that_scan_for_a_service
def test_bleak_finds_it_by_service_and_talks(hm10):
    hm10.process.stdin.write(b"OK\r\n")  # waits for the subscription
    saw = bleak("service", FFE0, FFE1, "read", "subscribe", "receive", "command:" + b"Hello\r\n".hex(), "unsubscribe")
    assert saw["found"] == ["HMSoft", address()]
    assert saw["table"][FFE0] == [[FFE1, ["notify", "read", "write-without-response"]]]
    assert saw["results"] == [address_in_bytes().replace(" ", ""), None, b"OK\r\n".hex(), None, None]
    assert_received(hm10, b"Hello\r\n")


def test_bleak_finds_it_by_name(hm10):
    assert bleak("name", "HMSoft", FFE1)["found"] == ["HMSoft", address()]


def test_bleak_asks_for_a_day_with_and_without_response(run):
    blemu = run("bracelet")
    # A5, length, command, month, day, XOR: 5 packets on 2 January, 300 on 3 January
    saw = bleak("name", "Bracelet", FFE1, "subscribe", "request:A506030102A3", "receive", "command:A506030103A2", "receive")
    assert saw["results"] == [None, None, "a50683050025", None, "a506832c010d"]
    assert saw["table"][FFE0] == [[FFE1, ["notify", "read", "write", "write-without-response"]]]
    blemu.await_event("disconnected")


def test_bleak_without_an_adapter_uses_hci1():
    """PYTHONHASHSEED in tools/vm.d/guest; otherwise each process would choose any of the six."""
    script = "\n".join(("import asyncio", "from bleak.backends.bluezdbus.manager import get_global_bluez_manager",
                        "async def main():", "    print((await get_global_bluez_manager()).get_default_adapter())",
                        "asyncio.run(main())"))
    assert [bluez.bleak(script) for _ in range(3)] == ["/org/bluez/hci1\n"] * 3


def scan(control):
    control.await_output("Agent registered")
    control.send(f"select {hci.address_text('hci1')}")
    control.send("scan le")
    control.await_output("Discovery started")
    control.await_output(rf"\[NEW\] Device {address()} HMSoft")


def test_bluetoothctl_scans_connects_and_reads(hm10):
    with bluez.Dialogue("bluetoothctl") as control:
        scan(control)
        for command, *answers in (
            (f"info {address()}", rf"UUID: .*\({FFE0}\)"),
            ("scan off", "Discovery stopped"),
            (f"connect {address()}", "Connection successful", "ServicesResolved: yes"),
            ("menu gatt",),
            (f"select-attribute {FFE1}", r"/char[0-9a-f]+"),
            ("read", address_in_bytes()),
        ):
            control.send(command)
            for answer in answers:
                control.await_output(answer)


def test_gatttool_lists_services_and_characteristics(hm10):
    assert f"uuid: {FFE0}" in bluez.gatttool("--primary")
    # Properties 0x16: read 02, write without response 04, notify 10
    assert re.search(rf"char properties = 0x16, char value handle = 0x\w+, uuid = {FFE1}", bluez.gatttool("--characteristics"))


def test_gatttool_reads_writes_and_listens(hm10):
    value = re.search(rf"char value handle = (0x\w+), uuid = {FFE1}", bluez.gatttool("--characteristics"))[1]
    assert address_in_bytes() in bluez.gatttool("--char-read", "--handle", value)
    gatttool = ("gatttool", "-i", "hci1", "-b", address())
    with bluez.Dialogue(*gatttool, "-I") as interactive:
        interactive.send("connect")
        interactive.await_output("Connection successful")
        interactive.send(f"char-write-cmd {value} {b'AT'.hex()}")
        assert_received(hm10, b"AT")
    configuration = hex(int(value, 16) + 1)
    with bluez.Dialogue(*gatttool, "--char-write-req", "--handle", configuration, "--value", "0100", "--listen") as listener:
        listener.await_output("Characteristic value was written successfully")
        hm10.process.stdin.write(b"OK")
        listener.await_output(rf"Notification handle = 0x0*{int(value, 16):x} value: 4f 4b")
