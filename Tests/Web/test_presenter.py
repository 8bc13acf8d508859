"""The presenter's view: the face, large enough for the last row."""
from browser import ESCAPE, LEFT, RIGHT
from patience import wait_until

FACE = ".stage [data-face] > * >>> svg"


def test_the_face_fills_the_window(page, stand):
    stand.run("elk-bledom")
    for size, (width, height) in {"wall": (1920, 1080), "phone": (390, 844)}.items():
        page.browser.resize(size)
        page.show("elk-bledom", "present")
        page.find(FACE)
        room = "const box = it.getBoundingClientRect()"
        page.await_that(FACE, f"(() => {{ {room}; return box.width > 0.85 * {width} || box.height > 0.85 * {height} }})()")
        page.await_that(FACE, f"(() => {{ {room}; return box.left >= 0 && box.right <= {width} && box.top >= 0 && box.bottom <= {height} }})()")


def test_the_face_is_live(page, stand):
    strip = stand.run("elk-bledom", settings={"is-on": True})
    page.show("elk-bledom", "present")
    page.await_text(".stage [data-face] > * >>> [data-text]", "100 %")
    strip.set(brightness=12)
    page.await_text(".stage [data-face] > * >>> [data-text]", "12 %")
    page.click(".stage [data-face] > * >>> [data-press=power]")
    wait_until(lambda: strip.get("is-on") is False, "the click does not reach the device")


def test_arrows_lead_to_the_next_device_and_escape_back(page, stand):
    for name in ("a", "b", "c"):
        stand.run("itag", name=name)
    page.show("a")
    page.await_text("h1", "a")
    page.press("v")
    page.await_text(".presenter h1", "a")
    for key, name in ((RIGHT, "b"), (RIGHT, "c"), (RIGHT, "a"), (LEFT, "c")):
        page.press(key)
        page.await_text(".presenter h1", name)
    page.press(ESCAPE)
    page.await_text(".device h1", "c")


def test_f_is_full_screen(page, stand):
    stand.run("itag")
    page.show("itag", "present")
    page.await_visible(FACE)
    page.press("f")
    wait_until(lambda: page.browser.run("return document.fullscreenElement !== null"), "it is not full screen")
    page.press("f")
    wait_until(lambda: page.browser.run("return document.fullscreenElement === null"), "it is still full screen")


def test_the_line_below_says_how_the_device_is(page, stand):
    tag = stand.run("itag")
    page.show("itag", "present")
    page.await_text("#state-line", "itag · on the air · 0 centrals")
    with tag.central():
        page.await_text("#state-line", "itag · on the air · 1 central")
    page.press("s")
    page.await_hidden("#state-line")
