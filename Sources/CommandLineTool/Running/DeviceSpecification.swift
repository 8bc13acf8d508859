import Definitions
import DeviceModel

/// All that a device runs with: what the options of `blemu run` say of it, or a stand.
struct DeviceSpecification {
  /// Its name in a log of several devices.
  var name = ""
  var choice: DefinitionChoice
  /// As after `--on`.
  var place: String
  var transport: TransportSpecification
  var wireSide = WireSide.none
  var seed = UInt64.random(in: 0 ... .max)
  var statePath: String?
  var forgetsBonds = false
  var control: ControlChoice
  /// Besides those of the definition.
  var faults: [Fault] = []
  var restart = Stand.Restart.never
}

extension DeviceSpecification {
  /// What `blemu run` says of a single device.
  init(_ arguments: Arguments) throws(CommandError) {
    let word = try PlacedDefinition(arguments.one("DEFINITION"))
    if word.place != nil, arguments["--on"] != nil { throw .conflictingOptions(word.text, "--on") }
    place = word.place ?? arguments["--on"] ?? Self.standardPlace
    transport = try TransportSpecification(place)
    wireSide = try WireSide(arguments)
    seed = try SeedOption.parse(arguments["--seed"]) ?? seed
    choice = try DefinitionChoice(
      word.definition, assignments: arguments.all("--set"), on: transport, printsWarnings: false)
    control = try ControlChoice(arguments, file: choice.path)
    faults = try FaultOption.faults(arguments.all("--fault"), of: choice.definition)
    statePath = arguments["--state"]
    forgetsBonds = arguments["--forget-bonds"] != nil
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
    if case .bluez = transport { throw .bondsOfBluetoothd }
  }
}
