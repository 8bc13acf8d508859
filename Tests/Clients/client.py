"""Runs clients, one after the other, in the Python that has them: with bleak as it is, or with its devices in memory.

Each line of the standard input is a question in JSON: the code of a client, what it knows by name, and the socket of the device in
memory, if it is there. The answer is a line in JSON: what the code's function `client` returns, or how it failed.
"""
import asyncio
import contextlib
import inspect
import json
import os
import sys
import traceback
import types


class Unused(Exception):
    """A name of a module that clients import for annotations, for errors, and for the makers' clouds."""

    def __init__(self, *_, **__):
        pass


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


def in_memory(socket):
    """Returns the context in which bleak finds the device of this socket, and the command that runs another module there."""
    if socket is None:
        return contextlib.nullcontext(), [sys.executable, "-m"]
    import blemu.bleak
    os.environ["BLEMU_BLEAK"] = socket
    return blemu.bleak.in_memory(socket), [sys.executable, "-m", "blemu.bleak", "-m"]


def answer(code, known, socket):
    air, module = in_memory(socket)
    names = {**known, **help_for(**known), "module": module}
    exec(code, names)
    with air:
        result = names["client"]()
        return asyncio.run(result) if inspect.iscoroutine(result) else result


def main():
    answers, sys.stdout = sys.stdout, sys.stderr  # where clients print
    for line in sys.stdin:
        try:
            said = {"saw": answer(*json.loads(line))}
        except BaseException:
            said = {"failure": traceback.format_exc()}
        print(json.dumps(said, default=str), file=answers, flush=True)


main()
