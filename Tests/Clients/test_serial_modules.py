"""Serial modules: ble-serial's scanner, and nus-logger. The serial port of ble-serial is used in test_car.py."""
import pytest

SCANNER = """
from ble_serial.scan.main import deep_scan, scan

async def client():
    found = await scan("hci1", 2, "0000ffe0-0000-1000-8000-00805f9b34fb")
    services = await deep_scan(address, found)
    return {"names": [advertisement.local_name for _, advertisement in found.values()],
            "table": {each.uuid[4:8]: [(one.uuid[4:8], sorted(one.properties)) for one in each.characteristics] for each in services}}
"""


@pytest.mark.repeats
@pytest.mark.parametrize("device, writes", [
    ("hm-10", ["write-without-response"]), ("jdy-23", ["write", "write-without-response"]), ("cc41-a", ["write", "write-without-response"]),
])
def test_the_scanner_of_ble_serial_finds_a_module_and_lists_its_services(reads, device, writes):
    saw, _ = reads(device, SCANNER, {"local-name": "Robot"}, own_python=True)
    assert saw["names"] == ["Robot"]
    assert saw["table"]["ffe0"] == [["ffe1", ["notify", "read", *writes]]]


NUS = """
from nus_logger.ble_nus import NUSClient

async def client():
    came = asyncio.Queue()
    port = NUSClient()
    port.on_bytes(came.put_nowait)
    found = await port.scan_and_connect("nordic", 5, adapter="hci1")
    try:
        await port.write(b"hello")
        return {"name": found.name, "came": (await asyncio.wait_for(came.get(), patience)).decode()}
    finally:
        await port.disconnect()
"""


@pytest.mark.repeats
def test_nus_logger_finds_the_serial_port_by_its_service_and_uses_it(reads):
    saw, _ = reads("nordic-uart", NUS, {"echo": True})
    assert saw == {"name": "Nordic_UART", "came": "hello"}
