"""Stands: several devices of one file."""
import asyncio
import os

import blemu
import pytest
from conftest import DESK


def test_runs_all_devices_and_stops_them_at_the_end():
    with blemu.up(DESK) as stand:
        assert list(stand) == ["left", "right"]
        assert stand["left"].get("level") == 3
        statuses = [device.status() for device in stand.values()]
        assert [status.device_name for status in statuses] == ["Left", "HMSoft"]
        assert len({status.process for status in statuses}) == 1
        with stand["right"].central() as phone:
            phone.subscribe("FFE1")
            stand["right"].wire(b"OK")
            stand["right"].expect("< FFE1 4F 4B")
    assert not os.path.exists(stand["left"].path)
    with pytest.raises(ProcessLookupError):
        os.kill(statuses[0].process, 0)


def test_runs_only_the_devices_named():
    with blemu.up(DESK, "left") as stand:
        assert list(stand) == ["left"]


def test_lets_a_device_stop_itself():
    with blemu.up(DESK) as stand:
        stand["left"].stop()
        assert stand["right"].status().on_air


def test_runs_with_asyncio():
    async def main():
        async with blemu.aio.up(DESK, on="loopback") as stand:
            await asyncio.gather(stand["left"].set(level=5), stand["right"].wire(b"OK"))
            return await stand["left"].get("level")

    assert asyncio.run(main()) == 5


def test_holds_the_clocks_of_its_devices():
    with blemu.up(DESK, hold_clock=True) as stand:
        stand["left"].expect("connect", never=True, within=3600)
        assert [device.status().seconds for device in stand.values()] == [3600, 3600]


def test_has_virtual_time():
    async def main():
        async with blemu.aio.up(DESK) as stand:
            await asyncio.sleep(3600)
            return [(await device.status()).seconds for device in stand.values()]

    assert blemu.virtual.run(main()) == [3600, 3600]


def test_names_what_is_not_there():
    with blemu.up(DESK) as stand, pytest.raises(blemu.Error, match="the stand has no device 'lft'\n  did you mean 'left'?"):
        stand["lft"]


@pytest.mark.parametrize("text, arguments, message", [
    ("devices: { left: { definition: hm10 }, right: { definition: hm-10 } }", [],
     r"blemu did not start:\n.*desk.yaml:2:32: error: there is no definition 'hm10'\n(.*\n)+.*did you mean 'hm-10'"),
    ("devices: { left: { definition: hm-10, on: 'bluez:hci9' }, right: { definition: hm-10 } }", [],
     "blemu did not start:\nblemu: left: "),
    ("devices: { left: { definition: hm-10, sed: 7 } }", [],
     r"blemu did not start:\n.*desk.yaml:2:39: error: a device of a stand has no key 'sed'\n(.*\n)+.*did you mean"),
    ("devices: { left: { definition: hm-10 } }", ["lft"],
     r"blemu did not start:\nblemu: the stand has no device 'lft'\n  did you mean 'left'\?"),
], ids=["definition", "adapter", "key", "name"])
def test_says_why_a_device_does_not_run(tmp_path, monkeypatch, text, arguments, message):
    (tmp_path / "desk.yaml").write_text(f"stand: Desk\n{text}\n")
    (tmp_path / "folders").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "folders"))
    run = blemu.up(tmp_path / "desk.yaml", *arguments)
    with pytest.raises(blemu.Error, match=message), run:
        pass
    assert run.process.returncode is not None
    assert list((tmp_path / "folders").iterdir()) == []


def test_says_that_there_is_no_stand(tmp_path):
    with pytest.raises(blemu.Error, match="there is no file '.*desk.yaml'"), blemu.up(tmp_path / "desk.yaml"):
        pass
    with pytest.raises(blemu.Error, match="is a folder\n  name the file of a stand"):
        blemu.up(tmp_path)
    with pytest.raises(blemu.Error, match="/opt/no-blemu"), blemu.up(DESK, program="/opt/no-blemu"):
        pass


def test_says_that_a_stand_has_not_ended_well():
    with pytest.raises(blemu.Error, match=r"blemu did not end well \(killed by signal 9\)"), blemu.up(DESK) as stand:
        os.kill(stand["left"].status().process, 9)
