"""What others have written is shown, and never runs: names, values, faces."""
import re
import shutil

import pytest

import programs
from elsewhere import Elsewhere
from page import FIND
from patience import wait_until

# {there} is a server that must not be asked for anything.
FACE = """<?xml-stylesheet href="{there}/style.css"?>
<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 200 100" onload="document.title='taken'">
  <title>Face</title>
  <script>document.title = 'taken'</script>
  <script href="{there}/script.js"/>
  <style>@import url({there}/import.css); text {{ background: url({there}/css.png); fill: url({there}/fill.svg#a); cursor: url({there}/cursor.png), auto; }}
    @font-face {{ font-family: far; src: url({there}/font.woff); }} #kept {{ font-family: far; }}</style>
  <image href="{there}/image.png" width="10" height="10"/>
  <image xlink:href="{there}/image2.png" width="10" height="10"/>
  <image href="x" onerror="document.title='taken'" width="10" height="10"/>
  <use href="{there}/use.svg#a"/>
  <foreignObject width="10" height="10"><body xmlns="http://www.w3.org/1999/xhtml"><img src="{there}/img.png" onerror="document.title='taken'"/>
    <iframe src="{there}/frame.html"/><form action="{there}/form"><input name="a"/></form></body></foreignObject>
  <a href="javascript:document.title='taken'" id="link"><rect id="bait" width="200" height="30" fill="red"/></a>
  <rect width="10" height="10" fill="url({there}/paint.svg#a)" filter="url({there}/filter.svg#a)" style="mask: url({there}/mask.svg#a)"/>
  <rect width="10" height="10" y="40"><set attributeName="href" to="{there}/set.png"/><animate attributeName="onclick" to="document.title='taken'"/></rect>
  <text data-text="{{label}}" data-fill="url({there}/bound.svg#a)" y="50">-</text>
  <text id="kept" x="10" y="80" data-text="level {{level}}">-</text>
</svg>"""


@pytest.fixture
def elsewhere():
    with Elsewhere() as elsewhere:
        yield elsewhere


def test_html_in_names_and_values_is_text(page, stand):
    device = stand.run("hostile")
    with device.central() as phone:
        phone.write("text", b"<img src=x onerror=\"document.title='taken'\">")
        device.set(level=8)
        for tab in ("live", "send", "traffic", "advertisement", "attributes", "present"):
            page.show("hostile", tab)
            page.await_words("#main", "hostile")
        page.show("hostile")
        page.await_text('[data-value-name="label"] .value-text', "<img src=x onerror=\"document.title='taken'\">")
        page.await_text(".head-definition", "<img src=x onerror=alert(1)>")
        page.await_text('[data-control="level"] label', "<i>Level</i>")
        page.show("hostile", "traffic")
        page.await_words("#traffic-list", "<svg onload=")
    assert "taken" not in page.browser.run("return document.title")
    assert not page.all("#main img, #main b, #main i, #main script")


def hostile_face(tmp_path, elsewhere):
    definition = shutil.copy(programs.definition("hostile"), tmp_path / "hostile.yaml")
    (tmp_path / "hostile.svg").write_text(FACE.format(there=elsewhere.origin))
    return definition


def test_a_hostile_face_runs_nothing_and_asks_for_nothing(page, stand, tmp_path, elsewhere):
    device = stand.run(hostile_face(tmp_path, elsewhere))
    for view, frame in (((), ".card-face"), (("hostile",), ".head-frame"), (("hostile", "present"), ".stage")):
        page.show(*view)
        kept = f"{frame} [data-face] > * >>> #kept"
        page.await_text(kept, f"level {device.get('level')}")
        device.set(level=device.get("level") + 1)
        page.await_text(kept, f"level {device.get('level')}")
        assert page.is_visible(f"{frame} [data-face] > * >>> #bait")
        # A template may have anything: it only counts with the values in it.
        drawn = re.sub(r' data-[a-z]+="[^"]*"', "", page.read(f"{frame} [data-face] > * >>> svg", "it.outerHTML"))
        for word in ("<script", "onload", "onerror", "foreignObject", "javascript:", "@import", elsewhere.host):
            assert word.lower() not in drawn.lower().replace("&lt;img src=x onerror=", ""), word
        page.browser.run(FIND + "for (const it of found) it.dispatchEvent(new MouseEvent('click', { bubbles: true }))", f"{frame} [data-face] > * >>> rect")
        assert "taken" not in page.browser.run("return document.title")
    assert elsewhere.requests == []


def test_a_hostile_face_as_a_document_runs_nothing(page, stand, tmp_path, elsewhere):
    stand.run(hostile_face(tmp_path, elsewhere))
    page.browser.open(f"{page.server.origin}/face?device=hostile")
    wait_until(lambda: page.browser.run("return document.readyState") == "complete", "it is not loaded")
    assert page.browser.run("return document.documentElement.localName") in ("svg", "html")
    assert page.browser.run("return document.title") != "taken"
    assert elsewhere.requests == []


def test_a_face_that_is_no_svg_leaves_a_plain_one(page, stand, tmp_path):
    definition = shutil.copy(programs.definition("hostile"), tmp_path / "hostile.yaml")
    (tmp_path / "hostile.svg").write_text("<html><script>document.title = 'taken'</script>")
    stand.run(definition)
    page.show("hostile")
    page.await_visible(".head-frame svg.plain-face")
    assert "taken" not in page.browser.run("return document.title")


def test_a_face_that_is_too_large_is_said_to_be(page, stand, tmp_path):
    definition = shutil.copy(programs.definition("hostile"), tmp_path / "hostile.yaml")
    (tmp_path / "hostile.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>" + " " * (1 << 20))
    stand.run(definition)
    page.show("hostile")
    page.await_visible(".head-frame svg.plain-face")
    page.await_words("#main", "The face cannot be drawn: it has")
