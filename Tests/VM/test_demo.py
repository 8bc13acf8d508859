"""The demo of tools/run on a machine without adapters: a central of bluetoothd uses the device."""
import pytest

import bluez
from device import PROGRAM, REPOSITORY
from patience import PATIENCE

UART = "6E40000{}-B5A3-F393-E0A9-E50E24DCCA9E"


def talk(written, notified):
    """Returns the lines of a demo in which both ends of a module send."""
    return ["central: connected", f"central: subscribed to {notified}",
            f"central: write {written}: 48 65 6C 6C 6F 0D 0A  Hello..",
            r"microcontroller: received b'Hello\r\n', answers b'OK\r\n'",
            "central: notified: 4F 4B 0D 0A  OK..", "central: disconnected", "off the air after"]


@pytest.mark.parametrize("name, beginnings", [
    ("hm-10", talk("FFE1", "FFE1")),
    # A module with a characteristic for each direction.
    ("nordic-uart", talk(UART.format(2), UART.format(3))),
    # A device that answers its demo.
    ("bracelet", ["central: write FFE1: A5 06 03 01 02 A3", "central: notified: A5 06 83 05 00 25", "central: disconnected"]),
    # A complete device.
    ("bluno", ["central: write DFB1: 48 65 6C 6C 6F 0D 0A", "central: notified: 48 65 6C 6C 6F 0D 0A  Hello..",
               "microcontroller: received nothing", "central: disconnected"]),
], ids=lambda value: value if isinstance(value, str) else "")
def test_lines_have_these_beginnings_in_order(name, beginnings):
    output = bluez.run(REPOSITORY / "tools/vm.d/demo", PROGRAM, name, timeout=3 * PATIENCE)
    lines = iter(output.splitlines())
    for beginning in beginnings:
        assert any(line.startswith(beginning) for line in lines), f"{beginning!r} is missing in\n{output}"
