extension Command {
  static let wire = Command(
    "wire", .running, arguments: "NAME VALUE…", words: .devices,
    summary: "Puts a value into the wire side of a device.",
    options: [.text, .json],
    notes: [
      "A VALUE is a message with its fields, bytes in hex, or text in double quotes, as in transcripts; "
        + "its words may be separate. --text takes text as it is."
    ],
    examples: [
      Example("blemu wire hm-10 --text 'AT+NAME?'", "lets the microcontroller behind the module ask its name")
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let content = try command.content(after: 0)
    return try command.act(.wire, [content.name: content.value])
  }
}
