import DefinitionWriter
import Definitions
import Learning
import TestBeds
import TestSupport
import Transcripts

extension FuzzTarget {
  /// Any conversations of a device, as packets of ``table``: the model of its behaviour is a valid definition,
  /// and what was said is a valid transcript for it.
  static let learning = FuzzTarget(
    name: "learning",
    run: { bytes in
      let (learnt, conversations, table) = model(bytes)
      let written = try learnt.written()
      let files = written.dataFiles.map { ($0.name, $0.text) }
      let folder = MemoryFolder(files: Dictionary(files) { first, _ in first })
      let loaded = DefinitionLoader.load(SourceText(name: "learnt.yaml", text: written.text), folder: folder)
      guard let definition = loaded.definition else {
        throw BrokenGuarantee(
          description: "the learnt definition is not valid\n\(loaded.report)\n\(written.text)")
      }
      try guarantee(
        learnt.device.flattened.describedWithoutLayouts == definition.describedWithoutLayouts,
        "another device is read than was learnt\n\(written.text)")
      for conversation in conversations {
        var text = ConversationText(of: table, for: definition)
        text.write(conversation, mtu: 23, upTo: 10_000)
        let source = SourceText(name: "learnt.transcript", text: text.lines.joined(separator: "\n"))
        let mistakes = TranscriptParser.mistakes(in: source, for: definition)
        try guarantee(mistakes.diagnostics.isEmpty, "\(mistakes.report)\n\(source.text)\n\(written.text)")
      }
    },
    describe: { model($0).0.described })

  private static func model(_ bytes: [UInt8]) -> (LearntDefinition, [Conversation], ObservedTable) {
    let device = recordedDevice(bytes)
    let conversations = device.connections.map { Conversation(connection: $0) }
    let table = ObservedTable(connections: device.connections)
    var learnt = LearntDefinition(name: "Learnt", summary: "")
    learnt.addServices(table)
    learnt.addAdvertisement(of: device, table)
    let streams = [ValueStream](conversations, table).map { StreamAnalysis($0) }
    _ = learnt.addModel(streams, of: conversations, table)
    return (learnt, conversations, table)
  }
}
