import Testing

@testable import Framing

@Suite struct HexTextTests {
  @Test(
    arguments: [
      ("", []), ("A5 06 83", [0xA5, 0x06, 0x83]), ("a50683", [0xA5, 0x06, 0x83]),
      (" 0D\t0a \n", [0x0D, 0x0A]),
    ] as [(String, [UInt8])])
  func `reads bytes`(text: String, bytes: [UInt8]) throws {
    #expect(try HexText.parse(text) == bytes)
  }

  @Test(
    arguments: [
      ("A5 0G", .notADigit("G"), 4), ("A5 6 83", .lonelyDigit, 3), ("A5 068", .lonelyDigit, 5),
      ("0xA5", .notADigit("x"), 1), ("Å5", .notADigit("Å"), 0), ("A５", .notADigit("５"), 1),
    ] as [(String, HexText.ParseError.Reason, Int)])
  func `reports the place of a mistake`(text: String, reason: HexText.ParseError.Reason, offset: Int) {
    #expect(throws: HexText.ParseError(reason: reason, offset: offset)) { try HexText.parse(text) }
  }

  @Test func `prints the bytes that it reads`() throws {
    let all = [UInt8](0...255)
    #expect(try HexText.parse(HexText.format(all)) == all)
    #expect(HexText.format([0xA5, 0x06]) == "A5 06")
  }

  @Test func `escapes bytes that are not printable`() {
    #expect(PrintableText.escape("Hello\r\n".bytes) == #"Hello\r\n"#)
    #expect(PrintableText.escape([0x00, 0x09, 0x5C, 0x7E, 0x7F, 0xC3, 0xA4]) == #"\x00\t\\~\x7F\xC3\xA4"#)
  }
}

@Suite struct PlainTextTests {
  @Test func `finds the bytes that are not plain, wherever they are`() {
    for byte in UInt8.min...UInt8.max {
      let isPlain = 0x20...0x7E ~= byte && byte != UInt8(ascii: "\\") && byte != UInt8(ascii: "\"")
      for place in 0..<19 {
        var bytes = Array("Nineteen bytes; ~!#".utf8)
        bytes[place] = byte
        #expect(PrintableText.isPlain(bytes.span) == isPlain)
      }
    }
  }

  @Test func `text also has tabs and ends of lines`() {
    for byte in UInt8.min...UInt8.max {
      let isText = 0x20...0x7E ~= byte || [0x09, 0x0A, 0x0D].contains(byte)
      #expect(PrintableText.isText("A plain text".bytes + [byte]) == isText)
    }
    #expect(PrintableText.isText([]))
  }
}

@Suite struct ChunkerTests {
  @Test(arguments: [(0, []), (1, [1]), (20, [20]), (21, [20, 1]), (43, [20, 20, 3])])
  func `cuts into pieces of at most 20 bytes`(count: Int, sizes: [Int]) {
    let bytes = (0..<count).map { UInt8($0) }
    let chunks = Array(Chunker(bytes, size: 20))
    #expect(chunks.map(\.count) == sizes)
    #expect(chunks.flatMap(\.self) == bytes)
  }
}

@Suite struct InstantTests {
  @Test func `counts in microseconds`() {
    let start = Instant.milliseconds(1500)
    #expect(start.advanced(by: .milliseconds(200)) == Instant(microseconds: 1_700_000))
    #expect(start.duration(to: .milliseconds(1501)) == .milliseconds(1))
    #expect(Duration.seconds(1.5).wholeMilliseconds == 1500)
  }

  @Test func `stops at the end of time`() {
    let end = Instant(microseconds: .max)
    #expect(end.advanced(by: .seconds(1)) == end)
    #expect(Instant(microseconds: .min).duration(to: end) == .microseconds(Int64.max))
    #expect(Instant().advanced(by: .seconds(Int64.max)) == end)
  }
}
