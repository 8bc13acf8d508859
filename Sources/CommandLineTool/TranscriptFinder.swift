import Definitions
import Transcripts

/// A transcript, and the definition of the device that it talks to.
struct TranscriptFile: Hashable {
  var path: String
  var definition: String
}

/// Finds the transcripts that a person means.
struct TranscriptFinder {
  let library: DefinitionLibrary

  /// - Parameter paths: definitions, folders, transcripts, names of bundled definitions; none: all bundled ones.
  func find(_ paths: [String]) throws(CommandError) -> [TranscriptFile] {
    var files: [TranscriptFile] = []
    for path in paths.isEmpty ? [try bundledFolder()] : paths {
      for file in try find(path) where !files.contains(file) { files.append(file) }
    }
    return files
  }

  private func bundledFolder() throws(CommandError) -> String {
    if let folder = library.folder { return folder }
    throw .unreadable(
      FileError(message: "the bundled definitions are not beside this program", hint: "name a transcript"))
  }

  private func find(_ path: String) throws(CommandError) -> [TranscriptFile] {
    if FileSystem.isFolder(path) { return try transcripts(below: path) }
    if path.hasSuffix(Self.ending), FileSystem.isFile(path) { return [try file(path)] }
    let definition = try library.find(path)
    let files = try transcripts(in: FilePath(definition).folder).filter { $0.definition == definition }
    if files.isEmpty { throw Self.none("beside '\(definition)'", name: FilePath(definition).baseName) }
    return files
  }

  static let ending = ".transcript"

  private static func none(_ place: String, name: String) -> CommandError {
    .unreadable(
      FileError(message: "there is no transcript \(place)", hint: "write one into \(name)\(ending)"))
  }
}

// MARK: Folders

extension TranscriptFinder {
  /// Those of the folder, or those of the folders in it where it has none of its own.
  private func transcripts(below folder: String) throws(CommandError) -> [TranscriptFile] {
    var folder = folder
    if !folder.hasSuffix("/") { folder += "/" }
    var files = try transcripts(in: folder)
    if files.isEmpty {
      for name in FileSystem.entries(of: folder) where FileSystem.isFolder(folder + name) {
        files += try transcripts(in: "\(folder)\(name)/")
      }
    }
    if files.isEmpty { throw Self.none("in '\(folder)'", name: "NAME") }
    return files
  }

  /// - Parameter folder: with a slash at its end; empty for the current one.
  private func transcripts(in folder: String) throws(CommandError) -> [TranscriptFile] {
    var files: [TranscriptFile] = []
    for name in FileSystem.entries(of: folder.isEmpty ? "." : folder) where name.hasSuffix(Self.ending) {
      files.append(try file(folder + name))
    }
    return files
  }

  private func file(_ path: String) throws(CommandError) -> TranscriptFile {
    TranscriptFile(path: path, definition: try definition(of: path))
  }

  /// The definition that a `device` line names, that begins like the transcript, or that is the only one.
  private func definition(of path: String) throws(CommandError) -> String {
    let place = FilePath(path)
    let text: String
    do { text = try TextFile.read(path) } catch { throw .unreadable(error) }
    if let name = TranscriptParser.device(in: SourceText(name: path, text: text)) {
      return place.folder + name
    }
    let entries = FileSystem.entries(of: place.folder.isEmpty ? "." : place.folder)
    let names = entries.filter { $0.hasSuffix(".yaml") }
    let alike = names.filter { place.baseName.hasPrefix(FilePath($0).baseName) }
    if let name = alike.max(by: { $0.count < $1.count }) { return place.folder + name }
    if names.count == 1 { return place.folder + names[0] }
    throw .unreadable(
      FileError(message: "which device does '\(path)' talk to?", hint: "begin it with 'device NAME.yaml'"))
  }
}
