import Synchronization

/// The version of blemu and of its other programs. `tools/version` reads it here, and packages take it from there.
package enum ProgramVersion {
  package static let text = "0.3.0"
  /// When this version was made, for manual pages.
  package static let date = "2026-11-27"

  /// The commit from which `tools/build` has built the running program. Other builds have none.
  private static let commit = Mutex<String?>(nil)

  /// For the start of the program.
  package static func setCommit(_ text: String?) { commit.withLock { $0 = text } }

  /// What `--version` prints, such as `blemu 0.3.0 (f639d3d5)`.
  package static func line(of program: String) -> String {
    let version = "\(program) \(text)"
    return commit.withLock { $0 }.map { "\(version) (\($0))" } ?? version
  }
}
