extension Command {
  static let forget = Command(
    "forget", .running, arguments: "NAME [CENTRAL]", words: .devices,
    summary: "Forgets the bond with a central, or all bonds.",
    options: [.json],
    notes: [
      "This is the device after a factory reset: a central that still has the old key gets an error at its next connection and must "
        + "pair again. Links that are encrypted stay encrypted."
    ],
    examples: [Example("blemu forget bracelet", "lets all centrals pair again")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    return try command.act(.forget, ["central": try command.optional()])
  }
}
