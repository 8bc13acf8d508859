"""Advertising byte by byte, as the controller gets it and as the log shows it."""
import pytest

import bluez
import hci
from device import DEFINITIONS, Blemu

# hm-10: complete list of 16-bit services FFE0; manufacturer data "HM" and the address, first byte first; service data of B000.
HM10 = "0303E0FF 09FF484D{address} 071600B000000000"
# Manufacturer data of Apple: 02 15, the UUID, major, minor, power.
BEACON = "1AFF4C00 02 15 74278BDAB64445208F0C720EAF059935 FFE0 FFE1 C5"
HMSOFT = "0709" + b"HMSoft".hex()  # complete name


@pytest.mark.parametrize("arguments, data, scan_response", [
    # Flags; tx power 0. The scan response has only the complete name.
    pytest.param(["hm-10"], f"{HM10} 020106 020A00", HMSOFT, id="hm10"),
    pytest.param(["hm-10", "--set", "local-name=Demo"], f"{HM10} 020106 020A00", "0509" + b"Demo".hex(), id="hm10_by_another_name"),
    # There is only room for flags.
    pytest.param(["hm-10", "--set", "ibea=1"], f"{BEACON} 020106", HMSOFT, id="hm10_as_an_ibeacon"),
    # The kernel adds the flags, without a discoverable mode. There is no scan response, where the module has tx power and name.
    pytest.param(["hm-10", "--set", "adty=3"], f"020104 {HM10}", "", id="hm10_that_nobody_can_connect_to"),
    # BlueZ before 5.77 sends the value 0 of the controller instead of 2.
    pytest.param(["bracelet"], f"0303E0FF 020106 020A{'00' if bluez.VERSION < (5, 77) else '02'}", "0909" + b"Bracelet".hex(), id="bracelet"),
    # After BlueZ's own fields, in the order of the definition: URI 17 ("https:") and the name, Broadcast Name "be".
    pytest.param([DEFINITIONS / "raw.yaml"], f"0303E0FF 082417{b'HMSoft'.hex()} 032D6265 020106 020A00", HMSOFT, id="raw_structures"),
])
def test_the_controller_and_the_log_agree(air, arguments, data, scan_response):
    data = bytes.fromhex(data.format(address=bytes(reversed(hci.address("hci0"))).hex()))
    scan_response = bytes.fromhex(scan_response)
    said = data.replace(b"\x02\x0a\x00", b"\x02\x0a\x02") if arguments == ["bracelet"] else data
    with Blemu(*arguments) as blemu:
        on_air = blemu.happened("on-air")[0]
        assert on_air["advertising-data"] == said.hex(" ").upper()
        assert on_air["scan-response"] == scan_response.hex(" ").upper()
        wanted = (data, scan_response, "adty=3" not in arguments)
        air.wait_for(lambda it: (it.data, it.scan_response, it.connectable) == wanted)
    air.wait_for_silence()


#: The first with ScanResponse… properties.
SENDS_SCAN_RESPONSES = bluez.VERSION >= (5, 80)


def test_each_packet_has_its_fields_where_bluez_can_send_them(air):
    services, data, name = "0303E0FF", "06FFFFFF010203", "0509" + b"Both".hex()
    service_data, beacon, uri = "0516AAFE1020", "05FF4C000215", "0324172F"
    if SENDS_SCAN_RESPONSES:
        data, scan_response = f"{services} {data} 020106", f"{beacon} {service_data} {name} {uri}"
    else:  # A second structure of a type with a property cannot be sent.
        data, scan_response = f"{services} {data} {service_data} {uri} 020106", name
    data, scan_response = bytes.fromhex(data), bytes.fromhex(scan_response)
    with Blemu(DEFINITIONS / "both-packets.yaml") as blemu:
        on_air = blemu.happened("on-air")[0]
        assert on_air["advertising-data"] == data.hex(" ").upper()
        assert on_air["scan-response"] == scan_response.hex(" ").upper()
        air.wait_for(lambda it: (it.data, it.scan_response, it.connectable) == (data, scan_response, True))
        assert blemu.warnings() == []
    air.wait_for_silence()


def test_a_device_that_is_no_longer_connectable_is_not_discoverable_either(air):
    with Blemu(DEFINITIONS / "closing.yaml") as blemu, blemu.device() as device:
        # The kernel adds the Flags of a device that is not discoverable, before the others.
        air.wait_for(lambda it: (it.data, it.connectable) == (bytes.fromhex("0303F0FF 020106"), True))
        device.press("close")
        air.wait_for(lambda it: (it.data, it.connectable) == (bytes.fromhex("020104 0303F0FF"), False))
        assert blemu.warnings() == []
    air.wait_for_silence()


def temperature(advertising):
    """Returns the value in the manufacturer data of FFFF; None: there are none."""
    _, structure, rest = advertising.data.partition(bytes.fromhex("04FFFFFF"))
    return rest[0] if structure else None


def test_a_device_without_services_only_advertises(air):
    with Blemu(DEFINITIONS / "beacon.yaml") as blemu:
        value = 19
        for _ in range(3):  # a new value each second
            found = air.wait_for(lambda it, last=value: not it.connectable and (temperature(it) or 0) > last)
            value = temperature(found)
        assert blemu.warnings() == []
    air.wait_for_silence()
