"""The attribute tables of the bundled definitions, as a central discovers them."""
from att import CCCD, Central
from device import DEFINITIONS, Blemu


def assert_table(definition, expected):
    with Blemu(definition), Central() as central:
        own = central.own_services()
        assert list(own.items()) == list(expected.items())


def test_hm10():
    # bluetoothd puts its own 2902 before the descriptors of blemu.
    assert_table("hm-10", {"FFE0": ["FFE1: read, write-without-response, notify", f" {CCCD}", " 2901"]})


def test_bracelet():
    assert_table("bracelet", {"FFE0": ["FFE1: read, write-without-response, write, notify", f" {CCCD}"]})


def test_every_property_and_descriptor():
    uart = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"
    assert_table(DEFINITIONS / "features.yaml", {
        uart.format(1): [
            uart.format(2) + ": read, write", " 2901", " 2904",
            uart.format(3) + ": write",
            uart.format(4) + ": indicate", f" {CCCD}",
            uart.format(5) + ": notify", f" {CCCD}"],
        "FFF0": [
            "FFF1: broadcast, read",
            "FFF2: write-without-response",
            "FFF3: read, notify, indicate", f" {CCCD}",
            "FFF4: read, authenticated-signed-writes",
            "FFF5: read, write, extended-properties", " 2900",
            "FFF6: read",
            "FFF7: ", " 2901"],
        "FFF8": ["secondary", "FFF9: read"]})
