"""A program steers and checks a device through the Python package, on both transports."""
import re
import subprocess

import blemu
import pytest

from air import structures
from device import DEFINITIONS, PROGRAM


@pytest.fixture(params=["bluez", "exact"])
def device(request, blemu_run):
    return blemu_run(DEFINITIONS / "controlled.yaml", on=f"{request.param}:hci0")


@pytest.fixture
def switch(device, central):
    return central.characteristic("FFE2")


@pytest.fixture
def light(device, central):
    """The light of a central that has subscribed."""
    light = central.characteristic("FFE1")
    central.subscribe(light)
    device.expect("subscribe light")
    return light


def turn(state):
    return bytes([0xA5, state])


def test_a_central_reads_and_is_notified_of_what_is_set(device, central, light):
    device.set(level=42)
    assert central.notification() == b"\x2A"
    assert central.read(light) == b"\x2A"
    device.expect("< light report level=42", "read light 2A")
    with pytest.raises(blemu.Error, match="101"):
        device.set(level=101)
    assert device.get("level") == 42


def test_another_name_is_advertised_at_once(device, air):
    device.set(local_name="Robot")
    air.wait_for(lambda each: (9, b"Robot") in structures(each.scan_response) + structures(each.data))
    device.advertise(False)
    air.wait_for_silence()
    device.advertise()
    air.wait_for(lambda each: (9, b"Robot") in structures(each.scan_response) + structures(each.data))


def test_what_a_central_writes_is_expected_in_its_order(device, central, switch):
    for state in 1, 2:
        central.write(switch, turn(state))
    first, second = device.expect("> switch turn state=1", "> switch A5 02")
    assert (first.kind, first.message, first.fields) == ("write", "turn", {"state": 1})
    assert second.value == turn(2) and first.number < second.number
    with pytest.raises(blemu.ExpectationError):
        device.expect("> switch turn state=2", "> switch turn state=1", within=0.1, after=0)


def test_what_a_central_writes_is_counted(device, central, switch):
    for state in 1, 2, 2:
        central.write(switch, turn(state))
    assert [event.fields["state"] for event in device.expect("> switch turn", at_least=3)] == [1, 2, 2]
    device.expect("> switch turn state=2", at_most=2, after=0)
    device.expect("> switch turn state=3", never=True, after=0)
    with pytest.raises(blemu.ExpectationError, match="came, as event"):
        device.expect("> switch turn state=2", never=True, after=0)


def test_an_expectation_that_is_not_met_shows_both_sides(device, central, switch):
    central.write(switch, turn(2))
    [write] = device.expect("> switch")
    with pytest.raises(blemu.ExpectationError) as caught:
        device.expect("> switch turn state=3", within=0.1, after=write.number - 1)
    assert caught.value.message == \
        f"'> switch turn state=3' did not come within 0.100 s; in event {write.number}, state is 2, not 3"
    assert [(each["state"], each["lines"]) for each in device.expectations()] == [
        ("met", ["> switch"]), ("failed", ["> switch turn state=3"])]
    expected, actual = [line for line in caught.value.comparison.splitlines() if "switch" in line]
    assert re.fullmatch(r"-> +> switch turn state=3", expected.rstrip())
    assert re.fullmatch(rf" +{write.number} +\d+\.\d+  > switch  A5 02  turn state=2", actual)


def test_controls_are_operated(device, central, light):
    first = device.press("dimmer", 30)
    assert central.notification() == b"\x1E"
    device.press("alarm")
    assert central.notification() == b"\xFF"
    device.expect("press dimmer", "< light 1E", "press alarm", "< light FF", after=first.after)


def test_subscribers_get_what_is_sent(device, central, light):
    device.send("light", "report", level=7)
    device.send("light", b"\x08")
    assert [central.notification(), central.notification()] == [b"\x07", b"\x08"]
    central.unsubscribe(light)
    device.expect("unsubscribe light")
    with pytest.raises(blemu.Error, match="no central has subscribed"):
        device.send("light", b"\x09")


def test_a_central_is_disconnected(device, central):
    device.expect("connect")
    device.disconnect(reason="remote-low-resources")
    central.await_disconnection()
    device.expect("disconnect", within=30)
    assert device.status().centrals == []


def test_faults_come_and_go_while_the_device_runs(device, central, light):
    with device.fault("drop", "out on light every 2nd"):
        for level in 1, 2, 3:
            device.send("light", "report", level=level)
        device.expect("fault drop out on light", after=0)
        assert [central.notification(), central.notification()] == [b"\x01", b"\x03"]
    for level in 4, 5:
        device.send("light", "report", level=level)
    assert [central.notification(), central.notification()] == [b"\x04", b"\x05"]


def test_what_has_happened_on_the_air_is_a_transcript_that_passes_in_memory(device, central, switch, light, tmp_path):
    for state in 1, 2:
        central.write(switch, turn(state))
    central.read(light)
    device.set(level=42)
    assert central.notification() == b"\x2A"
    device.set(local_name="Two words")
    central.close()
    device.expect("disconnect")
    file = tmp_path / "air.transcript"
    file.write_text(device.transcript())
    lines = file.read_text().splitlines()
    assert [line for line in lines if line.startswith("> ")] == [
        "> switch  A5 01  # turn state=1", "> switch  A5 02  # turn state=2"]
    assert 'set local-name="Two words"' in lines and "connect" in lines and "disconnect" in lines
    result = subprocess.run([PROGRAM, "test", file], capture_output=True, text=True)
    assert result.stdout.endswith("1 passed, 0 failed\n"), result.stdout + file.read_text()


def test_a_reset_ends_connections_and_keeps_settings(device, central):
    device.expect("connect")
    device.set(level=9)
    device.reset()
    central.await_disconnection()
    device.expect("disconnect", within=30)
    assert device.get("level") == 9


@pytest.fixture(params=["bluez", "exact"])
def module(request, blemu_run):
    return blemu_run("hm-10-cable", on=f"{request.param}:hci0")


def test_a_program_stands_for_the_wire_side(module, central):
    serial = central.characteristic("FFE1")
    central.subscribe(serial)
    module.expect("subscribe FFE1")
    module.wire(b"temperature?")
    assert central.notification() == b"temperature?"
    central.write_command(serial, b"21.5")
    module.expect('] wire "temperature?"', '< FFE1 "temperature?"', '> FFE1 "21.5"', '[ wire "21.5"', within=30)
