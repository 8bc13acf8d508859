import DeviceModel
import Framing
import TestSupport
import Testing

@testable import Behavior

/// `bytes-of`: what a message of a rule would be.
@Suite struct BytesOfTests {
  private static let templates = [
    "01 {a: u8} {b: i16be} {xor8}",
    "{size: u8} {a: varint} {b: varint(signed)} {c: varint(on: 1, off: 300)} {d: bytes}",
    "{bits(a: 40, b: 64, 5: 3, c: 13)} {bitsle(d: 60, e(x: 1, y: 70): 12)} {sum16}",
    "03 {protobuf(1 a: varint, 2 b: text, 3 c: bool, 4 d: optional varint(signed), 5 e: repeated u32le)}",
    "{size(m): varint} {m: protobuf(1 k: varint, 2 l: protobuf(1 n: repeated text), 3 o: bytes)} {crc16-modbus}",
    "{a: u8} {if a}{b: u16le}{end} {count(items): u8} {repeat items}{t: u8}{size(v): u8}{v: bytes}{end}",
  ]

  /// The fields of a received message are values of their names.
  @Test(arguments: templates) func `of the fields of a message, it is the frame`(template: String) throws {
    var conversation = try Conversation(
      device(
        """
        services: [{ uuid: FFE0, characteristics: [{ id: in, uuid: FFE1, properties: [write] }] }]
        messages: { m: "\(template)" }
        rules: [{ on: { receive: m }, do: { log: "{bytes-of(m) == frame} {hex(bytes-of(m))}" } }]
        """))
    let message = conversation.definition.messages[0]
    var random = SplitMix64(seed: 3)
    for _ in 0..<Sample.rounds(of: 200) {
      guard let frame = try? message.build(message.randomValues(using: &random)), frame.count <= 512 else {
        continue
      }
      let line = "> in \(HexText.format(frame))"
      #expect(conversation.play(line) == "\(line)\n* true \(frame.hexDigits)")
    }
  }

  @Test func `has values for its fields, and none for those of an absent part`() throws {
    try expect(
      """
      messages: { m: "A5 {a: u8} {if a}{b: u16be}{end} {xor8}", ask: "{a: u8}" }
      variables: { kept: { type: bytes, max: 9, default: "" } }
      rules:
        - { on: { receive: { bytes: "00" }, from: in }, do: { log: "{hex(bytes-of(m, a: 0))}" } }
        - { on: { receive: ask, from: in }, do: [{ set: { kept: "bytes-of(m, b: a * 256)" } }, { log: "{hex(kept)}" }] }
      """,
      """
      > in 00
      * A500A5
      > in 07
      * A5070700A5
      """)
  }
}

extension [UInt8] {
  fileprivate var hexDigits: String { HexText.format(self).filter { $0 != " " } }
}
