/// `blemu show DEFINITION`
struct ShowCommand {
  private let choice: DefinitionChoice

  init(_ arguments: Arguments) throws(CommandError) {
    choice = try DefinitionChoice(
      arguments.one("DEFINITION", for: .show), assignments: arguments.all("--set"))
  }

  func run() throws(CommandError) -> ExitStatus {
    do {
      Terminal.print(try DefinitionSheet(choice).text)
    } catch let error as CommandError {
      throw error
    } catch {
      throw .badSettings(problem: "\(error)")  // a definition that was checked is good with its own
    }
    return .success
  }
}
