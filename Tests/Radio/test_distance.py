"""A device that moves on the virtual radio, with Bumble as the phone."""
import asyncio
import json

from bumble.hci import HCI_CONNECTION_TIMEOUT_ERROR

from programs import BLEMU, Program
from test_clones import blemu, place


async def steer(*words):
    """Runs a command for the device that is on the air."""
    status, output, errors = await blemu(*words)
    assert (status, errors) == (0, "")
    return output


async def rssi_until(phone, wanted):
    """Waits for a report of the device with a certain RSSI."""
    heard = asyncio.Event()

    def see(advertisement):
        if advertisement.rssi == wanted:
            heard.set()

    phone.bumble.on("advertisement", see)
    await phone.bumble.start_scanning(active=False, filter_duplicates=False)
    await heard.wait()
    await phone.bumble.stop_scanning()
    phone.bumble.remove_listener("advertisement", see)


async def test_a_phone_hears_how_far_a_device_is(air):
    await air.device("echo", "--name", "far")
    phone = await air.phone()
    await rssi_until(phone, -50)
    for rssi in (-80, -30):
        await steer("fault", "far", f"fade to {rssi} dBm")
        await rssi_until(phone, rssi)
        await steer("fault", "far", "--remove-all")
        await rssi_until(phone, -50)


async def test_a_scan_shows_the_distance(air):
    await air.device("echo", "--fault", "fade to -83 dBm")
    async with Program(BLEMU, "scan", "--on", place(air), "--json", "--for", "1min") as scan:
        await scan.line(lambda line: json.loads(line).get("rssi") == -83)


async def test_a_device_leaves_and_returns(air):
    device, phone = await air.device("echo", "--name", "leaving"), await air.phone()
    link = await phone.connect("Echo")
    await steer("fault", "leaving", "leave range")
    assert await link.ended == HCI_CONNECTION_TIMEOUT_ERROR
    await device.event("disconnected", reason="supervision-timeout")
    search = asyncio.create_task(phone.find("Echo"))
    await device.event("fault", fault="leave range")
    assert not search.done()
    await steer("fault", "leaving", "--remove-all")
    await search
    link = await phone.connect("Echo")
    await link.write(0xFFE1, b"again", True)
    assert await link.read(0xFFE1) == b"again"


async def test_a_link_outlasts_a_short_absence(air):
    device, phone = await air.device("echo", "--name", "absent"), await air.phone()
    link = await phone.connect("Echo")
    await link.connection.update_parameters(30, 30, 0, 32_000)
    echoes = await link.subscribe(0xFFE1)
    await steer("fault", "absent", "leave range")
    await link.write(0xFFE1, b"are you there?")
    answer = asyncio.create_task(echoes.get())
    await device.event("fault")
    assert not answer.done()
    await steer("fault", "absent", "--remove-all")
    assert await answer == b"are you there?"
    assert not link.ended.done()


async def test_a_link_repeats_what_is_lost(air):
    await air.device("echo", "--fault", "lose 50% of packets")
    phone = await air.phone()
    link = await phone.connect("Echo")
    echoes = await link.subscribe(0xFFE1)
    values = [bytes([number]) * 20 for number in range(40)]
    for value in values:
        await link.write(0xFFE1, value)
    assert [await echoes.get() for _ in values] == values


async def test_a_device_that_was_reset_is_where_it_was(air):
    device, phone = await air.device("echo", "--fault", "fade to -77 dBm", "--name", "reset"), await air.phone()
    await rssi_until(phone, -77)
    link = await phone.connect("Echo")
    await steer("fault", "reset", "lose link")
    await device.event("disconnected", reason="supervision-timeout")
    assert await link.ended == HCI_CONNECTION_TIMEOUT_ERROR
    await rssi_until(phone, -77)
