"""Faults on real links: each kind, with the same strikes as in memory."""
import re
import subprocess

import pytest

from att import ATTError, Central
from device import DEFINITIONS, PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE, SILENCE, eventually

TRANSPORTS = ["bluez:hci0", "exact:hci0"]
FAULTY = DEFINITIONS / "faulty.yaml"


def faulty(on, *faults, seed=1):
    return Blemu(FAULTY, "--seed", seed, *(word for fault in faults for word in ("--fault", fault)), on=on)


def strikes(blemu):
    """Returns what the log tells of each strike, without times."""
    return [{key: value for key, value in event.items() if key not in ("time", "event", "central")}
            for event in blemu.happened("fault")]


@pytest.mark.parametrize("where", [(), ("--on", "bluez:hci0", "--central", "bluez:hci1"),
                                   ("--on", "exact:hci0", "--central", "bluez:hci1")], ids=["memory", "bluez", "exact"])
def test_the_transcript_of_all_kinds(where):
    """Its values are exact, so the faults strike alike everywhere."""
    command = [PROGRAM, "test", DEFINITIONS / "faulty.transcript", *where]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=SILENCE)
    assert done.returncode == 0, done.stdout + done.stderr


def rest(central):
    """Returns the values that come until none has come for 3 s."""
    values = []
    try:
        while True:
            values.append(central.notification(3))
    except TimeoutError:
        return values


def converse(on, seed, count=300):
    """Writes `count` numbered values to a device with random faults. Returns the values that come back, and the strikes."""
    faults = ["drop 10% out on down", "duplicate 5% out on down", "corrupt 1 bit in on up 20%", "split into 2 pieces out on down 5%"]
    with faulty(on, *faults, seed=seed) as blemu, Central() as central:
        up, down = central.characteristic("FFE1"), central.characteristic("FFE2")
        central.subscribe(down)
        blemu.await_event("subscribed")
        for number in range(count):
            central.write(up, number.to_bytes(2, "big") + b"\0\0")
        return rest(central), strikes(blemu)


def test_the_same_seed_gives_the_same_strikes_on_both_stacks():
    bluez_values, bluez_strikes = converse("bluez:hci0", seed=11)
    exact_values, exact_strikes = converse("exact:hci0", seed=11)
    assert bluez_strikes == exact_strikes
    assert bluez_values == exact_values
    assert converse("exact:hci0", seed=12)[1] != exact_strikes


@pytest.mark.parametrize("on", TRANSPORTS)
def test_what_was_injected_is_what_the_central_sees(on):
    values, struck = converse(on, seed=3)
    counts = [sum(each["fault-number"] == number for each in struck) for number in range(1, 5)]
    dropped, doubled, corrupted, split = counts
    assert min(counts) > 0
    assert len(values) == 300 - dropped + doubled + split
    assert sum(each["value"] != each["became"] for each in struck if each["fault-number"] == 3) == corrupted


@pytest.mark.parametrize("on", TRANSPORTS)
def test_a_refused_request_does_not_reach_the_device(on):
    with faulty(on, "refuse write-not-permitted on up once") as blemu, Central() as central:
        up = central.characteristic("FFE1")
        with pytest.raises(ATTError) as refusal:
            central.write(up, b"\1")
        assert refusal.value.code == 0x03
        central.write(up, b"\2")
        refused = blemu.await_event("write")
        assert refused["value"] == "01" and "refused" in refused
        assert blemu.await_event("write")["value"] == "02"
        assert all(event["event"] != "received" for event in blemu.events)


@pytest.mark.parametrize("on", TRANSPORTS)
def test_the_connection_ends_after_so_many_bytes(on):
    with faulty(on, "disconnect after 5 bytes in on up"), Central() as central:
        up = central.characteristic("FFE1")
        central.write(up, b"1234")
        central.write(up, b"5")
        central.await_disconnection()


def test_an_answer_that_never_comes_on_exact():
    with faulty("exact:hci0", "answer never on up once") as blemu, Central() as central:
        up = central.characteristic("FFE1")
        central.send(bytes([0x12, *up.to_bytes(2, "little"), 0x01]))
        blemu.await_event("fault", fault="answer never on up once")
        assert blemu.await_event("write")["value"] == "01"
        with pytest.raises(TimeoutError):
            central._next(central._responses, 3, "no response")


def test_bluez_warns_of_what_it_does_otherwise():
    with faulty("bluez:hci0", "answer never", "refuse value-not-allowed on up") as blemu:
        eventually(lambda: len(blemu.warnings()) == 3, blemu.story)
        assert "after 5 s, it sends the central Unlikely Error (0x0E)" in blemu.warnings()[0]
        assert "BlueZ itself answers Exchange MTU, discovery and subscriptions" in blemu.warnings()[1]
        assert "BlueZ cannot send Value Not Allowed (0x13)" in blemu.warnings()[2]


def test_a_mistake_on_the_command_line():
    command = [PROGRAM, "run", FAULTY, "--on", "loopback", "--fault", "drop on dawn"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 64
    assert re.fullmatch(r"--fault:1:9: error: no characteristic has the id 'dawn'\n(.*\n)*.*did you mean 'down'\?\n", done.stderr), done.stderr
