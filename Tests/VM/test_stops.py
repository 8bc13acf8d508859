"""A bluetoothd that stops while it is asked: what it has answered, or not, is nothing to the next.

With the real one this hangs on milliseconds; here a stand-in has time.
"""
import pytest

from stand_in import DONE, REGISTER, UNREGISTER, StandIn

COMES_BACK = ("RegisterApplication", REGISTER, DONE)


def assert_back_with_the_next(bluetoothd, blemu):
    """Not on the air before there is another bluetoothd, and registered there."""
    before = len(blemu.happened("off-air"))
    bluetoothd.settle()
    bluetoothd.start()
    bluetoothd.await_story(*COMES_BACK)
    blemu.await_event("on-air")
    assert blemu.stop() == 0
    assert len(blemu.happened("on-air")) == before + 1


@pytest.mark.parametrize("answer", ["", "NotSupported"])
def test_while_another_name_is_advertised(answer):
    with StandIn("", None) as bluetoothd, bluetoothd.blemu() as blemu:
        blemu.process.stdin.write(b"Second\n")
        bluetoothd.await_story(UNREGISTER, REGISTER)
        bluetoothd.stop()
        assert blemu.await_event("off-air")["reason"] == "bluetoothd has stopped"
        bluetoothd.answer(answer)
        assert_back_with_the_next(bluetoothd, blemu)


def test_while_the_device_comes_back():
    with StandIn("", None) as bluetoothd, bluetoothd.blemu() as blemu:
        bluetoothd.stop()
        blemu.await_event("off-air")
        bluetoothd.start()
        bluetoothd.await_story("RegisterApplication", REGISTER)
        bluetoothd.stop()
        bluetoothd.answer()
        assert_back_with_the_next(bluetoothd, blemu)


def test_while_the_device_goes_on_the_air():
    with StandIn(None) as bluetoothd:
        blemu = bluetoothd.blemu()
        bluetoothd.await_story(REGISTER)
        bluetoothd.stop()
        bluetoothd.answer()
        assert blemu.wait() == 69
        assert blemu.happened("on-air") == []
        assert "blemu: bluetoothd has stopped" in blemu.story()
