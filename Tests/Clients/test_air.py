"""The air in a room: three clients of an Aranet4."""
import pytest

SETTINGS = {"co2": 1250, "temperature": 19.95, "humidity": 51, "pressure": 1013.2, "battery": 12}

ARANET = """
leave_out("requests")
from aranet4.client import Aranet4, Param

async def client():
    meter = Aranet4(address)
    await meter.connect()
    try:
        count = await meter.get_total_readings()
        return {
            "reading": vars(await meter.current_readings(details=True)), "name": await meter.get_name(), "interval": await meter.get_interval(),
            "temperatures": await meter.get_records(Param.TEMPERATURE, count, 22, count), "humidities": await meter.get_records(Param.HUMIDITY, count, 22, count),
        }
    finally:
        await meter.device.disconnect()
"""


@pytest.mark.repeats
def test_aranet4_reads_the_meter_and_its_history(reads):
    saw, _ = reads("aranet4", ARANET, SETTINGS | {"minutes": 2, "local-name": "Aranet4 0C0DE"})
    reading = {"co2": 1250, "temperature": 20, "humidity": 51, "pressure": 1013.2, "battery": 12, "status": 2, "interval": 120}
    assert saw["reading"] | reading == saw["reading"]
    assert saw["interval"] == 120
    # -1 for those that it has not asked for
    assert saw["temperatures"] == [-1] * 21 + [21.5, 21.6, 21.7]
    assert saw["humidities"] == [-1] * 21 + [37, 34, 36]


PYARANET = """
leave_out("requests")
from pyaranet4 import Aranet4

async def client():
    meter = Aranet4()
    await meter._discover()  # what its properties do first, in a loop of their own
    try:
        return vars(await meter._get_history((meter.SENSOR_CO2, meter.SENSOR_HUMIDITY)))
    finally:
        await meter._client.disconnect()
"""


@pytest.mark.repeats
def test_pyaranet4_finds_the_meter_and_reads_its_history(reads):
    saw, _ = reads("aranet4", PYARANET)
    # It begins with the second, which it calls 0.
    assert [saw["co2"][number] for number in ("0", "1", "22")] == [548, 562, 496]
    assert [saw["humidity"][number] for number in ("0", "1", "22")] == [37, 34, 36]
    assert saw["timestamps"]["22"] - saw["timestamps"]["0"] == 22 * 300


CLARANET = """
import claranet4.lib as aranet

async def client():
    meter, = [each for each in await aranet.discover(timeout=2) if name in each.name]
    return vars(aranet.Reading(meter, await aranet.request_measurements(meter.address)))
"""


@pytest.mark.repeats
def test_claranet4_finds_the_meter_and_reads_it(reads):
    saw, _ = reads("aranet4", CLARANET, SETTINGS, name="Aranet4")
    assert (saw["name"], saw["co2"], saw["temperature"], saw["pressure"]) == ("Aranet4 12345", 1250, 19.9, 1013.2)
