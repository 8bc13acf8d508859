import TestSupport
import Testing

@testable import HCIPackets

@Suite struct H4StreamTests {
  /// Adds bytes, and returns the packets that are whole then.
  static func packets(_ bytes: some Sequence<UInt8>, to stream: inout H4Stream) throws -> [[UInt8]] {
    let bytes = Array(bytes)
    let count = stream.fill { memory in
      memory.copyBytes(from: bytes)
      return bytes.count
    }
    #expect(count == bytes.count)
    var packets: [[UInt8]] = []
    while let packet = try stream.next() { packets.append(Array(packet)) }
    return packets
  }

  @Test(
    arguments: [
      "04 0E 04 01 03 0C 00",  // event, Command Complete, 4 bytes
      "04 FF 00",  // event of the vendor, no bytes
      "02 40 20 03 00 AA BB CC",  // data of link 0x0040, 3 bytes
      "03 40 00 02 AA BB",  // synchronous data, 2 bytes
      "05 60 00 01 80 AA",  // isochronous data, 1 byte; the two upper bits are no part of the length
    ])
  func `a packet has as many bytes as its header says`(text: String) throws {
    let packet = bytes(text)
    for cut in 1...packet.count {
      var stream = H4Stream()
      #expect(try Self.packets(packet[..<(cut - 1)], to: &stream) == [])
      #expect(try Self.packets(packet[(cut - 1)...] + [0x04], to: &stream) == [packet])
    }
  }

  @Test func `the type and the header give the length of a packet to send`() {
    func length(_ text: String) -> Int? { bytes(text).withUnsafeBytes(H4PacketType.lengthOfFirstPacket) }
    #expect(length("01 03 0C 00 02 40 00") == 4)
    #expect(length("02 40 00 01 02 AA") == 5 + 0x0201)
    #expect(length("01 03 0C") == nil)
    #expect(length("07 03 0C 00") == nil)
    #expect(length("") == nil)
  }

  @Test func `packets are the same wherever the stream is cut`() throws {
    var random = SplitMix64(seed: 4)
    for _ in 0..<Sample.rounds(of: 500) {
      let packets = (0..<40).map { _ in Self.randomPacket(&random) }
      var rest = packets.flatMap(\.self)[...]
      var stream = H4Stream(capacity: 5000)
      var found: [[UInt8]] = []
      while !rest.isEmpty {
        let count = Int.random(in: 1...900, using: &random)
        found += try Self.packets(rest.prefix(count), to: &stream)
        rest = rest.dropFirst(count)
      }
      #expect(found == packets)
    }
  }

  private static func randomPacket(_ random: inout SplitMix64) -> [UInt8] {
    let length = Int.random(in: 0...255, using: &random)
    let rest = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
    return Bool.random(using: &random)
      ? [0x04, 0x3E, UInt8(length)] + rest : [0x02, 0x40, 0x20, UInt8(length), 0] + rest
  }

  @Test(arguments: [0x00, 0x01, 0x06, 0x53, 0xFF] as [UInt8])
  func `a packet begins with a type that a controller sends`(type: UInt8) {
    var stream = H4Stream()
    #expect(throws: H4Stream.Failure.unknownType(type)) {
      try Self.packets(bytes("04 FF 00") + [type], to: &stream)
    }
  }

  @Test func `a packet has at most 4096 bytes`() throws {
    var stream = H4Stream()
    #expect(try Self.packets(bytes("02 40 20 FB 0F"), to: &stream) == [])
    var other = H4Stream()
    #expect(throws: H4Stream.Failure.tooLong(4097)) {
      try Self.packets(bytes("02 40 20 FC 0F"), to: &other)
    }
  }

  @Test func `random bytes are packets or a failure`() {
    var random = SplitMix64(seed: 5)
    for round in 0..<Sample.rounds(of: 5000) {
      var stream = H4Stream(beginsWithReset: round % 2 == 0)
      let bytes = (0..<64).map { _ in
        UInt8.random(in: 0...(Bool.random(using: &random) ? 5 : 255), using: &random)
      }
      let packets = (try? Self.packets(bytes, to: &stream)) ?? []
      #expect(packets.reduce(0) { $0 + $1.count } <= bytes.count)
    }
  }
}

// MARK: The beginning

extension H4StreamTests {
  static let answer = bytes("04 0E 04 01 03 0C 00")

  @Test(
    arguments: [
      ("", nil), ("FF 00 80", 0xFF), ("BB 04 0E 04 01 09 20 00", 0xBB), ("04 0E 04 01 03", 0x04),
      ("04 3E 13 01 04", 0x04),
    ] as [(String, UInt8?)])
  func `everything before the answer to Reset is skipped on request`(text: String, first: UInt8?) throws {
    for cut in 0...bytes(text).count + Self.answer.count {
      var stream = H4Stream(beginsWithReset: true)
      let all = bytes(text) + Self.answer
      let packets = try Self.packets(all[..<cut], to: &stream) + Self.packets(all[cut...], to: &stream)
      #expect(packets == [Self.answer])
      #expect(stream.firstSkippedByte == first)
    }
  }

  @Test func `after the answer to Reset, nothing is skipped`() throws {
    var stream = H4Stream(beginsWithReset: true)
    #expect(
      try Self.packets(Self.answer + bytes("04 FF 00"), to: &stream) == [Self.answer, bytes("04 FF 00")])
    #expect(throws: H4Stream.Failure.unknownType(0x99)) { try Self.packets([0x99], to: &stream) }
  }
}
