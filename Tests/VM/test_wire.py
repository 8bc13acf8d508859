"""What stands at the serial side: terminals, programs, TCP peers and serial ports, and that none of them loses a byte."""
import fcntl
import hashlib
import os
import pathlib
import re
import select
import signal
import socket
import struct
import threading
import time
import tty
import unittest

import serial

from att import Central
from blemu import REPOSITORY, Blemu
from serial_line import SerialLine
from test_hm10 import random_bytes, send

DEFINITIONS = REPOSITORY / "Tests/VM/definitions"
LINK, PORT = "/tmp/wire", 4000
# What a program reads goes into the one pipe, and it writes what comes out of the other.
FROM_WIRE, TO_WIRE = "/tmp/from-wire", "/tmp/to-wire"
END = b"the end\n"
RELAY = f"cat <{TO_WIRE} & exec cat >{FROM_WIRE}"


def send_fast(central, handle, data):
    """Writes all of the data by write commands as long as the link allows, in windows as send() does."""
    for at in range(0, len(data), 10_000):
        for start in range(at, min(at + 10_000, len(data)), 500):
            central.write_command(handle, data[start:start + 500])
        central.read(handle)


class Wire(unittest.TestCase):
    """A blemu with something at its serial side, and a central that has subscribed."""

    def start(self, definition, *options):
        self.blemu = self.enterContext(Blemu(definition, "--on", "bluez:hci0", *options))

    def central(self):
        central = self.enterContext(Central())
        self.subscribe(central)
        return central

    def subscribe(self, central):
        self.ffe1 = central.characteristic("FFE1")
        central.subscribe(self.ffe1)

    def terminal(self):
        return self.enterContext(SerialLine.terminal(LINK))

    def program(self):
        """Our ends of a program's pipes, open both ways so that they outlive it."""
        for path in (FROM_WIRE, TO_WIRE):
            pathlib.Path(path).unlink(missing_ok=True)
            os.mkfifo(path)
        ends = [os.open(path, os.O_RDWR) for path in (FROM_WIRE, TO_WIRE)]
        return self.enterContext(SerialLine(*ends))

    def peer(self):
        connection = socket.create_connection(("127.0.0.1", PORT))
        return self.enterContext(SerialLine(connection.fileno(), connection.detach()))

    def wire_event(self, change, **fields):
        return self.blemu.await_event("wire", change=change, **fields)

    def resident(self):
        """The resident memory of blemu, KiB."""
        status = pathlib.Path(f"/proc/{self.blemu.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status)[1])

    def assertSame(self, received, sent):
        self.assertEqual(len(received), len(sent))
        self.assertEqual(hashlib.sha256(received).hexdigest(), hashlib.sha256(sent).hexdigest())


class Volume(Wire):
    """Much data each way, with a reader that rests for 3 s in the middle."""

    def carry(self, line, count):
        before, start = self.resident(), time.monotonic()
        central = self.central()
        central.exchange_mtu(517)
        self.up(central, line, count)
        up = time.monotonic()
        self.down(central, line, count)
        print(f"  {count} bytes up in {up - start:.1f} s, down in {time.monotonic() - up:.1f} s; "
              f"VmRSS {before} -> {self.resident()} KiB")
        # What waits for 3 s takes some, as does a log that we read too slowly; neither grows with the data, nor stays.
        self.assertLess(self.resident() - before, 12_288)
        deadline = time.monotonic() + 30
        while self.resident() - before > 6144:
            self.assertLess(time.monotonic(), deadline, f"VmRSS is still {self.resident()} KiB")
            time.sleep(0.5)
        messages = [event["message"] for event in self.blemu.happened("warning")]
        self.assertEqual([text for text in messages if "lines were dropped here" not in text], [])

    def up(self, central, line, count):
        data = random_bytes(count, seed=count)
        writer = threading.Thread(target=send_fast, args=(central, self.ffe1, data), daemon=True)
        writer.start()
        received = line.read(count // 2)
        time.sleep(3)
        received += line.read(count - len(received))
        writer.join()
        self.assertSame(received, data)

    def down(self, central, line, count):
        data = random_bytes(count, seed=count + 1)
        writer = line.write_meanwhile(data)
        received = central.stream(count // 2)
        central.stop_reading()
        time.sleep(3)
        central.go_on_reading()
        received += central.stream(count - len(received))
        writer.join()
        self.assertSame(received, data)

    def test_a_megabyte_through_a_pseudo_terminal(self):
        self.start(DEFINITIONS / "fast-wire.yaml", "--pty", LINK)
        line = self.terminal()
        line.timeout = 120
        self.carry(line, 1_000_000)

    def test_through_a_program(self):
        line = self.program()
        self.start("hm-10-cable", "--exec", "sh", "-c", RELAY, "--")
        self.carry(line, 200_000)

    def test_through_tcp(self):
        self.start("hm-10-cable", "--tcp", PORT)
        self.carry(self.peer(), 200_000)


class ComingAndGoing(Wire):
    def test_a_program_that_is_killed_is_started_again(self):
        line = self.program()
        self.start("hm-10-cable", "--exec", "sh", "-c", RELAY, "--")
        central = self.central()
        central.exchange_mtu(517)
        process = self.wire_event("started")["process"]
        data = b"".join(b"%07d\n" % number for number in range(10_000))
        writer = threading.Thread(target=send_fast, args=(central, self.ffe1, data), daemon=True)
        writer.start()
        received = line.read(20_000)
        os.kill(process, signal.SIGKILL)
        ended = self.wire_event("ended", signal=9)
        self.assertEqual(ended["restart-milliseconds"], 100)
        self.wire_event("started")
        writer.join()
        send(central, self.ffe1, END)
        while not received.endswith(END):
            received += line.read(1)
        data += END
        # It has taken along what it had read and not passed on, and nothing else.
        same = len(os.path.commonprefix([received, data]))
        rest = received[same:]
        self.assertGreaterEqual(same, 20_000)
        self.assertTrue(data.endswith(rest))
        self.assertLess(len(data) - len(received), 1 << 17)
        line.write(b"alive")
        self.assertEqual(central.stream(5), b"alive")

    def test_what_a_program_says_is_logged_and_it_ends_with_the_run(self):
        self.start("hm-10-cable", "--exec", "sh", "-c", "echo ready >&2; exec cat", "--")
        self.assertEqual(self.wire_event("said")["message"], "ready")
        central = self.central()
        central.write_command(self.ffe1, b"echo")
        self.assertEqual(central.notification(), b"echo")
        process = self.blemu.happened("wire")[0]["process"]
        self.assertEqual(self.blemu.stop(), 0)
        self.assertEqual([event["event"] for event in self.blemu.events[-2:]], ["wire", "off-air"])
        self.assertEqual(self.blemu.events[-2]["signal"], signal.SIGTERM)
        self.assertFalse(os.path.exists(f"/proc/{process}"))

    def test_a_tcp_peer_goes_and_comes_back(self):
        self.start("hm-10-cable", "--tcp", PORT)
        central = self.central()
        data = random_bytes(40_000, seed=11)
        with socket.create_connection(("127.0.0.1", PORT)) as first:
            first.sendall(data[:17_000])
            self.wire_event("opened")
        with socket.create_connection(("127.0.0.1", PORT)) as second:
            second.sendall(data[17_000:])
            self.wire_event("closed")
            self.assertSame(central.stream(len(data)), data)
        self.wire_event("closed")
        send(central, self.ffe1, data[:5000])
        self.assertSame(self.peer().read(5000), data[:5000])

    def test_a_second_tcp_peer_is_sent_away(self):
        self.start("hm-10-cable", "--tcp", f"127.0.0.1:{PORT}")
        line = self.peer()
        self.wire_event("opened")
        with socket.create_connection(("127.0.0.1", PORT), timeout=20) as second:
            self.assertEqual(second.recv(1), b"")
        self.wire_event("refused")
        central = self.central()
        line.write(b"still here")
        self.assertEqual(central.stream(10), b"still here")

    def test_a_terminal_is_closed_and_opened_again_in_mid_stream(self):
        self.start("hm-10-cable", "--pty", LINK)
        central = self.central()
        data = random_bytes(30_000, seed=12)
        for part in (data[:10_000], data[10_000:20_000], data[20_000:]):
            with SerialLine.terminal(LINK) as line:
                line.write(part)
        self.assertSame(central.stream(len(data)), data)

    def test_a_serial_port_is_unplugged_and_plugged_in_again(self):
        cable, port = self.plug_in()
        self.start("hm-10-cable", "--serial", f"{LINK}:57600")
        self.assertEqual(self.blemu.happened("on-air")[0]["wire"], f"{LINK}, 57600 baud")
        central = self.central()
        for byte in range(3):
            os.write(cable, b"in %d" % byte)
            self.assertEqual(central.stream(4), b"in %d" % byte)
            central.write_command(self.ffe1, b"out %d" % byte)
            self.assertEqual(self.read(cable, 5), b"out %d" % byte)
            self.assertEqual(self.speed(cable), 57600)
            os.unlink(LINK)
            os.close(cable)
            self.wire_event("closed", peer=LINK)
            cable, port = self.plug_in()
            self.wire_event("opened", peer=LINK)

    def test_a_serial_port_has_the_speed_of_the_device(self):
        cable, _ = self.plug_in()
        self.start("hm-10", "--serial", LINK)
        self.assertEqual(self.speed(cable), 9600)
        for command, answer in ((b"AT+BAUD4", b"OK+Set:4"), (b"AT+RESET", b"OK+RESET")):
            self.assertEqual(self.speed(cable), 9600)
            os.write(cable, command)
            self.assertEqual(self.read(cable, len(answer)), answer)
        self.blemu.await_event("log", message="the serial side has 115200 baud")
        self.assertEqual(self.speed(cable), 115200)

    def plug_in(self):
        cable, port = os.openpty()
        tty.setraw(port)
        os.symlink(os.ttyname(port), LINK)
        os.close(port)
        self.addCleanup(lambda: os.path.lexists(LINK) and os.unlink(LINK))
        return cable, port

    def speed(self, descriptor):
        """As a number: the last word of struct termios2, by TCGETS2 (ioctl_tty(2))."""
        return struct.unpack("11I", fcntl.ioctl(descriptor, 0x802C542A, bytes(44)))[-1]

    def read(self, descriptor, count):
        data = b""
        while len(data) < count:
            self.assertTrue(select.select([descriptor], [], [], 20)[0], data)
            data += os.read(descriptor, count - len(data))
        return data


class BackPressure(Wire):
    def test_a_central_that_asks_for_answers_waits_for_a_reader_that_rests(self):
        self.start(DEFINITIONS / "careful-wire.yaml", "--pty", LINK)
        line, data, written = self.terminal(), random_bytes(140_000, seed=31), []
        central = self.central()
        central.exchange_mtu(517)

        def write():
            for at in range(0, len(data), 500):
                central.write(self.ffe1, data[at:at + 500])
                written.append(500)

        writer = threading.Thread(target=write, daemon=True)
        writer.start()
        before, start = -1, time.monotonic()
        while sum(written) != before:  # nothing more is answered
            before = sum(written)
            time.sleep(1.5)
        print(f"  {before} bytes were answered in {time.monotonic() - start:.1f} s, while nobody read")
        self.assertGreaterEqual(before, 65_536)
        self.assertLess(before, 110_000)
        start = time.monotonic()
        self.assertSame(line.read(len(data)), data)
        writer.join(20)
        print(f"  and the rest in {time.monotonic() - start:.1f} s")
        self.assertEqual(sum(written), len(data))
        self.assertEqual(self.blemu.happened("warning"), [])


class PySerial(Wire):
    def test_opens_it_at_every_speed(self):
        self.start("hm-10-cable", "--pty", LINK)
        central = self.central()
        for baud in (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200):
            with self.subTest(baud=baud):
                with serial.Serial(LINK, baud, timeout=20) as port:
                    self.wire_event("opened")
                    port.write(b"to the air\r\n")
                    self.assertEqual(central.stream(12), b"to the air\r\n")
                    central.write_command(self.ffe1, b"from the air\r\n")
                    self.assertEqual(port.readline(), b"from the air\r\n")
                self.assertEqual(self.wire_event("baud-rate")["baud"], baud)
                self.wire_event("closed")


class Pace(Wire):
    """9600 baud are 960 bytes a second: never more than 2 % faster; slower only as the machine is."""

    def setUp(self):
        self.start(DEFINITIONS / "slow-wire.yaml", "--pty", LINK)

    def assertPace(self, count, seconds, what):
        print(f"  {count} bytes {what} in {seconds:.2f} s: {count / seconds:.0f} a second")
        self.assertGreater(seconds, count / 960 * 0.98)
        self.assertLess(seconds, count / 960 * 2)

    def test_towards_the_air(self):
        central, line = self.central(), self.terminal()
        data = random_bytes(4800, seed=21)
        start = time.monotonic()
        line.write_meanwhile(data)
        values = [central.notification() for _ in range(240)]
        self.assertPace(4800, time.monotonic() - start, "to the air")
        self.assertEqual({len(value) for value in values}, {20})
        self.assertSame(b"".join(values), data)
        line.write(b"Foobar\r\n")
        self.assertEqual(central.notification(), b"Foobar\r\n")

    def test_from_the_air(self):
        central, line = self.central(), self.terminal()
        data = random_bytes(2880, seed=22)
        start = time.monotonic()
        writer = threading.Thread(target=send, args=(central, self.ffe1, data), daemon=True)
        writer.start()
        self.assertSame(line.read(len(data)), data)
        self.assertPace(len(data), time.monotonic() - start, "from the air")
        writer.join()

    def test_a_central_that_leaves_in_mid_burst_leaves_nothing_for_the_next(self):
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
        line.write_meanwhile(data)
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
