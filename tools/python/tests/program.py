"""What type checkers know about programs: mypy reports an 'ignore' that hides no error."""
import asyncio
from typing import Any, Dict, List

import blemu


def waiting(device: blemu.Device) -> bytes:
    outcome: blemu.Outcome = device.send("serial", "day-total", central=None, packets=5)
    some: Dict[str, Any] = device.get("level", "state")
    found: List[blemu.Event] = device.expect("connect", within=1, after=outcome.after)
    device.press()  # type: ignore[call-arg]
    device.press(1)  # type: ignore[arg-type]
    device.status().nonsense  # type: ignore[attr-defined]
    with device.central() as central:
        central.write("FFE1", b"OK", response=1.5)  # type: ignore[arg-type]
        return central.read("FFE1") if some else found[0].value


async def awaited(device: blemu.aio.Device) -> bytes:
    outcome: blemu.Outcome = await device.send("serial", "day-total", central=None, packets=5)
    some: Dict[str, Any] = await device.get("level", "state")
    found: List[blemu.Event] = await asyncio.create_task(device.expect("connect", within=1, after=outcome.after))
    await device.press()  # type: ignore[call-arg]
    await device.press(1)  # type: ignore[arg-type]
    (await device.status()).nonsense  # type: ignore[attr-defined]
    device.reset()  # type: ignore[unused-coroutine]
    async with device.central() as central:
        await central.write("FFE1", b"OK", response=1.5)  # type: ignore[arg-type]
        return await central.read("FFE1") if some else found[0].value


async def run() -> str:
    blemu.run("hm-10", seed="7")  # type: ignore[arg-type]
    blemu.aio.run("hm-10", seed="7")  # type: ignore[arg-type]
    async with blemu.aio.run("hm-10", settings={"local-name": "Robot"}) as device:
        return device.path


def virtually() -> str:
    value: blemu.Value = blemu.virtual.run(received())
    blemu.virtual.run(received)  # type: ignore[arg-type]
    return f"{value.message}"


async def received() -> blemu.Value:
    async with blemu.aio.run("hm-10", hold_clock=True) as device, device.central() as phone:
        with blemu.virtual.standing_still():
            phone.next("FFE1")  # type: ignore[unused-coroutine]
        return await phone.next("FFE1", within=1)
