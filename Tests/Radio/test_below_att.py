"""Rules and faults below ATT, with Bumble as the phone. `links` logs what happens to its links."""
import asyncio

import pytest
from bumble import l2cap
from bumble.att import ATT_REQUEST_NOT_SUPPORTED_ERROR
from bumble.core import ProtocolError
from bumble.hci import HCI_CONNECTION_TIMEOUT_ERROR, HCI_Error, Phy
from bumble.pairing import PairingDelegate
from bumble.smp import SMP_CONFIRM_VALUE_FAILED_ERROR, SMP_NUMERIC_COMPARISON_FAILED_ERROR, SMP_UNSPECIFIED_REASON_ERROR

from phone import REMOTE_USER_TERMINATED
from programs import REPOSITORY

LINKS = REPOSITORY / "Tests/Specification/links"
PEOPLE = REPOSITORY / "Tests/Specification/people"
KEYBOARD_DISPLAY = PairingDelegate.DISPLAY_OUTPUT_AND_KEYBOARD_INPUT
REMOTE_LOW_RESOURCES = 0x14

both = pytest.mark.parametrize("secure", [False, True], ids=["legacy", "secure-connections"])


async def says(device, message):
    await device.event("log", message=message)


def links(air, *faults):
    return air.device(LINKS, *(word for fault in faults for word in ("--fault", fault)))


async def pair(link, person):
    person.typed.put_nowait(123456)
    await link.connection.pair()


async def failure(of):
    with pytest.raises(ProtocolError) as raised:
        await of
    return raised.value.error_code


async def test_the_phone_changes_parameters_and_phys(air):
    device, phone = await links(air), await air.phone()
    link = (await phone.connect("Links")).connection
    await link.update_parameters(48.75, 48.75, 2, 4000)
    await says(device, "slow: 48.75 ms, latency 2, timeout 4000 ms")
    await link.set_phy([Phy.LE_2M], [Phy.LE_2M])
    await says(device, "fast both ways")
    await says(device, "fast: 40.0 ms")  # what the device has asked for after 5 s


async def test_the_phone_refuses_the_parameters_of_the_device(air):
    device, phone = await links(air), await air.phone()
    manager = phone.bumble.l2cap_channel_manager

    def refuse(connection, channel, request):
        response = l2cap.L2CAP_Connection_Parameter_Update_Response(identifier=request.identifier, result=1)
        manager.send_control_frame(connection, channel, response)

    manager.on_l2cap_connection_parameter_update_request = refuse
    await phone.connect("Links")
    await says(device, "refused: rejected")


async def test_only_one_phone_is_disconnected(air):
    device, first, second = await links(air), await air.phone(), await air.phone()
    links_of = [await first.connect("Links"), await second.connect("Links")]
    await links_of[1].discover()
    for order, reason in ((b"\1", REMOTE_USER_TERMINATED), (b"\2", REMOTE_LOW_RESOURCES)):
        await links_of[0].write(0xFFE1, order)
        assert await links_of[0].ended == reason
        await says(device, "gone: local-host")
        links_of[0] = await first.connect("Links")
    await links_of[1].write(0xFFE1, b"\3", True)
    assert not links_of[1].ended.done()


async def test_a_link_is_lost(air):
    device, phone = await links(air, "lose link after 1s once"), await air.phone()
    link = await phone.connect("Links")
    await device.event("fault", fault="lose link after 1s once")
    await says(device, "lost")
    assert await link.ended == HCI_CONNECTION_TIMEOUT_ERROR
    link = await phone.connect("Links")
    await link.write(0xFFE1, b"\3", True)


@both
async def test_a_pairing_fails_at_a_step(air, secure):
    fault = "fail pairing numeric-comparison-failed at pairing-random once"
    device, phone = await links(air, fault), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, secure=secure, mitm=True)
    link = await phone.connect("Links")
    assert await failure(pair(link, person)) == SMP_NUMERIC_COMPARISON_FAILED_ERROR
    await device.event("fault", fault=fault)
    await device.event("pairing-failed", reason="numeric comparison failed")
    await says(device, "not paired")
    await link.leave()
    link = await phone.connect("Links")
    await pair(link, person)
    assert await link.read(0xFFE2) == b"\x2A"


async def test_a_pairing_fails_at_once(air):
    device, phone = await links(air, "fail pairing unspecified-reason"), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, mitm=True)
    for _ in range(2):
        link = await phone.connect("Links")
        assert await failure(pair(link, person)) == SMP_UNSPECIFIED_REASON_ERROR
        await device.event("fault")
        await link.leave()


@both
async def test_a_confirm_value_is_wrong(air, secure):
    device, phone = await links(air, "spoil confirm-value once"), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, secure=secure, mitm=True)
    link = await phone.connect("Links")
    assert await failure(pair(link, person)) == SMP_CONFIRM_VALUE_FAILED_ERROR
    await device.event("pairing-failed", reason="confirm value failed")
    await link.leave()
    link = await phone.connect("Links")
    await pair(link, person)


async def test_somebody_at_the_device_takes_time_and_says_no_first(air):
    device = await air.device(PEOPLE, "--fault", "person answers 1s late", "--fault", "person refuses once")
    phone = await air.phone()
    phone.pairs(KEYBOARD_DISPLAY, mitm=True)
    link = await phone.connect("People")
    assert await failure(link.connection.pair()) == SMP_NUMERIC_COMPARISON_FAILED_ERROR
    await device.event("pairing-failed", reason="numeric comparison failed")
    await link.leave()
    link = await phone.connect("People")
    await link.connection.pair()
    assert await link.read(0xFFE1) == b"\x2A"


async def test_encryption_is_refused(air):
    device, phone = await links(air, "refuse encryption every 2nd"), await air.phone()
    person = phone.pairs(KEYBOARD_DISPLAY, mitm=True)
    link = await phone.connect("Links")
    await pair(link, person)
    await device.event("bonded")
    await link.leave()
    link = await phone.connect("Links")
    with pytest.raises(HCI_Error):
        await link.connection.encrypt()
    await device.event("fault", fault="refuse encryption every 2nd", ordinal=2)
    await says(device, "not encrypted: pin-or-key-missing")
    assert not link.connection.is_encrypted
    await link.leave()
    link = await phone.connect("Links")
    await link.connection.encrypt()
    assert await link.read(0xFFE2) == b"\x2A"


async def test_a_controller_that_does_not_ask_gets_its_parameters(air):
    # RootCanal's central changes them without a request. The tests of the host have one that asks.
    device, phone = await links(air, "refuse parameters", "ignore parameters"), await air.phone()
    link = (await phone.connect("Links")).connection
    await link.update_parameters(50, 50, 0, 4000)
    await says(device, "slow: 50.0 ms, latency 0, timeout 4000 ms")
    assert not device.has_said("fault")


async def test_requests_that_the_server_answers_meet_faults(air):
    await air.device(
        "echo", "--fault", "refuse request-not-supported on mtu", "--fault", "answer 1s late on discovery/services once",
        "--fault", "answer never on port/2902")
    link = await (await air.phone()).connect("Echo")
    assert await failure(link.peer.request_mtu(185)) == ATT_REQUEST_NOT_SUPPORTED_ERROR
    began = asyncio.get_running_loop().time()
    await link.discover()
    assert asyncio.get_running_loop().time() - began >= 1
    await link.write(0xFFE1, b"\1", True)  # the value is another place
    with pytest.raises(asyncio.TimeoutError):
        await asyncio.wait_for(link.subscribe(0xFFE1), 2)
