"""Web Bluetooth without Bluetooth: a web app on another origin, and devices in memory."""
import json
import re
import signal
import socket

import pytest

import programs
from app import HTML, App
from browser import ENTER, ESCAPE, TAB
from elsewhere import Elsewhere
from patience import PATIENCE, wait_until

DIALOG = "div >>> dialog"

#: What apps do with a heart rate belt, in the steps that all examples of Web Bluetooth take.
CONNECT = """
  const device = window.device = await navigator.bluetooth.requestDevice(
    { filters: [{ services: ["heart_rate"] }], optionalServices: ["battery_service", "device_information"] });
  const server = await device.gatt.connect();
"""

#: The same with the device that has all kinds of attributes.
ATTRIBUTES = """
  const device = window.device = await navigator.bluetooth.requestDevice(
    { filters: [{ name: "Attributes" }], optionalServices: [0xfff0, "device_information", 0xfff8, "human_interface_device"] });
  const server = await device.gatt.connect();
  const service = await server.getPrimaryService(0xfff0);
  const hex = (view) => Array.from(new Uint8Array(view.buffer), (it) => it.toString(16).padStart(2, "0")).join(" ");
"""


# Choosing

def test_a_person_chooses_with_the_keyboard(app, stand):
    for name in ("heart-rate-belt", "hm-10", "triones-light"):
        stand.run(name)
    app.open()
    app.begin("""
      const device = await navigator.bluetooth.requestDevice({ filters: [{ services: ["heart_rate"] }, { services: [0xffe0] }] });
      const server = await device.gatt.connect();
      return [device.name, device.gatt.connected, server === device.gatt, device instanceof BluetoothDevice];""")
    app.await_visible(DIALOG)
    assert app.texts(f"{DIALOG} li button") == ["Heart rate belt (heart-rate-belt)", "HMSoft (hm-10)"]
    assert app.text(f"{DIALOG} [role=status]") == "Not what the page asks for: Triones:C10511000166 (triones-light)."
    assert app.browser.run("return document.querySelector('div').shadowRoot.activeElement.textContent") == "Heart rate belt (heart-rate-belt)"
    app.press(TAB, ENTER)
    assert app.end() == ["HMSoft", True, True, True]
    app.await_count(DIALOG, 0)


@pytest.mark.parametrize("leave", ["escape", "cancel"])
def test_a_person_leaves_the_chooser(app, stand, leave):
    stand.run("heart-rate-belt")
    app.open()
    app.begin(CONNECT)
    app.await_visible(DIALOG)
    if leave == "escape":
        app.press(ESCAPE)
    else:
        app.click(f"{DIALOG} > button")
    assert app.end() == ("NotFoundError", "User cancelled the requestDevice() chooser.")
    app.await_count(DIALOG, 0)


def test_the_chooser_follows_the_devices(app, stand):
    app.open()
    app.begin("return (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).name")
    app.await_text(f"{DIALOG} [role=status]", "No device advertises.")
    stand.run("hm-10")
    stand.run("itag")
    app.await_count(f"{DIALOG} li", 2)
    stand.end("itag")
    app.await_count(f"{DIALOG} li", 1)
    app.click(f"{DIALOG} li button")
    assert app.end() == "HMSoft"


def test_a_policy_of_the_app_does_not_break_the_chooser(app, stand):
    stand.run("hm-10")
    policy = f"<meta http-equiv='Content-Security-Policy' content=\"style-src 'none'; connect-src {app.server.origin} ws://{app.server.host}\">"
    app.open(html=HTML.replace("<title>", policy + "<title>"))
    app.begin("return (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).name")
    app.await_visible(DIALOG)
    assert app.read(f"{DIALOG} li", "getComputedStyle(it).listStyleType") == "none"
    app.click(f"{DIALOG} li button")
    assert app.end() == "HMSoft"


def test_a_test_chooses_by_a_name(app, stand):
    for name in ("heart-rate-belt", "hm-10"):
        stand.run(name)
    any_device = "return (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).name"
    app.open("?choose=hm-10")
    assert app.do(any_device) == "HMSoft"
    app.browser.run("blemuWebBluetooth.choose = 'Heart rate belt'")
    assert app.do(any_device) == "Heart rate belt"
    app.browser.run("blemuWebBluetooth.choose = '*'")
    name, message = app.do(any_device)
    assert name == "NotFoundError" and "Several devices match: Heart rate belt (heart-rate-belt), HMSoft (hm-10)" in message
    assert app.do("return (await navigator.bluetooth.requestDevice({ filters: [{ namePrefix: 'HM' }] })).name") == "HMSoft"
    app.await_count(DIALOG, 0)


def test_without_a_click_of_a_person_there_is_no_chooser(app):
    app.open()
    name = app.browser.run("return navigator.bluetooth.requestDevice({ acceptAllDevices: true }).catch((error) => error.name)")
    assert name == "SecurityError"


MANUFACTURER = "manufacturerData: [{ companyIdentifier: 0x0499, %s }]"


@pytest.mark.parametrize("options, expected", [
    ("filters: [{ services: ['heart_rate'] }]", {"heart-rate-belt"}),
    ("filters: [{ services: [0xffd0, '0000ffd5-0000-1000-8000-00805f9b34fb'] }]", {"triones-light"}),
    ("filters: [{ services: [0xffd0, 'heart_rate'] }]", set()),
    ("filters: [{ name: 'Heart rate belt' }, { namePrefix: 'Triones:' }]", {"heart-rate-belt", "triones-light"}),
    ("filters: [{ name: 'Heart rate' }]", set()),
    ("filters: [{ name: 'Heart rate belt', services: [0xffd0] }]", set()),
    (f"filters: [{{ {MANUFACTURER % ''} }}]", {"ruuvitag"}),
    (f"filters: [{{ {MANUFACTURER % 'dataPrefix: new Uint8Array([5])'} }}]", {"ruuvitag"}),
    (f"filters: [{{ {MANUFACTURER % 'dataPrefix: new Uint8Array([6])'} }}]", set()),
    (f"filters: [{{ {MANUFACTURER % 'dataPrefix: new Uint8Array([0xf7]), mask: new Uint8Array([0x0d])'} }}]", {"ruuvitag"}),
    ("filters: [{ serviceData: [{ service: 0xfcd2 }] }]", {"bthome-sensor"}),
    ("filters: [{ serviceData: [{ service: 0xfcd2, dataPrefix: new Uint8Array([0x40]) }] }]", {"bthome-sensor"}),
    ("filters: [{ serviceData: [{ service: 0xfcd2, dataPrefix: new Uint8Array([0x41]) }] }]", set()),
    ("acceptAllDevices: true", {"heart-rate-belt", "triones-light", "ruuvitag", "bthome-sensor"}),
    ("filters: [{ services: ['heart_rate'] }, { services: [0xffd0] }], exclusionFilters: [{ name: 'Heart rate belt' }]", {"triones-light"}),
])
def test_filters(devices_of_filters, options, expected):
    app = devices_of_filters
    app.begin(f"return await navigator.bluetooth.requestDevice({{ {options} }})")
    app.await_visible(DIALOG)
    shown = {re.sub(r".*\((.*)\)", r"\1", text) for text in app.texts(f"{DIALOG} li button")}
    app.press(ESCAPE)
    assert app.end()[0] == "NotFoundError"
    assert shown == expected


@pytest.fixture(scope="module")
def devices_of_filters(the_browser, tmp_path_factory):
    """One app and four devices for all filters."""
    folder = tmp_path_factory.mktemp("filters") / "run"
    folder.mkdir(mode=0o700)
    stand = programs.Stand(folder)
    for name in ("heart-rate-belt", "triones-light", "ruuvitag", "bthome-sensor"):
        stand.run(name)
    with Elsewhere() as elsewhere:
        server = programs.WebServer(stand, "127.0.0.1:0", "--allow-origin", elsewhere.origin)
        app = App(the_browser, server, elsewhere)
        app.open()
        yield app
        server.end()
    stand.end_all()


@pytest.mark.parametrize("options, error", [
    ("", "TypeError"),
    ("{}", "TypeError"),
    ("{ filters: [] }", "TypeError"),
    ("{ filters: [], acceptAllDevices: true }", "TypeError"),
    ("{ filters: [{ name: 'a' }], acceptAllDevices: true }", "TypeError"),
    ("{ acceptAllDevices: true, exclusionFilters: [{ name: 'a' }] }", "TypeError"),
    ("{ filters: [{ name: 'a' }], exclusionFilters: [] }", "TypeError"),
    ("{ filters: [{ name: 'a' }], exclusionFilters: [{}] }", "TypeError"),
    ("{ filters: [{}] }", "TypeError"),
    ("{ filters: [{ services: [] }] }", "TypeError"),
    ("{ filters: [{ services: ['0xFFE0'] }] }", "TypeError"),
    ("{ filters: [{ services: ['FFE0'] }] }", "TypeError"),
    ("{ filters: [{ services: ['0000FFE0-0000-1000-8000-00805F9B34FB'] }] }", "TypeError"),
    ("{ filters: [{ services: ['heart_rate_measurement'] }] }", "TypeError"),
    ("{ filters: [{ namePrefix: '' }] }", "TypeError"),
    ("{ filters: [{ name: 'ä'.repeat(125) }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [] }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [{}] }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [{ companyIdentifier: 65536 }] }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [{ companyIdentifier: 1 }, { companyIdentifier: 1 }] }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [{ companyIdentifier: 1, dataPrefix: new Uint8Array() }] }] }", "TypeError"),
    ("{ filters: [{ manufacturerData: [{ companyIdentifier: 1, mask: new Uint8Array(1) }] }] }", "TypeError"),
    ("{ filters: [{ serviceData: [] }] }", "TypeError"),
    ("{ filters: [{ serviceData: [{ dataPrefix: new Uint8Array(1) }] }] }", "TypeError"),
    ("{ acceptAllDevices: true, optionalServices: ['unknown_service'] }", "TypeError"),
    ("{ filters: [{ services: ['human_interface_device'] }] }", "SecurityError"),
    ("{ filters: [{ serviceData: [{ service: 0xfffd }] }] }", "SecurityError"),
    ("{ filters: [{ manufacturerData: [{ companyIdentifier: 0x4c, dataPrefix: new Uint8Array([2, 0x15]) }] }] }", "SecurityError"),
])
def test_wrong_options(devices_of_filters, options, error):
    assert devices_of_filters.error(f"await navigator.bluetooth.requestDevice({options})") == error


def test_uuids(devices_of_filters):
    script = """
      const attempt = (get) => { try { return get(); } catch (error) { return error.name; } };
      return [() => BluetoothUUID.canonicalUUID(0xdeadbeef), () => BluetoothUUID.getService("cycling_power"),
        () => BluetoothUUID.getCharacteristic("ieee_11073-20601_regulatory_certification_data_list"),
        () => BluetoothUUID.getCharacteristic("fitness_machine_status"), () => BluetoothUUID.getDescriptor("gatt.characteristic_user_description"),
        () => BluetoothUUID.getDescriptor(0x2902), () => BluetoothUUID.getService("heart_rate_measurement"),
        () => BluetoothUUID.canonicalUUID(-1), () => BluetoothUUID.canonicalUUID(2 ** 32)].map(attempt);"""
    short = "{}-0000-1000-8000-00805f9b34fb".format
    assert devices_of_filters.browser.run(script) == [
        short("deadbeef"), short("00001818"), short("00002a2a"), short("00002ada"), short("00002901"), short("00002902"),
        "TypeError", "TypeError", "TypeError"]


# Values

def test_the_app_of_the_guide(app, stand):
    stand.run("heart-rate-belt", settings={"beats-per-minute": 72})
    html = re.search(r"```html\n(.*?)```", (programs.REPOSITORY / "Peripherals/guide/web-bluetooth.md").read_text(), re.DOTALL)[1]
    script = "http://127.0.0.1:25368/web-bluetooth.js"
    assert script in html
    app.open(html=html.replace(script, "SCRIPT"))
    app.click("button")
    app.await_visible(DIALOG)
    app.click(f"{DIALOG} li button")
    app.await_text("output", "72")


def test_a_heart_rate_belt(app, stand):
    belt = stand.run("heart-rate-belt", settings={"beats-per-minute": 72})
    app.open("?choose=*")
    heard = app.do(CONNECT + """
      const service = await server.getPrimaryService("heart_rate");
      const measurement = await service.getCharacteristic("heart_rate_measurement");
      const rate = new Promise((resolve) => measurement.addEventListener("characteristicvaluechanged",
        ({ target }) => resolve([target === measurement, target.value.getUint8(1), target.value === measurement.value])));
      const started = await measurement.startNotifications();
      const point = await service.getCharacteristic("heart_rate_control_point");
      await point.writeValueWithResponse(new Uint8Array([1]));
      const refused = await point.writeValueWithResponse(new Uint8Array([2])).catch((error) => error.name);
      const location = await (await service.getCharacteristic("body_sensor_location")).readValue();
      const level = await (await (await server.getPrimaryService("battery_service")).getCharacteristic(0x2a19)).readValue();
      return { rate: await rate, isSame: started === measurement, refused, location: location.getUint8(0), level: level.getUint8(0) };""")
    assert heard == {"rate": [True, 72, True], "isSame": True, "refused": "InvalidModificationError", "location": 1, "level": 100}
    belt.expect("> heart-rate-control-point  01", within=60)
    app.do("window.isGone = false; device.addEventListener('gattserverdisconnected', () => (window.isGone = device.gatt.connected === false))")
    belt.disconnect()
    wait_until(lambda: app.browser.run("return window.isGone"), "the app has not noticed")
    assert app.do("await device.gatt.connect(); return device.gatt.connected") is True
    app.do("device.gatt.disconnect()")
    belt.expect("disconnect", within=60)


def test_a_light(app, stand):
    """Writes without a response, in their order, and an answer by notification; as apps for such lights do it."""
    light = stand.run("triones-light")
    app.open("?choose=*")
    state = app.do("""
      const device = await navigator.bluetooth.requestDevice({ filters: [{ namePrefix: "Triones:" }], optionalServices: [0xffd5] });
      const server = await device.gatt.connect();
      const commands = await (await server.getPrimaryService(0xffd5)).getCharacteristic(0xffd9);
      const notified = await (await server.getPrimaryService(0xffd0)).getCharacteristic(0xffd4).catch((error) => error.name);
      return notified;""")
    assert state == ("SecurityError", "Origin is not allowed to access the service 0000ffd0-0000-1000-8000-00805f9b34fb. "
                     "Tip: Add the service UUID to 'optionalServices' in requestDevice() options.")
    state = app.do("""
      const device = await navigator.bluetooth.requestDevice({ filters: [{ services: [0xffd0] }] });
      const server = await device.gatt.connect();
      const state = await (await server.getPrimaryService(0xffd0)).getCharacteristic(0xffd4);
      const values = [];
      state.oncharacteristicvaluechanged = () => values.push(Array.from(new Uint8Array(state.value.buffer)));
      await state.startNotifications();
      const commands = await (await server.getPrimaryService(0xffd5)).getCharacteristic(0xffd9);
      for (let red = 0; red < 20; red++) commands.writeValueWithoutResponse(Uint8Array.of(0x56, red, 128, 255, 0, 0xf0, 0xaa));
      await commands.writeValue(Uint8Array.of(0xef, 0x01, 0x77));
      while (values.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      await state.stopNotifications();
      await commands.writeValue(Uint8Array.of(0xef, 0x01, 0x77));
      await state.readValue();
      return values;""")
    assert state[0] == [0x66, 4, 0x23, 0x41, 0x20, 0, 19, 128, 255, 0, 7, 0x99]
    assert len(state) == 2, "one notification, and one for the value that was read"
    light.expect(*(f"> commands  56 {red:02X} 80 FF 00 F0 AA" for red in range(20)), within=60)


def test_a_serial_module(app, stand):
    module = stand.run("hm-10")
    app.open("?choose=hm-10")
    app.do("""
      const device = await navigator.bluetooth.requestDevice({ filters: [{ services: [0xffe0] }] });
      const serial = await (await (await device.gatt.connect()).getPrimaryService(0xffe0)).getCharacteristic(0xffe1);
      window.heard = "";
      serial.addEventListener("characteristicvaluechanged", () => (window.heard += new TextDecoder().decode(serial.value)));
      await serial.startNotifications();
      window.serial = serial;""")
    app.do("await serial.writeValueWithoutResponse(new TextEncoder().encode('hello'))")
    module.expect("> FFE1  68 65 6C 6C 6F", within=60)
    module.send("FFE1", text="x" * 50)
    wait_until(lambda: app.browser.run("return heard") == "x" * 50, lambda: f"the app has {app.browser.run('return heard')!r}")


def test_attributes(app, stand):
    stand.run("attributes")
    app.open("?choose=*")
    found = app.do(ATTRIBUTES + """
      const twins = await service.getCharacteristics(0xfff1);
      const [first] = twins;
      const isSame = first === (await service.getCharacteristic(0xfff1)) && first === (await service.getCharacteristics())[0];
      const properties = [];
      for (const name in twins[1].properties) if (twins[1].properties[name]) properties.push(name);
      const description = await first.getDescriptor("gatt.characteristic_user_description");
      const text = new TextDecoder().decode(await description.readValue());
      await description.writeValue(new TextEncoder().encode("changed"));
      const inner = await service.getIncludedService(0xfff8);
      return {
        values: [hex(await first.readValue()), hex(await twins[1].readValue())], isSame, properties, text,
        changed: new TextDecoder().decode(await description.readValue()), isOfFirst: description.characteristic === first,
        services: (await server.getPrimaryServices()).map((it) => it.uuid.slice(4, 8)),
        inner: [inner.uuid.slice(4, 8), inner.isPrimary, inner.device === device, hex(await (await inner.getCharacteristic(0xfffa)).readValue())],
        information: (await (await server.getPrimaryService("device_information")).getCharacteristics()).map((it) => it.uuid.slice(4, 8)),
        descriptors: (await twins[1].getDescriptors()).map((it) => it.uuid.slice(4, 8)),
      };""")
    assert found == {
        "values": ["01", "02"], "isSame": True, "properties": ["read", "notify", "indicate"], "text": "first", "changed": "changed",
        "isOfFirst": True, "services": ["fff0", "180a"], "inner": ["fff8", False, True, "09"], "information": ["2a29"], "descriptors": ["2902"]}


@pytest.mark.parametrize("body, error", [
    ("await server.getPrimaryService(0xfff7)", "SecurityError"),
    ("await server.getPrimaryService('nothing')", "TypeError"),
    ("await server.getPrimaryService('human_interface_device')", "SecurityError"),
    ("await server.getPrimaryService(0xfff8)", "NotFoundError"),
    ("await service.getCharacteristic(0xffff)", "NotFoundError"),
    ("await service.getCharacteristic('FFF1')", "TypeError"),
    ("await service.getIncludedService(0x180a)", "NotFoundError"),
    ("await (await server.getPrimaryService(0x180a)).getCharacteristic('serial_number_string')", "SecurityError"),
    ("await (await service.getCharacteristic(0xfff6)).getDescriptor(0x2901)", "NotFoundError"),
    ("await (await service.getCharacteristic(0xfff6)).writeValueWithResponse(new Uint8Array(1))", "NotSupportedError"),
    ("await (await service.getCharacteristic(0xfff1)).writeValueWithoutResponse(new Uint8Array(1))", "NotSupportedError"),
    ("await (await service.getCharacteristic(0xfff6)).startNotifications()", "NotSupportedError"),
    ("await (await service.getCharacteristic(0xfff5)).readValue()", "NotSupportedError"),
    ("await (await service.getCharacteristic(0xfff2)).writeValue(new Uint8Array(513))", "InvalidModificationError"),
    ("await (await service.getCharacteristic(0xfff2)).writeValue('text')", "TypeError"),
    ("await (await service.getCharacteristic(0xfff2)).writeValueWithResponse(Uint8Array.of(0x80))", "InvalidModificationError"),
    ("await (await service.getCharacteristic(0xfff2)).writeValueWithResponse(Uint8Array.of(0x0d))", "InvalidModificationError"),
    ("await (await service.getCharacteristic(0xfff2)).writeValueWithResponse(Uint8Array.of(0x08))", "SecurityError"),
    ("const twins = await service.getCharacteristics(0xfff1);"
     "await (await twins[1].getDescriptor(0x2902)).writeValue(new Uint8Array(2))", "SecurityError"),
    ("device.gatt.disconnect(); await server.getPrimaryService(0xfff0)", "NetworkError"),
    ("device.gatt.disconnect(); await service.getCharacteristic(0xfff1)", "NetworkError"),
    ("const it = await service.getCharacteristic(0xfff1); device.gatt.disconnect(); await it.readValue()", "NetworkError"),
    ("const it = await service.getCharacteristic(0xfff1); device.gatt.disconnect(); await device.gatt.connect(); await it.readValue()",
     "InvalidStateError"),
    ("device.gatt.disconnect(); const opening = device.gatt.connect(); device.gatt.disconnect(); await opening", "AbortError"),
])
def test_errors(app, stand, body, error):
    stand.run("attributes")
    app.open("?choose=*")
    assert app.error(ATTRIBUTES + body) == error


def test_long_values(app, stand):
    device = stand.run("attributes")
    app.open("?choose=*")
    length = app.do(ATTRIBUTES + """
      const picky = await service.getCharacteristic(0xfff2);
      await picky.writeValueWithResponse(Uint8Array.from({ length: 512 }, (_, index) => index));
      const value = await picky.readValue();
      return [value.byteLength, value.getUint8(511)];""")
    assert length == [512, 255]
    assert len(bytes.fromhex(device.describe()["values"]["picky"])) == 512


def test_the_page_pairs_where_a_device_wants_it(app, stand):
    device = stand.run("attributes")
    app.open("?choose=*")
    read = ATTRIBUTES + "return hex(await (await service.getCharacteristic(%s)).readValue())"
    app.browser.run("blemuWebBluetooth.passkey = 654321")
    assert app.error(read % "0xfff4") == "SecurityError"
    assert app.do("return device.gatt.connected") is False
    app.browser.run("blemuWebBluetooth.passkey = 123456")
    assert app.do(read % "0xfff4") == "2b"
    assert app.do(read % "0xfff3") == "2a"
    assert {"pairing-failed", "paired"} <= {event.kind for event in device.journal()}


def test_a_silent_device_keeps_the_app_waiting_and_others_not(app, stand):
    stand.run("attributes")
    stand.run("hm-10")
    app.open("?choose=attributes")
    app.do(ATTRIBUTES)
    app.browser.run("blemuWebBluetooth.choose = 'hm-10'")
    stand.processes["attributes"].send_signal(signal.SIGSTOP)
    assert app.do("return (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).name") == "HMSoft"
    stand.processes["attributes"].send_signal(signal.SIGCONT)


# What a page keeps

def test_an_app_finds_its_devices_again(app, stand):
    stand.run("heart-rate-belt")
    stand.run("hm-10")
    app.open("?choose=heart-rate-belt")
    devices = "return (await navigator.bluetooth.getDevices()).map((it) => it.name)"
    assert app.do(devices) == []
    app.do(CONNECT + "device.gatt.disconnect()")
    assert app.do("return (await navigator.bluetooth.getDevices())[0] === device") is True
    app.open("?choose=hm-10")
    assert app.do(devices) == ["Heart rate belt"]
    level = app.do("""
      [window.device] = await navigator.bluetooth.getDevices();
      const server = await device.gatt.connect();
      return (await (await (await server.getPrimaryService("battery_service")).getCharacteristic("battery_level")).readValue()).getUint8(0);""")
    assert level == 100
    assert app.do("return (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).id === device.id") is False
    assert app.do(devices) == ["Heart rate belt", "HMSoft"]
    assert app.do("await device.forget(); return [device.gatt, (await navigator.bluetooth.getDevices()).length]") == [None, 1]


def test_a_page_that_is_left_disconnects(app, stand):
    tag = stand.run("itag")
    app.open("?choose=*")
    app.do("await (await navigator.bluetooth.requestDevice({ acceptAllDevices: true })).gatt.connect()")
    app.browser.open("about:blank")
    tag.expect("disconnect", within=60)


def test_a_device_that_ends_disconnects_and_may_run_again(app, stand):
    stand.run("heart-rate-belt")
    app.open("?choose=*")
    app.do(CONNECT + "device.ongattserverdisconnected = () => (window.isGone = true);")
    stand.end("heart-rate-belt")
    wait_until(lambda: app.browser.run("return window.isGone"), "the app has not noticed")
    assert app.error("await device.gatt.connect()") == "NetworkError"
    stand.run("heart-rate-belt")
    assert app.do("await device.gatt.connect(); return device.gatt.connected") is True


def test_advertisements(app, stand):
    sensor = stand.run("bthome-sensor", settings={"local-name": "Sensor"})
    app.open("?choose=*")
    heard = app.do("""
      const device = window.device = await navigator.bluetooth.requestDevice({ filters: [{ name: "Sensor" }], optionalServices: [0xfcd2] });
      const control = window.control = new AbortController();
      const data = new Promise((resolve) => device.addEventListener("advertisementreceived", (event) =>
        resolve([event.device === device, event.name, event.rssi, [...event.serviceData].map(([uuid, view]) => [uuid, view.getUint8(0)]),
                 event.manufacturerData.size, event.uuids])));
      await device.watchAdvertisements({ signal: control.signal });
      window.count = 0;
      device.addEventListener("advertisementreceived", () => (window.count += 1));
      return [...(await data), device.watchingAdvertisements];""")
    assert heard == [True, "Sensor", -50, [["0000fcd2-0000-1000-8000-00805f9b34fb", 0x40]], 0, [], True]
    wait_until(lambda: app.browser.run("return count") >= 3, "it advertises only once")
    sensor.advertise(False)
    app.do("control.abort()")
    assert app.do("return device.watchingAdvertisements") is False
    assert app.error("await device.watchAdvertisements({ signal: control.signal })") == "AbortError"


# Faults

def test_an_app_sees_the_faults_of_a_device(app, stand):
    belt = stand.run("heart-rate-belt", settings={"beats-per-minute": 72})
    app.open("?choose=*")
    app.do(CONNECT + """window.level = await (await server.getPrimaryService("battery_service")).getCharacteristic("battery_level")""")
    with belt.fault("refuse", "insufficient-resources", "on", "battery-level", "once"):
        assert app.do("return await level.readValue()") == ("NotSupportedError", "GATT Error: insufficient-resources (0x11).")
    assert app.do("return (await level.readValue()).getUint8(0)") == 100
    with belt.fault("answer", "never", "on", "battery-level"):
        app.begin("await level.readValue()")
        belt.expect("read battery-level", within=60)
        belt.disconnect()
        assert app.end()[0] == "NetworkError"


# Access

def test_the_server_prints_the_element_that_an_app_needs(app):
    assert app.server.process.stdout.readline() == f'<script src="{app.server.origin}/web-bluetooth.js"></script>\n'


def test_without_the_option_no_page_from_elsewhere_has_the_script(browser, server, stand):
    stand.run("itag")
    with Elsewhere() as elsewhere:
        app = App(browser, server, elsewhere)
        app.open()
        assert browser.run("return typeof blemuWebBluetooth") == "undefined"
        reached = browser.run("return fetch(arguments[0] + '/devices').then(() => true, () => false)", server.origin)
        assert reached is False


def test_only_the_allowed_page_reaches_devices(app, stand):
    tag = stand.run("itag")
    with Elsewhere() as other:
        foreign = App(app.browser, app.server, other)
        foreign.open("?choose=*")
        last = tag.status().events
        name, message = foreign.do("return await navigator.bluetooth.requestDevice({ acceptAllDevices: true })")
        assert name == "NotFoundError" and f"blemu web --allow-origin {other.origin}" in message
        assert foreign.do("return await navigator.bluetooth.getAvailability()") is False
        closed = app.browser.run("""
          const socket = new WebSocket(arguments[0].replace("http", "ws") + "/central?device=itag", "blemu");
          return new Promise((resolve) => { socket.onopen = () => resolve("opened"); socket.onclose = () => resolve("closed"); });""", app.server.origin)
        assert closed == "closed"
        assert tag.status().events == last
    app.open()
    assert app.do("return await navigator.bluetooth.getAvailability()") is True


def handshake(app, path, origin, *protocols):
    """A WebSocket after its handshake, and the status."""
    lines = [f"GET {path} HTTP/1.1", f"Host: {app.server.host}", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Origin: {origin}", f"Sec-WebSocket-Protocol: {', '.join(('blemu', *protocols))}"]
    connection = socket.create_connection(("127.0.0.1", app.server.port), timeout=PATIENCE)
    connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += connection.recv(1)
    return connection, int(head.split()[1])


@pytest.mark.parametrize("message", [
    {"jsonrpc": "2.0", "id": 1, "method": "set", "params": {"values": {"level": 1}}},
    [{"jsonrpc": "2.0", "id": 1, "method": "stop"}],
    {"jsonrpc": "2.0", "id": "intercept-1", "result": {}},
    "no object",
])
def test_an_app_can_only_play_a_central(app, stand, message):
    tag = stand.run("itag")
    connection, status = handshake(app, "/central?device=itag", app.elsewhere.origin)
    assert status == 101
    with connection:
        payload = json.dumps(message).encode()
        connection.sendall(bytes([0x81, 0x80 | len(payload), 0, 0, 0, 0]) + payload)
        head, length = connection.recv(2)
        assert head == 0x88, "the server does not close the connection"
        assert int.from_bytes(connection.recv(length)[:2], "big") == 1008
    assert tag.get("level") == 90


def test_an_app_reaches_nothing_else(app, stand):
    stand.run("itag")
    connection, status = handshake(app, "/control?device=itag", app.elsewhere.origin, f"token.{app.server.token}")
    connection.close()
    assert status == 403
    app.open()
    for path in ("/", "/app.js", "/face?device=itag"):
        reached = app.browser.run("return fetch(arguments[0]).then(() => true, () => false)", app.server.origin + path)
        assert reached is False, path
