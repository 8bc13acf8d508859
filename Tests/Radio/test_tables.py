"""Attributes that change while a phone is connected."""
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
