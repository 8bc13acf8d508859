"""The attribute tables of the bundled definitions, as a central discovers them."""
import unittest

from att import CCCD, CHARACTERISTIC, PRIMARY_SERVICE, SECONDARY_SERVICE, Central
from blemu import Blemu
from test_errors import DEFINITIONS

# What bluetoothd has on every adapter: Generic Access, Generic Attribute, and Device Information with the
# PnP ID alone.
BLUEZ_SERVICES = ["1800", "1801", "180A"]


def services(table):
    """{UUID: what is in the service, one line an attribute}, in the order of the handles."""
    found = {}
    for row in table:
        if row.type in (PRIMARY_SERVICE, SECONDARY_SERVICE):
            found[row.uuid] = lines = ["secondary"] if row.type == SECONDARY_SERVICE else []
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

    def test_every_property_and_descriptor(self):
        uart = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
        self.assertTable(DEFINITIONS / "features.yaml", {
            uart.format(1): [
                uart.format(2) + ": read, write", "  2901", "  2904",
                uart.format(3) + ": write",
                uart.format(4) + ": indicate", f"  {CCCD}",
                uart.format(5) + ": notify", f"  {CCCD}"],
            "FFF0": [
                "FFF1: broadcast, read",
                "FFF2: write-without-response",
                "FFF3: read, notify, indicate", f"  {CCCD}",
                "FFF4: read, authenticated-signed-writes",
                "FFF5: read, write, extended-properties", "  2900",
                "FFF6: read"],
            "FFF8": ["secondary", "FFF9: read"]})


if __name__ == "__main__":
    unittest.main()
