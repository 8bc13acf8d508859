"""What clients may expect of the virtual controllers: the same as of real ones in a room. On btvirt, a scan reports a device once, so
that half of the scans during another find nothing; three centrals end the kernel, and nothing is advertised on a secondary channel."""
import contextlib
import pathlib
import struct
import subprocess
import sys
import time

import pytest

import bluez
import hci
from att import Central
from device import Blemu
from patience import PATIENCE

SCANS = 20
CENTRALS = ("hci1", "hci2", "hci3")
# From BlueZ 5.69 on, the UUIDs of service data (B000) count as services.
SERVICES = ("ffe0", "b000") if bluez.VERSION >= (5, 69) else ("ffe0",)
FOUND = " ".join(["HMSoft", *(f"0000{each}-0000-1000-8000-00805f9b34fb" for each in SERVICES)])

# With an empty pattern, BlueZ tells the scanner of each report. Without one, 5.67 and later tell only of changes on an adapter that
# has only LE, as those here (adapter.c, merge_discovery_filters): of other data, or of a signal that differs by 8 dBm.
EVERY_REPORT = {"filters": {"Pattern": ""}}

# Looks for the HM-10 with a scan of 8 s at most, 20 times. Prints what it found in each scan. From the second on, bluetoothd
# knows the device, and bleak waits for a report that it still advertises.
BLEAK_SCANS = f"EVERY_REPORT = {EVERY_REPORT}" + """
import asyncio, sys
from bleak import BleakScanner

async def main(adapter, scans):
    for _ in range(scans):
        found = asyncio.get_running_loop().create_future()
        def see(device, advertisement):
            if advertisement.local_name and not found.done():
                found.set_result((advertisement.local_name, *advertisement.service_uuids))
        async with BleakScanner(see, adapter=adapter, bluez=EVERY_REPORT):
            try:
                print(*await asyncio.wait_for(found, 8), flush=True)
            except asyncio.TimeoutError:
                print("nothing", flush=True)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""

# The same with the scanner of ble-serial, which always listens for the whole time.
BLE_SERIAL_SCANS = """
import asyncio, sys
import bluez
from ble_serial.scan.main import scan

async def main(adapter, scans):
    for _ in range(scans):
        bluez.forget_devices(adapter)
        found = await scan(adapter, 2, None)
        print(*(advertisement.local_name for _, advertisement in found.values()), flush=True)

asyncio.run(main(sys.argv[1], int(sys.argv[2])))
"""

# Scans until it is ended.
BLEAK_BACKGROUND = """
import asyncio, sys
from bleak import BleakScanner

async def main(adapter):
    async with BleakScanner(adapter=adapter):
        print("scanning", flush=True)
        await asyncio.Event().wait()

asyncio.run(main(sys.argv[1]))
"""


@pytest.fixture
def hm10():
    bluez.forget_devices()
    with Blemu("hm-10", "--stdio") as blemu:
        yield blemu


@pytest.fixture
def unbondable():
    """Adapters that forget their keys with the link: bluetoothd would try to connect bonded devices from both sides at once."""
    bluez.forget_devices()
    for adapter in ("hci0", *CENTRALS):
        bluez.set_adapter_property("Pairable", False, adapter)
    yield
    bluez.forget_devices()
    for adapter in ("hci0", *CENTRALS):
        bluez.set_adapter_property("Pairable", True, adapter)


@pytest.fixture
def ask_for_interval():
    """A function that sets the connection interval, in milliseconds, that hci0 asks each new central for. Each call must raise it."""
    bounds = [pathlib.Path(f"/sys/kernel/debug/bluetooth/hci0/conn_{bound}_interval") for bound in ("min", "max")]
    before = [bound.read_text() for bound in bounds]
    yield lambda milliseconds: [bound.write_text(str(int(milliseconds / 1.25))) for bound in reversed(bounds)]
    for bound, units in zip(bounds, before):
        bound.write_text(units)
    bluez.forget_devices()  # bluetoothd remembers the intervals


def python(*arguments):
    return ["env", f"PYTHONPATH={bluez.__file__.rpartition('/')[0]}", sys.executable, *map(str, arguments)]


class TestScans:
    def test_bleak_finds_it_in_every_scan_beside_other_scanners(self, hm10, contexts):
        """One program scans all the time on hci1, and another there and a third on hci2 scan again and again."""
        def start(script, *arguments):
            process = contexts.enter_context(subprocess.Popen(python("-c", script, *arguments), stdout=subprocess.PIPE, text=True))
            contexts.callback(process.kill)
            return process

        background = start(BLEAK_BACKGROUND, "hci1")
        assert background.stdout.readline() == "scanning\n"
        for scanner in [start(BLEAK_SCANS, adapter, SCANS) for adapter in ("hci1", "hci2")]:
            output = scanner.communicate(timeout=2 * PATIENCE)[0]
            assert output.splitlines() == [FOUND] * SCANS

    def test_reports_repeat_while_a_scan_runs(self, hm10):
        script = "\n".join(("import asyncio", "from bleak import BleakScanner", "async def main():",
                            f"    async with BleakScanner(adapter='hci1', bluez={EVERY_REPORT}) as scanner:", "        reports = 0",
                            "        async for _, advertisement in scanner.advertisement_data():",
                            "            reports += advertisement.local_name == 'HMSoft'",
                            "            if reports == 5: return print('five reports')",
                            f"asyncio.run(asyncio.wait_for(main(), {PATIENCE}))"))
        assert bluez.bleak(script) == "five reports\n"

    def test_bluetoothctl_finds_it_in_every_scan(self, hm10):
        address = hci.address_text("hci0")
        for _ in range(SCANS):
            bluez.wait_for_adapter("hci1", Discovering=False)
            bluez.forget_devices()
            with bluez.Dialogue("bluetoothctl") as control:
                control.await_output("Agent registered")
                control.send(f"select {hci.address_text('hci1')}")
                control.send("scan le")
                control.await_output(rf"\[NEW\] Device {address} HMSoft")

    def test_the_scanner_of_ble_serial_finds_it_in_every_scan(self, hm10):
        output = bluez.run(*python("-c", BLE_SERIAL_SCANS, "hci1", SCANS), timeout=2 * PATIENCE)
        assert output.splitlines() == ["HMSoft"] * SCANS

    def test_a_running_scan_sees_a_new_name(self, hm10):
        with bluez.Dialogue("bluetoothctl") as control:
            control.await_output("Agent registered")
            control.send(f"select {hci.address_text('hci1')}")
            control.send("scan le")
            control.await_output(rf"\[NEW\] Device {hci.address_text('hci0')} HMSoft")
            for name in ("Kitchen", "Garden"):
                hm10.process.stdin.write(f"AT+NAME{name}".encode())
                hm10.await_event("wire-out", text=f"OK+Set:{name}")
                hm10.process.stdin.write(b"AT+RESET")
                control.await_output(rf"\[CHG\] Device {hci.address_text('hci0')} Name: {name}")


def test_blemu_comes_back_with_the_adapters(hm10):
    with Central():
        bluez.run("radio-stop")
        hm10.await_event("off-air")
    bluez.run("radio-start")
    bluez.run("adapters-wait", PATIENCE)
    hm10.await_event("on-air")
    with Central() as central:
        central.write(central.characteristic("FFE1"), b"here")
        assert bytes.fromhex(hm10.await_event("wire-out")["value"]) == b"here"


class TestLinks:
    def test_a_central_comes_back_a_hundred_times(self, hm10):
        started = time.monotonic()
        for number in range(100):
            with Central() as central:
                # Every other time it leaves at once, which ends Linux 6.1.192.
                assert number % 2 or central.exchange_mtu(100) == 517
        print(f"100 connections in {time.monotonic() - started:.0f} s")

    def test_three_centrals_have_a_link_each(self, contexts):
        with Blemu("bracelet") as blemu:
            centrals = [contexts.enter_context(Central(own=own)) for own in CENTRALS]
            assert len(hci.links("hci0")) == len(set(hci.links("hci0"))) == 3
            for central in centrals:
                central.subscribe(serial := central.characteristic("FFE1"))
            for number, central in enumerate(centrals, 1):
                day = bytes([0xA5, 6, 3, number, 2])
                central.write(serial, day + bytes([day[0] ^ day[1] ^ day[2] ^ day[3] ^ day[4]]))
                # BlueZ (5.66) notifies every subscriber.
                answers = {each.notification() for each in centrals}
                assert len(answers) == 1 and next(iter(answers))[:3] == b"\xA5\x06\x83"
            who = [event["central"] for event in blemu.happened("write")]
            assert who == [hci.address_text(central.own) for central in centrals]

    def test_each_link_changes_its_interval_as_the_peripheral_asks(self, contexts, air, ask_for_interval):
        with Blemu("bracelet"):
            known = set()
            for own, milliseconds in zip(CENTRALS, (75, 100, 150)):
                ask_for_interval(milliseconds)
                contexts.enter_context(Central(own=own))
                handle, = set(hci.links("hci0")) - known
                known.add(handle)
                assert air.wait_for_interval(handle) == milliseconds

    def test_a_link_changes_to_le_2m(self, contexts, air):
        with Blemu("bracelet"):
            for own in CENTRALS:
                contexts.enter_context(Central(own=own))
            handle = hci.links("hci0")[1]
            hci.command("hci0", 0x2032, struct.pack("<HBBBH", handle, 0, 1 << 1, 1 << 1, 0))  # LE Set PHY: sends and receives on LE 2M
            assert air.wait_for_phys(handle) == (2, 2)

    def test_an_hm10_takes_a_second_central_when_the_first_has_left(self, meanwhile):
        # hm-10-cable has "centrals: 1": like the module, it does not advertise while one is connected.
        with Blemu("hm-10-cable", "--stdio") as blemu, contextlib.ExitStack() as links:
            first = Central()
            serial = first.characteristic("FFE1")
            second = meanwhile(Central, own="hci2")
            for number in range(50):
                first.write_command(serial, bytes([number]))
                assert bytes.fromhex(blemu.await_event("wire-out")["value"]) == bytes([number])
                assert not second.done()
            first.close()
            links.enter_context(second.result(PATIENCE)).read(serial)
            assert [event["central"] for event in blemu.happened("connected")] == [hci.address_text(own) for own in ("hci1", "hci2")]

    def test_advertising_on_a_secondary_channel_is_seen(self):
        data = bytes(range(24))
        bluez.forget_devices()
        with bluez.Dialogue("bluetoothctl", own="hci0") as control:
            control.await_output("Agent registered")
            for command in (f"select {hci.address_text('hci0')}", "menu advertise", "secondary 2M",
                            f"manufacturer 0xFFFF {' '.join(map(str, data))}", "back", "advertise peripheral"):
                control.send(command)
            control.await_output("Advertising object registered")
            script = "\n".join(("import asyncio, sys", "from bleak import BleakScanner",
                                "seen = lambda _, it: [*it.manufacturer_data.values()] == [bytes.fromhex(sys.argv[1])]",
                                "print(asyncio.run(BleakScanner.find_device_by_filter(seen, timeout=60, adapter='hci1')))"))
            assert hci.address_text("hci0") in bluez.bleak(script, data.hex())

    def test_three_centrals_pair_and_each_link_is_encrypted(self, unbondable):
        address = hci.address_text("hci0")
        with Blemu("bracelet"), bluez.Dialogue("bluetoothctl", "--agent", "NoInputNoOutput") as control, contextlib.ExitStack() as links:
            control.await_output("Agent registered")
            control.send("default-agent")
            control.await_output("Default agent request successful")
            for own in CENTRALS:
                links.callback(bluez.disconnect, own)
                for command, answer in ((f"select {hci.address_text(own)}", ""), ("scan le", rf"\[NEW\] Device {address}"),
                                        ("scan off", "Discovery stopped")):
                    control.send(command)
                    control.await_output(answer)
                control.send(f"pair {address}")
                control.await_output(r"Accept pairing \(yes/no\)")  # asks for the peripheral, which has the same bluetoothd
                control.send("yes")
                control.await_output("Pairing successful")
            assert len(hci.links("hci0")) == 3
            assert all(hci.is_encrypted(adapter) for adapter in ("hci0", *CENTRALS))
