import Captures
import Framing
import Learning
import TestSupport
import Testing

/// What real recordings show. The counts of frames and checksums are those of `Captures/README.md`, counted by another program.
struct RecordedStreamTests {
  private static func analyses(_ name: String) throws -> [StreamAnalysis] {
    let capture = try Capture(path: Repository.path + "Tests/CapturesTests/Captures/\(name).btsnoop")
    return capture.devices.flatMap { device in
      [ValueStream](
        device.connections.map { Conversation(connection: $0) },
        ObservedTable(connections: device.connections)
      ).map { StreamAnalysis($0) }
    }
  }

  @Test(arguments: [("jk-b1a20s15p", 36), ("jk-b5a24s", 134), ("jk-bd6a24s10p", 57)])
  func `a battery system sends frames of 300 bytes in several values, and short ones between them`(
    name: String, count: Int
  ) throws {
    let analyses = try Self.analyses(name)
    let sent = try #require(
      analyses.filter { $0.stream.direction == .fromDevice }.max {
        $0.stream.values.count < $1.stream.values.count
      })
    let sum = CheckField(try #require(Checksum.named("sum8")))
    #expect(
      sent.framing
        == FramingRule(
          .alternatives([
            PacketFormat(start: [0x55, 0xAA, 0xEB, 0x90], extent: .fixed(300), check: sum),
            PacketFormat(start: [0xAA, 0x55, 0x90, 0xEB], extent: .fixed(20), check: sum),
          ])))
    #expect(sent.frames.count { $0.bytes.count == 300 } == count)
    #expect(sent.messages.map(\.name).sorted() == ["value-01", "value-02", "value-03", "value-C8"])
    let status = try #require(sent.messages.first { $0.name == "value-02" })
    #expect(status.parts.first == .constant([0x55, 0xAA, 0xEB, 0x90, 0x02]))
    #expect(status.parts[1] == .field(LearntField("count-5", width: 1, .counter(.bigEndian, step: 1))))
    #expect(status.parts.last == .checksum(sum.checksum, from: 0))

    let requests = try #require(
      analyses.first { $0.stream.direction == .fromCentral && $0.frames.first?.bytes.count == 20 })
    #expect(requests.framing == nil)
    let names = requests.messages.map(\.name)
    #expect(names.contains("request-96") && names.contains("request-97"))
    #expect(requests.messages.allSatisfy { $0.parts.last == .checksum(sum.checksum, from: 0) })
  }

  @Test func `a treadmill's packets have a length field and come in many values`() throws {
    let analyses = try Self.analyses("treadmill").filter { $0.framing != nil }
    let format = PacketFormat(
      start: [0x55, 0xAA],
      extent: .lengthField(LengthField(at: 6, width: 2, byteOrder: .littleEndian, counts: .rest, adjust: 2)))
    #expect(
      analyses.map(\.framing) == [
        FramingRule(.packet(format), maxLength: 1024), FramingRule(.packet(format), maxLength: 1024),
      ])
    #expect(analyses.allSatisfy { $0.unframed.isEmpty })
    #expect(Set(analyses.flatMap { $0.frames.map(\.values.count) }).max() == 38)
    let claim = "crc16-ccitt-false-le at byte 8 over byte 10 to the end"
    #expect(
      analyses.flatMap(\.evidence).filter { $0.claim == claim } == [
        Evidence(claim, at: "FFF3 <-", agreeing: 35, of: 35),
        Evidence(claim, at: "FFF4 ->", agreeing: 104, of: 104),
      ])
  }
}
