"""What is on the air, byte by byte: as the controller was told, and as the program says."""
import unittest

import hci
from air import air
from blemu import Blemu
from test_errors import DEFINITIONS


class AdvertisingBytes(unittest.TestCase):
    def assertAdvertised(self, *arguments, data, scan_response, said=None, connectable=True):
        """The controller advertises these structures, and the on-air event says so (or what is `said`)."""
        said, data, scan_response = map(bytes.fromhex, (said or data, data, scan_response))
        with Blemu(*arguments, "--on", "bluez:hci0") as blemu:
            on_air = blemu.happened("on-air")[0]
            self.assertEqual(on_air["advertising-data"], said.hex(" ").upper())
            self.assertEqual(on_air["scan-response"], scan_response.hex(" ").upper())
            wanted = (data, scan_response, connectable)
            air.wait_for(lambda it: it.enabled and (it.data, it.scan_response, it.connectable) == wanted)
        air.wait_for_silence()

    @property
    def address(self):
        return bytes(reversed(hci.address("hci0"))).hex()

    def test_hm10(self):
        # Complete list of 16-bit services FFE0; manufacturer data "HM" and the address, first byte first;
        # service data of B000; flags; tx power 0. The complete name alone is in the scan response.
        self.assertAdvertised(
            "hm-10", data=f"0303E0FF 09FF484D{self.address} 071600B000000000 020106 020A00",
            scan_response="0709" + b"HMSoft".hex())

    def test_hm10_by_another_name(self):
        self.assertAdvertised(
            "hm-10", "--set", "local-name=Demo",
            data=f"0303E0FF 09FF484D{self.address} 071600B000000000 020106 020A00",
            scan_response="0509" + b"Demo".hex())

    def test_hm10_as_an_ibeacon(self):
        # Manufacturer data of Apple: 02 15, the UUID, major, minor, power. There is no room for anything else but flags.
        beacon = "02 15 74278BDAB64445208F0C720EAF059935 FFE0 FFE1 C5"
        self.assertAdvertised("hm-10", "--set", "ibea=1", data=f"1AFF4C00 {beacon} 020106",
                              scan_response="0709" + b"HMSoft".hex())

    def test_hm10_that_nobody_can_connect_to(self):
        # Flags are the kernel's, without a discoverable mode. No scan response.
        self.assertAdvertised(
            "hm-10", "--set", "adty=3", data=f"020104 0303E0FF 09FF484D{self.address} 071600B000000000 020A00",
            scan_response="", connectable=False)

    def test_bracelet(self):
        # The controller cannot set its power: its own value, 0, is sent instead of 2.
        self.assertAdvertised("bracelet", data="0303E0FF 020106 020A00", said="0303E0FF 020106 020A02",
                              scan_response="0909" + b"Bracelet".hex())

    def test_raw_structures(self):
        # Behind BlueZ's own fields, in the order of the definition: URI 17 ("https:") and the name, Broadcast Name "be".
        self.assertAdvertised(
            DEFINITIONS / "raw.yaml", data=f"0303E0FF 082417{b'HMSoft'.hex()} 032D6265 020106 020A00",
            scan_response="0709" + b"HMSoft".hex())


if __name__ == "__main__":
    unittest.main()
