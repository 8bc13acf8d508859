import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Functions that search, change and make bytes and text, and read numbers from them.
@Suite struct ByteFunctionTests {
  static func value(of text: String) throws -> Value { try ExpressionTests.value(of: text) }

  @Test(
    arguments: [
      ("find(key, bytes('06 83'))", 1), ("find(key, bytes('06 84'))", -1), ("key.find(bytes('A5'))", 0),
      ("key.find(bytes('A5'), 1)", -1), ("find(key, empty)", 0), ("find(key, empty, 3)", 3),
      ("find(key, empty, 4)", -1), ("find(empty, empty)", 0), ("find(empty, key)", -1),
      ("find(key, bytes('83'), -5)", 2), ("find(key, bytes('83'), least)", 2),
      ("find(key, bytes('83'), most)", -1),
      ("find('AT+NAME=x', '=')", 7), ("find('a,b,c', ',', 2)", 3), ("find('größe', 'ß')", 4),
      ("find('aabaab', 'aab', 1)", 3), ("find('aaab', 'aab')", 1), ("find('', '')", 0),
      ("find('abab' + local-name, 'abaBelt')", -1), ("find('ababac', 'abac')", 2),
    ] as [(String, Int64)])
  func `finds bytes and text, by the index of a byte`(text: String, index: Int64) throws {
    #expect(try Self.value(of: text) == .integer(index))
  }

  @Test(
    arguments: [
      ("replace(key, bytes('06'), bytes('01 02'))", .bytes([0xA5, 1, 2, 0x83])),
      ("replace(key, bytes('07'), bytes('01 02'))", .bytes([0xA5, 6, 0x83])),
      ("replace('a b c', ' ', '')", .text("abc")), ("replace('aaa', 'aa', 'b')", .text("ba")),
      ("replace('ßaß', 'ß', 'ss')", .text("ssass")), ("replace('', 'a', 'b')", .text("")),
      ("local-name.replace('Be', 'Bo')", .text("Bolt")), ("replace('aba', 'a', 'aa')", .text("aabaa")),
      ("slice('größe', 0, 2)", .text("gr")), ("slice('größe', 0, 3)", .text("gr")),
      ("slice('größe', 3, 3)", .text("ß")),  // the ö is at 2 and 3
      ("slice('größe', 0, 6)", .text("größ")), ("slice('größe', 2, 4)", .text("öß")),
      ("slice('größe', 6, 9)", .text("e")), ("slice('AT+NAME', 3, most)", .text("NAME")),
      ("slice('größe', 3, 1)", .text("")), ("slice('abc', -1, 2)", .text("a")),
      ("slice('abc', least, most)", .text("")), ("local-name.slice(1, 2)", .text("el")),
      ("slice('key=value', find('key=value', '=') + 1, 99)", .text("value")),
      ("utf8('größe').hex", .text("6772C3B6C39F65")), ("utf8('').size", .integer(0)),
      ("utf8(local-name).text", .text("Belt")),
    ] as [(String, Value)])
  func `cuts and replaces text without breaking a character`(text: String, value: Value) throws {
    #expect(try Self.value(of: text) == value)
  }

  @Test(
    arguments: [
      ("xor(key, bytes('FF'))", "5AF97C"), ("xor(key, bytes('01 00 FF FF'))", "A4067C"),
      ("xor(key, key)", "000000"), ("xor(empty, key)", ""),
      ("key.xor(bytes('A5 06')).xor(bytes('A506'))", "A50683"),
      ("reverse(key)", "8306A5"), ("reverse(empty)", ""), ("address.reverse", "1371DA7D1A00"),
      ("fill(0, 3)", "000000"), ("fill(255, 1)", "FF"), ("fill(1, 0)", ""), ("fill(1, -1)", ""),
      ("fill(1, least)", ""), ("slice(key + fill(0, 8), 0, 5)", "A506830000"),
      ("patch(key, 1, bytes('01'))", "A50183"), ("patch(key, 2, bytes('01 02'))", "A50601"),
      ("patch(key, -1, bytes('01 02'))", "020683"), ("patch(key, -1, bytes('01 02 03 04 05'))", "020304"),
      ("patch(key, 3, bytes('01'))", "A50683"), ("patch(key, -9, bytes('01'))", "A50683"),
      ("patch(key, most, bytes('01'))", "A50683"), ("patch(key, least, bytes('01'))", "A50683"),
      ("patch(key, 0, empty)", "A50683"), ("patch(empty, 0, key)", ""),
      ("bytes(hex(key, ' '))", "A50683"),
    ])
  func `makes bytes of bytes`(text: String, bytes: String) throws {
    #expect(try Self.value(of: "hex(\(text))") == .text(bytes))
  }

  @Test(
    arguments: [
      ("hex(key, ' ')", "A5 06 83"), ("hex(key, ':')", "A5:06:83"), ("hex(key, '')", "A50683"),
      ("hex(empty, ' ')", ""), ("hex(key.slice(0, 1), ' ')", "A5"), ("key.hex(', ')", "A5, 06, 83"),
    ])
  func `writes hex with a separator`(text: String, hex: String) throws {
    #expect(try Self.value(of: text) == .text(hex))
  }

  @Test(
    arguments: [
      ("u8(key, 0)", 0xA5), ("i8(key, 0)", -0x5B), ("u16le(key, 0)", 0x06A5), ("u16be(key, 0)", 0xA506),
      ("i16be(key, 0)", -0x5AFA), ("u24le(key, 0)", 0x8306A5), ("key.u16be(1)", 0x0683),
      ("u16be(key, 2)", 0x8300), ("u16le(key, 2)", 0x83), ("u32be(key, 0)", 0xA506_8300),
      ("u16be(key, -1)", 0xA5), ("u16le(key, 3)", 0), ("u64be(key, most)", 0), ("u64be(key, least)", 0),
      ("u64le(empty, 0)", 0), ("u64be(fill(255, 8), 0)", -1), ("u48le(address, 0)", 0x1371_DA7D_1A00),
      ("u16le(u16le(513), 0)", 513), ("i64le(i64le(least), 0)", .min),
    ] as [(String, Int64)])
  func `reads a number at an index; bytes outside count as 00`(text: String, number: Int64) throws {
    #expect(try Self.value(of: text) == .integer(number))
  }

  @Test(
    arguments: [
      ("sin(0)", 0), ("sin(1)", 0.8414709848078965), ("cos(0)", 1), ("cos(3.141592653589793)", -1),
      ("round(1000 * sin(0.5235987755982988)) / 1000", 0.5), ("level.cos", -0.11038724383904756),
    ])
  func `sine and cosine of radians`(text: String, number: Double) throws {
    guard case .decimal(let found) = try Self.value(of: text) else {
      Issue.record("no decimal number")
      return
    }
    #expect(abs(found - number) < 1e-12)
  }

  /// The frames of RFC 1055, and of RFC 1662 (7D 20).
  @Test(
    arguments: [
      ("slip(bytes('01 C0 02 DB 03'))", "01DBDC02DBDD03"),
      ("unslip(bytes('01 DB DC 02 DB DD 03'))", "01C002DB03"),
      ("slip(empty)", ""), ("unslip(empty)", ""), ("unslip(slip(bytes('C0 DB DC DD')))", "C0DBDCDD"),
      ("escape(bytes('01 7E 7D 13 02'), 0x7D, bytes('7E 13'), 0x20)", "017D5E7D5D7D3302"),
      ("unescape(bytes('01 7D 5E 7D 5D 7D 33 02'), 0x7D, 0x20)", "017E7D1302"),
      // a doubled DLE
      ("escape(bytes('10 02'), 0x10, empty, 0)", "101002"), ("unescape(bytes('10 10 02'), 0x10, 0)", "1002"),
      ("escape(empty, 0, empty, 0)", ""),
    ])
  func `escapes, and takes the escapes away`(text: String, bytes: String) throws {
    #expect(try Self.value(of: "hex(\(text))") == .text(bytes))
  }

  @Test(
    arguments: [
      ("unslip(key + bytes('DB'))", "DB at index 3 is not escaped, as SLIP requires"),
      ("unslip(key + bytes('DB 01'))", "DB 01 at index 3 is not a SLIP escape"),
      ("unslip(key + bytes('C0'))", "C0 at index 3 is not escaped, as SLIP requires"),
      ("unescape(key + bytes('7D'), 0x7D, 32)", "the last byte, 7D, escapes nothing"),
      ("xor(key, empty)", "'xor' repeats its second argument, which is empty"),
      ("replace(key, empty, key)", "'replace' searches for its second argument, which is empty"),
      ("fill(month - 2, 1)", "-1 is not a byte, 0 to 255"),
      ("escape(key, 256 * month, key, 0)", "256 is not a byte, 0 to 255"),
      ("fill(month, 65537)", "65537 bytes; text and bytes have at most 65536"),
      ("fill(month, most)", "9223372036854775807 bytes; text and bytes have at most 65536"),
      ("hex(fill(month, 32769))", "65538 bytes; text and bytes have at most 65536"),
      ("fill(month, 65536) + key", "65539 bytes; text and bytes have at most 65536"),
      ("slip(fill(0xC0 * month, 32769))", "65538 bytes; text and bytes have at most 65536"),
      ("text(fill(0xC0 * month, 65536))", "196608 bytes; text and bytes have at most 65536"),
    ])
  func `what cannot be done ends the expression with a reason`(text: String, reason: String) {
    let error = #expect(throws: EvaluationError.self) { try Self.value(of: text) }
    #expect(error?.description == reason)
  }

  @Test(
    arguments: [
      (
        "find(key)",
        "0-9: 'find' takes bytes and the bytes to find, or two texts; optionally the first index"
      ),
      (
        "find(key, 'a')",
        "0-14: 'find' takes bytes and the bytes to find, or two texts; optionally the first index"
      ),
      (
        "replace('a', 'b')",
        "0-17: 'replace' takes bytes, the bytes to replace and their replacement, or three texts"
      ),
      ("replace('a', '', 'b')", "13-15: 'replace' searches for its second argument, which is empty"),
      ("xor(key, bytes(''))", "9-18: 'xor' repeats its second argument, which is empty"),
      ("xor(key, 1)", "0-11: 'xor' takes two values of bytes"),
      ("reverse('a')", "0-12: 'reverse' takes bytes"),
      ("utf8(key)", "0-9: 'utf8' takes text"), ("fill(256, 1)", "5-8: 256 is not a byte, 0 to 255"),
      ("fill(level, 'a')", "0-16: 'fill' takes a byte as a number, and a count"),
      ("fill(0, 65537)", "0-14: 65537 bytes; text and bytes have at most 65536"),
      ("patch(key, 1)", "0-13: 'patch' takes bytes, an index and the new bytes"),
      ("hex(key, 1)", "0-11: 'hex' takes bytes and, optionally, a text between them"),
      ("sin('a')", "0-8: 'sin' takes one number, in radians"), ("slip('a')", "0-9: 'slip' takes bytes"),
      ("escape(key, 999, key, 1)", "12-15: 999 is not a byte, 0 to 255"),
      (
        "escape(key, 1)",
        "0-14: 'escape' takes bytes, the escape byte, the bytes to escape, and the number for '^'"
      ),
      ("unescape(key, 1, 2, 3)", "0-22: 'unescape' takes bytes, the escape byte, and the number for '^'"),
      ("unslip(bytes('C0'))", "0-19: C0 at index 0 is not escaped, as SLIP requires"),
      ("u16le(key)", "6-9: expected an integer, found bytes"),
      ("u16le(1, 2)", "6-7: expected bytes, found an integer"),
      ("u16le(key, 'a')", "11-14: expected an integer, found text"),
      ("u16le(key, 1, 2)", "0-16: 'u16le' takes one number, or bytes and an index"),
      ("revers(key)", "0-11: unknown function 'revers'"),
    ])
  func `what does not fit is refused with its place`(text: String, error: String) {
    #expect(ExpressionTests.mistake(in: text) == error)
  }

  @Test func `a large constant is not kept, and works all the same`() throws {
    let typed = try ExpressionChecker.check("fill(7, 65536)", in: NameScope())
    #expect(!typed.expression.isConstant)
    #expect(try Self.value(of: "fill(7, 65536).size") == .integer(65536))
  }

  /// A search that begins anew at each byte would take 2^30 steps.
  @Test func `finds a long pattern that almost occurs everywhere`() throws {
    #expect(try Self.value(of: "find(fill(month, 65536), fill(month, 32767) + bytes('00'))") == .integer(-1))
  }

  @Test func `the work of an event has an end, and the next one begins anew`() throws {
    let expression = try ExpressionChecker.check(
      "find(fill(level, 65536), empty)", in: ExpressionTests.World.scope
    )
    .expression
    let context = EvaluationContext(settings: ExpressionTests.World.settings.map(\.value))
    var count = 0
    let error = #expect(throws: EvaluationError.self) {
      while count < 10_000 {
        _ = try expression.evaluate(in: context)
        count += 1
      }
    }
    #expect(error == .tooMuchWork)
    #expect((100..<1000).contains(count))
    context.effort.renew()
    #expect(try expression.evaluate(in: context) == .integer(0))
  }
}
