"""Devices on a controller of their own, as a phone sees them."""
import asyncio
import itertools
import signal

import pytest
from bumble.core import AdvertisingData, ProtocolError, UUID
from bumble.hci import Phy

from phone import REMOTE_USER_TERMINATED, event
from programs import free_port

BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 10_000))  # 251 is prime: no two pieces of 20 bytes are the same


async def test_an_hm_10_is_what_a_phone_expects(air):
    device, phone = await air.device("hm-10"), await air.phone()
    found = await phone.find("HMSoft")
    assert found.is_connectable and found.is_scan_response
    assert found.address.to_string(False) == device.on_air["address"]
    link = await phone.to(found.address)
    await device.event("connected", central=phone.address)
    assert await link.discover() == ["1800", "1801", "FFE0"]
    serial = await link.characteristic(0xFFE1)
    assert [descriptor.type.to_hex_str() for descriptor in serial.descriptors] == ["2902", "2901"]
    await link.leave()
    assert (await device.event("disconnected"))["reason"] == "remote-user-terminated"


async def test_bytes_come_back_unchanged(air):
    device, phone = await air.device("hm-10-cable", "--exec", "cat"), await air.phone()
    link = await phone.connect("HMSoft")
    assert await link.peer.request_mtu(517) == 23
    values = await link.subscribe(0xFFE1)
    await device.event("subscribed")
    for start in range(0, len(BYTES), 20):
        await link.write(0xFFE1, BYTES[start:start + 20])
    received = b""
    while len(received) < len(BYTES):
        received += await values.get()
    assert received == BYTES


async def test_a_wire_side_without_a_speed_waits_for_the_phone(air, tmp_path):
    stream = tmp_path / "stream"
    stream.write_bytes(20 * BYTES)
    _, phone = await air.device("nordic-uart", "--exec", "cat", stream), await air.phone()
    link = await phone.connect("Nordic_UART")
    values = await link.subscribe(UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E"))
    received = b""
    while len(received) < 20 * len(BYTES):
        received += await values.get()
    assert received == 20 * BYTES


async def test_a_wire_side_takes_no_more_than_a_phone_that_has_stopped(air):
    port = free_port()
    device, phone = await air.device("nordic-uart", "--tcp", port), await air.phone()
    link = await phone.connect("Nordic_UART")
    await link.subscribe(UUID("6E400003-B5A3-F393-E0A9-E50E24DCCA9E"))
    _, writer = await asyncio.open_connection("127.0.0.1", port)
    air.radio.process.send_signal(signal.SIGSTOP)
    try:
        writer.write(20 * BYTES)
        before, count = 0, -1
        while count < 1 or count != before:  # until nothing has been sent for a while
            await asyncio.sleep(1)
            before, count = count, sum('"event":"notify"' in line for line in device.lines)
    finally:
        air.radio.process.send_signal(signal.SIGCONT)
        writer.transport.abort()
    assert 0 < count < 10 * len(BYTES) / (link.connection.att_mtu - 3)


async def test_a_value_has_the_length_of_the_mtu(air):
    phone, _ = await air.phone(), await air.device("echo")
    link = await phone.connect("Echo")
    values = await link.subscribe(0xFFE1)
    assert await link.peer.request_mtu(517) == 185
    for response in (True, False):
        await link.write(0xFFE1, BYTES[:182], response)
        assert await values.get() == BYTES[:182]


async def test_no_notification_is_lost(air):
    phone, _ = await air.phone(), await air.device("echo")
    link = await phone.connect("Echo")
    values = await link.subscribe(0xFFE1)
    await link.write(0xFFE2, b"\xF1", True)
    received = [await values.get() for _ in range(1000)]
    assert received == [number.to_bytes(4, "big") + bytes(range(16)) for number in range(1000)]


async def test_either_side_ends_the_link_and_the_phone_comes_back(air):
    device, phone = await air.device("echo"), await air.phone()
    for is_device in (False, True, False):
        link = await phone.connect("Echo")
        await device.event("connected")
        if is_device:
            await link.write(0xFFE2, b"\xF2", True)
            assert await link.ended == REMOTE_USER_TERMINATED
            assert (await device.event("disconnected"))["reason"] == "local-host"
        else:
            await link.leave()
            assert (await device.event("disconnected"))["reason"] == "remote-user-terminated"


async def test_a_phone_that_vanishes_has_ended_its_link(air):
    device, phone = await air.device("echo"), await air.phone()
    await phone.connect("Echo")
    await device.event("connected")
    await phone.__aexit__()
    await device.event("disconnected")
    other = await air.phone()
    await other.connect("Echo")


async def test_two_phones_have_links_of_their_own(air):
    device, first, second = await air.device("echo"), await air.phone(), await air.phone()
    links = [await first.connect("Echo"), await second.connect("Echo")]
    queues = [await link.subscribe(0xFFE1) for link in links]
    # A notification of the echo goes to all that have subscribed.
    for number, link in enumerate(links):
        await link.write(0xFFE1, bytes([0xA0, number]))
        assert [await queue.get() for queue in queues] == [bytes([0xA0, number])] * 2
    await links[0].leave()
    assert (await device.event("disconnected"))["central"] == first.address
    await links[1].write(0xFFE1, b"still here")
    assert await queues[1].get() == b"still here"


async def test_a_device_for_one_phone_does_not_advertise_to_the_next(air):
    device, first, second = await air.device("hm-10"), await air.phone(), await air.phone()
    link = await first.connect("HMSoft")
    await device.event("connected")
    with pytest.raises(asyncio.TimeoutError):
        async with asyncio.timeout(3):
            await second.find("HMSoft")
    await link.leave()
    await second.connect("HMSoft")


async def test_the_phone_changes_the_link(air):
    device, phone = await air.device("echo"), await air.phone()
    link = (await phone.connect("Echo")).connection
    updated = event(link, link.EVENT_CONNECTION_PARAMETERS_UPDATE)
    await link.update_parameters(45, 45, 1, 3000)  # interval, interval, latency, supervision timeout
    await updated
    await device.event("link", **{"interval-milliseconds": 45, "latency": 1, "timeout-milliseconds": 3000})
    changed = event(link, link.EVENT_CONNECTION_PHY_UPDATE)
    await link.set_phy([Phy.LE_2M], [Phy.LE_2M])
    await changed
    await device.event("link", **{"tx-phy": "LE 2M", "rx-phy": "LE 2M"})


async def test_the_device_asks_for_other_parameters(air):
    device, phone = await air.device("wishful"), await air.phone()
    connection = (await phone.connect("Wishful")).connection
    event_of_link = await device.event("link", latency=2)
    assert 50 <= event_of_link["interval-milliseconds"] <= 60
    assert event_of_link["timeout-milliseconds"] == 4000
    assert connection.parameters.peripheral_latency == 2


async def test_a_device_on_extended_advertising_is_found_and_connected(air):
    device, phone = await air.device("modern"), await air.phone()
    found = await phone.find("Modern")
    assert not found.is_legacy and found.secondary_phy == Phy.LE_2M
    assert found.data.get(AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA) == (0xFFFF, b"\1\2\3")
    link = await phone.to(found.address)
    await device.event("connected")
    assert await link.read(0xFFE1) == b"\7"
    await link.leave()
    await phone.find("Modern")


async def test_the_device_leaves_the_air_with_its_program(air):
    device, phone = await air.device("echo"), await air.phone()
    link = await phone.connect("Echo")
    assert await device.end() == 0
    await link.ended


async def test_the_device_says_that_its_controller_has_gone(air):
    device = await air.device("echo")
    await air.radio.end()
    assert "127.0.0.1" in (await device.event("off-air"))["reason"]
    assert not device.has_said("internal-error")


async def test_an_error_of_the_device_is_an_error_of_the_phone(air):
    phone, _ = await air.phone(), await air.device("locked", "--set", "pairs=false")
    link = await phone.connect("Locked")
    with pytest.raises(ProtocolError) as raised:
        await link.read(0xFFE1)
    assert raised.value.error_code in (0x05, 0x0F)  # insufficient authentication, insufficient encryption


async def test_a_thermometer_goes_on_broadcasting_while_a_phone_is_connected(air):
    device, phone, passerby = await air.device("beacon-thermometer"), await air.phone(), await air.phone()
    link = await phone.connect("Thermometer")
    await device.event("connected", central=phone.address)
    for level in (7, 9):
        await link.write(0xFFE1, bytes([level]), response=True)
        found = await passerby.find("Thermometer")
        while found.data.get(AdvertisingData.Type.MANUFACTURER_SPECIFIC_DATA) != (0x0499, bytes([level])):
            found = await passerby.find("Thermometer")
        assert not found.is_connectable and found.is_scannable and found.is_scan_response
        assert found.data.get(AdvertisingData.Type.FLAGS) == 0x06
    await link.leave()
    while not (await passerby.find("Thermometer")).is_connectable:
        pass
    await (await passerby.connect("Thermometer")).leave()


async def test_a_value_comes_before_the_response_where_a_rule_says_so(air):
    await air.device("answers")
    link = await (await air.phone()).connect("Answers")
    await link.discover()
    order, client = [], link.peer.gatt_client
    take = client.on_gatt_pdu

    def note(pdu):
        if bytes(pdu)[0] in (0x13, 0x1B):  # Write Response, Handle Value Notification
            order.append(bytes(pdu))
        take(pdu)

    client.on_gatt_pdu = note
    values = await link.subscribe(0xFFE1)
    await link.write(0xFFE1, b"\x01", response=True)
    while len(order) < 5:
        await values.get()
    handle = (await link.characteristic(0xFFE1)).handle.to_bytes(2, "little")
    assert order == [b"\x1B" + handle + b"\xA0", b"\x13", b"\x1B" + handle + b"\xA1", b"\x13", b"\x1B" + handle + b"\xA2"]


async def test_only_the_phone_that_has_asked_gets_the_answer(air):
    await air.device("answers")
    links = [await (await air.phone()).connect("Answers") for _ in range(2)]
    values = [await link.subscribe(0xFFE2) for link in links]
    for number in (0, 1):
        await links[number].write(0xFFE2, bytes([number]), response=True)
    for number in (0, 1):
        assert [await values[number].get() for _ in range(2)] == [bytes([0xB1, number]), bytes([0xB2, number])]
    assert all(queue.empty() for queue in values)
