"""The stand at a glance."""


def card(name, part=""):
    return f'.card[data-device="{name}"] {part}'.strip()


def test_an_empty_stand_says_what_to_do(page):
    page.await_visible("#empty")
    assert "No device is running" in page.text("#empty")
    assert page.texts("#empty pre")[0] == "blemu run heart-rate-belt"
    assert not page.is_visible("#cards")


def test_a_card_appears_when_a_device_starts(page, stand):
    page.await_visible("#empty")
    stand.run("heart-rate-belt")
    page.await_text(card("heart-rate-belt", ".card-state"), "in memory")
    page.await_hidden("#empty")
    stand.run("itag", name="keys")
    page.await_visible(card("keys"))
    assert page.texts(".card h2") == ["heart-rate-belt", "keys"]
    page.await_text(card("keys", ".card-definition"), "iTag")


def test_a_card_is_grey_after_the_end_and_comes_back(page, stand):
    stand.run("itag")
    page.await_attribute(card("itag"), "data-state", "running")
    stand.end("itag")
    page.await_attribute(card("itag"), "data-state", "ended")
    page.await_text(card("itag", ".card-state"), "ended")
    opacity = "Number(getComputedStyle(it.querySelector('.card-face')).opacity)"
    page.await_that(card("itag"), f"{opacity} < 1 || getComputedStyle(it.querySelector('.card-face')).filter !== 'none'")
    stand.run("itag")
    page.await_attribute(card("itag"), "data-state", "running")
    page.await_that(card("itag"), f"{opacity} === 1")
    page.await_text("#announcements", "itag runs.")


def test_the_face_of_a_card_shows_live_values(page, stand):
    strip = stand.run("elk-bledom", settings={"is-on": True, "brightness": 61})
    text = card("elk-bledom", "[data-face] > * >>> [data-text]")
    page.await_text(text, "61 %")
    strip.set(brightness=7)
    page.await_text(text, "7 %")


def test_a_card_counts_centrals_and_faults(page, stand):
    tag = stand.run("itag")
    page.await_text(card("itag", ".facts div:first-child dd"), "0")
    with tag.central():
        page.await_text(card("itag", ".facts div:first-child dd"), "1")
    with tag.fault("drop out on button"):
        page.await_text(card("itag", ".facts div:last-child dd"), "1")
    page.await_text(card("itag", ".facts div:last-child dd"), "0")


def test_a_card_leads_to_its_device(page, stand):
    stand.run("itag")
    page.click(card("itag", ".card-link"))
    page.await_text("h1", "itag")
    page.await_text(".crumbs [aria-current]", "itag")
    page.click(".brand")
    page.await_visible(card("itag"))
