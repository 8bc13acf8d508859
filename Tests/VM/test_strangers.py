"""Centrals that are connected before the device is on the air: they are somebody else's, until they come again."""
import unittest

from blemu import REPOSITORY, Blemu
from stand_in import StandIn

DEFINITION = REPOSITORY / "Tests/VM/definitions/renaming.yaml"
ADDRESS = "02:00:00:00:00:02"


class Strangers(unittest.TestCase):
    def run_blemu(self, *answers, is_connected):
        self.bluetoothd = self.enterContext(StandIn(*answers, is_connected=is_connected))
        return Blemu(DEFINITION, "--on", "bluez:hci0", "--stdio", env=self.bluetoothd.environment)

    def assertComes(self, blemu):
        self.bluetoothd.connect()
        self.assertEqual(blemu.await_event("connected")["central"], ADDRESS)

    def test_one_that_stays_is_no_central_of_the_device(self):
        with self.run_blemu(is_connected=True) as blemu:
            self.bluetoothd.connect(False)
            self.assertComes(blemu)
            self.assertEqual(blemu.happened("disconnected"), [])

    def test_one_that_leaves_while_the_device_goes_on_the_air_may_come_again(self):
        blemu = self.run_blemu(None, is_connected=True)
        self.bluetoothd.await_story("RegisterAdvertisement")
        self.bluetoothd.connect(False)
        self.bluetoothd.answer()
        with blemu:
            self.assertComes(blemu)

    def test_one_that_comes_while_the_device_goes_on_the_air_is_heard(self):
        blemu = self.run_blemu(None, is_connected=False)
        self.bluetoothd.await_story("RegisterAdvertisement")
        self.bluetoothd.connect()
        self.bluetoothd.answer()
        with blemu:
            self.assertEqual(blemu.await_event("connected")["central"], ADDRESS)


if __name__ == "__main__":
    unittest.main()
