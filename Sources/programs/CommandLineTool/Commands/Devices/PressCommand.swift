import BlemuJSON

extension Command {
  static let press = Command(
    "press", .running, arguments: "NAME CONTROL[=VALUE]", words: .devices,
    summary: "Operates a control of a device: a button, a switch or a slider.",
    options: [.json],
    examples: [
      Example("blemu press heart-rate-belt strap", "takes the belt off or puts it on"),
      Example("blemu press heart-rate-belt heart-rate=120", "moves a slider"),
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let parts = try command.first("CONTROL").split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false
    ).map(String.init)
    try command.check(most: 1)
    return try command.act(
      .press, ["control": .string(parts[0]), "value": parts.count > 1 ? .string(parts[1]) : nil])
  }
}
