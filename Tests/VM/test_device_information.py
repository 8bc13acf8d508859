"""A device with its own Device Information (180A), with and without bluetoothd's."""
import bluez
from att import Central
from blemu import Blemu


def models(central):
    """Returns for each service 180A that a central finds whether it has a Model Number (2A24)."""
    return [any(line.startswith("2A24") for line in lines) for uuid, lines in central.services() if uuid == "180A"]


def test_without_a_device_id_there_is_only_the_device_s_own():
    """Follows the README: 'DeviceID = false'."""
    with bluez.configured("[General]\nDeviceID = false"), Blemu("bluno") as blemu, Central() as central:
        assert models(central) == [True]
        assert central.read(central.characteristic("2A24")) == b"DF Bluno"
        assert blemu.warnings() == []


# The setting of Debian:

def test_bluetoothd_s_comes_first_and_a_warning_explains_what_to_do():
    with Blemu("bluno") as blemu, Central() as central:
        assert models(central) == [False, True]
        warnings = blemu.warnings()
        assert len(warnings) == 1
        assert "set 'DeviceID = false' under [General] in /etc/bluetooth/main.conf" in warnings[0]


def test_a_device_without_one_has_no_warning():
    with Blemu("bracelet") as blemu:
        assert blemu.warnings() == []
