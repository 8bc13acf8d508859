"""Sketches behind the HM-10: central, BlueZ, blemu, pseudo-terminal, and firmware on a simulated Arduino Uno.

The examples should be compiled before (tools/arduino --compile): here, that takes long. So does all that the
firmware does, whose milliseconds are simulated on a machine that is emulated itself.
"""
import re
import subprocess
import threading
import unittest

from att import Central
from blemu import REPOSITORY, Blemu
from patience import PATIENCE

LINK = "/tmp/hm10"


class Sketch:
    """`tools/arduino EXAMPLE` at the module's serial side. A context manager."""

    def __init__(self, example):
        command = ["tools/arduino", f"tools/arduino.d/examples/{example}", "--uart", LINK, "--pins"]
        self.lines, self._seen, self._news = [], 0, threading.Condition()
        self.process = subprocess.Popen(command, cwd=REPOSITORY, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(PATIENCE)
        self._reader.join()
        self.process.stderr.close()

    def await_line(self, text):
        """Returns when it says a line that ends so; earlier lines are passed over."""
        def look():
            while self._seen < len(self.lines):
                self._seen += 1
                if self.lines[self._seen - 1].endswith(text):
                    return True
            return False

        with self._news:
            if not self._news.wait_for(look, PATIENCE):
                raise TimeoutError(f"no line '{text}' of {self.lines}")

    def _read(self):
        for line in self.process.stderr:
            with self._news:
                self.lines.append(line.rstrip("\n"))
                self._news.notify_all()


class BehindTheModule(unittest.TestCase):
    def setUp(self):
        self.blemu = self.enterContext(Blemu("hm-10", "--on", "bluez:hci0", "--pty", LINK))
        self.central = self.enterContext(Central())
        self.ffe1 = self.central.characteristic("FFE1")
        self.central.subscribe(self.ffe1)

    def receive(self, pattern):
        """The bytes that have come when all of them match, as they must; one notification may be a part of them."""
        data = b""
        while not re.fullmatch(pattern, data):
            try:
                data += self.central.notification(PATIENCE)
            except TimeoutError:
                self.fail(f"no {pattern}, but {data}")
        return data

    def test_hello_until_a_byte_comes_then_goodbye(self):
        with Sketch("hello-goodbye"):
            self.receive(rb"(Hello world\r\n){2}")
            self.central.write_command(self.ffe1, b"\x01")
            self.receive(rb"(Hello world\r\n)*Goodbye world\r\n")
            self.central.write_command(self.ffe1, b"anybody?")
            self.central.no_notification(2)

    def test_pairs_of_bytes_switch_pins(self):
        with Sketch("paduino") as sketch:
            self.receive(rb"Arduino reset\r\n")
            # It reads nothing in its first second; what comes waits.
            self.central.write_command(self.ffe1, bytes([2, 1, 13]))
            self.receive(rb"Set: 2 to: 1\r\n")
            for line in ("pin 13 is HIGH", "pin 13 is LOW", "pin 2 is HIGH"):
                sketch.await_line(line)
            self.central.write_command(self.ffe1, bytes([255]))
            self.receive(rb"Set: 13 to: 255\r\n")
            sketch.await_line("pin 13 is HIGH")
            self.central.write_command(self.ffe1, bytes([13, 0, 2, 0]))
            self.receive(rb"Set: 13 to: 0\r\nSet: 2 to: 0\r\n")
            sketch.await_line("pin 13 is LOW")
            sketch.await_line("pin 2 is LOW")

    def test_it_ends_with_the_module(self):
        with Sketch("hello-goodbye") as sketch:
            self.receive(rb"Hello world\r\n")
            self.central.close()
            self.blemu.stop()
            self.assertEqual(sketch.process.wait(PATIENCE), 0)
            sketch.await_line(f"the other side of {LINK} is gone")


if __name__ == "__main__":
    unittest.main()
