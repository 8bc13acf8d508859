import Captures
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
    let connections = try Capture(path: path).devices.flatMap(\.connections)
    conversations = connections.map { Conversation(connection: $0) }
    table = ObservedTable(connections: connections)
    var learnt = LearntDefinition(name: "Recorded", summary: "")
    learnt.addServices(table)
    learnt.addLink(connections)
    learnt.addRecordedAnswers(of: conversations, table)
    let files = learnt.dataFiles.map { ($0.name, $0.text) }
    definition = try define(learnt.text, files: Dictionary(uniqueKeysWithValues: files))
  }
}

/// The numbers of responses and values are those of Wireshark (`Captures/README.md`).
@Suite struct RecordedDeviceTests {
  @Test(
    arguments: [
      ("jk-b1a20s15p.btsnoop", "79 of 79 values"),
      ("jk-b5a24s.btsnoop", "614 of 614 values"), ("jk-bd6a24s10p.btsnoop", "171 of 171 values"),
    ])
  func `a recorded device answers as recorded`(name: String, values: String) async throws {
    let device = try RecordedDevice(name)
    let played = try await Rehearsal.play(device.conversations, table: device.table, with: device.definition)
    let result = RehearsalResult(recorded: device.conversations, got: played, definition: device.definition)
    #expect(!result.hasDifferences)
    #expect(result.summary.hasSuffix("and \(values) as recorded"))
  }

  /// It answers each of 261 requests also from FFF3, which has no property for that. A definition cannot.
  @Test func `a recorded treadmill answers from the characteristics that notify`() async throws {
    let device = try RecordedDevice("treadmill.btsnoop")
    let played = try await Rehearsal.play(device.conversations, table: device.table, with: device.definition)
    let result = RehearsalResult(recorded: device.conversations, got: played, definition: device.definition)
    #expect(
      result.summary == "261 of 261 responses and 786 of 1,047 values as recorded; 261 values missing")
  }
}
