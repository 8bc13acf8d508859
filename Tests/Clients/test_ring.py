"""The program of colmi_r02_client finds the ring and reads it. It names no adapter."""
import pytest

RING = """
import contextlib, io
from colmi_r02_client.cli import cli_client

async def client():
    with contextlib.redirect_stdout(io.StringIO()) as output:
        for arguments in commands:
            await cli_client.main(arguments, standalone_mode=False)
    return output.getvalue().splitlines()
"""


def test_the_client_finds_it_by_name(reads):
    saw, _ = reads("colmi-r02", RING, {"level": 42}, own_python=True, commands=[["--name", "R02_341C", "info"]])
    assert saw == [
        "device info {'hw_version': 'R02_V3.0', 'fw_version': 'R02_3.00.06_240523'}",
        "battery: BatteryInfo(battery_level=42, charging=False)"]


# Sets the clock, and reads the heart rates of that day
DAY = """
commands = [["--address", address, "set-time", "--when", "2026-01-05T12:00:00"], ["--address", address, "info"],
            ["--address", address, "get-heart-rate-log", "--target", "2026-01-05"]]
""" + RING


@pytest.mark.repeats
def test_the_client_sets_the_clock_and_reads_the_heart_rates_of_that_day(reads):
    saw, _ = reads("colmi-r02", DAY, {"level": 17}, own_python=True)
    assert "battery: BatteryInfo(battery_level=17, charging=False)" in saw
    start = saw.index("00:00, 58")
    assert saw[start:start + 4] == ["00:00, 58", "01:00, 53", "02:00, 53", "03:00, 57"]
