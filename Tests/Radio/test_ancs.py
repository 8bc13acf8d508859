"""The Bangle.js 2 shows what an iPhone tells it. Bumble plays the iPhone, with Apple's services and the Current Time Service."""
import asyncio
import struct

import blemu
import pytest
from bumble.att import ATT_Error, Attribute
from bumble.gatt import (
    GATT_AMS_ENTITY_UPDATE_CHARACTERISTIC, GATT_AMS_REMOTE_COMMAND_CHARACTERISTIC, GATT_AMS_SERVICE, GATT_ANCS_CONTROL_POINT_CHARACTERISTIC,
    GATT_ANCS_DATA_SOURCE_CHARACTERISTIC, GATT_ANCS_NOTIFICATION_SOURCE_CHARACTERISTIC, GATT_ANCS_SERVICE, Characteristic,
    CharacteristicValue, Service)
from bumble.profiles import ancs

NAME = "Bangle.js 1a2b"
LOCKED = Attribute.READABLE | Attribute.WRITEABLE | Attribute.READ_REQUIRES_ENCRYPTION | Attribute.WRITE_REQUIRES_ENCRYPTION
#: 2025-11-29, 10:11:12, a Saturday.
TIME = bytes.fromhex("E9070B1D0A0B0C060000")


class IPhone:
    """The services of a phone. Its notifications are attributes by the number of the notification."""

    def __init__(self, phone, notifications):
        self.phone, self.notifications = phone, notifications
        self.performed, self.media, self.played = asyncio.Queue(), asyncio.Queue(), asyncio.Queue()
        notify, write = Characteristic.Properties.NOTIFY, Characteristic.Properties.WRITE
        self.source = Characteristic(GATT_ANCS_NOTIFICATION_SOURCE_CHARACTERISTIC, notify, LOCKED, b"")
        self.data = Characteristic(GATT_ANCS_DATA_SOURCE_CHARACTERISTIC, notify, LOCKED, b"")
        self.entities = Characteristic(GATT_AMS_ENTITY_UPDATE_CHARACTERISTIC, notify | write, LOCKED,
                                       CharacteristicValue(read=lambda _: b"", write=lambda _, value: self.media.put_nowait(bytes(value))))
        phone.bumble.add_services([
            Service(GATT_ANCS_SERVICE, [
                self.source, self.data,
                Characteristic(GATT_ANCS_CONTROL_POINT_CHARACTERISTIC, write, LOCKED, CharacteristicValue(write=self._control))]),
            Service(GATT_AMS_SERVICE, [
                self.entities,
                Characteristic(GATT_AMS_REMOTE_COMMAND_CHARACTERISTIC, notify | write, LOCKED,
                               CharacteristicValue(read=lambda _: b"", write=lambda _, value: self.played.put_nowait(bytes(value))))]),
            Service("1805", [Characteristic("2A2B", Characteristic.Properties.READ | notify, LOCKED, TIME)])])

    def _control(self, connection, value):
        command, number = struct.unpack_from("<BI", value)
        if number not in self.notifications:
            raise ATT_Error(ancs.ErrorCode.INVALID_PARAMETER)
        if command == ancs.CommandId.PERFORM_NOTIFICATION_ACTION:
            return self.performed.put_nowait((number, ancs.ActionId(value[5])))
        answer, rest = bytes(value[:5]), value[5:]
        while rest:
            attribute, rest = ancs.NotificationAttributeId(rest[0]), rest[1:]
            text = self.notifications[number].get(attribute, "").encode()
            if attribute in (ancs.NotificationAttributeId.TITLE, ancs.NotificationAttributeId.SUBTITLE, ancs.NotificationAttributeId.MESSAGE):
                text, rest = text[:struct.unpack_from("<H", rest)[0]], rest[2:]
            answer += struct.pack("<BH", attribute, len(text)) + text
        asyncio.create_task(self._send(answer))

    async def _send(self, answer):
        """In parts, as the specification has it for an answer that is longer than the ATT_MTU carries."""
        (connection,) = self.phone.bumble.connections.values()
        size = connection.att_mtu - 3
        for start in range(0, len(answer), size):
            await self.phone.bumble.notify_subscribers(self.data, answer[start:start + size])

    async def tell(self, event, number, flags=ancs.EventFlags(0), category=ancs.CategoryId.SOCIAL):
        await self.phone.bumble.notify_subscribers(self.source, struct.pack("<BBBBI", event, flags, category, 1, number))


async def worn(air, notifications, mtu=None, *arguments):
    """A watch that is paired with a phone, and has found all: the watch, what controls it, and the phone."""
    watch, phone = await air.device("bangle-js", *arguments), await air.phone()
    iphone = IPhone(phone, notifications)
    phone.pairs(secure=False)
    link = await phone.connect(NAME)
    if mtu:
        await link.peer.request_mtu(mtu)
    await link.connection.pair()
    assert (await watch.event("discovered"))["missing"] == ""
    for source in ("notifications/2902", "data/2902", "remote/2902", "media/2902", "time/2902"):
        await watch.event("client-out", attribute=source)
    return watch, iphone, link


def message(**texts):
    return {ancs.NotificationAttributeId[name.upper()]: text for name, text in texts.items()}


@pytest.mark.parametrize("mtu", [None, 100, 185])
async def test_it_shows_a_notification(air, mtu):
    text = "A text that needs several notifications of the Data Source. " * 5
    watch, iphone, _ = await worn(air, {7: message(app_identifier="com.apple.MobileSMS", title="Ann", message=text, date="20251129T101112")}, mtu)
    await iphone.tell(ancs.EventId.NOTIFICATION_ADDED, 7, ancs.EventFlags.NEGATIVE_ACTION)
    await watch.event("log", message=f"com.apple.MobileSMS, Ann: {text}")
    await iphone.tell(ancs.EventId.NOTIFICATION_REMOVED, 7)
    await watch.event("log", message="Ann is gone")


async def test_it_asks_for_one_after_the_other_and_forgets_what_is_refused(air):
    watch, iphone, _ = await worn(air, {number: message(app_identifier="mail", title=f"T{number}", message="m" * 100) for number in range(1, 6)}, 185)
    for number in (1, 99, 2, 3, 98, 4, 5):
        await iphone.tell(ancs.EventId.NOTIFICATION_ADDED, number)
    for number in range(1, 6):
        await watch.event("log", message=f"mail, T{number}: {'m' * 100}")
    for _ in range(2):
        await watch.event("log", message="the phone refuses: 0xA2")


async def test_its_buttons_answer_a_call(air, tmp_path):
    call = message(app_identifier="phone", title="Ben", message="Incoming", positive_action_label="Answer", negative_action_label="Decline")
    watch, iphone, _ = await worn(air, {7: call}, 185, "--control", tmp_path / "socket")
    await iphone.tell(ancs.EventId.NOTIFICATION_ADDED, 7, ancs.EventFlags.POSITIVE_ACTION | ancs.EventFlags.NEGATIVE_ACTION)
    await watch.event("log", message="phone, Ben: Incoming")
    with blemu.Device(tmp_path / "socket") as buttons:
        buttons.press("accept")
        assert await iphone.performed.get() == (7, ancs.ActionId.POSITIVE)
        buttons.press("dismiss")
        assert await iphone.performed.get() == (7, ancs.ActionId.NEGATIVE)


async def test_it_shows_the_music_and_plays_it(air, tmp_path):
    watch, iphone, _ = await worn(air, {}, 185, "--control", tmp_path / "socket")
    assert [await iphone.media.get() for _ in range(2)] == [bytes.fromhex("00000000010002 00"), bytes.fromhex("02000000010002000300")]
    await iphone.phone.bumble.notify_subscribers(iphone.entities, bytes([2, 0, 0]) + b"Nina Simone")
    await iphone.phone.bumble.notify_subscribers(iphone.entities, bytes([2, 2, 0]) + b"Sinnerman")
    await watch.event("log", message="plays Sinnerman")
    with blemu.Device(tmp_path / "socket") as buttons:
        assert buttons.get("artist") == "Nina Simone"
        for name, command in {"play": 0, "pause": 1, "next": 3, "previous": 4}.items():
            buttons.press(name)
            assert await iphone.played.get() == bytes([command])


async def test_it_has_the_time_of_the_phone(air, tmp_path):
    watch, _, _ = await worn(air, {}, None, "--control", tmp_path / "socket")
    await watch.event("client-in", attribute="time", kind="read")
    with blemu.Device(tmp_path / "socket") as shown:
        assert (shown.get("hour"), shown.get("minute")) == (10, 11)


async def test_a_phone_without_the_services_is_a_phone(air):
    watch, phone = await air.device("bangle-js"), await air.phone()
    phone.pairs(secure=False)
    link = await phone.connect(NAME)
    await link.connection.pair()
    assert (await watch.event("discovered"))["found"] == ""
    await watch.event("log", message="the phone has no ANCS")
