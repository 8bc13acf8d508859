import BlemuControl
import BlemuJSON

/// The arguments of a command that does one thing to a running device: its name, and the words after it.
struct DeviceArguments {
  let name: String
  /// The arguments after the device's name.
  let rest: [String]
  private let arguments: Arguments

  init(_ arguments: Arguments) throws(CommandError) {
    self.arguments = arguments
    guard let name = arguments.positional.first else { throw arguments.lacks("NAME") }
    self.name = name
    rest = Array(arguments.positional.dropFirst())
  }

  var isJSON: Bool { arguments["--json"] != nil }

  /// The value of an option.
  func text(_ option: String) -> JSONValue? { arguments[option].map(JSONValue.string) }

  func check(most count: Int) throws(CommandError) {
    if rest.count > count { throw .unexpectedArgument(rest[count], command: arguments.command.name) }
  }

  /// The only argument after the name, if there is one.
  func optional() throws(CommandError) -> JSONValue? {
    try check(most: 1)
    return rest.first.map(JSONValue.string)
  }

  func first(_ placeholder: String) throws(CommandError) -> String {
    guard let first = rest.first else { throw arguments.lacks(placeholder) }
    return first
  }

  /// The parameter with what `send` and `wire` send: the words after others, or the value of `--text`.
  func content(after count: Int) throws(CommandError) -> (name: String, value: JSONValue) {
    let words = rest.dropFirst(count)
    guard let text = text("--text") else {
      guard !words.isEmpty else { throw arguments.lacks("VALUE") }
      return ("value", .string(words.joined(separator: " ")))
    }
    if let word = words.first { throw .unexpectedArgument(word, command: arguments.command.name) }
    return ("text", text)
  }
}

extension DeviceArguments {
  /// Seconds. A device answers at once unless its process is stopped.
  static let patience = 10

  /// - Parameter patience: how long to wait for each answer, whole seconds; nil: for ever.
  func device(patience: Int? = patience) throws(CommandError) -> RunningDevice {
    try RunningDevice(name, patience: patience)
  }

  /// Asks the device for something that it does, and prints what it warns of.
  func act(
    _ method: ControlMethod, _ parameters: KeyValuePairs<String, JSONValue?> = [:],
    patience: Int? = patience
  ) throws(CommandError) -> ExitStatus {
    try device(patience: patience).act(method, parameters, isJSON: isJSON)
    return .success
  }
}

extension JSONValue {
  /// A text without quotes, everything else as in JSON.
  var plain: String { text ?? line }
}
