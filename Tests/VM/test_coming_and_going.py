"""Attachments of the wire side disappear during a stream and return. The tests count exactly which bytes pass."""
import fcntl
import os
import pathlib
import signal
import socket
import struct
import tty

import pytest

from patience import PATIENCE
from device import DEFINITIONS
from serial_line import SerialLine
from wire import FROM_WIRE, LINK, PORT, random_bytes, same, send, send_fast

FAST = DEFINITIONS / "fast-wire.yaml"
DATA, BEEN_HERE = "/tmp/data", "/tmp/been-here"
# Passes on 20,000 bytes, reads 5,000 more, and is killed. The next start passes on everything.
TAKES_ALONG = f"""
[ -e {BEEN_HERE} ] && exec cat >{FROM_WIRE}
touch {BEEN_HERE}; head -c 20000 >{FROM_WIRE}; head -c 5000 >/dev/null; kill -KILL $$"""
# Sends the first 17,000 bytes and is killed. The next start sends the others.
SAYS_IN_PARTS = f"""
[ -e {BEEN_HERE} ] && {{ tail -c +17001 {DATA}; exec cat >/dev/null; }}
touch {BEEN_HERE}; head -c 17000 {DATA}; kill -KILL $$"""


class TestPrograms:
    @pytest.fixture(autouse=True)
    def no_program_has_run(self):
        pathlib.Path(BEEN_HERE).unlink(missing_ok=True)

    def await_killing(self, wire):
        assert wire.event("ended", signal=signal.SIGKILL)["restart-milliseconds"] == 100
        wire.event("started")

    def test_a_killed_program_loses_only_what_it_has_read(self, wire):
        line = wire.program()
        wire.start(FAST, "--exec", "sh", "-c", TAKES_ALONG, "--")
        central, data = wire.central(mtu=517), random_bytes(100_000, seed=41)
        writing = wire.meanwhile(send_fast, central, wire.ffe1, data)
        received = line.read(len(data) - 5000)
        self.await_killing(wire)
        assert same(received, data[:20_000] + data[25_000:])
        writing.result()
        assert line.rest() == b""

    def test_all_output_of_a_killed_program_arrives(self, wire):
        data = random_bytes(40_000, seed=42)
        pathlib.Path(DATA).write_bytes(data)
        wire.start(FAST, "--exec", "sh", "-c", SAYS_IN_PARTS, "--")
        assert same(wire.central().stream(len(data)), data)
        self.await_killing(wire)

    def test_standard_error_is_logged_and_the_program_ends_with_the_run(self, wire):
        wire.start("hm-10-cable", "--exec", "sh", "-c", "echo ready >&2; exec cat", "--")
        assert wire.event("said")["message"] == "ready"
        central = wire.central()
        central.write_command(wire.ffe1, b"echo")
        assert central.notification() == b"echo"
        process = wire.blemu.happened("wire")[0]["process"]
        assert wire.blemu.stop() == 0
        assert [event["event"] for event in wire.blemu.events[-2:]] == ["wire", "off-air"]
        assert wire.blemu.events[-2]["signal"] == signal.SIGTERM
        assert not os.path.exists(f"/proc/{process}")


class TestPeers:
    def test_a_closed_connection_loses_only_what_it_holds(self, wire):
        wire.start(FAST, "--tcp", PORT)
        central, data = wire.central(mtu=517), random_bytes(200_000, seed=43)
        first = wire.peer(receive_buffer=8192)
        writing = wire.meanwhile(send_fast, central, wire.ffe1, data)
        received = first.read(50_000)
        with wire.stopped():
            received += first.rest()
            first.close()
        wire.event("closed")
        assert data.startswith(received)
        second = wire.peer(receive_buffer=8192)
        received += second.read(20_000)
        writing.result()
        second.close()  # with unread bytes
        wire.event("closed")
        rest = wire.peer().rest()
        lost = len(data) - len(received) - len(rest)
        print(f"  {lost} bytes were in the connection")
        assert same(received + data[len(received):][:lost] + rest, data)

    def test_all_output_of_a_closed_peer_arrives(self, wire):
        wire.start("hm-10-cable", "--tcp", PORT)
        central, data = wire.central(), random_bytes(40_000, seed=44)
        with socket.create_connection(("127.0.0.1", PORT)) as first:
            first.sendall(data[:17_000])
            wire.event("opened")
        with socket.create_connection(("127.0.0.1", PORT)) as second:
            second.sendall(data[17_000:])
            wire.event("closed")
            assert same(central.stream(len(data)), data)
        wire.event("closed")
        send(central, wire.ffe1, data[:5000])
        assert same(wire.peer().read(5000), data[:5000])

    def test_a_second_peer_is_refused(self, wire):
        wire.start("hm-10-cable", "--tcp", f"127.0.0.1:{PORT}")
        line = wire.peer()
        wire.event("opened")
        with socket.create_connection(("127.0.0.1", PORT), timeout=PATIENCE) as second:
            assert second.recv(1) == b""
        wire.event("refused")
        central = wire.central()
        line.write(b"still here")
        assert central.stream(10) == b"still here"


class TestTerminals:
    def test_a_reopened_terminal_loses_nothing_from_the_air(self, wire):
        wire.start(FAST, "--pty", LINK)
        central, data = wire.central(mtu=517), random_bytes(90_000, seed=45)
        writing = wire.meanwhile(send_fast, central, wire.ffe1, data)
        received = b""
        for _ in range(3):
            with SerialLine.terminal(LINK) as line:
                received += line.read(30_000)
        assert same(received, data)
        writing.result()

    def test_a_reopened_terminal_loses_nothing_to_the_air(self, wire):
        wire.start("hm-10-cable", "--pty", LINK)
        central, data = wire.central(), random_bytes(30_000, seed=46)
        for part in (data[:10_000], data[10_000:20_000], data[20_000:]):
            with SerialLine.terminal(LINK) as line:
                line.write(part)
        assert same(central.stream(len(data)), data)


class TestSerialPorts:
    """A pseudo-terminal imitates the port. Closing our end, the cable, unplugs the port."""

    @pytest.fixture(autouse=True)
    def nothing_is_left_plugged_in(self):
        yield
        pathlib.Path(LINK).unlink(missing_ok=True)

    def plug_in(self, wire):
        self.cable, port = os.openpty()
        tty.setraw(port)
        os.symlink(os.ttyname(port), LINK)
        os.close(port)
        return wire.line(self.cable, self.cable)

    def unplug(self, wire, line):
        os.unlink(LINK)
        line.close()
        wire.event("closed", peer=LINK)

    def speed(self):
        """Returns the speed, the last word of struct termios2, by TCGETS2 (ioctl_tty(2))."""
        return struct.unpack("11I", fcntl.ioctl(self.cable, 0x802C542A, bytes(44)))[-1]

    def plug_in_again(self, wire):
        line = self.plug_in(wire)
        wire.event("opened", peer=LINK)
        return line

    def test_an_unplugged_port_is_used_again_when_it_returns(self, wire):
        line = self.plug_in(wire)
        wire.start("hm-10-cable", "--serial", f"{LINK}:57600")
        assert wire.blemu.happened("on-air")[0]["wire"] == f"{LINK}, 57600 baud"
        central = wire.central()
        for number in range(3):
            line.write(b"in %d" % number)
            assert central.stream(4) == b"in %d" % number
            central.write_command(wire.ffe1, b"out %d" % number)
            assert line.read(5) == b"out %d" % number
            assert self.speed() == 57600
            self.unplug(wire, line)
            line = self.plug_in_again(wire)

    def test_a_port_has_the_speed_of_the_device(self, wire):
        line = self.plug_in(wire)
        wire.start("hm-10", "--serial", LINK)
        assert self.speed() == 9600
        for command, answer in ((b"AT+BAUD4", b"OK+Set:4"), (b"AT+RESET", b"OK+RESET")):
            assert self.speed() == 9600
            line.write(command)
            assert line.read(len(answer)) == answer
        wire.blemu.await_event("log", message="the wire side has 115200 baud")
        assert self.speed() == 115200

    def test_an_unplugged_port_loses_only_what_it_had_taken(self, wire):
        line = self.plug_in(wire)
        wire.start(FAST, "--serial", f"{LINK}:4000000")
        central, data = wire.central(mtu=517), random_bytes(100_000, seed=47)
        writing = wire.meanwhile(send_fast, central, wire.ffe1, data)
        received = line.read(20_000)
        with wire.stopped():
            received += line.rest()
            os.unlink(LINK)
            line.close()
        wire.event("closed", peer=LINK)
        line = self.plug_in_again(wire)
        received += line.read(20_000)
        assert same(received, data[:len(received)])
        writing.result()
        self.unplug(wire, line)  # with the bytes that it had taken
        rest = self.plug_in_again(wire).rest()
        lost = len(data) - len(received) - len(rest)
        print(f"  {lost} bytes were in the port")
        assert same(received + data[len(received):][:lost] + rest, data)

    def test_the_last_bytes_before_unplugging_may_be_lost(self, wire):
        line = self.plug_in(wire)
        wire.start(FAST, "--serial", f"{LINK}:4000000")
        central, data = wire.central(mtu=517), random_bytes(30_000, seed=48)
        line.write(data[:20_000])
        self.unplug(wire, line)
        self.plug_in_again(wire).write(data[20_000:])
        received = b""
        while not received.endswith(data[20_000:]):
            received += central.notification()
        assert same(received, data[:len(received) - 10_000] + data[20_000:])
        print(f"  {len(data) - len(received)} bytes were lost in the port")
