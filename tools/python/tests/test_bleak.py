"""Programs that use bleak, with devices in memory."""
import asyncio
import contextlib
import os
import pathlib
import subprocess
import sys
import threading

import blemu
import pytest

bleak = pytest.importorskip("bleak", reason="bleak is in the Python of tools/test-python")
from bleak import BleakClient, BleakScanner  # noqa: E402
from bleak.exc import BleakDeviceNotFoundError, BleakError  # noqa: E402

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
LOCK, DESK = (pathlib.Path(__file__).with_name(name) for name in ("lock.yaml", "desk.yaml"))
OWN, SECOND = "00:00:00:00:00:01", "00:00:00:00:01:01"
LEVEL, CODE, ALARM, SECRET, SERVICE = (f"0000{each}-0000-1000-8000-00805f9b34fb" for each in ("ffe1", "ffe2", "ffe3", "ffe4", "ffe0"))


@pytest.fixture
def air():
    with blemu.bleak.in_memory(running=False) as air:
        yield air


@pytest.fixture
def lock(air):
    with blemu.run(LOCK, seed=7) as device:
        yield device


async def find(**keywords):
    return await BleakScanner.find_device_by_name("Lock", timeout=5, **keywords)


def with_client(use, **keywords):
    """Runs a coroutine function with a client that is connected."""
    async def main():
        async with BleakClient(await find(), **keywords) as client:
            return await use(client)

    return asyncio.run(main())


@contextlib.contextmanager
def refused(code, text):
    """Expects that a device refuses with an ATT error. Since 3.0, bleak has a class for that; before, the error has BlueZ's text."""
    with pytest.raises(BleakError) as error:
        yield
    assert getattr(error.value, "code", code) == code
    assert hasattr(error.value, "code") or text in str(error.value)


# Scanning


def test_finds_a_device_with_all_that_it_advertises(lock):
    async def main():
        return await BleakScanner.discover(0.1, return_adv=True)

    [(device, data)] = asyncio.run(main()).values()
    assert (device.address, device.name) == (OWN, "Lock")
    assert data[:6] == ("Lock", {0xFF: b"\x01P"}, {"0000feaa-0000-1000-8000-00805f9b34fb": b" "}, [SERVICE], 4, -50)
    assert device.details["props"]["AddressType"] == "public"


def test_calls_back_at_the_interval_and_with_each_change(lock):
    async def main():
        loop, changed = asyncio.get_running_loop(), None
        async with BleakScanner() as scanner:
            times = []
            async for _, data in scanner.advertisement_data():
                times.append(loop.time())
                if len(times) == 5:
                    changed = asyncio.ensure_future(asyncio.to_thread(lock.set, level=7))
                if data.manufacturer_data[0xFF] == b"\x01\x07":
                    break
            await changed
        assert all(later - earlier > 0.015 for earlier, later in zip(times[:4], times[1:5]))

    asyncio.run(asyncio.wait_for(main(), 5))


def test_hears_nothing_after_the_end(lock):
    async def main():
        heard = []
        async with BleakScanner(lambda device, data: heard.append(data)):
            await asyncio.sleep(0.03)
        count = len(heard)
        await asyncio.sleep(0.05)
        return count, len(heard)

    before, after = asyncio.run(main())
    assert before == after > 0


def test_filters(lock):
    async def main():
        by_service = await BleakScanner.discover(0.1, service_uuids=[SERVICE])
        none = await BleakScanner.discover(0.1, service_uuids=["0000180f-0000-1000-8000-00805f9b34fb"])
        weak = await BleakScanner.discover(0.1, bluez={"filters": {"RSSI": -40}})
        return [each.address for each in by_service], none, weak, (await BleakScanner.find_device_by_address(OWN)).name

    assert asyncio.run(main()) == ([OWN], [], [], "Lock")


def test_hears_one_packet_when_it_scans_passively(lock):
    async def main(pattern):
        found = await BleakScanner.discover(0.1, return_adv=True, scanning_mode="passive", bluez={"or_patterns": [pattern]})
        return [data for _, data in found.values()]

    assert asyncio.run(main((0, 0xFF, b"\x01"))) == []
    [data] = asyncio.run(main((0, 0xFF, b"\xff\x00")))
    assert data.manufacturer_data and data.service_uuids


def test_finds_devices_that_start_while_it_scans_and_tells_them_apart(lock):
    async def main():
        names = {}
        async with BleakScanner() as scanner, blemu.aio.run(LOCK, settings={"local-name": "Other"}):
            async for device, _ in scanner.advertisement_data():
                names[device.address] = device.name
                if len(names) == 2:
                    return names

    assert asyncio.run(asyncio.wait_for(main(), 5)) == {OWN: "Lock", SECOND: "Other"}


def test_finds_the_devices_that_are_named(lock):
    with blemu.run(LOCK) as other, blemu.bleak.in_memory(other.path):
        assert len(asyncio.run(BleakScanner.discover(0.1))) == 1


def test_a_private_address_that_changes_is_another_device(air, tmp_path):
    definition = tmp_path / "tag.yaml"
    definition.write_text("blemu: 1\nname: Tag\nadvertisement: { local-name: Tag, address: { kind: resolvable, every: 1min } }\n"
                          "services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }]\n")

    async def main(tag):
        async with BleakScanner() as scanner:
            heard = scanner.advertisement_data()
            before = (await heard.__anext__())[0].address
            await asyncio.to_thread(tag.advance, 61)
            while (after := (await heard.__anext__())[0].address) == before:
                pass
            return before, after, {(await heard.__anext__())[0].address for _ in range(3)}

    with blemu.run(definition) as tag:
        before, after, later = asyncio.run(asyncio.wait_for(main(tag), 10))
    assert before != after and later == {after}


# Connections


def test_connects_and_discovers(lock):
    async def use(client):
        assert client.is_connected and client.mtu_size == 247
        service = client.services.get_service(SERVICE)
        left, right = [each for each in service.characteristics if each.uuid == CODE]
        assert (left.properties, right.properties) == (["read", "write"], ["write-without-response", "notify"])
        assert right.max_write_without_response_size == 244
        [description] = left.descriptors
        assert await client.read_gatt_descriptor(description.handle) == b"L"
        with pytest.raises(BleakError, match="Multiple Characteristics"):
            await client.read_gatt_char(CODE)

    with_client(use)
    lock.expect("disconnect")


def test_connects_by_address(lock):
    async def main():
        async with BleakClient(OWN) as client:
            return await client.read_gatt_char(LEVEL)

    assert asyncio.run(main()) == b"P"


def test_does_not_find_what_is_not_there(air):
    async def main():
        with pytest.raises(BleakDeviceNotFoundError):
            await BleakClient(OWN, timeout=0.2).connect()

    asyncio.run(main())


def test_waits_until_the_device_advertises(lock):
    async def main():
        device = await find()
        await asyncio.to_thread(lock.advertise, False)
        with pytest.raises(asyncio.TimeoutError):
            await BleakClient(device, timeout=0.2).connect()
        asyncio.get_running_loop().call_later(0.1, lock.advertise, True)
        async with BleakClient(device) as client:
            assert client.is_connected

    asyncio.run(main())


def test_discovers_only_the_requested_services(lock):
    async def use(client):
        return [each.uuid for each in client.services]

    assert with_client(use, services=["ffe0"]) == [SERVICE]


def test_calls_back_when_the_device_disconnects(lock):
    async def main():
        gone = asyncio.Event()
        client = BleakClient(await find(), disconnected_callback=lambda each: gone.set() if each is client else None)
        await client.connect()
        await asyncio.to_thread(lock.disconnect)
        await asyncio.wait_for(gone.wait(), 5)
        assert not client.is_connected
        with pytest.raises(BleakError, match="Not connected|Service Discovery"):
            await client.read_gatt_char(LEVEL)
        await client.connect()
        await client.disconnect()
        return client.is_connected

    assert not asyncio.run(main())


def test_calls_back_when_the_device_ends(air):
    async def main():
        gone = asyncio.Event()
        async with blemu.aio.run(LOCK):
            client = BleakClient(await find(), lambda _: gone.set())
            await client.connect()
        await asyncio.wait_for(gone.wait(), 5)

    asyncio.run(main())


def test_has_several_clients_and_devices_at_once(lock):
    async def level(address):
        async with BleakClient(address) as client:
            await asyncio.sleep(0.05)
            return (await client.read_gatt_char(LEVEL))[0]

    async def main():
        async with blemu.aio.run(LOCK, settings={"level": 9}):
            return await asyncio.gather(level(OWN), level(SECOND))

    assert asyncio.run(main()) == [80, 9]


@pytest.mark.skipif(not hasattr(bleak, "BleakAdapter"), reason="bleak has it since 3.1")
def test_lists_the_connected_devices(lock):
    async def use(client):
        adapter = await bleak.BleakAdapter.get()
        return [each.address for each in await adapter.get_connected_devices([SERVICE])]

    assert with_client(use) == [OWN]


# Attributes


def test_reads_and_writes(lock):
    async def use(client):
        left, right = [each for each in client.services.get_service(SERVICE).characteristics if each.uuid == CODE]
        await client.write_gatt_char(left, bytes(300))
        assert await client.read_gatt_char(left) == bytes(300)
        await client.write_gatt_char(right, b"\x05")
        with pytest.raises(BleakError):
            await client.write_gatt_char(right, bytes(245), response=False)
        with refused(0x80, "ATT error: 0x80"):
            await client.write_gatt_char(left, b"\xff")
        with refused(0x03, "Write not permitted"):
            await client.write_gatt_char(LEVEL, b"\x01", response=True)

    with_client(use)
    lock.expect("> right 05")


def test_makes_several_requests_at_once(lock):
    async def use(client):
        return await asyncio.gather(*(client.read_gatt_char(LEVEL) for _ in range(5)))

    assert with_client(use) == [b"P"] * 5


def test_goes_on_after_a_request_that_it_gave_up(lock):
    async def use(client):
        with lock.intercept("read level", lambda event: given_up.wait(5) and b"\x07", within=5):
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(client.read_gatt_char(LEVEL), 0.1)
            given_up.set()
            return await client.read_gatt_char(LEVEL)

    given_up = threading.Event()
    assert with_client(use) == b"\x07"


@pytest.mark.parametrize("is_coroutine", [False, True])
def test_gets_notifications_and_indications(lock, is_coroutine):
    async def use(client):
        values = asyncio.Queue()

        async def later(sender, value):
            await values.put((sender.uuid, value))

        callback = later if is_coroutine else lambda sender, value: values.put_nowait((sender.uuid, value))
        right = [each for each in client.services.characteristics.values() if each.uuid == CODE][1]
        await client.start_notify(right, callback)
        await client.start_notify(ALARM, callback)
        await client.write_gatt_char(right, b"\x05")
        assert await asyncio.wait_for(values.get(), 5) == (CODE, b"\x05")
        await asyncio.to_thread(lock.send, "alarm", b"\x01")
        assert await asyncio.wait_for(values.get(), 5) == (ALARM, b"\x01")
        await client.stop_notify(right)
        await client.write_gatt_char(right, b"\x06")
        with pytest.raises(BleakError):
            await client.start_notify(SECRET, callback)
        await client.read_gatt_char(LEVEL)
        return values.qsize()

    assert with_client(use) == 0


def test_an_answer_comes_after_the_end_of_the_write(lock):
    """A program may begin to wait for it then."""
    async def use(client):
        values = asyncio.Queue()
        right = [each for each in client.services.characteristics.values() if each.uuid == CODE][1]
        await client.start_notify(right, lambda sender, value: values.put_nowait(bytes(value)))
        await client.write_gatt_char(right, b"\x05")
        assert values.empty()
        assert await asyncio.wait_for(values.get(), 5) == b"\x05"
        await asyncio.gather(*(client.write_gatt_char(right, bytes([number])) for number in range(3)))
        return [await asyncio.wait_for(values.get(), 5) for _ in range(3)]

    assert with_client(use) == [b"\0", b"\1", b"\2"]


def test_a_value_does_not_wait_for_a_slow_write(lock):
    async def use(client):
        values, taken = asyncio.Queue(), threading.Event()
        left = [each for each in client.services.characteristics.values() if each.uuid == CODE][0]
        await client.start_notify(LEVEL, lambda sender, value: values.put_nowait(bytes(value)))
        with lock.intercept("> left", lambda event: taken.wait(5) and None, within=5):
            write = asyncio.ensure_future(client.write_gatt_char(left, b"\x05"))
            await asyncio.to_thread(lock.expect, "subscribe level", after=0)
            await asyncio.to_thread(lock.send, "level", b"\x01")
            value = await asyncio.wait_for(values.get(), 2)
            was_done = write.done()
            taken.set()
            await write
        return value, was_done

    assert with_client(use) == (b"\x01", False)


def test_goes_on_after_an_exception_in_a_callback(lock):
    async def use(client):
        failures, values = [], asyncio.Queue()
        asyncio.get_running_loop().set_exception_handler(lambda loop, context: failures.append(context["exception"]))

        def callback(sender, value):
            values.put_nowait(value)
            raise ValueError(value)

        await client.start_notify(ALARM, callback)
        for _ in range(2):
            await asyncio.to_thread(lock.send, "alarm", b"\x01")
            await asyncio.wait_for(values.get(), 5)
        return len(failures)

    assert with_client(use) == 2


def test_sees_what_faults_do(lock):
    async def use(client):
        values = asyncio.Queue()
        await client.start_notify(LEVEL, lambda _, value: values.put_nowait(bytes(value)))
        with lock.fault("drop out on level every 2nd"):
            for number in range(1, 5):
                await asyncio.to_thread(lock.send, "level", bytes([number]))
        await client.read_gatt_char(LEVEL)
        return [values.get_nowait() for _ in range(values.qsize())]

    assert with_client(use) == [b"\x01", b"\x03"]


# Pairing


def test_pairs_with_the_passkey(lock, air):
    async def use(client):
        air.passkey = 1
        with pytest.raises(BleakError, match="AuthenticationFailed"):
            await client.pair()
        assert not client.is_connected
        air.passkey = 12345
        await client.connect()
        await client.pair()
        return await client.read_gatt_char(SECRET)

    assert with_client(use) == b"*"


def test_pairs_when_the_device_wants_it(lock):
    async def use(client):
        assert await client.read_gatt_char(SECRET) == b"*"
        await client.unpair()
        assert not client.is_connected

    with_client(use)
    lock.expect("disconnect")


def test_fails_to_read_what_needs_pairing(lock, air):
    air.passkey = 1

    async def use(client):
        with refused(0x05, "Not paired"):
            await client.read_gatt_char(SECRET)

    with_client(use)


# How a program gets there


PROGRAM = f"""
import asyncio, sys
from bleak import BleakClient, BleakScanner

async def main():
    device = await BleakScanner.find_device_by_name("Lock")
    async with BleakClient(device) as client:
        print(*sys.argv[1:], *await client.read_gatt_char({LEVEL!r}))

asyncio.run(main())
"""


def test_runs_a_program(lock, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = {**os.environ, "BLEMU_BLEAK": lock.path}
    for words in (["program.py"], ["-m", "program"]):
        command = [sys.executable, "-m", "blemu.bleak", *words, "level"]
        assert subprocess.check_output(command, env=environment, text=True, cwd=tmp_path) == "level 80\n"


def test_runs_a_program_as_python_starts(lock, tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    # Python reads the file in site-packages.
    start = f"import site; site.addsitedir({str(PACKAGE)!r}); import runpy; runpy.run_path('program.py')"
    environment = {**os.environ, "BLEMU_BLEAK": lock.path}
    assert subprocess.check_output([sys.executable, "-c", start], env=environment, text=True, cwd=tmp_path) == "80\n"


def test_imports_bleak_only_when_it_is_used():
    subprocess.run([sys.executable, "-c", "import blemu.bleak, sys; assert 'bleak' not in sys.modules"], check=True)


def test_has_a_fixture(pytester):
    pytester.makepyfile(f"""
import asyncio, pytest
from bleak import BleakClient

@pytest.mark.blemu({str(LOCK)!r})
def test_secret(blemu_device, blemu_bleak):
    blemu_bleak.passkey = 12345
    async def main():
        async with BleakClient({OWN!r}) as client:
            return await client.read_gatt_char({SECRET!r})
    assert asyncio.run(main()) == b"*"
    blemu_device.expect("disconnect")
""")
    pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider").assert_outcomes(passed=1)
    pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider", "--blemu-on", "pigeon").assert_outcomes(errors=1)


def test_says_which_fixture_is_missing(pytester, monkeypatch):
    monkeypatch.setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/no/such/bus")
    pytester.makepyfile(f"""
import asyncio, pytest
from bleak import BleakScanner

@pytest.mark.blemu({str(LOCK)!r})
def test_forgotten(blemu_device):
    asyncio.run(BleakScanner.discover(timeout=1))
""")
    result = pytester.runpytest("-p", "blemu.pytest_plugin", "-p", "no:cacheprovider")
    result.stdout.fnmatch_lines(["*With the fixture 'blemu_bleak', it finds the devices of the test."])


def test_waits_in_virtual_time(air):
    """Time limits, retries, and the delays of the device."""
    async def main():
        loop, seen = asyncio.get_running_loop(), []
        async with blemu.aio.run(LOCK, seed=7, faults=["vanish for 50s", "delay 40s out on right after 60s"]):
            while (device := await find()) is None:
                seen.append(loop.time())
                await asyncio.sleep(30)
            async with BleakClient(device) as client:
                came = asyncio.Queue()
                await client.start_notify(client.services.characteristics[right(client)], lambda _, value: came.put_nowait(bytes(value)))
                await asyncio.sleep(30)
                await client.write_gatt_char(client.services.characteristics[right(client)], b"\x05", response=False)
                with pytest.raises(asyncio.TimeoutError):
                    await asyncio.wait_for(came.get(), 30)
                return [*seen, loop.time(), await came.get(), loop.time()]

    def right(client):
        [handle] = [each.handle for each in client.services.characteristics.values() if "notify" in each.properties and each.uuid == CODE]
        return handle

    begun = blemu.virtual.run(main())
    assert begun == blemu.virtual.run(main())
    first, second, late, value, came = begun
    assert (first, second, value) == (5, 40, b"\x05") and came - late == 10


def test_finds_the_devices_of_a_stand(air):
    with blemu.up(DESK):
        found = asyncio.run(BleakScanner.discover(0.1, return_adv=True))
        assert sorted(data.local_name for _, data in found.values()) == ["HMSoft", "Left"]
    assert asyncio.run(BleakScanner.discover(0.1)) == []


def test_gives_bluetooth_back(lock):
    platform = bleak.get_platform_client_backend_type
    with blemu.bleak.in_memory():
        assert bleak.get_platform_client_backend_type is not platform
    assert bleak.get_platform_client_backend_type is platform


def test_works_with_a_connector_that_retries(lock):
    connector = pytest.importorskip("bleak_retry_connector")

    async def main():
        device = await find()
        await connector.close_stale_connections(device)
        client = await connector.establish_connection(connector.BleakClientWithServiceCache, device, "Lock")
        assert (await connector.get_connected_devices(device))[0].address == OWN
        level = await client.read_gatt_char(LEVEL)
        await connector.close_stale_connections_by_address(OWN)
        assert not client.is_connected
        await client.clear_cache()
        return level

    assert asyncio.run(main()) == b"P"


@pytest.mark.blemu(LOCK)
def test_a_connector_retries_in_virtual_time(blemu_device, blemu_bleak, blemu_virtual_time):
    connector = pytest.importorskip("bleak_retry_connector")

    async def main():
        device, loop = await find(), asyncio.get_running_loop()
        await asyncio.to_thread(blemu_device.advertise, False)
        loop.call_later(50, lambda: later.append(asyncio.ensure_future(asyncio.to_thread(blemu_device.advertise, True))))
        client = await connector.establish_connection(connector.BleakClientWithServiceCache, device, "Lock")
        await client.disconnect()
        return loop.time()

    later = []
    assert 50 <= asyncio.run(main()) < 51


@pytest.mark.skipif(hasattr(bleak.exc, "BleakGATTProtocolError"), reason="this is the latest bleak")
def test_works_with_the_latest_bleak():
    python = subprocess.check_output([PACKAGE.parent / "test-python", "bleak"], text=True).strip()
    loops = f"{PACKAGE / 'tests/test_plugin.py'}::test_gives_the_loop_of_another_plugin_virtual_time"
    command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers", __file__, loops]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=PACKAGE)
    assert done.returncode == 0, done.stdout
