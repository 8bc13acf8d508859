"""Published clients decode the same from a device that blemu has learnt from a recording of them as from the recorded device."""
import json

import pytest

import bluez
import hci
from device import PROGRAM, Blemu
from published import set_to
from test_batteries import AIOBMSBLE, SETTINGS
from test_fitness import TREADMILL
from test_lights import LIGHT
from test_ring import DAY


RING = {"code": DAY, "own_python": True}
BATTERY = {"code": AIOBMSBLE, "name": "JK-B2A8S20P"}
STRIP = {"code": LIGHT, "name": "Triones:C10511000166"}
BELT = {"code": TREADMILL, "name": "Treadmill"}


def learn(recording, folder):
    """Learns hci0 from a recording, and returns the path of the definition and what blemu says."""
    said = json.loads(bluez.run(PROGRAM, "learn", recording, "--device", hci.address_text("hci0"), "-o", folder, "--json"))
    definition, = folder.glob("*.yaml")
    return definition, said


@pytest.mark.parametrize("device, client, settings, recorded_on", [
    pytest.param("colmi-r02", RING, {"level": 42}, "exact", marks=bluez.with_bleak_022),
    ("jk-bms", BATTERY, SETTINGS | {"voltage": 26.4}, "bluez"),
    ("triones-light", STRIP, {}, "bluez"),
    ("treadmill", BELT, {}, "exact"),
], ids=["ring", "battery", "light", "treadmill"])
def test_a_client_decodes_the_same(device, client, settings, recorded_on, tmp_path, published):
    def plays(definition, *arguments, on):
        """Puts a device on the air, and returns what the client decodes."""
        bluez.forget_devices()
        with Blemu(definition, *arguments, on=f"{on}:hci0"):
            return published.ask(**client)

    recording = tmp_path / f"{device}.pcapng"
    original = plays(device, *set_to(settings), "--capture", recording, on=recorded_on)
    definition, said = learn(recording, tmp_path / "learnt")
    for transport in ("exact", "bluez"):
        assert plays(definition, on=transport) == original, f"on {transport}; learnt: {said}"
