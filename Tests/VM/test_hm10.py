"""The HM-10 as a serial cable: bytes written on the air come out of the pseudo-terminal, and back."""
import hashlib
import os
import random
import unittest

import hci
from att import Central
from blemu import Blemu
from meanwhile import MeanwhileCase
from serial_line import SerialLine

LINK = "/tmp/hm10"
# bluetoothd's L2CAP socket drops write commands that come faster than it reads them. A request
# between windows of them waits until it has read all before.
WINDOW = 20


def random_bytes(length, seed):
    return random.Random(seed).randbytes(length)


def parts(data, longest, seed=1):
    """The data in pieces of random lengths."""
    source, at = random.Random(seed), 0
    while at < len(data):
        length = source.randint(1, longest)
        yield data[at:at + length]
        at += length


def send(central, handle, data, longest=20):
    """Writes all of the data by write commands."""
    for number, part in enumerate(parts(data, longest)):
        central.write_command(handle, part)
        if number % WINDOW == WINDOW - 1:
            central.read(handle)
    central.read(handle)


class SerialCable(MeanwhileCase):
    @classmethod
    def setUpClass(cls):
        cls.blemu = cls.enterClassContext(Blemu("hm-10", "--set", "baud=8", "--on", "bluez:hci0", "--pty", LINK))
        with Central() as central:
            cls.ffe1 = central.characteristic("FFE1")

    def setUp(self):
        self.line = self.enterContext(SerialLine.terminal(LINK))
        self.addCleanup(self.line.waiting)

    def assertSame(self, received, sent):
        self.assertEqual(len(received), len(sent))
        self.assertEqual(hashlib.sha256(received).hexdigest(), hashlib.sha256(sent).hexdigest())

    def receive(self, central, length):
        values = []
        while sum(map(len, values)) < length:
            values.append(central.notification())
            self.assertLessEqual(len(values[-1]), 20)
        return b"".join(values)

    def test_ten_thousand_bytes_from_the_air(self):
        for mtu, longest in ((517, 244), (0, 20)):
            with self.subTest(mtu=mtu), Central(mtu=mtu) as central:
                data = random_bytes(10_000, seed=mtu)
                if mtu:
                    central.exchange_mtu(mtu)
                send(central, self.ffe1, data, longest)
                self.assertSame(self.line.read(len(data)), data)
                self.assertEqual(self.line.waiting(), b"")

    def test_ten_thousand_bytes_to_the_air(self):
        for mtu in (517, 0):
            with self.subTest(mtu=mtu), Central(mtu=mtu) as central:
                data = random_bytes(10_000, seed=mtu + 1)
                central.subscribe(self.ffe1)
                writer = self.meanwhile(self.line.write, data)
                self.assertSame(self.receive(central, len(data)), data)
                writer.result()

    def test_both_ways_at_once(self):
        up, down = random_bytes(4000, seed=2), random_bytes(4000, seed=3)
        with Central() as central:
            central.subscribe(self.ffe1)
            writer = self.meanwhile(self.line.write, down)
            send(central, self.ffe1, up)
            self.assertSame(self.line.read(len(up)), up)
            self.assertSame(self.receive(central, len(down)), down)
            writer.result()

    def test_the_first_burst_of_a_link_arrives_whole(self):
        for attempt in range(3):
            with Central() as central:
                for byte in range(5):
                    central.write_command(self.ffe1, bytes([0xE0 + byte]))
                self.assertEqual(self.line.read(5), bytes.fromhex("E0 E1 E2 E3 E4"))

    def test_a_line_longer_than_a_value_keeps_its_order(self):
        line = b"What is longer than 20 bytes is cut by both sides.\r\n"
        with Central() as central:
            central.subscribe(self.ffe1)
            for at in range(0, len(line), 20):
                central.write_command(self.ffe1, line[at:at + 20])
            self.assertEqual(self.line.read(len(line)), line)
            self.line.write(line)
            self.assertEqual(self.receive(central, len(line)), line)

    def test_a_short_line_is_one_notification(self):
        with Central() as central:
            central.subscribe(self.ffe1)
            self.line.write(b"Foobar\r\n")
            self.assertEqual(central.notification(), b"Foobar\r\n")

    def test_bytes_wait_for_a_subscription(self):
        before, between = random_bytes(300, seed=4), random_bytes(300, seed=5)
        self.line.write(before)
        with Central() as central:
            central.read(self.ffe1)
            central.subscribe(self.ffe1)
            self.assertEqual(self.receive(central, len(before)), before)
            central.unsubscribe(self.ffe1)
            self.blemu.await_event("unsubscribed", attribute="FFE1")
            self.line.write(between)
        with Central() as central:
            central.subscribe(self.ffe1)
            self.assertEqual(self.receive(central, len(between)), between)

    def test_every_byte_passes_unchanged(self):
        # A terminal in a mode for people would swallow or change 03, 04, 0A, 0D, 11, 13, 7F and others.
        every = bytes(range(256))
        with Central() as central:
            central.subscribe(self.ffe1)
            send(central, self.ffe1, every)
            self.assertEqual(self.line.read(256), every)
            self.line.write(every)
            self.assertEqual(self.receive(central, 256), every)

    def test_the_terminal_may_be_closed_and_opened_again(self):
        with Central() as central:
            central.subscribe(self.ffe1)
            with SerialLine.terminal(LINK) as other:
                other.write(b"one")
                self.assertEqual(self.receive(central, 3), b"one")
            with SerialLine.terminal(LINK) as other:
                other.write(b"two")
                self.assertEqual(self.receive(central, 3), b"two")
                central.write_command(self.ffe1, b"three")
                self.assertEqual(other.read(5), b"three")


class FreshModule(unittest.TestCase):
    def test_reads_as_the_address_until_data_comes(self):
        with Blemu("hm-10", "--on", "bluez:hci0") as blemu, Central() as central:
            ffe1 = central.characteristic("FFE1")
            self.assertEqual(central.read(ffe1), bytes(reversed(hci.address("hci0"))))
            self.assertEqual(blemu.await_event("read", attribute="FFE1")["value"],
                             hci.address_text("hci0").replace(":", " "))
            self.assertEqual(central.read(central.descriptor(ffe1, "2901")), b"HMSoft")


class StandardStreams(MeanwhileCase):
    def test_two_thousand_bytes_each_way(self):
        up, down = random_bytes(2000, seed=6), random_bytes(2000, seed=7)
        with Blemu("hm-10", "--on", "bluez:hci0", "--stdio") as blemu:
            with Central() as central, SerialLine.of(blemu.process) as line:
                ffe1 = central.characteristic("FFE1")
                central.subscribe(ffe1)
                writer = self.meanwhile(line.write, down)
                send(central, ffe1, up)
                self.assertEqual(line.read(len(up)), up)
                self.assertEqual(central.stream(len(down)), down)
                writer.result()
                self.assertEqual(line.waiting(), b"")

    def test_the_end_of_input_leaves_the_device_on_the_air(self):
        with Blemu("hm-10", "--on", "bluez:hci0", "--stdio") as blemu:
            with Central() as central:
                ffe1 = central.characteristic("FFE1")
                blemu.process.stdin.write(b"last words")
                blemu.process.stdin.close()
                central.subscribe(ffe1)
                self.assertEqual(central.notification(), b"last words")
                self.assertIn("standard input has ended", blemu.await_event("warning")["message"])
                central.write_command(ffe1, b"still here")
                self.assertEqual(b"".join(blemu.process.stdout.read(1) for _ in range(10)), b"still here")


class PseudoTerminal(unittest.TestCase):
    def test_the_link_is_there_for_the_run_only(self):
        with Blemu("hm-10", "--on", "bluez:hci0", "--pty", "/tmp/link") as blemu:
            terminal = os.readlink("/tmp/link")
            self.assertEqual(blemu.happened("on-air")[0]["wire"], f"/tmp/link -> {terminal}, 9600 baud")
        self.assertFalse(os.path.lexists("/tmp/link"))

    def test_the_link_of_a_killed_run_is_replaced(self):
        with Blemu("hm-10", "--on", "bluez:hci0", "--pty", "/tmp/link") as blemu:
            blemu.kill()
        self.assertTrue(os.path.lexists("/tmp/link"))
        with Blemu("hm-10", "--on", "bluez:hci0", "--pty", "/tmp/link"):
            self.assertTrue(os.path.exists("/tmp/link"))


if __name__ == "__main__":
    unittest.main()
