"""--on exact:ADAPTER: blemu takes the adapter from the kernel, serves it with a host of its own, and gives it back."""
import contextlib
import os
import pathlib
import pwd
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import pytest

import bluez
import hci
from att import Central, assert_refused
from device import DEFINITIONS, PROGRAM, REPOSITORY, Blemu, Stand, guards, wait_for_guards
from patience import PATIENCE, eventually
from wire import LINK, same

UNAVAILABLE, NO_PERMISSION = 69, 77
INVALID_HANDLE, READ_NOT_PERMITTED, WRITE_NOT_PERMITTED, INVALID_PDU, INVALID_LENGTH = 0x01, 0x02, 0x03, 0x04, 0x0D
CCCD_IMPROPERLY_CONFIGURED = 0xFD
INSUFFICIENT_AUTHENTICATION, REQUEST_NOT_SUPPORTED = 0x05, 0x06
ASKED, CHANGING, RENAMING, BEACON, OWN_ADDRESS, GIVEN_ADDRESS = (
    DEFINITIONS / f"{name}.yaml" for name in ("asked-wire", "changing", "renaming", "beacon", "own-address", "given-address"))
KILLED = "an earlier run was killed; blemu restores the settings of hci0 when this run ends"
#: The index of an adapter that a program has taken from the kernel.
INVALID_INDEX = 17


def exact(*arguments, on="exact:hci0", **options):
    return Blemu(*arguments, on=on, **options)


def use(peripheral="hci0", own="hci1"):
    """Lets a central read the serial characteristic of an hm-10-cable."""
    with Central(peripheral, own) as central:
        assert central.read(central.characteristic("FFE1")) == bytes(reversed(hci.address(peripheral)))


def name_field(name):
    """Returns the advertising structure of a complete name."""
    return bytes([len(name) + 1, 0x09]) + name.encode()


#: The last line of what `blemu run` says of this machine.
POINTER = "  'blemu doctor' examines this machine\n"


def refusal(*arguments, program=(PROGRAM,), **options):
    """Returns the exit status and standard error of a `blemu run` that ends by itself."""
    done = subprocess.run([*program, "run", *map(str, arguments)], cwd=REPOSITORY, text=True, capture_output=True, timeout=PATIENCE,
                          **options)
    return done.returncode, done.stderr


@pytest.fixture
def no_bluetoothd():
    """A machine without bluetoothd, on which only hci1 is powered."""
    bluez.run("bluetoothd-stop")
    hci.set_powered("hci1", True)
    assert not hci.is_powered("hci0")
    yield
    bluez.run("bluetoothd-start")
    bluez.wait_for_adapter("hci0", Powered=True)


class TestAdvertising:
    # Flags; services; manufacturer data; service data; tx power; appearance; name. hm-10-cable has the packets of real modules.
    # Without an interval in the definition it is 100 ms.
    @pytest.mark.parametrize("arguments, data, response, interval", [
        (["hm-10-cable"], "020106 09FF484D{address} 071600B000000000 0302E0FF", "020A00 0709484D536F6674", 1285),
        (["bracelet"], "020106 0303E0FF 020A02", "090942726163656C6574", 100),
        (["heart-rate-belt"], "020106 03030D18 03194103", "1009486561727420726174652062656C74", 100),
        (["itag", "--set", "local-name=Keys"], "020106 020A00 0319C103 0302E0FF", "11094B657973202020202020202020202020", 100),
        (["bluno"], "020106 0303B0DF 020A00", "0609426C756E6F", 100),
        (["nordic-uart"], "020106 0C094E6F726469635F55415254", "1107 9ECADC240EE5A9E093F3A3B50100406E", 40),
    ], ids=["hm-10-cable", "bracelet", "heart-rate-belt", "itag", "bluno", "nordic-uart"])
    def test_the_air_has_what_the_definition_says(self, air, arguments, data, response, interval):
        response = bytes.fromhex(response)
        data = bytes.fromhex(data.format(address=bytes(reversed(hci.address("hci0"))).hex()))
        with exact(*arguments) as blemu:
            on_air = blemu.happened("on-air")[0]
            assert on_air["advertising-data"] == data.hex(" ").upper()
            assert on_air["scan-response"] == response.hex(" ").upper()
            wanted = (data, response, True, (interval, interval))
            air.wait_for(lambda it: (it.data, it.scan_response, it.connectable, it.interval) == wanted)
            self.assert_heard(air, {("ADV_IND", data), ("SCAN_RSP", response)})
        air.wait_for_silence()

    def test_a_thermobeacon_lists_its_service_as_incomplete(self, air):
        beginning = bytes.fromhex("020106 0302F0FF 15FF1000")  # the values behind it change each second
        with exact("thermobeacon"):
            air.wait_for(lambda it: it.data.startswith(beginning) and it.scan_response == name_field("ThermoBeacon") and it.connectable)

    @pytest.mark.parametrize("adty, kind, has_response", [("2", "ADV_SCAN_IND", True), ("3", "ADV_NONCONN_IND", False)])
    def test_nobody_can_connect_to_a_device_that_only_advertises(self, air, adty, kind, has_response):
        data = bytes.fromhex(f"020104 09FF484D{bytes(reversed(hci.address('hci0'))).hex()} 071600B000000000 0302E0FF")
        with exact("hm-10", "--set", f"adty={adty}"):
            air.wait_for(lambda it: (it.data, it.connectable) == (data, False))
            self.assert_heard(air, {(kind, data)} | ({("SCAN_RSP", bytes.fromhex("020A00") + name_field("HMSoft"))} if has_response else set()))

    def test_a_device_without_services_only_advertises(self, air):
        with exact(BEACON) as blemu:
            assert blemu.happened("on-air")[0]["services"] == ""
            # A new value each second.
            numbers = air.wait_for_sets(1)
            beginning, value = bytes.fromhex("020104 04FFFFFF"), 19
            for _ in range(3):
                found = air.wait_for(lambda it, last=value: it.data[:-1] == beginning and it.data[-1] > last and not it.connectable)
                value = found.data[-1]
                assert air.wait_for_sets(1) == numbers
        air.wait_for_silence()

    def assert_heard(self, air, pdus, of="hci0"):
        """Checks that hci1 hears these PDUs, and no others."""
        air.forget_reports()
        with bluez.discovery("hci1"):
            for pdu in pdus:
                air.wait_to_hear(*pdu, of=of)
            assert air.heard(of) == pdus

    def test_changed_data_replaces_the_data_of_the_instance(self, air):
        with exact(RENAMING, "--stdio") as blemu:
            air.wait_for(lambda it: it.scan_response == name_field("Before"))
            numbers = air.wait_for_sets(1)
            air.forget_reports()
            with bluez.discovery("hci1"):
                air.wait_to_hear("SCAN_RSP", name_field("Before"))
                for name in ("After", "Something else"):
                    blemu.process.stdin.write(name.encode() + b"\n")
                    air.wait_to_hear("SCAN_RSP", name_field(name))
                    assert air.wait_for_sets(1) == numbers
            assert blemu.warnings() == []
        air.wait_for_silence()

    def test_advertises_on_while_centrals_are_connected(self, air, contexts):
        with exact("bracelet") as blemu:
            for number, own in enumerate(("hci1", "hci2", "hci3"), 1):
                central = contexts.enter_context(Central(own=own))
                central.characteristic("FFE1")
                air.wait_for()
            assert [each["central"] for each in blemu.happened("connected")] == [hci.address_text(f"hci{n}") for n in (1, 2, 3)]

    def test_a_device_has_its_own_address(self, air):
        before = hci.settings("hci0")
        addresses = set()
        for definition in (OWN_ADDRESS, OWN_ADDRESS, GIVEN_ADDRESS):
            with exact(definition) as blemu:
                on_air = blemu.happened("on-air")[0]
                assert (on_air["adapter"], on_air["address-type"]) == ("hci0", "random")
                address = bytes(reversed(bytes.fromhex(on_air["address"].replace(":", ""))))
                assert address[-1] >= 0xC0
                addresses.add(on_air["address"])
                data = bytes.fromhex("020106 09FFFFFF") + bytes(reversed(address))
                self.assert_heard(air, {("ADV_IND", data), ("SCAN_RSP", name_field(on_air["name"]))}, of=address)
            assert hci.settings("hci0") == before
        assert len(addresses) == 2 and "C0:00:5E:00:53:01" in addresses

    def test_a_central_connects_to_the_own_address_of_a_device(self):
        done = subprocess.run([PROGRAM, "test", DEFINITIONS / "given-address.transcript", "--on", "exact:hci0", "--central", "bluez:hci1"],
                              cwd=REPOSITORY, text=True, capture_output=True, timeout=PATIENCE)
        assert done.returncode == 0, done.stdout + done.stderr


class TestAttributes:
    # Generic Access, Generic Attribute, then the UART, as a real module has them
    PRIMARY = [("0x0001", "0x000b", "1800"), ("0x000c", "0x000f", "1801"), ("0x0010", "0x0014", "ffe0")]
    # Declaration, properties (read 02, write without response 04, write 08, notify 10, indicate 20), value, UUID
    CHARACTERISTICS = [("0x0002", "0x02", "0x0003", "2a00"), ("0x0004", "0x02", "0x0005", "2a01"), ("0x0006", "0x0a", "0x0007", "2a02"),
                       ("0x0008", "0x0a", "0x0009", "2a03"), ("0x000a", "0x02", "0x000b", "2a04"), ("0x000d", "0x20", "0x000e", "2a05"),
                       ("0x0011", "0x16", "0x0012", "ffe1")]
    TYPES = ["2800", "2803", "2a00", "2803", "2a01", "2803", "2a02", "2803", "2a03", "2803", "2a04",
             "2800", "2803", "2a05", "2902", "2800", "2803", "ffe1", "2902", "2901"]

    def test_gatttool_shows_the_table(self):
        with exact("hm-10-cable"):
            primary = bluez.gatttool("--primary")
            characteristics = bluez.gatttool("--characteristics")
            types = bluez.gatttool("--char-desc")
        assert re.findall(r"attr handle = (\w+), end grp handle = (\w+) uuid: 0000(\w{4})-", primary) == self.PRIMARY
        assert re.findall(r"handle = (\w+), char properties = (\w+), char value handle = (\w+), uuid = 0000(\w{4})-",
                          characteristics) == self.CHARACTERISTICS
        assert re.findall(r"handle = (\w+), uuid = 0000(\w{4})-", types) == \
            [(f"0x{handle:04x}", kind) for handle, kind in enumerate(self.TYPES, 1)]

    def test_the_mtu_of_the_definition_limits_both_sides(self):
        with exact("hm-10-cable", "--stdio") as blemu, Central() as central:
            assert central.exchange_mtu(517) == 23
            serial = central.characteristic("FFE1")
            assert_refused(INVALID_PDU, central.write, serial, bytes(21))
            central.write_command(serial, bytes(21))
            central.write(serial, b"twenty bytes arrive.")
            assert blemu.await_event("wire-out")["text"] == "twenty bytes arrive."
            central.subscribe(serial)
            blemu.process.stdin.write(b"these are more than twenty bytes\n")
            assert [central.notification() for _ in range(2)] == [b"these are more than ", b"twenty bytes\n"]
            assert len(blemu.happened("write")) == 1

    def test_an_error_names_the_request_and_the_handle(self):
        with exact("hm-10-cable"), Central() as central:
            serial = central.characteristic("FFE1")
            for request, arguments, wanted in (
                (central.read, (0x4321,), (0x0A, 0x4321, INVALID_HANDLE)),
                (central.write, (serial - 1, b""), (0x12, serial - 1, WRITE_NOT_PERMITTED)),
                (central.prepare_write, (0x1234, 0, b"x"), (0x16, 0x1234, INVALID_HANDLE)),
                (central.request, (b"\x24now",), (0x24, 0, REQUEST_NOT_SUPPORTED)),
                (central.request, (b"\x0a\x03",), (0x0A, 0, INVALID_PDU)),
            ):
                with pytest.raises(Exception) as raised:
                    request(*arguments)
                assert (raised.value.request, raised.value.handle, raised.value.code) == wanted
            central.send(b"\x64unknown command")  # is ignored
            central.read(serial)

    def test_a_rule_refuses_a_subscription(self):
        with exact(DEFINITIONS / "guarded.yaml") as blemu, Central() as central:
            serial = central.characteristic("FFE1")
            assert_refused(0x80, central.subscribe, serial)
            assert central.read(central.descriptor(serial, "2902")) == b"\0\0"
            central.write(serial, b"\1")
            central.subscribe(serial)
            assert central.notification() == b"\1"
            blemu.await_event("subscribed")

    def test_rules_see_what_is_written_to_descriptors(self):
        with exact(DEFINITIONS / "watched.yaml") as blemu, Central() as central:
            serial, other = (central.characteristic(uuid) for uuid in ("FFE1", "FFE2"))
            configuration, text = (central.descriptor(serial, uuid) for uuid in ("2902", "2901"))
            assert_refused(CCCD_IMPROPERLY_CONFIGURED, central.write, configuration, b"\2\0")
            for value in (b"\1\0", b"\1\0", b"\0\0"):
                central.write(configuration, value)
            blemu.await_event("unsubscribed")
            assert [each["message"] for each in blemu.happened("log")] == ["0100", "0100", "0000"]
            assert [each["event"] for each in blemu.happened("subscribed", "unsubscribed")] == ["subscribed", "unsubscribed"]
            assert_refused(INVALID_LENGTH, central.write, text, b"too long for it")
            central.write(text, b"after")
            assert central.read(text) == b"after"
            first = central.descriptor(serial, "2904")
            assert (central.read(first), central.read(first + 1)) == (b"\7", b"\2")
            assert_refused(READ_NOT_PERMITTED, central.read, other)

    def test_bluez_has_rules_at_other_descriptors_than_2902(self):
        with Blemu(DEFINITIONS / "watched.yaml") as blemu, Central() as central:
            serial, other = (central.characteristic(uuid) for uuid in ("FFE1", "FFE2"))
            text, first = (central.descriptor(serial, uuid) for uuid in ("2901", "2904"))
            assert_refused(INVALID_LENGTH, central.write, text, b"too long for it")
            central.write(text, b"after")
            assert central.read(text) == b"after"
            assert {central.read(first), central.read(first + 1)} == {b"\7", b"\2"}
            assert_refused(READ_NOT_PERMITTED, central.read, other)
            central.subscribe(serial)
            blemu.await_event("subscribed")
            assert blemu.happened("log") == []

    @pytest.mark.parametrize("on", ["exact:hci0", "bluez:hci0"])
    def test_each_central_has_its_own_variables(self, contexts, on):
        with Blemu(DEFINITIONS / "greeted.yaml", on=on):
            first, second = (contexts.enter_context(Central(own=own)) for own in ("hci1", "hci2"))
            serial = first.characteristic("FFE1")
            for central in (first, second, first):
                central.write(serial, b"hello")
            assert (first.read(serial), second.read(serial)) == (b"\2", b"\1")
            second.close()
            second = contexts.enter_context(Central(own="hci2"))
            assert (first.read(serial), second.read(serial)) == (b"\2", b"\0")

    def test_values_come_without_a_subscription_where_the_device_has_no_cccd(self):
        with exact("bluno") as blemu, Central() as central:
            serial = central.characteristic("DFB1")
            with pytest.raises(LookupError):
                central.descriptor(serial, "2902")
            central.write_command(serial, b"hi")
            assert central.notification() == b"hi"
            assert blemu.warnings() == []

    def test_each_central_has_its_own_configuration(self, contexts):
        with exact(ASKED, "--stdio") as blemu:
            first, second = (contexts.enter_context(Central(own=own)) for own in ("hci1", "hci2"))
            serial = first.characteristic("FFE1")
            configuration = first.descriptor(serial, "2902")
            assert first.exchange_mtu(100) == second.exchange_mtu(48) == 247
            first.subscribe(serial)
            assert (first.read(configuration), second.read(configuration)) == (b"\1\0", b"\0\0")
            blemu.process.stdin.write(b"one")
            assert first.notification() == b"one"
            second.subscribe(serial)
            blemu.process.stdin.write(b"two")
            assert (first.notification(), second.notification()) == (b"two", b"two")
            first.unsubscribe(serial)
            assert (first.read(configuration), second.read(configuration)) == (b"\0\0", b"\1\0")
            blemu.process.stdin.write(b"three")
            assert second.notification() == b"three"
            first.read(serial)
            assert first.waiting() == b""


def kill_and_start():
    try:
        bluez.kill()
    finally:  # the tests after this one need it
        bluez.run("bluetoothd-start")


class TestTaking:
    def test_the_log_says_that_the_adapter_is_taken(self):
        with exact("bracelet") as blemu:
            assert blemu.happened("on-air")[0]["stack"] == "exact (detached from the kernel while blemu runs)"
            with pytest.raises(hci.Refused, match=f"status {INVALID_INDEX}"):
                hci.settings("hci0")
        assert hci.is_powered("hci0")

    @pytest.mark.parametrize("is_on", [False, True], ids=["off", "on"])
    def test_the_adapter_is_afterwards_as_before(self, is_on):
        names = ("Alias", "Discoverable", "DiscoverableTimeout", "Pairable", "Powered", "Address", "Class")
        for name, value in (("Alias", "Mine"), ("Pairable", False), ("Powered", is_on)):
            bluez.set_adapter_property(name, value)
        bluez.wait_for_adapter("hci0", Powered=is_on)
        before = {name: bluez.adapter_properties()[name] for name in names}
        settings = hci.settings("hci0")
        with exact("hm-10-cable"):
            use()
        bluez.wait_for_adapter("hci0", **before)
        assert hci.settings("hci0") == settings
        for name, value in (("Powered", True), ("Pairable", True), ("Alias", "")):
            bluez.set_adapter_property(name, value)

    def test_advertisements_of_others_are_not_ended_unasked(self, air):
        with bluez.advertisers(2):
            status, message = refusal("bracelet", "--on", "exact:hci0")
            assert (status, message) == (
                UNAVAILABLE, "blemu: other programs are using hci0 and would be cut off: 2 advertisements\n"
                "  choose another adapter with --on exact:hciN, or end this use with --take\n" + POINTER)
            air.wait_for_sets(2)
            with exact("bracelet", "--take"):
                air.wait_for(lambda it: b"\x03\x03\xE0\xFF" in it.data)
                air.wait_for_sets(1)

    def test_connections_of_others_are_not_ended_unasked(self):
        with Blemu("bracelet", on="bluez:hci1"), Central("hci1", own="hci0") as central:
            central.characteristic("FFE1")
            status, message = refusal("bracelet", "--on", "exact:hci0")
            assert (status, message) == (
                UNAVAILABLE, f"blemu: other programs are using hci0 and would be cut off: a connection with {hci.address_text('hci1')}\n"
                "  choose another adapter with --on exact:hciN, or end this use with --take\n" + POINTER)
            central.read(central.characteristic("FFE1"))
            with exact("hm-10-cable", "--take"):
                central.await_disconnection()
                use(own="hci2")

    def test_it_is_blocked(self):
        hci.block("hci0", True)
        try:
            status, message = refusal("bracelet", "--on", "exact:hci0")
            assert status == UNAVAILABLE and message.startswith("blemu: hci0 is blocked by rfkill\n  unblock it: "), message
            assert "rfkill unblock bluetooth" in message and message.endswith(POINTER)
            assert guards() == {}
        finally:
            hci.block("hci0", False)
            bluez.wait_for_adapter("hci0", Powered=True)

    def test_it_is_removed_and_returns(self):
        with exact("hm-10-cable") as blemu:
            with Central():
                blemu.await_event("connected")
                bluez.run("radio-stop")
                blemu.await_event("off-air")
            bluez.run("radio-start")
            blemu.await_event("on-air")
            bluez.wait_for_adapter("hci1", Powered=True)
            use()
        bluez.run("adapters-wait", PATIENCE)


class TestBesideBluetoothd:
    """bluetoothd has the central's adapter, and not the device's."""

    @pytest.fixture(autouse=True)
    def one_adapter_less(self, monkeypatch):
        """bluetoothd-start waits for this number of adapters."""
        monkeypatch.setenv("VM_CONTROLLERS", str(len(hci.adapters()) - 1))

    def test_it_may_come_and_go(self, air):
        with exact("hm-10-cable") as blemu:
            for happen in (bluez.restart, kill_and_start, bluez.restart):
                happen()
                air.wait_for()
                bluez.wait_for_adapter("hci1", Powered=True)
                use()
            assert blemu.happened("off-air", "warning") == []

    def test_nothing_is_lost_while_bluetoothd_is_killed_twenty_times(self, wire):
        wire.start(ASKED, "--pty", LINK, on="exact:hci0")
        line, central, is_over = wire.terminal(), wire.central(), threading.Event()

        def exchange():
            """Sends ten numbered values each way at a time, and returns how many it has sent."""
            count = 0
            while not is_over.is_set():
                values = [number.to_bytes(8, "big") for number in range(count, count + 10)]
                for value in values:
                    central.write_command(wire.ffe1, value)
                line.write(b"".join(values))
                assert same(line.read(80), b"".join(values))
                assert same(central.stream(80), b"".join(values))
                count += 10
                time.sleep(0.01)  # leaves time for the reader of the log
            return count

        exchanging = wire.meanwhile(exchange)
        for _ in range(20):
            kill_and_start()
        is_over.set()
        print(f"  {exchanging.result(PATIENCE)} values each way")
        assert wire.blemu.happened("disconnected", "off-air", "warning") == []

    def test_bluetoothd_takes_no_part_in_a_link(self):
        with exact(CHANGING) as blemu, contextlib.ExitStack() as stack, bluez.frozen():
            for own in ("hci1", "hci2"):
                central = Central(own=own)
                stack.callback(central.close)  # asks bluetoothd, too
                central.write(central.characteristic("FFE1"), b"\4")  # a rule disconnects
                central.await_disconnection()
                blemu.await_event("disconnected")


class TestWithoutBluetoothd:
    @pytest.mark.parametrize("is_on", [False, True], ids=["off", "on"])
    def test_the_adapter_is_afterwards_as_before(self, no_bluetoothd, is_on):
        hci.set_powered("hci0", is_on)
        settings = hci.settings("hci0")
        with exact("hm-10-cable") as blemu:
            use()
            assert blemu.stop() == 0, blemu.story()
        assert hci.settings("hci0") == settings

    def test_a_device_with_a_central_leaves_in_good_order(self, no_bluetoothd):
        with exact("hm-10-cable") as blemu, Central() as central:
            blemu.await_event("connected")
            assert blemu.stop() == 0, blemu.story()
            central.await_disconnection()
            assert [each["event"] for each in blemu.happened("disconnected", "off-air")] == ["disconnected", "off-air"]
            assert "could not" not in blemu.story()
        assert not hci.is_powered("hci0")


def hears(air):
    """Whether hci1, which scans for a while, hears hci0."""
    air.forget_reports()
    with hci.discovery():
        time.sleep(2)
        return air.heard() != set()


class TestKilled:
    """kill -9. The guard of the run, a process of its own, makes the adapter what it was."""

    @pytest.fixture(params=["beside-bluetoothd", "alone"])
    def machine(self, request):
        if request.param == "alone":
            request.getfixturevalue("no_bluetoothd")
            yield
        else:
            yield
            hci.set_powered("hci0", True)
            bluez.wait_for_adapter("hci0", Powered=True)

    @pytest.fixture(params=[False, True], ids=["off", "on"])
    def settings(self, request, machine):
        """Those of hci0, which was off or on before."""
        hci.set_powered("hci0", request.param)
        return hci.settings("hci0")

    def test_the_adapter_is_as_before_and_silent(self, air, settings):
        with exact("bracelet") as killed:
            assert hears(air)
            killed.kill()
        wait_for_guards()
        assert hci.settings("hci0") == settings
        assert not hears(air)
        air.wait_for_silence()
        assert hci.settings("hci0") == settings
        with exact("bracelet") as blemu:
            assert blemu.warnings() == []
        assert hci.settings("hci0") == settings

    def test_its_links_end(self, settings):
        with exact("bracelet") as killed, Central() as central:
            killed.await_event("connected")
            killed.kill()
            central.await_disconnection()
        wait_for_guards()
        assert hci.settings("hci0") == settings

    def test_the_next_run_may_begin_at_once(self, settings):
        for _ in range(3):
            with exact("hm-10-cable") as killed:
                killed.kill()
            with exact("hm-10-cable") as blemu:
                assert blemu.warnings() in ([], [KILLED])
                use()
            wait_for_guards()
            assert hci.settings("hci0") == settings

    def test_the_next_run_may_be_on_bluez(self):
        with exact("hm-10-cable") as killed:
            killed.kill()
        bluez.wait_for_adapter("hci0", Powered=True)
        with Blemu("hm-10-cable", on="bluez:hci0") as blemu:
            use()
            # The run on bluez has a guard of its own, for its links.
            eventually(lambda: "hci0" not in guards(), lambda: f"the guard of the adapter is left: {guards()}")
            assert blemu.happened("off-air") == []

    def test_without_its_guard_the_next_run_restores_the_adapter(self, air, no_bluetoothd):
        """The kernel gets the adapter back at once, but does not switch it on."""
        hci.set_powered("hci0", True)
        settings = hci.settings("hci0")
        with exact("bracelet") as killed:
            os.kill(guards()["hci0"], signal.SIGKILL)
            killed.kill()
        eventually(lambda: hci.settings("hci0") == settings & ~1, lambda: "the kernel has not got hci0 back")
        assert hears(air)
        for warnings in ([KILLED], []):
            with exact("bracelet") as blemu:
                assert blemu.warnings() == warnings
            assert hci.settings("hci0") == settings
        assert not hears(air)

    def test_several_adapters_have_a_guard_each(self, no_bluetoothd):
        before = {"hci0": False, "hci2": True, "hci3": False}
        for adapter, is_on in before.items():
            hci.set_powered(adapter, is_on)
        with Stand("bracelet@exact:hci0", "hm-10-cable@exact:hci2", "itag@exact:hci3", command="run") as killed:
            killed.await_on_air("bracelet", "hm-10-cable", "itag")
            assert sorted(guards()) == sorted(before)
            killed.kill()
        wait_for_guards()
        assert {adapter: hci.is_powered(adapter) for adapter in before} == before


class TestGuard:
    @pytest.fixture
    def blemu(self):
        with exact("hm-10-cable") as blemu:
            # It is in place once it has its name.
            eventually(lambda: pathlib.Path(f"/proc/{guards()['hci0']}/comm").read_text() == "adapter-guard\n", guards)
            yield blemu

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
    def test_an_ordinary_end_leaves_no_process(self, blemu, number):
        assert blemu.stop(number) == 0
        assert guards() == {}
        assert hci.is_powered("hci0")

    def test_signals_that_end_a_run_are_not_for_it(self, blemu):
        process = guards()["hci0"]
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            os.kill(process, number)
        assert guards() == {"hci0": process}

    def test_it_keeps_nothing_of_the_run(self, blemu):
        process = guards()["hci0"]
        folder = pathlib.Path(f"/proc/{process}")
        assert sorted(os.listdir(folder / "fd")) == ["0", "1", "2"]
        assert os.readlink(folder / "fd/1") == "/dev/null"
        assert (os.getsid(process), os.readlink(folder / "cwd")) == (process, "/")
        memory = {name: int(size) for name, size in re.findall(r"^(VmRSS|RssAnon):\s+(\d+) kB", (folder / "status").read_text(), re.MULTILINE)}
        print(f"  {memory}")
        assert memory["RssAnon"] < 2048

    def test_the_run_goes_on_without_it(self, blemu):
        os.kill(guards()["hci0"], signal.SIGKILL)
        wait_for_guards()
        use()
        assert blemu.stop() == 0
        assert hci.is_powered("hci0")


class TestTwoRuns:
    @pytest.mark.parametrize("first, second", [("exact", "exact"), ("bluez", "exact"), ("exact", "bluez")])
    def test_a_second_run_on_one_adapter_is_refused(self, first, second):
        with Blemu("hm-10-cable", on=f"{first}:hci0") as blemu:
            assert refusal("bracelet", "--on", f"{second}:hci0") == (
                UNAVAILABLE, f"blemu: another blemu is using hci0\n  stop it, or choose another adapter with --on {second}:hciN\n" + POINTER)
            use()
            assert blemu.happened("off-air") == []

    def test_another_program_has_the_adapter(self):
        with hci.taken("hci0"):
            for transport in ("exact", "bluez"):
                assert refusal("bracelet", "--on", f"{transport}:hci0") == (
                    UNAVAILABLE, f"blemu: another program has hci0 for itself\n  stop it, or choose another adapter with --on {transport}:hciN\n" + POINTER)

    def test_the_first_adapter_is_the_default(self):
        assert refusal("bracelet", "--on", "exact:hci9")[1].startswith(
            f"blemu: there is no adapter hci9\n  available: hci0 ({hci.address_text('hci0')}), hci1 (")
        with Blemu("bracelet", on="exact") as blemu:
            assert blemu.happened("on-air")[0]["adapter"] == "hci0"

    def test_two_devices_on_two_adapters(self):
        with exact("hm-10-cable"), exact("hm-10-cable", on=f"exact:{hci.address_text('hci1')}") as second:
            assert second.happened("on-air")[0]["adapter"] == "hci1"
            use("hci1", own="hci2")
            use("hci0", own="hci3")


class TestPrivileges:
    @pytest.fixture
    def installed(self):
        """blemu where every user may run it, and a home of 'nobody'."""
        prefix = pathlib.Path(tempfile.mkdtemp())
        shutil.copytree(REPOSITORY / "Peripherals", prefix / "share/blemu/Peripherals")
        (prefix / "bin").mkdir()
        (prefix / "home").mkdir()
        shutil.copy(PROGRAM, prefix / "bin/blemu")
        bluez.run("chmod", "-R", "a+rX", prefix)
        os.chown(prefix / "home", pwd.getpwnam("nobody").pw_uid, -1)
        yield prefix / "bin/blemu"
        shutil.rmtree(prefix)

    def options(self, installed):
        home = str(installed.parents[1] / "home")
        return {"user": "nobody", "group": "nogroup", "extra_groups": [], "env": {"HOME": home, "PATH": os.environ["PATH"]}, "cwd": home}

    def test_a_user_without_capabilities_is_told_which_are_needed(self, installed):
        options = self.options(installed)
        done = subprocess.run([installed, "run", "hm-10-cable", "--on", "exact:hci0"], text=True, capture_output=True, timeout=PATIENCE,
                              **options)
        message, hint, pointer = done.stderr.splitlines(keepends=True)
        assert (done.returncode, message, pointer) == (
            NO_PERMISSION, "blemu: --on exact needs the capability CAP_NET_ADMIN\n", POINTER)
        assert f"setcap cap_net_admin+ep {installed}" in hint

    def test_a_user_with_the_capabilities_does_not_need_root(self, installed):
        bluez.run("setcap", "cap_net_admin+ep", installed)
        with exact("hm-10-cable", program=installed, **self.options(installed)) as blemu:
            with Central() as central:
                central.read(central.characteristic("FFE1"))
                blemu.await_event("connected")
                assert blemu.stop() == 0, blemu.story()
                central.await_disconnection()
            assert blemu.warnings() == []

    def test_the_capabilities_are_in_effect_only_while_a_call_needs_them(self, installed):
        bluez.run("setcap", "cap_net_admin+ep", installed)
        with exact("hm-10-cable", program=installed, **self.options(installed)) as blemu:
            use()
            assert self.capabilities(blemu.process.pid) == {"CapInh": 0, "CapPrm": self.NEEDED, "CapEff": 0, "CapAmb": 0}
        with Blemu("hm-10-cable", program=installed, **self.options(installed)) as blemu:
            assert self.capabilities(blemu.process.pid) == {"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapAmb": 0}

    @pytest.fixture
    def service(self, installed):
        """blemu as a service whose unit has AmbientCapabilities=."""
        service = installed.with_name("service")
        service.write_text("\n".join([
            "#!/bin/sh",
            'for word; do case $word in *.sock) chown nobody "${word%/*}" ;; esac; done  # blemu makes its socket there',
            "exec setpriv --reuid=nobody --regid=nogroup --clear-groups --inh-caps=+net_admin "
            f'--ambient-caps=+net_admin {installed} "$@"', ""]))
        service.chmod(0o755)
        return service

    def test_a_program_that_blemu_starts_inherits_none_of_a_service(self, installed, service):
        options = self.options(installed)
        home = {name: options[name] for name in ("env", "cwd")}
        with exact("hm-10-cable", "--exec", "sleep", "3600", "--", program=service, **home) as blemu:
            use()
            assert self.capabilities(blemu.process.pid)["CapPrm"] == self.NEEDED
            children = subprocess.run(["pgrep", "-P", str(blemu.process.pid)], capture_output=True, text=True).stdout.split()
            programs = set(map(int, children)) - set(guards().values())
            assert [self.capabilities(each) for each in programs] == [{"CapInh": 0, "CapPrm": 0, "CapEff": 0, "CapAmb": 0}]

    @pytest.mark.parametrize("source", ["file", "service"])
    def test_the_guard_has_them_after_kill(self, installed, source, request):
        options, program = self.options(installed), installed
        if source == "file":
            bluez.run("setcap", "cap_net_admin+ep", installed)
        else:
            program, options = request.getfixturevalue("service"), {name: options[name] for name in ("env", "cwd")}
        hci.set_powered("hci0", False)
        with exact("hm-10-cable", program=program, **options) as killed:
            killed.kill()
        wait_for_guards()
        assert killed.errors == []
        assert not hci.is_powered("hci0")
        hci.set_powered("hci0", True)

    #: CAP_NET_ADMIN.
    NEEDED = 1 << 12

    @staticmethod
    def capabilities(process):
        """The sets of a process, by the names of /proc/PID/status, but not the bounding set."""
        lines = pathlib.Path(f"/proc/{process}/status").read_text().splitlines()
        return {name: int(mask, 16) for name, _, mask in (line.partition(":") for line in lines) if name.startswith("Cap") and name != "CapBnd"}


class TestLinks:
    def test_a_device_for_one_central_takes_the_second_after_the_first(self, meanwhile, contexts):
        with exact("hm-10-cable", "--stdio") as blemu:
            first = Central()
            serial = first.characteristic("FFE1")
            blemu.await_event("connected")
            second = meanwhile(Central, own="hci2")
            for number in range(50):
                first.write_command(serial, bytes([number]))
                assert bytes.fromhex(blemu.await_event("wire-out")["value"]) == bytes([number])
                assert not second.done()
            assert hci.links("hci2") == []
            first.close()
            contexts.enter_context(second.result(PATIENCE)).read(serial)
            assert [each["central"] for each in blemu.happened("connected")] == [hci.address_text(own) for own in ("hci1", "hci2")]

    def test_a_value_that_needs_encryption_is_read_after_pairing(self):
        address = hci.address_text("hci0")
        with exact(DEFINITIONS / "secret.yaml") as blemu:
            with Central() as central:
                value = central.characteristic("FFF6")
                assert_refused(INSUFFICIENT_AUTHENTICATION, central.read, value)
            blemu.await_event("disconnected")
            bluez.forget_devices()
            with bluez.Dialogue("bluetoothctl", "--agent", "NoInputNoOutput") as control:
                control.await_output("Agent registered")
                for command, answer in (("default-agent", "Default agent request successful"), (f"select {hci.address_text('hci1')}", ""),
                                        ("scan le", rf"\[NEW\] Device {address}"), ("scan off", "Discovery stopped")):
                    control.send(command)
                    control.await_output(answer)
                control.send(f"pair {address}")
                control.await_output("Pairing successful")
                assert hci.is_encrypted("hci1")
                assert bluez.read_remote("0000fff6-0000-1000-8000-00805f9b34fb") == b"\6"
        bluez.forget_devices()


class TestVolume:
    VALUES, LENGTH, EXCHANGED = 5_000, 20, 20_000

    def test_many_values_each_way_take_no_memory(self, air, contexts):
        count = self.VALUES * self.LENGTH
        # Nobody reads the log, which would take most of the time.
        process = contexts.enter_context(subprocess.Popen(
            [PROGRAM, "run", ASKED, "--on", "exact:hci0", "--exec", "sh", "-c", "exec cat", "--"], cwd=REPOSITORY,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL))
        contexts.callback(process.send_signal, signal.SIGINT)
        air.wait_for()
        central = contexts.enter_context(Central())
        assert central.exchange_mtu(self.LENGTH + 3) == 247
        serial = central.characteristic("FFE1")
        central.subscribe(serial)
        before = self.resident(process)
        for number in range(self.VALUES):
            central.write_command(serial, number.to_bytes(self.LENGTH, "big"))
            if number % 100 == 99:
                central.read(serial)
        echo = bytearray()
        while len(echo) < count:
            echo += central.notification()
        assert same(echo, b"".join(number.to_bytes(self.LENGTH, "big") for number in range(self.VALUES)))
        eventually(lambda: self.resident(process) - before <= 6144, lambda: f"VmRSS is {self.resident(process)} KiB, before {before}")
        print(f"  VmRSS {before} -> {self.resident(process)} KiB")

    # The device that tools/bench measures: a rule sends back each value. `tools/bench memory` does the same a million times. The test above
    # would see a leak of a kilobyte for each value, this one sees 16 bytes.
    @pytest.mark.repeats
    def test_no_value_leaves_memory_behind(self, air, contexts):
        device = REPOSITORY / "tools" / "bench.d" / "bench.yaml"
        process = contexts.enter_context(subprocess.Popen(
            [PROGRAM, "run", device, "--on", "exact:hci0", "--log", "none"], cwd=REPOSITORY, stdin=subprocess.DEVNULL))
        contexts.callback(process.send_signal, signal.SIGINT)
        air.wait_for()
        central = contexts.enter_context(Central())
        serial = central.characteristic("FFE1")
        central.subscribe(serial)
        filled = 6_000  # the journal keeps 10,000 events, and each value is one on its way in and one on its way out
        self.exchange(central, serial, range(filled))
        before = self.resident(process)
        self.exchange(central, serial, range(filled, filled + self.EXCHANGED))
        grown = self.resident(process) - before
        print(f"  VmRSS {before} KiB, {grown} KiB more after {self.EXCHANGED} values each way")
        assert grown * 1024 < 16 * self.EXCHANGED, "each value leaves 16 bytes or more"

    def exchange(self, central, serial, numbers):
        """Writes a value for each number and receives it again, with at most 32 of them on their way."""
        values = [b"E" + number.to_bytes(self.LENGTH - 1, "big") for number in numbers]
        for index, value in enumerate(values):
            central.write_command(serial, value)
            if index >= 32:
                assert central.notification() == values[index - 32]
        for value in values[-32:]:
            assert central.notification() == value

    def resident(self, process):
        return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{process.pid}/status").read_text())[1])
