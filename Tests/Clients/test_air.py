"""The air in a room: three clients of an Aranet4, and two of an Airthings Wave Plus."""
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
            "reading": vars(await meter.current_readings(details=True)), "interval": await meter.get_interval(),
            "temperatures": await meter.get_records(Param.TEMPERATURE, count, 22, count), "humidities": await meter.get_records(Param.HUMIDITY, count, 22, count),
        }
    finally:
        await meter.device.disconnect()
"""


@pytest.mark.repeats
def test_aranet4_reads_the_meter_and_its_history(reads):
    saw, _ = reads("aranet4", ARANET, SETTINGS | {"minutes": 2})
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


WAVE = {"serial": 123456, "radon": 39, "radon-long-term": 58, "temperature": 19.42, "humidity": 26.5, "pressure": 1008.5, "co2": 742, "voltage": 2650}

AIRTHINGS = """
leave_out("cbor2")
import logging
from airthings_ble import AirthingsBluetoothDeviceData

async def client():
    wave = await AirthingsBluetoothDeviceData(logging.getLogger()).update_device(await find())
    return {"model": wave.model.product_name, "identifier": wave.identifier, "firmware": wave.sw_version, **wave.sensors}
"""


@pytest.mark.repeats
def test_airthings_ble_reads_a_wave_plus(reads):
    saw, _ = reads("airthings-wave-plus", AIRTHINGS, WAVE, name="Airthings Wave+")
    expected = {
        "model": "Wave Plus", "identifier": "123456", "firmware": "G-BLE-1.5.3-master+0", "radon_1day_avg": 39, "radon_1day_level": "good",
        "radon_longterm_avg": 58, "temperature": 19.42, "humidity": 26.5, "pressure": 1008.5, "co2": 742, "voc": 155, "illuminance": 24,
        "battery": 60,
    }
    assert saw | expected == saw


WAVE_READER = """
from wave_reader.wave import discover_devices

async def client():
    wave, = await discover_devices(timeout=2, bluez={"adapter": "hci1"})
    async with wave:
        values = await wave.get_sensor_values()
        voltage = await wave.get_battery()
        return {"serial": wave.serial, "battery": float(voltage), **{key: float(value) for key, value in values.as_dict().items() if key != "battery"}}
"""


@pytest.mark.repeats
def test_wave_reader_finds_a_wave_plus_and_reads_it(reads):
    saw, _ = reads("airthings-wave-plus", WAVE_READER, WAVE)
    assert saw == {"serial": "2930123456", "humidity": 26.5, "radon_sta": 39, "radon_lta": 58, "temperature": 19.42, "pressure": 1008.5,
                   "co2": 742, "voc": 155, "battery": 2.65}
