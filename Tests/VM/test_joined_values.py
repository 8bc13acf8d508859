"""How bluetoothd notifies a central that takes Multiple Handle Value Notifications, as Linux does, and what that means for a keyboard."""
import pytest

from att import Central
from device import Blemu

MULTIPLE_NOTIFICATIONS = b"\x04"


def test_bluetoothd_notifies_such_a_central_of_each_value_in_a_pdu_for_several():
    with Blemu("heart-rate-belt"), Central() as central:
        rate = central.characteristic("2A37")
        central.subscribe(rate)
        central.notification()
        assert central.joined == []
        central.write(central.characteristic("2B29"), MULTIPLE_NOTIFICATIONS)
        while not central.joined:
            central.notification()
            assert central.last_handle == rate
        assert central.joined == [1]


@pytest.mark.parametrize("device, on, warns", [
    ("ble-keyboard", "bluez:hci0", True), ("ble-keyboard", "exact:hci0", False), ("heart-rate-belt", "bluez:hci0", False)])
def test_a_warning_says_that_a_linux_host_hears_no_key(device, on, warns):
    with Blemu(device, on=on) as blemu:
        assert [warning.startswith("Human Interface Device (1812): a Linux host hears no report") for warning in blemu.warnings()] == [True] * warns
