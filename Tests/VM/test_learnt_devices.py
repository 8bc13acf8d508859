"""Published clients decode the same from a device that blemu has learnt from a recording of them as from the recorded device."""
import json

import pytest

import bluez
import hci
import test_batteries
import test_published_clients
import test_ring
from device import PROGRAM, Blemu


def ring():
    """Sets the ring's clock, and returns its versions, its battery and the heart rates of that day."""
    address = "--address", hci.address_text("hci0")
    test_ring.client(*address, "set-time", "--when", "2026-01-05T12:00:00")
    return test_ring.client(*address, "info") + test_ring.client(*address, "get-heart-rate-log", "--target", "2026-01-05")


def battery():
    return test_batteries.aiobmsble("JK-B2A8S20P")


def light():
    return test_published_clients.published("Triones:C10511000166", test_published_clients.LIGHT)


def treadmill():
    return test_published_clients.published("Treadmill", test_published_clients.TREADMILL)


def plays(definition, client, *arguments, on):
    """Puts a device on the air, and returns what the client decodes."""
    bluez.forget_devices()
    with Blemu(definition, *arguments, on=f"{on}:hci0"):
        return client()


def learn(recording, folder):
    """Learns hci0 from a recording, and returns the path of the definition and what blemu says."""
    said = json.loads(bluez.run(PROGRAM, "learn", recording, "--device", hci.address_text("hci0"), "-o", folder, "--json"))
    definition, = folder.glob("*.yaml")
    return definition, said


@pytest.mark.parametrize("device, client, settings, recorded_on", [
    pytest.param("colmi-r02", ring, {"level": 42}, "exact", marks=bluez.with_bleak_022),
    ("jk-bms", battery, test_batteries.SETTINGS | {"voltage": 26.4}, "bluez"),
    ("triones-light", light, {}, "bluez"),
    ("treadmill", treadmill, {}, "exact"),
], ids=["ring", "battery", "light", "treadmill"])
def test_a_client_decodes_the_same(device, client, settings, recorded_on, tmp_path):
    recording = tmp_path / f"{device}.pcapng"
    words = [word for setting in settings.items() for word in ("--set", "{}={}".format(*setting))]
    original = plays(device, client, *words, "--capture", recording, on=recorded_on)
    definition, said = learn(recording, tmp_path / "learnt")
    for transport in ("exact", "bluez"):
        assert plays(definition, client, on=transport) == original, f"on {transport}; learnt: {said}"
