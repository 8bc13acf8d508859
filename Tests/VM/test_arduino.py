"""Sketches at the wire side of the HM-10: central, BlueZ, blemu, pseudo-terminal, and firmware on a simulated Arduino Uno.

Compile the examples before (tools/arduino --compile), because the virtual machine is slow. The firmware is also slow:
it runs in a simulator on an emulated machine.
"""
import re

import pytest

import bluez
from device import REPOSITORY, Blemu
from patience import PATIENCE

LINK = "/tmp/hm10"


def run(example):
    """Runs `tools/arduino EXAMPLE` at the module's wire side. It reports changes of its pins."""
    tools = REPOSITORY / "tools"
    return bluez.Dialogue(tools / "arduino", tools / "arduino.d/examples" / example, "--uart", LINK, "--pins")


@pytest.fixture
def module():
    """The HM-10 at whose wire side the sketches run."""
    with Blemu("hm-10", "--pty", LINK) as blemu:
        yield blemu


@pytest.fixture
def ffe1(module, central):
    """The module's characteristic, to which the central has subscribed."""
    handle = central.characteristic("FFE1")
    central.subscribe(handle)
    return handle


def receive(central, pattern):
    """Waits until the received bytes match. A notification may carry a part of them."""
    data = b""
    while not re.fullmatch(pattern, data):
        try:
            data += central.notification()
        except TimeoutError:
            pytest.fail(f"no {pattern}, but {data}")


def test_sends_hello_until_a_byte_arrives_then_goodbye(ffe1, central):
    with run("hello-goodbye"):
        receive(central, rb"(Hello world\r\n){2}")
        central.write_command(ffe1, b"\x01")
        receive(central, rb"(Hello world\r\n)*Goodbye world\r\n")
        central.write_command(ffe1, b"anybody?")
        central.no_notification(2)


def test_pairs_of_bytes_switch_pins(ffe1, central):
    with run("paduino") as sketch:
        receive(central, rb"Arduino reset\r\n")
        # The sketch reads nothing in its first second, so bytes wait.
        central.write_command(ffe1, bytes([2, 1, 13]))
        receive(central, rb"Set: 2 to: 1\r\n")
        for line in ("pin 13 is HIGH", "pin 13 is LOW", "pin 2 is HIGH"):
            sketch.await_output(f"{line}\n")
        central.write_command(ffe1, bytes([255]))
        receive(central, rb"Set: 13 to: 255\r\n")
        sketch.await_output("pin 13 is HIGH\n")
        central.write_command(ffe1, bytes([13, 0, 2, 0]))
        receive(central, rb"Set: 13 to: 0\r\nSet: 2 to: 0\r\n")
        sketch.await_output("pin 13 is LOW\n")
        sketch.await_output("pin 2 is LOW\n")


def test_the_sketch_ends_with_the_module(module, central, ffe1):
    with run("hello-goodbye") as sketch:
        receive(central, rb"Hello world\r\n")
        central.close()
        module.stop()
        assert sketch.process.wait(PATIENCE) == 0
        sketch.await_output(f"the other side of {LINK} is gone\n")
