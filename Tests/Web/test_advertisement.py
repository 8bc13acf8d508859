"""The advertisement, drawn to the byte."""
import pytest

# Lets the page draw packets: devices in memory have none.
DRAW = """
  const [data, response] = arguments;
  return import("/advertisement.js").then(({ advertisementPanel }) => {
    const device = new EventTarget();
    device.description = { "advertising-data": data, "scan-response": response, advertises: ["flags"], centrals: [] };
    const { element, update } = advertisementPanel(device, new AbortController().signal);
    document.getElementById("main").replaceChildren(element);
    element.classList.add("shown");
    update();
  });
"""

IBEACON = "02 01 06 1A FF 4C 00 02 15 74 27 8B DA B6 44 45 20 8F 0C 72 0E AF 05 99 35 12 34 00 07 C5"
EDDYSTONE = "02 01 06 03 03 AA FE 10 16 AA FE 10 EC 03 62 6C 75 65 74 6F 6F 74 68 08"
LONG_NAME = "1E 09 " + " ".join(f"{ord(letter):02X}" for letter in "A name of twenty-nine letters"[:29])
EXTENDED = "02 01 06 5F FF FF FF " + " ".join(f"{byte:02X}" for byte in range(92)) + " 00"


def draw(page, data, response=""):
    page.browser.run(DRAW, data, response)
    return {title: page.texts(f'.packet[data-packet="{title}"] .cell') for title in ("Advertising data", "Scan response")}


@pytest.mark.parametrize("data", [IBEACON, EDDYSTONE, LONG_NAME, EXTENDED.removesuffix(" 00")], ids=["iBeacon", "Eddystone", "name", "extended"])
def test_each_byte_is_drawn(page, data):
    assert draw(page, data, "03 03 0D 18") == {"Advertising data": data.split(), "Scan response": ["03", "03", "0D", "18"]}


def test_an_ibeacon_is_explained(page):
    draw(page, IBEACON)
    assert page.texts(".structure-words strong")[:2] == ["Flags", "Manufacturer Specific Data"]
    words = page.texts(".structure-words span")
    assert "LE General Discoverable Mode" in words[0] and "BR/EDR Not Supported" in words[0]
    assert "004C" in words[1] and "Apple" in words[1]
    assert "30 of 31 bytes, 1 free" in page.text(".packet-head")


def test_a_service_and_a_name_are_explained(page):
    draw(page, EDDYSTONE, LONG_NAME)
    words = " ".join(page.texts(".structure-words span"))
    assert "FEAA Eddystone" in words and "“A name of twenty-nine letters”" in words


def test_a_packet_that_ends_too_early_is_drawn_and_said(page):
    assert draw(page, "02 01 06 09 09 41 42")["Advertising data"] == "02 01 06 09 09 41 42".split()
    assert "ends too early" in page.texts(".structure-words span")


def test_a_device_in_memory_shows_the_packets_that_it_would_send(page, stand):
    tag = stand.run("itag")
    page.show("itag", "advertisement")
    page.await_words("#panel-advertisement", "A device in memory sends no packets")
    described = tag.describe()
    for title, key in (("Advertising data", "advertising-data"), ("Scan response", "scan-response")):
        assert " ".join(page.texts(f'.packet[data-packet="{title}"] .cell')) == described[key]
    assert "iTAG" in page.text('.packet[data-packet="Scan response"]')
    tag.advertise(False)
    page.await_words("#panel-advertisement", "does not advertise")
