"""Errors that prevent a run: the exit status, one sentence, and a hint."""
import os
import pathlib
import re
import subprocess

import pytest

import bluez
import hci
from device import DEFINITIONS, PROGRAM, REPOSITORY, Blemu
from patience import PATIENCE

UNAVAILABLE, USAGE, BAD_DEFINITION, NO_DEFINITION, CANNOT_CREATE, NO_PERMISSION = 69, 64, 65, 66, 73, 77

WITHOUT = "without Bluetooth: '--on loopback' runs the device in memory, .+tools/vm has BlueZ with virtual adapters"


def assert_prints(pattern, status, *arguments, program=(PROGRAM,), **options):
    """Checks that `blemu run` prints nothing on standard output, and text that matches on standard error."""
    command = [*program, "run", *map(str, arguments)]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, timeout=PATIENCE, **options)
    assert (done.stdout, done.returncode) == ("", status), done.stderr
    assert re.fullmatch(pattern, done.stderr), done.stderr


def assert_refused(status, message, hint, *arguments, **options):
    """Checks that `blemu run` prints one sentence, and a hint below it."""
    assert_prints(f"blemu: {message}\n  {hint}\n", status, *arguments, **options)


def assert_points_to_doctor(status, message, hint, *arguments, **options):
    """Checks that the lines are those of something that `blemu doctor` looks for."""
    assert_refused(status, message, f"{hint}\n  'blemu doctor' examines this machine", *arguments, **options)


@pytest.mark.parametrize("name", ["hci99", "02:00:00:00:00:99"])
def test_no_such_adapter(name):
    there = "available: " + ", ".join(rf"{name} \({hci.address_text(name)}\)" for name in hci.adapters())
    assert_points_to_doctor(UNAVAILABLE, f"there is no adapter {name}", there, "hm-10", "--on", f"bluez:{name}")


def test_no_bus():
    assert_points_to_doctor(UNAVAILABLE, "cannot connect to the D-Bus system bus: .+", rf"start it \(.+\)\n  {WITHOUT}", "hm-10",
                            env=os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"})


def test_bluetoothd_stopped():
    bluez.run("bluetoothd-stop")
    try:
        assert_points_to_doctor(UNAVAILABLE, "bluetoothd is not running", f"start it: .+\n  {WITHOUT}", "hm-10")
    finally:
        bluez.run("bluetoothd-start")


def test_adapter_full_of_advertisements():
    count = bluez.advertising_manager()["SupportedInstances"]
    with bluez.advertisers(count):
        before = bluez.adapter_properties()
        assert_points_to_doctor(UNAVAILABLE, f"hci0 has no free advertising instance; in use: {count}",
                                "stop another program that advertises, or choose another adapter with --on bluez:hciN",
                                "hm-10", "--on", "bluez:hci0")
        assert bluez.adapter_properties() == before


def test_no_permission_to_record(installed, tmp_path):
    path = tmp_path / "a.log"
    assert_refused(NO_PERMISSION, "--capture needs the capability CAP_NET_RAW to record hci0", "grant it .+",
                   "hm-10", "--capture", path, program=["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", installed])
    assert not path.exists()


def test_no_permission(installed, nobody_may):
    assert_points_to_doctor(NO_PERMISSION, "the system bus refuses access to bluetoothd: .+", "run blemu (with sudo|as root), .+",
                            "hm-10", program=["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", installed])


def test_advertisement_too_long():
    assert_prints(r"(.*\n)*.*too-long\.yaml:\d+:\d+: error: .*31(.*\n)*", BAD_DEFINITION, DEFINITIONS / "too-long.yaml")


def test_unknown_name():
    assert_refused(NO_DEFINITION, "there is no definition 'hm10'", "did you mean 'hm-10'.*", "hm10")


def test_terminal_link_would_replace_a_file():
    file = pathlib.Path("/tmp/precious")
    file.write_text("mine")
    assert_refused(CANNOT_CREATE, "cannot create the link '/tmp/precious': File exists", "choose an unused path .+",
                   "hm-10", "--pty", file)
    assert file.read_text() == "mine"


def test_no_wire_side():
    assert_refused(USAGE, "Fitness bracelet has no wire side for '--pty'", "remove the option, or add 'wire:' .+",
                   "bracelet", "--pty", "/tmp/bracelet")


def test_setting_out_of_range():
    assert_prints(r"blemu: --set local-name: .+12(.*\n)*", USAGE, "hm-10-cable", "--set", "local-name=Thirteen bytes")


def test_a_user_with_access_to_bluetoothd_does_not_need_root(installed):
    with Blemu("bracelet", program=installed, user="nobody", group="nogroup", extra_groups=[],
               env=os.environ | {"HOME": "/nonexistent"}) as blemu:
        assert "if blemu is killed" in blemu.warnings()[0]
