"""`blemu relay`: a device, a relay before it, and Bumble as the app; and Bumble as the device."""
import asyncio
import itertools
import re
import shutil

import blemu
import pytest
from bumble.att import ATT_Error, Attribute
from bumble.core import AdvertisingData, ProtocolError
from bumble.gatt import Characteristic, CharacteristicValue, Service

from programs import BLEMU, DEFINITIONS

BYTES = bytes(itertools.islice(itertools.cycle(range(251)), 10_000))
LONG = bytes(number % 251 for number in range(500))


async def relayed(air, *arguments, definition="relayed"):
    """A device, a relay before it, and a link of a phone to the relay."""
    device = await air.device(definition)
    relay = await air.relay(device.on_air["address"], *arguments)
    return device, relay, await linked(await air.phone(), relay)


async def linked(phone, relay):
    return await phone.to((await phone.find(at=relay.on_air["address"])).address)


async def refusal(awaitable):
    """The error with which the server refuses."""
    with pytest.raises(ProtocolError) as caught:
        await awaitable
    return caught.value.error_code


async def command(*words):
    process = await asyncio.create_subprocess_exec(
        BLEMU, *map(str, words), stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE)
    output, errors = await process.communicate()
    return process.returncode, output.decode(), errors.decode()


def place(air):
    return f"exact:tcp:127.0.0.1:{air.port}"


# What passes


async def test_the_app_sees_the_device(air):
    device = await air.device("relayed")
    relay, phone = await air.relay("Relayed"), await air.phone()
    assert relay.on_air["address"] != device.on_air["address"]
    original = await phone.find(at=device.on_air["address"])
    found = await phone.find(at=relay.on_air["address"])
    assert bytes(found.data) == bytes(original.data) and found.is_connectable
    link = await phone.to(found.address)
    assert await link.discover() == ["1800", "1801", "FFE0"]
    properties = {each.uuid.to_hex_str(): int(each.properties) for service in link.peer.services for each in service.characteristics}
    await link.leave()
    link = await phone.to(original.address)
    await link.discover()
    assert properties == {each.uuid.to_hex_str(): int(each.properties) for service in link.peer.services for each in service.characteristics}


async def test_reads_and_writes_go_through(air):
    device, relay, link = await relayed(air)
    assert await link.read(0xFFE1) == b"\x2a"
    await device.event("read", attribute="level")
    await link.write(0xFFE1, b"\x2b", response=True)
    assert (await device.event("write", attribute="level"))["value"] == "2B"
    assert await link.read(0xFFE1) == b"\x2b"
    assert (await relay.event("write"))["value"] == "2B"


async def test_long_values_go_through_at_any_mtu(air):
    device, relay, link = await relayed(air)
    assert await link.read(0xFFE5) == LONG
    assert await link.peer.request_mtu(517) == 247
    assert await link.read(0xFFE5) == LONG
    await link.write(0xFFE5, LONG[::-1][:240], response=True)
    assert await link.read(0xFFE5) == LONG[::-1][:240]


async def test_a_device_with_the_smallest_mtu_gets_long_writes(air):
    _, _, link = await relayed(air, "--as", DEFINITIONS / "relayed.yaml", definition="relayed-23")
    assert await link.peer.request_mtu(517) == 247
    await link.write(0xFFE5, LONG[::-1][:240], response=True)
    # A long write replaces as many bytes as it has.
    assert await link.read(0xFFE5) == LONG[::-1][:240] + LONG[240:]


async def test_ten_thousand_bytes_come_back_unchanged(air):
    _, relay, link = await relayed(air)
    values = await link.subscribe(0xFFE2)
    for start in range(0, len(BYTES), 20):
        await link.write(0xFFE2, BYTES[start:start + 20])
    received = b""
    while len(received) < len(BYTES):
        received += await values.get()
    assert received == BYTES


async def test_a_value_is_cut_for_an_app_with_a_smaller_mtu(air):
    _, relay, link = await relayed(air)
    values = await link.subscribe(0xFFE2)
    await link.peer.gatt_client.write_value(await link.characteristic(0xFFE2), BYTES[:18], with_response=True)
    assert await values.get() == BYTES[:18]
    phone = await air.phone()
    other = await linked(phone, relay)
    assert await other.peer.request_mtu(517) == 247
    await other.write(0xFFE2, BYTES[:100], response=True)
    assert await values.get() == BYTES[:20]
    assert "at most 20 bytes" in (await relay.event("warning"))["message"]


async def test_indications_come_back(air):
    device, relay, link = await relayed(air)
    values = await link.subscribe(0xFFE3)
    await device.event("subscribed", attribute="alarm")
    await link.write(0xFFE3, b"\x01\x02", response=True)
    assert await values.get() == b"\x01\x02"
    await relay.event("indicate")


async def test_errors_of_the_device_are_those_of_the_relay(air):
    _, _, link = await relayed(air)
    assert await refusal(link.read(0xFFE4)) == 0x80
    assert await refusal(link.write(0xFFE4, b"1", response=True)) == 0x81
    assert await refusal(link.subscribe(0xFFE4)) == 0x82


async def test_the_device_is_subscribed_to_while_an_app_is(air):
    device, relay, one = await relayed(air)
    other = await linked(await air.phone(), relay)
    first = await one.subscribe(0xFFE2)
    await device.event("subscribed", attribute="echo")
    second = await other.subscribe(0xFFE2)
    await one.write(0xFFE2, b"both", response=True)
    assert await first.get() == await second.get() == b"both"
    await one.leave()
    await relay.event("disconnected")
    await other.write(0xFFE2, b"one", response=True)
    assert await second.get() == b"one"
    assert not device.has_said("unsubscribed")
    await other.leave()
    await device.event("unsubscribed", attribute="echo")


async def test_an_app_returns(air):
    device, relay, link = await relayed(air)
    values = await link.subscribe(0xFFE2)
    await link.leave()
    await device.event("unsubscribed")
    link = await linked(await air.phone(), relay)
    values = await link.subscribe(0xFFE2)
    await link.write(0xFFE2, b"again", response=True)
    assert await values.get() == b"again"


# In between


async def test_a_rule_answers_in_place_of_the_device(air, tmp_path):
    shutil.copy(DEFINITIONS / "relayed.yaml", tmp_path)
    definition = tmp_path / "between.yaml"
    definition.write_text("""
blemu: 1
extends: relayed.yaml
messages:
  secret: "73 65 {rest: bytes}"
rules:
  - { on: { receive: secret, from: echo }, do: { send: any-bytes, with: { data: rest } } }
  - { on: { read: level }, do: { respond: { bytes: "07" } } }
""")
    device, relay, link = await relayed(air, "--as", definition)
    values = await link.subscribe(0xFFE2)
    await link.write(0xFFE2, b"se!", response=True)
    assert await values.get() == b"!"
    assert await link.read(0xFFE1) == b"\x07"
    await link.write(0xFFE2, b"open", response=True)
    assert await values.get() == b"open"
    assert (await device.event("write"))["value"] == b"open".hex(" ").upper()
    assert not device.has_said("read")


async def test_a_fault_strikes_what_passes(air):
    _, _, link = await relayed(air, "--fault", "drop out on FFE2 every 2nd")
    values = await link.subscribe(0xFFE2)
    for each in (b"1", b"2", b"3"):
        await link.write(0xFFE2, each, response=True)
    assert [await values.get(), await values.get()] == [b"1", b"3"]


async def test_a_program_answers_in_place_of_the_device(air, tmp_path):
    device, _, link = await relayed(air, "--control", tmp_path / "socket")
    values = await link.subscribe(0xFFE2)
    with blemu.Device(tmp_path / "socket") as relay, relay.intercept("> FFE2 07", lambda event: b"!"):
        await link.write(0xFFE2, b"\x07", response=True)
        assert await values.get() == b"!"
        await link.write(0xFFE2, b"open", response=True)
        assert await values.get() == b"open"
    assert (await device.event("write"))["value"] == b"open".hex(" ").upper()


async def test_the_conversation_is_a_transcript(air, tmp_path):
    _, _, link = await relayed(air, "--control", tmp_path / "socket")
    values = await link.subscribe(0xFFE2)
    await link.write(0xFFE2, b"\x01\x02", response=True)
    assert await values.get() == b"\x01\x02"
    assert await link.read(0xFFE1) == b"\x2a"
    status, transcript, errors = await command("journal", tmp_path / "socket", "--transcript")
    assert (status, errors) == (0, "")
    lines = transcript.splitlines()
    for line in ("connect", "subscribe FFE2", "> FFE2  01 02", "< FFE2  01 02", "read FFE1", "= 2A"):
        assert any(each.startswith(line) for each in lines), transcript


async def test_the_log_names_messages_of_a_bundled_definition(air):
    device = await air.device("jk-bms")
    relay = await air.relay(device.on_air["address"], "--as", "jk-bms")
    link = await linked(await air.phone(), relay)
    values = await link.subscribe(0xFFE1)
    await link.write(0xFFE1, bytes.fromhex("AA5590EB9700000000000000000000000000" "0011"))
    await relay.event("log", message="> serial-port  about-request")
    await device.event("write")
    value = await values.get()
    if value == b"AT\r\n":  # what a battery sends by itself once somebody has subscribed
        value = await values.get()
    assert value[:4] == bytes.fromhex("55AAEB90")
    await relay.event("log", message="< serial-port  about")


# Coming and going


async def test_the_device_leaves_and_returns(air):
    device = await air.device("relayed")
    relay, phone = await air.relay(device.on_air["address"]), await air.phone()
    link = await linked(phone, relay)
    await device.end()
    await link.ended
    assert "looking for it" in (await relay.event("warning"))["message"]
    await air.device("relayed")
    await relay.event("log", message="the device is there again")
    link = await linked(phone, relay)
    assert await link.read(0xFFE1) == b"\x2a"


async def test_the_device_ends_the_link(air):
    _, relay, link = await relayed(air)
    await link.write(0xFFE6, b"\xf2")
    await link.ended
    await relay.event("log", message="the device is there again")
    assert await (await linked(await air.phone(), relay)).read(0xFFE1) == b"\x2a"


# A device that others have written


def refusing(error):
    def read(_):
        raise ATT_Error(error)
    return read


async def foreign(air, *characteristics):
    """Bumble as a device that advertises until the end, also after each connection."""
    phone = await air.phone()
    phone.pairs()
    phone.bumble.add_service(Service("FFE0", [Characteristic(*each) for each in characteristics]))
    data = bytes(AdvertisingData([(AdvertisingData.COMPLETE_LOCAL_NAME, b"Foreign")]))
    await phone.bumble.start_advertising(advertising_data=data, auto_restart=True)
    return phone


async def test_a_foreign_device(air):
    written = asyncio.Queue()
    number = iter(range(100))
    device = await foreign(
        air,
        ("FFE1", Characteristic.READ, Attribute.READABLE, CharacteristicValue(read=lambda _: bytes([next(number)]))),
        ("FFE2", Characteristic.WRITE | Characteristic.WRITE_WITHOUT_RESPONSE, Attribute.WRITEABLE,
         CharacteristicValue(read=refusing(0x02), write=lambda _, value: written.put_nowait(value))),
        ("FFE3", Characteristic.NOTIFY | Characteristic.INDICATE, Attribute.READABLE, b""))
    relay = await air.relay("Foreign")
    link = await linked(await air.phone(), relay)
    first = (await link.read(0xFFE1))[0]
    assert (await link.read(0xFFE1))[0] == first + 1  # each read is one of the device
    await link.write(0xFFE2, b"command")
    await link.write(0xFFE2, b"request", response=True)
    assert [await written.get(), await written.get()] == [b"command", b"request"]
    values = await link.subscribe(0xFFE3)
    (characteristic,) = [each for each in device.bumble.gatt_server.attributes if each.type.to_hex_str() == "FFE3"]
    await device.bumble.notify_subscribers(characteristic, b"value")
    assert await values.get() == b"value"


async def test_a_device_that_wants_to_pair_in_a_way_that_blemu_cannot(air):
    await foreign(
        air, ("FFE1", Characteristic.READ, Attribute.READABLE, CharacteristicValue(read=refusing(0x05))),
        ("FFE2", Characteristic.READ, Attribute.READABLE, b"open"))
    relay = await air.relay("Foreign", "--pair", "never", "--as", DEFINITIONS / "foreign.yaml")
    link = await linked(await air.phone(), relay)
    assert await refusal(link.peer.gatt_client.read_value(await link.characteristic(0xFFE1))) == 0x05
    assert await link.read(0xFFE2) == b"open"


async def test_each_side_pairs_for_itself(air, tmp_path):
    definition = tmp_path / "locked.yaml"
    definition.write_text("""blemu: 1
name: Locked
advertisement: { local-name: Locked }
security: {}
services:
  - uuid: FFE0
    characteristics: [{ uuid: FFE1, properties: [read], permissions: [encrypt-read] }]
""")
    capture = tmp_path / "app.pcapng"
    device = await air.device("locked")
    relay = await air.relay(device.on_air["address"], "--as", definition, "--capture", capture)
    phone = await air.phone()
    phone.pairs()
    link = await linked(phone, relay)
    assert await refusal(link.peer.gatt_client.read_value(await link.characteristic(0xFFE1))) == 0x05
    assert not device.has_said("paired")
    await link.connection.pair()
    await relay.event("paired")
    assert await link.read(0xFFE1) == b"\x06"
    await device.event("paired")
    await link.leave()
    await relay.end()
    status, output, _ = await command("learn", capture, "-o", tmp_path / "app", "--name", "app")
    assert status == 0, output
    assert re.search(r'FFE1, properties: \[read\].*"06"', (tmp_path / "app/app.yaml").read_text())


# Mistakes


async def test_nobody_there(air):
    await air.device("relayed")
    status, output, errors = await command("relay", "01:02:03:04:05:06", "--on", place(air), "--through", place(air), "--within", "1s")
    assert (status, output) == (69, "")
    assert errors.startswith("blemu: no device with the address 01:02:03:04:05:06 advertised within 1s; 1 other device did\n")


async def test_a_definition_that_shares_nothing(air):
    device = await air.device("relayed")
    status, _, errors = await command("relay", device.on_air["address"], "--on", place(air), "--through", place(air), "--as", "heart-rate-belt", "--log", "none")
    assert status == 65 and "has no characteristic of" in errors and "--as" in errors


async def test_a_relay_to_itself(air):
    device = await air.device("relayed-fixed")
    status, _, errors = await command(
        "relay", device.on_air["address"], "--on", place(air), "--through", place(air), "--as", DEFINITIONS / "relayed-fixed.yaml", "--log", "none", "--no-control")
    assert status == 65 and "C0:12:34:56:78:9A is the address of this relay itself" in errors


@pytest.mark.parametrize("words, said", [
    (["--on", "exact:hci0", "--through", "exact:hci0"], "'--on' and '--through' cannot both have hci0"),
    (["--on", "bluez:hci0", "--through", "exact:hci0"], "'--on' and '--through' cannot both have hci0"),
    (["--on", "loopback"], "because an app needs a radio"),
    (["--on", "exact:hci1", "--through", "bluez:hci0"], "because blemu does this with its own Bluetooth host"),
    (["--through", "exact:hci0"], "'blemu relay' also needs '--on'"),
    (["--on", "exact:hci1", "--set", "a=b"], "'--set' also needs '--as'"),
    (["--on", "exact:hci1", "--pair", "12"], "is not a value of '--pair'"),
    (["--on", "exact:hci1", "--as", "no-such"], "no-such"),
])
async def test_mistakes_are_said_before_anything_is_asked(words, said):
    status, output, errors = await command("relay", "01:02:03:04:05:06", *words)
    assert status in (64, 66) and output == "" and said in errors


async def test_it_learns_what_the_app_asks(air, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    device, relay, link = await relayed(air, "--learn", "double")
    assert await link.read(0xFFE1) == b"\x2a"
    await link.leave()
    await relay.end()
    assert (tmp_path / "double" / "double.yaml").exists() and (tmp_path / "double.btsnoop").exists()
    assert (await command("test", tmp_path / "double"))[0] == 0
