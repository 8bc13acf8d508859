"""Several devices from pytest: each takes an adapter that is free, as the page on two devices and a client says."""
import asyncio
import contextlib
import re
import subprocess
import sys

import blemu
import pytest

import bluez
import hci
from device import PROGRAM, REPOSITORY
from patience import PATIENCE, SILENCE

TRANSPORTS = [("bluez", "bluez"), ("exact", "exact"), ("bluez", "exact"), ("exact", "bluez")]


def run_pytest(folder, *arguments):
    """Runs pytest with the plugin there, and returns its output."""
    options = ["-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "--blemu-program", PROGRAM]
    done = subprocess.run([sys.executable, "-m", "pytest", *options, *arguments], cwd=folder, capture_output=True, text=True, timeout=SILENCE)
    return done.stdout + done.stderr


@pytest.mark.parametrize("transports", TRANSPORTS, ids="-".join)
def test_each_takes_the_next_adapter(blemu_run, transports):
    left, right = blemu_run("hm-10", on=transports[0]), blemu_run("bluno", on=transports[1])
    assert (left.status().adapter, right.status().adapter) == ("hci0", "hci1")


def test_each_takes_another_adapter_if_they_start_at_once():
    async def main():
        async with contextlib.AsyncExitStack() as stack:
            runs = [blemu.aio.run(name, on="bluez", program=PROGRAM) for name in ("hm-10", "bluno")]
            devices = await asyncio.gather(*map(stack.enter_async_context, runs))
            return {(await device.status()).adapter for device in devices}

    assert asyncio.run(main()) == {"hci0", "hci1"}


def test_so_do_those_of_a_stand(tmp_path):
    (tmp_path / "desk.yaml").write_text("stand: Desk\ndevices: { left: { definition: hm-10 }, right: { definition: bluno } }\n")
    with blemu.up(tmp_path / "desk.yaml", on="bluez", program=PROGRAM) as stand:
        assert sorted(device.status().adapter for device in stand.values()) == ["hci0", "hci1"]


def test_one_for_which_none_is_free_says_what_to_do(blemu_run):
    adapters = hci.adapters()
    for _ in adapters:
        blemu_run("hm-10", on="bluez")
    for transport in "bluez", "exact":
        with pytest.raises(blemu.Error) as caught:
            blemu_run("hm-10", on=transport)
        assert (f"blemu: no adapter is free for another device; blemu is using {', '.join(adapters)}\n"
                "  each device needs an adapter, and so does a client on this machine: stop a device, or add adapters") in str(caught.value)


def test_the_example_of_two_works_as_it_stands(tmp_path):
    page = (REPOSITORY / "tools/python/README.md").read_text()
    example, = re.findall(r"`(left, right = blemu_run\(.*?\))`", page)
    (tmp_path / "test_two.py").write_text(
        f"def test_two(blemu_run):\n    {example}\n    assert (left.status().adapter, right.status().adapter) == ('hci0', 'hci1')\n")
    output = run_pytest(tmp_path, "--blemu-on", "bluez")
    assert "1 passed" in output, output


@bluez.with_bleak_022
def test_the_page_on_two_devices_and_a_client(tmp_path):
    page = (REPOSITORY / "tools/python/two-devices.md").read_text()
    for name, text in re.findall(r"`([\w.]+)`:\n\n```\w+\n(.*?)```", page, re.DOTALL):
        # In the time of user-mode Linux, which jumps, a scan may miss many advertisements in a row.
        (tmp_path / name).write_text(re.sub(r"\b60\b", str(PATIENCE), text))
    # From an earlier device at these addresses, hci2 may know other attributes.
    bluez.forget_devices()
    try:
        output = run_pytest(tmp_path, "--blemu-on", "bluez", "test_bridge.py")
    finally:
        bluez.disconnect("hci2")
    assert "1 passed" in output, output
