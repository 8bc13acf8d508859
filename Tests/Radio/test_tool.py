"""tools/radio"""
import signal
import socket
import subprocess

from bumble.device import AdvertisingEventProperties, AdvertisingParameters
from bumble.hci import Address

import programs
from phone import Phone


def refusal(*arguments):
    done = subprocess.run([programs.RADIO, *map(str, arguments)], capture_output=True, text=True, timeout=programs.PATIENCE)
    assert done.stdout == ""
    return done.returncode, done.stderr.strip()


def test_mistakes_are_explained():
    for arguments, sentence in (
        (["--port", 70_000], "--port is 1025 to 65533, not '70000'"),
        (["--port", "x"], "--port is 1025 to 65533, not 'x'"),
        (["--flight", "-1"], "--flight is 0 to 9999999, not '-1'"),
        (["--flight"], "--flight needs a value"),
        (["hm-10"], "unknown argument 'hm-10'"),
    ):
        assert refusal(*arguments) == (64, f"radio: {sentence}; see tools/radio --help")


def test_a_taken_port_is_named():
    port = programs.free_port()
    with socket.create_server(("127.0.0.1", port + 2)):
        assert refusal("--port", port) == (
            1, f"radio: port {port + 2} is taken; choose another (a radio has the ports from 1 below to 2 above)")


async def test_it_says_what_to_do_and_ends_with_ctrl_c(air):
    await air.radio.line(lambda line: line.endswith(f"blemu run hm-10 --on exact:tcp:localhost:{air.port}"))
    await air.radio.line(lambda line: line.endswith(f"bumble-scan tcp-client:127.0.0.1:{air.port}"))
    assert await air.radio.end(by=signal.SIGINT) == -signal.SIGINT


async def test_addresses_are_free_again_in_order(air):
    first, second = await air.phone(), await air.phone()
    assert [str(each.bumble.public_address) for each in (first, second)] == ["DA:4C:10:DE:17:00/P", "DA:4C:10:DE:17:01/P"]
    await first.__aexit__()
    await air.radio.line(lambda line: line == "a peer has left: DA:4C:10:DE:17:00")
    async with Phone(air.port) as third:
        assert str(third.bumble.public_address) == "DA:4C:10:DE:17:00/P"


async def test_controllers_have_extended_advertising_and_links_end_with_their_controller(air):
    phone, other = await air.phone(), await air.phone()
    data = bytes([5, 9]) + b"Wide" + bytes([200, 0xFF]) + bytes(199)
    properties = AdvertisingEventProperties(is_connectable=True, is_legacy=False)
    await other.bumble.create_advertising_set(
        advertising_parameters=AdvertisingParameters(advertising_event_properties=properties), advertising_data=data,
        random_address=Address("C0:11:22:33:44:55"))
    found = await phone.find("Wide")
    assert (found.data_bytes, found.is_legacy) == (data, False)
    link = await phone.to(found.address)
    await other.__aexit__()
    await link.ended
