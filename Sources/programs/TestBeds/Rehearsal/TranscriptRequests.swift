import Captures
import DeviceModel
import EventLoop
import Learning
import Transcripts

/// What a central asks a device in its transcripts.
package struct TranscriptRequests: Sendable {
  private let definition: PeripheralDefinition
  /// By section.
  private let conversations: [[Conversation]]
  package let table: ObservedTable
  /// The number of sections that a central alone cannot hold.
  package let omitted: Int

  /// Holds the sections with their device, in memory.
  ///
  /// - Throws: ``TransportError`` if the device cannot start.
  @EventLoop
  package init(in sections: [Transcript.Section], of definition: PeripheralDefinition) async throws {
    self.definition = definition
    var connections: [[CapturedConnection]] = []
    for section in sections where section.needsOnlyCentral {
      let testBed = LoopbackTestBed()
      let recorder = LinkRecorder { [unowned testBed] in testBed.now }
      testBed.device.recorder = recorder
      _ = try await SectionRunner(section, of: definition, on: testBed)
        .run(settings: definition.settings.map(\.initial))
      connections.append(recorder.connections)
    }
    omitted = sections.count - connections.count
    table = ObservedTable(connections: Array(connections.joined()))
    conversations = connections.map { $0.map(Conversation.init(connection:)) }
  }

  /// Whether no section that a central alone can hold reads, writes or receives anything.
  package var isEmpty: Bool { conversations.joined().allSatisfy(\.exchanges.isEmpty) }

  /// How another device answers, compared with the device of the transcripts. Each section begins with fresh devices.
  @EventLoop
  package func answers(of other: PeripheralDefinition) async throws -> RehearsalResult {
    var (own, others): ([Conversation], [Conversation]) = ([], [])
    for section in conversations {
      own += try await Rehearsal.play(section, table: table, with: definition)
      others += try await Rehearsal.play(section, table: table, with: other)
    }
    return RehearsalResult(recorded: own, got: others, definition: definition)
  }
}

extension Transcript.Section {
  /// Whether nobody sets the device up, operates it, uses its wire side or adds faults.
  fileprivate var needsOnlyCentral: Bool {
    settings.isEmpty
      && steps.allSatisfy { step in
        switch step.action {
        case .control, .putIntoWire, .addFault, .removeFault, .removeFaults: false
        default: true
        }
      }
  }
}
