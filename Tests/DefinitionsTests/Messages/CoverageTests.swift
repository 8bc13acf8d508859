import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// Whether a message leaves nothing for another.
@Suite struct CoverageTests {
  static let covering: [(String, String)] = [
    ("A5 {a: u8}", "A5 {b: u8}"), ("A5 {a: u8}", "A5 01"), ("A5 {a: u8}", "A5 {b: i8}"),
    ("A5 {a: u16le}", "A5 {b: bcd} {c: u8}"),
    ("A5 {skip(2)}", "A5 {a: u8} {xor8}"), ("A5 {a: u8} {xor8}", "A5 {b: u8} {xor8}"),
    ("A5 {a: u8} {xor8}", "A5 06 {xor8}"),
    ("A5 {a: u8} {xor8}", "A5 06 A3"), ("A5 {a: bytes}", "A5 {b: u8} {xor8}"), ("A5 {a: bytes}", "A5"),
    ("A5 {a: bytes}", "A5 06 {b: bytes} 0A"),
    ("{a: bytes}", "01 {maybe}{b: u8}{end}"), ("A5 {a: bytes}", "A5 {repeat r}{v: u8}{end}"),
    ("A5 {a: bytes(0..3)}", "A5 {b: bytes(1..2)}"),
    ("{bits(a: 4, 5: 4)}", "{bits(0: 4, 5: 4)}"), ("{bits(a: 8)}", "05"), ("{a: bytes} 0A", "{b: bytes} 0A"),
    ("{a: dec} 0A", "31 32 0A"),
    ("{size: u8} {a: bytes}", "{size: u8} {b: u8}"), ("01 {maybe}{a: u8}{end}", "01 02"),
    ("{a: bcd}", "{b: bcd}"), ("{a: u8(on: 1)}", "{b: u8(on: 1)}"), ("{a: f32le}", "{b: u32be}"),
    ("{a: mac}", "{b: bytes(6)}"),
  ]

  static let other: [(String, String)] = [
    ("A5 {a: u8}", "A6 {b: u8}"), ("A5 01", "A5 {b: u8}"), ("A5 {a: u8}", "A5 {b: u16le}"),
    ("A5 {a: u8} {xor8}", "A5 {b: u16le}"),
    ("A5 {a: u8} {xor8}", "A5 {a: u8} {sum8}"), ("A5 {a: u8} {xor8}", "A5 {a: u8} {xor8(1)}"),
    ("A5 {a: u8} {xor8}", "A5 06 A4"),
    ("A5 06 {a: bytes}", "A5 {b: bytes}"), ("A5 {a: bytes(0..3)}", "A5 {b: bytes}"),
    ("A5 {a: bytes} 0A", "A5 {b: bytes} 0D"),
    ("{a: bcd}", "{b: u8}"), ("{a: text}", "{b: bytes}"), ("{a: text(2)}", "{b: u16le}"),
    ("{bits(a: 4, 5: 4)}", "{b: u8}"),
    ("{size: u8} {a: bytes}", "{n: u8} {b: bytes}"), ("01 {maybe}{a: u8}{end}", "{b: u8} {c: u8}"),
    ("A5 {n: u8} {a: bytes}", "A5 {b: bytes}"), ("{a: u8(on: 1)}", "{b: u8}"), ("{a: sfloat}", "{b: u16le}"),
    ("{bits(a(on: 1): 4, b: 4)}", "{bits(a: 4, b: 4)}"),
    ("{size(a): u8}{a: u8}{b: u8}", "{size(b): u8}{a: u8}{b: u8}"), ("A5", "A5 {maybe} 01 {end}"),
  ]

  @Test(arguments: covering)
  func `one that leaves nothing`(first: String, second: String) throws {
    #expect(try message(first).covers(message(second)))
  }

  @Test(arguments: other)
  func `one that leaves something, or may`(first: String, second: String) throws {
    #expect(try !message(first).covers(message(second)))
  }

  @Test(
    arguments: [
      ("AT{rest: text}", "AT+NAME{name: text(1..12)}", true), ("AT{rest: text}", "AT{n: dec}\r\n", true),
      ("AT{rest: text}", "AT{n: u8}", false),
      ("AT{rest: bytes}", "AT{n: u8}", true), ("OK{n: dec(1)}", "OK5", true), ("OK{n: dec(1)}", "OK+", false),
      ("AT", "at", false),
    ])
  func `texts`(first: String, second: String, covers: Bool) throws {
    #expect(try textMessage(first).covers(textMessage(second)) == covers)
  }

  @Test(arguments: [("AT{n: u8}", "at{n: u8}", true), ("AT{n: u8}", "au{n: u8}", false), ("A@", "a`", false)])
  func `texts in either case`(first: String, second: String, covers: Bool) throws {
    #expect(try textMessage(first, ignoringCase: true).covers(textMessage(second)) == covers)
    #expect(
      try textMessage(first, ignoringCase: true).covers(textMessage(second, ignoringCase: true)) == covers)
    #expect(try !textMessage(second).covers(textMessage(first, ignoringCase: true)))
  }

  /// The promise itself, for every pair of many templates: what is covered is read.
  @Test func `what one builds, the other that covers it reads`() throws {
    let all =
      try (Self.covering + Self.other).flatMap { [$0.0, $0.1] }.map { try message($0) }
      + RoundTripTests.templates
    var random = SplitMix64(seed: 31)
    var pairCount = 0
    for first in all {
      for second in all where first.covers(second) {
        pairCount += 1
        for _ in 0..<10 {
          guard let frame = try? second.build(second.randomValues(using: &random)) else { continue }
          #expect(first.match(frame) != nil, "\(first.source) covers \(second.source)")
        }
      }
    }
    #expect(pairCount > 200)
  }

  @Test func `bytes that are known at the beginning`() throws {
    let message = try message("A5 {n: u8} {bits(b: 4, 5: 4)} {skip(1)} {a: bytes} 0A")
    #expect(message.leadingBytes == [.exactly(0xA5), .any, KnownBits(mask: 0x0F, value: 5), .any])
    let text = try textMessage("a1{n: text}", ignoringCase: true)
    #expect(text.leadingBytes.map(\.bytes) == [Array("Aa".utf8), Array("1".utf8)])
  }
}
