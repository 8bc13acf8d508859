import BlemuControl
import Definitions
import BlemuJSON

/// `blemu schema [stand|control]`
struct SchemaCommand {
  private let schema: JSONValue

  /// The arguments that it knows.
  static let names = ["stand", "control"]

  init(_ arguments: Arguments) throws(CommandError) {
    guard !arguments.positional.isEmpty else {
      schema = JSONSchema.schema(of: Language.root)
      return
    }
    let name = try arguments.one("SCHEMA", for: .schema)
    switch name {
    case "stand": schema = JSONSchema.schema(ofWhole: Language.stand)
    case "control": schema = ControlSchema.schema
    default: throw .badArgument(name, command: Command.schema.rawValue, known: Self.names)
    }
  }

  func run() -> ExitStatus {
    Terminal.print(schema.lines())
    return .success
  }
}
