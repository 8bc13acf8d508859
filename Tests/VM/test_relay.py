"""Published clients on hci1 decode the same from a relay (hci0, and hci3 as its central) as from the device before it (hci2)."""
import pytest

import bluez
import hci
from blemu.command import RunCommand
from device import PROGRAM, Blemu
from published import set_to
from test_batteries import SETTINGS
from test_learnt_devices import BATTERY, RING, STRIP


class RelayCommand(RunCommand):
    def words(self, program, socket):
        program, _, *rest = super().words(program, socket)
        return [program, "relay", *rest]


class Relay(Blemu):
    """`blemu relay` of the device on hci2. A context manager like that of `blemu run`."""

    def __init__(self, on, *arguments):
        command = RelayCommand(hci.address_text("hci2"), on, log="json", arguments=["--through", "exact:hci3", *arguments])
        self._run(command, PROGRAM)


def only_for_one(device, folder):
    """The device, which does not advertise while the relay is connected to it, so that a client finds only the relay by name."""
    definition = folder / f"{device}.yaml"
    definition.write_text(f"blemu: 1\nextends: {device}\nlink: {{ centrals: 1 }}\n")
    return definition


@pytest.mark.parametrize("device, client, settings", [
    pytest.param("colmi-r02", RING, {"level": 42}, marks=bluez.with_bleak_022),
    ("jk-bms", BATTERY, SETTINGS | {"voltage": 26.4}),
    ("triones-light", STRIP, {}),
], ids=["ring", "battery", "light"])
@pytest.mark.parametrize("on, names_messages", [("exact:hci0", False), ("exact:hci0", True), ("bluez:hci0", True)], ids=["bare", "named", "named-on-bluez"])
def test_a_client_decodes_the_same(device, client, settings, on, names_messages, tmp_path, published):
    words = set_to(settings)
    bluez.forget_devices()
    with Blemu(device, *words, on="exact:hci0"):
        original = published.ask(**client)
    bluez.forget_devices()
    with Blemu(only_for_one(device, tmp_path), *words, on="exact:hci2") as served:
        with Relay(on, *(["--as", device] if names_messages else [])) as relay:
            assert published.ask(**client) == original
            assert relay.happened("connected") and relay.happened("write")
            assert bool(relay.happened("log")) == names_messages
        assert served.happened("write")
