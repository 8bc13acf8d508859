import ControlServer
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
    for word in arguments.positional {
      let word = try PlacedDefinition(word)
      let place = word.place ?? DeviceSpecification.standardPlace
      let transport = try TransportSpecification(place)
      let choice = try DefinitionChoice(
        word.definition, assignments: [], on: transport, library: library, printsWarnings: false)
      let (name, control) = Self.name(for: choice.path, isControlled, besides: devices)
      var device = DeviceSpecification(
        name: name, choice: choice, place: place, transport: transport, control: control)
      if let seed { device.seed = seed }
      device.endsOtherUse = arguments["--take"] != nil
      devices.append(device)
    }
    try Self.checkAdapters(of: devices)
    self.devices = devices
  }

  /// The first of `NAME`, `NAME-2`, `NAME-3`, … that is free. One in the folder of sockets is taken at once: another process may
  /// choose names at this moment.
  private static func name(
    for file: String, _ isControlled: Bool, besides others: [DeviceSpecification]
  ) -> (String, ControlChoice) {
    let standard = ControlChoice.standardName(for: file)
    if isControlled, let taken = try? TakenName(standard) { return (taken.name, .taken(taken)) }
    var (name, number) = (standard, 1)
    while others.contains(where: { $0.name == name }) {
      number += 1
      name = "\(standard)-\(number)"
    }
    // Without a folder of sockets that can be used, the device says so when it starts.
    return (name, isControlled ? .named(name) : .none)
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
