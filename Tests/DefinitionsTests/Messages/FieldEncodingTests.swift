import Framing
import Testing

@testable import Definitions

@Suite struct FieldEncodingTests {
  @Test(
    arguments: [
      ("u8", 0xA5, "A5"), ("i8", -2, "FE"), ("i8", 127, "7F"), ("u16le", 0x1234, "34 12"),
      ("u16be", 0x1234, "12 34"), ("i16le", -2, "FE FF"), ("i16be", -2, "FF FE"), ("i16le", -32768, "00 80"),
      ("u24le", 0x123456, "56 34 12"), ("u24be", 0x123456, "12 34 56"), ("i24le", -2, "FE FF FF"),
      ("i24be", -8_388_608, "80 00 00"), ("u32le", 0x1234_5678, "78 56 34 12"),
      ("u32be", 0xFFFF_FFFF, "FF FF FF FF"), ("i32le", -2, "FE FF FF FF"),
      ("i32be", 0x7FFF_FFFF, "7F FF FF FF"), ("u48le", 0x1234_5678_9ABC, "BC 9A 78 56 34 12"),
      ("u48be", 0x1234_5678_9ABC, "12 34 56 78 9A BC"), ("i48le", -2, "FE FF FF FF FF FF"),
      ("i48be", -2, "FF FF FF FF FF FE"), ("u64le", 0x1234, "34 12 00 00 00 00 00 00"),
      ("u64be", .max, "7F FF FF FF FF FF FF FF"), ("i64le", -2, "FE FF FF FF FF FF FF FF"),
      ("i64be", .min, "80 00 00 00 00 00 00 00"),
    ] as [(String, Int64, String)])
  func `numbers, both ways`(name: String, number: Int64, bytes: String) throws {
    try Self.expect(name, .integer(number), hex(bytes))
  }

  @Test(
    arguments: [
      ("bytes(3)", [1, 2, 3], "01 02 03"), ("bytes", [1, 0], "01 00"), ("bytes", [], ""),
      ("bytes(3, FF)", [1, 2, 0xFF], "01 02 FF"),
    ] as [(String, [UInt8], String)])
  func `bytes, both ways`(name: String, value: [UInt8], bytes: String) throws {
    try Self.expect(name, .bytes(value), hex(bytes))
  }

  @Test(
    arguments: [
      ("text(4)", "ab", "61 62 00 00"), ("text(4, 20)", "ab", "61 62 20 20"), ("text(4)", "größ", nil),
      ("text(5)", "grö", "67 72 C3 B6 00"), ("text(2)", "ab", "61 62"), ("text(2)", "", "00 00"),
      ("text", "ab\0", "61 62 00"), ("text", "", ""),
    ] as [(String, String, String?)])
  func `text, both ways`(name: String, text: String, bytes: String?) throws {
    guard let bytes else {
      #expect(throws: EncodingError.tooLong(count: 6, limit: 4)) { try Self.encode(name, .text(text)) }
      return
    }
    try Self.expect(name, .text(text), hex(bytes))
  }

  @Test func `a short value is filled up, which is not undone for bytes`() throws {
    #expect(try Self.encode("bytes(4)", .bytes([1])) == [1, 0, 0, 0])
    #expect(try Self.encode("bytes(4, EE)", .bytes([])) == [0xEE, 0xEE, 0xEE, 0xEE])
    #expect(try FieldEncoding("bytes(4)").decode([1, 0, 0, 0]) == .bytes([1, 0, 0, 0]))
  }

  @Test func `bytes that are no text become replacement characters`() throws {
    #expect(try FieldEncoding("text").decode([0x41, 0xFF]) == .text("A\u{FFFD}"))
  }

  @Test(
    arguments: [
      ("u8", 256, 0...255), ("u8", -1, 0...255), ("i8", 128, -128...127), ("i8", -129, -128...127),
      ("u16le", 65536, 0...65535), ("i16be", 32768, -32768...32767), ("u24be", 1 << 24, 0...0xFFFFFF),
      ("i24le", -8_388_609, -8_388_608...8_388_607), ("u32le", 1 << 32, 0...0xFFFF_FFFF),
      ("u48be", -1, 0...0xFFFF_FFFF_FFFF), ("i48be", 1 << 47, -0x8000_0000_0000...0x7FFF_FFFF_FFFF),
      ("u64le", -1, 0 ... .max),
    ] as [(String, Int64, ClosedRange<Int64>)])
  func `a number that does not fit is refused`(name: String, number: Int64, range: ClosedRange<Int64>) {
    #expect(throws: EncodingError.outOfRange(number, range)) { try Self.encode(name, .integer(number)) }
  }

  @Test func `too many bytes are refused`() {
    #expect(throws: EncodingError.tooLong(count: 3, limit: 2)) {
      try Self.encode("bytes(2)", .bytes([1, 2, 3]))
    }
  }

  @Test(
    arguments: [
      "u16", "u7", "U8", "i16l", "u8(1)", "bytes(0)", "bytes(513)", "bytes(-1)", "bytes(x)", "bytes(1, 2, 3)",
      "bytes(1, GG)", "bytes(1, 100)", "bytes(1", "bytes()", "text(8,)", "byte", "", "bytes (1)x",
    ])
  func `what is no encoding is refused`(name: String) {
    #expect(throws: TextError.self) { try FieldEncoding(name) }
  }

  static func encode(_ name: String, _ value: Value) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try FieldEncoding(name).encode(value, into: &bytes)
    return bytes
  }

  static func expect(_ name: String, _ value: Value, _ bytes: [UInt8]) throws {
    let encoding = try FieldEncoding(name)
    #expect(encoding.valueType == value.type)
    #expect(try encode(name, value) == bytes)
    #expect(encoding.decode(bytes[...]) == value)
    #expect(encoding.size == nil || encoding.size == bytes.count)
  }
}

/// Bytes from a test's own text.
func hex(_ text: String) -> [UInt8] {
  try! HexText.parse(text)
}
