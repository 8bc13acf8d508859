import DefinitionWriter
import Definitions
import DeviceModel
import TestSupport
import Testing

/// How what is written looks.
@Suite struct WritingTests {
  @Test func `what a device seeks comes back as it was`() throws {
    let text = """
      blemu: 1
      name: Watch
      advertisement: { local-name: Watch }

      client:
        time: { service: "1805", uuid: 2A2B }
        news: { service: 7905F431-B5CE-4E99-A40F-4B1E122D00D0, uuid: 9FBF120D-6301-42D9-8C58-25E699A21DBD }

      framing:
        news: { size: 8 }

      rules:
        - on: connect
          do: discover
        - on: { found: time }
          do: { read: time }
        - on: { missing: time }
          do: { subscribe: news }
        - on: { refused: news }
          do: { log: "{reason}" }
        - on: { receive: any, from: time }
          do: { send: { bytes: "{frame}" }, to: news }

      """
    let written = try DefinitionWriter(define(text)).write().text
    #expect(try DefinitionWriter(define(written)).write().text == written)
    for line in text.split(separator: "\n").drop(while: { $0 != "client:" }) {
      #expect(written.contains(line), "\(line) is not in \(written)")
    }
  }

  @Test func `channels come back as they were`() throws {
    let text = """
      blemu: 1
      name: Camera
      advertisement: { local-name: Camera }

      channels:
        stream: { psm: 0x80, mtu: 512, mps: 251, credits: 3, security: encrypt, key-size: 16 }
        log: { psm: 0x25 }

      framing:
        log: { delimiter: 0A }

      rules:
        - on: { open: stream }
          do: { send: { text: "hi" }, to: log }
        - on: { close: stream }
          do: { close: log }

      wire: { bridge: stream, baud: 9600, buffer: 256 }

      """
    let written = try DefinitionWriter(define(text)).write().text
    let again = try DefinitionWriter(define(written)).write().text
    #expect(again == written)
    for line in text.split(separator: "\n") where line.contains("psm") || line.contains("close") {
      #expect(written.contains(line), "\(line) is not in \(written)")
    }
  }

  @Test func `a definition of a person comes back as it was`() throws {
    let text = """
      blemu: 1
      name: Lamp
      summary: Lamp that a central switches on and off

      settings:
        local-name: { type: text, default: Lamp, max: 20 }
        key: { type: bytes, default: random, max: 16 }

      variables:
        is-on: { type: boolean, default: false }

      generators:
        battery-level: { shape: ramp, from: 100, to: 0, over: 2h }

      values:
        is-low: battery-level < 20
        hour-there: hour(local-time(unix-time, 'Europe/Berlin'))
        own-key: p256-public-key(hkdf-sha256(key, key, bytes('61'), 32))

      advertisement:
        local-name: "{local-name}"
        services: [FFE0]
        manufacturer-data: { "0010": "01 {battery-level: u8}" }
        interval: { min: 100ms, max: 150ms }

      link: { mtu: 23, centrals: 1 }

      services:
        - uuid: FFE0
          characteristics:
            - { uuid: FFE1, id: switch, properties: [read, write, notify], value: "00" }
        - uuid: 180F  # Battery
          characteristics:
            - { uuid: 2A19, id: battery, properties: [read], value: "64" }  # Battery Level

      checksums:
        plus-one: sum8(bytes) + 1
        folded: { expression: sum16(bytes) >> 8, width: 2, order: little-endian }

      framing:
        switch: { start: "A5", length: { at: 1, counts: frame }, check: plus-one, gap: 200ms }

      messages:
        turn: "A5 04 {state: u8} {plus-one}"
        level: "{battery-level: u8}"

      data:
        names:
          rows:
            - [1, one]
            - [2, "on"]
          columns: { number: integer, name: text }
          key: [number]

      rules:
        - on: { write: switch }
          if: value.size != 4 or is-low
          do: { refuse: application-error-80 }
        - on: { receive: turn }
          do:
            - { set: { is-on: state == 1 } }
            - { send: turn }
            - { if: is-on, log: "the lamp is now {if(is-on, 'on', 'off')}" }
            - { start: timeout, after: 90s }
        - on: { read: battery }
          do: { respond: level }
        - on: { timer: timeout }
          do:
            - repeat: 2
              index: i
              do:
                - { send: turn, with: { state: i } }
                - { wait: 1500ms }
            - disconnect
            - { forget: all }

      controls:
        button: { do: { set: { is-on: not is-on } } }

      """
    let device = try define(text)
    let written = try DefinitionWriter(device).write().text
    #expect(written == text, "\(LineDifference(from: text, to: written))")
  }

  @Test func `a large table is a file next to the definition`() throws {
    let rows = (0..<30).map { "\($0),AB CD\n" }.joined()
    let device = try define(
      """
      blemu: 1
      name: Logger
      data: { days: { file: history.csv, columns: { day: integer, sample: bytes }, key: [day] } }
      services: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read], value: "{days[3].sample}" }] }]
      """, files: ["history.csv": "day,sample\n" + rows])
    let written = try DefinitionWriter(device).write()
    #expect(written.dataFiles == [.init(name: "days.csv", text: "day,sample\n" + rows)])
    #expect(written.text.contains("    file: days.csv\n"))
    try RoundTripTests.expectSame(device, "Logger")
  }

  @Test(arguments: [(6, 20, false), (7, 20, true), (2, 26, true)])
  func `a table with many or long rows is a file`(rows: Int, size: Int, isFile: Bool) throws {
    let bytes = Array(repeating: "AB", count: size).joined(separator: " ")
    let lines = (0..<rows).map { "      - [\($0), \"\(bytes)\"]\n" }.joined()
    let definition = try define(
      """
      blemu: 1
      name: Meter
      advertisement: { local-name: Meter }
      data:
        days:
          rows:
      \(lines)    columns: { day: integer, sample: bytes }
          key: [day]
      """)
    let written = try DefinitionWriter(definition).write()
    #expect(written.dataFiles.map(\.name) == (isFile ? ["days.csv"] : []))
  }

  @Test(arguments: [
    "public", "random", #""C0:00:5E:00:53:01""#, "resolvable", "non-resolvable",
    "{ kind: non-resolvable, every: 90s }", "{ kind: resolvable, every: 1h }",
    #"{ kind: resolvable, identity: public, key: "{key} 00" }"#, #""{u48be(adapter, 0) + 1: u48be}""#,
  ])
  func `an address comes back as it was`(address: String) throws {
    let device = try device(
      """
      settings: { key: { type: bytes, max: 15, default: "0F 1E 2D 3C 4B 5A 69 78 87 96 A5 B4 C3 D2 E1" } }
      advertisement: { address: \(address) }
      """)
    let written = try DefinitionWriter(device).write().text
    #expect(written.contains("  address: \(address)\n"), "\(written)")
    try RoundTripTests.expectSame(device, address)
  }
}
