import Definitions
import EventLoop
import Glibc

/// `blemu up STAND [NAME…]`
struct UpCommand {
  private let devices: [DeviceSpecification]
  private let log: LogStyle

  init(_ arguments: Arguments) throws(CommandError) {
    log = try LogStyle(arguments["--log"])
    guard let path = arguments.positional.first else { throw .missingArgument("STAND", command: "up") }
    let reader = try DefinitionLibrary.ofThisProgram().stand(at: path)
    let devices = reader.devices()
    guard !reader.file.hasErrors else {
      Terminal.printError(reader.file.report(Terminal.style(of: STDERR_FILENO)))
      throw .badDefinition
    }
    self.devices = try Self.choose(arguments.positional.dropFirst(), from: devices)
  }

  /// Those with these names, in the order of the stand; without names, all.
  private static func choose(
    _ names: some Collection<String>, from devices: [DeviceSpecification]
  ) throws(CommandError) -> [DeviceSpecification] {
    let known = devices.map(\.name)
    for name in names where !known.contains(name) { throw .unknownStandDevice(name, known: known) }
    return names.isEmpty ? devices : devices.filter { names.contains($0.name) }
  }

  /// Runs until a signal ends it, or until no device runs any more.
  func run() -> ExitStatus { DeviceGroup.run(devices, log: log) }
}
