import BlemuJSON

extension Command {
  static let act = Command(
    "act", .running, arguments: "NAME LINE", words: .devices,
    summary: "Performs one action of a central on a device in memory.",
    options: [
      Option("--as", takes: "ADDRESS", "selects the central by its address (default: 00:00:00:00:00:02)"),
      .json,
    ],
    notes: [
      "The device must run with --on loopback. A LINE is a line of a transcript: connect, subscribe, '> ID VALUE', read, disconnect, pair or unpair. "
        + "Its words may be separate arguments. blemu prints the value of a read in hex. The exit status is 1 if the device refuses the action."
    ],
    examples: [
      Example("blemu act hm-10 connect", "connects a central in memory"),
      Example("blemu act hm-10 '> FFE1 \"AT\"'", "writes a value as that central"),
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    _ = try command.first("LINE")
    let line: JSONValue = .string(command.rest.joined(separator: " "))
    return printResponse(
      try command.device(patience: nil).call(.act, ["line": line, "as": command.text("--as")]), command)
  }

  /// Prints the response of the device, unless it simply accepts.
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
