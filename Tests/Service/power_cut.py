"""power_cut.py Before | After: runs in a machine that loses its power, and in the next one with its disk; see Tests/Service/run."""
import pathlib
import time
import unittest

import test_service
from test_service import SETTINGS, UNIT, central, run, shown, systemctl, until

STAND = "blemu-stand@desk.service"
FOUND = pathlib.Path("/var/lib/found")
setUpModule = test_service.setUpModule


def adapter_name():
    return run("busctl", "get-property", "org.bluez", "/org/bluez/hci0", "org.bluez.Adapter1", "Alias").stdout


class Before(unittest.TestCase):
    def test_loses_its_power(self):
        FOUND.write_text(adapter_name())
        SETTINGS.mkdir(exist_ok=True)
        (SETTINGS / "desk.yaml").write_text("stand: Desk\ndevices: { belt: { definition: heart-rate-belt, on: bluez:hci2 } }\n")
        systemctl("enable", "--now", UNIT, STAND)
        central("HMSoft", "Hello")
        run("sync")
        # What the device has confirmed is on the disk.
        run("blemu", "set", "/run/blemu/hm-10.sock", "local-name=Robot")
        pathlib.Path("/proc/sysrq-trigger").write_text("b")
        time.sleep(60)


class After(unittest.TestCase):
    def test_the_devices_are_on_the_air_as_they_were(self):
        for unit, status in (UNIT, "on the air as Robot on hci0"), (STAND, "on hci2"):
            until(lambda: shown(unit, "ActiveState") == "active")
            self.assertIn(status, shown(unit, "StatusText"))
            self.assertEqual(shown(unit, "NRestarts"), "0")
        central("Robot", "Hello")
        systemctl("stop", UNIT)
        until(lambda: adapter_name() == FOUND.read_text())


if __name__ == "__main__":
    test_service.main()
