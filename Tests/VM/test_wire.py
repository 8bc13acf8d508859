"""The speed of the serial side: what pyserial sets, and what a definition says."""
import sys
import time
import unittest

import serial

from att import Central
from patience import PATIENCE
from test_hm10 import random_bytes, send
from wire import DEFINITIONS, LINK, Wire


class PySerial(Wire):
    """pyserial as it comes from PyPI."""

    def setUp(self):
        self.assertTrue(serial.__file__.startswith(sys.prefix), serial.__file__)
        self.start("hm-10-cable", "--pty", LINK)

    def test_opens_it_at_every_speed_that_it_knows_and_one_that_has_no_name(self):
        central, speeds = self.central(), (*serial.Serial.BAUDRATES, 31250)
        for baud in speeds:
            with self.subTest(baud=baud):
                up, down = random_bytes(200, seed=baud), random_bytes(200, seed=baud + 1)
                with serial.Serial(LINK, baud, timeout=PATIENCE) as port:
                    self.wire_event("opened")
                    port.write(down)
                    self.assertEqual(central.stream(len(down)), down)
                    send(central, self.ffe1, up)
                    self.assertEqual(port.read(len(up)), up)
                self.assertEqual(self.wire_event("baud-rate")["baud"], baud)
                self.wire_event("closed")
        print(f"  pyserial {serial.VERSION}: {len(speeds)} speeds, {speeds[0]} to {max(speeds)} baud")

    def test_drops_at_its_opening_what_waits_in_the_terminal(self):
        central = self.central()
        central.write_command(self.ffe1, b"before")
        self.blemu.await_event("wire-out", text="before")
        with serial.Serial(LINK, 9600, timeout=PATIENCE) as port:
            central.write_command(self.ffe1, b"after")
            self.assertEqual(port.read(5), b"after")


class Pace(Wire):
    """9600 baud are 960 bytes a second: never more than 2 % faster; slower by no more than three times what the machine
    needs for the same bytes where nothing holds them back: on a busy host, that changes while it is measured."""

    def start_slow(self):
        self.start(DEFINITIONS / "slow-wire.yaml", "--pty", LINK)

    def assertPace(self, count, seconds, own, what):
        print(f"  {count} bytes {what} in {seconds:.2f} s: {count / seconds:.1f} a second, "
              f"{(count / seconds / 960 - 1) * 100:+.2f} %; without a pace in {own:.2f} s")
        self.assertGreater(seconds, count / 960 * 0.98)
        self.assertLess(seconds, count / 960 * 1.02 + 3 * own)

    def test_is_kept_for_ten_seconds_both_ways_at_once(self):
        self.start("hm-10-cable", "--pty", LINK)
        own = self.carry()
        self.doCleanups()
        self.start_slow()
        for what, seconds in self.carry().items():
            self.assertPace(9600, seconds, own[what], what)
        self.assertEqual(self.sizes, {20})

    def carry(self):
        """Seconds for 9,600 bytes each way at once."""
        central, line = self.central(), self.terminal()
        up, down = random_bytes(9600, seed=21), random_bytes(9600, seed=22)
        start = time.monotonic()
        rising = self.meanwhile(send, central, self.ffe1, up)
        falling = self.meanwhile(line.write, down)
        arriving = self.meanwhile(lambda: (line.read(len(up)), time.monotonic()))
        values = []
        while sum(map(len, values)) < len(down):
            values.append(central.notification())
        falls = time.monotonic() - start
        self.sizes = {len(value) for value in values}
        self.assertSame(b"".join(values), down)
        received, end = arriving.result()
        self.assertSame(received, up)
        rising.result()
        falling.result()
        return {"to the air": falls, "from the air": end - start}

    def test_a_short_line_is_one_value(self):
        self.start_slow()
        central, line = self.central(), self.terminal()
        line.write(b"Foobar\r\n")
        self.assertEqual(central.notification(), b"Foobar\r\n")

    def test_a_central_that_leaves_in_mid_burst_leaves_nothing_for_the_next(self):
        self.start_slow()
        line = self.terminal()
        burst = random_bytes(4000, seed=23)
        with Central() as first:
            self.subscribe(first)
            line.write(burst)
            self.assertSame(first.stream(500), burst[:500])
        warning = self.blemu.await_event("warning")["message"]
        self.assertRegex(warning, r"the last central has gone, and with it \d+ bytes")
        second = self.central()
        second.no_notification(1)
        line.write(b"new")
        self.assertEqual(second.notification(), b"new")


class OtherPace(Wire):
    def test_another_speed_counts_from_the_next_reset_on(self):
        self.start("hm-10", "--pty", LINK)
        line = self.terminal()
        for command, answer in ((b"AT+BAUD7", b"OK+Set:7"), (b"AT+RESET", b"OK+RESET")):
            line.write(command)
            self.assertEqual(line.read(len(answer)), answer)
        self.blemu.await_event("log", message="the serial side has 1200 baud")
        central, data, start = self.central(), random_bytes(360, seed=24), time.monotonic()
        self.meanwhile(line.write, data)
        self.assertSame(central.stream(len(data)), data)
        seconds = time.monotonic() - start
        print(f"  {len(data)} bytes at 1200 baud in {seconds:.2f} s")
        self.assertGreater(seconds, 3 * 0.98)
        start = time.monotonic()
        send(central, self.ffe1, data)
        self.assertSame(line.read(len(data)), data)
        self.assertGreater(time.monotonic() - start, 2)


if __name__ == "__main__":
    unittest.main()
