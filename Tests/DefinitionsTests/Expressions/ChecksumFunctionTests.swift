import Framing
import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Checksums as functions.
@Suite struct ChecksumFunctionTests {
  static func value(of text: String) throws -> Value { try ExpressionTests.value(of: text) }

  @Test(arguments: Checksum.names)
  func `every checksum is a function, and goes on from an earlier value`(name: String) throws {
    let check = Int64(try Checksum.named(name)!.value(of: Array("123456789".utf8).span))
    #expect(try Self.value(of: "\(name)(utf8('123456789'))") == .integer(check))
    #expect(try Self.value(of: "\(name)(utf8('56789'), \(name)(utf8('1234')))") == .integer(check))
    #expect(try Self.value(of: "utf8('56789').\(name)(utf8('1234').\(name)())") == .integer(check))
    #expect(try Self.value(of: "\(name)(empty, \(check))") == .integer(check))
  }

  @Test(
    arguments: [
      ("crc32(utf8('123456789'))", 0xCBF4_3926), ("key.xor8", 0xA5 ^ 6 ^ 0x83), ("sum16(key) + 1", 0x12F),
      ("crc8-i-432-1(key) == crc8-itu(key)", 1), ("CRC32(key) == crc32(key)", 1),
      ("u16le(crc16-x-25(key)) == u16le(crc16-ibm-sdlc(key))", 1),
      ("month - crc32-mpeg-2(empty)", -0xFFFF_FFFE),
    ] as [(String, Int64)])
  func `a checksum is a number like any other`(text: String, number: Int64) throws {
    let value = try Self.value(of: text)
    #expect(value == .integer(number) || value == .boolean(number == 1))
  }

  @Test(
    arguments: [
      ("crc32('a')", "0-10: 'crc32' takes bytes and, optionally, the checksum of the bytes before them"),
      ("crc32()", "0-7: 'crc32' takes bytes and, optionally, the checksum of the bytes before them"),
      (
        "crc32(key, 1, 2)", "0-16: 'crc32' takes bytes and, optionally, the checksum of the bytes before them"
      ),
      ("crc8(key, 256)", "10-13: 256 is not in 0…255"), ("crc8(key, -1)", "10-12: -1 is not in 0…255"),
      ("crc16-modbus-le(key)", "0-20: the checksum is a number here, without a byte order"),
      ("crc16-x-25-be(key)", "0-18: the checksum is a number here, without a byte order"),
      ("crc16-modbuss(key)", "0-18: unknown function 'crc16-modbuss'"),
      ("crc16-x-25", "0-7: unknown name 'crc16-x'"),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(ExpressionTests.mistake(in: text) == error)
  }

  @Test func `an earlier value that is none is an error`() {
    #expect(throws: EvaluationError.notEncodable(.outOfRange(-1, 0...0xFFFF_FFFF))) {
      try Self.value(of: "crc32(key, month - 2)")
    }
    #expect(throws: EvaluationError.notEncodable(.outOfRange(.min, 0...0xFF))) {
      try Self.value(of: "xor8(key, least)")
    }
  }

  @Test func `a hole has a checksum of the message, or of a value`() throws {
    let scope = ExpressionTests.World.scope
    let context = ExpressionTests.World.context
    func bytes(_ template: String) throws -> [UInt8] {
      try ValueTemplate.bytes(template, in: scope).render(in: context)
    }
    #expect(try bytes("01 {key} {xor8}") == [1, 0xA5, 6, 0x83, 1 ^ 0xA5 ^ 6 ^ 0x83])
    #expect(try bytes("01 {key} {xor8(1)}") == [1, 0xA5, 6, 0x83, 0xA5 ^ 6 ^ 0x83])
    #expect(try bytes("{xor8(key): u8}") == [0xA5 ^ 6 ^ 0x83])
    let text = try ValueTemplate.text("{crc32(key) % 100}%", in: scope).render(in: context)
    #expect(String(decoding: text, as: UTF8.self).hasSuffix("%"))
  }
}
