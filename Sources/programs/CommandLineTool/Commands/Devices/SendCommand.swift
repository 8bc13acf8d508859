import BlemuJSON

extension Command {
  static let send = Command(
    "send", .running, arguments: "NAME PLACE VALUE…", words: .devices,
    summary: "Sends a value from a characteristic, or out of the wire side.",
    options: [
      .text, .json,
      Option("--central", takes: "ADDRESS", "sends to this central only; not with bluez"),
    ],
    notes: [
      "PLACE is the id of a characteristic, or wire.",
      "A VALUE is a message with its fields, bytes in hex, or text in double quotes, as in transcripts. "
        + "Its words may be separate arguments. --text takes a text literally.",
    ],
    examples: [
      Example("blemu send hm-10 FFE1 4F 4B", "notifies two bytes"),
      Example("blemu send hm-10 FFE1 --text OK", "notifies a text"),
      Example("blemu send bracelet serial day-total packets=5", "notifies a message of the definition"),
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let place: JSONValue = .string(try command.first("PLACE"))
    let content = try command.content(after: 1)
    return try command.act(
      .send, ["from": place, content.name: content.value, "central": command.text("--central")])
  }
}
