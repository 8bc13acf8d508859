"""Pictures of each view, with a stand of eight devices. They are left in .build/web for people to look at."""
import contextlib
import zlib

from conftest import PICTURES

STAND = {"heart-rate-belt": {"beats-per-minute": 128}, "elk-bledom": {"is-on": True, "red": 255, "green": 90, "blue": 20},
         "bracelet": {}, "hm-10": {}, "hm10-robot": {}, "yunmai-scale": {}, "jk-bms": {}, "ruuvitag": {}}

VIEWS = {"stand": (), "live": ("heart-rate-belt",), "strip": ("elk-bledom",), "send": ("bracelet", "send"),
         "traffic": ("elk-bledom", "traffic"), "advertisement": ("ruuvitag", "advertisement"), "faults": ("heart-rate-belt", "faults"),
         "expectations": ("heart-rate-belt", "expectations"), "attributes": ("heart-rate-belt", "attributes")}


def fill(stand):
    """Starts the devices, and lets something happen to them."""
    devices = {name: stand.run(name, settings=settings) for name, settings in STAND.items()}
    belt, strip = devices["heart-rate-belt"], devices["elk-bledom"]
    phone = belt.central()
    phone.connect()
    phone.subscribe("heart-rate-measurement")
    for rate in (128, 131, 135, 150, 144, 139):
        belt.set(beats_per_minute=rate)
        belt.expect("< heart-rate-measurement", within=60)
    with contextlib.suppress(AssertionError):
        belt.expect("> heart-rate-control-point", within=0.1)
    with strip.central() as other:
        for red in range(0, 256, 25):
            other.write("commands", "color", length=7, red=red, green=255 - red, blue=90)
        other.write("commands", "color", length=7, red=255, green=90, blue=20)
        other.write("commands", "brightness", length=4, percent=80)


def colours(png):
    """How much there is in a PNG: the different groups of four bytes in its rows. A blank one has a handful."""
    chunks, at = b"", 8
    while at < len(png):
        size, kind = int.from_bytes(png[at:at + 4], "big"), png[at + 4:at + 8]
        if kind == b"IDAT":
            chunks += png[at + 8:at + 8 + size]
        at += 12 + size
    data = zlib.decompress(chunks)
    return len({data[index:index + 4] for index in range(0, len(data), 4)})


def take(page, view, scheme, size):
    PICTURES.mkdir(parents=True, exist_ok=True)
    picture = page.browser.picture()
    (PICTURES / f"{view}-{scheme}-{size}.png").write_bytes(picture)
    assert colours(picture) > 2500, f"the picture of {view} is blank"


def await_values(page, place):
    """Waits until a face has the values of its device."""
    page.await_that(f"{place} [data-face=own] > * >>> svg", "[...it.querySelectorAll('[data-text]')].every((text) => text.textContent !== '–')")


def take_each_view(page, scheme, size):
    page.browser.resize(size)
    for view, parts in VIEWS.items():
        page.show(*parts)
        if parts:
            await_values(page, ".head-frame")
            page.await_that("[data-device-state]", "it.textContent.startsWith('in memory')")
        else:
            page.await_count(".card[data-state=running] [data-face=own]", len(STAND))
            for name in STAND:
                await_values(page, f'[data-device="{name}"]')
        take(page, view, scheme, size)


def take_for_the_last_row(page, scheme, size):
    page.browser.resize(size)
    for name in ("elk-bledom", "heart-rate-belt"):
        page.show(name, "present")
        await_values(page, ".stage")
        page.await_words("#state-line", "in memory")
        take(page, f"presenter-{name}", scheme, size)


def test_pictures_of_each_view(page, stand):
    fill(stand)
    for scheme in ("light", "dark"):
        page.browser.prefer(color_scheme=scheme, reduced_motion="reduce")
        for size in ("laptop", "phone"):
            take_each_view(page, scheme, size)
        for size in ("wall", "phone"):
            take_for_the_last_row(page, scheme, size)
