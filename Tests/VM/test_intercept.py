"""A program answers a real central in place of the rules, on both transports."""
import hashlib
import signal
import subprocess
import sys
import threading

import blemu
import pytest

from att import assert_refused
from device import DEFINITIONS


@pytest.fixture(params=["bluez", "exact"])
def device(request, blemu_run):
    return blemu_run(DEFINITIONS / "intercepted.yaml", on=f"{request.param}:hci0")


def subscribed(device, central, uuid, name):
    handle = central.characteristic(uuid)
    central.subscribe(handle)
    device.expect(f"subscribe {name}", within=30)
    return handle


@pytest.fixture
def challenge(device, central):
    """The characteristic of challenges, to which the central has subscribed."""
    return subscribed(device, central, "FFE1", "challenge")


@pytest.fixture
def stream(device, central):
    """The stream, to which the central has subscribed."""
    return subscribed(device, central, "FFE3", "stream")


def of_the_house(value):
    return hashlib.blake2s(value, key=b"of the house", digest_size=16).digest()


def test_a_cipher_of_the_house_answers_challenges(device, central, challenge):
    with device.intercept("> challenge", lambda event: of_the_house(event.value), within=4):
        for value in b"\x01\x02\x03", b"another":
            central.write(challenge, value)
            assert central.notification() == of_the_house(value)
        central.write_command(challenge, b"command")
        assert central.notification() == of_the_house(b"command")
    central.write(challenge, b"\x01")
    assert central.notification() == b"\xFF\x01"
    device.expect("> challenge 01 02 03", "> challenge", '> challenge "command"', "< challenge FF 01")


def test_a_program_answers_reads_and_one_question_is_for_a_long_one(device, central):
    level = central.characteristic("FFE2")
    numbers = []

    def answer(event):
        numbers.append(len(numbers))
        return bytes([len(numbers)]) * 300 if len(numbers) < 3 else None

    with device.intercept("read level", answer, within=4):
        assert central.read_long(level) == b"\x01" * 300
        assert central.read_blob(level, 299) == b"\x01"
        assert_refused(0x07, central.read_blob, level, 301)
        assert central.read_long(level) == b"\x02" * 300
        assert central.read_long(level) == b"\x32"
    assert len(numbers) == 3
    assert central.read(level) == b"\x32"


def test_a_program_refuses(device, central, challenge):
    level, guarded = central.characteristic("FFE2"), central.characteristic("FFE4")

    def refuse(event):
        raise blemu.Refusal(0x81 if event.kind == "read" else 0x80)

    with device.intercept("> guarded", refuse, within=4), device.intercept("read level", refuse, within=4), \
            device.intercept("> challenge", refuse, within=4):
        assert_refused(0x80, central.write, guarded, b"\x01")
        assert_refused(0x81, central.read, level)
        central.write_command(challenge, b"\x02")
        device.expect("! 0x80", "! 0x81", "! 0x80", within=30)
    central.write(challenge, b"\x03")
    assert central.notification() == b"\xFF\x03"


def test_messages_come_in_parts_and_together(device, central, stream):
    with device.intercept("> stream line count=1", lambda event: b"one", within=4):
        central.write(stream, b"go ")
        central.write(stream, b"1\ngo 2\n")
        assert [central.notification(), central.notification()] == [b"one", b"went 2"]
        central.write_command(stream, b"go 3\ngo 1\n")
        central.write_command(stream, b"go 4\n")
        assert [central.notification() for _ in range(3)] == [b"went 3", b"one", b"went 4"]


def test_the_rules_go_on_without_a_late_program(device, central, challenge):
    go_on = threading.Event()

    def wait(event):
        go_on.wait(60)
        return b"late"

    with device.intercept("> challenge", wait, within=0.2):
        central.write(challenge, b"\x01")
        assert central.notification() == b"\xFF\x01"
        device.expect("! \"intercept 1 has not answered '> challenge 01' within 0.200 s; the rules go on\" ...")
        go_on.set()
        device.expect('! "the answer of intercept 1 to " ...', within=30)


PROGRAM = """
import sys, time, blemu

def answer(event):
    print("asked", flush=True)
    time.sleep(3600)

with blemu.Device(sys.argv[1]).intercept("> challenge", answer, within=4):
    print("ready", flush=True)
    time.sleep(3600)
"""


def test_the_rules_go_on_when_the_program_is_killed(device, central, challenge):
    program = subprocess.Popen([sys.executable, "-c", PROGRAM, device.path], stdout=subprocess.PIPE, text=True)
    try:
        assert program.stdout.readline() == "ready\n"
        central.write_command(challenge, b"\x01")
        central.write_command(challenge, b"\x02")
        assert program.stdout.readline() == "asked\n"
        program.send_signal(signal.SIGKILL)
        assert [central.notification(), central.notification()] == [b"\xFF\x01", b"\xFF\x02"]
        warning, _ = device.expect('! "intercept 1 ended before it had answered " ...', "< challenge FF 02")
        assert warning.message.endswith(f"; the rules go on (process {program.pid})")
    finally:
        program.kill()
        program.wait()
        program.stdout.close()


def test_a_storm_of_commands_keeps_its_order_and_loses_nothing(device, central, challenge):
    with device.intercept("> challenge", lambda event: event.value if event.value[1] % 3 else None, within=4):
        begun = device.status().events
        expected = []
        # BlueZ does not say which writes are commands, and gives up one that waits for 5 s.
        for number in range(60):
            value = number.to_bytes(2, "big")
            central.write_command(challenge, value)
            expected.append(value if value[1] % 3 else b"\xFF" + value)
        assert [central.notification(60) for _ in expected] == expected
    assert [event.message for event in device.journal(after=begun) if event.kind == "warning"] == []


def test_where_bluez_answers_a_write_itself_the_log_says_so(device):
    with device.intercept("> challenge", lambda event: blemu.Refusal(0x80), within=4):
        warnings = [event.message for event in device.journal() if event.kind == "warning"]
    said = "intercept 1: BlueZ itself answers every write to 'challenge' at once: the central gets no error and does not wait for the program"
    assert warnings == ([said] if device.describe()["transport"].startswith("bluez") else [])


def test_the_program_uses_the_device_before_it_answers(device, central, challenge):
    with blemu.Device(device.path) as other:
        def answer(event):
            other.send("challenge", b"first")
            return b"second"

        with device.intercept("> challenge", answer, within=4):
            central.write(challenge, b"\x01")
            assert [central.notification(), central.notification()] == [b"first", b"second"]


def test_a_disconnection_ends_the_question(device, central, challenge):
    asked, go_on = threading.Event(), threading.Event()

    def wait(event):
        asked.set()
        go_on.wait(60)

    with device.intercept("> challenge", wait, within=4):
        central.write_command(challenge, b"\x01")
        assert asked.wait(60)
        central.close()
        device.expect("> challenge 01", "disconnect", within=30)
        go_on.set()
