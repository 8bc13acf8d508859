"""A face follows its device, and operates it."""
from browser import ENTER
from patience import wait_until

LEDS = ".head-frame [data-face] > * >>> [data-fill^='rgb']"


def color(page, selector, of="fill"):
    return page.read(selector, f"getComputedStyle(it).{of}")


def await_color(page, selector, wanted, of="fill"):
    wait_until(lambda: color(page, selector, of) == wanted, lambda: f"{of} is {color(page, selector, of)}, not {wanted}")


def test_a_central_writes_a_colour_and_the_leds_have_it(page, stand):
    strip = stand.run("elk-bledom")
    page.show("elk-bledom")
    page.await_hidden(LEDS)
    with strip.central() as phone:
        phone.write("commands", "switch", length=4, on=1)
        phone.write("commands", "color", length=7, red=10, green=200, blue=90)
        await_color(page, LEDS, "rgb(10, 200, 90)")
        page.await_visible(LEDS)
        phone.write("commands", "color", length=7, red=255, green=0, blue=1)
        await_color(page, LEDS, "rgb(255, 0, 1)")
        phone.write("commands", "switch", length=4, on=0)
        page.await_hidden(LEDS)


def test_texts_follow_values(page, stand):
    strip = stand.run("elk-bledom", settings={"is-on": True})
    page.show("elk-bledom")
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "100 %")
    strip.set(brightness=3)
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "3 %")
    strip.set(is_on=False)
    page.await_text(".head-frame [data-face] > * >>> [data-text]", "off")


def test_a_part_is_pressed_by_click_enter_and_space(page, stand):
    strip = stand.run("elk-bledom")
    page.show("elk-bledom")
    power = ".head-frame [data-face] > * >>> [data-press=power]"
    page.click(power)
    wait_until(lambda: strip.get("is-on") is True, "the click does not turn the strip on")
    page.await_attribute(power, "aria-pressed", "true")
    page.focus(power)
    page.press(ENTER)
    wait_until(lambda: strip.get("is-on") is False, "Enter does not turn the strip off")
    page.press(" ")
    wait_until(lambda: strip.get("is-on") is True, "Space does not turn the strip on")


def test_a_part_of_a_face_has_the_name_of_its_control(page, stand):
    stand.run("elk-bledom")
    page.show("elk-bledom")
    page.await_attribute(".head-frame [data-face] > * >>> [data-press=power]", "aria-label", "Power")


def test_a_device_without_a_face_has_a_plain_one(page, stand):
    storm = stand.run("storm")
    page.show("storm")
    page.await_words(".head-frame svg", "Storm")
    storm.set(count=12345)
    page.await_words(".head-frame svg", "12345")


def test_a_value_has_a_plot(page, stand):
    strip = stand.run("elk-bledom")
    page.show("elk-bledom")
    line = '[data-value-name="brightness"] .plot polyline'
    points = "(it.getAttribute('points') ?? '').split(' ').length"
    page.await_that(line, f"{points} >= 2")
    before = page.read(line, points)
    for brightness in (10, 90, 20):
        strip.set(brightness=brightness)
        page.await_text('[data-value-name="brightness"] .value-text', str(brightness))
    page.await_that(line, f"{points} >= {before} + 6")
    page.await_text('[data-value-name="brightness"] .value-range', "10 … 100")
