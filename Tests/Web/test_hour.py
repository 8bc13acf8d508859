"""Live for an hour without growing: what a busy device sends in twenty minutes, with --all in an hour, as fast as it can."""
import pytest

from patience import wait_until

WARM_UP = 15_000  # events; the page lets go of the oldest
EVENTS_A_MINUTE = 600


def measure(page):
    """What the page holds after its garbage is gone: bytes of the heap, nodes and listeners."""
    devtools = page.browser.devtools
    devtools("HeapProfiler.enable")
    for _ in range(3):
        devtools("HeapProfiler.collectGarbage")
    counters = devtools("Memory.getDOMCounters")
    return {"heap": devtools("Runtime.getHeapUsage")["usedSize"], "nodes": counters["nodes"], "listeners": counters["jsEventListeners"]}


def await_no_more_than(page, heap, nodes, listeners):
    """Waits until the page holds no more than this. The browser takes a few seconds to let go of what a view has had."""
    def holds_no_more():
        now = measure(page)
        return now["heap"] < heap and now["nodes"] < nodes and now["listeners"] < listeners

    wait_until(holds_no_more, lambda: f"the page holds {measure(page)}, not below {heap}, {nodes}, {listeners}")


def play(page, storm, events):
    """Lets the device send so many values, and waits until the page has the last."""
    storm.set(most=events // 2)
    storm.press("begin")
    last = f"{events // 2 & 0xFFFF:04X}"
    value = f"{last[:2]} {last[2:]}"
    wait_until(lambda: storm.get("count") >= events // 2, "the device does not send")
    page.await_that("#traffic-list", f"[...it.querySelectorAll('.traffic-row')].some((row) => row.textContent.includes('0A 0B {value}'))")


@pytest.fixture
def minutes(request):
    return 60 if request.config.getoption("--all") else 20


def test_a_busy_device_leaves_nothing(page, stand, minutes):
    storm = stand.run("storm")
    with storm.central() as phone:
        phone.subscribe("stream")
        phone.subscribe("echo")
        page.show("storm", "traffic")
        page.await_visible("#traffic-list")
        play(page, storm, WARM_UP)
        before, sockets = measure(page), stand.sockets("storm")
        play(page, storm, minutes * EVENTS_A_MINUTE)
        await_no_more_than(page, before["heap"] * 1.15 + 1_000_000, before["nodes"] + 300, before["listeners"] + 11)
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
    # Each round has about 800 nodes and 90 listeners.
    await_no_more_than(page, 5_000_000, 2500, 300)


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
    await_no_more_than(page, before["heap"] * 1.2 + 1_000_000, before["nodes"] * 1.2 + 300, before["listeners"] + 40)
    stand.run("itag")
    page.await_attribute(".device", "data-state", "running")
    assert stand.sockets("itag") <= 6
