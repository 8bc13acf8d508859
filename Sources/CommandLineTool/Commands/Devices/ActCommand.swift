import BlemuJSON

extension Command {
  static let act = Command(
    "act", .running, arguments: "NAME LINE", words: .devices,
    summary: "Plays a central of a device in memory, a line at a time.",
    options: [
      Option("--as", takes: "ADDRESS", "is the central with this address (default: 00:00:00:00:00:02)"),
      .json,
    ],
    notes: [
      "The device runs with --on loopback. A LINE is one of a transcript that a central does: connect, subscribe, '> ID VALUE', "
        + "read, disconnect, pair; its words may be separate. A value that is read is printed in hex. The exit status is 1 if the "
        + "device refuses."
    ],
    examples: [
      Example("blemu act hm-10 connect", "connects a central in memory"),
      Example("blemu act hm-10 '> FFE1 \"AT\"'", "lets it write"),
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    _ = try command.first("LINE")
    let line: JSONValue = .string(command.rest.joined(separator: " "))
    return printResponse(
      try command.device(patience: nil).call(.act, ["line": line, "as": command.text("--as")]), command)
  }

  /// Prints what the device responds, unless it just accepts.
  private static func printResponse(_ result: JSONValue, _ command: DeviceArguments) -> ExitStatus {
    let error = result["error"]?.text
    if command.isJSON {
      Terminal.print(result.line + "\n")
    } else if let error {
      Terminal.printError("blemu: \(command.name): refused: \(error)\n")
    } else if let value = result["value"]?.text {
      Terminal.print(value + "\n")
    }
    return error == nil ? .success : .failed
  }
}
