extension Command {
  static let forget = Command(
    "forget", .running, arguments: "NAME [CENTRAL]", words: .devices,
    summary: "Forgets the bond with a central, or all bonds.",
    options: [.json],
    notes: [
      "This is the device after a factory reset: a central that encrypts its next link with the old key learns that it is missing, "
        + "and has to pair again. Links that are encrypted stay so."
    ],
    examples: [Example("blemu forget bracelet", "lets all centrals pair anew")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    return try command.act(.forget, ["central": try command.optional()])
  }
}
