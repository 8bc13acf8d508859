#!/usr/bin/env python3
"""phone.py PORT: Bumble on the host, as a phone, joins the virtual machine's radio at this port. It looks for the HM-10,
connects, discovers its attributes, changes the connection interval and the PHY, subscribes, and writes 10,000 bytes to a
module with an echo behind it."""
import asyncio
import itertools
import sys

from bumble.core import UUID, AdvertisingData
from bumble.device import Device, Peer
from bumble.hci import Address, Phy
from bumble.transport import open_transport

BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 10_000))  # 251 is prime: no two pieces of 20 bytes are the same


async def main(port):
    async with await open_transport(f"tcp-client:127.0.0.1:{port}") as (source, sink):
        phone = Device.with_hci("Phone", Address("F0:F1:F2:F3:F4:F5"), source, sink)
        await phone.power_on()

        found = asyncio.get_running_loop().create_future()

        def see(advertisement):
            name = advertisement.data.get(AdvertisingData.Type.COMPLETE_LOCAL_NAME)
            if name and not found.done():
                found.set_result((advertisement.address, name))

        phone.on("advertisement", see)
        await phone.start_scanning(active=True)
        address, name = await found
        await phone.stop_scanning()
        print(f"found {address.to_string(False)} {name}")

        peer = Peer(await phone.connect(address))
        await peer.discover_all()
        print("discovered", *(service.uuid.to_hex_str() for service in peer.services))
        (serial,) = peer.get_characteristics_by_uuid(UUID.from_16_bits(0xFFE1))

        link = peer.connection
        updated, changed = asyncio.Event(), asyncio.Event()
        link.on(link.EVENT_CONNECTION_PARAMETERS_UPDATE, updated.set)
        link.on(link.EVENT_CONNECTION_PHY_UPDATE, lambda _: changed.set())
        await link.update_parameters(30, 30, 0, 5000)  # interval, interval, latency, supervision timeout
        await updated.wait()
        await link.set_phy([Phy.LE_2M], [Phy.LE_2M])
        await changed.wait()
        phy = await link.get_phy()
        print(f"interval {link.parameters.connection_interval:g} ms, sends on {phy.tx_phy.name}, receives on {phy.rx_phy.name}")

        received, complete = bytearray(), asyncio.Event()

        def take(value):
            received.extend(value)
            if len(received) >= len(BYTES):
                complete.set()

        await peer.subscribe(serial, take)
        for start in range(0, len(BYTES), 20):
            await peer.write_value(serial, BYTES[start:start + 20], with_response=False)
        await complete.wait()
        print("equal" if received == BYTES else "different")
        await peer.connection.disconnect()


asyncio.run(main(int(sys.argv[1])))
