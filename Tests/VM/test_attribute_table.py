"""Attributes that depend on settings: an HM-10 with other UUIDs, and with a second characteristic, after a reset."""
import pathlib
import tempfile
import time
import unittest

import bluez
from air import air, structures
from att import CHARACTERISTIC, PRIMARY_SERVICE, Central
from blemu import Blemu
from patience import PATIENCE
from serial_line import SerialLine

LINK = "/tmp/hm10"
OWN = ("1800", "1801", "180A")  # bluetoothd's


def table(central):
    """The services and their characteristics, with the properties: {"FFE0": {"FFE1": "read, notify"}}."""
    services = {}
    for row in central.attributes():
        if row.type == PRIMARY_SERVICE:
            characteristics = services.setdefault(row.uuid, {})
        elif row.type == CHARACTERISTIC:
            characteristics[row.uuid] = ", ".join(row.properties)
    return {uuid: found for uuid, found in services.items() if uuid not in OWN}


class ChangedAttributes(unittest.TestCase):
    CABLE = "read, write-without-response, notify"

    def setUp(self):
        self.bluetoothd = bluez.run("pidof", "bluetoothd")

    def tearDown(self):
        self.assertEqual(bluez.run("pidof", "bluetoothd"), self.bluetoothd)

    def run_module(self, *arguments):
        self.blemu = Blemu("hm-10", "--on", "bluez:hci0", "--pty", LINK, "--set", "firmware=V605",
                           "--set", "noti=0", *arguments)
        return self.blemu

    def await_service(self, uuid):
        wanted = (3, bytes(reversed(bytes.fromhex(uuid))))
        air.wait_for(lambda each: each.enabled and wanted in structures(each.data))

    def command(self, line, text, answer):
        line.write(text)
        self.assertEqual(line.read(len(answer)), answer)

    def change(self, line, service, characteristic, second=b"0"):
        self.command(line, b"AT+UUID0x" + service, b"OK+Set:0x" + service)
        self.command(line, b"AT+CHAR0x" + characteristic, b"OK+Set:0x" + characteristic)
        self.command(line, b"AT+FFE2" + second, b"OK+Set:" + second)
        self.command(line, b"AT+RESET", b"OK+RESET")
        self.await_service(service.decode())

    def assertCable(self, central, line, inlet, outlet):
        """What is written at one comes out, and what is put in is notified at the other."""
        inlet, outlet = central.characteristic(inlet), central.characteristic(outlet)
        central.subscribe(outlet)
        central.write_command(inlet, b"Hello\r\n")
        self.assertEqual(line.read(7), b"Hello\r\n")
        line.write(b"Foobar\r\n")
        self.assertEqual(central.notification(), b"Foobar\r\n")

    def test_commands_at_the_serial_side_change_what_a_central_finds_and_talks_to(self):
        with self.run_module("--set", "mode=0"), SerialLine.terminal(LINK) as line:
            with Central() as central:
                self.assertEqual(table(central), {"FFE0": {"FFE1": self.CABLE}})
                # bluetoothd has answered by itself so far; it would not tell of one that has left already.
                self.blemu.await_event("connected")
            self.blemu.await_event("disconnected")
            self.change(line, b"FFF0", b"FFF1", second=b"1")
            with Central() as central:
                self.assertEqual(table(central), {"FFF0": {"FFF1": self.CABLE, "FFF2": "write-without-response"}})
                self.assertCable(central, line, inlet="FFF2", outlet="FFF1")
            self.blemu.await_event("disconnected")
            self.change(line, b"FFE0", b"FFE1")
            with Central() as central:
                self.assertEqual(table(central), {"FFE0": {"FFE1": self.CABLE}})
                self.assertCable(central, line, inlet="FFE1", outlet="FFE1")
            self.assertEqual([event["message"] for event in self.blemu.happened("warning", "error")], [])
            self.assertEqual(self.blemu.happened("off-air"), [])

    def test_a_central_that_changes_them_is_sent_away_before(self):
        with self.run_module("--set", "mode=2"):
            with Central() as central:
                serial = central.characteristic("FFE1")
                central.subscribe(serial)
                for text, answer in ((b"AT+UUID0xFFF0", b"OK+Set:0xFFF0"), (b"AT+RESET", b"OK+RESET")):
                    central.write_command(serial, text)
                    self.assertEqual(central.notification(), answer)
                central.read(serial)  # the old attributes are there to the end
                self.assertTrue(central.disconnected.wait(PATIENCE))
            self.await_service("FFF0")
            with Central() as central:
                self.assertEqual(table(central), {"FFF0": {"FFE1": self.CABLE}})
                central.subscribe(central.characteristic("FFE1"))
                central.write_command(central.characteristic("FFE1"), b"AT")
                self.assertEqual(central.notification(), b"OK")

    def test_many_changes_in_a_row(self):
        with self.run_module("--set", "mode=0"), SerialLine.terminal(LINK) as line:
            for number in range(8):
                self.change(line, b"FFD%d" % number, b"FFC%d" % number, second=b"%d" % (number % 3))
            with Central() as central:
                self.assertEqual(table(central), {
                    "FFD7": {"FFC7": self.CABLE, "FFC8": "write-without-response"}})
            self.assertEqual([event["message"] for event in self.blemu.happened("warning", "error")], [])

    def test_the_next_run_begins_with_them(self):
        with tempfile.TemporaryDirectory() as folder:
            state = ("--state", pathlib.Path(folder) / "state.yaml")
            with self.run_module(*state), SerialLine.terminal(LINK) as line:
                self.change(line, b"FFF0", b"FFF1")
            with self.run_module(*state) as blemu, Central() as central:
                self.assertEqual(blemu.happened("on-air")[0]["services"], "FFF0")
                self.assertEqual(table(central), {"FFF0": {"FFF1": self.CABLE}})

    def test_leaving_the_air_in_the_middle_of_a_change(self):
        for attempt in range(4):
            with self.run_module("--set", "mode=0") as blemu, SerialLine.terminal(LINK) as line:
                self.command(line, b"AT+UUID0xFFF%d" % attempt, b"OK+Set:0xFFF%d" % attempt)
                self.command(line, b"AT+RESET", b"OK+RESET")
                time.sleep(0.5 + attempt * 0.01)  # the module restarts after half a second
                self.assertEqual(blemu.stop(), 0)
            air.wait_for_silence()


if __name__ == "__main__":
    unittest.main()
