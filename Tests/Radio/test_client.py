"""A device that is the GATT client of its central, which is Bumble."""
import asyncio
import itertools

import pytest
from bumble.att import Attribute
from bumble.gatt import Characteristic, CharacteristicValue, Service

BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 10_000))
NOON = bytes.fromhex("E9070B1D0C0000060000")
LONG = bytes(number % 251 for number in range(500))
ORDERS, ECHO = 0xFFE1, 0xFFE2


class Server:
    """The GATT server of a phone, with what it has been sent."""

    def __init__(self, phone, clock=True, long=LONG):
        self.phone, self.written = phone, asyncio.Queue()
        self.alarm = Characteristic("FFF2", Characteristic.INDICATE, Attribute.READABLE, b"")
        if clock:
            phone.bumble.add_service(Service("1805", [Characteristic("2A2B", Characteristic.READ | Characteristic.NOTIFY, Attribute.READABLE, NOON)]))
        phone.bumble.add_service(Service("FFF0", [
            Characteristic("FFF1", Characteristic.READ | Characteristic.WRITE, Attribute.READABLE | Attribute.WRITEABLE,
                           CharacteristicValue(read=lambda _: long, write=self._take)),
            self.alarm,
            Characteristic("FFF3", Characteristic.WRITE_WITHOUT_RESPONSE, Attribute.WRITEABLE, CharacteristicValue(write=self._take)),
            Characteristic("FFF4", Characteristic.READ, Attribute.READABLE | Attribute.READ_REQUIRES_ENCRYPTION, b"secret")]))

    def _take(self, _, value):
        self.written.put_nowait(bytes(value))

    async def is_subscribed(self):
        while not any(self.phone.bumble.gatt_server.subscribers.values()):
            await asyncio.sleep(.02)


async def order(link, text):
    await link.write(ORDERS, text.encode(), response=True)


async def known(air, mtu=247, **words):
    """A device that has found what a phone has: the device, the phone's server, and the link."""
    device, phone = await air.device("client"), await air.phone()
    server = Server(phone, **words)
    link = await phone.connect("Client")
    if mtu:
        await link.peer.request_mtu(mtu)
    await order(link, "discover")
    found = await device.event("discovered", central=phone.address)
    return device, server, link, found


async def logged(device, text):
    return await device.event("log", message=text)


async def test_it_finds_what_there_is_and_reads(air):
    device, _, link, found = await known(air)
    assert (found["found"], found["missing"]) == ("time long alarm command locked", "")
    await logged(device, "there is a clock")
    await order(link, "time")
    assert (await device.event("client-in", attribute="time"))["value"] == NOON.hex(" ").upper()
    await logged(device, f"time {NOON.hex(' ').upper()}")


async def test_what_is_missing_is_said(air):
    device, _, link, found = await known(air, clock=False)
    assert (found["found"], found["missing"]) == ("long alarm command locked", "time")
    await logged(device, "no clock")
    await order(link, "time")
    assert "refused the read" in (await device.event("warning", attribute="time"))["message"]


@pytest.mark.parametrize("mtu", [None, 100, 247])
async def test_a_long_value_is_read_whole(air, mtu):
    device, _, link, _ = await known(air, mtu)
    await order(link, "long")
    assert bytes.fromhex((await device.event("client-in", attribute="long"))["value"]) == LONG


async def test_it_writes_with_and_without_a_response(air):
    device, server, link, _ = await known(air, long=LONG[:244])
    await order(link, "long")
    assert await server.written.get() == LONG[:244]
    assert bytes.fromhex((await device.event("client-out", attribute="long"))["value"]) == LONG[:244]
    await order(link, "command")
    assert await server.written.get() == b"hurry"


async def test_it_subscribes_and_confirms_indications(air):
    device, server, link, _ = await known(air)
    await order(link, "alarm")
    await server.is_subscribed()
    for number in range(3):  # each waits for the confirmation of the one before
        await server.phone.bumble.indicate_subscribers(server.alarm, bytes([number]))
        await logged(device, f"alarm 0{number}")


async def test_a_refusal_is_an_event_and_ends_nothing(air):
    device, _, link, _ = await known(air)
    await order(link, "locked")
    await logged(device, "refused: insufficient-encryption")
    await logged(device, f"time {NOON.hex(' ').upper()}")


async def test_both_sides_are_client_and_server_at_once(air):
    device, server, link, _ = await known(air)
    await order(link, "alarm")
    await server.is_subscribed()
    values = await link.subscribe(ECHO)

    async def write():
        for start in range(0, len(BYTES), 100):
            await link.write(ECHO, BYTES[start:start + 100])

    async def tell():
        for number in range(20):
            await server.phone.bumble.indicate_subscribers(server.alarm, bytes([number]))

    async def ask():
        for _ in range(10):
            await order(link, "time")

    await asyncio.gather(write(), tell(), ask())
    received = b""
    while len(received) < len(BYTES):
        received += await values.get()
    assert received == BYTES
    for number in range(20):
        await logged(device, f"alarm {number:02X}")
    for _ in range(10):
        await logged(device, f"time {NOON.hex(' ').upper()}")


async def test_each_phone_has_its_own_attributes(air):
    device, phones = await air.device("client"), [await air.phone(), await air.phone()]
    servers = [Server(phones[0]), Server(phones[1], clock=False)]
    links = [await phone.connect("Client") for phone in phones]
    for link in links:
        await order(link, "discover")
    for server, count in zip(servers, [5, 4]):
        assert len((await device.event("discovered", central=server.phone.address))["found"].split()) == count
    await order(links[0], "command")
    assert await servers[0].written.get() == b"hurry"
    await order(links[1], "time")
    await device.event("warning", attribute="time")
    assert servers[1].written.empty()


async def test_a_phone_that_leaves_is_found_again(air):
    device, _, link, _ = await known(air)
    await order(link, "long")
    await link.leave()
    await device.event("disconnected")
    link = await (await air.phone()).connect("Client")
    await order(link, "discover")
    assert (await device.event("discovered"))["found"] == ""


@pytest.mark.parametrize("answer", [b"", b"\x07", b"\x07\x01", b"\x07\xFF\xFF\x00\x00", b"\x09\x00", b"\x01", b"\x01\x06\x00\x00\x0A", b"\x05\x03" + bytes(40)])
async def test_nonsense_ends_the_request_only(air, answer):
    device, phone = await air.device("client"), await air.phone()
    link = await phone.connect("Client")
    await link.characteristic(ORDERS)
    server = phone.bumble.gatt_server

    def reply(bearer, pdu):
        server.send_gatt_pdu(bearer, answer or b"\x05")

    server.on_gatt_pdu = reply
    await order(link, "discover")
    assert (await device.event("discovered"))["found"] == ""
    await order(link, "time")
    await device.event("warning", attribute="time")
