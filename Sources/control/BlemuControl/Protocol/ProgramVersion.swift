import Synchronization

/// The version of blemu. `tools/version` reads it here: a release has it as its number, the commits before that number and their date.
package enum ProgramVersion {
  package static let text = "0.4.0"
  /// When this version was made, for manual pages.
  package static let date = "2026-11-30"

  /// The version and the commit from which `tools/build` has built the running program. Other builds have none.
  private static let build = Mutex<String?>(nil)

  /// For the start of the program.
  package static func setBuild(_ text: String?) { build.withLock { $0 = text } }

  /// What `--version` prints, such as `blemu 0.4.0 (f639d3d5)` or, before that release, `blemu 0.4.0.dev20261130035156 (036c0195)`.
  package static func line(of program: String) -> String { "\(program) \(build.withLock { $0 } ?? text)" }
}
