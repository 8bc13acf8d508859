import AttributeServer
import BlemuJSON
import Bluetooth
import BlueZLimits
import ControlServer
import DeviceModel
import Devices
import Exact

extension Command {
  static let show = Command(
    "show", .writing, arguments: "DEFINITION", words: .definitions,
    summary: "Shows the device as a central will see it.",
    options: [
      Option(
        "--on", takes: "bluez|exact|loopback",
        "selects the transport to show (default: bluez); exact shows all handles",
        words: .transports(hasAdapter: false)),
      .set,
      Option("--source", "prints the definition's file unchanged, as a start for your own"),
      Option("--json", "describes the device in JSON, for programs"),
    ],
    examples: [
      Example("blemu show heart-rate-belt", "shows the advertising, attributes and rules"),
      Example("blemu show --source hm-10 > my.yaml", "makes a copy that you can change"),
      Example(
        "blemu show hm-10 --on exact --set local-name=Demo",
        "shows all handles, and the advertising with another name"),
    ]
  ) { arguments throws(CommandError) in
    try ShowCommand(arguments).run()
  }
}

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
    let name = try arguments.one("DEFINITION")
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
      case .json(let choice): Terminal.print(try Self.description(of: choice, transport.limits).lines())
      case .source(let source): source.print()
      }
    } catch let error as CommandError {
      throw error
    } catch {
      throw .badSettings(problem: "\(error)")  // a checked definition is valid with its default settings
    }
    return .success
  }

  /// - Throws: as ``DefinitionSheet/init(_:_:)``.
  static func description(of choice: DefinitionChoice, _ limits: any TransportLimits) throws -> JSONValue {
    let definition = choice.definition
    let context = definition.context(settings: choice.settings, address: DeviceAddress([0, 0, 0, 0, 0, 0])!)
    let table = try definition.attributes(in: context)
    if let problem = limits.problem(with: table, of: definition) {
      throw CommandError.badSettings(problem: problem)
    }
    let advertisement = try definition.advertised(in: context)
    let hasHandles = limits is ExactLimits && (!definition.services.isEmpty || advertisement.isConnectable)
    let description = DeviceDescription(
      definition, in: context, with: table, on: limits,
      handles: hasHandles ? AttributeDatabase.handles(of:_:) : nil)
    let head: JSONValue = [
      "name": .string(definition.name), "summary": .string(definition.summary), "file": .string(choice.path),
    ]
    let address = limits is BlueZLimits ? nil : definition.advertisement.address
    return head.adding(["address": address.map { .string($0.word) }])
      .adding(try description.members(table, advertisement))
  }
}
