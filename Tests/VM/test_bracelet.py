"""The bracelet's packets on real links: complete, split, joined and damaged."""
import csv
import functools
import itertools
import operator

import pytest

from att import Central, assert_refused
from device import REPOSITORY, Blemu

# A5, length, command 03, month, day, XOR of the bytes before
TWO_JANUARY, TWO_JANUARY_TOTAL = bytes.fromhex("A5 06 03 01 02 A3"), bytes.fromhex("A5 06 83 05 00 25")
THREE_JANUARY, THREE_JANUARY_TOTAL = bytes.fromhex("A5 06 03 01 03 A2"), bytes.fromhex("A5 06 83 2C 01 0D")


def packet(*values):
    """Returns the values and their XOR."""
    return bytes([*values, functools.reduce(operator.xor, values)])


def samples(month, day):
    with open(REPOSITORY / "Peripherals/fitness/bracelet/history.csv", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        return next(bytes.fromhex(row[2]) for row in rows if row[:2] == [str(month), str(day)])


def sample_packet(month, day, index):
    """20 bytes, whatever is left of the day."""
    data = samples(month, day)[index * 15:][:15]
    return packet(0xA5, 0x14, 0x84, index, *data.ljust(15, b"\0"))


def test_the_last_packet_of_2_january_is_padded():
    assert sample_packet(1, 2, 4)[-6:-1] == bytes(5)


@pytest.fixture(scope="module")
def bracelet():
    """The bracelet, and the handle of its serial characteristic."""
    with Blemu("bracelet") as blemu:
        with Central() as central:
            serial = central.characteristic("FFE1")
        yield blemu, serial


@pytest.fixture
def link(bracelet, central):
    return Link(*bracelet, central)


class Link:
    """A central that has subscribed."""

    def __init__(self, blemu, serial, central):
        self.blemu, self.serial, self.central = blemu, serial, central
        central.subscribe(serial)
        blemu.await_event("subscribed", attribute="serial")

    def write(self, value):
        self.central.write(self.serial, value)

    def assert_answered(self, *answers):
        for answer in answers:
            assert self.central.notification().hex(" ") == answer.hex(" ")

    def assert_split_frame_answered(self, parts, *answers):
        """Checks that the split frame is answered. Repeats it if the machine was too slow for the gap of 200 ms."""
        for _ in range(5):
            for part in parts:
                self.central.write_command(self.serial, part)
            self.central.read(self.serial)
            values = []
            try:
                while len(values) < len(answers):
                    values.append(self.central.notification(2))
            except TimeoutError:
                self.blemu.await_event("warning", attribute="serial", message="not a frame: unfinished after 200 ms of silence")
                continue
            assert [value.hex(" ") for value in values] == [answer.hex(" ") for answer in answers]
            return
        pytest.fail("five times too slow")


@pytest.mark.parametrize("value, answers", [
    (TWO_JANUARY, [TWO_JANUARY_TOTAL]),
    (THREE_JANUARY, [THREE_JANUARY_TOTAL]),
    (TWO_JANUARY + THREE_JANUARY, [TWO_JANUARY_TOTAL, THREE_JANUARY_TOTAL]),
    (packet(0xA5, 6, 3, 2, 30), [packet(0xA5, 6, 0x83, 0, 0)]),  # a day without samples
    # The last packet of 2 January is padded.
    *((packet(0xA5, 7, 4, 1, day, index), [sample_packet(1, day, index)])
      for day, indices in ((2, range(5)), (3, (0, 1, 127, 128, 254, 255))) for index in indices),
], ids=lambda value: value.hex() if isinstance(value, bytes) else "")
def test_is_answered(link, value, answers):
    """The answer to a write request and to a write command."""
    link.write(value)
    link.assert_answered(*answers)
    link.central.write_command(link.serial, value)
    link.assert_answered(*answers)


def test_a_packet_past_the_end_is_not_answered(link):
    link.write(packet(0xA5, 7, 4, 1, 2, 5))
    assert link.blemu.await_event("log")["message"] == "packet 5 of a day that has fewer: no answer"
    link.write(TWO_JANUARY)
    link.assert_answered(TWO_JANUARY_TOTAL)


def test_a_frame_may_be_split_anywhere(case, link):
    for count in range(1, len(TWO_JANUARY)):
        for cuts in itertools.combinations(range(1, len(TWO_JANUARY)), count):
            with case(f"torn at {cuts}"):
                edges = itertools.pairwise([0, *cuts, len(TWO_JANUARY)])
                link.assert_split_frame_answered([TWO_JANUARY[start:end] for start, end in edges], TWO_JANUARY_TOTAL)


def test_a_frame_and_a_half_is_finished_by_the_next_write(link):
    link.assert_split_frame_answered([TWO_JANUARY + THREE_JANUARY[:2], THREE_JANUARY[2:]], TWO_JANUARY_TOTAL, THREE_JANUARY_TOTAL)


@pytest.mark.parametrize("value, warning", [
    ("A5 06 03 01 02 A4", "checksum"),
    ("A5 01 03 01 02 A4", "length"),  # no frame has this length
    ("A5 07 03 01 02 A2", "200 ms"),  # the frame is shorter than its length field
    ("A5 05 7E 01 DF", "no rule matches this frame"),
])
def test_is_not_answered(link, value, warning):
    """The write causes a warning, and the next answer belongs to the valid request after it."""
    link.write(bytes.fromhex(value))
    event = link.blemu.await_event("warning", attribute="serial")
    assert warning in event["message"]
    assert warning != "checksum" or event["value"] == value
    link.write(THREE_JANUARY)
    link.assert_answered(THREE_JANUARY_TOTAL)


def test_garbage_before_a_frame_is_skipped(link):
    link.write(bytes.fromhex("00 FF 5A") + TWO_JANUARY)
    link.assert_answered(TWO_JANUARY_TOTAL)
    assert link.blemu.await_event("warning")["value"] == "00 FF 5A"


def test_an_unsubscribed_central_receives_nothing(link):
    link.central.unsubscribe(link.serial)
    link.blemu.await_event("unsubscribed", attribute="serial")
    link.write(TWO_JANUARY)
    lost = link.blemu.await_event("warning", message="not sent: no central has subscribed")
    assert (lost["attribute"], lost["value"]) == ("serial", "A5 06 83 05 00 25")
    link.central.subscribe(link.serial)
    link.blemu.await_event("subscribed", attribute="serial")
    link.write(THREE_JANUARY)
    link.assert_answered(THREE_JANUARY_TOTAL)


def test_a_long_write_arrives_once_and_whole(link):
    frames = TWO_JANUARY + THREE_JANUARY + TWO_JANUARY + THREE_JANUARY
    link.central.write_long(link.serial, frames, part=7)
    link.assert_answered(*(TWO_JANUARY_TOTAL, THREE_JANUARY_TOTAL) * 2)
    event = link.blemu.await_event("write", attribute="serial")
    assert bytes.fromhex(event["value"]) == frames
    assert link.central.read(link.serial) == THREE_JANUARY_TOTAL


def test_a_cancelled_long_write_is_forgotten(link):
    assert link.central.prepare_write(link.serial, 0, TWO_JANUARY) == TWO_JANUARY
    link.central.execute_write(False)
    link.write(THREE_JANUARY)
    link.assert_answered(THREE_JANUARY_TOTAL)


def test_half_a_frame_does_not_reach_the_next_central(link):
    link.write(TWO_JANUARY[:4])
    link.central.close()
    link.blemu.await_event("disconnected")
    with Central() as link.central:
        link.central.subscribe(link.serial)
        link.write(TWO_JANUARY[4:] + THREE_JANUARY)
        link.assert_answered(THREE_JANUARY_TOTAL)


def test_a_write_to_the_declaration_is_refused(link):
    assert_refused(0x03, link.central.write, link.serial - 1, TWO_JANUARY)
