"""`blemu doctor`: each finding that a machine here can have, provoked.

Without provocation here, and with made facts in Tests/DoctorTests: other kernels, Windows Subsystem for Linux, containers, a switch of
the machine, an adapter without LE.
"""
import contextlib
import json
import os
import pathlib
import socket
import subprocess
import time

import dbus
import pytest

import bluez
import hci
from att import Central
from device import PROGRAM, REPOSITORY, Stand
from patience import PATIENCE, eventually

CONFIGURATION = pathlib.Path("/etc/bluetooth/main.conf")
UNAVAILABLE, NO_PERMISSION = 69, 77
AS_NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"]


def examine(*arguments, program=(PROGRAM,), **options):
    """Returns the exit status of `blemu doctor`, and its findings."""
    command = [*program, "doctor", "--json", *map(str, arguments)]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, timeout=PATIENCE, **options)
    assert done.stderr == "", done.stderr
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]


def found(code, *arguments, place=None, status=None, **options):
    """Returns the finding of this name."""
    actual, findings = examine(*arguments, **options)
    there = [each for each in findings if each["finding"] == code and place in (None, each["place"])]
    assert len(there) == 1, "\n".join(map(str, findings))
    assert status is None or actual == status, (actual, findings)
    return there[0]


def codes(*arguments, **options):
    return {each["finding"] for each in examine(*arguments, **options)[1]}


def restart(*arguments, **variables):
    """Restarts bluetoothd, also if its adapters will not be powered."""
    subprocess.run(["bluetoothd-restart", *map(str, arguments)], env=os.environ | {"VM_PATIENCE": "3"} | variables, capture_output=True)


@contextlib.contextmanager
def main_conf(*lines):
    """A time in which bluetoothd runs with this main.conf."""
    before = CONFIGURATION.read_text()
    CONFIGURATION.write_text("".join(f"{line}\n" for line in lines))
    restart()
    try:
        yield
    finally:
        CONFIGURATION.write_text(before)
        bluez.restart()


class TestBluetoothd:
    def test_a_machine_that_works(self):
        before = CONFIGURATION.read_text(), [bluez.adapter_properties(each) for each in hci.adapters()]
        status, findings = examine()
        assert status == 0
        assert [each for each in findings if each["level"] == "problem"] == []
        assert {"kernel-has-bluetooth", "bluetoothd-serves", "may-call-bluetoothd", "may-manage-adapters", "configuration-is-read",
                "answers-late"} <= {each["finding"] for each in findings}
        assert [each["place"] for each in findings if each["finding"] == "adapter-is-ready"] == hci.adapters()
        serves, = [each["message"] for each in findings if each["finding"] == "bluetoothd-serves"]
        assert serves == f"BlueZ {'.'.join(map(str, bluez.VERSION))} runs as process {bluez.process()} of root"
        ready, = [each["message"] for each in findings if each["finding"] == "adapter-is-ready" and each["place"] == "hci0"]
        assert hci.address_text("hci0") in ready and "central, peripheral" in ready and "0 of " in ready
        defects = {"forgets-subscriptions": bluez.VERSION >= (5, 69), "notifies-everybody": bluez.VERSION < (5, 69), "refuses-long-writes": bluez.VERSION < (5, 69),
                   "ignores-intervals": bluez.VERSION < (5, 77), "crashes-on-scans-for-services": bluez.VERSION == (5, 87)}
        assert {each["finding"] for each in findings} & defects.keys() == {defect for defect, is_there in defects.items() if is_there}
        assert before == (CONFIGURATION.read_text(), [bluez.adapter_properties(each) for each in hci.adapters()])

    def test_a_device_in_memory_needs_nothing(self):
        assert codes("--on", "loopback") == {"needs-nothing"}

    def test_no_bus(self):
        # The guest has the host's files, and those of a container show that it is one.
        code = "container-without-bus" if pathlib.Path("/.dockerenv").exists() else "no-bus"
        found(code, status=UNAVAILABLE, env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"})

    def test_another_bus(self):
        daemon = subprocess.Popen(["dbus-daemon", "--session", "--print-address", "--nofork"], stdout=subprocess.PIPE, text=True)
        try:
            address = daemon.stdout.readline().strip()
            finding = found("bluetoothd-not-on-bus", status=UNAVAILABLE, env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": address})
            assert str(bluez.process()) in finding["message"]
        finally:
            daemon.terminate()
            daemon.wait()

    def test_stopped_and_killed(self):
        for end in (lambda: bluez.run("bluetoothd-stop"), bluez.kill):
            end()
            assert found("no-bluetoothd", status=UNAVAILABLE)["command"] == "service bluetooth start"
            assert codes("--on", "exact") >= {"may-manage-adapters", "adapter-is-ready"}
            bluez.run("bluetoothd-start")

    def test_hangs(self):
        with bluez.frozen():
            found("bluetoothd-is-silent", status=UNAVAILABLE)

    def test_denies_access(self, installed, nobody_may):
        finding = found("bluetoothd-denies-access", status=NO_PERMISSION, program=[*AS_NOBODY, installed])
        assert finding["command"] == "adduser nobody bluetooth"

    def test_an_ordinary_user(self, installed):
        status, findings = examine(program=[*AS_NOBODY, installed])
        assert status == 0
        levels = {each["finding"]: each["level"] for each in findings}
        assert levels["may-call-bluetoothd"] == "ok" and levels["no-capabilities"] == "note"
        found("no-capabilities", "--on", "exact", status=NO_PERMISSION, program=[*AS_NOBODY, installed])


class TestAdapters:
    def test_no_such_adapter(self):
        found("no-such-adapter", "--on", "bluez:hci99", status=UNAVAILABLE)

    def test_blocked(self):
        hci.block("hci0", True)
        try:
            assert found("blocked-by-rfkill", "--on", "bluez:hci0", status=UNAVAILABLE)["command"] == "rfkill unblock bluetooth"
            assert found("blocked-by-rfkill", status=0)["level"] == "note"  # there are others
        finally:
            unblock("hci0")

    def test_off(self):
        bluez.set_adapter_property("Powered", False)
        try:
            found("adapter-is-off", "--on", "bluez:hci0", status=0)
        finally:
            switch_on("hci0")

    def test_others_advertise(self):
        count = bluez.advertising_manager()["SupportedInstances"]
        with bluez.advertisers(1):
            assert "another advertisement is on hci0" == found("others-advertise", status=0)["message"]
        with bluez.advertisers(count):
            found("no-advertising-instance", "--on", "bluez:hci0", status=UNAVAILABLE)

    def test_an_instance_that_somebody_left(self):
        # Add Advertising: number 1, connectable, no duration, no timeout, no data
        hci.manage("hci0", 0x003E, bytes([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]))
        try:
            assert found("stray-instances", place="hci0", status=0)["command"] == "btmgmt --index 0 clr-adv"
        finally:
            hci.remove_advertising_instances()

    def test_a_central_is_connected(self):
        with bluez.advertisers(1), Central():
            eventually(lambda: "centrals-are-connected" in codes(), "no connection")
        bluez.disconnect("hci1")

    def test_somebody_scans(self):
        with bluez.discovery("hci1"):
            found("someone-scans", place="hci1", status=0)

    def test_a_device_runs(self):
        with Stand("hm-10@hci0", command="run") as run:
            run.await_event("on-air")
            environment = os.environ | {"XDG_RUNTIME_DIR": str(run.folder)}
            assert found("device-runs", status=0, env=environment)["message"] == "the device 'hm-10' runs on hci0"

    def test_a_static_address(self):
        with hci.static_address("hci0", bytes.fromhex("0100000000C0")):
            found("static-address-hides-bluetoothd", "--on", "bluez:hci0", status=UNAVAILABLE)

    def test_a_program_has_an_adapter_for_itself(self):
        hci.set_powered("hci5", False)
        with contextlib.closing(eventually(lambda: take("hci5"), "hci5 is busy")):
            found("adapter-is-held", "--on", "bluez:hci5", status=UNAVAILABLE)
        switch_on("hci5")

    def test_a_program_has_an_hci_socket(self):
        with socket.socket(socket.AF_BLUETOOTH, socket.SOCK_RAW, socket.BTPROTO_HCI):
            status, findings = examine()
            assert any(f"(process {os.getpid()})" in each["message"] for each in findings if each["finding"] == "program-listens")


def unblock(adapter):
    hci.block(adapter, False)
    switch_on(adapter)


def switch_on(adapter):
    """Switches an adapter on, for which bluetoothd may be busy."""
    def is_on():
        with contextlib.suppress(dbus.DBusException):
            bluez.set_adapter_property("Powered", True, adapter)
            return bluez.adapter_properties(adapter)["Powered"]

    eventually(is_on, lambda: f"{adapter} stays off")


def take(adapter):
    """Takes an adapter from the kernel; None: it is not off yet."""
    try:
        return hci._channel(hci.index(adapter), hci.USER_CHANNEL)
    except OSError:
        return None


class TestConfiguration:
    def test_what_a_virtual_peripheral_wants_to_know(self):
        with main_conf("[Policy]", "AutoEnable = false", "[GATT]", "ExchangeMTU = 64", "KeySize = 0", "[General]", "JustWorksRepairing = yes"):
            status, findings = examine()
            there = {each["finding"]: each for each in findings}
            assert {"own-device-information", "small-mtu", "adapters-stay-off", "no-repairing", "central-is-searched", "enhanced-channels",
                    "cached-attributes", "unknown-value", "adapter-is-off"} <= set(there)
            assert there["own-device-information"]["edit"] == {
                "file": str(CONFIGURATION), "section": "General", "key": "DeviceID", "value": "false"}
            assert there["unknown-value"]["message"] == f"{CONFIGURATION}:7: bluetoothd ignores 'JustWorksRepairing = yes'"
            # What concerns one device: a lamp has no 180A and does not pair.
            assert not {"own-device-information", "no-repairing"} & codes("elk-bledom")
            assert "own-device-information" in codes("jbd-bms")
            assert "no-repairing" in codes("ble-keyboard")

    def test_an_mtu_that_bluetoothd_does_not_bear(self):
        with main_conf("[GATT]", "ExchangeMTU = 23"):
            there = codes("--on", "bluez:hci0")
            if "adapter-is-ready" not in there:  # BlueZ before 5.87
                assert {"fatal-mtu", "adapter-is-not-served"} <= there

    def test_bluetooth_without_le(self):
        with main_conf("[General]", "ControllerMode = bredr"):
            found("no-low-energy-mode", status=UNAVAILABLE)
            found("adapter-is-not-served", "--on", "bluez:hci0", status=UNAVAILABLE)  # the adapters here have nothing else

    def test_a_line_for_which_bluetoothd_drops_the_file(self):
        with main_conf("[General]", "DeviceID false", "ReverseServiceDiscovery = false"):
            finding = found("configuration-is-broken", status=0)
            assert finding["message"].startswith(f"{CONFIGURATION}:2: bluetoothd ignores the whole file, because 'DeviceID false' is neither")
            assert bluez.adapter_properties("hci0").get("Modalias")  # as it is by default
            assert not {"own-device-information", "central-is-searched"} & codes()

    def test_another_file(self, tmp_path):
        other = tmp_path / "other.conf"
        other.write_text("[GATT]\nChannels = 4\n")
        bluez.restart("-f", other)
        assert found("enhanced-channels")["message"].startswith("bluetoothd opens up to 4 ")
        assert str(other) in found("configuration-is-read")["message"]
        restart("-f", tmp_path / "nowhere.conf")
        found("configuration-is-missing")
        bluez.restart()

    def test_a_file_that_has_changed(self):
        assert "configuration-is-newer" not in codes()
        time.sleep(3)  # its clock has seconds
        CONFIGURATION.touch()
        assert found("configuration-is-newer", status=0)["command"] == "service bluetooth restart"
        bluez.restart()

    def test_a_file_that_a_user_may_not_read(self, installed):
        CONFIGURATION.chmod(0o600)
        try:
            found("configuration-is-unreadable", status=0, program=[*AS_NOBODY, installed])
        finally:
            CONFIGURATION.chmod(0o644)


class TestRemedies:
    @pytest.fixture
    def environment(self, tmp_path):
        """A PATH with stand-ins for sudo and rfkill, which this machine lacks, and for bluetoothd's init script."""
        scripts = {"sudo": '"$@"', "service": 'bluetoothd-"$2"', "rfkill": "for each in /sys/class/rfkill/*/soft; do echo 0 >$each; done"}
        for name, script in scripts.items():
            (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
            (tmp_path / name).chmod(0o755)
        return os.environ | {"PATH": f"{tmp_path}:{os.environ['PATH']}"}

    def paste(self, command, environment):
        """Runs what a person pastes from the text of `blemu doctor`."""
        text = subprocess.run([PROGRAM, "doctor"], cwd=REPOSITORY, text=True, capture_output=True, env=environment).stdout
        assert command in text, text
        subprocess.run(["sh", "-ec", command], env=environment, check=True)

    def test_unblocks(self, environment):
        hci.block("hci0", True)
        try:
            self.paste("sudo rfkill unblock bluetooth", environment)
            assert examine("--on", "bluez:hci0")[0] == 0
        finally:
            unblock("hci0")

    def test_edits_the_configuration_and_restarts(self, environment):
        text = "# mine\n[GATT]\nChannels = 3\n[General]\nJustWorksRepairing = always\nReverseServiceDiscovery = false\nDeviceID = false\n"
        with main_conf(*text.splitlines()):
            assert "enhanced-channels" in codes()
            process = bluez.process()
            edit = f"printf '\\n[GATT]\\nChannels = 1\\n' | sudo tee -a {CONFIGURATION} && sudo service bluetooth restart"
            self.paste(edit, environment)
            assert CONFIGURATION.read_text() == text + "\n[GATT]\nChannels = 1\n"
            assert bluez.process() != process
            assert "enhanced-channels" not in codes()


class TestWithoutAdapters:
    def test_a_virtual_machine_without_an_adapter(self):
        bluez.run("bluetoothd-stop")
        bluez.run("radio-stop")
        try:
            restart(VM_CONTROLLERS="0")
            found("virtual-machine-without-adapter", status=UNAVAILABLE)
        finally:
            bluez.run("bluetoothd-stop")
            bluez.run("radio-start")
            bluez.run("bluetoothd-start")
