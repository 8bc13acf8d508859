"""Faults as switches, expectations with their state, and the journal as a transcript."""
import subprocess

import blemu
import pytest

import programs
from browser import ENTER
from patience import wait_until

FAULT = '[data-fault="drop out on button every 2nd"]'


def test_a_fault_is_switched_on_counts_and_is_switched_off(page, stand):
    tag = stand.run("itag")
    page.show("itag", "faults")
    page.type("#fault-words", "drop out on button every 2nd" + ENTER)
    page.await_attribute(FAULT, "aria-checked", "true")
    assert [each["fault"] for each in tag.faults()] == ["drop out on button every 2nd"]
    with tag.central() as phone:
        phone.subscribe("button")
        for _ in range(4):
            tag.press("button")
    page.await_words(f".fault:has({FAULT}) .fault-counts", "struck 2 of 4 values")
    page.click(FAULT)
    page.await_attribute(FAULT, "aria-checked", "false")
    assert tag.faults() == []
    page.click(FAULT)
    page.await_attribute(FAULT, "aria-checked", "true")
    assert len(tag.faults()) == 1


def test_a_fault_of_another_program_is_there(page, stand):
    tag = stand.run("itag")
    page.show("itag", "faults")
    with tag.fault("drop out on button every 2nd"):
        page.await_attribute(FAULT, "aria-checked", "true")
    page.await_count(FAULT, 0)


def test_a_wrong_fault_says_what_is_wrong(page, stand):
    tag = stand.run("itag")
    page.show("itag", "faults")
    page.type("#fault-words", "drop out on butto" + ENTER)
    page.await_words(".add-fault [data-problem]", "butto")
    page.await_visible(".add-fault .hint")
    assert page.read("#fault-words", "it.value") == "drop out on butto"
    assert tag.faults() == []


def test_a_suggestion_fills_the_field(page, stand):
    stand.run("itag")
    page.show("itag", "faults")
    page.click("[data-suggestion^='drop out on']")
    page.await_that("#fault-words", "it.value.startsWith('drop out on ')")


def expectation(state):
    return f'.expectation[data-state="{state}"]'


def test_an_expectation_waits_and_is_met(page, stand):
    tag = stand.run("itag")
    page.show("itag", "expectations")
    page.type(".expect-form textarea", "set level=33")
    page.type(".expect-form input[type=number]", "3600")
    page.click(".expect-form button.primary")
    page.await_words(expectation("waiting"), "set level=33")
    tag.set(level=33)
    page.await_words(expectation("met"), "set level=33")
    page.await_visible(f"{expectation('met')} .met-by button")


def test_an_expectation_fails_with_a_comparison(page, stand):
    tag = stand.run("itag")
    tag.set(level=34)
    page.show("itag", "expectations")
    page.type(".expect-form textarea", "set level=33")
    page.type(".expect-form input[type=number]", "0.3")
    page.click(".expect-form button.primary")
    page.await_words(expectation("failed"), "did not come within 0.300 s")
    page.await_words(f"{expectation('failed')} .comparison", "set level=33")


def test_what_came_before_is_not_expected(page, stand):
    tag = stand.run("itag")
    page.show("itag", "expectations")
    page.type(".expect-form textarea", "press button")
    page.type(".expect-form input[type=number]", "0.3")
    page.choose(".expect-form select", "never")
    for count in (1, 2, 3):
        tag.press("button")
        page.click(".expect-form button.primary")
        page.await_count(".expectation:not([data-state=waiting])", count)
    assert page.all(expectation("failed")) == []


def test_a_device_that_has_ended_expects_nothing(page, stand):
    stand.run("itag")
    page.show("itag", "expectations")
    page.type(".expect-form textarea", "press button")
    stand.end("itag")
    page.await_visible("#ended")
    page.click(".expect-form button.primary")
    page.await_words(".expect-form [data-problem]", "not connected")


def test_the_expectations_of_other_programs_are_there(page, stand):
    tag = stand.run("itag")
    page.show("itag", "expectations")
    with pytest.raises(blemu.ExpectationError):
        tag.expect("> alert", within=0.2)
    page.await_words(expectation("failed"), "> alert")
    tag.set(level=5)
    tag.expect("set level=5")
    page.await_words(expectation("met"), "set level=5")
    page.await_count(".expectation", 2)


def test_a_wrong_line_says_what_is_wrong(page, stand):
    stand.run("itag")
    page.show("itag", "expectations")
    page.type(".expect-form textarea", "> nothing 41")
    page.click(".expect-form button.primary")
    page.await_words(".expect-form [data-problem]", "nothing")
    assert page.read(".expect-form textarea", "it.value") == "> nothing 41"


def test_the_saved_transcript_passes(page, stand, tmp_path):
    strip = stand.run("elk-bledom")
    with strip.central() as phone:
        phone.write("commands", "switch", length=4, on=1)
        phone.write("commands", "color", length=7, red=10, green=200, blue=90)
        strip.set(brightness=50)
        assert phone.read("commands") is not None
    page.show("elk-bledom", "traffic")
    page.browser.devtools("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.click("details.menu summary")
    page.click('[data-save="transcript"]')
    file = tmp_path / "elk-bledom.transcript"
    wait_until(file.exists, "nothing has been saved")
    assert "> commands  7E 07 05 03 0A C8 5A 00 EF" in file.read_text() or "color length=7" in file.read_text(), file.read_text()
    definition = programs.definition("elk-bledom")
    done = subprocess.run([programs.PROGRAM, "test", definition, file], capture_output=True, text=True)
    assert done.returncode == 0, file.read_text() + done.stdout + done.stderr
