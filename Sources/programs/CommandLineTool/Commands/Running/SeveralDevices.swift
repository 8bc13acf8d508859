import BlemuControl
import Devices

/// Several devices on the command line of `blemu run`, each with its place: `hm-10@hci0 bracelet@exact:hci1`.
struct SeveralDevices {
  let devices: [DeviceSpecification]

  /// The options that hold for all of them. Others would not say for which device they are.
  static let options = ["--log", "--seed", "--take", "--no-control", "--color"]

  init(_ arguments: Arguments) throws(CommandError) {
    for option in Command.run.allOptions.map(\.name) where !Self.options.contains(option) {
      if arguments[option] != nil { throw .optionOfOneDevice(option) }
    }
    let seed = try SeedOption.parse(arguments["--seed"])
    let isControlled = arguments["--no-control"] == nil
    let library = DefinitionLibrary.ofThisProgram().keepingDefinitions
    var devices: [DeviceSpecification] = []
    var taken = isControlled ? Set(ControlConnection.running) : []
    for word in arguments.positional {
      let word = try PlacedDefinition(word)
      let place = word.place ?? DeviceSpecification.standardPlace
      let transport = try TransportSpecification(place)
      let choice = try DefinitionChoice(
        word.definition, assignments: [], on: transport, library: library, printsWarnings: false)
      let name = Self.freeName(for: choice.path, &taken)
      var device = DeviceSpecification(
        name: name, choice: choice, place: place, transport: transport,
        control: isControlled ? .named(name) : .none)
      if let seed { device.seed = seed }
      device.endsOtherUse = arguments["--take"] != nil
      devices.append(device)
    }
    try Self.checkAdapters(of: devices)
    self.devices = devices
  }

  /// The first of `NAME`, `NAME-2`, `NAME-3`, … that is free.
  private static func freeName(for file: String, _ taken: inout Set<String>) -> String {
    let standard = ControlChoice.standardName(for: file)
    var (name, number) = (standard, 1)
    while !taken.insert(name).inserted {
      number += 1
      name = "\(standard)-\(number)"
    }
    return name
  }

  private static func checkAdapters(of devices: [DeviceSpecification]) throws(CommandError) {
    for (index, device) in devices.enumerated() {
      guard let claim = device.transport.claim,
        let other = devices[..<index].first(where: { $0.transport.claim?.collides(with: claim) == true })
      else { continue }
      throw .sameAdapter(other.name, device.name, adapter: claim.words)
    }
  }
}
