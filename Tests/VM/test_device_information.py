"""A device with its own Device Information (180A), beside bluetoothd's and without it."""
import pathlib
import unittest

import bluez
from att import CHARACTERISTIC, PRIMARY_SERVICE, Central
from blemu import Blemu

CONFIGURATION = pathlib.Path("/etc/bluetooth/main.conf")


def device_information(central):
    """The services 180A that a central finds, each with the UUIDs of its characteristics."""
    services = []
    for attribute in central.attributes():
        if attribute.type == PRIMARY_SERVICE:
            services.append((attribute.uuid, []))
        elif attribute.type == CHARACTERISTIC:
            services[-1][1].append(attribute.uuid)
    return [uuids for service, uuids in services if service == "180A"]


class WithoutDeviceID(unittest.TestCase):
    """As README says: 'DeviceID = false'."""

    @classmethod
    def setUpClass(cls):
        before = CONFIGURATION.read_text()
        cls.addClassCleanup(bluez.restart)
        cls.addClassCleanup(CONFIGURATION.write_text, before)
        CONFIGURATION.write_text(before + "\n[General]\nDeviceID = false\n")
        bluez.restart()

    def test_the_device_s_own_is_all_there_is(self):
        with Blemu("bluno", "--on", "bluez:hci0") as blemu, Central() as central:
            services = device_information(central)
            self.assertEqual(len(services), 1)
            self.assertIn("2A24", services[0])
            self.assertEqual(central.read(central.characteristic("2A24")), b"DF Bluno")
            self.assertEqual(blemu.happened("warning"), [])


class WithDeviceID(unittest.TestCase):
    """As Debian installs it."""

    def test_bluetoothd_s_comes_first_and_run_says_what_to_do(self):
        with Blemu("bluno", "--on", "bluez:hci0") as blemu, Central() as central:
            services = device_information(central)
            self.assertEqual(["2A24" in uuids for uuids in services], [False, True])
            warnings = [event["message"] for event in blemu.happened("warning")]
            self.assertEqual(len(warnings), 1)
            self.assertIn("put 'DeviceID = false' under [General] into /etc/bluetooth/main.conf", warnings[0])

    def test_a_device_without_one_has_no_warning(self):
        with Blemu("bracelet", "--on", "bluez:hci0") as blemu:
            self.assertEqual(blemu.happened("warning"), [])


if __name__ == "__main__":
    unittest.main()
