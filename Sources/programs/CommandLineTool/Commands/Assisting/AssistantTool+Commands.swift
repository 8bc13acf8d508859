import BlemuControl
import BlemuJSON
import EventLoop

extension AssistantTool {
  /// Commands with the options that an assistant may use.
  static let commands: [Self] = [
    Self(.list, []), Self(.show, ["--on", "--set", "--source", "--json"]), Self(.check, ["--on"]),
    Self(.test, ["--set", "--filter"]),
    Self(.learn, ["--device", "--name", "-o", "--as", "--table", "--check", "--explain"]),
  ]

  /// A device in memory: the only command that goes on.
  static let run: Self = {
    let line = ToolCommandLine(.run, ["--set", "--fault", "--seed", "--name"], takesSeveral: false)
    return Self(
      name: line.command.name,
      summary: "Runs a device in memory until 'stop', or until the session ends. 'act' plays its phone.",
      parameters: line.parameters
    ) { arguments, session in
      let definitions = try line.files(arguments, session) + line.values(arguments)
      guard let definition = definitions.first else {
        throw CommandError.missingArgument(line.command.argumentName, command: line.command.name)
      }
      return try await session.run(definition, line.options(arguments), name: arguments["name"]?.text)
    }
  }()

  private init(_ command: Command, _ options: [String]) {
    let line = ToolCommandLine(command, options, takesSeveral: command.arguments.contains("…"))
    let notes = command.notes.filter { $0 != command.argumentNote }
    self.init(
      name: command.name, summary: ([command.summary] + notes).joined(separator: " "),
      parameters: line.parameters
    ) { arguments, session in
      let values = try line.files(arguments, session) + line.values(arguments)
      return try await session.output(of: [command.name] + line.options(arguments) + ["--"] + values)
    }
  }
}

/// The command line of a tool's call: the options have their names as parameters, and the argument that of its placeholder.
private struct ToolCommandLine {
  let command: Command
  private let chosen: [Option]
  private let takesSeveral: Bool

  /// - Parameters:
  ///   - options: the names of those that the tool has.
  ///   - takesSeveral: whether the tool takes several files, and so a definition with its transcript.
  init(_ command: Command, _ options: [String], takesSeveral: Bool) {
    (self.command, self.takesSeveral) = (command, takesSeveral)
    chosen = command.options.filter { options.contains($0.name) }
  }

  var parameters: [ControlMethod.Parameter] {
    [argument] + texts
      + chosen.map { ControlMethod.Parameter($0.parameterName, $0.parameterType, $0.summary) }
  }

  /// The argument of the command.
  private var argument: ControlMethod.Parameter {
    ControlMethod.Parameter(
      command.argumentName.lowercased() + (takesSeveral ? "s" : ""), takesSeveral ? .texts : .text,
      command.argumentSummary)
  }

  /// What stands for the files of commands that read definitions.
  private var texts: [ControlMethod.Parameter] {
    guard command.readsDefinitions else { return [] }
    let text = ControlMethod.Parameter("text", .text, "the text of a definition, which is saved in a file")
    let transcript = ControlMethod.Parameter("transcript", .text, "the text of a transcript for it, likewise")
    let name = ControlMethod.Parameter("name", .text, "names the files of these texts (default: device)")
    let hasName = chosen.contains { $0.name == Option.deviceName.name }
    return [text] + (takesSeveral ? [transcript] : []) + (hasName ? [] : [name])
  }

  /// Saves the texts of a call, and returns the paths of the files.
  @EventLoop func files(_ arguments: JSONValue, _ session: AssistantSession) throws(CommandError) -> [String]
  {
    guard command.readsDefinitions else { return [] }
    return try session.save(
      [(".yaml", arguments["text"]?.text), (TranscriptFinder.ending, arguments["transcript"]?.text)],
      named: arguments["name"]?.text ?? "device")
  }

  /// The command's own arguments.
  func values(_ arguments: JSONValue) -> [String] { arguments[argument.name]?.words ?? [] }

  func options(_ arguments: JSONValue) -> [String] {
    chosen.flatMap { option in
      (arguments[option.parameterName]?.words ?? []).map {
        option.placeholder == nil ? option.name : "\(option.name)=\($0)"
      }
    }
  }
}

extension Command {
  /// The placeholder of its first argument, as in `FILE`.
  fileprivate var argumentName: String {
    String(arguments.drop { !$0.isLetter }.prefix { $0.isLetter })
  }

  /// The note that explains it.
  fileprivate var argumentNote: String? { notes.first { $0.hasPrefix("A \(argumentName) is ") } }

  fileprivate var argumentSummary: String {
    if let note = argumentNote { return note }
    return readsDefinitions ? Help.definition : "as in '\(examples.last?.line ?? name)'"
  }

  fileprivate var readsDefinitions: Bool {
    switch words {
    case .definitions, .placedDefinitions, .transcripts: true
    default: false
    }
  }
}

extension Option {
  /// Its name without hyphens or, where that is a letter, its placeholder.
  fileprivate var parameterName: String {
    let name = name.drop { $0 == "-" }
    return name.count > 1 ? String(name) : (placeholder ?? "").lowercased()
  }

  fileprivate var parameterType: ControlType {
    if isRepeatable { return .texts }
    guard placeholder != nil else { return .boolean }
    if case .oneOf(let words) = words { return .choice(words) }
    return placeholder == "NUMBER" ? .integer(0...Int.max) : .text
  }
}

extension JSONValue {
  /// The words of a command line for a value; none for false.
  fileprivate var words: [String] {
    if let elements { return elements.compactMap(\.text) }
    return truth == false ? [] : [plain]
  }
}
