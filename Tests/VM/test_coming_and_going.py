"""What stands at the serial side goes in the middle of a stream, and comes back: which bytes pass, which are lost, to the byte."""
import fcntl
import os
import pathlib
import signal
import socket
import struct
import tty
import unittest

from patience import PATIENCE
from serial_line import SerialLine
from test_hm10 import random_bytes, send
from wire import DEFINITIONS, FROM_WIRE, LINK, PORT, Wire, send_fast

FAST = DEFINITIONS / "fast-wire.yaml"
DATA, BEEN_HERE = "/tmp/data", "/tmp/been-here"
# Passes on 20,000 bytes, takes 5,000 along, and is killed; what starts then passes on everything.
TAKES_ALONG = f"""
[ -e {BEEN_HERE} ] && exec cat >{FROM_WIRE}
touch {BEEN_HERE}; head -c 20000 >{FROM_WIRE}; head -c 5000 >/dev/null; kill -KILL $$"""
# Says the first 17,000 bytes and is killed; what starts then says the others.
SAYS_IN_PARTS = f"""
[ -e {BEEN_HERE} ] && {{ tail -c +17001 {DATA}; exec cat >/dev/null; }}
touch {BEEN_HERE}; head -c 17000 {DATA}; kill -KILL $$"""


class Programs(Wire):
    def setUp(self):
        pathlib.Path(BEEN_HERE).unlink(missing_ok=True)

    def await_killing(self):
        self.assertEqual(self.wire_event("ended", signal=signal.SIGKILL)["restart-milliseconds"], 100)
        self.wire_event("started")

    def test_one_that_is_killed_takes_along_what_it_has_read_and_nothing_else(self):
        line = self.program()
        self.start(FAST, "--exec", "sh", "-c", TAKES_ALONG, "--")
        central, data = self.central(mtu=517), random_bytes(100_000, seed=41)
        writing = self.meanwhile(send_fast, central, self.ffe1, data)
        received = line.read(len(data) - 5000)
        self.await_killing()
        self.assertSame(received, data[:20_000] + data[25_000:])
        writing.result()
        self.assertEqual(line.rest(), b"")

    def test_all_is_told_that_one_has_said_before_it_was_killed(self):
        data = random_bytes(40_000, seed=42)
        pathlib.Path(DATA).write_bytes(data)
        self.start(FAST, "--exec", "sh", "-c", SAYS_IN_PARTS, "--")
        self.assertSame(self.central().stream(len(data)), data)
        self.await_killing()

    def test_what_one_says_is_logged_and_it_ends_with_the_run(self):
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


class Peers(Wire):
    def test_one_that_goes_takes_along_what_the_connection_holds_and_nothing_else(self):
        self.start(FAST, "--tcp", PORT)
        central, data = self.central(mtu=517), random_bytes(200_000, seed=43)
        first = self.peer(receive_buffer=8192)
        writing = self.meanwhile(send_fast, central, self.ffe1, data)
        received = first.read(50_000)
        with self.stopped():
            received += first.rest()
            first.close()
        self.wire_event("closed")
        self.assertTrue(data.startswith(received))
        second = self.peer(receive_buffer=8192)
        received += second.read(20_000)
        writing.result()
        second.close()  # with what it has not read
        self.wire_event("closed")
        rest = self.peer().rest()
        lost = len(data) - len(received) - len(rest)
        print(f"  {lost} bytes were in the connection")
        self.assertSame(received + data[len(received):][:lost] + rest, data)

    def test_all_is_told_that_one_has_said_before_it_went(self):
        self.start("hm-10-cable", "--tcp", PORT)
        central, data = self.central(), random_bytes(40_000, seed=44)
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

    def test_a_second_one_is_sent_away(self):
        self.start("hm-10-cable", "--tcp", f"127.0.0.1:{PORT}")
        line = self.peer()
        self.wire_event("opened")
        with socket.create_connection(("127.0.0.1", PORT), timeout=PATIENCE) as second:
            self.assertEqual(second.recv(1), b"")
        self.wire_event("refused")
        central = self.central()
        line.write(b"still here")
        self.assertEqual(central.stream(10), b"still here")


class Terminals(Wire):
    def test_one_that_is_closed_and_opened_again_loses_nothing_from_the_air(self):
        self.start(FAST, "--pty", LINK)
        central, data = self.central(mtu=517), random_bytes(90_000, seed=45)
        writing = self.meanwhile(send_fast, central, self.ffe1, data)
        received = b""
        for _ in range(3):
            with SerialLine.terminal(LINK) as line:
                received += line.read(30_000)
        self.assertSame(received, data)
        writing.result()

    def test_one_that_is_closed_and_opened_again_loses_nothing_to_the_air(self):
        self.start("hm-10-cable", "--pty", LINK)
        central, data = self.central(), random_bytes(30_000, seed=46)
        for part in (data[:10_000], data[10_000:20_000], data[20_000:]):
            with SerialLine.terminal(LINK) as line:
                line.write(part)
        self.assertSame(central.stream(len(data)), data)


class SerialPorts(Wire):
    """A pseudo-terminal in place of the port: where our end of it, the cable, is closed, the port has gone."""

    def plug_in(self):
        cable, port = os.openpty()
        tty.setraw(port)
        os.symlink(os.ttyname(port), LINK)
        os.close(port)
        self.addCleanup(lambda: os.path.lexists(LINK) and os.unlink(LINK))
        self.cable = cable
        return self.enterContext(SerialLine(cable, cable))

    def unplug(self, line):
        os.unlink(LINK)
        line.close()

    def speed(self):
        """As a number: the last word of struct termios2, by TCGETS2 (ioctl_tty(2))."""
        return struct.unpack("11I", fcntl.ioctl(self.cable, 0x802C542A, bytes(44)))[-1]

    def plug_in_again(self):
        line = self.plug_in()
        self.wire_event("opened", peer=LINK)
        return line

    def test_one_that_is_unplugged_is_used_again_when_it_is_back(self):
        line = self.plug_in()
        self.start("hm-10-cable", "--serial", f"{LINK}:57600")
        self.assertEqual(self.blemu.happened("on-air")[0]["wire"], f"{LINK}, 57600 baud")
        central = self.central()
        for number in range(3):
            line.write(b"in %d" % number)
            self.assertEqual(central.stream(4), b"in %d" % number)
            central.write_command(self.ffe1, b"out %d" % number)
            self.assertEqual(line.read(5), b"out %d" % number)
            self.assertEqual(self.speed(), 57600)
            self.unplug(line)
            self.wire_event("closed", peer=LINK)
            line = self.plug_in_again()

    def test_one_has_the_speed_of_the_device(self):
        line = self.plug_in()
        self.start("hm-10", "--serial", LINK)
        self.assertEqual(self.speed(), 9600)
        for command, answer in ((b"AT+BAUD4", b"OK+Set:4"), (b"AT+RESET", b"OK+RESET")):
            self.assertEqual(self.speed(), 9600)
            line.write(command)
            self.assertEqual(line.read(len(answer)), answer)
        self.blemu.await_event("log", message="the serial side has 115200 baud")
        self.assertEqual(self.speed(), 115200)

    def test_one_that_is_unplugged_takes_along_what_it_had_taken_and_nothing_else(self):
        line = self.plug_in()
        self.start(FAST, "--serial", f"{LINK}:4000000")
        central, data = self.central(mtu=517), random_bytes(100_000, seed=47)
        writing = self.meanwhile(send_fast, central, self.ffe1, data)
        received = line.read(20_000)
        with self.stopped():
            received += line.rest()
            self.unplug(line)
        self.wire_event("closed", peer=LINK)
        line = self.plug_in_again()
        received += line.read(20_000)
        self.assertSame(received, data[:len(received)])
        writing.result()
        self.unplug(line)  # with what it had taken
        self.wire_event("closed", peer=LINK)
        rest = self.plug_in_again().rest()
        lost = len(data) - len(received) - len(rest)
        print(f"  {lost} bytes were in the port")
        self.assertSame(received + data[len(received):][:lost] + rest, data)

    def test_of_what_came_before_one_is_unplugged_the_end_may_be_lost(self):
        line = self.plug_in()
        self.start(FAST, "--serial", f"{LINK}:4000000")
        central, data = self.central(mtu=517), random_bytes(30_000, seed=48)
        line.write(data[:20_000])
        self.unplug(line)
        self.wire_event("closed", peer=LINK)
        self.plug_in_again().write(data[20_000:])
        received = b""
        while not received.endswith(data[20_000:]):
            received += central.notification()
        self.assertSame(received, data[:len(received) - 10_000] + data[20_000:])
        print(f"  {len(data) - len(received)} bytes were lost in the port")


if __name__ == "__main__":
    unittest.main()
