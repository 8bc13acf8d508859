extension Command {
  static let disconnect = Command(
    "disconnect", .running, arguments: "NAME [CENTRAL]", words: .devices,
    summary: "Ends the connection of a central, or all connections.",
    options: [
      Option(
        "--reason", takes: "NAME",
        "sends the central this HCI error, as in remote-low-resources; not with bluez"),
      .json,
    ],
    examples: [Example("blemu disconnect hm-10", "disconnects all centrals")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    return try command.act(
      .disconnect, ["central": try command.optional(), "reason": command.text("--reason")])
  }
}
