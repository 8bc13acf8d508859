"""Credit-based channels of L2CAP, with Bumble as the central."""
import asyncio
import itertools

import pytest
from bumble import l2cap
from bumble.core import ProtocolError

from phone import event
from programs import DEFINITIONS

BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 200_000))  # 251 is prime: no two SDUs are the same
CHANNELS = (DEFINITIONS / "channels.yaml").read_text()


def spec(psm=0x80, credits=10, mtu=512, mps=128):
    return l2cap.LeCreditBasedChannelSpec(psm=psm, mtu=mtu, mps=mps, max_credits=credits)


async def opened(link, *arguments, **words):
    """Opens a channel. Returns it, and a queue of the SDUs that come."""
    sdus = asyncio.Queue()
    channel = await link.connection.create_l2cap_channel(spec=spec(*arguments, **words))
    channel.sink = sdus.put_nowait
    return channel, sdus


async def received(sdus, count):
    """The first bytes that come."""
    parts, size = [], 0
    while size < count:
        parts.append(bytes(await sdus.get()))
        size += len(parts[-1])
    return b"".join(parts)


@pytest.mark.parametrize("credits", [1, 2, 3, 10])
async def test_bytes_come_back_unchanged(air, tmp_path, credits):
    definition = tmp_path / "channels.yaml"
    definition.write_text(CHANNELS.replace("mps: 100, credits: 3", f"mps: 250, credits: {credits}"))
    device, phone = await air.device(definition), await air.phone()
    link = await phone.connect("Channels")
    channel, sdus = await opened(link, credits=credits, mps=250)
    await device.event("opened", central=phone.address, attribute="stream")
    channel.write(BYTES)
    assert await received(sdus, len(BYTES)) == BYTES
    assert not device.has_said("warning")


async def test_a_central_opens_the_channel_whose_number_it_reads(air):
    await air.device("channels")
    phone = await air.phone()
    link = await phone.connect("Channels")
    for psm, answer in zip(await link.read(0xFFE2), [b"Hello\n", b"5"]):
        channel, sdus = await opened(link, psm=psm)
        channel.write(b"Hello\n")
        assert await sdus.get() == answer


async def test_sdus_of_several_frames_keep_their_borders(air):
    await air.device("channels")
    phone = await air.phone()
    channel, sdus = await opened(await phone.connect("Channels"), mtu=23, mps=23)
    channel.write(BYTES[:300])  # an SDU of the device's MTU, four K-frames with three credits
    assert [len(await sdus.get()) for _ in range(14)] == 13 * [23] + [1]


async def test_a_channel_that_there_is_not_is_refused(air):
    await air.device("channels")
    phone = await air.phone()
    link = await phone.connect("Channels")
    with pytest.raises(ProtocolError) as refusal:
        await opened(link, psm=0x90)
    assert refusal.value.error_code == 0x0002
    await opened(link)
    with pytest.raises(ProtocolError) as refusal:
        await opened(link)
    assert refusal.value.error_code == 0x0004


async def test_a_channel_demands_encryption(air):
    device, phone = await air.device("channels"), await air.phone()
    phone.pairs()
    link = await phone.connect("Channels")
    with pytest.raises(ProtocolError) as refusal:
        await opened(link, psm=0x81)
    assert refusal.value.error_code == 0x0005
    assert "insufficient-authentication" in (await device.event("warning"))["message"]
    await link.connection.pair()
    _, sdus = await opened(link, psm=0x81)
    await device.event("opened", attribute="locked")


async def test_the_central_closes_the_channel(air):
    device, phone = await air.device("channels"), await air.phone()
    link = await phone.connect("Channels")
    for _ in range(2):
        channel, sdus = await opened(link)
        channel.write(b"Hello")
        assert await sdus.get() == b"Hello"
        await channel.disconnect()
        assert "reason" not in await device.event("closed", attribute="stream")


async def test_the_device_closes_the_channel(air):
    device, phone = await air.device("channels"), await air.phone()
    channel, _ = await opened(await phone.connect("Channels"))
    closed = event(channel, channel.EVENT_CLOSE)
    channel.write(b"END")
    await closed
    assert (await device.event("closed", attribute="stream"))["reason"] == "by the device"


async def test_a_link_that_ends_closes_the_channel_and_says_what_is_lost(air):
    device, phone = await air.device("channels"), await air.phone()
    link = await phone.connect("Channels")
    channel, sdus = await opened(link, credits=1, mtu=23, mps=25)
    channel.manager.send_control_frame = lambda *_: None  # gives no credit back
    channel.write(BYTES[:300])
    await sdus.get()
    await device.event("channel-out")
    await link.leave()
    assert "dropped 277 bytes" in (await device.event("warning"))["message"]
    assert (await device.event("closed", attribute="stream"))["reason"] == "with the link"
    await device.event("disconnected")


async def test_two_centrals_have_a_channel_each(air):
    device = await air.device("channels")
    phones = [await air.phone(), await air.phone()]
    links = [await phone.connect("Channels") for phone in phones]
    ends = [await opened(link) for link in links]
    for number, (channel, _) in enumerate(ends):
        channel.write(bytes([number]) * 100)
    for number, (_, sdus) in enumerate(ends):
        assert await received(sdus, 100) == bytes([number]) * 100
    await links[0].write(0xFFE1, b"\0", response=True)
    assert await ends[0][1].get() == b"to all"  # the central that has caused the rule
    ends[1][0].write(b"again")
    assert await ends[1][1].get() == b"again"  # and nothing before
    assert not device.has_said("warning")


async def test_frames_of_two_centrals_stay_apart(air):
    await air.device("channels")
    ends = []
    for phone in [await air.phone(), await air.phone()]:
        ends.append(await opened(await phone.connect("Channels"), psm=0x82))
    ends[0][0].write(b"ab")
    ends[1][0].write(b"c")
    for channel, _ in ends:
        channel.write(b"\n")
    assert [await sdus.get() for _, sdus in ends] == [b"2", b"1"]


async def test_a_central_that_breaks_a_rule_loses_the_channel(air):
    device, phone = await air.device("channels"), await air.phone()
    channel, _ = await opened(await phone.connect("Channels"))
    closed = event(channel, channel.EVENT_CLOSE)
    channel.send_pdu(b"\x05\0" + 6 * b"A")
    await closed
    reason = (await device.event("closed", attribute="stream"))["reason"]
    assert reason == "the central has sent more bytes than the length of the SDU"


async def test_att_answers_beside_a_channel_that_streams(air):
    await air.device("channels")
    phone = await air.phone()
    link = await phone.connect("Channels")
    channel, sdus = await opened(link)
    control = await link.characteristic(0xFFE1)
    channel.write(BYTES[:50_000])
    for _ in range(5):
        await link.peer.write_value(control, b"\0", with_response=True)
    expected = len(BYTES[:50_000]) + 5 * len(b"to all")
    assert len(await received(sdus, expected)) == expected
