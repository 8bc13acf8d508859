"""Rules change the advertisement, connections and answers."""
import pytest

import bluez
from air import structures
from att import Central, assert_refused
from device import DEFINITIONS, Blemu


@pytest.fixture
def blemu():
    with Blemu(DEFINITIONS / "changing.yaml") as blemu:
        yield blemu


@pytest.fixture
def command(blemu, central):
    return central.characteristic("FFE1")


@pytest.fixture
def await_advertising(air):
    """Waits until the controller advertises this name and this number."""
    def await_advertising(name=b"Before", count=0):
        air.wait_for(lambda each: (9, name) in structures(each.scan_response)
                     and (0xFF, bytes([0xFF, 0xFF, count])) in structures(each.data))

    return await_advertising


def test_read_and_write_rules_answer_with_values_and_errors(command, central):
    assert central.read(command) == b"\0"
    central.write(command, b"\x02")
    assert central.read(command) == b"\x01"
    assert_refused(0x81, central.write, command, b"12345")
    assert_refused(0x0D, central.write, command, b"1234")


def test_a_rule_that_waits_between_values(blemu, command, central):
    central.subscribe(central.characteristic("FFE2"))
    blemu.await_event("subscribed", attribute="events")
    central.write(command, b"\x05")
    assert [central.notification()[0] for _ in range(3)] == [3, 2, 1]


def test_a_full_device_stops_advertising_until_it_has_room(air, await_advertising, blemu):
    await_advertising()
    with Central() as central:
        command = central.characteristic("FFE1")
        central.write(command, b"\x02")
        air.wait_for_silence()
        central.write(command, b"\x04")  # a rule ends the connection
        central.await_disconnection()
        blemu.await_event("disconnected")
        await_advertising(count=1)


def test_a_rule_ends_advertising(air, blemu, command, central):
    central.write(command, b"\x03")
    central.close()
    blemu.await_event("disconnected")
    air.wait_for_silence()


def test_a_reset_ends_the_connection_and_keeps_the_new_name(await_advertising, blemu, command, central):
    blemu.await_event("log", message="started with 0")
    central.write(command, b"\x01")
    central.await_disconnection()
    blemu.await_event("log", message="started with 0")
    await_advertising(b"After")


def test_bluetoothd_survives_a_device_that_ends_when_its_central_has_left(blemu):
    """The device ends while it begins to advertise again, which bluetoothd 5.66 survives only if the calls come in the
    right order. In which moment of the registration the end comes is chance here; BlueZTests try each of them."""
    bluetoothd = bluez.run("pidof", "bluetoothd")
    with bluez.Calls("UnregisterAdvertisement", "RegisterAdvertisement") as calls:
        with Central() as central:
            central.read(central.characteristic("FFE1"))
            calls.await_next()  # a visit that ends before this call has no effect on the advertisement
        calls.await_next()
        assert blemu.stop() == 0
    assert blemu.warnings() == []
    assert bluez.run("pidof", "bluetoothd") == bluetoothd


def test_of_sixty_names_in_a_row_the_last_is_advertised(air):
    with Blemu(DEFINITIONS / "renaming.yaml", "--stdio") as blemu:
        blemu.process.stdin.write(b"".join(b"Name %d\n" % number for number in range(60)))
        air.wait_for(lambda each: (9, b"Name 59") in structures(each.scan_response))
        assert blemu.warnings() == []
