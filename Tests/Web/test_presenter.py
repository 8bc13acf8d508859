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


WRITTEN = ".written-lines li"


def test_it_shows_what_a_phone_writes_to_a_serial_module(page, stand):
    module = stand.run("hm-10")
    page.browser.resize("wall")
    page.show("hm-10", "present")
    page.await_text(".written-none", "No central has written anything yet.")
    with module.central() as phone:
        for value in (b"Hello, this is a lon", b"g line\r\n", b"stop\r\n", b"\x01\x02\xff"):
            phone.write("FFE1", value)
        page.await_text(f"{WRITTEN}:last-child", "01 02 FF")
    wait_until(lambda: page.texts(WRITTEN)[-2:] == ["stop", "01 02 FF"], lambda: f"the lines are {page.texts(WRITTEN)}")
    assert "".join(page.texts(WRITTEN)[:-2]) == "Hello, this is a long line"
    # One of 20 characters is legible from the last row: a fifteenth of the picture's height.
    page.await_that(f"{WRITTEN}:last-child", "parseFloat(getComputedStyle(it).fontSize) >= innerHeight / 15")
    page.await_that(FACE, "it.getBoundingClientRect().height > innerHeight / 3")
    page.press("w")
    page.await_hidden(".written")


def test_it_shows_messages_by_their_names_when_asked(page, stand):
    strip = stand.run("elk-bledom")
    page.show("elk-bledom", "present")
    page.await_visible(FACE)
    assert not page.is_visible(".written")
    page.press("w")
    with strip.central() as phone:
        phone.write("commands", "color", length=7, red=10, green=200, blue=90)
    page.await_text(f"{WRITTEN}:last-child", "color length=7 red=10 green=200 blue=90")


def test_the_plain_face_shows_what_is_connected(page, stand):
    kit = stand.run("kit")
    page.show("kit", "present")
    page.await_text(".plain-connection", "no central is connected")
    with kit.central() as phone:
        page.await_text(".plain-connection", f"{phone.address} is connected")
        with kit.central():
            page.await_text(".plain-connection", "2 centrals connected")


def test_the_line_below_says_how_the_device_is(page, stand):
    tag = stand.run("itag")
    page.show("itag", "present")
    page.await_text("#state-line", "itag · in memory · 0 centrals")
    with tag.central():
        page.await_text("#state-line", "itag · in memory · 1 central")
    page.press("s")
    page.await_hidden("#state-line")
