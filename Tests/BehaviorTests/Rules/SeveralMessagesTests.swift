import TestSupport
import Testing

@testable import Behavior

/// Rules that wait for one of several messages.
@Suite struct SeveralMessagesTests {
  private static let rules = """
    messages: { a: "01 {n: u8} {x: u8}", b: "02 {x: u8} {n: u8} {more: u8}" }
    rules:
      - on: { receive: [a, b, { bytes: "03 {n: u8} {x: u8}" }] }
        if: n > 0
        do: { log: "{n} {x} of {frame.size}" }
      - on: { receive: [a, b], from: wire }
        do: { log: "{n} from {origin}" }
    """

  @Test func `take each of them, with the fields that all have`() throws {
    try expect(
      Self.rules,
      """
      > in 01 05 06
      * 5 6 of 3
      > in 02 06 05 09
      * 5 6 of 4
      > data 03 07 08
      * 7 8 of 3
      > in 01 00 06
      ! in 01 00 06: no rule takes it
      > in 04
      ! in 04: no rule takes it
      ] 02 06 05 09
      * 5 from wire
      """)
  }

  @Test func `are listed with all of them`() throws {
    let rules = try device(
      Self.rules + "\nservices: [{ uuid: FFE0, characteristics: [{ uuid: FFE1, properties: [write] }] }]"
    ).rules
    #expect(
      rules.map(\.source.event) == [
        "receive a, b, [03 {n: u8} {x: u8}]", "receive a, b from wire",
      ])
  }
}
