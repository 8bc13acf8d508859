"""A device in memory, through its control socket."""
import os
import socket
import subprocess
import threading

import blemu
import pytest
from blemu.command import find_program
from conftest import LAMP


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
    events = lamp.expect("] wire turn state=1", "] wire A5 02", '* "the wire turns it to 3"')
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
    assert len(lamp.expect("] wire turn", at_least=3)) == 3
    lamp.expect("] wire turn", never=True)
    lamp.expect("] wire turn", at_most=3, after=0)
    with pytest.raises(blemu.ExpectationError, match="came more than twice|came more than 2 times"):
        lamp.expect("] wire turn", at_most=2, after=0)


@pytest.mark.parametrize("within", [float("inf"), float("nan")])
def test_refuses_to_wait_for_no_number_of_seconds(lamp, within):
    with pytest.raises(ValueError, match=f"a number of seconds, not for {within}"):
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
    assert len(lamp.expect("] wire turn", at_least=600)) == 600


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
        with pytest.raises(blemu.Error, match="others may write in .*/blemu, so its sockets may be theirs"):
            look()


def test_is_not_looked_for_behind_a_symbolic_link(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "other").mkdir(mode=0o700)
    (tmp_path / "blemu").symlink_to("other")
    with pytest.raises(blemu.Error, match="others may write in"):
        blemu.devices()
