"""What stands in the way of a run: the exit status, one sentence, and a hint."""
import os
import pathlib
import subprocess
import sys
import unittest

import bluez
import hci
from blemu import PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE

FOLDER = pathlib.Path(__file__).resolve().parent
DEFINITIONS = FOLDER / "definitions"
UNAVAILABLE, USAGE, BAD_DEFINITION, NO_DEFINITION, CANNOT_CREATE, NO_PERMISSION = 69, 64, 65, 66, 73, 77
DENIAL = pathlib.Path("/etc/dbus-1/system.d/deny-nobody.conf")


def run(*arguments, before=(), **options):
    command = [*before, PROGRAM, "run", *map(str, arguments)]
    return subprocess.run(command, **({"cwd": REPOSITORY, "text": True, "capture_output": True, "timeout": PATIENCE} | options))


class Refusals(unittest.TestCase):
    def assertRefused(self, status, message, hint, *arguments, **options):
        """Nothing on standard output; on standard error one sentence, and one hint below it."""
        done = run(*arguments, **options)
        self.assertEqual((done.stdout, done.returncode), ("", status), done.stderr)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], f"^blemu: {message}$")
        self.assertRegex(lines[1], f"^  {hint}$")

    def test_no_such_adapter(self):
        there = "there is " + ", ".join(rf"{name} \({hci.address_text(name)}\)" for name in hci.adapters())
        self.assertRefused(UNAVAILABLE, "there is no adapter hci99", there, "hm-10", "--on", "bluez:hci99")
        self.assertRefused(UNAVAILABLE, "there is no adapter 02:00:00:00:00:99", there,
                           "hm-10", "--on", "bluez:02:00:00:00:00:99")

    def test_no_bus(self):
        self.assertRefused(UNAVAILABLE, "there is no D-Bus system bus: .+", r"start it \(.+\), or .*tools/vm.*", "hm-10",
                           env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"})

    def test_bluetoothd_stopped(self):
        bluez.run("bluetoothd-stop")
        self.addCleanup(bluez.run, "bluetoothd-start", timeout=PATIENCE)
        self.assertRefused(UNAVAILABLE, "bluetoothd is not running", "start it .+", "hm-10")

    def test_adapter_full_of_advertisements(self):
        before = bluez.adapter_properties()
        count = bluez.advertising_manager()["SupportedInstances"]
        command = [sys.executable, FOLDER / "advertiser.py", "hci0", str(count)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as advertiser:
            self.addCleanup(bluez.wait_for_advertisements, 0)
            self.addCleanup(advertiser.kill)
            self.assertEqual(advertiser.stdout.readline(), "ready\n")
            self.assertRefused(UNAVAILABLE, f"hci0 is full: it advertises {count} things and can no more",
                               "stop another program that advertises, or choose another adapter with --on bluez:hciN",
                               "hm-10", "--on", "bluez:hci0")
            self.assertEqual(bluez.adapter_properties(), before)
            advertiser.kill()

    def test_no_permission(self):
        DENIAL.write_text("""<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
            "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><policy user="nobody"><deny send_destination="org.bluez"/></policy></busconfig>""")
        self.addCleanup(self.reload_bus)
        self.addCleanup(DENIAL.unlink)
        self.reload_bus()
        self.assertRefused(NO_PERMISSION, "the system bus does not let you talk to bluetoothd: .+", "run it with sudo, .+",
                           "hm-10", before=["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"])

    def reload_bus(self):
        bluez.run("dbus-send", "--system", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                  "org.freedesktop.DBus.ReloadConfig")

    def test_advertisement_too_long(self):
        done = run(DEFINITIONS / "too-long.yaml")
        self.assertEqual((done.stdout, done.returncode), ("", BAD_DEFINITION), done.stderr)
        self.assertRegex(done.stderr, r"too-long\.yaml:\d+:\d+: error: .*31")

    def test_unknown_name(self):
        self.assertRefused(NO_DEFINITION, "there is no definition 'hm10'", "did you mean 'hm-10'.*", "hm10")

    def test_link_of_the_terminal_would_replace_a_file(self):
        file = pathlib.Path("/tmp/precious")
        file.write_text("mine")
        self.addCleanup(file.unlink)
        self.assertRefused(CANNOT_CREATE, "cannot make the link '/tmp/precious': File exists", "name a path that is free, .+",
                           "hm-10", "--pty", file)
        self.assertEqual(file.read_text(), "mine")

    def test_no_serial_side(self):
        self.assertRefused(USAGE, "Fitness bracelet has no serial side for '--pty'", "leave it out, or add 'wire:' .+",
                           "bracelet", "--pty", "/tmp/bracelet")

    def test_setting_out_of_its_limits(self):
        done = run("hm-10-cable", "--set", "local-name=Thirteen bytes")
        self.assertEqual((done.stdout, done.returncode), ("", USAGE), done.stderr)
        self.assertRegex(done.stderr, r"^blemu: --set local-name: .+12")


class WithoutPrivileges(unittest.TestCase):
    def test_a_user_who_may_talk_to_bluetoothd_needs_no_root(self):
        with Blemu("bracelet", "--on", "bluez:hci0", user="nobody", group="nogroup", extra_groups=[],
                   env=os.environ | {"HOME": "/nonexistent"}) as blemu:
            self.assertIn("if blemu is killed", blemu.happened("warning")[0]["message"])


if __name__ == "__main__":
    unittest.main()
