import BlemuJSON

extension Command {
  static let get = Command(
    "get", .running, arguments: "NAME [EXPRESSION…]", words: .devices,
    summary: "Prints current values of a device: settings, variables, any expression.",
    options: [.json],
    examples: [
      Example("blemu get hm-10", "prints all settings and variables"),
      Example("blemu get hm-10 'local-name + \"!\"'", "prints the value of an expression"),
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    let names: JSONValue? = command.rest.isEmpty ? nil : .array(command.rest.map(JSONValue.string))
    let result = try command.device().call(.get, ["names": names])
    print(result, command)
    return .success
  }

  private static func print(_ result: JSONValue, _ command: DeviceArguments) {
    if command.isJSON { return Terminal.print(result.line + "\n") }
    let values = result["values"]?.members ?? []
    // One value is alone, for scripts.
    if command.rest.count == 1, let value = values.first { return Terminal.print(value.value.plain + "\n") }
    for member in values { Terminal.print("\(member.name)=\(member.value.plain)\n") }
  }
}
