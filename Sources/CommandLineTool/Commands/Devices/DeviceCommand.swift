import BlemuControl
import Definitions
import Framing
import BlemuJSON

/// The commands that do one thing to a running device: `blemu set NAME level=3`.
struct DeviceCommand {
  private let command: Command
  private let arguments: Arguments
  private let isJSON: Bool
  private let name: String
  /// The arguments after the device's name.
  private let rest: [String]

  init(_ command: Command, _ arguments: Arguments) throws(CommandError) {
    (self.command, self.arguments) = (command, arguments)
    isJSON = arguments["--json"] != nil
    guard let name = arguments.positional.first else {
      throw .missingArgument("NAME", command: command.rawValue)
    }
    self.name = name
    rest = Array(arguments.positional.dropFirst())
  }

  func run() throws(CommandError) -> ExitStatus {
    switch command {
    case .get: try get()
    case .set: try set()
    case .press: try press()
    case .send: try send()
    case .wire: try putIntoWire()
    case .act: return try playCentral()
    case .fault: try fault()
    case .advance: try advance()
    case .advertise: try advertise()
    case .disconnect: try act(.disconnect, ["central": try optional(), "reason": text("--reason")])
    case .reset:
      try checkCount(0)
      try act(.reset)
    default: preconditionFailure("'\(command.rawValue)' does more than one thing")
    }
    return .success
  }

  private func act(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:]
  ) throws(CommandError) {
    try device().act(method, parameters, isJSON: isJSON)
  }

  /// The device, which answers at once unless its process is stopped.
  private func device() throws(CommandError) -> RunningDevice {
    try RunningDevice(name, patience: Self.patience)
  }

  /// Seconds.
  private static let patience = 10

  private func text(_ option: String) -> JSONValue? { arguments[option].map(JSONValue.string) }
}

// MARK: Arguments

extension DeviceCommand {
  private func checkCount(_ most: Int) throws(CommandError) {
    if rest.count > most { throw .unexpectedArgument(rest[most], command: command.rawValue) }
  }

  /// The only argument after the name, if there is one.
  private func optional() throws(CommandError) -> JSONValue? {
    try checkCount(1)
    return rest.first.map(JSONValue.string)
  }

  private func first(_ placeholder: String) throws(CommandError) -> String {
    guard let first = rest.first else { throw .missingArgument(placeholder, command: command.rawValue) }
    return first
  }

  /// What `send` and `wire` send: the words after others, or the value of `--text`.
  private func content(after count: Int) throws(CommandError) -> KeyValuePairs<String, JSONValue?> {
    let words = rest.dropFirst(count)
    guard let text = text("--text") else {
      guard !words.isEmpty else { throw .missingArgument("VALUE", command: command.rawValue) }
      return ["value": .string(words.joined(separator: " "))]
    }
    if let word = words.first { throw .unexpectedArgument(word, command: command.rawValue) }
    return ["text": text]
  }
}

// MARK: Commands

extension DeviceCommand {
  private func get() throws(CommandError) {
    let names: JSONValue? = rest.isEmpty ? nil : .array(rest.map(JSONValue.string))
    let result = try device().call(.get, ["names": names])
    if isJSON { return Terminal.print(result.line + "\n") }
    let values = result["values"]?.members ?? []
    // One value is alone, for scripts.
    if rest.count == 1, let value = values.first { return Terminal.print(value.value.plain + "\n") }
    for member in values { Terminal.print("\(member.name)=\(member.value.plain)\n") }
  }

  private func set() throws(CommandError) {
    guard !rest.isEmpty else { throw .missingArgument("NAME=VALUE", command: command.rawValue) }
    var members: [JSONValue.Member] = []
    for word in rest {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 else { throw .notAssignment(word, command: command.rawValue) }
      guard !members.contains(where: { $0.name == parts[0] }) else { throw .givenTwice(parts[0]) }
      members.append(JSONValue.Member(name: parts[0], value: .string(parts[1])))
    }
    try act(.set, ["values": .object(members)])
  }

  private func press() throws(CommandError) {
    let parts = try first("CONTROL").split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      .map(String.init)
    try checkCount(1)
    try act(
      .press, ["control": .string(parts[0]), "value": parts.count > 1 ? .string(parts[1]) : nil])
  }

  private func send() throws(CommandError) {
    let place: JSONValue = .string(try first("PLACE"))
    let content = try content(after: 1)
    try act(.send, ["from": place, content[0].key: content[0].value, "central": text("--central")])
  }

  private func putIntoWire() throws(CommandError) { try act(.wire, try content(after: 0)) }

  /// Prints what the device responds, unless it just accepts.
  private func playCentral() throws(CommandError) -> ExitStatus {
    _ = try first("LINE")
    let line: JSONValue = .string(rest.joined(separator: " "))
    let result = try RunningDevice(name).call(.act, ["line": line, "as": text("--as")])
    let error = result["error"]?.text
    if isJSON {
      Terminal.print(result.line + "\n")
    } else if let error {
      Terminal.printError("blemu: \(name): refused: \(error)\n")
    } else if let value = result["value"]?.text {
      Terminal.print(value + "\n")
    }
    return error == nil ? .success : .failed
  }

  /// Adds or removes a fault, or lists all.
  private func fault() throws(CommandError) {
    let text: JSONValue? = rest.isEmpty ? nil : .string(rest.joined(separator: " "))
    var number: JSONValue?
    if let word = arguments["--remove"] {
      guard let value = Int(word), value > 0 else {
        throw .badValue(
          option: "--remove", value: word, expected: "the number of a fault, as 'blemu fault \(name)' lists")
      }
      number = .integer(value)
    }
    let removesAll: JSONValue? = arguments["--remove-all"] == nil ? nil : true
    let result = try device().call(
      .faults, ["add": text, "remove": number, "remove-all": removesAll])
    if isJSON { return Terminal.print(result.line + "\n") }
    if let number = result["number"]?.wholeNumber { return Terminal.print("fault \(number)\n") }
    guard number == nil, removesAll == nil else { return }
    for fault in result["faults"]?.elements ?? [] { Terminal.print(Self.line(of: fault)) }
  }

  private static func line(of fault: JSONValue) -> String {
    let (seen, struck) = (fault["seen"]?.wholeNumber ?? 0, fault["struck"]?.wholeNumber ?? 0)
    let end = fault["spent"]?.truth == true ? ", spent" : ""
    return "\(fault["number"]?.wholeNumber ?? 0)".aligned(to: 4)
      + "  \(fault["fault"]?.text ?? "")  (struck \(struck) of \(seen)\(end))\n"
  }

  /// The device may take longer than usual for what happens meanwhile.
  private func advance() throws(CommandError) {
    let word = try first("TIME")
    try checkCount(1)
    guard let time = DurationText.parse(word), (1...ControlMethod.longestAdvance).contains(time) else {
      throw .badValue(
        option: "TIME", value: word, expected: "a number with ms, s or min, as in 10min; at most a year")
    }
    try RunningDevice(name).act(.advance, ["by": .integer(time)], isJSON: isJSON)
  }

  private func advertise() throws(CommandError) {
    let word = try first("on|off")
    try checkCount(1)
    guard word == "on" || word == "off" else {
      throw .badArgument(word, command: command.rawValue, known: ["on", "off"])
    }
    try act(.advertise, ["on": .boolean(word == "on")])
  }
}

extension JSONValue {
  /// A text without quotes, everything else as in JSON.
  var plain: String { text ?? line }
}
