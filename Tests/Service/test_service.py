"""Runs as root in a machine whose first process is systemd; see Tests/Service/run."""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
import unittest

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
UNIT = "blemu@hm-10.service"
CENTRAL = "BE:E0:00:00:00:01"  # hci1
SETTINGS = pathlib.Path("/etc/blemu")
LAMP = """\
blemu: 1
name: Lamp
advertisement: {{ local-name: {name}, services: [FFE0] }}
services: [{{ uuid: FFE0, characteristics: [{{ uuid: FFE1, properties: [read, write-without-response] }}] }}]
"""


def run(*command, check=True):
    return subprocess.run(command, check=check, capture_output=True, text=True)


def systemctl(*words, check=True):
    return run("systemctl", *words, check=check)


def shown(unit, name):
    return systemctl("show", "--value", f"--property={name}", unit).stdout.strip()


def journal(*fields):
    run("journalctl", "--sync")
    return run("journalctl", "--no-pager", "--output=cat", *fields, check=False).stdout


def central(*words):
    # bluetoothd leaves an adapter off when it starts anew.
    run("busctl", "set-property", "org.bluez", "/org/bluez/hci1", "org.bluez.Adapter1", "Powered", "b", "true")
    # It may know other attributes of a device at this address, from the test before.
    run("busctl", "call", "org.bluez", "/org/bluez/hci1", "org.bluez.Adapter1", "RemoveDevice", "o", "/org/bluez/hci1/dev_BE_E0_00_00_00_00", check=False)
    result = run("host-root", os.environ["CLIENT_PYTHON"], str(REPOSITORY / "Tests/Service/central.py"), *words, check=False)
    assert result.returncode == 0, result.stderr


def until(holds, seconds=120):
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.2)


def setUpModule():
    if shutil.which("blemu", path="/usr/bin") is None:
        run("apt-get", "install", "--yes", os.environ["PACKAGE"])


class Service:
    """A unit, which is stopped and forgets everything after each test."""

    def tearDown(self):
        systemctl("stop", self.unit, check=False)
        for state in pathlib.Path("/var/lib/blemu").glob("*.state"):
            state.unlink()
        shutil.rmtree(f"/run/systemd/system/{self.unit}.d", ignore_errors=True)
        systemctl("daemon-reload")

    def start(self):
        systemctl("start", self.unit)
        return int(shown(self.unit, "MainPID"))

    def drop_in(self, text):
        folder = pathlib.Path(f"/run/systemd/system/{self.unit}.d")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "test.conf").write_text("[Service]\n" + text)
        systemctl("daemon-reload")

    def on_air(self, name):
        return f"on the air as {name} on hci0" in shown(self.unit, "StatusText")


class DeviceTests(Service, unittest.TestCase):
    unit = UNIT

    def test_started_means_on_the_air(self):
        self.start()
        self.assertTrue(self.on_air("HMSoft"))
        self.assertNotEqual(run("ps", "-o", "user=", "-C", "blemu").stdout.strip(), "root")
        central("HMSoft", "Hello")
        self.assertIn("> FFE1  48 65 6C 6C 6F  Hello", journal("DEVICE=hm-10", f"CENTRAL={CENTRAL}", "PRIORITY=7"))
        self.assertIn("connected", journal("DEVICE=hm-10", f"CENTRAL={CENTRAL}", "PRIORITY=6"))
        self.assertEqual(journal("DEVICE=hm-10", "CENTRAL=00:00:00:00:00:00"), "")
        systemctl("stop", UNIT)
        self.assertEqual(shown(UNIT, "Result"), "success")
        self.assertIn("adapter restored", journal("DEVICE=hm-10", "PRIORITY=5"))

    def test_what_a_device_remembers_survives_its_death(self):
        process = self.start()
        run("blemu", "set", "/run/blemu/hm-10.sock", "local-name=Robot")
        os.kill(process, signal.SIGKILL)
        until(lambda: shown(UNIT, "NRestarts") == "1" and self.on_air("Robot"))
        central("Robot")

    def test_the_watchdog_ends_a_process_that_hangs(self):
        self.drop_in("WatchdogSec=4\nRestartSec=1\n")
        process = self.start()
        time.sleep(10)
        self.assertEqual(int(shown(UNIT, "MainPID")), process, "the watchdog is not fed")
        os.kill(process, signal.SIGSTOP)
        until(lambda: shown(UNIT, "NRestarts") == "1" and shown(UNIT, "ActiveState") == "active")
        self.assertTrue("Watchdog timeout" in journal("--unit", UNIT))

    def test_a_device_starts_bluetoothd_and_waits_for_its_adapter(self):
        systemctl("stop", "bluetooth")
        self.start()
        self.assertTrue(self.on_air("HMSoft"))
        self.assertEqual(shown(UNIT, "NRestarts"), "0")

    def test_a_device_waits_for_bluetoothd(self):
        systemctl("mask", "--runtime", "--now", "bluetooth")
        try:
            systemctl("start", "--no-block", UNIT)
            until(lambda: shown(UNIT, "NRestarts") != "0")
            self.assertIn("bluetoothd", journal("--unit", UNIT, "PRIORITY=3"))
        finally:
            systemctl("unmask", "--runtime", "bluetooth")
            systemctl("start", "bluetooth")
        until(lambda: shown(UNIT, "ActiveState") == "active")
        self.assertIn("on the air as ", shown(UNIT, "StatusText"))


class ReloadTests(Service, unittest.TestCase):
    unit = "blemu@lamp.service"

    def setUp(self):
        SETTINGS.mkdir(exist_ok=True)
        self.write(LAMP.format(name="Desk"))

    def write(self, text):
        (SETTINGS / "lamp.yaml").write_text(text)

    def test_reads_the_definition_again(self):
        process = self.start()
        self.assertTrue(self.on_air("Desk"))
        self.write(LAMP.format(name="Floor"))
        systemctl("reload", self.unit)
        until(lambda: self.on_air("Floor"))
        self.assertEqual(int(shown(self.unit, "MainPID")), process)
        central("Floor")

    def test_a_mistake_leaves_the_device_as_it_is(self):
        process = self.start()
        self.write("blemu: 1\nnmae: Lamp\n")
        self.assertNotEqual(systemctl("reload", self.unit, check=False).returncode, 0)
        os.kill(process, signal.SIGHUP)
        until(lambda: journal("--unit", self.unit, "PRIORITY=3").count("nmae") >= 1)
        self.assertTrue(self.on_air("Desk"))
        self.assertEqual(int(shown(self.unit, "MainPID")), process)
        central("Desk")

    def test_a_definition_with_a_mistake_does_not_start_again_and_again(self):
        self.write("blemu: 1\nnmae: Lamp\n")
        self.assertNotEqual(systemctl("start", self.unit, check=False).returncode, 0)
        self.assertEqual(shown(self.unit, "ActiveState"), "failed")
        self.assertIn("lamp.yaml:2:1", journal("--unit", self.unit, "PRIORITY=3"))


class StandTests(Service, unittest.TestCase):
    unit = "blemu-stand@desk.service"

    def test_a_stand_is_ready_when_all_its_devices_are(self):
        SETTINGS.mkdir(exist_ok=True)
        (SETTINGS / "desk.yaml").write_text(
            "stand: Desk\ndevices:\n  module: { definition: hm-10, on: bluez:hci0 }\n  belt: { definition: heart-rate-belt, on: loopback }\n")
        self.start()
        self.assertEqual(shown(self.unit, "StatusText"), "2 of 2 devices are on the air")
        self.assertIn("on the air", journal("DEVICE=belt"))


class ExactTests(Service, unittest.TestCase):
    unit = UNIT

    def test_needs_only_its_drop_in(self):
        self.options = SETTINGS / "hm-10.conf"
        SETTINGS.mkdir(exist_ok=True)
        self.options.write_text("BLEMU_OPTIONS=--on exact:hci0\n")
        self.addCleanup(self.options.unlink)
        folder = pathlib.Path(f"/etc/systemd/system/{UNIT}.d")
        self.addCleanup(shutil.rmtree, folder)
        self.assertNotEqual(systemctl("start", UNIT, check=False).returncode, 0)
        self.assertIn("CAP_NET_ADMIN", journal("--unit", UNIT, "PRIORITY=3"))

        # By the commands of service.md
        folder.mkdir(parents=True)
        (folder / "exact.conf").symlink_to("/usr/share/blemu/systemd/exact.conf")
        systemctl("daemon-reload")
        self.start()
        self.assertTrue(self.on_air("HMSoft"))
        self.assertNotEqual(run("ps", "-o", "user=", "-C", "blemu").stdout.strip(), "root")
        central("HMSoft", "Hello")
        self.assertIn("> FFE1  48 65 6C 6C 6F  Hello", journal("DEVICE=hm-10", f"CENTRAL={CENTRAL}", "PRIORITY=7"))


class UserTests(unittest.TestCase):
    """The units of a user, who is not logged in."""

    USER = "anna"

    def setUp(self):
        run("useradd", "--create-home", self.USER)
        self.addCleanup(run, "userdel", "--remove", self.USER)
        user = int(run("id", "--user", self.USER).stdout)
        run("loginctl", "enable-linger", self.USER)
        self.addCleanup(until, lambda: not pathlib.Path(f"/run/user/{user}").exists())
        self.addCleanup(run, "loginctl", "disable-linger", self.USER)
        until(pathlib.Path(f"/run/user/{user}/systemd/private").exists)
        self.as_user = ["setpriv", f"--reuid={self.USER}", f"--regid={self.USER}", "--init-groups", "env", "-C", f"/home/{self.USER}",
                        f"HOME=/home/{self.USER}", f"XDG_RUNTIME_DIR=/run/user/{user}"]

    def systemctl(self, *words):
        return run(*self.as_user, "systemctl", "--user", *words)

    def status(self):
        return self.systemctl("show", "--value", "--property=StatusText", UNIT).stdout.strip()

    def test_a_device_runs_while_its_user_is_not_logged_in(self):
        self.systemctl("enable", "--now", UNIT)
        self.assertEqual(self.status(), "on the air as HMSoft on hci0")
        self.assertEqual(run("ps", "-o", "user=", "-C", "blemu").stdout.strip(), self.USER)
        run(*self.as_user, "blemu", "set", "hm-10", "local-name=Robot")
        central("Robot", "Hello")
        self.assertIn("> FFE1  48 65 6C 6C 6F  Hello", journal("DEVICE=hm-10", f"CENTRAL={CENTRAL}", f"_UID={run('id', '-u', self.USER).stdout.strip()}"))
        self.systemctl("restart", UNIT)
        self.assertEqual(self.status(), "on the air as Robot on hci0")


def main():
    runner = unittest.TextTestRunner(sys.stdout, verbosity=2)
    result = unittest.main(testRunner=runner, exit=False).result
    failed = len(result.failures) + len(result.errors)
    print(f"{result.testsRun - failed} passed, {failed} failed")
    raise SystemExit(failed != 0)


if __name__ == "__main__":
    main()
