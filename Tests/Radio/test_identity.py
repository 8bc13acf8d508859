"""Who a phone is."""
import pytest


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
