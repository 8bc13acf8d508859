/// The version of blemu and of its other programs.
package enum ProgramVersion {
  package static let text = "0.1.0"
}
