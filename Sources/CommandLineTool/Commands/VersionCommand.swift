extension Command {
  static let version = Command(
    "version", .program, words: .nothing,
    summary: "Prints the version."
  ) { arguments throws(CommandError) in
    try arguments.none()
    Terminal.print("blemu \(BlemuTool.version)\n")
    return .success
  }
}
