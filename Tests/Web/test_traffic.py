"""The traffic: decoded, filtered, searched, paused, and bounded."""
import pytest

from browser import END, ENTER, ESCAPE, UP
from patience import wait_until

ROWS = ".traffic-row:not([hidden])"


def rows(page):
    """The texts of the rows that are in the document, in their order."""
    return page.browser.run(f"""
        return [...document.querySelectorAll(`{ROWS}`)].sort((a, b) => a.ariaPosInSet - b.ariaPosInSet)
          .map((row) => [...row.children].slice(1).map((it) => it.textContent.trim()).join(" ").replace(/ +/g, " ").trim())""")


def await_row(page, words):
    wait_until(lambda: any(words in row for row in rows(page)), lambda: f"no row has {words!r}: {rows(page)}")


def await_rows(page, *texts):
    wait_until(lambda: len(rows(page)) == len(texts) and all(text in row for text, row in zip(texts, rows(page))),
               lambda: f"the rows are {rows(page)}, not {texts}")


@pytest.fixture
def strip(page, stand):
    """An LED strip to which a central has written three messages."""
    strip = stand.run("elk-bledom")
    with strip.central() as phone:
        phone.write("commands", "switch", length=4, on=1)
        phone.write("commands", "color", length=7, red=10, green=200, blue=90)
        phone.write("commands", "brightness", length=4, percent=30)
    page.show("elk-bledom", "traffic")
    page.await_visible(f"{ROWS}[data-event=disconnected]")
    return strip


def test_a_row_has_the_name_and_the_fields_of_a_message(page, strip):
    await_row(page, "> write")
    await_row(page, "commands color length=7 red=10 green=200 blue=90")
    await_row(page, "* log red 10, green 200, blue 90")
    await_row(page, "connected")


def test_hex_on_demand(page, strip):
    assert not page.all(".row-detail")
    page.click(f"{ROWS}[data-event=write]:has(.row-fields)")
    page.await_visible(".row-detail")
    page.await_words(".hexdump", "7E 04 04 01 00 00 00 00 EF")
    page.await_words(".detail-fields", "length4")
    page.press(ESCAPE)
    page.await_hidden(".row-detail")


def test_rows_are_chosen_by_keyboard(page, strip):
    page.focus("#traffic-list")
    page.press(END, UP, ENTER)
    page.await_visible(".row-detail")
    selected = page.read("#traffic-list", "it.getAttribute('aria-activedescendant')")
    page.await_attribute(f"#{selected}", "aria-selected", "true")


def test_kinds_of_events_are_filtered(page, strip):
    for group in ("in", "link"):
        page.click(f'[data-group="{group}"]')
    await_rows(page, "on", "red 10", "brightness 30 %")
    page.await_words(".traffic-count", "3 of")
    page.click('[data-group="in"]')
    await_row(page, "color length=7")


def test_a_message_is_filtered(page, strip):
    page.choose('[data-filter="message"]', "color")
    await_rows(page, "color length=7 red=10 green=200 blue=90")


def test_the_search_finds_words_and_hex(page, strip):
    page.press("/")
    page.type("#traffic-search", "GREEN 200")
    await_rows(page, "red 10, green 200, blue 90")
    page.await_text(f"{ROWS} mark", "green 200")
    page.type("#traffic-search", "0ac85a")
    await_rows(page, "color length=7 red=10 green=200 blue=90")
    page.type("#traffic-search", "nothing like this")
    page.await_text(".traffic-none", "No event matches.")
    page.press(ESCAPE)
    await_row(page, "connected")


def test_a_pause_loses_no_row(page, strip):
    before = rows(page)
    page.click("[data-pause]")
    with strip.central() as phone:
        for percent in (41, 42, 43):
            phone.write("commands", "brightness", length=4, percent=percent)
    page.await_words("[data-pause]", "new")
    wait_until(lambda: "8 new" in page.text("[data-pause]"), lambda: page.text("[data-pause]"))
    assert rows(page) == before
    page.click("[data-pause]")
    for percent in (41, 42, 43):
        await_row(page, f"brightness length=4 percent={percent}")


def test_a_search_in_a_pause_finds_what_was_there(page, stand):
    """Also after as many new events as the list may hold."""
    storm = stand.run("storm", settings={"most": 3500})
    page.show("storm", "traffic")
    storm.set(step=2)
    await_row(page, "set step=2")
    page.click("[data-pause]")
    with storm.central() as phone:
        phone.subscribe("stream")
        phone.subscribe("echo")
        storm.press("begin")
        wait_until(lambda: storm.get("count") == 3500, "the device does not send")
        page.await_that("[data-pause]", "Number(it.textContent.replace(/\\D/g, '')) > 7000")
    page.type("#traffic-search", "step=2")
    await_rows(page, "set step=2")
    page.type("#traffic-search", "number=3500")
    page.await_text(".traffic-none", "No event matches.")
    page.click("[data-pause]")
    await_row(page, "number=3500")


def test_it_can_be_cleared(page, strip):
    page.click("[data-clear]")
    page.await_count(ROWS, 0)
    strip.set(brightness=77)
    await_row(page, "set brightness=77")


def test_two_thousand_events_a_second(page, stand):
    storm = stand.run("storm", settings={"most": 4000})
    page.show("storm", "traffic")
    page.await_visible("#traffic-list")
    with storm.central() as phone:
        phone.subscribe("stream")
        phone.subscribe("echo")
        storm.press("begin")
        most = 0
        while storm.get("count") < 4000:
            most = max(most, len(page.all(".traffic-row")))
        await_row(page, "number=4000")
        await_row(page, "0A 0B 0F A0")
    assert most < 100
    assert len(page.all(".traffic-row")) < 100
    page.await_words(".traffic-count", "events")


def test_forgotten_events_are_said(page, stand):
    """A page that cannot keep up, here because a dialogue stops its scripts, says how many events it has missed."""
    storm = stand.run("storm", settings={"most": 5500})
    page.show("storm", "traffic")
    page.await_visible("#traffic-list")
    with storm.central() as phone:
        phone.subscribe("stream")
        phone.subscribe("echo")
        page.await_words(".traffic-count", "events")
        page.browser.run("setTimeout(() => alert('wait'), 0)")
        storm.press("begin")
        wait_until(lambda: storm.get("count") == 5500, "the device does not send")
        page.browser.ask("POST", "/alert/accept")
        await_row(page, "0A 0B 15 7C")
    page.type("#traffic-search", "nothing like this")
    await_row(page, "events missing here")
