"""What a key protects, and which keys the device keeps, with a phone that cheats."""
import asyncio

import pytest
from bumble.core import ProtocolError
from bumble.hci import Address, HCI_Error
from bumble.pairing import PairingConfig, PairingDelegate
from bumble.profiles.csip import CoordinatedSetIdentificationProxy, SirkType
from bumble.smp import SMP_AUTHENTICATION_REQUIREMENTS_ERROR, SMP_CONFIRM_VALUE_FAILED_ERROR, SMP_PAIRING_NOT_SUPPORTED_ERROR, SMP_REPEATED_ATTEMPTS_ERROR

SECRET, COVERED, OPEN = b"\x5e", b"\xc0", b"\x09"

both = pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure-connections"])


async def warning(device, text):
    await device.line(lambda line: '"event":"warning"' in line and text in line)


async def failure(of):
    with pytest.raises(ProtocolError) as raised:
        await of
    return raised.value.error_code


async def pair(phone, link, secure, passkey=271828, claiming=None, **words):
    """Pairs with the passkey that the device shows; without one, by Just Works. May tell a random identity address as its own."""
    capability = PairingDelegate.KEYBOARD_INPUT_ONLY if passkey else PairingDelegate.NO_OUTPUT_NO_INPUT
    person = phone.pairs(capability, secure=secure, mitm=bool(passkey), **words)
    person.typed.put_nowait(passkey)
    if claiming:
        phone.bumble.static_address = Address(claiming)
        configuration = phone.bumble.pairing_config_factory(link.connection)
        configuration.identity_address_type = PairingConfig.AddressType.RANDOM
        phone.bumble.pairing_config_factory = lambda _: configuration
    await link.connection.pair()


async def kinds(link, count=4):
    """The values that come with so many open ones, after those that are on their way."""
    values = link.listen()
    found = []
    for _ in range(2):
        found.clear()
        while found.count(OPEN) < count:
            found.append(await values.get())
    return set(found)


@both
async def test_values_need_their_protection_when_they_are_sent(air, secure):
    _, phone = await air.device("guarded"), await air.phone()
    link = await phone.connect("Guarded")
    assert await kinds(link) == {OPEN}
    await pair(phone, link, secure, bonding=False)
    assert await kinds(link) == {OPEN, COVERED}
    await link.subscribe(0xFFE1)
    assert await kinds(link) == {OPEN, COVERED, SECRET}
    await pair(phone, link, secure, passkey=None, bonding=False)
    assert await kinds(link) == {OPEN, COVERED}


@both
async def test_a_bond_serves_nobody_else_with_the_same_address_and_is_not_replaced(air, secure):
    device, phone, thief = await air.device("guarded"), await air.phone(), await air.phone()
    link = await phone.connect("Guarded")
    await pair(phone, link, secure)
    await device.event("bonded")
    await link.subscribe(0xFFE1)
    await link.leave()
    await device.event("disconnected")

    await thief.take_address(phone.address)
    link = await thief.connect("Guarded")
    await pair(thief, link, secure, passkey=None, bonding=False)
    assert await kinds(link) == {OPEN, COVERED}
    assert await failure(pair(thief, link, secure, passkey=None)) == SMP_AUTHENTICATION_REQUIREMENTS_ERROR
    await warning(device, "because its bond with F0:F1:F2:F3:F4:F5 has a stronger key")
    await link.leave()
    await device.event("disconnected")

    link = await phone.connect("Guarded")
    await link.connection.encrypt()
    assert await kinds(link) == {OPEN, COVERED, SECRET}


@both
async def test_nobody_takes_the_place_of_a_bonded_phone_by_its_identity_address(air, secure):
    device, phone, thief = await air.device("guarded"), await air.phone(), await air.phone()
    link = await phone.connect("Guarded")
    await pair(phone, link, secure)
    await device.event("bonded")
    await link.leave()
    await device.event("disconnected")

    await thief.change_address()
    link = await thief.connect("Guarded")
    await pair(thief, link, secure, passkey=None, claiming=phone.address)
    await device.event("pairing-failed")
    await warning(device, "because its bond with F0:F1:F2:F3:F4:F5 has a stronger key")
    await link.leave()
    await device.event("disconnected")
    link = await thief.connect("Guarded")
    with pytest.raises(HCI_Error):
        await link.connection.encrypt()
    assert not device.has_said("bonded")

    link = await phone.connect("Guarded")
    await link.connection.encrypt()


@both
async def test_a_device_may_require_authentication(air, secure):
    device, phone = await air.device("guarded", "--set", "require=authenticated"), await air.phone()
    link = await phone.connect("Guarded")
    assert await failure(pair(phone, link, secure, passkey=None)) == SMP_AUTHENTICATION_REQUIREMENTS_ERROR
    await warning(device, "require: authenticated")
    await pair(phone, link, secure)
    await device.event("bonded")


async def test_the_wait_after_wrong_passkeys_begins_anew_after_a_success(air):
    device, phone = await air.device("guarded"), await air.phone()

    async def attempt(passkey):
        """Returns the reason of its failure; None: it succeeds."""
        link = await phone.connect("Guarded")
        try:
            await pair(phone, link, secure=False, passkey=passkey, bonding=False)
        except ProtocolError as failure:
            return failure.error_code
        finally:
            await link.leave()
            await device.event("disconnected")

    for _ in range(2):
        assert await attempt(1) == SMP_CONFIRM_VALUE_FAILED_ERROR  # the first one is forgiven
        assert await attempt(2) == SMP_CONFIRM_VALUE_FAILED_ERROR
        assert await attempt(3) == SMP_REPEATED_ATTEMPTS_ERROR
        await asyncio.sleep(1.1)
        assert await attempt(271828) is None


@pytest.mark.parametrize("full", ["refuse", "oldest"])
async def test_a_device_has_room_for_some_bonds(air, full):
    device, phones = await air.device("guarded", "--set", "places=2", "--set", f"when-full={full}"), [await air.phone() for _ in range(3)]
    for phone in phones:
        link = await phone.connect("Guarded")
        if phone is phones[2] and full == "refuse":
            assert await failure(pair(phone, link, True)) == SMP_PAIRING_NOT_SUPPORTED_ERROR
        else:
            await pair(phone, link, True)
            await device.event("bonded")
        await link.leave()
        await device.event("disconnected")
    for phone in phones[:2]:
        link = await phone.connect("Guarded")
        if phone is phones[0] and full == "oldest":
            with pytest.raises(HCI_Error):
                await link.connection.encrypt()
        else:
            await link.connection.encrypt()
        await link.leave()
        await device.event("disconnected")


@both
async def test_the_key_of_a_coordinated_set_is_encrypted_with_that_of_the_bond(air, secure):
    _, phone = await air.device("earbud"), await air.phone()
    for is_bonded in (False, True):
        link = await phone.connect("Earbud")
        await (link.connection.encrypt() if is_bonded else pair(phone, link, secure, passkey=None))
        await link.discover()
        if is_bonded or secure:  # on the link of a legacy pairing, Bumble takes the Short Term Key for the Long Term Key
            proxy = link.peer.create_service_proxy(CoordinatedSetIdentificationProxy)
            found, key = await proxy.read_set_identity_resolving_key()
            assert (found, key[::-1].hex()) == (SirkType.ENCRYPTED, "457d7d0921a1fd22cecd8c86dd72cccd")
        await link.leave()
