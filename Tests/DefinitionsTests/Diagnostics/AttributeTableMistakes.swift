import Testing

@testable import Definitions

/// Mistakes in attributes that depend on settings.
@Suite struct AttributeTableMistakes {
  /// A device with these settings whose service and characteristic are these.
  private func mistake(_ settings: String, _ service: String, _ characteristic: String) -> String {
    diagnose(
      """
      settings: { \(settings) }
      services:
        - { \(service), characteristics: [{ \(characteristic), properties: [read] }] }
      """)
  }

  @Test func `a UUID of a number that may be too large`() {
    #expect(
      mistake(
        "n: { type: integer, min: 0, max: 0x10000, default: 1 }", "uuid: FFE0", #"id: a, uuid: "{n: u16be}""#)
          == """
          device.yaml:3:52: error: with n=65536: 65536 is not in 0…65535
              3 |   - { uuid: FFE0, characteristics: [{ id: a, uuid: "{n: u16be}", properties: [read] }] }
                |                                                    ^~~~~~~~~~~~
          """)
  }

  @Test func `a UUID of a number that says not how it is written`() {
    #expect(
      mistake("n: { type: integer, default: 1 }", "uuid: FFE0", #"id: a, uuid: "{n}""#) == """
        device.yaml:3:54: error: an integer has no bytes by itself
            3 |   - { uuid: FFE0, characteristics: [{ id: a, uuid: "{n}", properties: [read] }] }
              |                                                      ^ say how it is written: {n: u8}
        """)
  }

  @Test func `a UUID of too few bytes`() {
    #expect(
      mistake("n: { type: bytes, max: 1, default: \"FF\" }", #"id: x, uuid: "{n}""#, "uuid: FFE1") == """
        device.yaml:3:20: error: 1 byte is no UUID, which has 2, 4 or 16
            3 |   - { id: x, uuid: "{n}", characteristics: [{ uuid: FFE1, properties: [read] }] }
              |                    ^~~~~
        """)
  }

  @Test func `a UUID that is BlueZ's with one of the settings' values`() {
    #expect(
      mistake(
        "n: { type: integer, min: 0, max: 1, default: 0 }", #"uuid: "{0x1801 - n: u16be}""#, "uuid: FFE1"
      ).contains("error: BlueZ has Generic Attribute (1801) of its own, and refuses another"))
    #expect(
      mistake(
        "n: { type: integer, min: 0, max: 1, default: 0 }", #"uuid: "{0x1802 - n: u16be}""#, "uuid: FFE1"
      ).contains("error: with n=1: BlueZ has Generic Attribute (1801) of its own, and refuses another"))
  }

  @Test func `a characteristic whose UUID comes from settings has no name of itself`() {
    #expect(
      mistake("n: { type: bytes, max: 2, default: FFE1 }", "uuid: FFE0", #"uuid: "{n}""#) == """
        device.yaml:3:45: error: a characteristic whose UUID comes from settings has a name
            3 |   - { uuid: FFE0, characteristics: [{ uuid: "{n}", properties: [read] }] }
              |                                             ^~~~~ give it an 'id', as in id: serial
        """)
  }

  @Test func `what changes while it runs decides nothing`() {
    let hint = "it is decided at the start and after a reset, and a setting is kept over that"
    #expect(
      diagnose(
        """
        variables: { n: { type: integer, default: 1 } }
        generators: { level: { shape: random, min: 0, max: 9, every: 1s } }
        values: { is-first: n == 1 }
        services:
          - uuid: FFE0
            if: is-first
            characteristics: [{ id: a, uuid: "{level: u16be}", properties: [read] }]
        rules: [{ on: start, do: { set: { n: 2 } } }]
        """) == """
          device.yaml:6:9: error: what attributes there are depends on settings only
              6 |     if: is-first
                |         ^~~~~~~~ \(hint)

          device.yaml:7:38: error: what attributes there are depends on settings only
              7 |     characteristics: [{ id: a, uuid: "{level: u16be}", properties: [read] }]
                |                                      ^~~~~~~~~~~~~~~~ \(hint)
          """)
  }

  @Test func `a condition that is none`() {
    #expect(
      mistake("n: { type: integer, default: 1 }", "uuid: FFE0, if: n + 1", "uuid: FFE1") == """
        device.yaml:3:23: error: expected true or false, found an integer
            3 |   - { uuid: FFE0, if: n + 1, characteristics: [{ uuid: FFE1, properties: [read] }] }
              |                       ^~~~~
        """)
  }

  @Test func `a device without a service, at first or later`() {
    #expect(
      mistake("n: { type: boolean, default: false }", "uuid: FFE0, if: n", "uuid: FFE1")
        .contains("error: the device has no services"))
    #expect(
      mistake("n: { type: text, one-of: [a, b], default: a }", "uuid: FFE0, if: n == 'a'", "uuid: FFE1")
        .contains("error: with n=b: the device has no services"))
  }

  @Test func `UUIDs that are there twice with one of the settings' values`() {
    #expect(
      diagnose(
        """
        settings:
          kind: { type: text, one-of: [one, two, both], default: one }
        services:
          - uuid: FFE0
            characteristics:
              - { id: one, uuid: FFE1, if: kind != 'two', properties: [read] }
              - { id: two, uuid: FFE1, if: kind != 'one', properties: [read, notify] }
        """) == """
          device.yaml:7:26: warning: with kind=both: a second FFE1 beside the first
              7 |       - { id: two, uuid: FFE1, if: kind != 'one', properties: [read, notify] }
                |                          ^~~~ many clients find only the first
          """)
  }

  @Test func `two services of one name`() {
    #expect(
      diagnose(
        """
        services:
          - { id: a, uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [read] }] }
          - { id: a, uuid: FFE5, characteristics: [{ uuid: FFE6, properties: [read] }] }
          - { id: b c, uuid: FFE7, characteristics: [{ uuid: FFE8, properties: [read] }] }
        """) == """
          device.yaml:3:11: error: a second service 'a'
              3 |   - { id: a, uuid: FFE5, characteristics: [{ uuid: FFE6, properties: [read] }] }
                |           ^ give it an 'id' of its own

          device.yaml:4:11: error: 'b c' is not a name
              4 |   - { id: b c, uuid: FFE7, characteristics: [{ uuid: FFE8, properties: [read] }] }
                |           ^~~ a name has letters, digits and hyphens, and begins with a letter
          """)
  }
}
