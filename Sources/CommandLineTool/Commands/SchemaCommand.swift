import Definitions
import JSON

/// `blemu schema`
struct SchemaCommand {
  init(_ arguments: Arguments) throws(CommandError) {
    try arguments.none(for: .schema)
  }

  func run() -> ExitStatus {
    Terminal.print(JSONSchema.schema(of: Language.root).lines())
    return .success
  }
}
