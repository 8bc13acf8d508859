"""The machine without blemu, on which the other tests rely."""
import pytest

import bluez
import hci
from air import structures
from att import Central, assert_refused

# Flags 06, complete list of 16-bit service UUIDs: FFE0
ADVERTISING_DATA = bytes.fromhex("020106 0303E0FF")


@pytest.fixture(autouse=True)
def advertisement():
    """An advertisement without a program. bluetoothd answers with its own services."""
    bluez.run("btmgmt", "--index", "0", "add-adv", "-c", "-d", ADVERTISING_DATA.hex(), "1")
    yield
    bluez.run("btmgmt", "--index", "0", "rm-adv", "1")


def test_adapters_are_powered():
    for adapter in ("hci0", "hci1"):
        assert bluez.adapter_properties(adapter)["Powered"]


def test_the_advertising_of_the_controller_is_seen(air):
    advertising = air.wait_for(lambda it: it.data == ADVERTISING_DATA)
    assert structures(advertising.data) == [(0x01, b"\x06"), (0x03, b"\xe0\xff")]


def test_central_reads_the_attribute_table(central):
    assert "1800" in [row.uuid for row in central.attributes() if row.type == "2800"]
    name = central.read_long(central.characteristic("2A00"))
    assert name.decode() == bluez.adapter_properties()["Alias"]
    assert_refused(0x01, central.read, 0xFFF0)


def test_centrals_connect_one_after_another():
    for mtu in (517, 0, 100):
        with Central(mtu=mtu) as central:
            assert central.exchange_mtu(mtu or 23) == 517
    assert hci.links("hci0") == []
