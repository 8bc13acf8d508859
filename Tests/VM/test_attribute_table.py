"""Attributes that depend on settings: an HM-10 with other UUIDs, and with a second characteristic, after a reset."""
import pathlib
import tempfile

import pytest

import bluez
from air import structures
from att import Central
from device import Blemu
from serial_line import SerialLine

LINK = "/tmp/hm10"
CABLE, INLET = "read, write-without-response, notify", "write-without-response"


@pytest.fixture(autouse=True)
def bluetoothd():
    """Checks that bluetoothd survives the test."""
    process = bluez.run("pidof", "bluetoothd")
    yield
    assert bluez.run("pidof", "bluetoothd") == process


@pytest.fixture
def module(air, contexts):
    return Module(air, contexts)


class Module:
    def __init__(self, air, contexts):
        self._air, self._enter = air, contexts.enter_context

    def run(self, *arguments):
        return Blemu("hm-10", "--pty", LINK, "--set", "firmware=V605", "--set", "noti=0", *arguments)

    def start(self, *arguments):
        """Starts the module with commands at the wire side."""
        self.blemu = self._enter(self.run("--set", "mode=0", *arguments))
        self.line = self._enter(SerialLine.terminal(LINK))

    def await_service(self, uuid):
        wanted = (3, bytes(reversed(bytes.fromhex(uuid))))
        self._air.wait_for(lambda each: wanted in structures(each.data))

    def command(self, text, answer):
        self.line.write(text)
        assert self.line.read(len(answer)) == answer

    def change(self, service, characteristic, second=b"0"):
        self.command(b"AT+UUID0x" + service, b"OK+Set:0x" + service)
        self.command(b"AT+CHAR0x" + characteristic, b"OK+Set:0x" + characteristic)
        self.command(b"AT+FFE2" + second, b"OK+Set:" + second)
        self.command(b"AT+RESET", b"OK+RESET")
        self.await_service(service.decode())

    def assert_cable(self, central, inlet, outlet):
        """Checks that bytes written to `inlet` come out, and that input is notified by `outlet`."""
        inlet, outlet = central.characteristic(inlet), central.characteristic(outlet)
        central.subscribe(outlet)
        central.write_command(inlet, b"Hello\r\n")
        assert self.line.read(7) == b"Hello\r\n"
        self.line.write(b"Foobar\r\n")
        assert central.notification() == b"Foobar\r\n"


def table(central):
    """Returns the services with their characteristics and properties: {"FFE0": ["FFE1: read, notify"]}."""
    return {uuid: [line for line in lines if not line.startswith(" ")] for uuid, lines in central.own_services().items()}


def test_commands_at_the_wire_side_change_the_attributes(module):
    module.start()
    with Central() as central:
        assert table(central) == {"FFE0": [f"FFE1: {CABLE}"]}
        # bluetoothd has answered by itself so far. It would not report a central that has already disconnected.
        module.blemu.await_event("connected")
    module.blemu.await_event("disconnected")
    module.change(b"FFF0", b"FFF1", second=b"1")
    with Central() as central:
        assert table(central) == {"FFF0": [f"FFF1: {CABLE}", f"FFF2: {INLET}"]}
        module.assert_cable(central, inlet="FFF2", outlet="FFF1")
    module.blemu.await_event("disconnected")
    module.change(b"FFE0", b"FFE1")
    with Central() as central:
        assert table(central) == {"FFE0": [f"FFE1: {CABLE}"]}
        module.assert_cable(central, inlet="FFE1", outlet="FFE1")
    assert module.blemu.happened("warning", "error", "off-air") == []


def test_a_central_that_changes_them_is_disconnected_first(module):
    with module.run("--set", "mode=2"):
        with Central() as central:
            serial = central.characteristic("FFE1")
            central.subscribe(serial)
            for text, answer in ((b"AT+UUID0xFFF0", b"OK+Set:0xFFF0"), (b"AT+RESET", b"OK+RESET")):
                central.write_command(serial, text)
                assert central.notification() == answer
            central.read(serial)  # the old attributes are served until then
            central.await_disconnection()
        module.await_service("FFF0")
        with Central() as central:
            assert table(central) == {"FFF0": [f"FFE1: {CABLE}"]}
            central.subscribe(central.characteristic("FFE1"))
            central.write_command(central.characteristic("FFE1"), b"AT")
            assert central.notification() == b"OK"


def test_many_changes_in_a_row(module):
    module.start()
    for number in range(8):
        module.change(b"FFD%d" % number, b"FFC%d" % number, second=b"%d" % (number % 3))
    with Central() as central:
        assert table(central) == {"FFD7": [f"FFC7: {CABLE}", f"FFC8: {INLET}"]}
    assert module.blemu.happened("warning", "error") == []


def test_the_next_run_begins_with_them(module):
    with tempfile.TemporaryDirectory() as folder:
        state = ("--state", pathlib.Path(folder) / "state.yaml")
        module.start(*state)
        module.change(b"FFF0", b"FFF1")
        module.line.close()
        module.blemu.stop()
        with module.run(*state) as blemu, Central() as central:
            assert blemu.happened("on-air")[0]["services"] == "FFF0"
            assert table(central) == {"FFF0": [f"FFF1: {CABLE}"]}


@pytest.mark.parametrize("call", ["UnregisterAdvertisement", "UnregisterApplication", "RegisterApplication", "RegisterAdvertisement"])
def test_leaving_the_air_in_the_middle_of_a_change(air, module, call):
    module.start()
    module.command(b"AT+UUID0xFFF1", b"OK+Set:0xFFF1")
    with bluez.Calls(call) as calls:
        module.command(b"AT+RESET", b"OK+RESET")
        calls.await_next()
        assert module.blemu.stop() == 0
    air.wait_for_silence()
