"""Runs the conformance checks on the transports that need an adapter. PeripheralTests runs them on the loopback."""
import subprocess

import pytest

from device import REPOSITORY
from patience import SILENCE


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_the_transport_conforms(transport):
    program = REPOSITORY / ".build/release/transport-conformance"
    done = subprocess.run([program, transport, "hci0", "hci1", "hci2"], capture_output=True, text=True, timeout=SILENCE)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
