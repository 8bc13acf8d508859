"""The picture of the page in README.md: see picture --help."""
import contextlib
import pathlib
import sys
import tempfile
import time

import programs
from browser import SIZES, Browser
from page import Page

SIZES["picture"] = (1280, 832)
SECONDS = 6  # how long the centrals use the devices, so that the page shows rates


def use(stand, stack):
    """Starts six devices and connects a central to most of them. Returns what the centrals do ten times a second."""
    belt = stand.run("heart-rate-belt", settings={"beats-per-minute": 139})
    strip = stand.run("elk-bledom", settings={"is-on": True, "red": 255, "green": 90, "blue": 20})
    robot = stand.run("hm10-robot", settings={"report": True})
    treadmill = stand.run("treadmill", settings={"target-speed": 9.5, "target-inclination": 2})
    scale = stand.run("yunmai-scale", settings={"weight": 73.4})
    bracelet = stand.run("bracelet")
    watch, app, joystick, trainer, phone, diary = (
        stack.enter_context(device.central()) for device in (belt, strip, robot, treadmill, scale, bracelet))
    watch.subscribe("heart-rate-measurement")
    joystick.subscribe("FFE1")
    trainer.subscribe("control-point")
    trainer.subscribe("treadmill-data")
    trainer.write("control-point", "request-control")
    trainer.write("control-point", b"\x07")
    treadmill.advance(30)
    phone.subscribe("result")
    scale.press("step-on")
    diary.subscribe("serial")

    def turn(count):
        app.write("commands", "color", length=7, red=255, green=60 + count % 60, blue=20)
        joystick.write("FFE1", bytes([0x09, 0x64, 0x48, 0x3A]))
        if count % 5 == 0:
            diary.write("serial", "packet-request", month=1, day=3, index=count // 5)
    return turn


def main(file):
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stand = programs.Stand(pathlib.Path(folder))
        stack.callback(stand.end_all)
        turn = use(stand, stack)
        server = programs.WebServer(stand)
        stack.callback(server.end)
        browser = stack.enter_context(Browser())
        browser.prefer(color_scheme="light", reduced_motion="reduce")
        browser.resize("picture")
        page = Page(browser, server)
        page.sign_in()
        page.show()
        page.await_count(".card[data-state=running] [data-face=own]", len(stand.devices))
        browser.run("document.documentElement.style.scrollbarWidth = 'none'")
        for count in range(10 * SECONDS):
            turn(count)
            time.sleep(0.1)
        pathlib.Path(file).write_bytes(browser.picture())


main(sys.argv[1])
