import BlemuControl
import Definitions
import BlemuJSON

/// `blemu schema [control]`
struct SchemaCommand {
  private let schema: JSONValue

  init(_ arguments: Arguments) throws(CommandError) {
    guard !arguments.positional.isEmpty else {
      schema = JSONSchema.schema(of: Language.root)
      return
    }
    let name = try arguments.one("SCHEMA", for: .schema)
    guard name == "control" else {
      throw .badArgument(name, command: Command.schema.rawValue, known: ["control"])
    }
    schema = ControlSchema.schema
  }

  func run() -> ExitStatus {
    Terminal.print(schema.lines())
    return .success
  }
}
