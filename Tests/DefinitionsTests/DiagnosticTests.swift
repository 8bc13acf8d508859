import BlueZLimits
import DeviceModel
import TestSupport
import Testing

@testable import Definitions

/// What a person reads of a definition, compared with the files in `Diagnostics`.
///
/// - `TOPIC/NAME.yaml` is the definition; diagnostics call it `device.yaml`. Unless it extends another, the sections
///   that every definition needs are added at its end: a file shows only what it is about.
/// - `TOPIC/NAME.expected` is what a person reads. It is empty in the topic `no-mistakes`, and only there.
/// - The topic `only-bluez` has definitions that BlueZ cannot serve, and any other transport can.
/// - `TOPIC/NAME/` has the files next to the definition, if any. Its folder `library` has the bundled definitions, in groups.
@Suite struct DiagnosticTests {
  private static let folder = Repository.path + "Tests/DefinitionsTests/Diagnostics"

  private static let all = Snapshot.all(in: Repository.names(in: folder).map { "\(folder)/\($0)" })

  @Test(arguments: all)
  func `a person reads the expected text`(snapshot: Snapshot) throws {
    let report = try report(of: snapshot, for: [BlueZLimits()])
    try snapshot.expect(report)
    #expect(report.isEmpty == snapshot.description.hasPrefix("no-mistakes/"))
  }

  @Test(arguments: all.filter { $0.description.hasPrefix("only-bluez/") })
  func `what only BlueZ cannot serve is no mistake elsewhere`(snapshot: Snapshot) throws {
    #expect(try report(of: snapshot, for: [NoLimits()]) == "")
  }

  private func report(of snapshot: Snapshot, for limits: [any TransportLimits]) throws -> String {
    let yaml = try snapshot.input("yaml")
    let file = DefinitionFile(
      name: "device.yaml", text: yaml.contains(/^extends:/.anchorsMatchLineEndings()) ? yaml : complete(yaml),
      folder: SnapshotFolder(path: snapshot.path + "/"))
    let library = DiskLibrary(folder: snapshot.path + "/library")
    return DefinitionLoader.load(file, bundled: library, for: limits).report
  }
}

/// A folder on the disk whose files go by their names alone.
private struct SnapshotFolder: DefinitionFolder {
  /// Up to its last slash.
  let path: String

  var names: [String] { DiskFolder(of: path).names }

  func displayName(of name: String) -> String { name }

  func read(_ name: String) throws(FileError) -> String {
    do {
      return try DiskFolder(of: path).read(name)
    } catch {
      throw FileError(message: error.message.replacing(path, with: ""), hint: error.hint)
    }
  }
}
