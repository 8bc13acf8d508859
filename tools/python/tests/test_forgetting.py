"""What BlueZ keeps of devices, with a program in the place of dbus-send."""
import blemu
import pytest

DBUS_SEND = """#!/bin/sh
echo "$4 $5 $6" >>"$CALLS"
case $5 in
*.GetManagedObjects)
  echo '      object path "/org/bluez/hci0/dev_BE_E0_00_00_00_01"'
  echo '      object path "/org/bluez/hci1/dev_BE_E0_00_00_00_00"'
  echo '      object path "/org/bluez/hci1/dev_BE_E0_00_00_00_00/service0010"'
  echo '      object path "/org/bluez/hci2/dev_BE_E0_00_00_00_00"' ;;
esac
"""


def test_forgets_a_device_on_each_adapter(tmp_path, monkeypatch):
    program, calls = tmp_path / "dbus-send", tmp_path / "calls"
    program.write_text(DBUS_SEND)
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("CALLS", str(calls))
    blemu.forget("BE:E0:00:00:00:00")
    assert sorted(calls.read_text().splitlines()) == [
        "/ org.freedesktop.DBus.ObjectManager.GetManagedObjects ",
        "/org/bluez/hci1 org.bluez.Adapter1.RemoveDevice objpath:/org/bluez/hci1/dev_BE_E0_00_00_00_00",
        "/org/bluez/hci2 org.bluez.Adapter1.RemoveDevice objpath:/org/bluez/hci2/dev_BE_E0_00_00_00_00",
    ]


def test_says_what_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(blemu.Error, match="dbus-send"):
        blemu.forget("BE:E0:00:00:00:00")
