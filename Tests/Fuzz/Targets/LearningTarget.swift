import Definitions
import Learning
import TestSupport

extension FuzzTarget {
  /// Any conversations of a device, as packets of ``table``: the model of its behaviour is a valid definition.
  static let learning = FuzzTarget(
    name: "learning",
    run: { bytes in
      let learnt = model(bytes)
      let files = learnt.dataFiles.map { ($0.name, $0.text) }
      let folder = MemoryFolder(files: Dictionary(files) { first, _ in first })
      let loaded = DefinitionLoader.load(SourceText(name: "learnt.yaml", text: learnt.text), folder: folder)
      try guarantee(
        loaded.definition != nil, "the learnt definition is not valid\n\(loaded.report)\n\(learnt.text)")
    },
    describe: { model($0).text })

  private static func model(_ bytes: [UInt8]) -> LearntDefinition {
    let device = recordedDevice(bytes)
    let conversations = device.connections.map { Conversation(connection: $0) }
    let table = ObservedTable(connections: device.connections)
    var learnt = LearntDefinition(name: "Learnt", summary: "")
    learnt.addServices(table)
    learnt.addAdvertisement(of: device, table)
    let streams = [ValueStream](conversations, table).map { StreamAnalysis($0) }
    _ = learnt.addModel(streams, of: conversations, table)
    return learnt
  }
}
