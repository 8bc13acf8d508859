import Glibc

/// Two files beside each other: what a test reads, and the text that it expects (`NAME.expected`).
///
/// A test compares the whole text. With `BLEMU_RECORD=1` in the environment it writes the text into the file, and fails.
package struct Snapshot: CustomStringConvertible, Sendable {
  /// Both paths, without their endings.
  package let path: String
  /// Where the text is that the test reads.
  package let inputPath: String

  /// The names of the folder and of the files, as in `rules/unknown-name`.
  package var description: String { path.split(separator: "/").suffix(2).joined(separator: "/") }

  private var expectedPath: String { path + ".expected" }
}

extension Snapshot {
  /// The snapshots in these folders, in order.
  ///
  /// Each file and each folder in them belongs to a snapshot, which has its name.
  ///
  /// - Parameter ending: of the files that tests read, without a period.
  package static func all(in folders: [String], ending: String) -> [Snapshot] {
    let all = folders.flatMap { folder in
      Set(Repository.names(in: folder).map { $0.prefix { $0 != "." } }).sorted().map { name in
        Snapshot(path: "\(folder)/\(name)", inputPath: "\(folder)/\(name).\(ending)")
      }
    }
    precondition(!all.isEmpty, "no snapshots in \(folders)")
    return all
  }

  /// The text that the test reads.
  ///
  /// - Throws: ``SnapshotError`` when the file is missing.
  package func input() throws -> String {
    guard let bytes = Repository.bytes(ofFile: inputPath) else {
      throw SnapshotError("There is no \(inputPath).")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Compares a text with the expected one, byte for byte.
  ///
  /// - Throws: ``SnapshotError`` when the texts differ, and when the file is missing.
  package func expect(_ text: String) throws {
    let expected = Repository.bytes(ofFile: expectedPath)
    guard expected != Array(text.utf8) else { return }
    if getenv("BLEMU_RECORD") != nil {
      try Repository.write(text, to: expectedPath)
      throw SnapshotError("Recorded \(expectedPath). Review it, then run the test without BLEMU_RECORD.")
    }
    let lines = LineDifference(from: String(decoding: expected ?? [], as: UTF8.self), to: text)
    let problem = expected == nil ? "is missing" : "expects another text"
    throw SnapshotError(
      "\(expectedPath) \(problem) (- expected, + actual):\n\(lines)\nBLEMU_RECORD=1 swift test --filter … records the actual text."
    )
  }
}

/// Why a test of a snapshot fails.
package struct SnapshotError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
