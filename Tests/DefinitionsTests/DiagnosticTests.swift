import BlueZLimits
import TestSupport
import Testing

@testable import Definitions

/// What a person reads of a definition, compared with the files in `Diagnostics`.
///
/// - `TOPIC/NAME.yaml` is the definition; diagnostics call it `device.yaml`. Unless it extends another, the sections
///   that every definition needs are added at its end: a file shows only what it is about.
/// - `TOPIC/NAME.expected` is what a person reads. It is empty in the topic `no-mistakes`, and only there.
/// - `TOPIC/NAME/` has the files beside the definition, if any. Its folder `library` has the bundled definitions.
@Suite struct DiagnosticTests {
  private static let folder = Repository.path + "Tests/DefinitionsTests/Diagnostics"

  private static let all = Snapshot.all(in: Repository.names(in: folder).map { "\(folder)/\($0)" })

  @Test(arguments: all)
  func `a person reads the expected text`(snapshot: Snapshot) throws {
    let yaml = try snapshot.input("yaml")
    let file = DefinitionFile(
      name: "device.yaml", text: yaml.contains(/^extends:/.anchorsMatchLineEndings()) ? yaml : complete(yaml),
      folder: SnapshotFolder(path: snapshot.path + "/"))
    let library = DiskLibrary(folder: snapshot.path + "/library")
    let report = DefinitionLoader.load(file, bundled: library, for: [BlueZLimits()]).report
    try snapshot.expect(report)
    #expect(report.isEmpty == snapshot.description.hasPrefix("no-mistakes/"))
  }
}

/// A folder on the disk whose files go by their names alone.
private struct SnapshotFolder: DefinitionFolder {
  /// Up to its last slash.
  let path: String

  func displayName(of name: String) -> String { name }

  func read(_ name: String) throws(FileError) -> String {
    do {
      return try DiskFolder(of: path).read(name)
    } catch {
      throw FileError(message: error.message.replacing(path, with: ""), hint: error.hint)
    }
  }
}
