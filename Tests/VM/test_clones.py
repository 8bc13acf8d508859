"""`blemu clone` on hci1 asks bluetoothd and blemu on hci0, and published clients read clones."""
import functools

import pytest

import bluez
import hci
from cloning import clone
from device import Blemu
from published import set_to
from test_advertisers import assert_decodes
from test_fitness import BELT, POWER


def test_a_server_of_bluetoothd_is_cloned_with_all_its_attributes(tmp_path):
    bluez.forget_devices()
    with Blemu("heart-rate-belt", on="bluez:hci0"):
        before = hci.settings("hci1")
        definition, said = clone(hci.address_text("hci0"), tmp_path, "--subscribe", "3s")
        assert hci.settings("hci1") == before
    text = definition.read_text()
    assert "uuid: 180D" in text and "uuid: 2A37" in text and "uuid: 2A38" in text
    assert "mtu: 517" in text and "pairing" in said
    assert "local-name:" in text and "services: [180D]" in text


def belt(saw):
    assert (saw["sensor_contact"], saw["bpm"]) == (True, 90) and saw["rr_interval"] and 99 <= saw["battery"] <= 100


def meter(saw):
    assert 240 <= saw["power"] <= 260 and (saw["balance"], saw["where"]) == (104, "right_crank") and "crank_rev_supported" in saw["can"]


@pytest.mark.parametrize("device, name, client, check, settings", [
    ("heart-rate-belt", "Heart rate belt", BELT, belt, {"beats-per-minute": 90}),
    ("power-meter", "Power meter", POWER, meter, {"power": 250, "balance": 52, "location": 6}),
], ids=["belt", "meter"])
def test_a_published_client_reads_the_clone_of_a_device_that_streams(device, name, client, check, settings, tmp_path, published):
    bluez.forget_devices()
    with Blemu(device, *set_to(settings), on="exact:hci0"):
        definition, _ = clone(hci.address_text("hci0"), tmp_path, "--subscribe", "5s")
    for transport in ("exact", "bluez"):
        saw, _ = published.reads(transport, definition, client, name=name)
        check(saw)


@pytest.mark.parametrize("transport", ["bluez", "exact"])
def test_bthome_ble_decodes_a_clone_of_a_bthome_sensor(transport, tmp_path, published):
    settings = {"temperature": -5.5, "humidity": 50.55, "drift": 0, "battery": 42, "voltage": 2100, "is-open": True}
    bluez.forget_devices()
    with Blemu("bthome-sensor", *set_to(settings), on=f"{transport}:hci0") as blemu:
        definition, _ = clone(blemu.happened("on-air")[0]["address"], tmp_path)
    # exact serves the clone of bluetoothd's own services, too
    assert_decodes(functools.partial(published.reads, "exact"), definition, {}, "bthome-ble", {
        "temperature": -5.5, "humidity": 50.55, "battery": 42, "voltage": 2.1, "opening": True,
    })
