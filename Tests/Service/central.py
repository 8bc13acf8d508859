"""central.py NAME [VALUE]: finds a device from hci1, and writes a value to its characteristic FFE1."""
import asyncio
import sys

from bleak import BleakClient, BleakScanner
from bleak.exc import BleakError

UUID = "0000ffe1-0000-1000-8000-00805f9b34fb"


async def main(name, value=""):
    device = await BleakScanner.find_device_by_name(name, timeout=60, adapter="hci1")
    if device is None:
        sys.exit(f"no {name}")
    if not value:
        return
    client = BleakClient(device, adapter="hci1")
    await write(client, value)
    await asyncio.sleep(1)
    await disconnect(client)


async def write(client, value, attempts=5):
    for remaining in reversed(range(attempts)):
        try:
            await client.connect()
            return await client.write_gatt_char(UUID, value.encode(), response=False)
        except (BleakError, KeyError):
            # bluetoothd 5.66 may lose a link between two adapters of its own while it opens enhanced ATT channels. 5.82 may report
            # that the services are resolved before it has shown all of them, and bleak 0.22 does not wait.
            if not remaining:
                raise
            await disconnect(client)


async def disconnect(client):
    try:
        await client.disconnect()
    except EOFError:
        pass  # bleak 0.22 says so with BlueZ 5.82 once it has disconnected


asyncio.run(main(*sys.argv[1:]))
