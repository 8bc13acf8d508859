import Definitions
import EventLoop
import Glibc
import Privileges

/// `blemu up STAND [NAME…]`
struct UpCommand {
  private let devices: [DeviceSpecification]
  private let log: LogStyle
  /// What has failed before the devices start.
  private let status: ExitStatus

  init(_ arguments: Arguments) throws(CommandError) {
    log = try LogStyle(arguments["--log"])
    guard let path = arguments.positional.first else { throw .missingArgument("STAND", command: "up") }
    let reader = try DefinitionLibrary.ofThisProgram().stand(at: path)
    let names = arguments.positional.dropFirst()
    try Self.check(names, known: reader.names)
    let devices = reader.devices(names)
    if reader.file.hasErrors { Terminal.printError(reader.file.report(Terminal.style(of: STDERR_FILENO))) }
    guard let devices, !devices.isEmpty else { throw .badDefinition }
    if !devices.contains(where: \.transport.isExact) { Privileges.drop() }
    self.devices = devices
    status = reader.file.hasErrors ? .badDefinition : .success
  }

  private static func check(_ names: some Collection<String>, known: [String]) throws(CommandError) {
    guard !known.isEmpty else { return }
    for name in names where !known.contains(name) { throw .unknownStandDevice(name, known: known) }
  }

  /// Runs until a signal ends it, or until no device runs any more.
  func run() -> ExitStatus { DeviceGroup.run(devices, log: log, failed: status) }
}
