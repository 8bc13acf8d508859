"""Settings over a power cycle: blemu run --state FILE."""
import pathlib
import tempfile
import unittest

from air import air
from att import Central
from blemu import Blemu
from patience import PATIENCE
from test_errors import DEFINITIONS

RENAME = b"\x01"


class State(unittest.TestCase):
    def setUp(self):
        folder = self.enterContext(tempfile.TemporaryDirectory())
        self.path = pathlib.Path(folder) / "state.yaml"

    def run_device(self, *arguments):
        return Blemu(DEFINITIONS / "changing.yaml", "--on", "bluez:hci0", "--state", self.path, *arguments)

    def rename(self, blemu):
        """Lets a rule give the device another name."""
        with Central() as central:
            central.write(central.characteristic("FFE1"), RENAME)
            blemu.await_event("log", message="started with 0")  # the rule would end if the central left

    def assertKept(self):
        self.assertEqual(self.path.read_text(), 'definition: "Changing"\nsettings:\n  local-name: "After"\n')

    def test_a_name_that_a_rule_has_given_is_advertised_by_the_next_run(self):
        with self.run_device() as blemu:
            self.assertEqual(blemu.happened("on-air")[0]["name"], "Before")
            blemu.await_event("log", message="started with 0")
            self.rename(blemu)
        self.assertKept()
        with self.run_device() as blemu:
            self.assertEqual(blemu.happened("on-air")[0]["name"], "After")
            air.wait_for(lambda it: it.enabled and b"\x06\x09After" in it.scan_response)
        self.assertKept()
        with self.run_device("--set", "local-name=Mine") as blemu:
            self.assertEqual(blemu.happened("on-air")[0]["name"], "Mine")

    def test_it_outlasts_a_kill(self):
        with self.run_device() as blemu:
            blemu.await_event("log", message="started with 0")
            self.rename(blemu)
            self.assertKept()
            blemu.kill()
        self.assertKept()
        with self.run_device() as blemu:
            self.assertEqual(blemu.happened("on-air")[0]["name"], "After")

    def test_what_is_answered_is_kept(self):
        arguments = ("bluno", "--on", "bluez:hci0", "--state", self.path)
        with Blemu(*arguments) as blemu, Central() as central:
            command = central.characteristic("DFB2")
            central.subscribe(command)
            central.write(command, b"AT+NAME=Robot\r\n")
            self.assertEqual(central.notification(), b"OK\r\n")
            blemu.kill()
        self.assertIn('\n  local-name: "Robot"\n', self.path.read_text())
        with Blemu(*arguments) as blemu:
            self.assertEqual(blemu.happened("on-air")[0]["name"], "Robot")

    def test_two_runs_do_not_share_a_file(self):
        with self.run_device():
            second = self.run_device()
            second.process.wait(PATIENCE)
            self.assertEqual(second.stop(), 73)
            self.assertIn(f"blemu: '{self.path}' is in use by another blemu", second.errors)

    def test_a_file_of_another_device_is_left_alone(self):
        self.path.write_text("definition: HM-10\n")
        blemu = self.run_device()
        blemu.process.wait(PATIENCE)
        self.assertEqual(blemu.stop(), 65)
        self.assertIn(f"{self.path}:1:13: error: these are settings of 'HM-10', not of 'Changing'", blemu.errors)
        self.assertEqual(self.path.read_text(), "definition: HM-10\n")
