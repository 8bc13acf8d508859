extension Command {
  static let reset = Command(
    "reset", .running, arguments: "NAME", words: .devices,
    summary: "Resets a device; settings stay.",
    options: [.json],
    examples: [Example("blemu reset hm-10", "resets the module")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    try command.check(most: 0)
    return try command.act(.reset)
  }
}
