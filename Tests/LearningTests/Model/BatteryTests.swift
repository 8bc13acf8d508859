import Framing
import Testing

@testable import Learning

/// The recorded battery systems, whose frames are cut by hand: what they do with requests that were never recorded.
struct BatteryTests {
  struct Battery: CustomTestStringConvertible, Sendable {
    var file: String
    /// The characteristics that are written and that send.
    var inlet = "FFE1"
    var outlet = "FFE1"
    /// The counter of the first answer.
    var counter: UInt8
    /// How many frames a report has, and how many of their intervals are about a period, of how many.
    var reports: (period: String, agreeing: Int, of: Int)
    /// Whether an answer ends in the value in which the next one begins.
    var joinsAnswers = false

    var testDescription: String { file }
  }

  static let batteries = [
    Battery(
      file: "jk-b1a20s15p", inlet: "FFE1-0003", outlet: "FFE1-0005", counter: 0x74, reports: ("530ms", 27, 28)
    ),
    Battery(file: "jk-b5a24s", counter: 0xEE, reports: ("530ms", 117, 129)),
    Battery(file: "jk-bd6a24s10p", counter: 0x0A, reports: ("430ms", 50, 52), joinsAnswers: true),
  ]

  @Test(arguments: batteries)
  func `a battery answers both commands with any bytes after them`(battery: Battery) throws {
    let cut = try HandCut(battery.file + ".btsnoop")
    var definition = LearntDefinition(name: "Battery", summary: "")
    definition.addServices(cut.table)
    let modelled = definition.addModel(cut.streams, of: cut.conversations, cut.table)
    #expect(modelled == Set(cut.streams.map(\.stream.handle)))
    var memory = try MemoryDevice(definition)
    #expect(memory.subscribe(to: battery.outlet) == [])

    for (command, type) in [(0x97, 3), (0x96, 1)] as [(UInt8, UInt8)] {
      let sent =
        memory.write(Self.command(command), to: battery.inlet) + memory.wait(400).map(Self.withoutTime)
      #expect(sent.count == (battery.joinsAnswers ? 1 : 2))
      let bytes = sent.joined(separator: " ").split(separator: " ")
      Self.expectFrame(bytes.prefix(300).joined(separator: " "), type: type, counter: battery.counter)
      #expect(
        bytes.dropFirst(300).joined(separator: " ")
          == "AA 55 90 EB C8 01 01 00 00 00 00 00 00 00 00 00 00 00 00 44")
    }

    let reports = memory.wait(1200).map(Self.withoutTime)
    #expect(reports.count >= 2)
    Self.expectFrame(reports.first, type: 2, counter: battery.counter)
    Self.expectFrame(reports.dropFirst().first, type: 2, counter: battery.counter &+ 1)
    #expect(
      definition.evidence.contains(
        Evidence(
          "report-2 every \(battery.reports.period), from request-96 on", at: "\(battery.outlet) ->",
          agreeing: battery.reports.agreeing, of: battery.reports.of)))
  }

  @Test func `a setting that one command writes is in the answer to another`() throws {
    let cut = try HandCut("jk-b5a24s.btsnoop")
    var definition = LearntDefinition(name: "Battery", summary: "")
    definition.addServices(cut.table)
    _ = definition.addModel(cut.streams, of: cut.conversations, cut.table)
    #expect(
      definition.evidence.contains(
        Evidence("bytes-74 of answer-96 is bytes-6 of the last request-44", at: "FFE1 ->", agreeing: 3, of: 3)
      )
    )
  }

  /// A command with bytes that no recording has, and the sum of its bytes.
  private static func command(_ number: UInt8) -> String {
    let bytes: [UInt8] = [0xAA, 0x55, 0x90, 0xEB, number, 0] + (1...13).map { $0 &* 17 }
    return HexText.format(bytes + [bytes.reduce(0, &+)])
  }

  private static func withoutTime(_ line: String) -> String { String(line.drop { $0 != " " }.dropFirst()) }

  /// A frame has 300 bytes, and the last is the sum of all others.
  private static func expectFrame(_ line: String?, type: UInt8, counter: UInt8) {
    let bytes = (line ?? "").split(separator: " ").compactMap { UInt8($0, radix: 16) }
    #expect(bytes.count == 300)
    #expect(bytes.prefix(6) == [0x55, 0xAA, 0xEB, 0x90, type, counter])
    #expect(bytes.last == bytes.dropLast().reduce(0, &+))
  }
}
