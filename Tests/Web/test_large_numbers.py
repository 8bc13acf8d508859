"""Integers that JavaScript cannot compute with are shown and set to the last digit."""
import pytest

SERIAL = 9007199254740993  # 2^53 + 1
DEFINITION = """
blemu: 1
name: Counter
settings:
  serial: { type: integer, default: 9007199254740993 }
advertisement: { local-name: Counter, services: [FFE0] }
services:
  - uuid: FFE0
    characteristics:
      - { id: values, uuid: FFE1, properties: [read, write, notify], value: "00" }
messages:
  reading: "{number: u64be}"
controls:
  button: { label: Button, do: { send: reading, to: values, with: { number: serial } } }
  serial: { label: Serial, set: serial }
"""
FACE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">
  <text y="50" data-text="{serial} {serial: hex(16)}">-</text>
</svg>"""


@pytest.fixture
def counter(page, stand, tmp_path):
    (tmp_path / "counter.yaml").write_text(DEFINITION)
    (tmp_path / "counter.svg").write_text(FACE)
    counter = stand.run(tmp_path / "counter.yaml")
    page.show("counter")
    page.await_text('[data-value-name="serial"] .value-text', str(SERIAL))
    return counter


def test_a_large_number_is_shown(page, counter):
    page.await_text(".head-frame [data-face] > * >>> text", f"{SERIAL} 0020000000000001")
    with counter.central() as phone:
        phone.subscribe("values")
        page.click('[data-control="button"] button')
        page.await_text('[data-value-name="reading.number"] .value-text', str(SERIAL))


def test_a_large_number_is_set(page, counter):
    page.click('[data-value-name="serial"] .value-button')
    page.await_that('[data-value-name="serial"] input', f"it.value === '{SERIAL}'")
    page.type('[data-value-name="serial"] input', str(SERIAL + 2))
    page.click('[data-value-name="serial"] .value-form .primary')
    page.await_text('[data-value-name="serial"] .value-text', str(SERIAL + 2))
    assert counter.get("serial") == SERIAL + 2
    page.await_that('[data-control="serial"] input', f"it.value === '{SERIAL + 2}'")
