"""In which order bluetoothd is asked to advertise.

bluetoothd 5.66 crashes (`free(): invalid pointer`) when an advertisement is taken back that it has not yet registered, and
fails to register one whose place the kernel is still clearing. Both hang on milliseconds; here a stand-in has time.
"""
import signal
import time
import unittest

from blemu import REPOSITORY, Blemu
from patience import PATIENCE
from stand_in import StandIn
from test_errors import UNAVAILABLE

DEFINITION = REPOSITORY / "Tests/VM/definitions/renaming.yaml"
REGISTER, UNREGISTER, DONE = "RegisterAdvertisement", "UnregisterAdvertisement", "registered"
# While an answer is held back: what comes too early comes within it.
PAUSE = 0.5


class AdvertisingCalls(unittest.TestCase):
    def stand_in(self, *answers):
        self.bluetoothd = self.enterContext(StandIn(*answers))
        return self.bluetoothd

    def run_blemu(self):
        return Blemu(DEFINITION, "--on", "bluez:hci0", "--stdio", env=self.bluetoothd.environment)

    def advertising_calls(self):
        return [line for line in self.bluetoothd.story if not line.endswith("Application")]

    def rename(self, blemu, name):
        blemu.process.stdin.write(name.encode() + b"\n")

    def test_another_advertisement_comes_when_the_one_before_is_gone(self):
        self.stand_in()
        with self.run_blemu() as blemu:
            self.rename(blemu, "Second")
            self.bluetoothd.await_story(UNREGISTER, REGISTER, DONE)
            self.assertEqual(self.bluetoothd.alias, "Second")
            self.assertEqual(blemu.stop(), 0)
        self.assertEqual(self.bluetoothd.story, ["RegisterApplication", REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER,
                                                 "UnregisterApplication"])
        self.assertEqual(self.bluetoothd.alias, "")

    def test_what_may_pass_is_tried_again(self):
        self.stand_in("Failed", "Busy", "InProgress", "")
        with self.run_blemu() as blemu:
            self.assertEqual(self.advertising_calls(), [REGISTER, "Failed", REGISTER, "Busy", REGISTER, "InProgress", REGISTER, DONE])
            self.assertEqual(blemu.happened("warning"), [])

    def test_what_may_pass_is_tried_again_under_way(self):
        self.stand_in("", "Failed", "Failed", "")
        with self.run_blemu() as blemu:
            self.rename(blemu, "Second")
            self.bluetoothd.await_story(REGISTER, DONE, UNREGISTER, REGISTER, "Failed", REGISTER, "Failed", REGISTER, DONE)
            self.assertEqual(blemu.happened("warning"), [])

    def test_what_will_not_pass_is_not_tried_again(self):
        self.stand_in("InvalidLength")
        blemu = self.run_blemu()
        self.addCleanup(blemu.stop)
        self.assertEqual(blemu.process.wait(PATIENCE), 65)
        self.assertEqual(self.advertising_calls()[:2], [REGISTER, "InvalidLength"])
        self.assertNotIn(REGISTER, self.advertising_calls()[2:])
        self.assertEqual(self.bluetoothd.alias, "")

    def test_nothing_is_taken_back_before_it_is_registered_when_blemu_ends(self):
        self.stand_in("", None)
        with self.run_blemu() as blemu:
            self.rename(blemu, "Second")
            self.bluetoothd.await_story(UNREGISTER, REGISTER)
            blemu.process.send_signal(signal.SIGINT)
            time.sleep(PAUSE)
            self.bluetoothd.answer()
            self.assertEqual(blemu.process.wait(PATIENCE), 0)
        self.assertEqual(self.advertising_calls(), [REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER])

    def test_nothing_is_taken_back_before_it_is_registered_when_another_follows(self):
        self.stand_in("", None, "")
        with self.run_blemu() as blemu:
            self.rename(blemu, "Second")
            self.bluetoothd.await_story(UNREGISTER, REGISTER)
            self.rename(blemu, "Third")
            time.sleep(PAUSE)
            self.bluetoothd.answer()
            self.bluetoothd.await_story(REGISTER, DONE, UNREGISTER, REGISTER, DONE, UNREGISTER, REGISTER, DONE)

    def test_nothing_is_taken_back_before_it_is_registered_when_blemu_has_just_begun(self):
        self.stand_in(None)
        blemu = self.run_blemu()
        self.addCleanup(blemu.stop)
        self.bluetoothd.await_story(REGISTER)
        blemu.process.send_signal(signal.SIGINT)
        time.sleep(PAUSE)
        self.bluetoothd.answer()
        self.assertEqual(blemu.process.wait(PATIENCE), 0)
        self.assertEqual(self.advertising_calls(), [REGISTER, DONE, UNREGISTER])
        self.assertEqual(self.bluetoothd.alias, "")


if __name__ == "__main__":
    unittest.main()
