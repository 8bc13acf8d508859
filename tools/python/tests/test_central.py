"""A central in memory."""
import gc
import uuid
import warnings
from concurrent.futures import ThreadPoolExecutor

import blemu
import pytest
from conftest import KEYS

SCALE = """
blemu: 1
name: Scale
services: [{ uuid: 181D, characteristics: [{ id: weight, uuid: 2A9D, properties: [indicate] }] }]
"""

LOCK = """
blemu: 1
name: Lock
security: { io-capability: display-only, passkey: "012345" }
services:
  - uuid: FFE0
    characteristics:
      - { id: code, uuid: FFE1, properties: [read], permissions: [encrypt-authenticated-read], value: "01" }
"""


def test_writes_and_gets_notifications(lamp):
    with lamp.central() as central:
        central.subscribe("switch")
        central.write("switch", "turn", state=1)
        write, notification = lamp.expect("> switch turn state=1", "< switch turn state=1")
        assert (write.kind, notification.kind) == ("write", "notify")
        assert write.central == "00:00:00:00:00:02" and write.raw["kind"] == "request"
    assert [event.kind for event in lamp.expect("connect", "subscribe switch", "disconnect", after=0)] == [
        "connected", "subscribed", "disconnected"]


def test_reads_and_writes_in_several_ways(lamp):
    with lamp.central() as central:
        central.write("switch", b"\xA5\x01")
        assert central.read("switch") == b"\xA5\x01"
        central.write("switch", text="OK", response=True)
        central.write("switch", b"", response=True)
        assert central.read("switch") == b""


def test_raises_the_device_s_refusal(lamp):
    with lamp.central() as central:
        with pytest.raises(blemu.RefusedError) as caught:
            central.write("switch", text="OK!")
        assert caught.value.name == "application-error-80"
        assert str(caught.value) == "the device refuses '> switch 4f 4b 21': application-error-80"
        lamp.expect("! application-error-80")


def test_gets_what_is_sent_from_outside(lamp):
    with lamp.central() as central:
        central.subscribe("switch")
        lamp.send("switch", "turn", state=1)
        lamp.send("switch", text="hello")
        lamp.expect("< switch turn state=1", '< switch "hello"', after=0)
        central.unsubscribe("switch")
        with pytest.raises(blemu.Error, match="no central has subscribed"):
            lamp.send("switch", b"1")


def test_is_one_of_several(lamp):
    with lamp.central(), lamp.central("00:00:00:00:00:07") as other:
        assert lamp.status().centrals == ["00:00:00:00:00:02", "00:00:00:00:00:07"]
        other.disconnect(reason="supervision-timeout")
        assert lamp.status().centrals == ["00:00:00:00:00:02"]
        other.connect(mtu=100)


def test_pairs_anew_after_either_side_has_forgotten_the_other(lamp):
    with lamp.central() as central:
        central.bond()
        lamp.forget(central.address)
        with pytest.raises(blemu.Error, match="no bond"):
            lamp.forget(central.address)
        central.disconnect()  # on the next link, the central misses the device's key
        central.connect()
        central.bond()
        central.unpair()
        central.connect()
        central.bond()
    lamp.expect("bond", "forget", "bond", "bond", after=0)


def test_connects_with_an_mtu(lamp):
    for central in lamp.central(mtu=100), lamp.central("00:00:00:00:00:07", mtu=23):
        with central:
            central.subscribe("switch")
            lamp.send("switch", bytes(50))
            lamp.expect("< switch", exactly=1 if central.mtu == 100 else 3)


def test_is_disconnected_by_the_device(lamp):
    with lamp.central() as central:
        lamp.disconnect(reason="remote-low-resources")
        lamp.expect("disconnect")
        with pytest.raises(blemu.Error, match="is not connected"):
            central.read("switch")


def test_cannot_connect_to_what_does_not_advertise(lamp):
    lamp.advertise(False)
    with pytest.raises(blemu.Error, match="not advertis"):
        lamp.central().connect()


def test_sees_controls_operated(lamp):
    lamp.press("bell")
    lamp.expect("press bell", '* "it rings"')
    lamp.press("dimmer", 7)
    assert lamp.get("level") == 7


def test_receives_what_the_device_sends(lamp):
    with lamp.central() as phone:
        phone.subscribe("switch")
        phone.write("switch", "turn", state=1)
        lamp.send("switch", "turn", state=2)
        value = phone.next("switch")
        assert (value.attribute, value.value, value.delivery) == ("switch", b"\xA5\x01", "notification")
        assert (value.message, value.fields, value.raw["value"]) == ("turn", {"state": 1}, "A5 01")
        assert phone.next("FFE1").fields == {"state": 2}
        assert [each.fields["state"] for each in phone.notifications("switch")] == [1, 2]
        assert phone.notifications() == phone.notifications(uuid.UUID("0000ffe1-0000-1000-8000-00805f9b34fb"))


def test_waits_for_what_the_device_sends(lamp):
    with lamp.central() as phone, ThreadPoolExecutor(1) as pool:
        phone.subscribe("switch")
        awaited = pool.submit(phone.next, "switch", within=60)
        phone.write("switch", "turn", state=1)
        assert awaited.result().fields == {"state": 1}


def test_receives_what_faults_leave_of_it(lamp):
    with lamp.central() as phone:
        phone.subscribe("switch")
        with lamp.fault("drop out on switch"):
            phone.write("switch", "turn", state=1)
        with lamp.fault("truncate to 1 bytes out on switch"):
            phone.write("switch", "turn", state=2)
        phone.write("switch", "turn", state=3)
        assert [each.value for each in phone.notifications("switch")] == [b"\xA5", b"\xA5\x03"]
        assert (phone.next().value, phone.next().value) == (b"\xA5", b"\xA5\x03")
        with pytest.raises(blemu.ExpectationError, match="^nothing more came from 'switch' within 0.050 s") as caught:
            phone.next("switch", within=0.05)
        assert caught.value.comparison == "the last values that the central got:\n  switch  A5\n  switch  A5 03  turn state=3\n"


def test_receives_bytes_in_fields():
    with blemu.run(KEYS) as keys, keys.central() as phone:
        phone.subscribe("out")
        keys.send("out", "cells", note=b"\xFE\xFF", **{"cells[0].serial": b"\x0C\x0D"})
        assert phone.next().fields == {"cells": [{"serial": b"\x0C\x0D"}], "note": b"\xFE\xFF"}


def test_says_why_nothing_comes(lamp):
    phone = lamp.central()
    with pytest.raises(blemu.Error, match="^the central is not connected"):
        phone.next("switch")
    with phone:
        with pytest.raises(blemu.Error, match="^no characteristic is called 'swich'\n  known: switch$"):
            phone.next("swich")
        with pytest.raises(blemu.ExpectationError, match="^nothing came within 0.000 s\n\nthe central got no value\n"):
            phone.next(within=0)
        phone.subscribe("switch")
        phone.write("switch", "turn", state=1)
        lamp.disconnect()
        assert phone.next("switch").fields == {"state": 1}
        with pytest.raises(blemu.Error, match=r"^the connection has ended \(remote-user-terminated\)"):
            phone.next("switch", within=60)
        phone.connect()
        assert phone.notifications() == []
        lamp.stop()
        with pytest.raises(blemu.EndedError):
            phone.next("switch", within=60)


def test_gets_an_address_by_itself(lamp):
    with lamp.central() as first, lamp.central() as second:
        assert [first.address, second.address] == lamp.status().centrals == ["00:00:00:00:00:02", "00:00:00:00:00:03"]
        for phone in first, second:
            phone.subscribe("switch")
        lamp.send("switch", b"\x01", central=second.address)
        assert second.next().value == b"\x01"
        assert first.notifications() == []
        first.disconnect()
        first.connect()
        assert first.address == "00:00:00:00:00:02"


def test_disconnects_with_its_connection_to_the_control_socket(lamp):
    phone = lamp.central()
    phone.connect()
    gc.collect()  # what other tests have left
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        del phone
        gc.collect()
    lamp.expect("disconnect", after=0)
    assert warned == []


def test_receives_indications(tmp_path):
    definition = tmp_path / "scale.yaml"
    definition.write_text(SCALE)
    with blemu.run(definition) as scale, scale.central() as phone:
        phone.subscribe("weight")
        scale.send("weight", b"\x01")
        value = phone.next("weight")
        assert (value.attribute, value.value, value.delivery, value.message) == ("weight", b"\x01", "indication", None)


@pytest.mark.parametrize("method", ["pair", "bond"])
def test_pairs_with_a_passkey(tmp_path, method):
    lock = tmp_path / "lock.yaml"
    lock.write_text(LOCK)
    with blemu.run(lock) as device, device.central() as phone:
        with pytest.raises(blemu.RefusedError, match="insufficient-authentication"):
            phone.read("code")
        with pytest.raises(blemu.RefusedError) as caught:
            getattr(phone, method)(passkey=1)
        assert caught.value.name == "confirm-value-failed"
        phone.connect()
        getattr(phone, method)(passkey=12345)
        assert phone.read("code") == b"\x01"
        with pytest.raises(ValueError, match="a passkey is a number from 0 to 999999, not 1000000"):
            phone.pair(passkey=1_000_000)
