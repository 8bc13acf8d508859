"""Much through each kind of attachment, in both directions at once, with readers that pause."""
import threading
import time

import pytest

import hci
from device import DEFINITIONS
from patience import PATIENCE, eventually
from wire import LINK, PORT, RELAY, random_bytes, same, send_fast

FAST = DEFINITIONS / "fast-wire.yaml"
REST = 3
HELD = 3  # seconds; the longest delay of an answer, see Peripherals/guide/the-wire-side.md


class TestVolume:
    """In the middle, the reader at the wire side and the link both pause for 3 s.

    A phone that stops listening behaves like this: its controller accepts nothing from the air, and packets wait on
    this side, in the kernel and then in bluetoothd. A central on Linux cannot do this by not reading: see
    RECEIVE_BUFFER in att.py.
    """

    def carry(self, wire, line, count):
        before, start = wire.resident(), time.monotonic()
        central, up, down = wire.central(mtu=517), random_bytes(count, seed=51), random_bytes(count, seed=52)
        rising = wire.meanwhile(send_fast, central, wire.ffe1, up)
        arriving = wire.meanwhile(self.read_with_a_rest, line, count)
        falling = wire.meanwhile(line.write, down)
        received = central.stream(count // 2)
        received += self.stand_still(central, falling)
        received += central.stream(count - len(received))
        assert same(received, down)
        assert same(arriving.result(), up)
        rising.result()
        print(f"  {count} bytes each way in {time.monotonic() - start:.1f} s; VmRSS {before} -> {wire.resident()} KiB")
        # Lines of the log may be dropped, because this process reads slowly.
        assert [text for text in wire.blemu.warnings() if "lines here, because nothing read its output" not in text] == []
        # Memory for the peak is released.
        eventually(lambda: wire.resident() - before <= 6144, lambda: f"VmRSS is still {wire.resident()} KiB")

    def read_with_a_rest(self, line, count):
        first = line.read(count // 2)
        time.sleep(REST)
        return first + line.read(count - len(first))

    def stand_still(self, central, falling):
        """Returns the bytes that had arrived before the link stood still. In the meantime BlueZ accepts everything, as
        Peripherals/guide/the-wire-side.md says: the writer is finished before the link continues."""
        with hci.standstill():
            arrived = central.rest(REST)
            falling.result(timeout=PATIENCE)
            assert central.waiting() == b""
        return arrived

    @pytest.fixture
    def much(self, request):
        """400,000 bytes: a hundred times the buffer of a terminal, and six times that of a pipe; with --all, a megabyte."""
        return 1_000_000 if request.config.option.all else 400_000

    def test_much_through_a_program(self, wire, much):
        line = wire.program()
        wire.start(FAST, "--exec", "sh", "-c", RELAY, "--")
        self.carry(wire, line, much)

    def test_much_through_a_pseudo_terminal(self, wire, much):
        wire.start(FAST, "--pty", LINK)
        self.carry(wire, wire.terminal(), much)

    def test_much_through_tcp(self, wire, much):
        wire.start(FAST, "--tcp", PORT)
        self.carry(wire, wire.peer(), much)


class TestBackPressure:
    def test_a_central_that_writes_by_request_waits_for_a_slow_reader(self, wire):
        wire.start(DEFINITIONS / "careful-wire.yaml", "--pty", LINK)
        line, data, written, held = wire.terminal(), random_bytes(140_000, seed=31), [], threading.Event()
        central = wire.central(mtu=517)

        def write():
            for at in range(0, len(data), 500):
                asked = time.monotonic()
                central.write(wire.ffe1, data[at:at + 500])
                if time.monotonic() - asked > HELD - 0.5:
                    held.set()
                written.append(500)

        start, writing = time.monotonic(), wire.meanwhile(write)
        assert held.wait(PATIENCE), "every answer arrived at once"
        before = sum(written)
        print(f"  {before} bytes were answered in {time.monotonic() - start:.1f} s without a reader")
        assert 65_536 <= before < 110_000
        start = time.monotonic()
        assert same(line.read(len(data)), data)
        writing.result(timeout=PATIENCE)
        print(f"  and the rest in {time.monotonic() - start:.1f} s")
        assert wire.blemu.warnings() == []

    def test_a_central_that_confirms_late_receives_everything(self, wire):
        wire.start(DEFINITIONS / "indicating-wire.yaml", "--pty", LINK)
        line, data = wire.terminal(), random_bytes(20_000, seed=32)
        central = wire.central(mtu=517, indications=True)
        central.confirms = False
        line.write(data)
        received = central.notification()
        # The next value is sent after the confirmation of this one (Core Specification Vol 3, Part F, 3.3.2).
        central.no_notification(REST)
        central.confirms = True
        central.confirm()
        received += central.stream(len(data) - len(received))
        assert same(received, data)
        assert wire.blemu.warnings() == []
