import Framing
import Testing

@testable import Learning

/// What a device makes of the bytes of requests: in the answer, and in what it shows later.
struct ConversionTests {
  /// Byte 1 of the answer is that of the request + 40, bytes 2 and 3 are byte 2 in hexadecimal digits, and byte 4 is a tenth of
  /// the number in bytes 3 and 4. Nothing determines bytes 5 and 6.
  @Test func `an answer has parts of its request, as they are or changed`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-01 01 07 1A 64 00
      120 < answer-01 81 47 31 41 0A 33 01 99
      200 > request-01 01 08 2B C8 00
      220 < answer-01 81 48 32 42 14 71 02 99
      300 > request-01 01 09 5C 2C 01
      320 < answer-01 81 49 35 43 1E 15 03 99
      400 > request-01 01 0A 6D F4 01
      420 < answer-01 81 4A 36 44 32 92 09 99
      500 > request-01 01 0C 7F 78 00
      520 < answer-01 81 4C 37 46 0C 27 05 99
      """,
      [
        "request-01": [
          .constant([0x01]), .field(.init("byte-1", width: 1, .bytes)),
          .field(.init("byte-2", width: 1, .bytes)), .field(.init("bytes-3", width: 2, .bytes)),
        ],
        "answer-01": [.constant([0x81]), .field(.init("bytes-1", width: 6, .bytes)), .constant([0x99])],
      ])
    let definition = device.definition
    let text = try definition.written().text
    #expect(text.contains("81 {byte-1: u8} {bytes-2: hex(2)} {byte-4: u8} {bytes-5: bytes(2)} 99"))
    var memory = try MemoryDevice(definition)
    #expect(memory.ask("01 20 FE E8 03") == ["81 60 46 45 64 33 01 99"])
    #expect(
      definition.evidence.contains(
        Evidence(
          "byte-4 of answer-01 echoes bytes 3 to 4 (le) of request-01 divided by 10", at: "FFE1 ->",
          agreeing: 5, of: 5)))
  }

  /// A light: `CC 23 33` and `CC 24 33` switch it, `56 r g b` sets its colour, and `EF` asks for both.
  private static let light: KeyValuePairs<String, [LearntMessage.Part]> = [
    "request-on": [.constant([0xCC, 0x23, 0x33])], "request-off": [.constant([0xCC, 0x24, 0x33])],
    "request-56": [.constant([0x56]), .field(.init("bytes-1", width: 3, .bytes))],
    "request-EF": [.constant([0xEF])],
    "answer": [
      .constant([0x66]), .field(.init("byte-1", width: 1, .bytes)), .constant([0x41]),
      .field(.init("bytes-3", width: 4, .bytes)),
    ],
  ]

  @Test func `an answer shows what the last of several kinds of requests has set`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-EF EF
      120 < answer 66 23 41 10 20 30 07
      200 > request-off CC 24 33
      300 > request-EF EF
      320 < answer 66 24 41 10 20 30 09
      400 > request-56 56 01 02 03
      500 > request-on CC 23 33
      600 > request-EF EF
      620 < answer 66 23 41 01 02 03 04
      700 > request-56 56 C8 64 32
      800 > request-EF EF
      820 < answer 66 23 41 C8 64 32 11
      900 > request-off CC 24 33
      1000 > request-EF EF
      1020 < answer 66 24 41 C8 64 32 0E
      1100 > request-on CC 23 33
      1200 > request-56 56 00 FF 11
      1300 > request-EF EF
      1320 < answer 66 23 41 00 FF 11 08
      2500 > request-56 56 00 FF 11
      """, Self.light)
    let definition = device.definition
    var memory = try MemoryDevice(definition)
    #expect(memory.ask("EF") == ["66 23 41 10 20 30 07"])
    #expect(memory.ask("56 0A C8 1E") == [])
    #expect(memory.ask("CC 24 33") == [])
    #expect(memory.ask("EF") == ["66 24 41 0A C8 1E 09"])
    #expect(memory.ask("CC 23 33") == [])
    #expect(memory.ask("EF") == ["66 23 41 0A C8 1E 04"])
    #expect(
      definition.evidence.contains(
        Evidence(
          "byte-1 of answer is byte 1 of the last request-on or request-off", at: "FFE1 ->", agreeing: 6,
          of: 6)))
  }

  /// Answers with constant bytes, of one message for each state.
  private static let states: KeyValuePairs<String, [LearntMessage.Part]> = [
    "request-on": [.constant([0xCC, 0x23, 0x33])], "request-off": [.constant([0xCC, 0x24, 0x33])],
    "request-EF": [.constant([0xEF])], "answer-on": [.constant([0x66, 0x23, 0x41])],
    "answer-off": [.constant([0x66, 0x24, 0x41])],
  ]

  @Test func `two answers to one request show the state of the device`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-on CC 23 33
      200 > request-EF EF
      220 < answer-on 66 23 41
      300 > request-off CC 24 33
      400 > request-EF EF
      420 < answer-off 66 24 41
      500 > request-on CC 23 33
      600 > request-EF EF
      620 < answer-on 66 23 41
      700 > request-off CC 24 33
      800 > request-EF EF
      820 < answer-off 66 24 41
      900 > request-off CC 24 33
      1000 > request-EF EF
      1020 < answer-off 66 24 41
      1100 > request-on CC 23 33
      1200 > request-EF EF
      1220 < answer-on 66 23 41
      """, Self.states)
    let definition = device.definition
    let text = try definition.written().text
    #expect(text.contains("66 {byte-1: u8} 41"), "\(text)")
    var memory = try MemoryDevice(definition)
    for (switching, state) in [("CC 24 33", "66 24 41"), ("CC 23 33", "66 23 41")] {
      #expect(memory.ask(switching) == [])
      #expect(memory.ask("EF") == [state])
      #expect(memory.ask("EF") == [state])
    }
  }

  @Test func `an answer that came once shows no state`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-on CC 23 33
      200 > request-EF EF
      220 < answer-on 66 23 41
      300 > request-off CC 24 33
      400 > request-EF EF
      420 < answer-off 66 24 41
      """, Self.states)
    let text = try device.definition.written().text
    #expect(!text.contains("66 {byte-1"), "\(text)")
  }

  @Test func `what changes without a request is not what a request has set`() throws {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-56 56 01 02 03
      1500 < value 66 01 41 01 02 03 04
      2500 < value 66 01 41 01 02 03 04
      3500 > request-56 56 02 02 03
      4500 < value 66 02 41 02 02 03 04
      5500 < value 66 02 41 02 02 03 04
      6500 < value 66 03 41 02 02 03 04
      7500 < value 66 04 41 02 02 03 04
      """,
      [
        "request-56": [.constant([0x56]), .field(.init("bytes-1", width: 3, .bytes))],
        "value": [
          .constant([0x66]), .field(.init("byte-1", width: 1, .bytes)), .constant([0x41]),
          .field(.init("byte-3", width: 1, .bytes)), .constant([0x02, 0x03, 0x04]),
        ],
      ])
    #expect(!device.definition.evidence.contains { $0.claim.hasPrefix("byte-1") })
  }

  @Test func `a request gets a recorded answer to the same request, and an unknown one that of another`()
    throws
  {
    let device = SpokenDevice(
      """
      0 connect
      100 > request-03 03 10 02
      120 < answer 83 55 66 77
      200 > request-03 03 20 01
      220 < answer 83 12 34 98
      300 > request-03 03 30 02
      320 < answer 83 AB CD 13
      400 > request-03 03 10 02
      420 < answer 83 56 67 78
      """,
      [
        "request-03": [.constant([0x03]), .field(.init("bytes-1", width: 2, .bytes))],
        "answer": [.constant([0x83]), .field(.init("bytes-1", width: 3, .bytes))],
      ])
    var memory = try MemoryDevice(device.definition)
    #expect(memory.ask("03 30 02") == ["83 AB CD 13"])
    #expect(memory.ask("03 20 01") == ["83 12 34 98"])
    #expect(memory.ask("03 10 02") == ["83 55 66 77"])
    #expect(memory.ask("03 10 02") == ["83 56 67 78"])
    #expect(memory.ask("03 10 02") == ["83 55 66 77"])
    #expect(memory.ask("03 44 09") == ["83 56 67 78"])
  }
}
