"""A device that moves on the virtual radio, with Linux and bleak as the phone."""
import bluez
from device import DEFINITIONS, Blemu

#: Prints the RSSI that each fault leads to, then how a link ends out of range, and what the phone reads once the device is back.
CLIENT = """
import asyncio, sys
from bleak import BleakClient, BleakScanner
from blemu import Device

async def main(device):
    strengths, found, gone = asyncio.Queue(), {}, asyncio.Event()
    def see(peripheral, advertisement):
        if advertisement.local_name == "Faulty":
            found["it"] = peripheral
            strengths.put_nowait(advertisement.rssi)
    def scanner():
        return BleakScanner(see, adapter="hci1", bluez={"filters": {"Pattern": ""}})
    async def hear(wanted):
        while await strengths.get() != wanted:
            pass
        print(wanted)
    async with scanner():
        await hear(-50)
        with device.fault("fade to -80 dBm"):
            await hear(-80)
        await hear(-50)
    async with BleakClient(found["it"], lambda client: gone.set(), adapter="hci1", timeout=60):
        with device.fault("leave range"):
            await gone.wait()
            print("gone")
    async with scanner():
        await hear(-50)
    async with BleakClient(found["it"], adapter="hci1", timeout=60) as client:
        print((await client.read_gatt_char("0000ffe1-0000-1000-8000-00805f9b34fb")).hex())

with Device(sys.argv[1]) as device:
    asyncio.run(main(device))
"""


def test_linux_hears_a_device_move_and_loses_it():
    with Blemu(DEFINITIONS / "faulty.yaml", on="exact:hci0") as blemu:
        output = bluez.bleak(CLIENT, blemu.socket)
        assert output.split() == ["-50", "-80", "-50", "gone", "-50", "2a"]
        blemu.await_event("disconnected", reason="supervision-timeout")
