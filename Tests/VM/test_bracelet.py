"""The bracelet's packets on real links: whole, torn, joined and damaged."""
import csv
import functools
import itertools
import operator
import unittest

from att import ATTError, Central
from blemu import REPOSITORY, Blemu

# A5, length, command 03, month, day, XOR of all before
TWO_JANUARY, TWO_JANUARY_TOTAL = bytes.fromhex("A5 06 03 01 02 A3"), bytes.fromhex("A5 06 83 05 00 25")
THREE_JANUARY, THREE_JANUARY_TOTAL = bytes.fromhex("A5 06 03 01 03 A2"), bytes.fromhex("A5 06 83 2C 01 0D")


def packet(*values):
    """The values and their XOR."""
    return bytes([*values, functools.reduce(operator.xor, values)])


def samples(month, day):
    with open(REPOSITORY / "Peripherals/bracelet/history.csv", newline="") as file:
        rows = csv.reader(line for line in file if not line.startswith("#"))
        return next(bytes.fromhex(row[2]) for row in rows if row[:2] == [str(month), str(day)])


def sample_packet(month, day, index):
    data = samples(month, day)[index * 15:][:15]
    return packet(0xA5, 0x14, 0x84, index, *data.ljust(15, b"\0"))


class Bracelet(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.blemu = cls.enterClassContext(Blemu("bracelet", "--on", "bluez:hci0"))

    def setUp(self):
        self.central = self.enterContext(Central())
        if not hasattr(type(self), "serial"):
            type(self).serial = self.central.characteristic("FFE1")
        self.central.subscribe(self.serial)
        self.blemu.await_event("subscribed", attribute="serial")

    def assertAnswered(self, answer=TWO_JANUARY_TOTAL):
        self.assertEqual(self.central.notification().hex(" "), answer.hex(" "))

    def assertTornFrameAnswered(self, parts, answers=(TWO_JANUARY_TOTAL,)):
        """The parts are written and answered, again if the machine was too slow for the gap of 200 ms between them."""
        for _ in range(5):
            for part in parts:
                self.central.write_command(self.serial, part)
            self.central.read(self.serial)
            values = []
            try:
                while len(values) < len(answers):
                    values.append(self.central.notification(2))
            except TimeoutError:
                self.blemu.await_event("warning", attribute="serial", message="no frame: unfinished after 200 ms of silence")
                continue
            return self.assertEqual([value.hex(" ") for value in values], [answer.hex(" ") for answer in answers])
        self.fail("five times too slow")

    def assertIgnored(self, *writes, warning):
        """The writes are warned about, and what is answered next is a good request behind them."""
        for value in writes:
            self.central.write(self.serial, value)
        event = self.blemu.await_event("warning", attribute="serial")
        self.assertIn(warning, event["message"])
        self.central.write(self.serial, THREE_JANUARY)
        self.assertAnswered(THREE_JANUARY_TOTAL)
        return event

    def test_counts_the_packets_of_a_day(self):
        self.central.write(self.serial, TWO_JANUARY)
        self.assertAnswered(TWO_JANUARY_TOTAL)
        self.central.write(self.serial, THREE_JANUARY)
        self.assertAnswered(THREE_JANUARY_TOTAL)

    def test_write_commands_are_answered_too(self):
        self.central.write_command(self.serial, TWO_JANUARY)
        self.assertAnswered()

    def test_sends_the_packets_of_a_day(self):
        self.assertEqual(len(samples(1, 2)) % 15, 10)  # so the last packet is padded
        for index in range(5):
            self.central.write(self.serial, packet(0xA5, 7, 4, 1, 2, index))
            answer = self.central.notification()
            self.assertEqual(answer.hex(" "), sample_packet(1, 2, index).hex(" "))
            self.assertEqual(len(answer), 20)
        self.assertEqual(answer[-6:-1], bytes(5))

    def test_sends_what_one_byte_can_count(self):
        for index in (0, 1, 127, 128, 254, 255):
            self.central.write(self.serial, packet(0xA5, 7, 4, 1, 3, index))
            self.assertAnswered(sample_packet(1, 3, index))

    def test_a_packet_past_the_end_is_not_answered(self):
        self.central.write(self.serial, packet(0xA5, 7, 4, 1, 2, 5))
        self.assertEqual(self.blemu.await_event("log")["message"], "packet 5 of a day that has fewer: no answer")
        self.central.write(self.serial, TWO_JANUARY)
        self.assertAnswered()

    def test_a_day_without_samples_has_no_packets(self):
        self.central.write(self.serial, packet(0xA5, 6, 3, 2, 30))
        self.assertAnswered(packet(0xA5, 6, 0x83, 0, 0))

    def test_a_frame_may_be_torn_anywhere(self):
        ends = range(1, len(TWO_JANUARY))
        for count in range(1, len(TWO_JANUARY)):
            for cuts in itertools.combinations(ends, count):
                with self.subTest(cuts=cuts):
                    edges = [0, *cuts, len(TWO_JANUARY)]
                    self.assertTornFrameAnswered([TWO_JANUARY[start:end] for start, end in itertools.pairwise(edges)])

    def test_two_frames_in_one_write_are_two(self):
        self.central.write(self.serial, TWO_JANUARY + THREE_JANUARY)
        self.assertAnswered(TWO_JANUARY_TOTAL)
        self.assertAnswered(THREE_JANUARY_TOTAL)

    def test_a_frame_and_a_half_is_finished_by_the_next_write(self):
        self.assertTornFrameAnswered([TWO_JANUARY + THREE_JANUARY[:2], THREE_JANUARY[2:]],
                                     [TWO_JANUARY_TOTAL, THREE_JANUARY_TOTAL])

    def test_a_wrong_checksum_is_not_answered(self):
        event = self.assertIgnored(bytes.fromhex("A5 06 03 01 02 A4"), warning="checksum")
        self.assertEqual(event["value"], "A5 06 03 01 02 A4")

    def test_a_length_that_no_frame_has_is_not_answered(self):
        self.assertIgnored(bytes.fromhex("A5 01 03 01 02 A4"), warning="length")

    def test_a_frame_shorter_than_it_says_is_not_answered(self):
        self.assertIgnored(bytes.fromhex("A5 07 03 01 02 A2"), warning="200 ms")

    def test_garbage_before_a_frame_is_passed_over(self):
        self.central.write(self.serial, bytes.fromhex("00 FF 5A") + TWO_JANUARY)
        self.assertAnswered()
        self.assertEqual(self.blemu.await_event("warning")["value"], "00 FF 5A")

    def test_a_frame_that_nobody_waits_for_is_not_answered(self):
        self.assertIgnored(packet(0xA5, 5, 0x7E, 1), warning="no rule takes this frame")

    def test_an_unsubscribed_central_is_sent_nothing(self):
        self.central.unsubscribe(self.serial)
        self.blemu.await_event("unsubscribed", attribute="serial")
        self.central.write(self.serial, TWO_JANUARY)
        lost = self.blemu.await_event("warning", message="not sent: no central has subscribed")
        self.assertEqual((lost["attribute"], lost["value"]), ("serial", "A5 06 83 05 00 25"))
        self.central.subscribe(self.serial)
        self.central.write(self.serial, THREE_JANUARY)
        self.assertAnswered(THREE_JANUARY_TOTAL)

    def test_a_long_write_arrives_once_and_whole(self):
        frames = TWO_JANUARY + THREE_JANUARY + TWO_JANUARY + THREE_JANUARY
        self.central.write_long(self.serial, frames, part=7)
        for answer in (TWO_JANUARY_TOTAL, THREE_JANUARY_TOTAL) * 2:
            self.assertAnswered(answer)
        event = self.blemu.await_event("write", attribute="serial")
        self.assertEqual(bytes.fromhex(event["value"]), frames)
        self.assertEqual(self.central.read(self.serial), THREE_JANUARY_TOTAL)

    def test_a_cancelled_long_write_is_forgotten(self):
        self.assertEqual(self.central.prepare_write(self.serial, 0, TWO_JANUARY), TWO_JANUARY)
        self.central.execute_write(False)
        self.central.write(self.serial, THREE_JANUARY)
        self.assertAnswered(THREE_JANUARY_TOTAL)

    def test_half_a_frame_does_not_reach_the_next_central(self):
        self.central.write(self.serial, TWO_JANUARY[:4])
        self.central.close()
        self.blemu.await_event("disconnected")
        with Central() as self.central:
            self.central.subscribe(self.serial)
            self.central.write(self.serial, TWO_JANUARY[4:] + THREE_JANUARY)
            self.assertAnswered(THREE_JANUARY_TOTAL)

    def test_a_write_to_the_declaration_is_refused(self):
        with self.assertRaises(ATTError) as refused:
            self.central.write(self.serial - 1, TWO_JANUARY)
        self.assertEqual(refused.exception.code, 0x03)


if __name__ == "__main__":
    unittest.main()
