"""The container image, as a job of continuous integration uses it. umoci, which is none of ours, reads the archive."""
import json
import os
import pathlib
import shutil
import subprocess

import pytest
from commands import call, made, save_test_of_the_tag, tool

HERE = pathlib.Path(__file__).resolve().parent
CLIENT = '''
import asyncio

import pytest
from bleak import BleakClient, BleakScanner


async def write():
    device = await BleakScanner.find_device_by_name("HMSoft", timeout=60)
    async with BleakClient(device, timeout=60) as client:
        await client.write_gatt_char("FFE1", b"AT")


@pytest.mark.blemu("hm-10")
def test_a_client_finds_the_module(blemu_device):
    asyncio.run(write())
    blemu_device.expect("connect", "> FFE1 41 54", "disconnect", within=60)
'''


@pytest.fixture(scope="module")
def archive(request, tmp_path_factory):
    if not request.config.getoption("--all"):
        pytest.skip("takes three minutes; --all makes it")
    return made("image", tmp_path_factory.mktemp("image"))


@pytest.fixture(scope="module")
def bundle(archive, tmp_path_factory):
    """The root file system of the image with the settings of a container, as umoci unpacks them."""
    folder = tmp_path_factory.mktemp("bundle")
    call("tar", "-xf", archive, "--one-top-level=layout", cwd=folder)
    call("umoci", "unpack", "--image", f"layout:{tool('version')}", "bundle", cwd=folder)
    return folder / "bundle"


@pytest.fixture
def run(bundle, tmp_path):
    """Runs a command in a container of the image, with the folder /client, and returns what it prints."""
    process = json.loads((bundle / "config.json").read_text())["process"]

    def run(*command):
        said = subprocess.run(["unshare", "--mount", "--net", "--pid", "--ipc", "--uts", "--fork", HERE / "container", bundle / "rootfs", tmp_path,
                               process["cwd"], *command], env=dict(each.split("=", 1) for each in process["env"]), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True)
        assert said.returncode == 0, said.stdout
        return said.stdout

    return run


def test_readme_s_test_passes_there(run, tmp_path):
    save_test_of_the_tag(tmp_path)
    assert "1 passed" in run("pytest", "-p", "no:cacheprovider", "test_tag.py")


def test_a_client_finds_the_module_in_the_virtual_machine(run, tmp_path):
    (tmp_path / "test_client.py").write_text(CLIENT)
    packages = pathlib.Path(tool("test-python")).parents[1] / "lib/python3.11/site-packages"
    for name in ("bleak", "dbus_fast", "typing_extensions.py"):
        (shutil.copytree if (packages / name).is_dir() else shutil.copy)(packages / name, tmp_path / name)
    assert "1 passed" in run("/opt/blemu/tools/vm", "--share", "/client", "pytest", "-p", "no:cacheprovider", "--blemu-on", "bluez:hci0", "test_client.py")


def test_docker_finds_the_same_layer(archive):
    with subprocess.Popen(["tar", "-xOf", archive, "manifest.json"], stdout=subprocess.PIPE) as tar:
        [image] = json.load(tar.stdout)
    names = call("tar", "-tf", archive).splitlines()
    assert {image["Config"], *image["Layers"]} <= set(names)
    assert image["RepoTags"] == [f"blemu:{tool('version')}"]
    assert os.path.getsize(archive) < 90_000_000
