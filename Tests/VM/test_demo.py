"""What tools/run shows on a machine without adapters: a central of bluetoothd's that talks to the device."""
import unittest

import bluez
from blemu import PROGRAM, REPOSITORY
from patience import PATIENCE


class Demo(unittest.TestCase):
    def lines(self, *arguments):
        """What it shows, line by line."""
        return bluez.run(REPOSITORY / "tools/vm.d/demo", PROGRAM, *arguments, timeout=3 * PATIENCE).splitlines()

    def assertInOrder(self, beginnings, lines):
        rest = iter(lines)
        for beginning in beginnings:
            self.assertTrue(any(line.startswith(beginning) for line in rest), f"{beginning!r} is missing in\n" + "\n".join(lines))

    def assertTalks(self, name, characteristic, notified_on=None):
        self.assertInOrder([
            "central: connected",
            f"central: subscribed to {notified_on or characteristic}",
            f"central: write {characteristic}: 48 65 6C 6C 6F 0D 0A  Hello..",
            r"microcontroller: received b'Hello\r\n', answers b'OK\r\n'",
            "central: notified: 4F 4B 0D 0A  OK..",
            "central: disconnected",
            "off the air after",
        ], self.lines(name))

    def test_both_ends_of_a_module_talk(self):
        self.assertTalks("hm-10", "FFE1")

    def test_both_ends_of_a_module_with_a_characteristic_each_way_talk(self):
        uart = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
        self.assertTalks("nordic-uart", uart.format(2), uart.format(3))

    def test_a_device_answers_what_its_demo_says(self):
        self.assertInOrder([
            "central: write FFE1: A5 06 03 01 02 A3",
            "central: notified: A5 06 83 05 00 25",
            "central: disconnected",
        ], self.lines("bracelet"))

    def test_a_whole_device_takes_what_it_is_told(self):
        self.assertInOrder([
            "central: write DFB1: 48 65 6C 6C 6F 0D 0A",
            "central: notified: 48 65 6C 6C 6F 0D 0A  Hello..",
            "microcontroller: received nothing",
            "central: disconnected",
        ], self.lines("bluno"))


if __name__ == "__main__":
    unittest.main()
