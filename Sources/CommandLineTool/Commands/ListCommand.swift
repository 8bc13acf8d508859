import Framing
import DeviceModel
import Definitions

/// `blemu list`
struct ListCommand {
  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.none(for: .list)
  }

  func run() throws(CommandError) -> ExitStatus {
    let library = DefinitionLibrary.ofThisProgram()
    let names = library.names
    guard !names.isEmpty else {
      throw .unreadable(
        FileError(
          message: "the bundled definitions are not next to this program",
          hint: "run blemu from its build folder, or install it with tools/install"))
    }
    let width = names.map(\.count).max()! + 2
    for name in names {
      let summary = library.path(of: name).flatMap { try? library.load(path: $0, for: NoLimits()) }?
        .definition?.summary
      Terminal.print(name.padded(to: width) + (summary ?? "(has errors: run 'blemu check \(name)')") + "\n")
    }
    return .success
  }
}
