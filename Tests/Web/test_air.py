"""The page of a device on real BlueZ in the virtual machine: what a central does over the air is seen in the browser."""
from machine import Machine
from page import Page
from test_faces import LEDS, await_color


def cells(page, title):
    return " ".join(page.texts(f'.packet[data-packet="{title}"] .cell'))


def test_a_phone_writes_over_the_air_and_the_strip_in_the_browser_changes_colour(browser):
    with Machine("elk-bledom") as machine:
        page = Page(browser, machine)
        page.sign_in()
        page.await_text('.card[data-device="elk-bledom"] .card-state', "on the air")
        page.show("elk-bledom", "advertisement")
        page.await_words("#panel-advertisement", "FFF0")
        drawn = cells(page, "Advertising data"), cells(page, "Scan response")
        page.show("elk-bledom", "traffic")
        page.await_hidden(LEDS)
        with machine.central("ELK-BLEDOM") as phone:
            assert (phone.heard_data, phone.heard_response) == drawn
            page.await_words(".head-totals", "1 central")
            phone.write("FFF3", "7E 04 04 01 00 00 00 00 EF")
            phone.write("FFF3", "7E 07 05 03 0A C8 5A 00 EF")
            await_color(page, LEDS, "rgb(10, 200, 90)")
            page.await_visible(LEDS)
            page.await_words("#traffic-list", "color length=7 red=10 green=200 blue=90")
            phone.write("FFF3", "7E 07 05 03 FF 00 01 00 EF")
            await_color(page, LEDS, "rgb(255, 0, 1)")
        page.await_words("#traffic-list", "disconnected")
