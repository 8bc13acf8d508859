"""Runs the conformance checks on BlueZ. PeripheralTests runs them on the loopback."""
import subprocess

from blemu import REPOSITORY
from patience import SILENCE


def test_bluez_conforms():
    program = REPOSITORY / ".build/release/transport-conformance"
    done = subprocess.run([program, "hci0", "hci1", "hci2"], capture_output=True, text=True, timeout=SILENCE)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
