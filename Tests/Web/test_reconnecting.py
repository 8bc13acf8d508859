"""What ends comes back, and the view stays."""
import signal

import programs


def test_a_device_that_runs_again_is_live_again(page, stand):
    stand.run("elk-bledom", settings={"brightness": 10, "is-on": True})
    page.show("elk-bledom", "traffic")
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "10 %")
    stand.end("elk-bledom")
    page.await_visible("#ended")
    page.await_words("#ended", "has ended")
    page.await_that('[data-action="reset"]', "it.disabled")
    strip = stand.run("elk-bledom", settings={"brightness": 20, "is-on": True})
    page.await_hidden("#ended")
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "20 %")
    page.await_attribute("[data-tab-link=traffic]", "aria-current", "page")
    page.await_words("#traffic-list", "has restarted")
    strip.set(brightness=30)
    page.await_words("#traffic-list", "set brightness=30")
    page.click('[data-action="reset"]')
    strip.expect("reset", within=60)


def test_the_presenter_s_view_survives_a_restart(page, stand):
    stand.run("elk-bledom", settings={"brightness": 10, "is-on": True})
    page.show("elk-bledom", "present")
    page.await_text(".stage [data-face] > * >>> [data-text]", "10 %")
    stand.end("elk-bledom")
    page.await_attribute(".presenter", "data-state", "ended")
    stand.run("elk-bledom", settings={"brightness": 20, "is-on": True})
    page.await_attribute(".presenter", "data-state", "running")
    page.await_text(".stage [data-face] > * >>> [data-text]", "20 %")


def test_a_device_with_another_definition_has_its_own_face(page, stand):
    stand.run("elk-bledom", name="device", settings={"is-on": True})
    page.show("device")
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "100 %")
    stand.end("device")
    stand.run("itag", name="device")
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "iTAG")


def test_a_device_that_does_not_run_yet(page, stand):
    page.show("itag")
    page.await_words("#ended", "It appears here automatically")
    stand.run("itag")
    page.await_hidden("#ended")
    page.await_visible('[data-control="button"]')


def test_a_device_that_does_not_answer(page, stand):
    """Its process is stopped: the connection stays, and nothing comes."""
    stand.run("itag")
    stand.run("elk-bledom", name="strip")
    page.await_attribute('.card[data-device="itag"]', "data-state", "running")
    for view, part in (((), '.card[data-device="itag"] .card-state'), (("itag",), "[data-device-state]"), (("itag", "present"), "#state-line")):
        page.show(*view)
        page.await_words(part, "in memory")
        stand.processes["itag"].send_signal(signal.SIGSTOP)
        page.await_words(part, "does not answer")
        if not view:
            page.await_text('.card[data-device="strip"] .card-state', "in memory")
        stand.processes["itag"].send_signal(signal.SIGCONT)
        page.await_words(part, "in memory")


def test_a_device_that_is_met_while_it_does_not_answer(page, stand):
    stand.run("itag")
    stand.processes["itag"].send_signal(signal.SIGSTOP)
    page.show("itag")
    page.await_words("#ended", "does not answer")
    stand.processes["itag"].send_signal(signal.SIGCONT)
    page.await_words("[data-device-state]", "in memory")
    page.await_hidden("#ended")


def test_another_server_at_the_same_address_wants_its_own_token(page, stand, server):
    stand.run("itag")
    for view in ((), ("itag", "faults")):
        page.show(*view)
        page.await_visible(".card" if not view else '[data-action="reset"]')
        server.end()
        page.await_words("#server-state", "does not answer")
        other = programs.WebServer(stand, server.host)
        try:
            assert other.token != server.token
            page.await_words("#server-state", "open the address that blemu web printed")
            if view:
                page.await_words("#ended", "with another token")
            page.browser.open(other.address)
            page.show(*view)
            page.await_visible(".card" if not view else '[data-action="reset"]')
            page.await_hidden("#server-state")
        finally:
            server = other
    server.end()
