/// `blemu man`
struct ManCommand {
  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.none(for: .man)
  }

  func run() -> ExitStatus {
    Terminal.print(ManualPage().text)
    return .success
  }
}
