"""Keyboard, screen reader, small windows, colours and movement."""
import pytest

from browser import ENTER, SIZES, TAB
from patience import wait_until

VIEWS = {"stand": (), "live": ("elk-bledom",), "send": ("elk-bledom", "send"), "traffic": ("elk-bledom", "traffic"),
         "advertisement": ("elk-bledom", "advertisement"), "faults": ("elk-bledom", "faults"),
         "expectations": ("elk-bledom", "expectations"), "attributes": ("elk-bledom", "attributes"), "presenter": ("elk-bledom", "present")}
# What each view shows last of the device below.
CONTENTS = {"stand": ".card[data-state=running] [data-face=own]:not(.pending)", "live": "[data-value-name=brightness] .value-text:not(:empty)", "send": "[data-field]",
            "traffic": ".traffic-row[data-event=disconnected]", "advertisement": ".packet[data-packet='Scan response'] .cell",
            "faults": "[data-fault][aria-checked=true]", "expectations": ".expectation[data-state=met] .met-by button",
            "attributes": "[data-attribute=commands]", "presenter": ".stage [data-face=own]:not(.pending)"}
INTERACTIVE = {"button", "link", "textbox", "searchbox", "slider", "spinbutton", "switch", "combobox", "checkbox", "radio", "listbox", "option", "tab"}


@pytest.fixture
def filled(page, stand):
    """The page, and a device with something in each view."""
    strip = stand.run("elk-bledom", faults=["drop out on answers every 3rd"], settings={"is-on": True})
    with strip.central() as phone:
        phone.write("commands", "color", length=7, red=10, green=200, blue=90)
    strip.expect("> commands color")
    return page


def open_view(page, view):
    page.show(*VIEWS[view])
    page.await_that("[data-face=own]", "it.firstChild !== null && !it.classList.contains('pending')")
    page.await_visible(CONTENTS[view])


@pytest.mark.parametrize("view", VIEWS)
def test_whatever_can_be_operated_has_a_name(filled, view):
    open_view(filled, view)
    nodes = filled.browser.devtools("Accessibility.getFullAXTree")["nodes"]
    operated = [node for node in nodes if not node["ignored"] and node["role"]["value"] in INTERACTIVE]
    assert len(operated) > 4
    assert [node for node in operated if not node.get("name", {}).get("value", "").strip()] == []


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_has_one_heading_and_its_landmarks(filled, view):
    open_view(filled, view)
    assert len(filled.texts("h1")) == 1
    assert len(filled.all("main")) == 1
    assert filled.text("title") not in ("", None)
    assert filled.read("html", "it.lang") == "en"
    levels = filled.browser.run("""
        return [...document.querySelectorAll("h1, h2, h3, h4")].filter((it) => it.checkVisibility()).map((it) => Number(it.localName[1]))""")
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:])), levels


FOCUSED = """
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  if (!element || element === document.body) return null;
  const box = element.getBoundingClientRect(), isAgain = window.visited.has(element);
  const isOutlined = (...of) => getComputedStyle(...of).outlineStyle !== "none" || getComputedStyle(...of).boxShadow !== "none";
  window.visited.add(element);
  return { text: element.outerHTML.slice(0, 160), isAgain, isInside: box.bottom > 0 && box.top < innerHeight && box.width > 0,
           isOutlined: isOutlined(element) || isOutlined(element, "::after") || isOutlined(element.closest(".card") ?? element) };
"""

# Each group of radio buttons is one stop, and so is the list of the traffic.
MISSED = """
  const focusable = (root) => [...root.querySelectorAll("*")].filter((it) => !it.closest("[inert]")).flatMap((it) => [
    ...(it.matches("a[href], button, input, select, textarea, summary, [tabindex='0']") ? [it] : []), ...(it.shadowRoot ? focusable(it.shadowRoot) : [])]);
  const isStop = (it) => !it.disabled && it.checkVisibility({ visibilityProperty: true }) && (it.type !== "radio" || it.checked);
  return focusable(document).filter((it) => isStop(it) && !window.visited.has(it)).map((it) => it.outerHTML.slice(0, 160));
"""


@pytest.mark.parametrize("view", VIEWS)
def test_tab_reaches_everything_and_shows_where_it_is(filled, view):
    open_view(filled, view)
    filled.browser.run("document.activeElement.blur(); window.visited = new Set()")
    stops = []
    for _ in range(300):
        filled.press(TAB)
        stop = filled.browser.run(FOCUSED)
        if stop and stop["isAgain"]:
            break
        stops += [stop] if stop else []
    assert [stop["text"] for stop in stops if not stop["isOutlined"]] == []
    assert [stop["text"] for stop in stops if not stop["isInside"]] == []
    assert filled.browser.run(MISSED) == []


# The contrast of each text with what is behind it (WCAG 2.2, 1.4.3), where that is one plain colour.
CONTRASTS = """
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const channels = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((it, index) => it * a / 255 + below[index] * (1 - a / 255));
  const linear = (it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4);
  const luminance = ([r, g, b]) => 0.2126 * linear(r / 255) + 0.7152 * linear(g / 255) + 0.0722 * linear(b / 255);
  const background = (element) => {
    if (!element) return [255, 255, 255];
    const style = getComputedStyle(element), color = channels(style.backgroundColor);
    return color[3] === 255 ? color.slice(0, 3) : over(color, background(element.parentElement));
  };
  const bad = [];
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].filter((it) => it.nodeType === 3).map((it) => it.data.trim()).join("");
    const isSeen = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (text === "" || !isSeen || element.closest("svg, .unseen, [disabled], option")) continue;
    const style = getComputedStyle(element);
    const behind = background(element), ink = over(channels(style.color), behind);
    const [low, high] = [luminance(behind), luminance(ink)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    const isLarge = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (contrast < (isLarge ? 3 : 4.5)) bad.push(`${contrast.toFixed(2)} ${element.className}: ${text.slice(0, 40)}`);
  }
  return bad;
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_have_contrast(filled, scheme):
    filled.browser.prefer(color_scheme=scheme, reduced_motion="reduce")
    for view in VIEWS:
        open_view(filled, view)
        wait_until(lambda: filled.browser.run(CONTRASTS) == [], lambda: f"{view}: {filled.browser.run(CONTRASTS)}")


@pytest.mark.parametrize("size", ["narrow", "phone", "laptop", "wall"])
def test_nothing_must_be_scrolled_sideways(filled, size):
    filled.browser.resize(size)
    for view in VIEWS:
        open_view(filled, view)
        # A browser of a phone makes its window wider for a page that is too wide.
        width = "return Math.max(document.scrollingElement.scrollWidth, innerWidth)"
        wait_until(lambda: filled.browser.run(width) == SIZES[size][0], lambda: f"{view} is {filled.browser.run(width)} px wide")


def test_what_can_be_operated_is_large_enough_for_a_thumb(filled):
    filled.browser.resize("phone")
    for view in VIEWS:
        open_view(filled, view)
        small = filled.browser.run("""
            return [...document.querySelectorAll("button:not(.link), select, input:not([type=radio]), .tabs a, .card-present")]
              .filter((it) => it.checkVisibility())
              .map((it) => [it.getBoundingClientRect(), it]).filter(([box]) => box.width < 24 || box.height < 24)
              .map(([box, it]) => `${Math.round(box.width)} x ${Math.round(box.height)} ${it.outerHTML.slice(0, 120)}`)""")  # WCAG 2.2, 2.5.8
        assert small == [], view


def test_reduced_motion_is_respected(filled):
    filled.browser.prefer(reduced_motion="reduce")
    for view in ("stand", "live", "presenter"):
        open_view(filled, view)
        moving = filled.browser.run("""
            const seconds = (text) => Math.max(...text.split(",").map(parseFloat));
            const all = (root) => [...root.querySelectorAll("*")].flatMap((it) => [it, ...(it.shadowRoot ? all(it.shadowRoot) : [])]);
            const moves = (style) => seconds(style.transitionDuration) > 0.01 || (style.animationName !== "none" && seconds(style.animationDuration) > 0.01);
            return all(document).filter((it) => moves(getComputedStyle(it))).map((it) => it.outerHTML.slice(0, 120));
        """)
        assert moving == [], view


def test_a_screen_reader_hears_what_happens(filled, stand):
    filled.show("elk-bledom")
    with stand.devices["elk-bledom"].central():
        filled.await_words("#announcements", "connected")
    filled.await_words("#announcements", "disconnected")
    filled.await_attribute("#announcements", "aria-live", "polite")


def test_the_skip_link_leads_to_the_content(filled):
    filled.sign_in()
    filled.find(".card-link")
    filled.press(TAB)
    assert filled.browser.run("return document.activeElement.className") == "skip"
    filled.press(ENTER)
    assert filled.browser.run("return document.activeElement.id") == "main"
    filled.await_visible(".card-link")
