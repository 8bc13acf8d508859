import BlemuControl
import Definitions
import BlemuJSON

extension Command {
  static let schema = Command(
    "schema", .writing, arguments: "[stand|control]", words: .oneOf(SchemaCommand.names),
    summary: "Prints the JSON Schema of definitions, stands, or the control protocol.",
    examples: [
      Example("blemu schema > blemu.schema.json", "saves the schema of definitions in a file"),
      Example("blemu schema stand", "prints the schema of stands"),
      Example("blemu schema control", "prints the schema of requests to a running device"),
    ]
  ) { arguments throws(CommandError) in
    try SchemaCommand(arguments).run()
  }
}

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
    let name = try arguments.one("SCHEMA")
    switch name {
    case "stand": schema = JSONSchema.schema(ofWhole: Language.stand)
    case "control": schema = ControlSchema.schema
    default: throw .badArgument(name, command: Command.schema.name, known: Self.names)
    }
  }

  func run() -> ExitStatus {
    Terminal.print(schema.lines())
    return .success
  }
}
