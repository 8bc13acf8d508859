"""'blemu check' knows the version of BlueZ that it runs on."""
import subprocess

import bluez
from device import PROGRAM

TIMED = b"blemu: 1\nname: Timed\nadvertisement: { local-name: Timed, interval: { min: 100ms, max: 100ms }, tx-power: 4 }\n"


def test_notes_what_this_version_ignores():
    done = subprocess.run([PROGRAM, "check", "-"], input=TIMED, capture_output=True, check=True)
    notes = [line.partition("note: ")[2] for line in done.stderr.decode().splitlines() if "note: " in line]
    version = "BlueZ " + ".".join(map(str, bluez.VERSION))
    assert notes == ([] if bluez.VERSION >= (5, 77) else [
        f"{version} ignores this, and advertises every 1280 ms unless main.conf sets another interval",
        f"{version} sends the controller's own value"])
