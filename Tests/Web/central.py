#!/usr/bin/env python3
"""central.py PORT NAME: a central on this host joins the virtual machine's radio at this port (tools/vm --radio-port), with Bumble.

Prints the advertising data and the scan response of the device with this name, as they are on the air, in hex on a line. Then it
connects, prints "connected", and writes for each line "UUID HEX" of its standard input. At the end of that it disconnects.
"""
import asyncio
import sys

from bumble.core import UUID
from bumble.device import Advertisement, Device, Peer
from bumble.hci import Address
from bumble.transport import open_transport


async def find(central, name):
    """Returns the device's address and both its packets."""
    packets, found = {}, asyncio.get_running_loop().create_future()

    def hear(report):
        heard = Advertisement.from_advertising_report(report)
        of_device = packets.setdefault(heard.address, {})
        of_device[heard.is_scan_response] = heard.data_bytes
        if len(of_device) == 2 and name.encode() in b"".join(of_device.values()) and not found.done():
            found.set_result((heard.address, of_device[False], of_device[True]))

    central.host.on("advertising_report", hear)
    await central.start_scanning(active=True)
    result = await found
    await central.stop_scanning()
    return result


async def main(port, name):
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as (source, sink):
        central = Device.with_hci("Central", Address("F0:F1:F2:F3:F4:F5"), source, sink)
        await central.power_on()
        address, data, response = await find(central, name)
        print(data.hex(" ").upper(), response.hex(" ").upper(), sep="\n", flush=True)
        peer = Peer(await central.connect(address))
        await peer.discover_all()
        print("connected", flush=True)
        while line := (await asyncio.to_thread(sys.stdin.readline)).strip():
            uuid, value = line.split(maxsplit=1)
            (characteristic,) = peer.get_characteristics_by_uuid(UUID(uuid))
            await peer.write_value(characteristic, bytes.fromhex(value), with_response=False)
        await peer.connection.disconnect()


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))
