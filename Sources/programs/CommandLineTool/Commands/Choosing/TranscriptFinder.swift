import Definitions
import Transcripts

/// The paths of a transcript and of its definition.
struct TranscriptFile: Hashable {
  var path: String
  var definition: String
  /// The sections at these lines; nil: all.
  var lines: Set<Int>?
}

extension TranscriptFile {
  func source() throws(CommandError) -> SourceText {
    do { return SourceText(name: path, text: try TextFile.read(path)) } catch { throw .unreadable(error) }
  }
}

/// Finds the transcripts for the arguments of `blemu test`.
struct TranscriptFinder {
  let library: DefinitionLibrary

  /// Finds what can be found. An error for a path does not stop the search for the others.
  ///
  /// - Parameter paths: transcripts, also with `:LINE`, definitions, folders, or names of bundled definitions; if empty,
  ///   the current folder.
  func find(_ paths: [String]) -> (files: [TranscriptFile], errors: [CommandError]) {
    var found: (files: [TranscriptFile], errors: [CommandError]) = ([], [])
    for path in paths.isEmpty ? ["."] : paths {
      do throws(CommandError) {
        for file in try find(path, isDefault: paths.isEmpty) { add(file, to: &found.files) }
      } catch {
        if !found.errors.contains(error) { found.errors.append(error) }
      }
    }
    return found
  }

  /// Several arguments may select sections of one file.
  private func add(_ file: TranscriptFile, to files: inout [TranscriptFile]) {
    guard let index = files.firstIndex(where: { $0.path == file.path }) else { return files.append(file) }
    guard let old = files[index].lines, let new = file.lines else { return files[index].lines = nil }
    files[index].lines = old.union(new)
  }

  private func find(_ path: String, isDefault: Bool) throws(CommandError) -> [TranscriptFile] {
    if FileSystem.isFolder(path) { return try transcripts(below: path, isDefault: isDefault) }
    if path.hasSuffix(Self.ending), FileSystem.isFile(path) { return [try file(path)] }
    if let (path, line) = Self.place(path), FileSystem.isFile(path) {
      var file = try file(path)
      file.lines = [line]
      return [file]
    }
    let text = Self.place(path)?.path ?? path
    if text.hasSuffix(Self.ending), !FileSystem.exists(text) { throw Self.missing(text) }
    return try transcripts(of: try library.find(path))
  }

  /// The transcripts next to a definition that are for it. Others may be for another, or for none.
  private func transcripts(of definition: String) throws(CommandError) -> [TranscriptFile] {
    let place = FilePath(definition)
    let paths = transcriptPaths(in: place.folder)
    let files = paths.compactMap { try? file($0) }.filter { $0.definition == definition }
    if !files.isEmpty { return files }
    for path in paths {
      guard let reason = reasonForNone(path) else { continue }
      throw .unreadable(
        FileError(
          message: "no transcript next to '\(definition)' is for it: \(reason)",
          hint: "begin it with 'device \(place.name)', or name it \(place.baseName)\(Self.ending)"))
    }
    throw Self.none("next to '\(definition)'", name: place.baseName)
  }

  /// Why a transcript has no definition; nil: it has one.
  private func reasonForNone(_ path: String) -> String? {
    guard let file = try? file(path) else { return "'\(path)' does not say for which definition it is" }
    if FileSystem.isFile(file.definition) { return nil }
    return "'\(path)' is for '\(file.definition)', which does not exist"
  }

  /// `lamp.transcript:8`
  private static func place(_ text: String) -> (path: String, line: Int)? {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[colon...].dropFirst()), line > 0 else {
      return nil
    }
    let path = String(text[..<colon])
    return path.hasSuffix(ending) ? (path, line) : nil
  }

  static let ending = ".transcript"

  /// Names the transcript in the same folder that is meant.
  private static func missing(_ text: String) -> CommandError {
    let path = FilePath(text)
    let names = FileSystem.entries(of: path.folder.isEmpty ? "." : path.folder)
    // Without the ending, which makes all of them alike.
    let others = names.filter { $0.hasSuffix(ending) }.map { FilePath($0).baseName }
    let hint =
      Suggestion.nearest(to: path.baseName, in: others).map { "did you mean '\(path.folder)\($0)\(ending)'?" }
      ?? "write it, or let 'blemu play DEFINITION --record \(text)' make it"
    return .unreadable(FileError(message: "there is no file '\(text)'", hint: hint))
  }

  private static func none(_ place: String, name: String) -> CommandError {
    .unreadable(
      FileError(message: "there is no transcript \(place)", hint: "create \(name)\(ending)"))
  }
}

// MARK: Folders

extension TranscriptFinder {
  /// The transcripts in a folder; if there are none, those in its folders, and in the folders of these.
  private func transcripts(below folder: String, isDefault: Bool) throws(CommandError) -> [TranscriptFile] {
    let path = isDefault ? "" : folder.hasSuffix("/") ? folder : folder + "/"
    let files = try transcripts(in: path, orBelow: 2)
    if files.isEmpty { throw isDefault ? .noTranscriptHere : Self.none("in '\(folder)'", name: "NAME") }
    return files
  }

  /// - Parameters:
  ///   - folder: ends with a slash; empty for the current folder.
  ///   - depth: how many levels of folders to look into.
  private func transcripts(in folder: String, orBelow depth: Int) throws(CommandError) -> [TranscriptFile] {
    library.files?.add(folder.isEmpty ? "." : folder)
    var files = try transcripts(in: folder)
    guard files.isEmpty, depth > 0 else { return files }
    for name in FileSystem.entries(of: folder.isEmpty ? "." : folder) where FileSystem.isFolder(folder + name)
    {
      files += try transcripts(in: "\(folder)\(name)/", orBelow: depth - 1)
    }
    return files
  }

  /// - Parameter folder: ends with a slash; empty for the current folder.
  private func transcripts(in folder: String) throws(CommandError) -> [TranscriptFile] {
    var files: [TranscriptFile] = []
    for path in transcriptPaths(in: folder) { files.append(try file(path)) }
    return files
  }

  private func transcriptPaths(in folder: String) -> [String] {
    FileSystem.entries(of: folder.isEmpty ? "." : folder).filter { $0.hasSuffix(Self.ending) }.map {
      folder + $0
    }
  }

  /// The transcript at a path, with its definition.
  func file(_ path: String) throws(CommandError) -> TranscriptFile {
    TranscriptFile(path: path, definition: try definition(of: path))
  }

  /// Finds the definition: the one that the `device` line names, the one with the longest name that the transcript's
  /// name begins with, or the only one in the folder.
  private func definition(of path: String) throws(CommandError) -> String {
    let place = FilePath(path)
    let text: String
    do { text = try TextFile.read(path) } catch { throw .unreadable(error) }
    if let name = TranscriptParser.device(in: SourceText(name: path, text: text)) {
      let file = name.hasPrefix("/") ? name : place.folder + name
      return (FileSystem.isFile(file) ? nil : library.path(of: name)) ?? file
    }
    let entries = FileSystem.entries(of: place.folder.isEmpty ? "." : place.folder)
    let names = entries.filter { $0.hasSuffix(".yaml") }
    let alike = names.filter { place.baseName.hasPrefix(FilePath($0).baseName) }
    if let name = alike.max(by: { $0.count < $1.count }) { return place.folder + name }
    if names.count == 1 { return place.folder + names[0] }
    let example = names.first ?? "NAME.yaml"
    throw .unreadable(
      FileError(
        message: "no definition found for '\(path)'",
        hint: "begin the transcript with its definition, as in 'device \(example)'"))
  }
}
