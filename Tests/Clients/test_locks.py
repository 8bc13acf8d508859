"""Locks: yalexs-ble, the library behind Home Assistant's Yale Access Bluetooth, and pySwitchbot."""
import pytest

YALE = """
leave_out("lru")
from yalexs_ble.const import AutoLockMode
from yalexs_ble.lock import Lock
from yalexs_ble.session import OperationFailedError

async def client():
    told = []
    device = await find()
    lock = Lock(lambda: device, key, slot, name, told.extend)
    await lock.connect()
    try:
        info = await lock.lock_info()
        seen = {"model": info.model, "serial": info.serial, "before": (await lock.lock_status()).name, "door": (await lock.door_status()).name,
                "voltage": (await lock.battery()).voltage}
        await lock.unlock()
        seen["after"] = (await lock.lock_status()).name
        await lock.set_auto_lock(AutoLockMode.TIMER, 30)
        await lock.force_lock()
        await lock.auto_lock_status()
        return seen
    finally:
        await lock.disconnect()
"""


def test_yalexs_ble_unlocks_and_locks_a_lock(reads):
    saw, log = reads("yale-lock", YALE, {"voltage": 6120, "is-open": True, "key": "000102030405060708090A0B0C0D0E0F", "slot": 3},
                     name="M1012LU", key="000102030405060708090a0b0c0d0e0f", slot=3)
    assert saw == {"model": "ASL-03", "serial": "M1FBA012LU", "before": "LOCKED", "door": "OPENED", "voltage": 6.12, "after": "UNLOCKED"}
    assert log == ["unlocked", "locked"]


SWITCHBOT = """
leave_out("habluetooth", "home_assistant_bluetooth", "aiohttp", "yarl")
from switchbot import SwitchbotLock, parse_advertisement_data

async def client():
    async with asyncio.timeout(patience), BleakScanner(bluez={"adapter": "hci1"}) as scanner:
        async for device, advertisement in scanner.advertisement_data():
            if 0x0969 in advertisement.manufacturer_data and advertisement.service_data:
                break
    heard = parse_advertisement_data(device, advertisement)
    lock = SwitchbotLock(device, key_id, key)
    lock.update_from_advertisement(heard)
    try:
        seen = {"model": heard.data["modelFriendlyName"], "before": lock.get_lock_status().name, "battery": heard.data["data"]["battery"]}
        assert await lock.unlock()
        async with asyncio.timeout(patience):
            while lock.get_lock_status().name != "UNLOCKED":
                await asyncio.sleep(0.5)
        info = await lock.get_basic_info()
        return seen | {"after": info["status"].name, "open": info["door_open"], "firmware": info["firmware"]}
    finally:
        await lock._execute_disconnect()  # which the client would do after 8.5 s
"""


@pytest.mark.repeats
@pytest.mark.transports("exact")
def test_pyswitchbot_unlocks_a_lock(reads):
    saw, log = reads("switchbot-lock", SWITCHBOT, {"battery": 42, "is-open": True, "key": "000102030405060708090A0B0C0D0E0F", "key-id": 0x2F},
                     key_id="2f", key="000102030405060708090a0b0c0d0e0f")
    assert saw == {"model": "Lock", "before": "LOCKED", "battery": 42, "after": "UNLOCKED", "open": True, "firmware": 6.2}
    assert log == ["unlocked"]
