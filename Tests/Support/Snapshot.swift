import Glibc

/// An expected text in a file (`NAME.expected`). The inputs of the test are files of the same name.
///
/// A test compares the whole text. With `BLEMU_RECORD=1` in the environment it writes the text into the file and fails.
package struct Snapshot: CustomStringConvertible, Sendable {
  /// The path of the files, without their endings.
  package let path: String

  package init(path: String) { self.path = path }

  /// The names of the folder and the files, as in `rules/unknown-name`.
  package var description: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  /// The snapshots in these folders, in order.
  ///
  /// Each file and each folder in them belongs to the snapshot of its name.
  package static func all(in folders: [String]) -> [Snapshot] {
    let all = folders.flatMap { folder in
      Set(Repository.names(in: folder).map { $0.prefix { $0 != "." } }).sorted().map { name in
        Snapshot(path: "\(folder)/\(name)")
      }
    }
    precondition(!all.isEmpty, "no snapshots in \(folders)")
    return all
  }
}

extension Snapshot {
  /// The text of the file with this ending, which the test reads.
  ///
  /// - Throws: ``SnapshotError`` when the file cannot be read.
  package func input(_ ending: String) throws -> String {
    guard let bytes = Repository.bytes(ofFile: "\(path).\(ending)") else {
      throw SnapshotError(description: "Cannot read \(name(ending)).")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Compares a text with the expected one, byte for byte.
  ///
  /// - Throws: ``SnapshotError`` when they differ or the file cannot be read, and when the text has been recorded.
  package func expect(_ text: String) throws {
    let expected = Repository.bytes(ofFile: path + ".expected")
    guard expected != Array(text.utf8) else { return }
    if getenv("BLEMU_RECORD") != nil { throw record(text) }
    guard let expected else { throw difference("Cannot read \(name("expected"))", [], text) }
    throw difference("The text differs from \(name("expected"))", expected, text)
  }

  private func record(_ text: String) -> SnapshotError {
    let isRecorded = Repository.write(text, to: path + ".expected")
    return SnapshotError(description: "\(isRecorded ? "Recorded" : "Cannot write") \(name("expected")).")
  }

  private func difference(_ problem: String, _ expected: [UInt8], _ text: String) -> SnapshotError {
    let lines = LineDifference(from: String(decoding: expected, as: UTF8.self), to: text)
    let hint = "Set BLEMU_RECORD=1 to record the actual text."
    return SnapshotError(description: "\(problem) (- expected, + actual). \(hint)\n\(lines)")
  }

  /// The path of a file, relative to the repository.
  private func name(_ ending: String) -> String { "\(path.dropFirst(Repository.path.count)).\(ending)" }
}

/// The reason why a snapshot test fails.
package struct SnapshotError: Error, CustomStringConvertible {
  package let description: String
}
