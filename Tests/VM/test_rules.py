"""What rules change on the air: the advertisement, connections, answers."""
import time
import unittest

import bluez
from air import air, structures
from att import ATTError, Central
from blemu import REPOSITORY, Blemu
from patience import PATIENCE

DEFINITION = REPOSITORY / "Tests/VM/definitions/changing.yaml"


class Rules(unittest.TestCase):
    def setUp(self):
        self.blemu = self.enterContext(Blemu(DEFINITION, "--on", "bluez:hci0"))

    def await_advertising(self, name=b"Before", count=0):
        """Waits until the controller is told to advertise this name and this number."""
        def matches(each):
            return each.enabled and (9, name) in structures(each.scan_response) and \
                (0xFF, bytes([0xFF, 0xFF, count])) in structures(each.data)
        air.wait_for(matches)

    def connect(self):
        central = self.enterContext(Central())
        self.command = central.characteristic("FFE1")
        return central

    def test_read_and_write_rules_answer_with_values_and_errors(self):
        central = self.connect()
        self.assertEqual(central.read(self.command), b"\0")
        central.write(self.command, b"\x02")
        self.assertEqual(central.read(self.command), b"\x01")
        for value, code in ((b"12345", 0x81), (b"1234", 0x0D)):
            with self.assertRaises(ATTError) as caught:
                central.write(self.command, value)
            self.assertEqual(caught.exception.code, code)

    def test_a_rule_that_waits_between_values(self):
        central = self.connect()
        central.subscribe(central.characteristic("FFE2"))
        self.blemu.await_event("subscribed", attribute="events")
        central.write(self.command, b"\x05")
        self.assertEqual([central.notification()[0] for _ in range(3)], [3, 2, 1])

    def test_a_full_device_does_not_advertise_and_comes_back(self):
        self.await_advertising()
        central = self.connect()
        central.write(self.command, b"\x02")
        air.wait_for_silence()
        central.write(self.command, b"\x04")  # a rule ends the connection
        self.assertTrue(central.disconnected.wait(PATIENCE))
        self.blemu.await_event("disconnected")
        self.await_advertising(count=1)

    def test_a_rule_ends_advertising(self):
        central = self.connect()
        central.write(self.command, b"\x03")
        central.close()
        self.blemu.await_event("disconnected")
        air.wait_for_silence()

    def test_a_reset_ends_the_connection_and_keeps_the_new_name(self):
        central = self.connect()
        self.blemu.await_event("log", message="started with 0")
        central.write(self.command, b"\x01")
        self.assertTrue(central.disconnected.wait(PATIENCE))
        self.blemu.await_event("log", message="started with 0")
        self.await_advertising(b"After")


class Leaving(unittest.TestCase):
    def test_bluetoothd_outlives_a_device_that_ends_when_its_central_has_left(self):
        """While it goes back to advertising, some 20 ms after it has heard of that. (bluetoothd 5.66; without luck: with a
        stand-in that has time, test_advertising_calls.py proves what keeps it alive.)"""
        bluetoothd = bluez.run("pidof", "bluetoothd")
        for milliseconds in (16, 22):
            with Blemu(DEFINITION, "--on", "bluez:hci0") as blemu:
                with Central() as central:
                    central.read(central.characteristic("FFE1"))
                blemu.await_event("disconnected")
                time.sleep(milliseconds / 1000)
                self.assertEqual(blemu.stop(), 0)
                self.assertEqual([event["message"] for event in blemu.happened("warning")], [])
        self.assertEqual(bluez.run("pidof", "bluetoothd"), bluetoothd)


class Renaming(unittest.TestCase):
    def test_of_sixty_names_in_a_row_the_last_is_advertised(self):
        with Blemu(REPOSITORY / "Tests/VM/definitions/renaming.yaml", "--on", "bluez:hci0", "--stdio") as blemu:
            blemu.process.stdin.write(b"".join(b"Name %d\n" % number for number in range(60)))
            air.wait_for(lambda each: each.enabled and (9, b"Name 59") in structures(each.scan_response))
            self.assertEqual(blemu.happened("warning"), [])


if __name__ == "__main__":
    unittest.main()
