"""Steers and checks virtual Bluetooth LE peripherals that blemu runs.

    import blemu

    with blemu.run("hm-10", on="loopback") as device:
        device.wire(b"OK")
        device.expect('] wire "OK"')

`blemu.aio` has the same for asyncio, `blemu.pytest_plugin` fixtures for pytest, and `blemu.bleak` devices for programs that use bleak.
"""
from . import aio, bleak, virtual
from .answers import Outcome, Status
from .central import Central, Value
from .device import Device, Fault, Interception, devices
from .errors import EndedError, Error, ExpectationError, Refusal, RefusedError
from .event import Event
from .forgetting import forget
from .interception import Answer
from .running import Run, run
from .stands import Stand, StandRun, up

__all__ = [
    "Answer", "Central", "Device", "EndedError", "Error", "Event", "ExpectationError", "Fault", "Interception", "Outcome", "Refusal",
    "RefusedError", "Run", "Stand", "StandRun", "Status", "Value", "aio", "bleak", "devices", "forget", "run", "up", "virtual",
]
