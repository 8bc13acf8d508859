import DeviceModel
import Devices

extension DeviceSpecification {
  /// What `blemu run` says of a single device.
  init(_ arguments: Arguments) throws(CommandError) {
    let word = try PlacedDefinition(arguments.one("DEFINITION"))
    if word.place != nil, arguments["--on"] != nil { throw .conflictingOptions(word.text, "--on") }
    let place = word.place ?? arguments["--on"] ?? Self.standardPlace
    let transport = try TransportSpecification(place)
    let wireSide = try WireSide(arguments)
    let seed = try SeedOption.parse(arguments["--seed"])
    let choice = try DefinitionChoice(
      word.definition, assignments: arguments.all("--set"), on: transport, printsWarnings: false)
    self.init(
      name: arguments["--name"] ?? ControlChoice.standardName(for: choice.path), choice: choice, place: place,
      transport: transport,
      control: try ControlChoice(arguments, file: choice.path))
    self.wireSide = wireSide
    if let seed { self.seed = seed }
    faults = try FaultOption.faults(arguments.all("--fault"), of: choice.definition)
    statePath = arguments["--state"]
    capture = try CaptureOption.parse(arguments["--capture"])
    forgetsBonds = arguments["--forget-bonds"] != nil
    endsOtherUse = arguments["--take"] != nil
    memoryTime = MemoryTime(arguments)
    for option in [Option.holdClock, .linkTime] where transport != .loopback {
      if arguments[option.name] != nil {
        throw .missingOption("--on", placeholder: "loopback", with: option.name)
      }
    }
    try checkForgetting()
    try checkWireSide()
  }

  static let standardPlace = "bluez"

  private func checkWireSide() throws(CommandError) {
    guard let option = wireSide.option, !choice.definition.hasWireSide else { return }
    throw .noWireSide(definition: choice.definition.name, option: option)
  }

  private func checkForgetting() throws(CommandError) {
    guard forgetsBonds else { return }
    if statePath == nil { throw .missingOption("--state", placeholder: "FILE", with: "--forget-bonds") }
    if case .bluez = transport {
      throw CommandError(
        .usage, "'--forget-bonds' needs '--on exact': with bluez, bluetoothd keeps the bonds",
        "'bluetoothctl remove ADDRESS' forgets one")
    }
  }
}

extension MemoryTime {
  init(_ arguments: Arguments) {
    self = []
    if arguments["--hold-clock"] != nil { insert(.heldClock) }
    if arguments["--link-time"] != nil { insert(.links) }
  }
}
