"""Published clients find the bundled devices on hci1, and read and control them as they do the real ones."""
import json
import sys

import bluez
import debian13
import hci
from device import Blemu
from patience import PATIENCE

# Finds a device by its name on hci1. `client` is the test's own part.
COMMON = """
import asyncio, json, sys
from bleak import BleakClient, BleakScanner

name, patience = sys.argv[1], float(sys.argv[2])

async def find():
    device = await BleakScanner.find_device_by_name(name, timeout=patience, bluez={"adapter": "hci1"})
    assert device, f"no device {name}"
    return device

async def first(start, take, stop):
    "Starts notifications whose values go to `take`, and returns the first."
    values = asyncio.Queue()
    take(values.put_nowait)
    await start()
    try:
        return await asyncio.wait_for(values.get(), patience)
    finally:
        await stop()

def run(client):
    print(json.dumps(asyncio.run(client()), default=str))
"""


def published(name, code):
    """Runs a client in Debian 13 with the device of this name, and returns what it prints as JSON."""
    try:
        return json.loads(bluez.run(*debian13.python("-c", COMMON + code, name, PATIENCE), timeout=3 * PATIENCE).splitlines()[-1])
    finally:
        bluez.disconnect("hci1")


def reads(device, name, code, on="bluez:hci0", **settings):
    """Puts a device on the air with these settings, and returns what the client says of it, and the device's log."""
    bluez.forget_devices()
    words = [f"{key.replace('_', '-')}={value}" for key, value in settings.items()]
    with Blemu(device, *(part for word in words for part in ("--set", word)), on=on) as blemu:
        return published(name, code), [event["message"] for event in blemu.happened("log")]


RENOGY = """
from renogy_ble.ble import RenogyBLEDevice, RenogyBleClient

async def client():
    device, renogy = RenogyBLEDevice(await find()), RenogyBleClient(max_notification_wait_time=patience)
    before = await renogy.read_device(device)
    assert before.success, before.error
    values = dict(before.parsed_data)
    written = await renogy.write_single_register(device, 0x010A, 0)
    assert written.success, written.error
    refused = await renogy.write_single_register(device, 0x010A, 7)
    after = await renogy.read_device(device)
    return {"before": values, "refused": str(refused.error), "after": after.parsed_data["load_status"]}

run(client)
"""


def test_renogy_ble_reads_the_charge_controller_and_switches_the_load():
    saw, _ = reads("renogy-bt-1", "BT-TH-B00FC0DE", RENOGY, level=61, battery_voltage=12.9, panel_voltage=19.5, panel_current=3.2, ripple=0,
                   load_current=1.25, controller_temperature=-5, battery_temperature=18, charging=4, battery_type=3)
    expected = {
        "model": "RNG-CTRL-RVR40", "device_id": 1, "battery_percentage": 61, "battery_voltage": 12.9, "controller_temperature": -5,
        "battery_temperature": 18, "load_status": "on", "load_voltage": 12.9, "load_current": 1.25, "load_power": 16, "pv_voltage": 19.5,
        "pv_current": 3.2, "pv_power": 62, "charging_status": "boost", "battery_type": "gel",
    }
    assert {key: round(value, 2) if isinstance(value, float) else value for key, value in saw["before"].items() if key in expected} == expected
    assert saw["refused"] == "Modbus exception code 3 for register 266"
    assert saw["after"] == "off"


BIKE = """
from pycycling.fitness_machine_service import FitnessMachineService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        machine = FitnessMachineService(link)
        answers = asyncio.Queue()
        machine.set_control_point_response_handler(answers.put_nowait)
        await machine.enable_control_point_indicate()
        said = []
        for ask in (machine.set_target_power(200), machine.request_control(), machine.set_target_power(200), machine.start_or_resume(),
                    machine.set_target_heart_rate(120)):
            await ask
            answer = await asyncio.wait_for(answers.get(), patience)
            said.append([answer.request_code_enum.name, answer.result_code_enum.name])
        data = await first(machine.enable_indoor_bike_data_notify, machine.set_indoor_bike_data_handler,
                           machine.disable_indoor_bike_data_notify)
        return {"said": said, "power": data.instant_power, "cadence": data.instant_cadence, "speed": data.instant_speed,
                "resistance": list(await machine.get_supported_resistance_level_range()),
                "watts": list(await machine.get_supported_power_range()),
                "can": (await machine.get_target_setting_feature())._asdict()}

run(client)
"""


def test_pycycling_controls_the_bike():
    saw, _ = reads("exercise-bike", "Exercise bike", BIKE, cadence=90, speed=30)
    assert saw["said"] == [
        ["SET_TARGET_POWER", "CONTROL_NOT_PERMITTED"], ["REQUEST_CONTROL", "SUCCESS"], ["SET_TARGET_POWER", "SUCCESS"],
        ["START_OR_RESUME", "SUCCESS"], ["SET_TARGET_HEART_RATE", "NOT_SUPPORTED"]]
    assert 190 <= saw["power"] <= 210 and 85.5 <= saw["cadence"] <= 94.5 and 28.5 <= saw["speed"] <= 31.5
    assert (saw["resistance"], saw["watts"]) == ([0, 200, 1], [0, 2000, 1])
    assert sorted(key for key, value in saw["can"].items() if value) == [
        "indoor_bike_simulation_parameters_supported", "power_target_setting_supported", "resistance_target_setting_supported"]


TREADMILL = """
from pycycling.fitness_machine_service import FitnessMachineService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        belt_data, data = "00002acd-0000-1000-8000-00805f9b34fb", asyncio.Queue()  # which pycycling does not read
        treadmill, answers, changes = FitnessMachineService(link), asyncio.Queue(), []
        treadmill.set_control_point_response_handler(answers.put_nowait)
        treadmill.set_fitness_machine_status_handler(lambda change: changes.append([change.status.name, change.value]))
        await treadmill.enable_control_point_indicate()
        await treadmill.enable_fitness_machine_status_notify()
        said = []

        async def tell(ask):
            await ask
            answer = await asyncio.wait_for(answers.get(), patience)
            said.append([answer.request_code_enum.name, answer.result_code_enum.name])

        for ask in (treadmill.set_target_speed(300), treadmill.request_control(), treadmill.set_target_speed(300),
                    treadmill.set_target_speed(2500), treadmill.set_target_incline(20), treadmill.start_or_resume()):
            await tell(ask)
        await link.start_notify(belt_data, lambda _, value: data.put_nowait(bytes(value)))
        for _ in range(6):  # seconds
            belt = await asyncio.wait_for(data.get(), patience)
        await tell(treadmill.stop_or_pause(False))
        return {"said": said, "changes": changes, "speed": belt[2:4].hex(), "inclination": belt[7:9].hex()}

run(client)
"""


def test_pycycling_controls_the_treadmill():
    saw, _ = reads("treadmill", "Treadmill", TREADMILL)
    assert saw["said"] == [
        ["SET_TARGET_SPEED", "CONTROL_NOT_PERMITTED"], ["REQUEST_CONTROL", "SUCCESS"], ["SET_TARGET_SPEED", "SUCCESS"],
        ["SET_TARGET_SPEED", "INCORRECT_PARAMETER"], ["SET_TARGET_INCLINE", "SUCCESS"], ["START_OR_RESUME", "SUCCESS"],
        ["STOP_OR_PAUSE", "SUCCESS"]]
    assert saw["changes"][:3] == [["NEW_SPEED", 3], ["NEW_INCLINATION", 2], ["STARTED_BY_USER", None]]
    assert (saw["speed"], saw["inclination"]) == ("2c01", "1400")  # 3.00 km/h, 2.0 %


POWER = """
from pycycling.cycling_power_service import CyclingPowerService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        meter = CyclingPowerService(link)
        data = await first(meter.enable_cycling_power_measurement_notifications, meter.set_cycling_power_measurement_handler,
                           meter.disable_cycling_power_measurement_notifications)
        features = (await meter.get_cycling_power_feature())._asdict()
        return {"power": data.instantaneous_power, "balance": data.pedal_power_balance, "where": (await meter.get_sensor_location()).name,
                "can": [key for key, value in features.items() if value is True]}

run(client)
"""


def test_pycycling_reads_the_power_meter():
    saw, _ = reads("power-meter", "Power meter", POWER, power=250, balance=52, location=6, on="exact:hci0")
    assert 240 <= saw.pop("power") <= 260
    assert saw == {"balance": 104, "where": "right_crank", "can": [
        "pedal_power_balance_supported", "accumulated_torque_supported", "crank_rev_supported", "offset_compensation_supported",
        "crank_length_adjustment_supported"]}


BELT = """
from pycycling.battery_service import BatteryService
from pycycling.heart_rate_service import HeartRateService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        belt = HeartRateService(link)
        data = await first(belt.enable_hr_measurement_notifications, belt.set_hr_measurement_handler,
                           belt.disable_hr_measurement_notifications)
        return data._asdict() | {"battery": await BatteryService(link).get_battery_level()}

run(client)
"""


def test_pycycling_reads_the_heart_rate_belt():
    saw, _ = reads("heart-rate-belt", "Heart rate belt", BELT, beats_per_minute=90)
    # 60 s / 90, and up to 20 ms for the breath, in 1/1024 s
    assert saw["rr_interval"] and all(661 <= interval <= 704 for interval in saw["rr_interval"])
    assert (saw["sensor_contact"], saw["bpm"]) == (True, 90) and 99 <= saw["battery"] <= 100


SENSOR = """
from pycycling.cycling_speed_cadence_service import CyclingSpeedCadenceService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        sensor, values = CyclingSpeedCadenceService(link), asyncio.Queue()
        sensor.set_csc_measurement_handler(values.put_nowait)
        await sensor.enable_csc_measurement_notifications()
        data = [(await asyncio.wait_for(values.get(), patience))._asdict() for _ in range(4)]
        await sensor.disable_csc_measurement_notifications()
        return {"first": data[0], "last": data[-1], "can": (await sensor.get_csc_feature())._asdict()}

run(client)
"""


def test_pycycling_reads_the_cycling_sensor():
    saw, _ = reads("cycling-sensor", "Cycling sensor", SENSOR)

    def per_minute(revolutions, time):
        count, ticks = (saw["last"][key] - saw["first"][key] for key in (revolutions, time))
        return count / (ticks % 65536) * 1024 * 60

    assert 150 <= per_minute("cumulative_wheel_revs", "last_wheel_event_time") <= 211
    assert 79 <= per_minute("cumulative_crank_revs", "last_crank_event_time") <= 91
    assert all(saw["can"].values())


LIGHT = """
from led_ble import LEDBLE
from dataclasses import asdict

async def client():
    light = LEDBLE(await find())
    states = []

    async def look(answers=1):
        seen = asyncio.Queue()
        forget = light.register_callback(seen.put_nowait)
        await light.update()
        for _ in range(answers):
            await asyncio.wait_for(seen.get(), patience)
        forget()
        states.append(asdict(light.state))

    await look(answers=2)  # to learn the protocol, led-ble asks once more
    await light.set_rgb((10, 200, 30))
    await look()
    await light.set_white(77)
    await light.turn_off()
    await look()
    await light.stop()
    return states

run(client)
"""


def test_led_ble_switches_the_light():
    states, log = reads("triones-light", "Triones:C10511000166", LIGHT)
    assert [(state["power"], state["rgb"], state["w"], state["model_num"]) for state in states] == [
        (True, [255, 120, 0], 0, 4), (True, [10, 200, 30], 0, 4), (False, [0, 0, 0], 77, 4)]
    assert log == ["red 10, green 200, blue 30", "white 77", "off"]


MICROBIT = """
from kaspersmicrobit import KaspersMicrobit
from kaspersmicrobit.services.leddisplay import LedDisplay

microbit = KaspersMicrobit.find_one_microbit("zutav", timeout=patience)
with microbit:
    picture = LedDisplay.image('''
        01010
        11111
        11111
        01110
        00100''', on="1", off="0")
    microbit.led.show(picture)
    microbit.led.show_text("Hello")
    print(json.dumps({
        "name": microbit.name(), "temperature": microbit.temperature.read(), "z": microbit.accelerometer.read().z,
        "a": microbit.buttons.read_button_a().name, "b": microbit.buttons.read_button_b().name,
        "heart": microbit.led.read().to_bytes().hex(), "delay": microbit.led.get_scrolling_delay()}))
"""


def test_kaspersmicrobit_uses_the_micro_bit():
    saw, log = reads("micro-bit", "", MICROBIT, temperature=-7, button_b=1)
    assert -1100 < saw.pop("z") < -900
    assert saw == {"name": "BBC micro:bit [zutav]", "temperature": -7, "a": "RELEASE", "b": "PRESS", "heart": "0a1f1f0e04", "delay": 120}
    assert log == ["the LEDs show 0A1F1F0E04", "'Hello' scrolls by, 120 ms a column"]


STRAP = """
from polar_python import PolarDevice
from polar_python.constants import PmdMeasurementType as Kind

async def client():
    async with PolarDevice(await find()) as strap:
        kinds = [kind.name for kind in await strap.get_available_features()]
        settings = {kind: [[each.type.name, each.values] for each in (await strap.request_stream_settings(kind)).settings]
                    for kind in (Kind.ECG, Kind.ACC)}
        ecg, acceleration, beats = asyncio.Queue(), asyncio.Queue(), asyncio.Queue()
        await strap.start_hr_stream(beats.put_nowait)
        beat = await asyncio.wait_for(beats.get(), patience)
        await strap.start_ecg_stream(ecg.put_nowait, 130, 14)
        first, second = [await asyncio.wait_for(ecg.get(), patience) for _ in range(2)]
        await strap.stop_ecg_stream()
        await asyncio.wait_for(strap._queue_pmd_control.get(), patience)  # the answer, for which polar-python does not wait
        await strap.start_acc_stream(acceleration.put_nowait, 50, 16, 8)
        lying = await asyncio.wait_for(acceleration.get(), patience)
        return {"kinds": kinds, "ecg": settings[Kind.ECG], "acceleration": settings[Kind.ACC], "rate": beat.heartrate,
                "interval": beat.rr_intervals, "samples": [len(first.data), len(second.data), len(lying.data)],
                "peak": max(first.data + second.data), "apart": second.timestamp - first.timestamp, "lying": lying.data[0]}

run(client)
"""


def test_polar_python_reads_ecg_and_acceleration():
    saw, _ = reads("polar-h10", "Polar H10 8A3F2C1D", STRAP, beats_per_minute=72)
    assert 830 * 0.95 <= saw.pop("interval")[0] <= 830 * 1.05
    assert saw == {
        "kinds": ["ECG", "ACC"], "ecg": [["SAMPLE_RATE", [130]], ["RESOLUTION", [14]]],
        "acceleration": [["SAMPLE_RATE", [25, 50, 100, 200]], ["RESOLUTION", [16]], ["RANGE", [2, 4, 8]]],
        "rate": 72, "samples": [73, 73, 36], "peak": 1038, "apart": saw["apart"], "lying": saw["lying"]}
    assert abs(saw["apart"] - 73 * 10**9 / 130) < 1  # ns, each time rounded
    assert -40 <= saw["lying"][0] <= 42 and saw["lying"][1:] == [4, 990]


# These two run in the tests' own Python (tools/test-python): ble-serial names its adapter as bleak 0.22 takes it.
CAR = """
import json, os, subprocess, sys, tempfile, time, obd

address, patience = sys.argv[1], float(sys.argv[2])
port = os.path.join(tempfile.mkdtemp(), "obd")
tunnel = subprocess.Popen([sys.executable, "-m", "ble_serial", "-i", "hci1", "-d", address, "-t", str(patience), "-p", port,
                           "-w", "0000fff2-0000-1000-8000-00805f9b34fb", "-r", "0000fff1-0000-1000-8000-00805f9b34fb"],
                          stdout=subprocess.DEVNULL)

def ask(car, name):
    value = car.query(obd.commands[name]).value
    return round(value.magnitude, 1) if hasattr(value, "magnitude") else value

try:
    end = time.monotonic() + patience
    while not os.path.exists(port):
        assert tunnel.poll() is None and time.monotonic() < end, "ble-serial opened no port"
        time.sleep(0.1)
    car = obd.OBD(os.path.realpath(port), fast=False, timeout=patience)
    seen = {"status": car.status(), "protocol": car.protocol_name(), "codes": [code for code, _ in ask(car, "GET_DTC")],
            "vin": ask(car, "VIN").decode(), "lamp": ask(car, "STATUS").MIL}
    seen |= {name: ask(car, name) for name in ("RPM", "SPEED", "COOLANT_TEMP", "FUEL_LEVEL", "ELM_VOLTAGE")}
    ask(car, "CLEAR_DTC")
    print(json.dumps(seen | {"cleared": ask(car, "GET_DTC")}))
    car.close()
finally:
    tunnel.terminate()
    tunnel.wait()
"""


def own_python(device, code, *settings):
    bluez.forget_devices()
    with Blemu(device, *(part for setting in settings for part in ("--set", setting))):
        try:
            return json.loads(bluez.run(sys.executable, "-c", code, hci.address_text("hci0"), PATIENCE, timeout=3 * PATIENCE).splitlines()[-1])
        finally:
            bluez.disconnect("hci1")


def test_python_obd_reads_the_car_through_ble_serial():
    # python-OBD strips digits 0 to 2 from both ends of the VIN.
    settings = "vin=WVWZZZ1KZAW123456", "rpm=2400", "speed=88", "road=0", "coolant=91", "fuel=40", "voltage=13.8", "codes=0420"
    assert own_python("elm327", CAR, *settings) == {
        "status": "Car Connected", "protocol": "ISO 15765-4 (CAN 11/500)", "RPM": 2400, "SPEED": 88, "COOLANT_TEMP": 91, "FUEL_LEVEL": 40,
        "ELM_VOLTAGE": 13.8, "codes": ["P0420"], "vin": "WVWZZZ1KZAW123456", "lamp": True, "cleared": []}


SMP = """
import asyncio, json, sys
from smpclient import SMPClient
from smpclient.requests.file_management import FileStatus
from smpclient.requests.image_management import ImageStatesRead
from smpclient.requests.os_management import EchoWrite, MCUMgrParametersRead, ResetWrite
from smpclient.transport.ble import SMPBLETransport

async def main():
    async with SMPClient(SMPBLETransport(), sys.argv[1]) as client:
        async def ask(request):
            return await client.request(request, timeout_s=float(sys.argv[2]))
        parameters, [image] = await ask(MCUMgrParametersRead()), (await ask(ImageStatesRead())).images
        return {"short": (await ask(EchoWrite(d="hello"))).r, "long": (await ask(EchoWrite(d="x" * 300))).r, "size": parameters.buf_size,
                "count": parameters.buf_count, "version": image.version, "hash": image.hash.hex(), "confirmed": image.confirmed,
                "file": int((await ask(FileStatus(name="/a"))).rc), "reset": (await ask(ResetWrite())).header.op.name}

print(json.dumps(asyncio.run(main())))
"""


@bluez.with_bleak_022
def test_smpclient_manages_the_zephyr_device():
    assert own_python("zephyr-smp", SMP, "version=2.0.1", "hash=AABBCCDD", "is-confirmed=false") == {
        "short": "hello", "long": "x" * 300, "size": 2048, "count": 4, "version": "2.0.1", "hash": "aabbccdd", "confirmed": False, "file": 8,
        "reset": "WRITE_RSP"}
