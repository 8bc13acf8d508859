extension Command {
  static let disconnect = Command(
    "disconnect", .running, arguments: "NAME [CENTRAL]", words: .devices,
    summary: "Ends a connection of a device, or all.",
    options: [
      Option(
        "--reason", takes: "NAME",
        "gives the central this HCI error, where the transport can, as in remote-low-resources"),
      .json,
    ],
    examples: [Example("blemu disconnect hm-10", "ends all connections of the module")]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    return try command.act(
      .disconnect, ["central": try command.optional(), "reason": command.text("--reason")])
  }
}
