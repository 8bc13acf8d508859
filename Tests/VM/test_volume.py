"""A megabyte through each kind of serial side, both ways at once, by a central and past readers that rest."""
import threading
import time
import unittest

import hci
from patience import PATIENCE
from test_hm10 import random_bytes
from wire import DEFINITIONS, LINK, PORT, RELAY, Wire, send_fast

FAST = DEFINITIONS / "fast-wire.yaml"
REST = 3
HELD = 3  # seconds that an answer is held at most, see README


class Volume(Wire):
    """In the middle of it the reader at the serial side rests for 3 s, and so does the link.

    That is what a phone that stops listening is to a device: its controller takes nothing more off the air, and
    packets wait on this side, in the kernel and then in bluetoothd. A central on Linux cannot do so by not reading:
    see RECEIVE_BUFFER in att.py.
    """

    def carry(self, line, count):
        before, start = self.resident(), time.monotonic()
        central, up, down = self.central(mtu=517), random_bytes(count, seed=51), random_bytes(count, seed=52)
        rising = self.meanwhile(send_fast, central, self.ffe1, up)
        arriving = self.meanwhile(self.read_with_a_rest, line, count)
        falling = self.meanwhile(line.write, down)
        received = central.stream(count // 2)
        received += self.stand_still(central, falling)
        received += central.stream(count - len(received))
        self.assertSame(received, down)
        self.assertSame(arriving.result(), up)
        rising.result()
        print(f"  {count} bytes each way in {time.monotonic() - start:.1f} s; VmRSS {before} -> {self.resident()} KiB")
        self.assertNothingDropped()
        deadline = time.monotonic() + PATIENCE
        while self.resident() - before > 6144:  # what was needed for a moment is given back
            self.assertLess(time.monotonic(), deadline, f"VmRSS is still {self.resident()} KiB")
            time.sleep(0.5)

    def read_with_a_rest(self, line, count):
        first = line.read(count // 2)
        time.sleep(REST)
        return first + line.read(count - len(first))

    def stand_still(self, central, falling):
        """What was already there when the link stood still. BlueZ takes everything meanwhile, as README says: whoever
        puts it in is done before the link goes on."""
        with hci.standstill():
            time.sleep(1)
            arrived = central.waiting()
            time.sleep(REST - 1)
            falling.result(timeout=PATIENCE)
            self.assertEqual(central.waiting(), b"")
        return arrived

    def assertNothingDropped(self):
        messages = [event["message"] for event in self.blemu.happened("warning")]
        # The log's own lines are: this reader of it is slow.
        self.assertEqual([text for text in messages if "lines were dropped here" not in text], [])

    def test_a_megabyte_through_a_program(self):
        line = self.program()
        self.start(FAST, "--exec", "sh", "-c", RELAY, "--")
        self.carry(line, 1_000_000)

    # The air is the same for all of them; 400,000 bytes are a hundred times what a terminal keeps.
    def test_much_through_a_pseudo_terminal(self):
        self.start(FAST, "--pty", LINK)
        self.carry(self.terminal(), 400_000)

    def test_much_through_tcp(self):
        self.start(FAST, "--tcp", PORT)
        self.carry(self.peer(), 400_000)


class BackPressure(Wire):
    def test_a_central_that_asks_for_answers_waits_for_a_reader_that_rests(self):
        self.start(DEFINITIONS / "careful-wire.yaml", "--pty", LINK)
        line, data, written, held = self.terminal(), random_bytes(140_000, seed=31), [], threading.Event()
        central = self.central(mtu=517)

        def write():
            for at in range(0, len(data), 500):
                asked = time.monotonic()
                central.write(self.ffe1, data[at:at + 500])
                if time.monotonic() - asked > HELD - 0.5:
                    held.set()
                written.append(500)

        start, writing = time.monotonic(), self.meanwhile(write)
        self.assertTrue(held.wait(PATIENCE), "every answer came at once")
        before = sum(written)
        print(f"  {before} bytes were answered in {time.monotonic() - start:.1f} s, while nobody read")
        self.assertGreaterEqual(before, 65_536)
        self.assertLess(before, 110_000)
        start = time.monotonic()
        self.assertSame(line.read(len(data)), data)
        writing.result(timeout=PATIENCE)
        print(f"  and the rest in {time.monotonic() - start:.1f} s")
        self.assertEqual(self.blemu.happened("warning"), [])

    def test_a_central_that_confirms_late_is_told_everything(self):
        self.start(DEFINITIONS / "indicating-wire.yaml", "--pty", LINK)
        line, data = self.terminal(), random_bytes(20_000, seed=32)
        central = self.central(mtu=517, indications=True)
        central.confirms = False
        line.write(data)
        received = central.notification()
        # The next value is sent when this one is confirmed (Core Specification Vol 3, Part F, 3.3.2).
        central.no_notification(REST)
        central.confirms = True
        central.confirm()
        received += central.stream(len(data) - len(received))
        self.assertSame(received, data)
        self.assertEqual(self.blemu.happened("warning"), [])


if __name__ == "__main__":
    unittest.main()
