"""The attribute tables of the bundled definitions, as a central discovers them."""
import unittest

from att import CCCD, CHARACTERISTIC, PRIMARY_SERVICE, Central
from blemu import Blemu

# What bluetoothd has on every adapter: Generic Access, Generic Attribute, and Device Information with the
# PnP ID alone.
BLUEZ_SERVICES = ["1800", "1801", "180A"]


def services(table):
    """{UUID: what is in the service, one line an attribute}, in the order of the handles."""
    found = {}
    for row in table:
        if row.type == PRIMARY_SERVICE:
            found[row.uuid] = lines = []
        elif row.type == CHARACTERISTIC:
            lines.append(f"{row.uuid}: {', '.join(row.properties)}")
            value_handle = row.value_handle
        elif row.handle != value_handle:
            lines.append(f"  {row.type}")
    return found


class AttributeTable(unittest.TestCase):
    def assertTable(self, definition, expected):
        with Blemu(definition, "--on", "bluez:hci0"), Central() as central:
            table = services(central.attributes())
        own = {uuid: lines for uuid, lines in table.items() if uuid not in BLUEZ_SERVICES}
        self.assertEqual(own, expected)
        self.assertEqual(list(own), list(expected))
        self.assertEqual([line for line in table["180A"]], ["2A50: read"])

    def test_hm10(self):
        # bluetoothd puts the 2902 that it makes before the descriptors of the program.
        self.assertTable("hm-10", {"FFE0": ["FFE1: read, write-without-response, notify", f"  {CCCD}", "  2901"]})

    def test_bracelet(self):
        self.assertTable("bracelet", {"FFE0": ["FFE1: read, write-without-response, write, notify", f"  {CCCD}"]})


if __name__ == "__main__":
    unittest.main()
