import BlemuJSON

extension Command {
  static let advertise = Command(
    "advertise", .running, arguments: "NAME on|off", words: .devices,
    summary: "Starts or stops advertising.",
    options: [.json],
    examples: [Example("blemu advertise hm-10 off", "hides the module from scans")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let word = try command.first("on|off")
    try command.check(most: 1)
    guard word == "on" || word == "off" else {
      throw .badArgument(word, command: arguments.command.name, known: ["on", "off"])
    }
    return try command.act(.advertise, ["on": .boolean(word == "on")])
  }
}
