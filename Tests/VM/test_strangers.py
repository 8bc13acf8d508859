"""Centrals that are connected before the device is on the air: they are somebody else's, until they come again."""
from stand_in import REGISTER, StandIn

ADDRESS = "02:00:00:00:00:02"


def assert_comes(bluetoothd, blemu):
    bluetoothd.connect()
    assert blemu.await_event("connected")["central"] == ADDRESS


def test_one_that_stays_is_no_central_of_the_device():
    with StandIn(is_connected=True) as bluetoothd, bluetoothd.blemu() as blemu:
        bluetoothd.connect(False)
        assert_comes(bluetoothd, blemu)
        assert blemu.happened("disconnected") == []


def test_one_that_leaves_while_the_device_goes_on_the_air_may_come_again():
    with StandIn(None, is_connected=True) as bluetoothd:
        blemu = bluetoothd.blemu()
        bluetoothd.await_story(REGISTER)
        bluetoothd.connect(False)
        bluetoothd.answer()
        with blemu:
            assert_comes(bluetoothd, blemu)


def test_one_that_comes_while_the_device_goes_on_the_air_is_heard():
    with StandIn(None, is_connected=False) as bluetoothd:
        blemu = bluetoothd.blemu()
        bluetoothd.await_story(REGISTER)
        bluetoothd.connect()
        bluetoothd.answer()
        with blemu:
            assert blemu.await_event("connected")["central"] == ADDRESS
