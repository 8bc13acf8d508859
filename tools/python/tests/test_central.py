"""A central in memory."""
import blemu
import pytest


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
