"""What shows a user how to test a client: the example with bleak in tools/python, and the client of tools/examples with its planted bugs."""
import re
import subprocess
import sys

import bluez
from device import PROGRAM, REPOSITORY
from patience import SILENCE

EXAMPLES = REPOSITORY / "tools/examples"
BUGS = ["lost_notification", "reconnect", "slow_device", "torn_frame", "wrong_checksum"]


def run(*command):
    """Runs a program in this Python, and returns the lines that it prints."""
    try:
        done = subprocess.run([sys.executable, *command], cwd=EXAMPLES, capture_output=True, text=True, timeout=SILENCE)
    finally:
        bluez.disconnect("hci1")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


@bluez.with_bleak_022
def test_the_client_of_the_python_package(tmp_path):
    page = (REPOSITORY / "tools/python/README.md").read_text()
    example, = re.findall(r"```python\n(import asyncio\n\nimport pytest\n.*?)```", page, re.DOTALL)
    test = tmp_path / "test_client.py"
    test.write_text(example)
    pytest_options = ["-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "--blemu-on", "bluez:hci0", "--blemu-program", PROGRAM]
    # From an earlier device at this address, hci1 may know other attributes. bluetoothd replaces them while bleak reads them.
    bluez.forget_devices()
    assert "1 passed" in run("-m", "pytest", *pytest_options, test)[-1]


@bluez.with_bleak_022
class TestTheClientOfTheExample:
    """In a class of its own: machines share the tests class by class."""

    def test_passes_its_tests(self):
        assert run("run", "--client")[-1] == "10 passed, 0 failed"


@bluez.with_bleak_022
class TestTheBugsOfTheExample:
    def test_are_found(self):
        assert run("run", "--found", *BUGS)[-1] == "5 passed, 0 failed"

    def test_are_these(self):
        assert BUGS == sorted(path.stem for path in EXAMPLES.glob("planted/[!_]*.py"))
