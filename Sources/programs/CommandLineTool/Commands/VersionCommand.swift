import BlemuControl

extension Command {
  static let version = Command(
    "version", .program, words: .nothing,
    summary: "Prints the version and the commit."
  ) { arguments throws(CommandError) in
    try arguments.none()
    Terminal.print(ProgramVersion.line(of: "blemu") + "\n")
    return .success
  }
}
