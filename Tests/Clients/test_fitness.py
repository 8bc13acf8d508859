"""Fitness: pycycling, pyftms, walkingpad-controller, polar-python, bleakheart and hrm-recorder."""
import pytest


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
"""


@pytest.mark.repeats
def test_pycycling_controls_the_bike(reads):
    saw, _ = reads("exercise-bike", BIKE, {"cadence": 90, "speed": 30}, name="Exercise bike")
    assert saw["said"] == [
        ["SET_TARGET_POWER", "CONTROL_NOT_PERMITTED"], ["REQUEST_CONTROL", "SUCCESS"], ["SET_TARGET_POWER", "SUCCESS"],
        ["START_OR_RESUME", "SUCCESS"], ["SET_TARGET_HEART_RATE", "NOT_SUPPORTED"]]
    assert 190 <= saw["power"] <= 210 and 85.5 <= saw["cadence"] <= 94.5 and 28.5 <= saw["speed"] <= 31.5
    assert (saw["resistance"], saw["watts"]) == ([0, 200, 1], [0, 2000, 1])
    assert sorted(key for key, value in saw["can"].items() if value) == [
        "indoor_bike_simulation_parameters_supported", "power_target_setting_supported", "resistance_target_setting_supported"]


# What controls a treadmill, and what notes its answers and changes.
PYCYCLING = """
from pycycling.fitness_machine_service import FitnessMachineService

async def control(link):
    treadmill, answers, said, changes = FitnessMachineService(link), asyncio.Queue(), [], []
    treadmill.set_control_point_response_handler(answers.put_nowait)
    treadmill.set_fitness_machine_status_handler(lambda change: changes.append([change.status.name, change.value]))
    await treadmill.enable_control_point_indicate()
    await treadmill.enable_fitness_machine_status_notify()

    async def tell(ask):
        await ask
        answer = await asyncio.wait_for(answers.get(), patience)
        said.append([answer.request_code_enum.name, answer.result_code_enum.name])

    return treadmill, tell, said, changes
"""

TREADMILL = PYCYCLING + """
async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        belt_data, data = "00002acd-0000-1000-8000-00805f9b34fb", asyncio.Queue()  # which pycycling does not read
        treadmill, tell, said, changes = await control(link)
        for ask in (treadmill.set_target_speed(300), treadmill.request_control(), treadmill.set_target_speed(300),
                    treadmill.set_target_speed(2500), treadmill.set_target_incline(20), treadmill.start_or_resume()):
            await tell(ask)
        await link.start_notify(belt_data, lambda _, value: data.put_nowait(bytes(value)))
        for _ in range(6):  # seconds
            belt = await asyncio.wait_for(data.get(), patience)
        await tell(treadmill.stop_or_pause(False))
        return {"said": said, "changes": changes, "speed": belt[2:4].hex(), "inclination": belt[7:9].hex()}
"""


def test_pycycling_controls_the_treadmill(reads):
    saw, _ = reads("treadmill", TREADMILL, name="Treadmill")
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
"""


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_pycycling_reads_the_power_meter(reads):
    saw, _ = reads("power-meter", POWER, {"power": 250, "balance": 52, "location": 6}, name="Power meter")
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
"""


@pytest.mark.repeats
def test_pycycling_reads_the_heart_rate_belt(reads):
    saw, _ = reads("heart-rate-belt", BELT, {"beats-per-minute": 90}, name="Heart rate belt")
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
"""


@pytest.mark.repeats
def test_pycycling_reads_the_cycling_sensor(reads):
    saw, _ = reads("cycling-sensor", SENSOR, name="Cycling sensor")

    def per_minute(revolutions, time):
        count, ticks = (saw["last"][key] - saw["first"][key] for key in (revolutions, time))
        return count / (ticks % 65536) * 1024 * 60

    assert 150 <= per_minute("cumulative_wheel_revs", "last_wheel_event_time") <= 211
    assert 79 <= per_minute("cumulative_crank_revs", "last_crank_event_time") <= 91
    assert all(saw["can"].values())


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
"""


def test_polar_python_reads_ecg_and_acceleration(reads):
    saw, _ = reads("polar-h10", STRAP, {"beats-per-minute": 72}, name="Polar H10 8A3F2C1D")
    assert 830 * 0.95 <= saw.pop("interval")[0] <= 830 * 1.05
    assert saw == {
        "kinds": ["ECG", "ACC"], "ecg": [["SAMPLE_RATE", [130]], ["RESOLUTION", [14]]],
        "acceleration": [["SAMPLE_RATE", [25, 50, 100, 200]], ["RESOLUTION", [16]], ["RANGE", [2, 4, 8]]],
        "rate": 72, "samples": [73, 73, 36], "peak": 1038, "apart": saw["apart"], "lying": saw["lying"]}
    assert abs(saw["apart"] - 73 * 10**9 / 130) < 1  # ns, each time rounded
    assert -40 <= saw["lying"][0] <= 42 and saw["lying"][1:] == [4, 990]


MACHINE = """
from pyftms import discover_ftms_devices, get_client

async def client():
    async for device, kind in discover_ftms_devices(patience):
        break
    events = asyncio.Queue()
    async with get_client(device, kind, timeout=patience, on_ftms_event=events.put_nowait) as machine:
        said = [(await ask).name for ask in (machine.set_target_speed(3.0), machine.set_target_speed(25.0),
                                             machine.set_target_inclination(2.0), machine.start_resume())]
        while machine.properties.get("speed_instant") != 3.0:
            await asyncio.wait_for(events.get(), patience)
        return {"kind": kind.name, "said": said + [(await machine.stop()).name], "settings": machine.supported_settings,
                "ranges": {name: [each.min_value, each.max_value, each.step] for name, each in machine.supported_ranges.items()}}
"""


@pytest.mark.repeats
def test_pyftms_controls_the_treadmill(reads):
    saw, _ = reads("treadmill", MACHINE)
    assert saw == {
        "kind": "TREADMILL", "said": ["SUCCESS", "INVALID_PARAMETER", "SUCCESS", "SUCCESS", "SUCCESS"],
        "settings": ["target_speed", "target_inclination"],
        "ranges": {"target_speed": [1, 20, 0.1], "target_inclination": [0, 15, 0.5]}}


PAD = """
from walkingpad_controller import WalkingPadController

async def client():
    pad, speeds = WalkingPadController(await find()), []
    pad.register_status_callback(lambda status: speeds.append(status.speed))
    await pad.connect()
    try:
        started, set_speed = await pad.start(), await pad.set_speed(4.5)
        end = asyncio.get_running_loop().time() + patience
        while pad.status.speed != 4.5 and asyncio.get_running_loop().time() < end:
            await asyncio.sleep(0.1)
        return {"protocol": pad.protocol.name, "range": [pad.min_speed, pad.max_speed, pad.speed_increment],
                "started": started, "set": set_speed, "speed": pad.status.speed, "rising": speeds == sorted(speeds), "stopped": await pad.stop()}
    finally:
        await pad.disconnect()
"""


@pytest.mark.repeats
def test_walkingpad_controller_controls_the_treadmill(reads):
    saw, _ = reads("treadmill", PAD, name="Treadmill")
    assert saw == {"protocol": "FTMS", "range": [1, 20, 0.1], "started": True, "set": True, "speed": 4.5, "rising": True, "stopped": True}


HEART = """
from bleakheart import BatteryLevel, HeartRate

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        beats = asyncio.Queue()
        belt = HeartRate(link, queue=beats, unpack=False)
        await belt.start_notify()
        kind, _, (rate, intervals), energy = await asyncio.wait_for(beats.get(), patience)
        await belt.stop_notify()
        return {"kind": kind, "rate": rate, "intervals": intervals, "contact": belt.contact_detection, "battery": await BatteryLevel(link).read()}
"""


@pytest.mark.repeats
def test_bleakheart_reads_the_heart_rate_belt(reads):
    saw, _ = reads("heart-rate-belt", HEART, {"beats-per-minute": 75}, name="Heart rate belt")
    # 60 s / 75, and up to 20 ms for the breath
    assert saw["intervals"] and all(780 <= interval <= 820 for interval in saw.pop("intervals"))
    assert saw.pop("battery") in (99, 100) and saw == {"kind": "HR", "rate": 75, "contact": True}


HEART_OF_POLAR = """
from bleakheart import PolarMeasurementData

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        ecg, acceleration = asyncio.Queue(), asyncio.Queue()
        strap = PolarMeasurementData(link, ecg_queue=ecg, acc_queue=acceleration)
        kinds, settings = await strap.available_measurements(), await strap.available_settings("ACC")
        assert (settings.pop("error_code"), settings.pop("error_msg")) == (0, "SUCCESS")
        said = [(await strap.start_streaming("ECG"))[:2], (await strap.start_streaming("ACC", RANGE=8, SAMPLE_RATE=50))[:2]]
        _, _, heart = await asyncio.wait_for(ecg.get(), patience)
        _, _, lying = await asyncio.wait_for(acceleration.get(), patience)
        said += [await strap.stop_streaming(kind) for kind in ("ECG", "ACC")]
        return {"kinds": kinds, "settings": settings, "said": said, "samples": [len(heart), len(lying)], "lying": lying[0]}
"""


@pytest.mark.repeats
def test_bleakheart_reads_ecg_and_acceleration(reads):
    saw, _ = reads("polar-h10", HEART_OF_POLAR, name="Polar H10 8A3F2C1D")
    x, *others = saw.pop("lying")
    assert -40 <= x <= 42 and others == [4, 990]
    assert saw == {
        "kinds": ["ECG", "ACC"], "settings": {"SAMPLE_RATE": [25, 50, 100, 200], "RESOLUTION": [16], "RANGE": [2, 4, 8]},
        "said": [[0, "SUCCESS"]] * 4, "samples": [73, 36]}


RECORDER = """
import json, os, tempfile, time
from hrm_recorder import recorder

def client():
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        with open(".hrm_config.json", "w") as file:
            json.dump({"address": address, "name": "belt"}, file)
        recording, end = recorder(), time.monotonic() + patience
        recording.start(timeout=patience)
        while not recording.get().startswith("HR: 66,") and time.monotonic() < end:
            time.sleep(0.05)
        now = recording.get()
        recording.exit()
        os.chdir("/")
        return now
"""


@pytest.mark.repeats
def test_hrm_recorder_reads_the_heart_rate_belt(reads):
    saw, _ = reads("heart-rate-belt", RECORDER, {"beats-per-minute": 66})
    assert saw.startswith("HR: 66, HRV: 0.")


RADAR = """
from pycycling.rear_view_radar import RearViewRadarService

async def client():
    async with BleakClient(await find(), timeout=patience) as link:
        radar = RearViewRadarService(link)
        cars = await first(radar.enable_radar_measurement_notifications, radar.set_radar_measurement_handler,
                           radar.disable_radar_measurement_notifications)
        return [each._asdict() for each in cars]
"""


@pytest.mark.repeats
def test_pycycling_sees_the_vehicles_behind_the_bicycle(reads):
    saw, _ = reads("varia-radar", RADAR, {"vehicles": 2, "speed": 72, "gap": 30}, name="RTL51536")
    assert [car["speed"] for car in saw] == [72, 76]
    assert 100 < saw[0]["distance"] <= 140 and 70 < saw[1]["distance"] < 110 and saw[0]["threat_id"] != saw[1]["threat_id"]
