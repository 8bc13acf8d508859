"""Prints how long a place, a device and a call take, with one device on each of 1, 2, 4 and 8 machines at once."""
import concurrent.futures
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import blemu
from farm import Farm, call
from labgrid import Environment
from labgrid.util.ssh import sshmanager

MACHINES, CALLS = (1, 2, 4, 8), 300


def timed(function, *arguments):
    begun = time.perf_counter()
    value = function(*arguments)
    return time.perf_counter() - begun, value


def of_ssh():
    """The number of ssh's processes, of both sides, and their memory in MB, without what they share."""
    sizes = []
    for status in pathlib.Path("/proc").glob("[0-9]*/smaps_rollup"):
        with contextlib.suppress(OSError):  # it has ended
            if (status.parent / "comm").read_text().strip() not in ("ssh", "sshd"):
                continue
            sizes += [int(line.split()[1]) / 1024 for line in status.read_text().splitlines() if line.startswith("Pss:")]
    return len(sizes), sum(sizes)


def call_often(device):
    return statistics.median(timed(device.get, "local-name")[0] for _ in range(CALLS))


def measure(farm, number):
    places = [f"{each.name}-0" for each in farm.machines[:number]]
    acquired = [timed(call, "labgrid-client", "-p", place, "acquire")[0] for place in places]
    before = of_ssh()
    targets = {}
    for place in places:
        folder = pathlib.Path(tempfile.mkdtemp(dir=farm.folder))
        targets[place] = Environment(str(farm.environment(folder, place))).get_target("main").get_driver("BlemuDriver")
    first = [timed(targets[place].adapter.machine)[0] for place in places]
    runs = [targets[place].run("hm-10") for place in places]
    with concurrent.futures.ThreadPoolExecutor(number) as pool:
        together, devices = timed(lambda: list(pool.map(lambda run: run.__enter__(), runs)))
        alone = call_often(devices[0])
        beside = statistics.median(pool.map(call_often, devices))
        after = of_ssh()
        list(pool.map(lambda run: run.__exit__(None, None, None), runs))
    sshmanager.close_all()
    for place in places:
        call("labgrid-client", "-p", place, "release")
    print(f"{number:8} {statistics.mean(acquired) * 1000:10.0f} {statistics.mean(first) * 1000:12.0f} {together * 1000:14.0f} "
          f"{alone * 1000:10.2f} {beside * 1000:12.2f} {after[0] - before[0]:10} {after[1] - before[1]:8.1f}", flush=True)


def main():
    with tempfile.TemporaryDirectory() as folder:
        farm = Farm(folder, MACHINES[-1], 1)
        print("machines  place, ms  connect, ms  devices on, ms  call, ms  calls beside  processes  MB, ssh")
        for number in MACHINES:
            measure(farm, number)


main()
