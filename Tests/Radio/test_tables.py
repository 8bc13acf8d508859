"""Attributes that change while a phone is connected, and what a device sends below GATT."""
from programs import REPOSITORY

PHONES = REPOSITORY / "Tests/TestBedsTests/Phones"


async def test_services_change_while_the_phone_stays(air):
    device, phone = await air.device(PHONES / "mesh-node.yaml"), await air.phone()
    link = await phone.connect("Node")
    assert await link.discover() == ["1800", "1801", "1827"]
    changed, progress = await link.subscribe(0x2A05), await link.subscribe(0x2ADC)
    await link.write(0x2ADB, b"\3\x08")
    assert await progress.get() == b"\3\x08"
    assert await changed.get() == bytes.fromhex("08 00 0D 00")
    assert (await device.event("unsubscribed"))["attribute"] == "progress"
    assert await link.discover() == ["1800", "1801", "1828"]
    values = await link.subscribe(0x2ADE)
    await link.write(0x2ADD, b"\5")
    assert await values.get() == b"\5"


async def test_pdus_go_out_as_they_are(air):
    device, phone = await air.device(PHONES / "raw-pdus.yaml"), await air.phone()
    link = await phone.connect("Raw")
    values = await link.subscribe(0xFFE1)
    await link.write(0xFFE1, b"\1", True)
    assert await values.get() == b"A" * 100
    assert link.connection.att_mtu == 23
    await link.write(0xFFE1, b"\2", True)  # a handle that is none: nobody gets the value
    await link.write(0xFFE1, b"\4", True)
    await device.event("log", message="<< 02 B9 00")
    await device.event("log", message="<< 02 B9 00")
    await link.write(0xFFE1, b"\5", True)
    assert await values.get() == b"B" * 30
    assert link.connection.att_mtu == 185


async def test_a_device_asks_for_a_phy(air):
    device, phone = await air.device(PHONES / "raw-pdus.yaml"), await air.phone()
    link = await phone.connect("Raw")
    await link.write(0xFFE1, b"\6", True)
    await device.event("log", message="2M and 2M")  # RootCanal reports no other length of packets
