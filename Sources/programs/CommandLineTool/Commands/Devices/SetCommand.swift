import BlemuJSON

extension Command {
  static let set = Command(
    "set", .running, arguments: "NAME SETTING=VALUE…", words: .devices,
    summary: "Sets settings and variables of a device.",
    options: [.json],
    examples: [
      Example("blemu set hm-10 local-name=Robot", "changes the name of the module, and advertises it")
    ]
  ) { arguments throws(CommandError) in
    let command = try DeviceArguments(arguments)
    return try command.act(.set, ["values": assignments(command)])
  }

  private static func assignments(_ command: DeviceArguments) throws(CommandError) -> JSONValue {
    _ = try command.first("NAME=VALUE")
    var members: [JSONValue.Member] = []
    for word in command.rest {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else {
        throw CommandError(.usage, "'\(word)' is not NAME=VALUE", "as in blemu \(set.name) NAME level=3")
      }
      guard !members.contains(where: { $0.name == parts[0] }) else {
        throw CommandError(.usage, "'\(parts[0])' is given twice", "remove one of them")
      }
      members.append(JSONValue.Member(name: parts[0], value: .string(parts[1])))
    }
    return .object(members)
  }
}
