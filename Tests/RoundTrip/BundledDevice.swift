import Definitions
import DeviceModel
import TestSupport
import Transcripts

/// A bundled definition, and the sections of its transcripts.
package struct BundledDevice {
  package let definition: PeripheralDefinition
  package let sections: [Transcript.Section]

  package init(_ name: String) throws {
    guard let path = library.path(of: name),
      let definition = try readDefinition(at: path).definition
    else { preconditionFailure("\(name) is no bundled definition without mistakes") }
    let folder = String(path.dropLast("\(name).yaml".count))
    self.definition = definition
    sections = try Repository.names(in: folder).filter { $0.hasSuffix(".transcript") }.flatMap { file in
      let source = SourceText(name: file, text: try TextFile.read(folder + file))
      return try TranscriptParser.parse(source, for: definition).get().sections
    }
  }

  /// Those of the sections that a central alone can hold.
  ///
  /// - Parameter onAir: whether the central is on the air.
  package func sectionsOfCentral(onAir: Bool) -> [Transcript.Section] {
    sections.filter { Obstacle(of: $0, with: definition, onAir: onAir) == nil }
  }
}
