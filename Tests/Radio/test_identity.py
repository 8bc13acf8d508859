"""Who a phone is: its identity, and addresses that look the same."""
import pytest
from bumble.hci import OwnAddressType

from phone import Link, Phone


def text(address):
    return address.to_string(False)


@pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure-connections"])
async def test_rules_have_the_identity_once_it_is_distributed(air, secure):
    device, phone = await air.device("owner"), await air.phone()
    phone.pairs(secure=secure)
    await phone.change_address()
    link = await phone.connect("Owned")
    private, identity = text(link.connection.self_address), text(phone.bumble.public_address)
    assert private != identity
    await device.event("log", message=f"connected: {private.replace(':', '')}")
    await link.connection.pair()
    await device.event("identified", central=private, identity=identity)
    await device.event("bonded", central=private)
    await device.event("log", message=f"the owner is {identity.replace(':', '')}")
    await link.leave()
    for _ in range(2):
        await phone.change_address()
        link = await phone.connect("Owned")
        assert text(link.connection.self_address) not in (private, identity)
        await device.event("connected", central=identity, **{"private-address": text(link.connection.self_address)})
        await device.event("log", message=f"connected: {identity.replace(':', '')}")
        await link.connection.encrypt()
        await device.event("log", message="the owner is back")
        await link.leave()
        await device.event("disconnected", central=identity)
    assert not device.has_said("warning")


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
