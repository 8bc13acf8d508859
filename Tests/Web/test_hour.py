"""Live for an hour without growing: an hour's worth of a busy device, as fast as it can."""
from patience import wait_until

WARM_UP, HOUR = 15_000, 36_000  # events; ten a second for an hour


def measure(page):
    """What the page holds after its garbage is gone: bytes of the heap, nodes and listeners."""
    devtools = page.browser.devtools
    devtools("HeapProfiler.enable")
    for _ in range(3):
        devtools("HeapProfiler.collectGarbage")
    counters = devtools("Memory.getDOMCounters")
    return {"heap": devtools("Runtime.getHeapUsage")["usedSize"], "nodes": counters["nodes"], "listeners": counters["jsEventListeners"]}


def play(page, storm, events):
    """Lets the device send so many values, and waits until the page has the last."""
    storm.set(most=events // 2)
    storm.press("begin")
    last = f"{events // 2 & 0xFFFF:04X}"
    value = f"{last[:2]} {last[2:]}"
    wait_until(lambda: storm.get("count") >= events // 2, "the device does not send")
    page.await_that("#traffic-list", f"[...it.querySelectorAll('.traffic-row')].some((row) => row.textContent.includes('0A 0B {value}'))")


def test_an_hour_of_a_busy_device(page, stand):
    storm = stand.run("storm")
    with storm.central() as phone:
        phone.subscribe("stream")
        phone.subscribe("echo")
        page.show("storm", "traffic")
        page.await_visible("#traffic-list")
        play(page, storm, WARM_UP)
        before, sockets = measure(page), stand.sockets("storm")
        play(page, storm, HOUR)
        after = measure(page)
    assert after["heap"] < before["heap"] * 1.15 + 1_000_000
    assert after["nodes"] < before["nodes"] + 300
    assert after["listeners"] <= before["listeners"] + 10
    assert stand.sockets("storm") <= sockets


def test_changing_views_leaves_nothing(page, stand):
    stand.run("itag")
    stand.run("elk-bledom")

    def round_trip():
        for view, part in (((), ".card:nth-child(2)"), (("itag",), "[data-control=button]"), (("itag", "faults"), "#fault-words"),
                           (("elk-bledom", "traffic"), "#traffic-list"), (("elk-bledom", "present"), ".presenter")):
            page.show(*view)
            page.await_visible(part)
        page.show()
        page.await_that(".card:nth-child(2)", "it.dataset.state === 'running'")

    round_trip()
    sockets = {name: stand.sockets(name) for name in stand.processes}
    for _ in range(12):
        round_trip()
    wait_until(lambda: all(stand.sockets(name) <= count for name, count in sockets.items()), "connections to the devices are left")
    # The browser takes a few seconds to let go of what a view has had. Each round has about 800 nodes and 90 listeners.
    wait_until(lambda: measure(page)["nodes"] < 2500 and measure(page)["listeners"] < 300, lambda: f"the page still has {measure(page)}")
    assert measure(page)["heap"] < 5_000_000


def test_twenty_restarts_leave_nothing(page, stand):
    page.show("itag")

    def restart():
        stand.run("itag")
        page.await_attribute(".device", "data-state", "running")
        stand.end("itag")
        page.await_attribute(".device", "data-state", "ended")

    for _ in range(3):
        restart()
    before = measure(page)
    for _ in range(20):
        restart()
    after = measure(page)
    stand.run("itag")
    page.await_attribute(".device", "data-state", "running")
    assert stand.sockets("itag") <= 6
    assert after["nodes"] < before["nodes"] * 1.2 + 300
    assert after["listeners"] < before["listeners"] + 40
    assert after["heap"] < before["heap"] * 1.2 + 1_000_000
