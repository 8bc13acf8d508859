"""Locks: yalexs-ble, the library behind Home Assistant's Yale Access Bluetooth."""
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
