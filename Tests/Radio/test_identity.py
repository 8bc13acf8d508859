"""Who a phone is, where addresses look the same."""
from bumble.hci import OwnAddressType

from phone import Link, Phone


def text(address):
    return address.to_string(False)


async def test_two_phones_whose_addresses_have_the_same_bytes(air):
    device, one = await air.device("echo"), await air.phone()
    public = text(one.bumble.public_address)
    async with Phone(air.port, public) as other:
        found = await one.find("Echo")
        first = Link(await one.bumble.connect(found.address, own_address_type=OwnAddressType.PUBLIC, timeout=None))
        await device.event("connected", central=public, **{"address-type": "public"})
        second = await other.connect("Echo")
        await device.event("connected", central=public, **{"address-type": "random"})
        for link in first, second:
            await link.write(0xFFE1, b"1", response=True)
        values = await second.subscribe(0xFFE1)
        await first.leave()
        await device.event("disconnected", central=public)
        await second.write(0xFFE1, b"still here")
        assert await values.get() == b"still here"
