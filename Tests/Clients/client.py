"""Runs clients, one after the other, in the Python that has them: with bleak as it is, or with a device in memory.

Each line of the standard input is a question in JSON: the code of a client, what it knows by name, and the device with its settings, if
it is in memory. The answer is a line in JSON: what the code's function `client` returns and the device logs, or how it failed.
"""
import asyncio
import inspect
import json
import os
import sys
import traceback
import types


class _Names(type):
    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Unused


class Unused(Exception, metaclass=_Names):
    """A name of a module that clients import for annotations, for errors, and for the makers' clouds, and any name in it."""

    def __init__(self, *_, **__):
        pass

    def __getattr__(self, name):
        return getattr(Unused, name)


def leave_out(*modules):
    """Puts empty modules in the place of these, which are large and which the clients do not need here."""
    for name in modules:
        module = sys.modules.setdefault(name, types.ModuleType(name))
        module.__getattr__ = lambda _: Unused


def help_for(name, patience, **_):
    """Returns what helps all clients, and what most import."""
    from bleak import BleakClient, BleakScanner

    async def find():
        """Returns the device of this name, heard on hci1."""
        device = await BleakScanner.find_device_by_name(name, timeout=patience, bluez={"adapter": "hci1"})
        assert device, f"no device {name}"
        return device

    async def first(start, take, stop):
        """Starts notifications whose values go to `take`, and returns the first."""
        values = asyncio.Queue()
        take(values.put_nowait)
        await start()
        try:
            return await asyncio.wait_for(values.get(), patience)
        finally:
            await stop()

    return {"asyncio": asyncio, "BleakClient": BleakClient, "BleakScanner": BleakScanner, "find": find, "first": first, "leave_out": leave_out}


def run(code, known, module):
    """Runs a client. `module` is the command that runs another module with the same bleak."""
    names = {**known, **help_for(**known), "module": module}
    exec(code, names)
    return names["client"]()


def run_on_the_air(code, known):
    result = run(code, known, [sys.executable, "-m"])
    return asyncio.run(result) if inspect.iscoroutine(result) else result, None


def run_in_memory(code, known, device, settings, arguments=()):
    """A client that is asynchronous as a whole has the device's time, in which waiting takes none. Others have threads or processes."""
    import blemu.bleak
    import blemu.virtual
    held = "async def client():" in code
    with blemu.run(device, settings=settings, hold_clock=held, arguments=arguments) as device, blemu.bleak.in_memory(device.path):
        os.environ["BLEMU_BLEAK"] = device.path
        result = run(code, known | {"address": device.status().address}, [sys.executable, "-m", "blemu.bleak", "-m"])
        saw = blemu.virtual.run(result) if inspect.iscoroutine(result) else result
        return saw, [event.message for event in device.journal() if event.kind == "log"]


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # where clients print
    for line in sys.stdin:
        try:
            code, known, in_memory = json.loads(line)
            said = dict(zip(("saw", "log"), run_in_memory(code, known, *in_memory) if in_memory else run_on_the_air(code, known)))
        except BaseException:
            said = {"failure": traceback.format_exc()}
        print(json.dumps(said, default=str), file=answers, flush=True)


main()
