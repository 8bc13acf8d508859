"""A bluetoothd that stops while it is asked: what it has answered, or not, is nothing to the next.

With the real one this hangs on milliseconds; here a stand-in has time.
"""
import time
import unittest

from blemu import REPOSITORY, Blemu
from patience import PATIENCE
from stand_in import StandIn
from test_advertising_calls import DONE, PAUSE, REGISTER, UNREGISTER

DEFINITION = REPOSITORY / "Tests/VM/definitions/renaming.yaml"


class Stops(unittest.TestCase):
    def run_blemu(self, *answers):
        self.bluetoothd = self.enterContext(StandIn(*answers))
        return Blemu(DEFINITION, "--on", "bluez:hci0", "--stdio", env=self.bluetoothd.environment)

    def assertBackWithTheNext(self, blemu):
        """Not on the air before there is another bluetoothd, and registered there."""
        before = len(blemu.happened("on-air"))
        time.sleep(PAUSE)
        self.assertEqual(len(blemu.happened("on-air")), before)
        self.bluetoothd.start()
        blemu.await_event("on-air")
        self.assertEqual(self.bluetoothd.story[-3:], ["RegisterApplication", REGISTER, DONE])

    def test_while_another_name_is_advertised(self):
        for answer in "", "NotSupported":
            with self.subTest(answer=answer), self.run_blemu("", None) as blemu:
                blemu.process.stdin.write(b"Second\n")
                self.bluetoothd.await_story(UNREGISTER, REGISTER)
                self.bluetoothd.stop()
                self.assertEqual(blemu.await_event("off-air")["reason"], "bluetoothd has stopped")
                self.bluetoothd.answer(answer)
                self.assertBackWithTheNext(blemu)

    def test_while_the_device_comes_back(self):
        with self.run_blemu("", None) as blemu:
            self.bluetoothd.stop()
            blemu.await_event("off-air")
            self.bluetoothd.start()
            self.bluetoothd.await_story("RegisterApplication", REGISTER)
            self.bluetoothd.stop()
            self.bluetoothd.answer()
            self.assertBackWithTheNext(blemu)

    def test_while_the_device_goes_on_the_air(self):
        blemu = self.run_blemu(None)
        self.addCleanup(blemu.stop)
        self.bluetoothd.await_story(REGISTER)
        self.bluetoothd.stop()
        self.bluetoothd.answer()
        self.assertEqual(blemu.process.wait(PATIENCE), 69)
        self.assertEqual(blemu.happened("on-air"), [])
        self.assertIn("blemu: bluetoothd has stopped", blemu.story())


if __name__ == "__main__":
    unittest.main()
