import Definitions
import TestSupport
import Testing

/// Streams whose bytes are encoded on the air.
@Suite struct CodingTests {
  private func expect(
    _ sections: String, _ transcript: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var conversation = try Conversation(definition(RuleTests.services + sections))
    #expect(conversation.play(transcript) == transcript, sourceLocation: sourceLocation)
  }

  /// Each byte with its bits 4 and 5 exchanged with the setting's: two bytes a value.
  private static let key = """
    settings: { key: { type: integer, min: 0, max: 255, default: 0x55 } }
    framing:
      in:
        start: A5
        length: { at: 1, counts: frame }
        check: xor8
        decode: "u8(value[0] ^ key) + if(value.size > 1, u8(value[1] ^ key), value.slice(0, 0)) + value.slice(2, 512)"
      out: { encode: "u8(value[0] ^ key) + value.slice(1, 512)" }
    messages: { ask: "A5 {size: u8} {n: u8} {xor8}", answer: "A5 {n: u8}" }

    """

  private static let scenarios: [Scenario] = [
    Scenario(
      "a value is decoded before it is cut into frames, and encoded before it is sent",
      """
      \(key)rules: [{ on: { receive: ask }, do: { send: answer, to: out } }]
      """,
      """
      > in F0 51 07 A6
      plain in A5 04 07 A6
      plain out A5 07
      < out F0 07
      > in F0
      plain in A5
      > in 51
      plain in 04
      > in 52 F3
      plain in 07 A6
      plain out A5 07
      < out F0 07
      """),
    Scenario(
      "a rule changes the key",
      """
      \(key)rules: [{ on: { receive: ask }, do: [{ set: { key: n } }, { send: answer, to: out }] }]
      """,
      """
      > in F0 51 00 A1
      keeps 0
      plain in A5 04 00 A1
      < out A5 00
      > in A5 04 07 A6
      keeps 7
      plain out A5 07
      < out A2 07
      """),
    Scenario(
      "what has no decoding is discarded, and the log says why",
      """
      framing: { in: { decode: "bytes(text(value))" } }
      rules: [{ on: { receive: any }, do: { log: "{hex(frame)}" } }]
      """,
      """
      > in 34 31
      plain in 41
      * 41
      > in 4F 4B
      ! in 4F 4B: cannot be decoded: 'OK' is not bytes in hex
      """),
    Scenario(
      "a frame is decoded after it is found, and encoded before its delimiter is added",
      """
      \(stuffing)rules:
        - { on: { receive: ask }, do: { send: answer, to: out } }
        - { on: { receive: any }, do: { log: "{hex(frame)}" } }
      """,
      """
      > in 7E 7D 5E 7D 7E
      plain in 7E 7D
      plain out 7D 7D
      < out 7E 7D 5D 7D 7E
      > in 41
      > in 42 7E 7E 7E
      * 4142
      """),
    Scenario(
      "an encoding that fails ends the rule",
      """
      framing: { out: { encode: "u8(1 // value[0])" } }
      rules: [{ on: { receive: any }, do: [{ send: { bytes: "{frame}" }, to: out }, { log: sent }] }]
      """,
      """
      > in 01
      < out 01
      * sent
      > in 00
      * line 10: division by zero
      """),
    Scenario(
      "the checksum is that of the decoded frame, and start and tail stay as they are",
      """
      framing:
        in: { start: 3A, tail: 0D, check: xor8, decode-frame: "bytes(text(frame))" }
        out: { start: 3A, tail: 0D, decode-frame: "bytes(text(frame))", encode-frame: "hex(frame)" }
      messages: { ask: "3A {n: u8} {xor8} 0D", answer: "3A {n: u8} 0D" }
      rules:
        - { on: { receive: ask }, if: n == 0, do: { send: { text: OK }, to: out } }
        - { on: { receive: ask }, do: { send: answer, to: out } }
      """,
      """
      > in 3A 34 31 37 42 0D
      plain in 3A 41 7B 0D
      plain out 3A 41 0D
      < out 3A 34 31 0D
      > in 3A 34 31 37 43 0D
      ! in 3A 34 31 37 43 0D: checksum is 7C, should be 7B
      > in 3A 0D
      ! in 3A 0D: length 2 is outside 3 to 512
      > in 3A 30 30 33 41 0D
      plain in 3A 00 3A 0D
      * line 14: the message does not begin with 3A and end with 0D
      """),
    Scenario(
      "bytes that cross the bridge are decoded and encoded",
      """
      wire: { bridge: { from: in, to: out } }
      framing:
        in: { decode: "upper(text(value))" }
        out: { encode: "value + bytes('00')" }
        wire: { delimiter: 0A }
      """,
      """
      > in 61 62
      plain in 41 42
      [ 41 42
      ] 63 0A
      plain out 63 0A
      < out 63 0A 00
      """),
  ]

  @Test(arguments: scenarios) func `a scenario goes as written`(scenario: Scenario) throws {
    try expect(scenario.device, scenario.transcript, sourceLocation: scenario.place)
  }

  /// Bytes of 7D and 7E are 7D 5D and 7D 5E on the air; here, only where they are the first.
  private static let stuffing = """
    values: { escaped: "bytes('7D')" }
    framing:
      in: { delimiter: 7E, decode-frame: "if(frame[0] == 0x7D, u8(frame[1] ^ 0x20) + frame.slice(2, 512), frame)" }
      out:
        delimiter: 7E
        encode-frame: "bytes('7E') + if(frame[0] == 0x7E or frame[0] == 0x7D, escaped + u8(frame[0] ^ 0x20) + frame.slice(1, 512), frame)"
    messages: { ask: "7E {n: u8}", answer: "{n: u8} {xor8}" }

    """

  @Test func `the reference has streams that work in both directions`() throws {
    let examples = Page.language.flatMap { $0.blocks("yaml") }
    let example = try #require(examples.first { $0.text.contains("decode-frame") })
    let rules =
      "\nrules: [{ on: { receive: any }, do: [{ log: '{hex(frame)}' }, { send: { bytes: '{frame}' } }] }]\n"
    var conversation = try Conversation(definition(example.text + rules))
    let transcript = """
      > slip C0 01 DB DC 02 C0
      plain slip 01 C0 02
      * 01C002
      plain slip 01 C0 02
      < slip C0 01 DB DC 02 C0
      > hdlc 7E 01 7D 5E 7D 5D 7E
      plain hdlc 01 7E 7D
      * 017E7D
      plain hdlc 01 7E 7D
      < hdlc 7E 01 7D 5E 7D 5D 7E
      > keyed FF C7 59 61
      plain keyed A5 04 03 A2
      * A50403A2
      plain keyed A5 04 03 A2
      < keyed FF C7 59 61
      > dongle 30 31 20 30 63 0D
      plain dongle 30 31 30 43 0D
      * 30313043
      < dongle 30 31 30 43
      """
    #expect(conversation.play(transcript) == transcript)
  }

  static let shapes = [
    "start: 01, length: { at: 1, counts: frame }, check: xor8", "start: 01, tail: 02 02",
    "tail: 03, check: sum8", "size: 3",
    "size: 4, tail: 01", "delimiter: 01 02",
  ]

  /// Random values, each the same on every run.
  @Test(arguments: shapes)
  func `an encoding that changes nothing changes nothing`(shape: String) throws {
    let rules =
      "rules: [{ on: { receive: any }, do: [{ log: '{hex(frame)}' }, { send: { bytes: '{frame}' }, to: out }] }]"
    let plain = definition(RuleTests.services + "framing: { in: { \(shape) } }\n" + rules)
    // A bad checksum discards the whole frame if that is decoded.
    let hasDecodedFrames = shape.contains("tail") && !shape.contains("check")
    let codings = "decode: value, encode: value" + (hasDecodedFrames ? ", decode-frame: frame" : "")
    let coded = definition(
      RuleTests.services
        + "framing: { in: { \(shape), \(codings) }, out: { decode: value, encode: value } }\n" + rules)
    var random = SplitMix64(seed: 5)
    var frameCount = 0
    for _ in 0..<50 {
      let writes = (0..<8).map { _ in
        "> in" + (0..<1 + random.next() % 9).map { _ in " 0\(random.next() % 5)" }.joined()
      }
      let transcript = (["+"] + writes + ["-"]).joined(separator: "\n")
      var (one, other) = (try Conversation(plain), try Conversation(coded))
      let played = one.play(transcript)
      #expect(other.play(transcript) == played)
      frameCount += played.ranges(of: "\n* ").count
    }
    #expect(frameCount > 0)
  }

}
