import Definitions
import DeviceModel

/// A device with an example of every feature that transcripts use.
package let scale = try! define(
  """
  blemu: 1
  name: Scale
  settings:
    local-name: { type: text, max: 12, default: Scale }
    limit: { type: integer, min: 0, max: 9, default: 3 }
    has-spare: { type: boolean, default: false }
    spare: { type: bytes, max: 2, default: FFE5 }
  variables:
    speed: { type: integer, min: 0, max: 9, default: 0 }
    writes: { type: integer, default: 0, per: central }
  controls:
    button: { do: { send: hide, to: control } }
    spare-part: { set: has-spare }
    throttle: { set: speed }
  advertisement:
    local-name: "{local-name}"
    services: [FFE0, 180F]
    manufacturer-data: { 4D48: "01 02 03" }
    tx-power: -6
    interval: { min: 100ms, max: 200ms }
  services:
    - uuid: FFE0
      characteristics:
        - id: control
          uuid: FFE1
          properties: [read, write, notify]
          value: "34 15"
          descriptors:
            - { uuid: 2901, properties: [read, write], text: Control }
        - { id: fast, uuid: FFE2, properties: [write-without-response, indicate] }
        - { id: frames, uuid: FFE3, properties: [notify] }
        - { id: secret, uuid: FFE4, properties: [read, write] }
        - { id: spare, uuid: "{spare}", if: has-spare, properties: [read, write, notify] }
  framing:
    frames: { delimiter: "0A" }
  messages:
    ask: "01 {number: u8}"
    answer: "81 {number: u8} {note: bytes}"
    label: "82 {label: text(4)}"
    leave: "02"
    hide: "03"
    chatter: "04 {count: u8} {every: u16be}"
    echo: "05 {data: bytes}"
    stream: "06 {data: bytes}"
    both: "07"
    roll: "08"
    piece: "{data: bytes}"
    cells: "09 {count(cells): u8} {repeat cells(0..4)}{v: u16be}{on: u8}{end}{xor8}"
    extra: "0A {a: u8} {maybe}{b: u8}{end}"
    reading: "0B {celsius: float(-1)} {power: u8(on: 0x23, off: 0x24)} {owner: mac}"
    list: "0C {repeat records}{tag: u8}{count(items): u8}{repeat items}{value: u8}{end}{end}"
    name-command: { text: "AT+NAME{name: text(1..8)}", ignore-case: true }
  rules:
    - { on: { receive: ask, from: control }, do: [{ wait: 300ms }, { send: answer, with: { note: "slice(address, 0, 0)" } }] }
    - { on: { receive: leave, from: control }, do: [{ wait: 1s }, disconnect] }
    - { on: { receive: hide, from: control }, do: { advertise: false } }
    - on: { receive: chatter, from: control }
      do: { repeat: count, index: i, do: [{ wait: every }, { send: answer, with: { number: i, note: "slice(address, 0, 0)" } }] }
    - { on: { receive: echo, from: control }, do: { send: answer, with: { number: 1, note: data } } }
    - { on: { receive: stream, from: control }, do: { send: piece, to: frames } }
    - { on: { receive: both, from: control }, do: [{ send: leave, to: control }, { send: hide, to: wire }] }
    - { on: { receive: both, from: fast }, do: [{ set: { writes: writes + 1 } }, { send: leave, to: fast }, { send: hide, to: fast }] }
    - { on: { receive: roll, from: control }, do: { send: ask, with: { number: "random(0, 255)" }, to: control } }
    - { on: { receive: cells, from: control }, do: { send: cells } }
    - { on: { receive: extra, from: control }, if: b == 0, do: { send: { bytes: "0A {a: u8}" } } }
    - { on: { receive: extra, from: control }, do: { send: extra } }
    - { on: { receive: reading, from: control }, do: { send: reading } }
    - { on: { receive: list, from: control }, do: { send: list } }
    - { on: { receive: name-command, from: control }, do: { send: name-command } }
    - { on: { set: speed }, do: { send: ask, with: { number: speed }, to: control } }
    - { on: { read: secret }, do: { refuse: read-not-permitted } }
    - { on: { write: secret }, if: value.size > limit, do: { refuse: value-not-allowed } }
    - { on: { receive: leave, from: wire }, do: { send: hide, to: wire } }
    - { on: disconnect, if: reason == 'supervision-timeout', do: { send: leave, to: wire } }
  """)
