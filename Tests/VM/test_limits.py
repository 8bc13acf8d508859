"""Devices that BlueZ cannot serve are refused before they are on the air. While they run, such changes are ignored."""
import bluez
from air import structures
from att import Central
from device import DEFINITIONS, Blemu
from test_errors import BAD_DEFINITION, assert_refused

GROWING = DEFINITIONS / "growing.yaml"


def test_settings_beyond_the_limits_are_refused_before_the_device_is_on_the_air():
    before = bluez.adapter_properties()
    assert_refused(BAD_DEFINITION, "advertising data needs 47 bytes, but only 31 fit: manufacturer-data takes 44; shorten it by 16",
                   "change the setting, or shorten the definition's advertisement", GROWING, "--set", "data=" + 40 * "00")
    assert_refused(BAD_DEFINITION,
                   r"the service 'port': BlueZ serves its own Generic Attribute \(1801\) instead of this one, and there is no other service",
                   "change the setting with --set or in the file of --state", GROWING, "--set", "service=1801")
    assert bluez.adapter_properties() == before


def test_changes_beyond_the_limits_are_ignored(air):
    problem = "advertising data needs 43 bytes, but only 31 fit: manufacturer-data takes 40; shorten it by 12"
    with Blemu(GROWING) as blemu:
        for message in (
                f"the advertisement stays as it was: {problem}", f"nothing is advertised: {problem}",
                "the attributes stay as they were: the service 'port': BlueZ serves its own Generic Access (1800) "
                "instead of this one, and there is no other service"):
            blemu.await_event("log", message=message)
        air.wait_for(lambda each: (0xFF, b"\xff\xff\x01\x02") in structures(each.data))
        with Central() as central:
            assert list(central.own_services()) == ["FFE0"]
