"""Pairing, with Bumble as the phone."""
import bumble.core
import pytest
from bumble.core import ProtocolError
from bumble.hci import HCI_AUTHENTICATION_FAILURE_ERROR, HCI_Error
from bumble.pairing import PairingDelegate
from bumble.smp import (SMP_CONFIRM_VALUE_FAILED_ERROR, SMP_NUMERIC_COMPARISON_FAILED_ERROR, SMP_PAIRING_NOT_SUPPORTED_ERROR,
                        SMP_PASSKEY_ENTRY_FAILED_ERROR)

from programs import BLEMU, Program

KEYBOARD_DISPLAY = PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT
DISPLAY_YES_NO = PairingDelegate.DISPLAY_OUTPUT_AND_YES_NO_INPUT

both = pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure-connections"])


def settings(**values):
    return [word for name, value in values.items() for word in ("--set", f"{name}={value}")]


async def failure(of):
    with pytest.raises(ProtocolError) as raised:
        await of
    return raised.value.error_code


@both
async def test_just_works_encrypts_the_link(air, secure):
    device, phone = await air.device("locked"), await air.phone()
    phone.pairs(secure=secure)
    link = await phone.connect("Locked")
    await link.connection.pair()
    assert await link.read(0xFFE1) == b"\6"
    await device.event("encrypted", level="encrypted", **{"key-size": 16})
    await device.event("bonded")
    assert await failure(link.read(0xFFE2)) == 0x05  # insufficient authentication


@both
async def test_the_passkey_of_the_device_is_fixed(air, secure):
    device, phone = await air.device("locked", *settings(io="display-only")), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, secure=secure, mitm=True)
    link = await phone.connect("Locked")
    person.typed.put_nowait(123456)
    await link.connection.pair()
    assert (await device.event("passkey"))["passkey"] == "123456"
    assert await link.read(0xFFE2) == b"\7"
    await device.event("encrypted", level="secure" if secure else "authenticated")


@both
async def test_a_wrong_passkey_fails(air, secure):
    device, phone = await air.device("locked", *settings(io="display-only")), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, secure=secure, mitm=True)
    link = await phone.connect("Locked")
    person.typed.put_nowait(123457)
    assert await failure(link.connection.pair()) == SMP_CONFIRM_VALUE_FAILED_ERROR
    await device.event("pairing-failed", central=phone.address)
    assert not link.connection.is_encrypted


@both
async def test_the_device_enters_the_passkey_of_the_phone(air, secure):
    # Whoever types at the device's keyboard types the passkey of the definition, and the phone draws its own.
    device, phone = await air.device("locked", *settings(io="keyboard-only")), await air.phone()
    phone.pairs(PairingDelegate.DISPLAY_OUTPUT_ONLY, secure=secure, mitm=True)
    link = await phone.connect("Locked")
    assert await failure(link.connection.pair()) in (SMP_CONFIRM_VALUE_FAILED_ERROR, SMP_PASSKEY_ENTRY_FAILED_ERROR)
    await device.event("pairing-failed")


async def test_both_sides_show_the_same_number(air):
    device, phone = await air.device("locked", *settings(io="display-yes-no")), await air.phone()
    person = phone.pairs(DISPLAY_YES_NO, mitm=True)
    link = await phone.connect("Locked")
    await link.connection.pair()
    assert int((await device.event("passkey"))["passkey"]) == await person.shown.get()
    assert await link.read(0xFFE2) == b"\7"
    await device.event("encrypted", level="secure")


async def test_a_phone_that_sees_another_number_does_not_pair(air):
    device, phone = await air.device("locked", *settings(io="display-yes-no")), await air.phone()
    phone.pairs(DISPLAY_YES_NO, mitm=True, agrees=False)
    link = await phone.connect("Locked")
    # Bumble says Confirm Value Failed where the specification has Numeric Comparison Failed.
    assert await failure(link.connection.pair()) in (SMP_CONFIRM_VALUE_FAILED_ERROR, SMP_NUMERIC_COMPARISON_FAILED_ERROR)
    await device.event("pairing-failed")


@both
async def test_a_bonded_phone_comes_back_encrypted(air, secure):
    device, phone = await air.device("locked"), await air.phone()
    phone.pairs(secure=secure)
    link = await phone.connect("Locked")
    await link.connection.pair()
    await device.event("bonded")
    await link.leave()
    await device.event("disconnected")
    for _ in range(2):
        link = await phone.connect("Locked")
        await link.connection.encrypt()
        assert await link.read(0xFFE1) == b"\6"
        await link.leave()
        await device.event("disconnected")
    assert not device.has_said("pairing-failed")


async def test_only_an_accepted_phone_gets_an_answer(air):
    device, phone, stranger = await air.device("private-keyboard"), await air.phone(), await air.phone()
    found = await stranger.find("Keyboard")  # which answers scans
    link = await phone.to(found.address)
    await device.event("connected")
    await link.connection.pair()
    await device.event("bonded")
    await link.leave()
    await device.event("disconnected")
    for _ in range(2):
        await phone.change_address()  # which the controller resolves
        link = await phone.connect("Keyboard")
        await device.event("connected")
        await link.connection.encrypt()
        assert await link.read(0xFFE1) == b"\6"
        await link.leave()
        await device.event("disconnected")
    with pytest.raises(bumble.core.TimeoutError):
        await stranger.bumble.connect(found.address, timeout=2)
    assert not device.has_said("connected") and not device.has_said("warning")


async def test_a_bond_lasts_with_the_state_of_the_device(air, tmp_path):
    phone = await air.phone()
    phone.pairs()
    device = await air.device("locked", "--state", tmp_path / "state")
    link = await phone.connect("Locked")
    await link.connection.pair()
    await device.event("bonded")
    await link.leave()
    await device.event("disconnected")
    assert await device.end() == 0
    await air.device("locked", "--state", tmp_path / "state")
    link = await phone.connect("Locked")
    await link.connection.encrypt()
    assert await link.read(0xFFE1) == b"\6"


async def test_a_phone_that_forgot_the_device_pairs_again(air):
    device, phone = await air.device("locked"), await air.phone()
    phone.pairs()
    for _ in range(2):
        link = await phone.connect("Locked")
        await phone.bumble.keystore.delete_all()
        await link.connection.pair()
        await device.event("bonded")
        assert await link.read(0xFFE1) == b"\6"
        await link.leave()
        await device.event("disconnected")


@both
async def test_a_device_that_forgot_the_phone_misses_the_key_and_pairs_again(air, tmp_path, secure):
    state, control = tmp_path / "state", tmp_path / "control"
    device, phone = await air.device("locked", "--state", state, "--control", control), await air.phone()
    phone.pairs(secure=secure)
    link = await phone.connect("Locked")
    await link.connection.pair()
    await device.event("bonded")
    assert "bonds" in state.read_text()
    async with Program(BLEMU, "forget", control) as forgetting:
        assert await forgetting.process.wait() == 0
    assert await link.read(0xFFE1) == b"\6"  # the link stays encrypted
    assert "bonds" not in state.read_text()
    await link.leave()
    await device.event("disconnected")
    link = await phone.connect("Locked")
    with pytest.raises(HCI_Error) as raised:
        await link.connection.encrypt()
    assert raised.value.error_code == HCI_AUTHENTICATION_FAILURE_ERROR  # RootCanal's answer in place of PIN or Key Missing
    await device.event("warning")
    await link.connection.pair()
    await device.event("bonded")
    assert await link.read(0xFFE1) == b"\6"


async def test_a_device_without_bonding_says_so(air):
    device, phone = await air.device("locked", *settings(bonds="false")), await air.phone()
    phone.pairs()
    link = await phone.connect("Locked")
    await link.connection.pair()
    await device.event("paired")
    assert await link.read(0xFFE1) == b"\6"
    assert not device.has_said("bonded")


async def test_a_device_that_does_not_pair_says_so(air):
    _, phone = await air.device("locked", *settings(pairs="false")), await air.phone()
    phone.pairs()
    link = await phone.connect("Locked")
    assert await failure(link.connection.pair()) == SMP_PAIRING_NOT_SUPPORTED_ERROR
    assert not link.connection.is_encrypted


async def test_a_device_that_requires_secure_connections_refuses_legacy_pairing(air):
    device, phone = await air.device("locked", *settings(secure="required")), await air.phone()
    phone.pairs(secure=False)
    link = await phone.connect("Locked")
    await failure(link.connection.pair())
    await device.event("pairing-failed")
