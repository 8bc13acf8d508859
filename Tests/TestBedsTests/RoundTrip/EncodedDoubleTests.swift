import DeviceModel
import EventLoop
import Framing
import Learning
import RoundTrip
import TestSupport
import Testing
import Transcripts

@testable import TestBeds

/// Learns recordings of devices that encode what they send, and asks the doubles with bytes that were never recorded.
@Suite struct EncodedDoubleTests {
  struct Encoded: CustomTestStringConvertible, Sendable {
    var name: String
    var framing: String
    /// The zeros after the number of a request and of an answer, and the checksum.
    var ends = ("", "00 00 00 00")
    var checksum: String
    var evidence: String
    /// The request for the number C0 7E, which the recording does not have, on the air, and its answer. Plain, they are
    /// `A5 01 C0 7E` and `A5 81 C0 7E` with their ends.
    var exchange: (request: String, answer: String)

    var testDescription: String { name }
  }

  static let devices = [
    // FF is A5 with 5A; the sums are E4 and 64.
    Encoded(
      name: "a key of one byte",
      framing: #"{ decode: "xor(value, bytes('5A'))", encode: "xor(value, bytes('5A'))" }"#,
      checksum: "sum8", evidence: "XOR 5A: with it, sum8 fits",
      exchange: ("FF 5B 9A 24 BE", "FF DB 9A 24 5A 5A 5A 5A 3E")),
    // Where a byte is zero, the key is on the air.
    Encoded(
      name: "a key of five bytes",
      framing:
        #"{ decode: "xor(value, bytes('1FA033075C'))", encode: "xor(value, bytes('1FA033075C'))" }"#,
      ends: ("{pad(19)}", "{pad(19)}"), checksum: "sum8", evidence: "XOR 1F A0 33 07 5C: with it, sum8 fits",
      exchange: (
        "BA A1 F3 79 5C 1F A0 33 07 5C 1F A0 33 07 5C 1F A0 33 07 B8",
        "BA 21 F3 79 5C 1F A0 33 07 5C 1F A0 33 07 5C 1F A0 33 07 38"
      )),
    Encoded(
      name: "SLIP",
      framing: #"{ delimiter: C0, decode-frame: unslip(frame), encode-frame: "bytes('C0') + slip(frame)" }"#,
      checksum: "crc16-modbus", evidence: "SLIP: with it, crc16-modbus fits",
      exchange: ("C0 A5 01 DB DC 7E A3 08 C0", "C0 A5 81 DB DC 7E 00 00 00 00 22 4E C0")),
    Encoded(
      name: "HDLC",
      framing: #"""
        { delimiter: 7E, decode-frame: "unescape(frame, 0x7D, 0x20)",
            encode-frame: "bytes('7E') + escape(frame, 0x7D, bytes('7E'), 0x20)" }
        """#,
      checksum: "crc16-x-25", evidence: "escapes 7D, XOR 20: with it, crc16-x-25 fits",
      exchange: ("7E A5 01 C0 7D 5E 3B 3A 7E", "7E A5 81 C0 7D 5E 00 00 00 00 F0 03 7E")),
  ]

  private static let numbers = [
    0xC012, 0x7E34, 0xDB56, 0x7D78, 0x119A, 0x12C0, 0x347E, 0x567D, 0x78DB, 0x9A13,
  ]

  @EventLoop @Test(arguments: devices)
  func `the double of a device that encodes answers a request that was never recorded`(device: Encoded)
    async throws
  {
    let original = try define(
      """
      blemu: 1
      name: Encoded
      services:
        - uuid: FFE0
          characteristics: [{ id: FFE1, uuid: FFE1, properties: [write-without-response, notify] }]
      framing:
        FFE1: \(device.framing)
      messages:
        ask: "A5 01 {n: u16be} \(device.ends.0) {\(device.checksum)}"
        told: "A5 81 {n: u16be} \(device.ends.1) {\(device.checksum)}"
      rules: [{ on: { receive: ask }, do: { send: told } }]
      """)
    let double = try await double(of: original, Self.numbers.map { ("ask n=\($0)", "told n=\($0)") })
    let evidence = double.checked.lesson.definition.evidence
    #expect(evidence.contains { $0.claim == device.evidence && $0.agreeing == 10 && $0.cases == 10 })
    try await expect(double.checked.definition, device.exchange.request, device.exchange.answer)
    let transcript = try await RecordedTranscript(
      of: double.checked, double.learner.conversations, double.learner.table)
    #expect(transcript?.failures == [])
    let parser = LineParser(double.checked.definition)
    let written = transcript?.text.split(separator: "\n").compactMap { line -> [UInt8]? in
      guard case .step(let step)? = try? parser.parse(line), case .write(let bytes, _, _) = step.action else {
        return nil
      }
      return bytes
    }
    #expect(written?.contains { $0.starts(with: [0xA5, 0x01, 0xC0, 0x12]) } == true)
  }

  /// The CRC-16/CCITT-FALSE of C0 7E 01 02 03 is A3AA, and that of C0 7E 00 11 22 F6F9 (computed by another program).
  @EventLoop @Test func `a double computes a checksum that comes before what it covers`() async throws {
    let original = try define(
      """
      blemu: 1
      name: Headed
      services:
        - uuid: FFE0
          characteristics: [{ id: FFE1, uuid: FFE1, properties: [write-without-response, notify] }]
      messages:
        ask: "55 AA 01 {check: u16le} {n: u16be} 01 02 03"
        told: "55 AA 81 {check: u16le} {n: u16be} 00 11 22"
      rules:
        - on: { receive: ask }
          do: { send: told, with: { check: "crc16-ccitt-false(u16be(n) + bytes('001122'))" } }
      """)
    let crc = try #require(Checksum.named("crc16-ccitt-false"))
    let exchanges = Self.numbers.map { n in
      let check = try! crc.value(of: [UInt8(n >> 8), UInt8(n & 0xFF), 1, 2, 3].span)
      return ("ask n=\(n) check=\(check)", "told n=\(n)")
    }
    let double = try await double(of: original, exchanges)
    try await expect(
      double.checked.definition, "55 AA 01 AA A3 C0 7E 01 02 03", "55 AA 81 F9 F6 C0 7E 00 11 22")
  }

  /// - Parameter exchanges: what is written to FFE1 and sent from it.
  @EventLoop private func double(
    of original: PeripheralDefinition, _ exchanges: [(String, String)]
  ) async throws -> LearntDouble {
    let lines = exchanges.map { "> FFE1  \($0.0)\n< FFE1  \($0.1)\nwait 1s\n" }
    let recorded = "connect\nsubscribe FFE1\n" + lines.joined()
    return try await LearntDouble(original, parse(recorded, for: original), on: LoopbackTestBed())
  }

  /// A Write Command (52) of the CCCD, one of the value, and the notification (1B).
  @EventLoop private func expect(
    _ definition: PeripheralDefinition, _ request: String, _ answer: String
  ) async throws {
    let asked = """
      connect raw
      >> 52 0D 00 01 00
      >> 52 0C 00 \(request)
      << 1B 0C 00 \(answer)
      """
    #expect(try await failure(of: asked, with: definition) == nil)
  }
}
