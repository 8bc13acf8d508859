"""Sketches that tests write, and the far side of their serial line."""
import contextlib
import os
import pathlib
import pty
import re
import select
import subprocess
import tempfile
import threading
import time
import tty
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
TOOL = REPOSITORY / "tools/arduino"
PATIENCE = 60  # seconds
ECHO = """
    void setup() { Serial.begin(115200); }
    void loop() { while (Serial.available()) Serial.write(Serial.read()); }
"""


def arduino(*arguments, **options):
    return subprocess.run([TOOL, *arguments], capture_output=True, text=True, timeout=PATIENCE, **options)


class FarSide:
    """A pseudo-terminal: `path` for the sketch, the other end for the test."""

    def __init__(self, path):
        self.end, self._terminal = pty.openpty()
        tty.setraw(self._terminal)
        os.set_blocking(self.end, False)
        self.path = path
        os.symlink(os.ttyname(self._terminal), path)

    def close(self):
        """Removes the module."""
        for descriptor in (self.end, self._terminal):
            os.close(descriptor)

    def write_meanwhile(self, data):
        def write():
            rest = data
            while rest:
                select.select([], [self.end], [])
                rest = rest[os.write(self.end, rest[:1000]):]
        threading.Thread(target=write, daemon=True).start()

    def read(self, length):
        data, deadline = b"", time.monotonic() + PATIENCE
        while len(data) < length:
            if not select.select([self.end], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError(f"only {len(data)} of {length} bytes came: {data[-40:]}")
            data += os.read(self.end, length - len(data))
        return data


class SketchTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def write(self, **files):
        """Files: robot__parts_ino is robot/parts.ino."""
        for name, text in files.items():
            path = self.folder / re.sub(r"_([a-z]+)$", r".\1", name.replace("__", "/"))
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def output(self, sketch, ends, *options):
        """The bytes that the UART sends, up to `ends`."""
        with subprocess.Popen([TOOL, sketch, *options], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE) as process:
            data = b""
            while not data.endswith(ends) and (byte := process.stdout.read(1)):
                data += byte
            process.terminate()
            errors = process.stderr.read().decode()
        self.assertTrue(data.endswith(ends), f"{data} {errors}")
        return data

    @contextlib.contextmanager
    def at_a_line(self, sketch, *options):
        far = FarSide(self.folder / "line")
        process = subprocess.Popen([TOOL, sketch, "--uart", far.path, *options], stderr=subprocess.PIPE, text=True)
        try:
            yield far, process
        finally:
            process.terminate()
            if not process.stderr.closed:
                process.communicate()

    def assertRefused(self, status, *lines, arguments):
        """tools/arduino exits with this status, and prints these lines among others."""
        result = arduino(*arguments)
        self.assertEqual(result.returncode, status, result.stderr)
        for line in lines:
            self.assertIn(line, result.stderr)
