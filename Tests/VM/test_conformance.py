"""What every transport must do, asked of BlueZ. PeripheralTests asks the loopback the same."""
import subprocess

from blemu import REPOSITORY
from patience import SILENCE


def test_bluez_does_what_every_transport_must():
    program = REPOSITORY / ".build/release/transport-conformance"
    done = subprocess.run([program, "hci0", "hci1"], capture_output=True, text=True, timeout=SILENCE)
    print(done.stdout)
    assert done.returncode == 0, done.stdout + done.stderr
