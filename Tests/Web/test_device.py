"""A device: what a person at the page does reaches it."""
import pytest

from browser import ENTER, ESCAPE, RIGHT, TAB
from patience import wait_until


def control(name, part=""):
    return f'[data-control="{name}"] {part}'.strip()


def value(name, part=""):
    return f'[data-value-name="{name}"] {part}'.strip()


def await_value(device, name, wanted):
    wait_until(lambda: device.get(name) == wanted, lambda: f"{name} is {device.get(name)}, not {wanted}")


@pytest.fixture
def tag(page, stand):
    tag = stand.run("itag")
    page.show("itag")
    page.await_visible(control("button"))
    return tag


def test_a_button_is_pressed(page, tag):
    with tag.central() as phone:
        phone.subscribe("button")
        page.click(control("button", "button"))
        tag.expect("press button", "< button pressed", within=60)


def test_what_a_warning_says_is_no_error(page, tag):
    page.click(control("button", "button"))
    page.await_words(control("button", ".warning"), "no central has subscribed")
    page.await_words("#announcements", "Done, but: ")
    tag.expect("press button", within=60)


def test_a_device_without_controls_has_no_place_for_them(page, stand):
    stand.run("bluno")
    page.show("bluno")
    page.await_visible(value("local-name"))
    assert page.texts(".panel.shown h2") == ["Values"]


def test_the_switch_of_colours_says_what_it_is(page, tag):
    page.await_text("#theme-button", "Colours: automatic")
    page.click("#theme-button")
    page.await_text("#theme-button", "Colours: light")
    page.click("#theme-button")
    page.click("#theme-button")


def test_a_slider_moves_by_keyboard(page, tag):
    page.focus(control("battery", "input[type=range]"))
    page.press(RIGHT, RIGHT)
    await_value(tag, "level", 92)
    page.await_that(control("battery", "input[type=number]"), "it.value === '92'")
    tag.set(level=12)
    page.await_that(control("battery", "input[type=range]"), "it.value === '12'")


def test_a_control_is_never_there_without_its_value(page, stand):
    """A slider that did not know its value yet would set another at the first key."""
    tag = stand.run("itag")
    page.browser.devtools("Page.enable")
    script = page.browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="""
      window.seen = [];
      new MutationObserver(() => {
        const slider = document.querySelector('[data-control="battery"] input[type=range]');
        if (slider) seen.push(slider.value);
      }).observe(document, { childList: true, subtree: true });
    """)
    page.browser.open("about:blank")
    page.sign_in()
    page.browser.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)
    page.show("itag")
    page.focus('[data-control="battery"] input[type=range]')
    page.press(RIGHT)
    await_value(tag, "level", 91)
    assert page.browser.run("return seen")[0] == "90"


def test_a_slider_has_an_exact_value(page, tag):
    page.type(control("battery", "input[type=number]"), "37" + ENTER)
    await_value(tag, "level", 37)


def test_a_switch_turns(page, stand):
    strip = stand.run("elk-bledom")
    page.show("elk-bledom")
    switch = control("power", "button")
    page.await_attribute(switch, "aria-checked", "false")
    page.click(switch)
    await_value(strip, "is-on", True)
    page.await_attribute(switch, "aria-checked", "true")
    page.focus(switch)
    page.press(" ")
    await_value(strip, "is-on", False)


def test_a_choice_of_few_words_is_made(page, stand):
    kit = stand.run("kit")
    page.show("kit")
    page.click(control("colour", "label:has([value=red])"))
    await_value(kit, "colour", "red")
    page.press(RIGHT)
    await_value(kit, "colour", "green")
    kit.set(colour="blue")
    page.await_that(control("colour", "[value=blue]"), "it.checked")


def test_a_choice_of_many_words_is_made(page, stand):
    kit = stand.run("kit")
    page.show("kit")
    page.choose(control("mode", "select"), "brisk")
    await_value(kit, "mode", "brisk")


def test_a_field_takes_text(page, stand):
    kit = stand.run("kit")
    page.show("kit")
    page.type(control("label", "input"), "Küche" + ENTER)
    await_value(kit, "label", "Küche")
    page.type(control("label", "input"), "a text that is longer than twenty bytes" + ENTER)
    page.await_visible(control("label", "[data-problem]"))
    assert page.read(control("label", "input"), "it.value") == "a text that is longer than twenty bytes"
    assert kit.get("label") == "Küche"


def test_a_setting_is_typed(page, tag):
    page.click(value("level", ".value-button"))
    page.type(value("level", "input"), "42" + ENTER)
    await_value(tag, "level", 42)
    page.await_text(value("level", ".value-text"), "42")


def test_a_wrong_value_keeps_its_text_and_says_why(page, tag):
    page.click(value("level", ".value-button"))
    page.type(value("level", "input"), "500" + ENTER)
    page.await_words(value("level", "[data-problem]"), "100")
    assert page.read(value("level", "input"), "it.value") == "500"
    assert tag.get("level") == 90
    page.press(ESCAPE)
    page.await_text(value("level", ".value-text"), "90")


def test_a_boolean_turns_with_a_click(page, tag):
    page.click(value("link-loss", ".value-button"))
    await_value(tag, "link-loss", False)


def test_an_expression_is_watched(page, tag):
    page.type("#watch-expression", "level +" + ENTER)
    page.await_visible(".watch-form [data-problem]")
    page.type("#watch-expression", "level * 2" + ENTER)
    page.await_text(value("level * 2", ".value-text"), "180")
    tag.set(level=5)
    page.await_text(value("level * 2", ".value-text"), "10")


def test_a_message_is_sent_with_its_fields(page, stand):
    bracelet = stand.run("bracelet")
    with bracelet.central() as phone:
        phone.subscribe("serial")
        page.show("bracelet", "send")
        page.choose('[data-choice="from"]', "serial")
        page.choose('[data-choice="what"]', "message day-total")
        page.type('[data-field="packets"]', "5")
        page.click("[data-send]")
        bracelet.expect("< serial day-total packets=5", within=60)


def test_a_message_is_sent_to_one_central(page, stand):
    """Here to one that has not subscribed. One who leaves is not replaced by all others."""
    storm = stand.run("storm")

    def sent():
        return [event.value for event in storm.journal() if event.kind == "notify"]

    with storm.central("00:00:00:00:00:0A") as first:
        first.subscribe("stream")
        page.show("storm", "send")
        page.choose('[data-choice="what"]', "bytes")
        page.type('[data-field=""]', "01")
        page.await_hidden('[data-choice="to"]')
        with storm.central("00:00:00:00:00:0B") as second:
            page.choose('[data-choice="to"]', second.address)
            page.click("[data-send]")
            page.await_words(".send-form [data-problem]", "not sent")
        page.await_count("[data-disconnect]", 1)
        page.click("[data-send]")
        page.await_words(".send-form [data-problem]", second.address)
        assert sent() == []
        page.choose('[data-choice="to"]', "")
        page.click("[data-send]")
        wait_until(lambda: sent() == [b"\1"], sent)


def test_a_wrong_field_says_why(page, stand):
    stand.run("bracelet")
    page.show("bracelet", "send")
    page.choose('[data-choice="what"]', "message day-total")
    page.type('[data-field="packets"]', "many")
    page.click("[data-send]")
    page.await_words(".send-form [data-problem]", "packets")
    assert page.read('[data-field="packets"]', "it.value") == "many"


def test_bytes_go_into_the_wire_side(page, tag):
    page.show("itag", "send")
    page.choose('[data-choice="from"]', "into the wire side")
    page.choose('[data-choice="what"]', "text")
    page.type('[data-field=""]', "press\\n")
    page.choose('[data-choice="what"]', "bytes")
    page.type('[data-field=""]', "70 72 65 73 73 0A")
    page.click("[data-send]")
    tag.expect('] wire "press\\n"', within=60)


def test_the_page_plays_the_central(page, tag):
    page.show("itag", "send")
    page.click('[data-line="connect"]')
    tag.expect("connect", within=60)
    page.type("#central-line", "read battery" + ENTER)
    page.await_words(".central-answer", "5A")
    page.type("#central-line", "> alert alert strength=2" + ENTER)
    tag.expect("> alert alert strength=2", '* "BEEP"', within=60)
    page.click('[data-line="disconnect"]')
    tag.expect("disconnect", within=60)


def test_advertising_is_switched_off_and_on(page, tag):
    switch = '[data-action="advertise"]'
    page.await_attribute(switch, "aria-checked", "true")
    page.click(switch)
    tag.expect("advertise off", within=60)
    page.await_attribute(switch, "aria-checked", "false")
    page.click(switch)
    tag.expect("advertise on", within=60)
    page.await_attribute(switch, "aria-checked", "true")


def test_a_central_is_disconnected(page, tag):
    with tag.central() as phone:
        page.click(f'[data-disconnect="{phone.address}"]')
        tag.expect("disconnect", within=60)
        page.await_count("[data-disconnect]", 0)


def test_a_device_is_reset(page, tag):
    page.click('[data-action="reset"]')
    tag.expect("reset", within=60)


def test_stop_asks_first(page, tag, stand):
    page.click('[data-action="stop"]')
    page.await_visible("dialog[open]")
    assert page.text("dialog[open] h2") == "Stop itag?"
    assert page.browser.run("return document.activeElement.textContent") == "Cancel"
    page.press(ENTER)
    page.await_count("dialog[open]", 0)
    assert stand.processes["itag"].poll() is None
    page.click('[data-action="stop"]')
    page.await_visible("dialog[open]")
    page.press(TAB, ENTER)
    page.await_visible("#ended")
    assert stand.processes.pop("itag").wait(60) == 0
    stand.devices.pop("itag").close()
