"""The machine itself, without blemu: what the other tests build on."""
import unittest

import bluez
import hci
from air import air, structures
from att import ATTError, Central

# Flags 06, complete list of 16-bit service UUIDs: FFE0
ADVERTISING_DATA = bytes.fromhex("020106 0303E0FF")


class Machine(unittest.TestCase):
    def setUp(self):
        # An advertisement without any program: bluetoothd answers with its own services.
        bluez.run("btmgmt", "--index", "0", "add-adv", "-c", "-d", ADVERTISING_DATA.hex(), "1")
        self.addCleanup(bluez.run, "btmgmt", "--index", "0", "rm-adv", "1")

    def test_adapters_are_powered(self):
        for adapter in ("hci0", "hci1"):
            self.assertTrue(bluez.adapter_properties(adapter)["Powered"])

    def test_what_the_controller_advertises_is_seen(self):
        advertising = air.wait_for(lambda it: it.enabled and it.data == ADVERTISING_DATA)
        self.assertEqual(structures(advertising.data), [(0x01, b"\x06"), (0x03, b"\xe0\xff")])

    def test_central_reads_the_attribute_table(self):
        with Central() as central:
            table = central.attributes()
            self.assertIn("1800", [row.uuid for row in table if row.type == "2800"])
            name = central.read_long(central.characteristic("2A00"))
            self.assertEqual(name.decode(), bluez.adapter_properties()["Alias"])
            with self.assertRaises(ATTError) as refused:
                central.read(0xFFF0)
            self.assertEqual(refused.exception.code, 0x01)

    def test_centrals_connect_one_after_another(self):
        for mtu in (517, 0, 100):
            with Central(mtu=mtu) as central:
                self.assertEqual(central.exchange_mtu(mtu or 23), 517)
        self.assertEqual(hci.links("hci0"), [])


if __name__ == "__main__":
    unittest.main()
