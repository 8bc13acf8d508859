import Definitions

/// `blemu check DEFINITION…`
struct CheckCommand {
  private let names: [String]

  init(_ arguments: Arguments) throws(CommandError) {
    names = arguments.positional
    if names.isEmpty { throw .missingArgument("DEFINITION", command: Command.check.rawValue) }
  }

  /// Looks at every file, also behind one with mistakes.
  func run() throws(CommandError) -> ExitStatus {
    let library = DefinitionLibrary.ofThisProgram()
    var worst: CommandError?
    for name in names {
      do { try check(name, library) } catch {
        BlemuTool.report(error)
        worst = worst ?? error
      }
    }
    return worst?.status ?? .success
  }

  private func check(_ name: String, _ library: DefinitionLibrary) throws(CommandError) {
    let path = try library.find(name)
    let loaded: LoadedDefinition
    do { loaded = try DefinitionLoader.load(path: path) } catch { throw .unreadable(error) }
    if !loaded.diagnostics.isEmpty { Terminal.printError(loaded.report) }
    let errors = loaded.diagnostics.count { $0.severity == .error }
    guard errors == 0 else {
      Terminal.printError("\(path): \(errors) \(errors == 1 ? "error" : "errors")\n")
      throw .badDefinition
    }
    Terminal.print("\(path): good\n")
  }
}
