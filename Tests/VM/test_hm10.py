"""The HM-10 as a serial cable between the air and a pseudo-terminal."""
import os

import pytest

import hci
from att import Central
from device import Blemu
from serial_line import SerialLine
from wire import random_bytes, same, send

LINK = "/tmp/hm10"


def receive(central, length):
    values = central.values(length)
    assert max(map(len, values)) <= 20
    return b"".join(values)


class TestSerialCable:
    @pytest.fixture(scope="class")
    def blemu(self):
        with Blemu("hm-10", "--set", "baud=8", "--pty", LINK) as blemu:
            yield blemu

    @pytest.fixture(scope="class")
    def ffe1(self, blemu):
        with Central() as central:
            return central.characteristic("FFE1")

    @pytest.fixture
    def line(self, blemu):
        with SerialLine.terminal(LINK) as line:
            yield line
            line.waiting()

    @pytest.fixture
    def listener(self, ffe1, central):
        """A central that has subscribed."""
        central.subscribe(ffe1)
        return central

    @pytest.mark.parametrize("mtu, longest", [(517, 244), (0, 20)])
    def test_ten_thousand_bytes_from_the_air(self, ffe1, line, mtu, longest):
        with Central(mtu=mtu) as central:
            data = random_bytes(10_000, seed=mtu)
            if mtu:
                central.exchange_mtu(mtu)
            send(central, ffe1, data, longest)
            assert same(line.read(len(data)), data)
            assert line.waiting() == b""

    @pytest.mark.parametrize("mtu", [517, 0])
    def test_ten_thousand_bytes_to_the_air(self, ffe1, line, meanwhile, mtu):
        with Central(mtu=mtu) as central:
            data = random_bytes(10_000, seed=mtu + 1)
            central.subscribe(ffe1)
            writer = meanwhile(line.write, data)
            assert same(receive(central, len(data)), data)
            writer.result()

    def test_both_directions_at_once(self, ffe1, line, listener, meanwhile):
        up, down = random_bytes(4000, seed=2), random_bytes(4000, seed=3)
        writer = meanwhile(line.write, down)
        send(listener, ffe1, up)
        assert same(line.read(len(up)), up)
        assert same(receive(listener, len(down)), down)
        writer.result()

    def test_the_first_burst_of_a_link_arrives_completely(self, ffe1, line):
        for attempt in range(3):
            with Central() as central:
                for byte in range(5):
                    central.write_command(ffe1, bytes([0xE0 + byte]))
                assert line.read(5) == bytes.fromhex("E0 E1 E2 E3 E4")

    def test_a_line_longer_than_a_value_keeps_its_order(self, ffe1, line, listener):
        text = b"What is longer than 20 bytes is cut by both sides.\r\n"
        for at in range(0, len(text), 20):
            listener.write_command(ffe1, text[at:at + 20])
        assert line.read(len(text)) == text
        line.write(text)
        assert receive(listener, len(text)) == text

    def test_a_short_line_is_one_notification(self, line, listener):
        line.write(b"Foobar\r\n")
        assert listener.notification() == b"Foobar\r\n"

    def test_bytes_wait_for_a_subscription(self, blemu, ffe1, line):
        before, between = random_bytes(300, seed=4), random_bytes(300, seed=5)
        line.write(before)
        with Central() as central:
            central.read(ffe1)
            central.subscribe(ffe1)
            assert receive(central, len(before)) == before
            central.unsubscribe(ffe1)
            blemu.await_event("unsubscribed", attribute="FFE1")
            line.write(between)
        with Central() as central:
            central.subscribe(ffe1)
            assert receive(central, len(between)) == between

    def test_every_byte_passes_unchanged(self, ffe1, line, listener):
        # A terminal in line mode would swallow or change 03, 04, 0A, 0D, 11, 13, 7F and others.
        every = bytes(range(256))
        send(listener, ffe1, every)
        assert line.read(256) == every
        line.write(every)
        assert receive(listener, 256) == every


def test_reads_as_the_address_until_data_comes():
    with Blemu("hm-10") as blemu, Central() as central:
        ffe1 = central.characteristic("FFE1")
        assert central.read(ffe1) == bytes(reversed(hci.address("hci0")))
        assert blemu.await_event("read", attribute="FFE1")["value"] == hci.address_text("hci0").replace(":", " ")
        assert central.read(central.descriptor(ffe1, "2901")) == b"HMSoft"


def test_two_thousand_bytes_in_each_direction(meanwhile):
    up, down = random_bytes(2000, seed=6), random_bytes(2000, seed=7)
    with Blemu("hm-10", "--stdio") as blemu:
        with Central() as central, SerialLine.of(blemu.process) as line:
            ffe1 = central.characteristic("FFE1")
            central.subscribe(ffe1)
            writer = meanwhile(line.write, down)
            send(central, ffe1, up)
            assert line.read(len(up)) == up
            assert central.stream(len(down)) == down
            writer.result()
            assert line.waiting() == b""


def test_the_end_of_input_leaves_the_device_on_the_air():
    with Blemu("hm-10", "--stdio") as blemu:
        with Central() as central:
            ffe1 = central.characteristic("FFE1")
            blemu.process.stdin.write(b"last words")
            blemu.process.stdin.close()
            central.subscribe(ffe1)
            assert central.notification() == b"last words"
            assert "standard input has ended" in blemu.await_event("warning")["message"]
            central.write_command(ffe1, b"still here")
            assert b"".join(blemu.process.stdout.read(1) for _ in range(10)) == b"still here"


def test_the_link_exists_only_during_the_run():
    with Blemu("hm-10", "--pty", "/tmp/link") as blemu:
        terminal = os.readlink("/tmp/link")
        assert blemu.happened("on-air")[0]["wire"] == f"/tmp/link -> {terminal}, 9600 baud"
    assert not os.path.lexists("/tmp/link")


def test_the_link_of_a_killed_run_is_replaced():
    with Blemu("hm-10", "--pty", "/tmp/link") as blemu:
        blemu.kill()
    assert os.path.lexists("/tmp/link")
    with Blemu("hm-10", "--pty", "/tmp/link"):
        assert os.path.exists("/tmp/link")
