"""A run's life on an adapter: it comes, it goes, it is cut down, and the adapter is as it was."""
import os
import signal
import subprocess
import unittest

import bluez
import hci
from air import air
from att import Central
from blemu import PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE

FFE0 = "0000ffe0-0000-1000-8000-00805f9b34fb"


def state(adapter="hci0"):
    """All that a run may change and must put back."""
    properties = bluez.adapter_properties(adapter)
    properties["UUIDs"] = sorted(properties["UUIDs"])
    return properties | {"ActiveInstances": bluez.advertising_manager(adapter)["ActiveInstances"]}


def use():
    """A central finds the serial characteristic and reads it."""
    with Central() as central:
        return central.read(central.characteristic("FFE1"))


class Life(unittest.TestCase):
    def setUp(self):
        self.before = state()
        self.addCleanup(self.assertAsBefore)

    def assertAsBefore(self):
        self.assertEqual(state(), self.before)
        self.assertEqual(self.before["ActiveInstances"], 0)
        self.assertNotIn(FFE0, self.before["UUIDs"])
        air.wait_for_silence()

    def assertSaysOff(self, blemu):
        self.assertNotIn("reason", blemu.happened("off-air")[-1])

    def test_is_on_the_air_only_when_services_and_advertisement_are(self):
        with Blemu("hm-10", "--on", "bluez:hci0") as blemu:
            self.assertEqual(bluez.advertising_manager()["ActiveInstances"], 1)
            now = bluez.adapter_properties()
            self.assertIn(FFE0, now["UUIDs"])
            self.assertEqual(now["Alias"], "HMSoft")
            on_air = blemu.happened("on-air")[0]
            self.assertEqual((on_air["adapter"], on_air["address"]), ("hci0", hci.address_text("hci0")))

    def test_ends_in_good_order_at_every_polite_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number.name), Blemu("hm-10", "--on", "bluez:hci0") as blemu:
                self.assertEqual(blemu.stop(number), 0, blemu.story())
                self.assertSaysOff(blemu)
                self.assertAsBefore()

    def test_ends_in_good_order_under_a_connected_central(self):
        with Blemu("hm-10", "--on", "bluez:hci0") as blemu, Central() as central:
            central.subscribe(central.characteristic("FFE1"))
            blemu.await_event("subscribed")
            self.assertEqual(blemu.stop(), 0, blemu.story())
            self.assertEqual([row.uuid for row in central.attributes() if row.uuid in ("FFE0", "FFE1")], [])
            names = [event["event"] for event in blemu.happened("unsubscribed", "disconnected", "off-air")]
            self.assertEqual(names[-1], "off-air")

    def test_ends_in_good_order_when_it_has_just_begun(self):
        for _ in range(6):
            with Blemu("hm-10", "--on", "bluez:hci0") as blemu:
                self.assertEqual(blemu.stop(), 0, blemu.story())
            names = [event["event"] for event in blemu.happened("on-air", "off-air")]
            self.assertEqual(names, ["on-air", "off-air"])

    def test_a_second_run_works_like_the_first(self):
        for _ in range(2):
            with Blemu("hm-10", "--on", "bluez:hci0"):
                self.assertEqual(use(), bytes(reversed(hci.address("hci0"))))
            self.assertAsBefore()

    def test_an_alias_that_somebody_set_comes_back(self):
        bluez.set_adapter_property("Alias", "Kitchen")
        self.addCleanup(bluez.set_adapter_property, "Alias", "")
        with Blemu("hm-10", "--on", "bluez:hci0"):
            self.assertEqual(bluez.adapter_properties()["Alias"], "HMSoft")
        self.assertEqual(bluez.adapter_properties()["Alias"], "Kitchen")

    def test_puts_back_also_what_it_can_write_no_note_of(self):
        with Blemu("hm-10", "--on", "bluez:hci0", env=os.environ | {"XDG_STATE_HOME": "/proc"}) as blemu:
            self.assertEqual(bluez.adapter_properties()["Alias"], "HMSoft")
        self.assertAsBefore()
        self.assertIn("cannot write /proc", next(it["message"] for it in blemu.events if it["event"] == "warning"))

    def test_an_adapter_that_was_off_is_on_for_the_run(self):
        bluez.set_adapter_property("Powered", False)
        bluez.wait_for_adapter(Powered=False)
        self.addCleanup(bluez.wait_for_adapter, Powered=True)
        self.addCleanup(bluez.set_adapter_property, "Powered", True)
        with Blemu("hm-10", "--on", "bluez:hci0"):
            self.assertTrue(bluez.adapter_properties()["Powered"])
            use()
        self.assertFalse(bluez.adapter_properties()["Powered"])

    def test_a_killed_run_is_cleared_up_by_the_next(self):
        bluez.set_adapter_property("Alias", "Kitchen")
        self.addCleanup(bluez.set_adapter_property, "Alias", "")
        with Blemu("hm-10", "--on", "bluez:hci0") as killed:
            killed.kill()
        self.assertEqual(bluez.adapter_properties()["Alias"], "HMSoft")
        with Blemu("bracelet", "--on", "bluez:hci0") as blemu:
            self.assertEqual([event["message"] for event in blemu.happened("warning")], [
                "an earlier run was killed; what it changed on hci0 is put back at the end of this one"])
            use()
        self.assertEqual(bluez.adapter_properties()["Alias"], "Kitchen")
        with Blemu("bracelet", "--on", "bluez:hci0") as blemu:
            self.assertEqual(blemu.happened("warning"), [])


class Interruptions(unittest.TestCase):
    def setUp(self):
        before = state()
        self.addCleanup(lambda: self.assertEqual(state(), before))
        self.blemu = self.enterContext(Blemu("hm-10", "--on", "bluez:hci0"))

    def test_bluetoothd_restarts(self):
        use()
        bluez.run("bluetoothd-stop")
        self.assertEqual(self.blemu.await_event("off-air")["reason"], "bluetoothd has stopped")
        bluez.run("bluetoothd-start", timeout=PATIENCE)
        self.blemu.await_event("on-air")
        self.assertEqual(bluez.advertising_manager()["ActiveInstances"], 1)
        use()

    def test_bluetoothd_restarts_under_a_subscribed_central(self):
        with Central() as central:
            central.subscribe(central.characteristic("FFE1"))
            self.blemu.await_event("subscribed")
            bluez.restart()
            self.blemu.await_event("off-air")
            # Each once; in which order bluetoothd lets go is its own affair.
            gone = [event["event"] for event in self.blemu.happened("unsubscribed", "disconnected")]
            self.assertCountEqual(gone, ["unsubscribed", "disconnected"])
        self.blemu.await_event("on-air")
        with Central() as central:
            central.subscribe(central.characteristic("FFE1"))
            self.blemu.await_event("subscribed")

    def test_the_adapter_is_switched_off_and_on(self):
        bluez.set_adapter_property("Powered", False)
        self.assertEqual(self.blemu.await_event("off-air")["reason"], "hci0 was switched off")
        bluez.set_adapter_property("Powered", True)
        self.blemu.await_event("on-air")
        use()

    def test_the_adapter_is_switched_off_under_a_subscribed_central(self):
        with Central() as central:
            central.subscribe(central.characteristic("FFE1"))
            self.blemu.await_event("subscribed")
            bluez.set_adapter_property("Powered", False)
            self.blemu.await_event("off-air")
            self.assertTrue(central.disconnected.wait(PATIENCE))
        self.assertEqual(len(self.blemu.happened("disconnected")), 1)
        bluez.set_adapter_property("Powered", True)
        self.blemu.await_event("on-air")
        with Central() as central:
            central.subscribe(central.characteristic("FFE1"))
            self.blemu.await_event("subscribed")


class TwoRuns(unittest.TestCase):
    def test_a_second_run_on_one_adapter_is_refused(self):
        with Blemu("hm-10", "--on", "bluez:hci0") as first:
            second = subprocess.run([PROGRAM, "run", "bracelet", "--on", "bluez:hci0"], cwd=REPOSITORY, text=True,
                                    capture_output=True, timeout=PATIENCE)
            self.assertEqual((second.returncode, second.stdout, second.stderr), (
                69, "", "blemu: another blemu is using hci0\n"
                        "  stop it, or choose another adapter with --on bluez:hciN\n"))
            use()
            self.assertEqual(bluez.adapter_properties()["Alias"], "HMSoft")
            self.assertEqual(first.happened("off-air"), [])

    def test_two_runs_on_two_adapters_are_two_devices(self):
        address = hci.address_text("hci1")
        with Blemu("hm-10", "--on", "bluez:hci0"), Blemu("bracelet", "--on", f"bluez:{address}") as second:
            on_air = second.happened("on-air")[0]
            self.assertEqual((on_air["adapter"], on_air["address"]), ("hci1", address))
            with Central(peripheral="hci1", own="hci0") as central:
                serial = central.characteristic("FFE1")
                central.subscribe(serial)
                # A5, length, command 03, 2 January, XOR; 5 packets
                central.write(serial, bytes.fromhex("A5 06 03 01 02 A3"))
                self.assertEqual(central.notification(), bytes.fromhex("A5 06 83 05 00 25"))
            use()


if __name__ == "__main__":
    unittest.main()
