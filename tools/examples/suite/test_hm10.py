"""The client talks to the HM-10, whatever goes wrong."""
import pytest


@pytest.mark.blemu("hm-10", settings={"mode": "2"})
def test_sets_a_pin(blemu_device, hm10, outcome):
    assert outcome(hm10.set_pin(2, True)) is None
    blemu_device.expect('> FFE1 "AT+PIO21"', '* "PIO2 is high"', '< FFE1 "OK+PIO2:1"')


@pytest.mark.blemu("hm-10", wire="exec cat")
def test_joins_a_line_that_is_longer_than_a_notification(hm10, outcome):
    line = "temperature 21.5 C, humidity 45 %, pressure 1013 hPa"
    assert outcome(hm10.line(line)) == line


@pytest.mark.blemu("hm-10", settings={"mode": "2"})
def test_finds_the_module_again_after_a_restart(blemu_device, hm10, outcome):
    async def before_and_after():
        await hm10.set_pin(2, True)
        with blemu_device.fault("reboot for 3s"):
            blemu_device.expect("fault reboot", "disconnect", within=60)
            return await hm10.pin(2)

    level = outcome(before_and_after())
    blemu_device.expect("connect", '> FFE1 "AT+PIO2?"', within=0)
    assert level is False  # as after every start
