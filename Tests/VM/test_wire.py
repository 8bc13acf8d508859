"""The speed of the wire side, as set by pyserial or by a definition."""
import re
import sys
import time

import pytest
import serial

from att import Central
from device import DEFINITIONS
from patience import PATIENCE
from wire import LINK, random_bytes, same, send


class TestPySerial:
    """pyserial from PyPI."""

    @pytest.fixture(autouse=True)
    def cable(self, wire):
        assert serial.__file__.startswith(sys.prefix)
        wire.start("hm-10-cable", "--pty", LINK)

    def test_opens_the_terminal_at_every_speed(self, case, wire):
        central, speeds = wire.central(), (*serial.Serial.BAUDRATES, 31250)
        for baud in speeds:
            with case(f"{baud} baud"):
                up, down = random_bytes(200, seed=baud), random_bytes(200, seed=baud + 1)
                with serial.Serial(LINK, baud, timeout=PATIENCE) as port:
                    wire.event("opened")
                    port.write(down)
                    assert central.stream(len(down)) == down
                    send(central, wire.ffe1, up)
                    assert port.read(len(up)) == up
                assert wire.event("baud-rate")["baud"] == baud
                wire.event("closed")
        print(f"  pyserial {serial.VERSION}: {len(speeds)} speeds, {speeds[0]} to {max(speeds)} baud")

    def test_drops_waiting_bytes_when_it_opens_the_terminal(self, wire):
        central = wire.central()
        central.write_command(wire.ffe1, b"before")
        wire.blemu.await_event("wire-out", text="before")
        with serial.Serial(LINK, 9600, timeout=PATIENCE) as port:
            central.write_command(wire.ffe1, b"after")
            assert port.read(5) == b"after"


class TestPace:
    """9600 baud are 960 bytes per second. The device is never more than 2 % faster. It is slower by no more than three
    times the time that the machine needs for the same bytes without a limit, which varies on a busy host."""

    @pytest.fixture
    def slow(self, wire):
        wire.start(DEFINITIONS / "slow-wire.yaml", "--pty", LINK)
        return wire

    def assert_pace(self, count, seconds, own, what):
        print(f"  {count} bytes {what} in {seconds:.2f} s: {count / seconds:.1f} a second, "
              f"{(count / seconds / 960 - 1) * 100:+.2f} %; without a pace in {own:.2f} s")
        assert count / 960 * 0.98 < seconds < count / 960 * 1.02 + 3 * own

    def test_is_kept_for_ten_seconds_in_both_directions_at_once(self, wire):
        own, _ = self.carry(wire, "hm-10-cable")
        wire.close()
        times, sizes = self.carry(wire, DEFINITIONS / "slow-wire.yaml")
        for what, seconds in times.items():
            self.assert_pace(9600, seconds, own[what], what)
        assert sizes == {20}

    def carry(self, wire, definition):
        """Returns the seconds for 9,600 bytes in both directions at once, and the lengths of the values."""
        wire.start(definition, "--pty", LINK)
        central, line = wire.central(), wire.terminal()
        up, down = random_bytes(9600, seed=21), random_bytes(9600, seed=22)
        start = time.monotonic()
        rising = wire.meanwhile(send, central, wire.ffe1, up)
        falling = wire.meanwhile(line.write, down)
        arriving = wire.meanwhile(lambda: (line.read(len(up)), time.monotonic()))
        values = central.values(len(down))
        falls = time.monotonic() - start
        assert same(b"".join(values), down)
        received, end = arriving.result()
        assert same(received, up)
        rising.result()
        falling.result()
        return {"to the air": falls, "from the air": end - start}, {len(value) for value in values}

    def test_a_short_line_is_one_value(self, slow):
        central, line = slow.central(), slow.terminal()
        line.write(b"Foobar\r\n")
        assert central.notification() == b"Foobar\r\n"

    def test_the_next_central_receives_nothing_of_an_interrupted_burst(self, slow):
        line = slow.terminal()
        burst = random_bytes(4000, seed=23)
        with Central() as first:
            slow.subscribe(first)
            line.write(burst)
            assert same(first.stream(500), burst[:500])
        warning = slow.blemu.await_event("warning")["message"]
        assert re.search(r"dropped \d+ bytes for the last central", warning)
        second = slow.central()
        second.no_notification(1)
        line.write(b"new")
        assert second.notification() == b"new"


class TestOtherPace:
    def test_a_new_speed_applies_from_the_next_reset(self, wire):
        wire.start("hm-10", "--pty", LINK)
        line = wire.terminal()
        for command, answer in ((b"AT+BAUD7", b"OK+Set:7"), (b"AT+RESET", b"OK+RESET")):
            line.write(command)
            assert line.read(len(answer)) == answer
        wire.blemu.await_event("log", message="the wire side has 1200 baud")
        central, data, start = wire.central(), random_bytes(360, seed=24), time.monotonic()
        wire.meanwhile(line.write, data)
        assert same(central.stream(len(data)), data)
        seconds = time.monotonic() - start
        print(f"  {len(data)} bytes at 1200 baud in {seconds:.2f} s")
        assert seconds > 3 * 0.98
        start = time.monotonic()
        send(central, wire.ffe1, data)
        assert same(line.read(len(data)), data)
        assert time.monotonic() - start > 2
