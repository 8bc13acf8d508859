/// `blemu show DEFINITION`
struct ShowCommand {
  private enum Form {
    case sheet(DefinitionChoice)
    case json(DefinitionChoice)
    case source(DefinitionSource)
  }

  private let form: Form
  private let transport: TransportSpecification

  init(_ arguments: Arguments) throws(CommandError) {
    transport = try TransportSpecification(arguments["--on"])
    let name = try arguments.one("DEFINITION", for: .show)
    if arguments["--source"] != nil {
      for other in ["--json", "--set", "--on"] where arguments[other] != nil {
        throw .conflictingOptions("--source", other)
      }
      form = .source(try DefinitionSource(name))
      return
    }
    let choice = try DefinitionChoice(name, assignments: arguments.all("--set"), on: transport)
    form = arguments["--json"] == nil ? .sheet(choice) : .json(choice)
  }

  func run() throws(CommandError) -> ExitStatus {
    do {
      switch form {
      case .sheet(let choice): Terminal.print(try DefinitionSheet(choice, transport.limits).text)
      case .json(let choice): Terminal.print(try DefinitionJSON(choice, transport.limits).value.lines())
      case .source(let source): source.print()
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw .badSettings(problem: "\(error)")  // a checked definition is valid with its default settings
    }
    return .success
  }
}
