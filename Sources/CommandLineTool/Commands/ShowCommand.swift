/// `blemu show DEFINITION`
struct ShowCommand {
  private let choice: DefinitionChoice
  private let transport: TransportSpecification

  init(_ arguments: Arguments) throws(CommandError) {
    transport = try TransportSpecification(arguments["--on"])
    choice = try DefinitionChoice(
      arguments.one("DEFINITION", for: .show), assignments: arguments.all("--set"), on: transport)
  }

  func run() throws(CommandError) -> ExitStatus {
    do {
      Terminal.print(try DefinitionSheet(choice, transport.limits).text)
    } catch let error as CommandError {
      throw error
    } catch {
      throw .badSettings(problem: "\(error)")  // a checked definition is valid with its default settings
    }
    return .success
  }
}
