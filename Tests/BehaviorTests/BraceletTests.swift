import TestSupport
import Testing

@testable import Behavior

/// The bracelet of "IOS Bluetooth development": a day is asked for with `A5 06 03 month day xor`, its packets with
/// `A5 07 04 month day index xor`.
@Suite struct BraceletTests {
  func expect(_ transcript: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
    var conversation = try Conversation(bundled("bracelet"))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  private static let scenarios: [Scenario] = [
    Scenario(
      "a day has 5 packets, another 300, and one nothing",
      """
      > serial A5 06 03 01 02 A3
      < serial A5 06 83 05 00 25
      > serial A5 06 03 01 03 A2
      < serial A5 06 83 2C 01 0D
      > serial A5 06 03 02 1E BC
      < serial A5 06 83 00 00 20
      """),
    Scenario(
      "the packets of a day, the last one filled up",
      """
      > serial A5 07 04 01 02 00 A5
      < serial A5 14 84 00 00 07 0E 15 1C 23 2A 31 38 3F 46 4D 54 5B 62 6C
      > serial A5 07 04 01 02 01 A4
      < serial A5 14 84 01 6C 73 7A 81 88 8F 96 9D A4 AB B2 B9 C0 C7 CE 11
      > serial A5 07 04 01 02 04 A1
      < serial A5 14 84 04 B0 B7 BE C5 CC D3 DA E1 E8 EF 00 00 00 00 00 6E
      """),
    Scenario(
      "a packet after the last is not answered and is reported",
      """
      > serial A5 07 04 01 02 05 A0
      * packet 5 of a day that has fewer: no answer
      > serial A5 07 04 02 1E 00 BA
      * packet 0 of a day that has fewer: no answer
      """),
    Scenario(
      "a wrong checksum or length is not answered and is reported",
      """
      > serial A5 06 03 01 02 A4
      ! serial A5 06 03 01 02 A4: checksum is A4, should be A3
      > serial A5 02
      ! serial A5 02: length 2 is outside 3 to 512
      > serial 00 00 A5 06 03 01 02 A3
      ! serial 00 00: does not start with A5
      < serial A5 06 83 05 00 25
      """),
    Scenario(
      "a frame that no rule takes is reported",
      """
      > serial A5 06 09 01 02 A9
      ! serial A5 06 09 01 02 A9: no rule takes it
      > serial A5 04 03 A2
      ! serial A5 04 03 A2: no rule takes it
      """),
    Scenario(
      "two frames in one write are two answers",
      """
      > serial A5 06 03 01 02 A3 A5 06 03 01 03 A2
      < serial A5 06 83 05 00 25
      < serial A5 06 83 2C 01 0D
      """),
    Scenario(
      "a frame may come byte by byte, each of them in time",
      """
      > serial A5
      timer at 200 ms
      199 ms
      > serial 06
      timer at 399 ms
      199 ms
      > serial 03 01
      timer at 598 ms
      > serial 02
      > serial A3
      < serial A5 06 83 05 00 25
      no timer
      """),
    Scenario(
      "an unfinished frame ends after 200 ms, and the next one is good",
      """
      > serial A5 06 03
      timer at 200 ms
      199 ms
      1 ms
      ! serial A5 06 03: unfinished after 200 ms of silence
      1000 ms
      > serial A5 06 03 01 02 A3
      < serial A5 06 83 05 00 25
      """),
    Scenario(
      "the torn frames of two centrals do not mix",
      """
      > serial A5 06 03
      timer at 200 ms
      2> serial A5 06
      timer at 200 ms
      > serial 01 02 A3
      < serial A5 06 83 05 00 25
      no timer
      2> serial 03 01 03 A2
      < serial A5 06 83 2C 01 0D
      no timer
      """),
    Scenario(
      "a central that disconnects ends its own unfinished frame, and no other",
      """
      +
      > serial A5 06 03
      timer at 200 ms
      2> serial A5 06 03
      timer at 200 ms
      -
      ! serial A5 06 03: unfinished when the stream ended
      no timer
      +
      > serial 01 02 A3
      ! serial 01 02 A3: does not start with A5
      2> serial 01 02 A3
      < serial A5 06 83 05 00 25
      no timer
      2-
      """),
    Scenario(
      "the value that is read is the one that was last written or sent",
      """
      ? serial
      = 
      > serial A5 06
      timer at 200 ms
      ? serial
      = A5 06
      > serial 03 01 02 A3
      < serial A5 06 83 05 00 25
      no timer
      ? serial
      = A5 06 83 05 00 25
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.transcript, sourceLocation: scenario.place)
  }

  @Test(arguments: 1..<6)
  func `a frame may be torn anywhere`(split: Int) throws {
    let words = ["A5", "06", "03", "01", "02", "A3"]
    try expect(
      """
      > serial \(words[..<split].joined(separator: " "))
      timer at 200 ms
      199 ms
      > serial \(words[split...].joined(separator: " "))
      < serial A5 06 83 05 00 25
      no timer
      1000 ms
      """)
  }

}
