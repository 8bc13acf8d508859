import Framing
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

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
      ("varint", 0, "00"), ("varint", 1, "01"), ("varint", 127, "7F"), ("varint", 128, "80 01"),
      ("varint", 150, "96 01"), ("varint", 159, "9F 01"), ("varint", 16_383, "FF 7F"),
      ("varint", .max, "FF FF FF FF FF FF FF FF 7F"), ("varint", -1, "FF FF FF FF FF FF FF FF FF 01"),
      ("varint", -2, "FE FF FF FF FF FF FF FF FF 01"), ("varint(signed)", 0, "00"),
      ("varint(signed)", -1, "01"),
      ("varint(signed)", 1, "02"), ("varint(signed)", -2, "03"),
      ("varint(signed)", 0x7FFF_FFFF, "FE FF FF FF 0F"),
      ("varint(signed)", -0x8000_0000, "FF FF FF FF 0F"),
      ("varint(signed)", .min, "FF FF FF FF FF FF FF FF FF 01"),
      ("varint(signed)", .max, "FE FF FF FF FF FF FF FF FF 01"),
    ] as [(String, Int64, String)])
  func `varints, both ways`(name: String, number: Int64, bytes: String) throws {
    try Self.expect(name, .integer(number), hex(bytes))
  }

  @Test(
    arguments: [
      ("80 00", 0), ("9F 81 00", 159), ("81 80 80 80 80 80 80 80 80 00", 1), ("", nil), ("80", nil),
      ("01 00", nil), ("FF FF FF FF FF FF FF FF FF 02", nil), ("80 80 80 80 80 80 80 80 80 80 00", nil),
    ] as [(String, Int64?)])
  func `a varint may be longer than it needs to be, up to 10 bytes and 64 bits`(bytes: String, number: Int64?)
    throws
  {
    #expect(try FieldEncoding("varint").decode(hex(bytes)[...]) == number.map { .integer($0) })
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

  @Test(
    arguments: [
      ("bcd", 59, "59"), ("bcd", 0, "00"), ("bcd", 7, "07"), ("bcd(2)", 1234, "12 34"),
      ("bcd(2)", 5, "00 05"),
      ("bcd(2, le)", 1234, "34 12"), ("bcd(3)", 240_131, "24 01 31"), ("bcd(4)", 99_999_999, "99 99 99 99"),
      ("bcd(4,le)", 1, "01 00 00 00"),
    ] as [(String, Int64, String)])
  func `binary-coded decimal, both ways`(name: String, number: Int64, bytes: String) throws {
    try Self.expect(name, .integer(number), hex(bytes))
  }

  @Test(
    arguments: [
      ("dec", 0, "0"), ("dec", 42, "42"), ("dec", -7, "-7"), ("dec", .max, "9223372036854775807"),
      ("dec", .min, "-9223372036854775808"), ("dec(3)", 6, "006"), ("dec(3)", -6, "-06"),
      ("dec(3)", 0, "000"), ("dec(6, unsigned)", 7, "000007"), ("dec(unsigned)", .max, "9223372036854775807"),
      ("dec(1..3, unsigned)", 12, "12"),
      ("dec(3)", 254, "254"), ("dec(3)", -99, "-99"), ("dec(1)", 9, "9"), ("dec(1..3)", 0, "0"),
      ("dec(1..3)", 255, "255"), ("dec(1..3)", -255, "-255"), ("dec(2..4)", 5, "05"),
      ("dec(2..4)", -5, "-05"),
      ("dec(18)", 1, "000000000000000001"), ("hex(4)", 0xFFE1, "FFE1"), ("hex(4)", 1, "0001"),
      ("hex(4, lower)", 0xFFE1, "ffe1"), ("hex", 0, "0"), ("hex", 0x74278BDA, "74278BDA"),
      ("hex(lower)", 0xAB, "ab"), ("hex", -1, "FFFFFFFFFFFFFFFF"), ("hex(16)", 1, "0000000000000001"),
      ("hex(1..4)", 0x1F, "1F"), ("hex(2..4)", 0xF, "0F"),
    ] as [(String, Int64, String)])
  func `numbers as digits, both ways`(name: String, number: Int64, text: String) throws {
    try Self.expect(name, .integer(number), Array(text.utf8))
  }

  @Test(
    arguments: [
      ("hexbytes", [], ""), ("hexbytes", [0x50, 0x8C], "508C"), ("hexbytes(2)", [0xAB, 0x01], "AB01"),
      ("hexbytes(2, lower)", [0xAB, 0x01], "ab01"), ("hexbytes(lower)", [0xAB], "ab"),
      ("hexbytes(0..2)", [0xAB], "AB"),
    ] as [(String, [UInt8], String)])
  func `bytes as digits, both ways`(name: String, value: [UInt8], text: String) throws {
    try Self.expect(name, .bytes(value), Array(text.utf8))
  }

  @Test(
    arguments: [
      ("hex(4)", "ffE1", .integer(0xFFE1)), ("hex", "aB", .integer(0xAB)),
      ("hexbytes(2)", "aBcD", .bytes([0xAB, 0xCD])),
    ] as [(String, String, Value)])
  func `digits are read in either case`(name: String, text: String, value: Value) throws {
    #expect(try FieldEncoding(name).decode(Array(text.utf8)[...]) == value)
  }

  @Test(
    arguments: [
      ("bytes(0..2)", [], ""), ("bytes(0..2)", [1, 2], "01 02"), ("bytes(2..3)", [0, 0], "00 00"),
    ] as [(String, [UInt8], String)])
  func `bytes within bounds, both ways`(name: String, value: [UInt8], bytes: String) throws {
    try Self.expect(name, .bytes(value), hex(bytes))
  }

  @Test(
    arguments: [
      ("text(1..3)", "é", "C3 A9"), ("text(1..3)", "a\0", "61 00"), ("text(0..3)", "", ""),
    ])
  func `text within bounds, both ways`(name: String, text: String, bytes: String) throws {
    try Self.expect(name, .text(text), hex(bytes))
  }

  @Test(
    arguments: [
      ("text", "41 FF"), ("text(2)", "C3 00"), ("text(1..2)", ""), ("text(1..2)", "61 62 63"), ("bcd", "5A"),
      ("bcd(2)", "A0 00"), ("bytes(2)", "01"), ("bytes(1..2)", "01 02 03"),
    ])
  func `bytes that are none of a type`(name: String, bytes: String) throws {
    #expect(try FieldEncoding(name).decode(hex(bytes)[...]) == nil)
  }

  /// What would be written otherwise is not read, so that what is read can be written back.
  @Test(
    arguments: [
      ("dec", ""), ("dec", "-"), ("dec", "+1"), ("dec", "01"), ("dec", "-0"), ("dec", "-01"), ("dec", "1x"),
      ("dec", "9223372036854775808"), ("dec", "-9223372036854775809"), ("dec", "99999999999999999999"),
      ("dec", "1-"), ("dec", "--1"), ("dec", "A"), ("dec(3)", "12"), ("dec(3)", "-00"), ("dec(3)", "1234"),
      ("dec(3)", "12 "), ("dec(3, unsigned)", "-12"), ("dec(unsigned)", "-1"), ("dec(1..3, unsigned)", "-1"),
      ("dec(3, unsigned)", "+12"), ("dec(3, unsigned)", "1234"),
      ("dec(1)", "-"), ("dec(1..3)", "1234"), ("dec(1..3)", "012"), ("dec(2..4)", "5"), ("dec(2..4)", "005"),
      ("hex", ""), ("hex", "0F"), ("hex", "-1"), ("hex", "G"), ("hex(4)", "FFE"), ("hex(4)", "FFE1F"),
      ("hex", "11112222333344445"), ("hexbytes", "A"), ("hexbytes", "AG"), ("hexbytes(2)", "AB"),
    ])
  func `digits that are none of a type`(name: String, text: String) throws {
    #expect(try FieldEncoding(name).decode(Array(text.utf8)[...]) == nil)
  }

  @Test(
    arguments: [
      ("u8", 256, 0...255), ("u8", -1, 0...255), ("i8", 128, -128...127), ("i8", -129, -128...127),
      ("u16le", 65536, 0...65535), ("i16be", 32768, -32768...32767), ("u24be", 1 << 24, 0...0xFFFFFF),
      ("i24le", -8_388_609, -8_388_608...8_388_607), ("u32le", 1 << 32, 0...0xFFFF_FFFF),
      ("u48be", -1, 0...0xFFFF_FFFF_FFFF), ("i48be", 1 << 47, -0x8000_0000_0000...0x7FFF_FFFF_FFFF),
      ("bcd", 100, 0...99), ("bcd(4)", -1, 0...99_999_999), ("dec(3)", 1000, -99...999),
      ("dec(3)", -100, -99...999),
      ("dec(1)", -1, 0...9), ("dec(3, unsigned)", -1, 0...999), ("dec(1..3, unsigned)", 1000, 0...999),
      ("dec(unsigned)", -1, 0 ... .max), ("dec(1..3)", -1000, -999...999), ("hex(2)", 256, 0...255),
      ("hex(15)", -1, 0...0xFFF_FFFF_FFFF_FFFF),
    ] as [(String, Int64, ClosedRange<Int64>)])
  func `a number that does not fit is refused`(name: String, number: Int64, range: ClosedRange<Int64>) {
    #expect(throws: EncodingError.outOfRange(number, range)) { try Self.encode(name, .integer(number)) }
  }

  @Test func `an unsigned number of 64 bits is read and written with the bits of a negative one`() throws {
    try Self.expect("u64le", .integer(-2), hex("FE FF FF FF FF FF FF FF"))
    try Self.expect("u64be", .integer(.min), hex("80 00 00 00 00 00 00 00"))
  }

  @Test func `too few bytes are refused where they are not filled up`() {
    #expect(throws: EncodingError.tooFew(count: 1, least: 2)) { try Self.encode("bytes(2..4)", .bytes([1])) }
    #expect(throws: EncodingError.tooLong(count: 5, limit: 4)) {
      try Self.encode("text(2..4)", .text("abcde"))
    }
    #expect(throws: EncodingError.tooLong(count: 2, limit: 1)) {
      try Self.encode("hexbytes(1)", .bytes([1, 2]))
    }
  }

  @Test func `bits have a range of their own`() {
    #expect(throws: EncodingError.outOfRange(8, 0...7)) { try FieldEncoding.bits(3).check(.integer(8)) }
    #expect(throws: Never.self) { try FieldEncoding.bits(32).check(.integer(0xFFFF_FFFF)) }
    #expect(throws: EncodingError.outOfRange(-1, 0...Int64.max)) {
      try FieldEncoding.bits(63).check(.integer(-1))
    }
    #expect(throws: Never.self) { try FieldEncoding.bits(64).check(.integer(-1)) }
  }

  @Test func `too many bytes are refused`() {
    #expect(throws: EncodingError.tooLong(count: 3, limit: 2)) {
      try Self.encode("bytes(2)", .bytes([1, 2, 3]))
    }
  }

  @Test(
    arguments: [
      "u16", "u7", "U8", "i16l", "u8(1)", "bytes(0)", "bytes(4097)", "bytes(3..1)", "bytes(0..0)",
      "bytes(1..4097)", "bytes(1..2, FF)", "bytes(..2)", "bytes(1..)",
      "bytes(+1)", "bytes(1, -1)", "bcd(0)", "bcd(5)", "bcd(2, be)", "bcd(2, le, 1)", "bcd()", "dec(0)",
      "dec(19)", "dec(0..3)", "dec(3, signed)", "dec(unsigned, 3)",
      "dec(3, lower)", "hex(0)", "hex(17)", "hex(4, upper)", "hex(lower, 4)", "hexbytes(2049)",
      "hexbytes(1, 2)", "text(8", "bits(3)",
      "bytes(-1)", "bytes(x)", "bytes(1, 2, 3)",
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
    #expect(encoding.sizes.contains(bytes.count))
    #expect(encoding.size == nil || encoding.size == bytes.count)
  }
}
