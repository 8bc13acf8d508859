import TestSupport
import Testing

@testable import Definitions
@testable import DeviceModel

/// What a template may be, and what nobody could read.
@Suite struct TemplateMistakeTests {
  @Test(
    arguments: [
      "{a: bytes} 0D {b: bytes}", "{a: bytes} {b: u8} 0D {c: bytes}", "{size(a): u8} {a: bytes} {b: bytes}",
      "{a: bytes} {maybe} 2C {b: bytes} {end}", "{a: bytes} {maybe} 2C {b: u8} {end} 0D {c: bytes}",
      "{maybe} 2C {b: bytes} 2C {end} {c: bytes}", "{repeat items}{v: bytes} 00 {end} {rest: bytes}",
      "{count(items): u8}{repeat items}{v: u8}{end}{rest: bytes}",
      "{repeat items(2)}{v: u8}{end}{rest: bytes}",
      "{n: u8}{if n}{a: u8}{end}{rest: bytes}", "{n: u8}{if n}{a: bytes}{end}",
      "{n: u8}{if n}{a: u8}{end}{pad(9)}",
      "{size(a): u8}{a: bytes}{pad(20)}", "{a: dec(3)}{b: bytes}",
      "{repeat items}{size(v): u8}{v: bytes}{end}",
    ])
  func `borders that a frame shows`(template: String) {
    #expect(mistake(in: template) == nil)
  }

  @Test(
    arguments: [
      ("{a: bytes}{b: bytes}", "'a' ends and 'b' begins"),
      ("{a: bytes}{n: u8}{b: text}", "'a' ends and 'b' begins"),
      ("{a: dec}{b: text}", "'a' ends and 'b' begins"), ("{a: hex}{b: dec}", "'a' ends and 'b' begins"),
      ("{a: bytes(0..2)}{b: bytes}", "'a' ends and 'b' begins"),
      ("{a: bytes}{xor8}{b: bytes}", "'a' ends and 'b' begins"),
      ("{a: bytes}{size(b): u8}{b: bytes}", "'a' ends and 'b' begins"),
      ("{a: bytes}{pad(9)}", "'a' ends and the padding begins"),
      ("{a: bytes}{maybe}{b: u8}{end}", "'a' ends and an optional part begins"),
      ("{maybe}{a: u8}{end}{b: bytes}", "an optional part ends and 'b' begins"),
      ("{maybe}{a: u8}{end}{maybe}{b: u8}{end}", "an optional part ends and the next one begins"),
      ("{a: bytes}{maybe} 2C {end}{b: bytes}", "'a' ends and 'b' begins"),
      ("{n: u8}{a: bytes}{if n} 2C {end}{b: bytes}", "'a' ends and 'b' begins"),
      ("{n: u8}{if n}{a: bytes}{end}{b: bytes}", "'a' ends and 'b' begins"),
      ("{repeat items}{v: u8}{end}{b: bytes}", "'items' ends and 'b' begins"),
      ("{a: bytes}{repeat items}{v: u8}{end}", "'a' ends and 'items' begins"),
      ("{repeat items}{v: bytes}{end}", "'v' ends and the next one begins"),
      ("{count(items): u8}{repeat items}{v: bytes}{end}", "'v' ends and the next one begins"),
      ("{repeat items} 00 {v: bytes}{end}{b: bytes}", "'v' ends and 'b' begins"),
      ("{maybe}{size(a): u8}{a: bytes}{end}{b: bytes}", "an optional part ends and 'b' begins"),
    ])
  func `borders that a receiver cannot tell`(template: String, border: String) {
    #expect(mistake(in: template) == "a receiver cannot tell where \(border)")
  }

  @Test(
    arguments: [
      ("{maybe}{a: u8}", "the block has no end"), ("{n: u8}{if n}{a: u8}", "the block has no end"),
      ("{a: u8}{end}", "'end' without a block"),
      ("{maybe}{n: u8}{if n}{a: u8}{end}{end}", "a block inside a block"),
      (
        "{repeat a}{repeat b}{v: u8}{end}{end}",
        "a receiver cannot tell where 'b' ends and the next one begins"
      ),
      (
        "{repeat a}{repeat b}{repeat c}{repeat d}{repeat e}{v: u8}{end}{end}{end}{end}{end}",
        "repeated parts are nested too deep"
      ),
      ("{repeat a}{maybe}{if n}{v: u8}{end}{end}{end}", "a block inside a block"),
      ("{repeat a}{n: u8}{repeat b(1)}{n: u8}{n: u8}{end}{end}", "a second field 'n'"),
      ("{repeat a}{n: u8}{repeat b(1)} 00 {end}{end}", "a repeated part needs a field"),
      ("{repeat a}{n: u8}{repeat b(1)}{v: u8}{pad(4)}{end}{end}", "'pad' fills up the message, not a row"),
      ("{repeat a}{size(v): u8}{repeat b(1)}{v: u8}{end}{end}", "no field 'v' to measure"),
      (
        "{repeat a}{repeat b(1)}{v: u8}{end}{if v}{w: u8}{end}{end}",
        "there is no field 'v' before this block"
      ),
      ("{maybe}{maybe}{a: u8}{end}{end}", "a block inside a block"),
      (
        "{n: u8}{if n}{repeat a}{maybe}{v: u8}{end}{end}{end}",
        "a receiver cannot tell where an optional part ends and the next one begins"
      ),
      ("{maybe}{end}", "an optional part needs at least one byte"),
      ("{maybe}{a: bytes}{end}", "an optional part needs at least one byte"),
      ("{repeat a}{v: bytes}{end}", "a receiver cannot tell where 'v' ends and the next one begins"),
      ("{repeat a}{size: u8}{v: u8}{end}", "a repeated part cannot contain the size of the message"),
      ("{repeat a}{v: u8}{pad(4)}{end}", "'pad' fills up the message, not a row"),
      ("{repeat a} 00 {end}", "a repeated part needs a field"),
      ("{repeat}{v: u8}{end}", "a repeated part needs a name"),
      ("{repeat 1st}{v: u8}{end}", "a repeated part needs a name"),
      ("{repeat a(0)}{v: u8}{end}", "a part can repeat 1 to 4096 times"),
      ("{repeat a(1, 2)}{v: u8}{end}", "a part can repeat 1 to 4096 times"),
      ("{repeat a(2..1)}{v: u8}{end}", "2 is more than 1"),
      ("{repeat a(9999)}{v: u8}{end}", "a part can repeat 1 to 4096 times"),
      ("{a: u8}{repeat a}{v: u8}{end}", "a second field 'a'"),
      ("{repeat a}{v: u8}{v: u8}{end}", "a second field 'v'"),
      ("{bits(a: 4, a: 4)}", "a second field 'a'"),
      ("{if n}{a: u8}{end}", "there is no field 'n' before this block"),
      ("{if n}{a: u8}{end}{n: u8}", "'n' comes after this block"),
      ("{n: text(2)}{if n}{a: u8}{end}", "'n' is not a number"),
      ("{repeat r(1)}{n: u8}{end}{if n}{a: u8}{end}", "there is no field 'n' before this block"),
      ("{size(b): u8}{a: bytes}", "no field 'b' to measure"),
      ("{count(a): u8}{a: bytes}", "'a' is not repeated"),
      ("{count(b): u8}{a: bytes}", "no field 'b' to measure"),
      ("{size(v): u8}{repeat a}{v: u8}{end}", "no field 'v' to measure"),
      ("{size(a): u8}{maybe}{n: u8}{a: bytes}{end}", "'a' is not in the same block as its length"),
      ("{a: bytes}{repeat r(1)}{size(a): u8}{v: u8}{end}", "no field 'a' to measure"),
      ("{size(a): bytes}{a: bytes}", "'bytes' cannot hold a length"),
      ("{size: dec}", "'dec' cannot hold a length"),
      ("{size(a: u8}{a: bytes}", "unknown checksum 'size'"),
      ("{size * 2: u8}", "expected the size of something"),
      ("{size(a) + b: u8}{a: u8}", "expected the size of something"),
      ("{size(a): u8}{a: bytes(300)}", "'u8' cannot hold this length"),
      ("{a: bytes(300)}{size(a): u8}", "'u8' cannot hold this length"),
      ("{size(a) - 9: u8}{a: u8}", "'u8' cannot hold this length"),
      ("{size: u8}{a: bytes(255)}", "'u8' cannot hold this length"),
      ("{count(r): bcd}{repeat r(100)}{v: u8}{end}", "'bcd' cannot hold this length"),
      ("{bits(a: 3, b: 4)}", "7 bits do not make whole bytes"),
      (
        "{bits(a: 64, b: 64, c: 64, d: 64, e: 64, f: 64, g: 64, h: 64, i: 8)}",
        "520 bits are too many for one hole"
      ),
      ("{bits(a: 104)}", "104 bits are too many for one number"),
      ("{bits(a: 0, b: 8)}", "expected names with their numbers of bits"),
      ("{bits(a)}", "expected names with their numbers of bits"),
      ("{bits}", "expected names with their numbers of bits"),
      ("{bits(a: 6, 4: 2)}", "4 does not fit into 2 bits"), ("{bits(1st: 8)}", "'1st' is not a name"),
      ("{pad}", "'pad' takes the size to fill up to and, optionally, the byte to fill with"),
      ("{pad(15, GG)}", "'pad' takes the size to fill up to and, optionally, the byte to fill with"),
      ("01 02 03 {pad(2)}", "the message already has more than 2 bytes"),
      ("{skip(0)}", "expected a number of bytes"),
      ("{a: bytes(4096)} 00", "the message has at least 4097 bytes"),
      ("{repeat r(2)}{v: bytes(4000)}{end}", "the message has at least 8000 bytes"),
      ("{a: u8} {xor8(1)}", "a checksum covers bytes before it"),
      ("{a: u8} {xor8(1, 0)}", "a checksum covers bytes before it"),
      ("{a: bytes(0..4)} {xor8(0, 4)}", "a checksum covers bytes before it"),
      ("{sum16(0, 0)} 01", "a checksum covers bytes before it"),
      ("{xor8(1, 2, 3)}", "a checksum covers from one index to another"),
      ("{a 'b: u8}", "the text has no closing '"), ("{a {b: u8}}", "'{' has no closing '}'"),
      ("}", "'}' without '{'"),
    ])
  func `what is no template`(template: String, message: String) {
    #expect(mistake(in: template) == message)
  }

  @Test func `whatever is written, a template is read or has a mistake that lies in it`() {
    let pieces = [
      "A5", " ", "{", "}", "{{", "a", "b", ": u8", ": bytes", ": text(1..3)", "{a: bytes}", "{b: dec}",
      "{maybe}", "{if a}", "{repeat r}", "{repeat r(2)}",
      "{end}", "{size: u8}", "{size(a): u8}", "{count(r): u8}", "{pad(9)}", "{skip(2)}", "{bits(", "c: 4, ",
      "d: 4)}", "{xor8", "(1", ", 2)", "}", "'", "\"", "(", ")",
      ":", "é", "{c: bcd(9)}", "{d: hex(2..1)}", "0..",
    ]
    var random = SplitMix64(seed: 11)
    var readCount = 0
    for _ in 0..<6000 {
      let text = (0..<Int.random(in: 1...9, using: &random)).map { _ in pieces.randomElement(using: &random)!
      }.joined()
      let form: MessageTemplate.Form = Bool.random(using: &random) ? .bytes : .text(ignoringCase: false)
      do {
        _ = try MessageTemplate(name: "m", template: text, form: form)
        readCount += 1
      } catch {
        #expect(error.range.upperBound <= text.unicodeScalars.count)
      }
      _ = try? MessageTemplate.Inline(text, form: form)
    }
    #expect(readCount > 150)
  }
}
