import Definitions
import Devices
import Glibc
import System

extension Command {
  static let up = Command(
    "up", .onTheAir, arguments: "STAND [NAME…]", words: .standDevices,
    summary: "Puts the devices of a stand on the air.",
    options: [
      Option(
        "--on", takes: "TRANSPORT",
        "selects the transport of devices without 'on' in the stand, as with run (default: bluez)",
        words: .transports(hasAdapter: false)),
      .holdClock, .linkTime, .log, .take,
    ],
    notes: [
      "A STAND is a file, or a folder with one stand in it. The file contains 'stand: Desk', for example, and devices: { belt: { definition: heart-rate-belt, on: bluez:hci0 }, "
        + "scale: { definition: ./scale.yaml, on: exact:hci1, restart: on-failure } }. "
        + "A device may also have set, seed, state, wire and faults. 'blemu schema stand' lists all keys.",
      "NAME selects a device of the stand; by default, all run. 'blemu stop NAME' ends one of them. If a device fails, the others keep running. "
        + "The exit status is that of the first device that failed.",
    ],
    examples: [
      Example("blemu up desk.yaml", "runs all devices of the stand, until Ctrl-C"),
      Example("blemu up desk.yaml scale --log json", "runs one of them, with a log for programs"),
      Example("blemu up desk.yaml --on loopback", "runs those in memory that have no 'on'"),
    ],
    needsPrivileges: { _ in true }  // the stand says so, see UpCommand
  ) { arguments throws(CommandError) in
    let (log, stand) = (try LogStyle(arguments["--log"]), try UpCommand(arguments))
    return BlemuTool.run(stand.devices, log: log, named: true, failed: stand.status) {
      () throws(CommandError) in
      try UpCommand(arguments).devices
    }
  }
}

/// `blemu up STAND [NAME…]`
struct UpCommand {
  fileprivate let devices: [DeviceSpecification]
  /// The failure before the devices start.
  fileprivate let status: ExitStatus

  init(_ arguments: Arguments) throws(CommandError) {
    guard let path = arguments.positional.first else { throw arguments.lacks("STAND") }
    let place = arguments["--on"] ?? DeviceSpecification.standardPlace
    _ = try TransportSpecification(place)
    let reader = try DefinitionLibrary.ofThisProgram().stand(at: path, place: place)
    let names = arguments.positional.dropFirst()
    try Self.check(names, known: reader.names)
    var devices = reader.devices(names)
    for place in (devices ?? []).indices {
      devices?[place].endsOtherUse = arguments["--take"] != nil
      devices?[place].memoryTime = MemoryTime(arguments)
    }
    if reader.file.hasErrors { Terminal.printError(reader.file.report(Terminal.style(of: STDERR_FILENO))) }
    guard let devices, !devices.isEmpty else { throw .badDefinition }
    if !devices.contains(where: \.transport.isExact) { Privileges.drop() }
    self.devices = devices
    status = reader.file.hasErrors ? .badDefinition : .success
  }

  private static func check(_ names: some Collection<String>, known: [String]) throws(CommandError) {
    guard !known.isEmpty else { return }
    for name in names where !known.contains(name) {
      throw CommandError(
        .usage, "the stand has no device '\(name)'", Suggestion.hint(for: name, in: known))
    }
  }
}
