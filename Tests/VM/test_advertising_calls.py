"""In which order bluetoothd is asked to advertise.

bluetoothd 5.66 crashes (`free(): invalid pointer`) when an advertisement is taken back that it has not yet registered, and
fails to register one whose place the kernel is still clearing. Both hang on milliseconds; here a stand-in has time.
"""
import signal

import pytest

from stand_in import DONE, REGISTER, UNREGISTER, StandIn


@pytest.fixture
def stand_in(contexts):
    return lambda *answers: contexts.enter_context(StandIn(*answers))


def rename(blemu, name):
    blemu.process.stdin.write(name.encode() + b"\n")


def test_another_advertisement_comes_when_the_one_before_is_gone(stand_in):
    bluetoothd = stand_in()
    with bluetoothd.blemu() as blemu:
        rename(blemu, "Second")
        bluetoothd.await_story(UNREGISTER, REGISTER, DONE)
        assert bluetoothd.alias == "Second"
        assert blemu.stop() == 0
    assert bluetoothd.story == ["RegisterApplication", REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER, "UnregisterApplication"]
    assert bluetoothd.alias == ""


def test_what_may_pass_is_tried_again(stand_in):
    bluetoothd = stand_in("Failed", "Busy", "InProgress", "")
    with bluetoothd.blemu() as blemu:
        assert bluetoothd.advertising_calls() == [REGISTER, "Failed", REGISTER, "Busy", REGISTER, "InProgress", REGISTER, DONE]
        assert blemu.warnings() == []


def test_what_may_pass_is_tried_again_under_way(stand_in):
    bluetoothd = stand_in("", "Failed", "Failed", "")
    with bluetoothd.blemu() as blemu:
        rename(blemu, "Second")
        bluetoothd.await_story(REGISTER, DONE, UNREGISTER, REGISTER, "Failed", REGISTER, "Failed", REGISTER, DONE)
        assert blemu.warnings() == []


def test_what_will_not_pass_is_not_tried_again(stand_in):
    bluetoothd = stand_in("InvalidLength")
    assert bluetoothd.blemu().wait() == 65
    assert bluetoothd.advertising_calls()[:2] == [REGISTER, "InvalidLength"]
    assert REGISTER not in bluetoothd.advertising_calls()[2:]
    assert bluetoothd.alias == ""


def test_nothing_is_taken_back_before_it_is_registered_when_blemu_ends(stand_in):
    bluetoothd = stand_in("", None)
    with bluetoothd.blemu() as blemu:
        rename(blemu, "Second")
        bluetoothd.await_story(UNREGISTER, REGISTER)
        blemu.process.send_signal(signal.SIGINT)
        bluetoothd.answer()
        assert blemu.wait() == 0
    assert bluetoothd.advertising_calls() == [REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER]


def test_nothing_is_taken_back_before_it_is_registered_when_another_follows(stand_in):
    bluetoothd = stand_in("", None, "")
    with bluetoothd.blemu() as blemu:
        rename(blemu, "Second")
        bluetoothd.await_story(UNREGISTER, REGISTER)
        rename(blemu, "Third")
        bluetoothd.answer()
        bluetoothd.await_story(REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER, REGISTER, DONE)


def test_nothing_is_taken_back_before_it_is_registered_when_blemu_has_just_begun(stand_in):
    bluetoothd = stand_in(None)
    blemu = bluetoothd.blemu()
    bluetoothd.await_story(REGISTER)
    blemu.process.send_signal(signal.SIGINT)
    bluetoothd.answer()
    assert blemu.wait() == 0
    assert bluetoothd.advertising_calls() == [REGISTER, DONE, UNREGISTER]
    assert bluetoothd.alias == ""
