import Captures
import DefinitionWriter
import Definitions
import DeviceModel
import Learning
import TestSupport
import Testing

@testable import TestBeds

/// A recording of `Tests/CapturesTests/Captures`, and the device that answers as recorded.
private struct RecordedDevice {
  let conversations: [Conversation]
  let table: ObservedTable
  let definition: PeripheralDefinition

  init(_ name: String) throws {
    let path = Repository.path + "Tests/CapturesTests/Captures/" + name
    let device = try #require(Capture(path: path).devices.first { !$0.connections.isEmpty })
    let learner = Learner(device)
    (conversations, table) = (learner.conversations, learner.table)
    var learnt = LearntDefinition(name: "Recorded", summary: "")
    learnt.addServices(table)
    learnt.addLink(device.connections)
    learnt.addRecordedAnswers(of: conversations, table)
    let written = try learnt.written()
    let files = written.dataFiles.map { ($0.name, $0.text) }
    definition = try define(written.text, files: Dictionary(uniqueKeysWithValues: files))
    #expect(definition.modelDescription == learnt.device.flattened.modelDescription)
  }
}

/// The numbers of responses and values are those of Wireshark (`Captures/README.md`).
@Suite struct RecordedDeviceTests {
  @Test(
    arguments: [
      ("jk-b1a20s15p.btsnoop", 79),
      ("jk-b5a24s.btsnoop", 614), ("jk-bd6a24s10p.btsnoop", 171),
    ])
  func `a recorded device answers as recorded`(name: String, values: Int) async throws {
    let device = try RecordedDevice(name)
    let played = try await Rehearsal.play(device.conversations, table: device.table, with: device.definition)
    let result = RehearsalResult(recorded: device.conversations, got: played, definition: device.definition)
    #expect(!result.hasDifferences)
    #expect(result.valueCounts.recorded == values)
  }

  /// It answers each of 261 requests also with the handle of a descriptor, 0x0012.
  @Test func `a recorded treadmill answers also with the handle of a descriptor`() async throws {
    let device = try RecordedDevice("treadmill.btsnoop")
    let played = try await Rehearsal.play(device.conversations, table: device.table, with: device.definition)
    let result = RehearsalResult(recorded: device.conversations, got: played, definition: device.definition)
    #expect(result.summary == "1,308 of 1,308 answers as recorded")
  }
}
