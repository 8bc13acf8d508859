"""The addresses of devices, with Bumble as the phone."""
from bumble.smp import AddressResolver

#: The key of the definition, least significant byte first.
KEY = bytes.fromhex("EC0234A357C8AD05341010A60A397D9B")[::-1]


def text(address):
    """Without the kind."""
    return address.to_string(with_type_qualifier=False)


async def test_a_bonded_phone_recognizes_a_device_whose_address_has_changed(air):
    device, phone = await air.device("private"), await air.phone()
    assert device.on_air["address-kind"] == "resolvable"
    phone.pairs()
    link = await phone.connect("Private")
    first = text(link.connection.peer_address)
    await link.connection.pair()
    await device.event("bonded")
    (key, identity), = await phone.bumble.keystore.get_resolving_keys()
    assert (key, text(identity)) == (KEY, device.on_air["identity"])
    await link.leave()
    await phone.bumble.refresh_resolving_list()

    seen = {first}
    while len(seen) < 3:  # it changes every 3 s
        found = await phone.find("Private")
        seen.add(text(found.address))
        assert text(AddressResolver([(KEY, identity)]).resolve(found.address)) == text(identity)
    link = await phone.connect("Private")
    assert text(link.connection.peer_address) == text(identity)
    await link.connection.encrypt()
    assert await link.read(0xFFE1) == b"\6"
    assert not device.has_said("pairing-failed")


async def test_each_set_has_its_own_address(air):
    device, phone = await air.device("private"), await air.phone()
    fixed = (await device.event("address", set="bootloader"))["address"]
    assert text((await phone.find("Next")).address) == fixed
    first = (await phone.find("Fleeting")).address
    assert text(first)[0] in "0123" and not first.is_resolvable
    while text((await phone.find("Fleeting")).address) == text(first):
        pass
    assert not device.has_said("warning")


async def test_a_bonded_phone_is_recognized_whatever_its_address(air, tmp_path):
    phone = await air.phone()
    phone.pairs()
    known, seen = None, set()
    for _ in range(2):
        device = await air.device("locked", "--state", tmp_path / "state")
        for _ in range(2):
            await phone.change_address()
            link = await phone.connect("Locked")
            central = (await device.event("connected"))["central"]
            seen.add(text(link.connection.self_address))
            if known is None:
                assert central == text(link.connection.self_address)
                await link.connection.pair()
                await device.event("bonded")
                known = text(phone.bumble.public_address)  # the identity address that Bumble sends
            else:
                assert central == known
                await link.connection.encrypt()
            assert await link.read(0xFFE1) == b"\6"
            await link.leave()
            await device.event("disconnected")
        await device.end()
    assert len(seen) == 4 and not device.has_said("pairing-failed")
