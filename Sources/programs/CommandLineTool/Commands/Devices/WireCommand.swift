extension Command {
  static let wire = Command(
    "wire", .running, arguments: "NAME VALUE…", words: .devices,
    summary: "Feeds bytes into the wire side of a device.",
    options: [.text, .json],
    notes: [
      "A VALUE is a message with its fields, bytes in hex, or text in double quotes, as in transcripts. "
        + "Its words may be separate arguments. --text takes a text literally."
    ],
    examples: [
      Example(
        "blemu wire hm-10 --text 'AT+NAME?'", "asks the module for its name, as its microcontroller would")
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let content = try command.content(after: 0)
    return try command.act(.wire, [content.name: content.value])
  }
}
