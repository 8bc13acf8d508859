import Definitions
import Transcripts

/// The paths of a transcript and of its definition.
struct TranscriptFile: Hashable {
  var path: String
  var definition: String
}

/// Finds the transcripts for the arguments of `blemu test`.
struct TranscriptFinder {
  let library: DefinitionLibrary

  /// - Parameter paths: transcripts, definitions, folders, or names of bundled definitions; if empty, all bundled ones.
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
      FileError(
        message: "the bundled definitions are not next to this program", hint: "give the path of a transcript"
      ))
  }

  private func find(_ path: String) throws(CommandError) -> [TranscriptFile] {
    if FileSystem.isFolder(path) { return try transcripts(below: path) }
    if path.hasSuffix(Self.ending), FileSystem.isFile(path) { return [try file(path)] }
    let definition = try library.find(path)
    let files = try transcripts(in: FilePath(definition).folder).filter { $0.definition == definition }
    if files.isEmpty { throw Self.none("next to '\(definition)'", name: FilePath(definition).baseName) }
    return files
  }

  static let ending = ".transcript"

  private static func none(_ place: String, name: String) -> CommandError {
    .unreadable(
      FileError(message: "there is no transcript \(place)", hint: "create \(name)\(ending)"))
  }
}

// MARK: Folders

extension TranscriptFinder {
  /// The transcripts in a folder; if there are none, those in its folders, and in the folders of these.
  private func transcripts(below folder: String) throws(CommandError) -> [TranscriptFile] {
    let files = try transcripts(in: folder.hasSuffix("/") ? folder : folder + "/", orBelow: 2)
    if files.isEmpty { throw Self.none("in '\(folder)'", name: "NAME") }
    return files
  }

  /// - Parameters:
  ///   - folder: ends with a slash.
  ///   - depth: how many levels of folders to look into.
  private func transcripts(in folder: String, orBelow depth: Int) throws(CommandError) -> [TranscriptFile] {
    var files = try transcripts(in: folder)
    guard files.isEmpty, depth > 0 else { return files }
    for name in FileSystem.entries(of: folder) where FileSystem.isFolder(folder + name) {
      files += try transcripts(in: "\(folder)\(name)/", orBelow: depth - 1)
    }
    return files
  }

  /// - Parameter folder: ends with a slash; empty for the current folder.
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

  /// Finds the definition: the one that the `device` line names, the one with the longest name that the transcript's
  /// name begins with, or the only one in the folder.
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
      FileError(
        message: "no definition found for '\(path)'", hint: "begin the transcript with 'device NAME.yaml'"))
  }
}
