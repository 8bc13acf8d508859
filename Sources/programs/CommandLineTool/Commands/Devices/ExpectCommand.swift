import BlemuControl
import Definitions
import BlemuJSON
import Transcripts

extension Command {
  static let expect = Command(
    "expect", .running, arguments: "NAME LINE… [within TIME]", words: .devices,
    summary: "Waits for events of a device, and fails if they do not occur.",
    options: [.json],
    notes: [
      "A LINE is a line of a transcript: '> FFE1 41 54', '< FFE1 \"OK\"', 'connect', '* \"a line of the log\"', '* level < 5'. "
        + "Several lines are expected in this order. The words of a line may be separate arguments.",
      "After the lines: within TIME, at least N, at most N, exactly N, never. The exit status is 1 if the expectation is not met.",
      "By default, events count from the last command that acted on the device (press, set, send, wire, act, fault, advance, advertise, "
        + "disconnect, reset), or from the end of the last met expectation if that is later. 'from start' counts all events, 'from now' only "
        + "future events, 'from N' events from number N on, 'after N' events after number N.",
    ],
    examples: [
      Example(
        "blemu expect hm-10 connect '> FFE1 41 54' within 30s",
        "waits up to 30 s for a central that connects and then writes AT"),
      Example(
        "blemu expect hm-10 '! \"not sent\" ...' never",
        "fails if the log contains a warning that a value was not sent"),
    ]
  ) { arguments throws(CommandError) in
    try ExpectCommand(arguments).run()
  }
}

/// `blemu expect NAME LINE… [within TIME] [at least N] [at most N] [never] [from start|now|N] [after N]`
struct ExpectCommand {
  /// The event after which it counts.
  private enum Start {
    /// The last one before the last command that acted, or that of the last expectation.
    case last
    case after(Int)
    case now
  }

  private let name: String
  private let isJSON: Bool
  private var lines = JournalLines()
  private var milliseconds: Int?
  private var least: Int?
  private var most: Int?
  private var start = Start.last

  init(_ arguments: Arguments) throws(CommandError) {
    isJSON = arguments["--json"] != nil
    var words = arguments.positional[...]
    guard let name = words.popFirst() else {
      throw arguments.lacks("NAME")
    }
    self.name = name
    while let word = words.popFirst() { try take(word, &words) }
    if lines.texts.isEmpty { throw arguments.lacks("LINE") }
  }

  private mutating func take(_ word: String, _ words: inout ArraySlice<String>) throws(CommandError) {
    switch word {
    case "within": milliseconds = try duration(words.popFirst())
    case "at" where words.first == "least":
      words.removeFirst()
      least = try number("at least", words.popFirst())
    case "at" where words.first == "most":
      words.removeFirst()
      most = try number("at most", words.popFirst())
    case "exactly":
      least = try number("exactly", words.popFirst())
      most = least
    case "never": most = 0
    case "after": start = .after(try number("after", words.popFirst()))
    case "from": start = try start(words.popFirst())
    default: lines.add(word)
    }
  }

  private func start(_ word: String?) throws(CommandError) -> Start {
    switch word {
    case "start": return .after(0)
    case "now": return .now
    default:
      guard let number = word.flatMap({ Int($0) }), number > 0 else {
        throw .badValue(
          option: "from", value: word ?? "",
          expected: "start, now, or the number of an event, as 'blemu journal \(name)' prints it")
      }
      return .after(number - 1)
    }
  }

  private func number(_ name: String, _ word: String?) throws(CommandError) -> Int {
    guard let number = word.flatMap({ Int($0) }), number >= 0 else {
      throw .badValue(option: name, value: word ?? "", expected: "a whole number, as in \(name) 3")
    }
    return number
  }

  private func duration(_ word: String?) throws(CommandError) -> Int {
    guard let milliseconds = word.flatMap({ DurationText.parse($0) }) else {
      throw .badValue(
        option: "within", value: word ?? "", expected: "a number with ms, s, min, h or d, as in within 5s")
    }
    return milliseconds
  }

  func run() throws(CommandError) -> ExitStatus {
    let device = try RunningDevice(name)
    let after = try after(on: device)
    let result = try device.call(
      .expect,
      [
        "lines": .array(lines.texts.map(JSONValue.string)), "within": milliseconds.map(JSONValue.integer),
        "at-least": least.flatMap { $0 > 0 ? .integer($0) : nil }, "at-most": most.map(JSONValue.integer),
        "after": after,
      ])
    if isJSON {
      Terminal.print(result.line + "\n")
    } else {
      for number in (result["events"]?.elements ?? []).compactMap(\.wholeNumber) {
        try show(number, of: device)
      }
    }
    return .success
  }

  private func after(on device: RunningDevice) throws(CommandError) -> JSONValue? {
    switch start {
    case .last: nil
    case .after(let number): .integer(number)
    case .now: try device.call(.status)["events"]
    }
  }

  private func show(_ number: Int, of device: RunningDevice) throws(CommandError) {
    let page = try device.call(
      .journal, ["after": .integer(number - 1), "most": 1, "format": "text"])
    guard let lines = page["events"]?.elements?.first?.text else { return }
    Terminal.print("\(number)".aligned(to: 6) + "  \(lines)\n")
  }
}
