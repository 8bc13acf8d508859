"""A device in memory, through its control socket."""
import os
import socket
import subprocess
import threading
import uuid

import blemu
import pytest
from blemu.command import find_program
from conftest import CLOCK, KEYS, LAMP


def test_says_what_it_is(lamp):
    status = lamp.status()
    assert (status.definition, status.transport, status.device_name, status.on_air) == ("Lamp", "loopback", "Lamp", True)
    assert status.centrals == [] and status.seconds < 60


def test_describes_itself(lamp):
    description = lamp.describe()
    assert description["name"] == lamp.status().name
    assert [each["name"] for each in description["messages"]] == ["turn"]
    assert [each["name"] for each in description["controls"]] == ["bell", "dimmer"]
    assert [each["id"] for each in description["services"][0]["characteristics"]] == ["switch"]


def test_sets_and_gets_settings(lamp):
    outcome = lamp.set(level=3, local_name="Robot")
    assert outcome.warnings == []
    assert lamp.get("level") == 3
    assert lamp.get("level", "level + 1") == {"level": 3, "level + 1": 4}
    assert lamp.get()["local-name"] == "Robot"
    lamp.expect("* level == 3")
    lamp.set({"local-name": "Lamp"})
    assert lamp.get("local-name") == "Lamp"


def test_sets_nothing_if_one_value_is_wrong(lamp):
    with pytest.raises(blemu.Error) as caught:
        lamp.set(local_name="Robot", level=99)
    assert caught.value.code == -32602 and "99" in caught.value.message
    assert lamp.get("local-name") == "Lamp"


def test_takes_messages_bytes_and_text_at_the_wire_side(lamp):
    lamp.wire(b"\xA5\x01")
    lamp.wire("turn", state=2)
    lamp.wire("turn state=3")
    events = lamp.expect("] wire turn state=1", "] wire A5 02", '* "the wire turns it to 3"', after=0)
    assert [event.kind for event in events] == ["wire-in", "wire-in", "log"]
    assert (events[0].value, events[0].message, events[0].fields) == (b"\xA5\x01", "turn", {"state": 1})
    assert lamp.wire(text="hello").warnings == ["no rule matches this frame"]


def test_says_why_it_sends_nothing(lamp):
    with pytest.raises(blemu.Error, match="no central has subscribed") as caught:
        lamp.send("switch", "turn", state=1)
    assert caught.value.code == -32002


def test_refuses_what_it_does_not_have(lamp):
    for attempt in [lambda: lamp.press("siren"), lambda: lamp.get("volume"), lambda: lamp.send("bell", b"1"),
                    lambda: lamp.expect("ring"), lambda: lamp.disconnect(reason="boredom")]:
        with pytest.raises(blemu.Error) as caught:
            attempt()
        assert caught.value.code == -32602 and not isinstance(caught.value, AssertionError)


def test_counts_what_is_expected(lamp):
    for state in 1, 2, 3:
        lamp.wire("turn", state=state)
    assert len(lamp.expect("] wire turn", at_least=3, after=0)) == 3
    lamp.expect("] wire turn", never=True)
    lamp.expect("] wire turn", at_most=3, after=0)
    with pytest.raises(blemu.ExpectationError, match="came more than twice|came more than 2 times"):
        lamp.expect("] wire turn", at_most=2, after=0)
    assert len(lamp.expect("] wire turn", exactly=3, after=0)) == 3
    lamp.expect("disconnect", exactly=0)
    for number in 2, 4:
        with pytest.raises(blemu.ExpectationError):
            lamp.expect("] wire turn", exactly=number, after=0)
    for wrong in {"exactly": 3, "never": True}, {"exactly": 3, "at_least": 3}, {"never": True, "at_most": 0}:
        with pytest.raises(TypeError, match="one of them"):
            lamp.expect("] wire turn", **wrong)


def test_what_came_before_an_act_is_not_its_effect(lamp):
    lamp.press("bell")
    lamp.set(level=3)
    with pytest.raises(blemu.ExpectationError) as caught:
        lamp.expect('* "it rings"', within=0)
    assert caught.value.hint == (
        "event 3 would meet it, but came before the last act or expectation: after=2 counts it")
    assert caught.value.hint in str(caught.value)
    lamp.expect('* "it rings"', after=2)


def test_what_a_central_does_and_the_end_of_a_statement_are_no_acts(lamp):
    with lamp.central() as central, lamp.fault("delay 1ms on switch"):
        central.subscribe("switch")
        central.write("switch", "turn", state=1)
    lamp.expect("subscribe switch", "> switch turn", "disconnect")


def test_lets_time_pass_at_once():
    with blemu.run(CLOCK, seed=7) as clock, clock.central() as central:
        central.subscribe("time")
        before = clock.status().seconds
        outcome = clock.advance(600)
        assert outcome.warnings == []
        events = clock.expect("< time", exactly=10)
        assert [event.value[0] for event in events] == list(range(1, 11))
        gaps = {round((later.time - event.time).total_seconds()) for event, later in zip(events, events[1:])}
        assert gaps == {60}
        assert clock.get("minutes") == 10
        assert clock.status().seconds - before >= 600
        clock.expect("disconnect", never=True)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), 1e9])
def test_lets_no_other_time_pass(lamp, seconds):
    with pytest.raises(ValueError, match="seconds"):
        lamp.advance(seconds)



def test_takes_and_returns_bytes():
    with blemu.run(KEYS, settings={"key": b"\x01"}) as keys, keys.central() as central:
        assert keys.get("key") == b"\x01"
        keys.set(key=bytearray(b"\x0A\x0B"))
        assert keys.get() == {"key": b"\x0A\x0B", "is-encoding": False, "title": "00"}
        assert keys.get("key", "size(key)") == {"key": b"\x0A\x0B", "size(key)": 2}
        central.subscribe("out")
        keys.send("out", "cells", note=b"\xFE\xFF", **{"cells[0].serial": b"\x0C\x0D"})
        [event] = keys.expect("< out")
        assert event.value == b"\xA5\x01\x0C\x0D\xFE\xFF"
        assert event.fields == {"cells": [{"serial": b"\x0C\x0D"}], "note": b"\xFE\xFF"}
        central.write("out", "cells", note=b"\x00")
        [event] = keys.expect("> out")
        assert (event.value, event.fields["note"]) == (b"\xA5\x00\x00", b"\x00")
        keys.press("key", b"\x07")
        assert keys.get("key") == b"\x07"
        for attempt in lambda: keys.set(title=b"00"), lambda: keys.set(is_encoding=b"\x01"):
            with pytest.raises(blemu.Error, match="takes no bytes"):
                attempt()
        with pytest.raises(TypeError, match="key is a number, text, bytes, True or False, not None"):
            keys.set(key=None)


def test_takes_the_same_names_everywhere():
    with blemu.run(KEYS) as keys:
        keys.set(is_encoding=True)
        assert keys.get("is_encoding") is True and keys.get("is-encoding") is True
        assert keys.get("is_encoding", "title") == {"is_encoding": True, "title": "00"}
        keys.set({"is_encoding": False})
        assert keys.get("not is-encoding") is True


@pytest.mark.parametrize("value, message", [
    (2, r"a value is a message, bytes or text=…, not 2; bytes\(\[2\]\) has one byte for each number"),
    ([1, 2], r"not \[1, 2\]; bytes\(\[1, 2\]\)"), (300, "not 300$"), (2.5, "not 2.5$"), (None, "one of them"),
])
def test_refuses_what_is_no_value(lamp, value, message):
    with lamp.central() as central:
        for attempt in lambda: central.write("switch", value), lambda: lamp.send("switch", value), lambda: lamp.wire(value):
            with pytest.raises(TypeError, match=message):
                attempt()
    assert [event.kind for event in lamp.journal()] == ["on-air", "connected", "disconnected"]


def test_refuses_fields_without_a_message_and_bytes_as_text(lamp):
    with pytest.raises(TypeError, match="only a message has fields, such as state=…"):
        lamp.wire(b"OK", state=1)
    with pytest.raises(TypeError, match="text=… is a str"):
        lamp.wire(text=b"OK")


UUIDS = ["FFE1", "ffe1", "0000ffe1-0000-1000-8000-00805f9b34fb", uuid.UUID("0000ffe1-0000-1000-8000-00805f9b34fb")]


@pytest.mark.parametrize("switch", UUIDS, ids=str)
def test_takes_uuids_for_ids(lamp, switch):
    with lamp.central() as central:
        central.subscribe(switch)
        central.write(switch, "turn", state=1)
        lamp.expect(f"> {switch}", f"< {switch} turn state=1")
        lamp.send(switch, b"\x05")
        [event] = lamp.expect(f"< {switch} 05")
        assert event.attribute == "switch"
        with lamp.intercept(f"read {switch}", lambda event: b"\x06"):
            assert central.read(switch) == b"\x06"


@pytest.mark.parametrize("attempt, message, hint", [
    (lambda lamp: lamp.central().read("switch"), "is not connected", "call connect() first"),
    (lambda lamp: lamp.press("dimmer"), "'dimmer' needs a value", 'as in press("dimmer", VALUE)'),
    (lambda lamp: lamp.press("bell", 1), "is a button", 'as in press("bell")'),
    (lambda lamp: lamp.press("level", 1), "has no control 'level'", 'it can be set: set({"level": VALUE})'),
    (lambda lamp: lamp.expect("connect", at_least=0), "at_least must be a whole number", None),
], ids=["connect", "value", "button", "set", "count"])
def test_speaks_python(lamp, attempt, message, hint):
    with pytest.raises(blemu.Error) as caught:
        attempt(lamp)
    assert message in caught.value.message
    assert hint is None or caught.value.hint == hint


@pytest.mark.parametrize("within", [-1, 90_000])
def test_has_its_limits_in_seconds(lamp, within):
    with pytest.raises(ValueError, match=f"a time of 0 to 86,400 seconds is needed, not {within}"):
        lamp.expect("connect", within=within)


@pytest.mark.parametrize("within", [float("inf"), float("nan")])
def test_refuses_to_wait_for_no_number_of_seconds(lamp, within):
    with pytest.raises(ValueError, match=f"a number of seconds, not {within}"):
        lamp.expect("connect", within=within)
    with pytest.raises(ValueError, match="a number of seconds"), lamp.intercept("read switch", print, within=within):
        pass


def test_waits_for_what_is_expected(lamp):
    def turn():
        with blemu.Device(lamp.path) as wire_side:
            wire_side.wire("turn", state=1)

    timer = threading.Timer(0.2, turn)
    timer.start()
    [event] = lamp.expect("] wire turn")
    timer.join()
    assert event.fields == {"state": 1}


def test_shows_both_sides_of_a_failed_expectation(lamp):
    lamp.wire("turn", state=1)
    with pytest.raises(blemu.ExpectationError) as caught:
        lamp.expect("] wire turn state=2", within=0.05)
    assert caught.value.message == "'] wire turn state=2' did not come within 0.050 s; in event 2, state is 1, not 2"
    assert "->       ] wire turn state=2" in caught.value.comparison
    assert "] wire  A5 01  turn state=1" in str(caught.value)


def test_returns_its_journal(lamp):
    outcome = lamp.wire("turn", state=1)
    assert [event.kind for event in lamp.journal()] == ["on-air", "wire-in", "log"]
    assert [event.number for event in lamp.journal(after=outcome.after)] == [2, 3]
    assert lamp.journal_text(after=2).endswith("* the wire turns it to 1\n")


def test_returns_a_journal_of_several_pages(lamp):
    for _ in range(600):
        lamp.wire("turn", state=1)
    assert [event.number for event in lamp.journal()] == list(range(1, 1202))
    assert len(lamp.expect("] wire turn", at_least=600, after=0)) == 600


def test_iterates_over_events_while_it_is_used(lamp):
    kinds = []
    for event in lamp.events():
        kinds.append(event.kind)
        if event.kind == "on-air":
            lamp.wire("turn", state=1)
        if event.kind == "log":
            break
    assert kinds == ["on-air", "wire-in", "log"]


def test_ends_its_events_when_it_ends(lamp):
    events = lamp.events()
    assert next(events).kind == "on-air"
    lamp.stop()
    assert [event.kind for event in events] in ([], ["off-air"])
    with pytest.raises(blemu.Error, match="the device has ended"):
        lamp.status()


def test_may_end_within_a_statement_for_a_fault_or_a_central(lamp):
    with lamp.fault("drop on switch"), lamp.central():
        lamp.stop()


def test_refuses_more_than_it_reads(lamp):
    with pytest.raises(blemu.Error, match="a line has at most"):
        lamp.wire(bytes(500_000))
    assert lamp.get("level") == 1


def test_stops_and_starts_advertising(lamp):
    lamp.advertise(False)
    lamp.advertise()
    commands = [event.raw["command"] for event in lamp.journal() if event.kind == "control"]
    assert commands == ["advertise off", "advertise on"]


def test_is_reset(lamp):
    lamp.set(level=3)
    lamp.reset()
    assert lamp.get("level") == 3


def test_tells_what_programs_expect_of_it(lamp):
    lamp.press("bell")
    lamp.expect("press bell")
    with pytest.raises(blemu.ExpectationError):
        lamp.expect("disconnect", within=0)
    assert [(each["state"], each["lines"]) for each in lamp.expectations()] == [
        ("met", ["press bell"]), ("failed", ["disconnect"])]


def test_becomes_a_transcript_that_passes(lamp, tmp_path):
    phone = lamp.central()
    phone.connect()
    lamp.set(level=7)
    phone.disconnect()
    file = tmp_path / "lamp.transcript"
    file.write_text(lamp.transcript())
    assert "connect\n" in file.read_text() and "set level=7\n" in file.read_text()
    result = subprocess.run([find_program(), "test", str(file)], capture_output=True, text=True)
    assert result.stdout.endswith("1 passed, 0 failed\n"), result.stdout


def test_is_found_by_its_name(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "blemu").mkdir(mode=0o700)
    with socket.socket(socket.AF_UNIX) as left:  # by a device that was killed
        left.bind(str(tmp_path / "blemu/left.sock"))
    assert blemu.devices() == []
    with blemu.run(LAMP) as lamp:
        os.symlink(lamp.path, tmp_path / "blemu/bedside.sock")
        assert [status.definition for status in blemu.devices()] == ["Lamp"]
        with blemu.Device("bedside") as device:
            assert device.get("level") == 1
    with pytest.raises(blemu.Error, match="no device is running at .*/blemu/nobody.sock"):
        blemu.Device("nobody")


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_is_not_looked_for_where_others_may_write(tmp_path, monkeypatch, mode):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "blemu").mkdir()
    (tmp_path / "blemu").chmod(mode)
    for look in (blemu.devices, lambda: blemu.Device("lamp")):
        with pytest.raises(blemu.Error, match="other users can write to .*/blemu, so its sockets may be theirs"):
            look()


def test_is_not_looked_for_behind_a_symbolic_link(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "other").mkdir(mode=0o700)
    (tmp_path / "blemu").symlink_to("other")
    with pytest.raises(blemu.Error, match="other users can write to"):
        blemu.devices()
